// SPDX-License-Identifier: BSD-3-Clause
// Totals go up binomial trees to the last rank of each group, and from there to the middle of the group behind.
//
// Source: Sanders and Träff 2006, section 2 (binomial tree); Brent and Kung 1982. p ranks, m bytes. p = 6, with what
// the receiver then holds:
//
//   round   1                                       2              3              4
//           0 -> 1: 0 1  2 -> 3: 2 3  4 -> 5: 4 5   1 -> 3: 0..3   3 -> 5: 0..5   1 -> 2: 0..2  3 -> 4: 0..4
//
// Up, in round t (from 0) the last of 2^(t+1) ranks takes in the total of the first half; down, from the largest t on,
// the last of 2^(t+1) ranks, which has its result now, serves the rank 2^t behind it. Rounds floor(log2 p) up and, for
// p > 2, floor(log2(p/3)) + 1 down, each alpha + (beta + gamma) m; an exclusive scan combines twice. Correct because
// everything that comes to a rank belongs right before what it has.
#include "engine/algorithm/algorithm.hpp"
#include "engine/algorithms/exclusive.hpp"
#include "engine/schedule/kernel.hpp"

#include <bit>

namespace engine::algorithms::scan_binomial_tree {
namespace {

std::int32_t floorLog2(std::int32_t n) { return std::bit_width(static_cast<std::uint32_t>(n)) - 1; }

std::int32_t roundsUp(std::int32_t p) { return floorLog2(p); }
std::int32_t roundsDown(std::int32_t p) { return p < 3 ? 0 : floorLog2(p / 3) + 1; }

SchedulePtr plan(const Problem& problem, const Options&) {
    const std::int32_t p = problem.groupA;
    // The ranks at both ends of messages from the last of a group, or its middle, to one `apart` behind.
    const auto pass = [p, m = problem.layout.largest(), grow = growing(problem)](std::int32_t firstFrom,
                                                                                 std::int32_t apart, const auto& use) {
        use(Acting{Strip{firstFrom, p, apart}, [=](Rank rank, auto& out) {
                       if (rank.value < firstFrom) return;
                       const std::int32_t place = (rank.value - firstFrom) & (2 * apart - 1);
                       if (place == 0 && rank.value + apart < p) out.sendPartial(rank + apart, 0, m);
                       if (place == apart) out.receivePartial(rank - apart, grow, Action::prepend, m);
                   }});
    };
    const auto up = [=](Round round, const auto& use) {
        const std::int32_t half = std::int32_t{1} << round.value;
        pass(half - 1, half, use);
    };
    const auto down = [=](Round round, const auto& use) {
        const std::int32_t half = std::int32_t{1} << (roundsDown(p) - 1 - round.value);
        pass(2 * half - 1, half, use);
    };
    return then(runningTotal(problem), Part{"up the trees", roundsUp(p), Prepared{up}},
                Part{"down the trees", roundsDown(p), Prepared{down}});
}

std::optional<Cost> predict(const Problem& problem, const Options&) {
    const std::int64_t rounds = roundsUp(problem.groupA) + roundsDown(problem.groupA);
    const Bytes volume = rounds * problem.layout.largest();
    return Cost{.startups = rounds, .volume = volume, .combined = volume * std::popcount(growing(problem))};
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "scan/binomial-tree",
        .collective = Collective::scan,
        .title = "Binomial trees up and down",
        .idea =
            "Totals of groups go up trees and prefixes come down: fewer than two messages per rank, in up to twice the rounds of recursive doubling.",
        .source = "Sanders and Träff 2006, section 2",
        .formula = "(floor(log2 p) + floor(log2(p/3)) + 1)(alpha + beta m + gamma m) for p > 2",
        .letters = "p ranks, m bytes",
        .options = {exclusiveOption()},
        .plan = plan,
        .predict = predict,
        .keepsOrder = [](const Problem&, const Options&) { return true; },
    };
}

}  // namespace engine::algorithms::scan_binomial_tree
