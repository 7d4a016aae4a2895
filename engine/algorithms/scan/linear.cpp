// SPDX-License-Identifier: BSD-3-Clause
// The running total goes from rank to rank, and every rank puts its vector behind it.
//
// Source: Sanders and Träff 2006, section 1 (sequential); Open MPI's linear scan. p ranks, m bytes. p = 4:
//
//   round   1          2            3
//           0 -> 1: 0  1 -> 2: 0 1  2 -> 3: 0 1 2
//
// Rounds p - 1, each alpha + beta m + gamma m; an exclusive scan combines twice, with and without the rank's own
// vector. Correct because what comes to rank r is everything of ranks 0 to r - 1, in their order.
#include "engine/algorithm/algorithm.hpp"
#include "engine/algorithms/exclusive.hpp"
#include "engine/schedule/kernel.hpp"

#include <bit>

namespace engine::algorithms::scan_linear {
namespace {

SchedulePtr plan(const Problem& problem, const Options&) {
    const auto rankByRank = [m = problem.layout.largest(), grow = growing(problem)](Round round, const auto& use) {
        const auto from = static_cast<std::int32_t>(round.value);
        use(Acting{Strip{from, from + 2, 1}, [=](Rank rank, auto& out) {
                       if (rank.value == from) out.sendPartial(rank + 1, 0, m);
                       if (rank.value == from + 1) out.receivePartial(rank - 1, grow, Action::prepend, m);
                   }});
    };
    return then(runningTotal(problem), Part{"from rank to rank", problem.groupA - 1, Prepared{rankByRank}});
}

std::optional<Cost> predict(const Problem& problem, const Options&) {
    const std::int64_t rounds = problem.groupA - 1;
    const Bytes volume = rounds * problem.layout.largest();
    return Cost{.startups = rounds, .volume = volume, .combined = volume * std::popcount(growing(problem))};
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "scan/linear",
        .collective = Collective::scan,
        .title = "Linear",
        .idea =
            "The running total goes from rank to rank: the fewest messages, but the last rank waits for all others.",
        .source = "Sanders and Träff 2006, section 1",
        .formula = "(p - 1)(alpha + beta m + gamma m)",
        .letters = "p ranks, m bytes",
        .knownAs = {{.library = "Open MPI", .call = "scan", .name = "linear", .number = 1},
                    {.library = "Open MPI", .call = "exscan", .name = "linear", .number = 1}},
        .options = {exclusiveOption()},
        .plan = plan,
        .predict = predict,
        .keepsOrder = [](const Problem&, const Options&) { return true; },
    };
}

}  // namespace engine::algorithms::scan_linear
