// SPDX-License-Identifier: BSD-3-Clause
// Everyone who holds the message passes it on to k - 1 ranks at one distance, then to k - 1 at a k-th of it.
//
// Source: Open MPI's k-nomial tree (coll/base); Patarasuk and Yuan 2008 for trees of other degrees. p ranks, m bytes,
// radix k. p = 9, k = 3, root 0:
//
//   round   1        2        3                        4
//           0 -> 3   0 -> 6   0 -> 1  3 -> 4  6 -> 7   0 -> 2  3 -> 5  6 -> 8
//
// Rounds (k - 1)(q - 1) + ceil(p / k^(q-1)) - 1 with q = ceil(log_k p), each alpha + beta m: k = 2 is the binomial
// tree, and has the fewest rounds on one port; a larger k makes the tree flatter, for ranks that send several messages
// at once. Correct because before the rounds with distance d every rank whose distance from the root is a multiple of
// kd holds it.
#include "engine/algorithm/algorithm.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/shapes/powers.hpp"
#include "engine/stages/member_mapping.hpp"

namespace engine::algorithms::bcast_knomial_tree {
namespace {

/// Members 0..n-1 with member 0 as the root.
class KnomialBroadcast : public ByRound<KnomialBroadcast> {
public:
    KnomialBroadcast(std::int32_t members, std::int64_t radix, Range message)
        : n_{members}, radix_{static_cast<std::int32_t>(radix)}, message_{message} {}

    [[nodiscard]] std::int64_t rounds() const {
        const std::int32_t levels = shapes::ceilLog(radix_, n_);
        return levels == 0 ? 0 : (radix_ - 1) * (levels - 1) + top();
    }

    template <class Use>
    void prepare(Round round, const Use& use) const {
        const std::int32_t levels = shapes::ceilLog(radix_, n_);
        const std::int64_t below = round.value - top();  // counts rounds behind those of the largest distance
        const std::int64_t level = below < 0 ? levels - 1 : levels - 2 - below / (radix_ - 1);
        const std::int64_t child = (below < 0 ? round.value : below % (radix_ - 1)) + 1;
        const auto apart = static_cast<std::int32_t>(shapes::power(radix_, level));
        const auto step = static_cast<std::int32_t>(apart * child);
        use(Acting{Strip{0, n_, apart}, [=, n = n_, k = radix_, message = message_](Rank member, auto& out) {
                       const std::int32_t m = member.value;
                       if (m % apart != 0) return;
                       const std::int32_t place = m / apart % k;
                       if (place == 0 && m < n - step) out.send(Rank{m + step}, message);
                       if (place == child) out.receive(Rank{m - step}, message);
                   }});
    }

private:
    /// Children of the root at the largest distance.
    [[nodiscard]] std::int64_t top() const {
        const std::int64_t apart = shapes::power(radix_, shapes::ceilLog(radix_, n_) - 1);
        return (n_ - 1) / apart;
    }

    std::int32_t n_;
    std::int32_t radix_;
    Range message_;
};

KnomialBroadcast tree(const Problem& problem, const Options& options) {
    return {problem.groupA, options.number("radix"), problem.layout.whole()};
}

SchedulePtr plan(const Problem& problem, const Options& options) {
    const std::int32_t p = problem.groupA;
    return then(Facts{.ranks = p}, stages::onAllFrom(p, problem.root, "down the tree", tree(problem, options)));
}

std::optional<Cost> predict(const Problem& problem, const Options& options) {
    const std::int64_t rounds = tree(problem, options).rounds();
    return Cost{.startups = rounds, .volume = rounds * problem.layout.total()};
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "bcast/knomial-tree",
        .collective = Collective::bcast,
        .title = "K-nomial tree",
        .idea =
            "Each rank that has the message sends it to several ranks at each distance: a flatter tree than the binomial one, with more consecutive sends.",
        .source = "Open MPI, coll/base, k-nomial tree",
        .formula = "((k - 1)(q - 1) + ceil(p/k^(q-1)) - 1)(alpha + beta m), q = ceil(log_k p)",
        .letters = "p ranks, m bytes, k the radix",
        .knownAs = {{.library = "Open MPI", .call = "bcast", .name = "knomial", .number = 7}},
        .options = {{.name = "radix",
                     .kind = Option::Kind::integer,
                     .fallback = "4",
                     .meaning = "factor by which each level multiplies the ranks that have the message (k)",
                     .low = 2,
                     .high = 8}},
        .plan = plan,
        .predict = predict,
        .growsWithRanks = true,
    };
}

}  // namespace engine::algorithms::bcast_knomial_tree
