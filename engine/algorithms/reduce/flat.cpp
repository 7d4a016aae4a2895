// SPDX-License-Identifier: BSD-3-Clause
// One rank after the other sends its whole vector to the root, which combines them.
//
// Source: Pjesivac-Grbovic et al. 2007, section 3 (linear). p ranks, m bytes, root r. First those behind the root come
// and are appended, then those before it, the nearest first, and are prepended. p = 5, r = 2:
//
//   round   1        2        3        4
//           3 -> 2   4 -> 2   1 -> 2   0 -> 2
//   root    2 3      2 3 4    1..4     0..4
//
// Rounds p - 1, each alpha + (beta + gamma) m. Correct, and in the order of ranks for every root, because the root
// always holds a run of neighbours.
#include "engine/algorithm/algorithm.hpp"
#include "engine/schedule/kernel.hpp"

#include <algorithm>

namespace engine::algorithms::reduce_flat {
namespace {

SchedulePtr plan(const Problem& problem, const Options&) {
    const std::int32_t p = problem.groupA;
    const std::int32_t root = problem.root.value;
    const auto oneAfterTheOther = [=, m = problem.layout.largest()](Round round, const auto& use) {
        const auto t = static_cast<std::int32_t>(round.value);
        const bool behind = t < p - 1 - root;
        const std::int32_t served = behind ? root + 1 + t : p - 2 - t;
        const auto [low, high] = std::minmax(root, served);
        use(Acting{Strip{low, high + 1, high - low}, [=](Rank rank, auto& out) {
                       if (rank.value == served) out.sendPartial(Rank{root}, 0, m);
                       if (rank.value == root)
                           out.receivePartial(Rank{served}, 1, behind ? Action::append : Action::prepend, m);
                   }});
    };
    return then(Facts{.ranks = p}, Part{"one after the other", p - 1, Prepared{oneAfterTheOther}});
}

std::optional<Cost> predict(const Problem& problem, const Options&) {
    const std::int64_t rounds = problem.groupA - 1;
    const Bytes volume = rounds * problem.layout.largest();
    return Cost{.startups = rounds, .volume = volume, .combined = volume};
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "reduce/flat",
        .collective = Collective::reduce,
        .title = "Flat tree",
        .idea =
            "Every other rank sends its whole vector to the root, one after the other: simple and in the order of ranks, but slow on many ranks.",
        .source = "Pjesivac-Grbovic et al. 2007, section 3",
        .formula = "(p - 1)(alpha + beta m + gamma m)",
        .letters = "p ranks, m bytes",
        .knownAs = {{.library = "Open MPI", .call = "reduce", .name = "linear", .number = 1}},
        .plan = plan,
        .predict = predict,
        .keepsOrder = [](const Problem&, const Options&) { return true; },
    };
}

}  // namespace engine::algorithms::reduce_flat
