// SPDX-License-Identifier: BSD-3-Clause
// Everyone tells rank 0 that it has come; when all have, rank 0 lets one after the other go.
//
// Source: Open MPI's linear barrier (coll/base). P ranks. P = 4:
//
//   round   1        2        3        4        5        6
//           1 -> 0   2 -> 0   3 -> 0   0 -> 1   0 -> 2   0 -> 3
//
// Rounds 2 (P - 1), alpha each. Correct because rank 0 has heard of all before it tells anyone.
#include "engine/algorithm/algorithm.hpp"
#include "engine/schedule/kernel.hpp"

namespace engine::algorithms::barrier_linear {
namespace {

SchedulePtr plan(const Problem& problem, const Options&) {
    const std::int64_t others = problem.groupA - 1;
    const auto come = [](Round round, const auto& use) {
        const auto other = static_cast<std::int32_t>(round.value) + 1;
        use(Acting{Strip{0, other + 1, other}, [other](Rank rank, auto& out) {
                       if (rank.value == other) out.sendPartial(Rank{0}, 0, 0);
                       if (rank.value == 0) out.receivePartial(Rank{other}, 1, Action::append, 0);
                   }});
    };
    const auto go = [](Round round, const auto& use) {
        const auto other = static_cast<std::int32_t>(round.value) + 1;
        use(Acting{Strip{0, other + 1, other}, [other](Rank rank, auto& out) {
                       if (rank.value == 0) out.sendPartial(Rank{other}, 0, 0);
                       if (rank.value == other) out.receivePartial(Rank{0}, 1, Action::keep, 0);
                   }});
    };
    return then(Facts{.ranks = problem.groupA}, Part{"arrive", others, Prepared{come}},
                Part{"release", others, Prepared{go}});
}

std::optional<Cost> predict(const Problem& problem, const Options&) {
    return Cost{.startups = 2 * (problem.groupA - std::int64_t{1})};
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "barrier/linear",
        .collective = Collective::barrier,
        .title = "Linear",
        .idea = "Every rank signals rank 0, which then signals every rank: simple, but rank 0 handles all messages.",
        .source = "Open MPI, coll/base, linear barrier",
        .formula = "2 (p - 1) alpha",
        .letters = "p ranks",
        .knownAs = {{.library = "Open MPI", .call = "barrier", .name = "linear", .number = 1}},
        .plan = plan,
        .predict = predict,
    };
}

}  // namespace engine::algorithms::barrier_linear
