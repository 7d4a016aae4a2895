// SPDX-License-Identifier: BSD-3-Clause
// A signal goes twice around the ring: the first time round it says who has come, the second time that all have.
//
// Source: Open MPI's double ring barrier (coll/base). P ranks. P = 3:
//
//   round   1        2        3        4        5        6
//           0 -> 1   1 -> 2   2 -> 0   0 -> 1   1 -> 2   2 -> 0
//
// Rounds 2 P for P > 1, alpha each; the last one, in which rank 0 hears that its signal has come round, is the
// library's. Correct because the signal has passed everyone when it leaves rank 0 for the second time.
#include "engine/algorithm/algorithm.hpp"
#include "engine/schedule/kernel.hpp"

#include <algorithm>

namespace engine::algorithms::barrier_double_ring {
namespace {

std::int64_t rounds(const Problem& problem) { return problem.groupA > 1 ? 2 * std::int64_t{problem.groupA} : 0; }

SchedulePtr plan(const Problem& problem, const Options&) {
    const std::int32_t p = problem.groupA;
    const auto round = [p](Round now, const auto& use) {
        const auto from = static_cast<std::int32_t>(now.value % p);
        const std::int32_t to = from + 1 < p ? from + 1 : 0;
        const auto [low, high] = std::minmax(from, to);
        use(Acting{Strip{low, high + 1, high - low}, [from, to](Rank rank, auto& out) {
                       if (rank.value == from) out.sendPartial(Rank{to}, 0, 0);
                       if (rank.value == to) out.receivePartial(Rank{from}, 1, Action::append, 0);
                   }});
    };
    return then(Facts{.ranks = p}, Part{"twice around the ring", rounds(problem), Prepared{round}});
}

std::optional<Cost> predict(const Problem& problem, const Options&) { return Cost{.startups = rounds(problem)}; }

}  // namespace

Algorithm algorithm() {
    return {
        .id = "barrier/double-ring",
        .collective = Collective::barrier,
        .title = "Double ring",
        .idea =
            "A signal travels around the ring twice, first to collect, then to release the ranks: one message at a time.",
        .source = "Open MPI, coll/base, double ring barrier",
        .formula = "2 p alpha",
        .letters = "p ranks",
        .knownAs = {{.library = "Open MPI", .call = "barrier", .name = "double_ring", .number = 2}},
        .plan = plan,
        .predict = predict,
    };
}

}  // namespace engine::algorithms::barrier_double_ring
