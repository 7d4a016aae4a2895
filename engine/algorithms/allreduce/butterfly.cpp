// SPDX-License-Identifier: BSD-3-Clause
// Pairs whose numbers differ in one bit swap what they have combined, bit by bit; missing ranks are played by others.
//
// Source: End et al. 2016, section III.A and figure 1 (left); Brooks 1986 for P = 2^k.
// P ranks, k = ceil(log2 P), vectors of m bytes. There are 2^k roles; rank r plays role r and, if there is one, role
// r + P. P = 3, role 3 played by rank 0:
//
//   round   roles              rank 0 holds in role 0, role 3     with the neutral element for role 3
//     1     0 <-> 1  2 <-> 3   0 1        2 0                     0 1        2
//     2     0 <-> 2  1 <-> 3   0 1 2 0    0 1 2 0                 0 1 2      0 1 2
//
// Rounds k, each alpha + beta m, on two ports unless P = 2^k. As printed a second role begins with the rank's own
// vector, so that 2^k - P contributions are counted twice: harmless for a minimum or a barrier, wrong for a sum. With
// the neutral element in its place every contribution is counted once, in the order of ranks. Correct then because
// after round t a role has combined all roles that agree with it in all but the lowest t bits.
#include "engine/algorithm/algorithm.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/shapes/powers.hpp"

#include <bit>

namespace engine::algorithms::allreduce_butterfly {
namespace {

SchedulePtr plan(const Problem& problem, const Options& options) {
    const std::int32_t ranks = problem.groupA;
    const std::int32_t rounds = shapes::ceilLog(2, ranks);
    const std::int32_t roles = std::int32_t{1} << rounds;
    const Bytes m = problem.layout.largest();
    Facts facts{.ranks = ranks};
    if (roles > ranks) {
        facts.ports = 2;
        facts.slots = 2;  // slot i holds what role r + i P has combined
        facts.own = options.is("neutral", "yes") ? 1U : 3U;
    }
    return then(facts, Part{"butterfly", rounds, [=](Rank rank, Round round, auto& out) {
                                for (std::int32_t slot = 0, role = rank.value; role < roles; ++slot, role += ranks) {
                                    const std::int32_t other = role ^ (std::int32_t{1} << round.value);
                                    const Rank peer{other < ranks ? other : other - ranks};  // roles < 2 ranks
                                    out.sendPartial(peer, slot, m);
                                    out.receivePartial(peer, Slots{1} << slot,
                                                       other > role ? Action::append : Action::prepend, m);
                                }
                            }});
}

std::optional<Cost> predict(const Problem& problem, const Options&) {
    const std::int64_t rounds = shapes::ceilLog(2, problem.groupA);
    const Bytes m = problem.layout.largest();
    const bool whole = std::has_single_bit(static_cast<std::uint32_t>(problem.groupA));
    // Two roles on one port: how their messages follow each other has no closed form.
    if (!whole && problem.ports == 1) return std::nullopt;
    return Cost{.startups = rounds, .volume = rounds * m, .combined = rounds * m * (whole ? 1 : 2)};
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "allreduce/butterfly",
        .collective = Collective::allreduce,
        .title = "Butterfly with virtual processes",
        .idea =
            "Pairs whose numbers differ in one bit exchange their partial results. If p is not a power of two, ranks also stand in for the missing ones, on a second port.",
        .source = "End et al. 2016, section III.A and figure 1; Brooks 1986",
        .formula = "ceil(log2 p) (alpha + beta m + w gamma m), on 2 ports if p is no power of two",
        .letters = "p ranks, m bytes, w = 1 where p = 2^k, else 2",
        .errata = {{"virtual processes",
                    "the first 2^k - P ranks are counted twice; let virtual ones begin with the neutral element, or "
                    "take the pairwise exchange"}},
        .options = {{.name = "neutral",
                     .kind = Option::Kind::choice,
                     .fallback = "yes",
                     .meaning =
                         "whether virtual processes begin with the neutral element (right) or with the rank's own "
                         "vector again (as printed, wrong for sums)",
                     .choices = {"yes", "no"},
                     .broken = "no"}},
        .plan = plan,
        .predict = predict,
        .keepsOrder =
            [](const Problem& problem, const Options& options) {
                return options.is("neutral", "yes") || std::has_single_bit(static_cast<std::uint32_t>(problem.groupA));
            },
    };
}

}  // namespace engine::algorithms::allreduce_butterfly
