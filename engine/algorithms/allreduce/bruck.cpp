// SPDX-License-Identifier: BSD-3-Clause
// Every rank keeps its partial result with and without its own vector, and sends whichever fits: any P, fewest rounds.
//
// Source: End et al. 2016, section III.C; Bruck and Ho 1993. P ranks, n messages per round, N = n + 1, vectors of m
// bytes. Rank q keeps W = x_(q+1) ... x_(q+c), without its own, and S = x_q W; c = 0 at first.
// Each round takes the next digit a of P - 1 in base N, the highest first: q receives S from q + i(c+1), i = 1..a, and
// then W from q + a(c+1) + jc, j = 1..n-a (nothing while c = 0); all are appended to both, so c becomes Nc + a.
// P = 8, n = 2, P - 1 = 21 in base 3:
//
//   round   digit   rank 0 receives              S of rank 0
//     1       2     S from 1, S from 2           0 1 2
//     2       1     S from 3, W from 5           0 1 2  3 4 5  6 7
//
// Rounds ceil(log_N P), each alpha + beta m. Correct because what comes follows what is there: i runs of c + 1, then j
// runs of c; in the end c = P - 1. Orders differ between ranks (q, q+1, ... going round): commutative operations only.
#include "engine/algorithm/algorithm.hpp"
#include "engine/algorithms/ports_option.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/shapes/powers.hpp"

#include <vector>

namespace engine::algorithms::allreduce_bruck {
namespace {

constexpr int with = 0;     // the slot of S
constexpr int without = 1;  // the slot of W

/// One round: the digit a and c before it.
struct Step {
    std::int64_t digit;
    std::int64_t held;
    std::int64_t joins;  ///< messages a rank receives
};

std::vector<Step> steps(std::int32_t ranks, std::int32_t n) {
    std::vector<Step> all;
    std::int64_t held = 0;
    for (std::int64_t weight = shapes::power(n + 1, shapes::ceilLog(n + 1, ranks) - 1); held < ranks - 1;
         weight /= n + 1) {
        const std::int64_t digit = (ranks - 1) / weight % (n + 1);
        all.push_back({digit, held, held > 0 ? n : digit});
        held = held * (n + 1) + digit;
    }
    return all;
}

Cost costOf(const Problem& problem, std::int32_t n) {
    const std::vector<Step> all = steps(problem.groupA, n);
    const Bytes m = problem.layout.largest();
    Cost cost;
    for (const Step& step : all) {
        cost.startups += serializedMessages(problem, step.joins);
        cost.volume += serializedMessages(problem, step.joins) * m;
        cost.combined += step.joins * m * (&step == &all.back() ? 1 : 2);  // into S, and before the last round into W
    }
    return cost;
}

std::int32_t messagesOf(const Problem& problem, const Options& options) {
    return portsOf(problem, options, [&](std::int32_t n) { return std::optional{costOf(problem, n)}; });
}

SchedulePtr plan(const Problem& problem, const Options& options) {
    const std::int32_t ranks = problem.groupA;
    const std::int32_t n = messagesOf(problem, options);
    const std::vector<Step> all = steps(ranks, n);
    const Bytes m = problem.layout.largest();
    Facts facts{.ranks = ranks, .ports = n};
    facts.slots = 2;
    const auto combine = [=](Round round, const auto& use) {
        const Step step = all[round.index()];
        const bool last = round.value + 1 == static_cast<std::int64_t>(all.size());
        const Slots grown = last ? Slots{1} << with : Slots{1} << with | Slots{1} << without;
        use([=](Rank rank, auto& out) {
            for (std::int64_t i = 1; i <= step.joins; ++i) {
                const std::int64_t apart = i * step.held + (i <= step.digit ? i : step.digit);
                out.sendPartial(shapes::around(rank, -apart, ranks), i <= step.digit ? with : without, m);
                out.receivePartial(shapes::around(rank, apart, ranks), grown, Action::append, m);
            }
        });
    };
    return then(facts, Part{"combine", static_cast<std::int64_t>(all.size()), Prepared{combine}});
}

std::optional<Cost> predict(const Problem& problem, const Options& options) {
    return costOf(problem, messagesOf(problem, options));
}

Choices choose(const Problem& problem, const Options& options) {
    return chosenPorts(options, messagesOf(problem, options));
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "allreduce/bruck",
        .collective = Collective::allreduce,
        .title = "n-port Bruck",
        .idea =
            "Every rank keeps its partial result with and without its own vector, and sends the one that continues the receiver's: the fewest rounds for any number of ranks.",
        .source = "End et al. 2016, section III.C; Bruck and Ho 1993",
        .formula = "ceil(log_N p) (alpha + beta m) + C gamma m",
        .letters = "p ranks, n messages per round (option n), N = n + 1, m bytes, C vectors combined by a rank",
        .errata = {{"example, partners",
                    "the printed offsets hold only for digit 1 and the first partner; in general they are i(c + 1) and "
                    "a(c + 1) + jc"},
                   {"policy of the smallest n",
                    "taking the least adaptable n gives n = 1 on nearly all clusters and 6 to 7 rounds from P = 48 on, "
                    "where Bruck with n = 5 takes 3"}},
        .options = {portsOption()},
        .plan = plan,
        .predict = predict,
        .choose = choose,
    };
}

}  // namespace engine::algorithms::allreduce_bruck
