// SPDX-License-Identifier: BSD-3-Clause
// Everything is combined up a binomial tree to rank 0, and the result goes down the same tree.
//
// Source: End et al. 2016, sections I and IV (the tree it compares with). P ranks, vectors of m bytes. P = 5:
//
//   round   1                  2        3        4        5        6
//           1 -> 0   3 -> 2    2 -> 0   4 -> 0   0 -> 4   0 -> 2   0 -> 1   2 -> 3
//
// Rounds 2 ceil(log2 P), each alpha + beta m. Correct because after round t of the way up rank r, a multiple of 2^t,
// has combined r, r + 1, ..., r + 2^t - 1 in this order; so all ranks get the same bits even in floating point.
#include "engine/algorithm/algorithm.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/stages/binomial.hpp"

namespace engine::algorithms::allreduce_binomial_tree {
namespace {

SchedulePtr plan(const Problem& problem, const Options&) {
    const std::int32_t ranks = problem.groupA;
    const std::int32_t height = stages::ceilLog2(ranks);
    const Bytes m = problem.layout.largest();
    const auto up = [=](Round round, const auto& use) {
        const stages::TreeEdges edges{ranks, std::int32_t{1} << round.value};
        use(Acting{edges.members(), [=](Rank rank, auto& out) {
                       if (edges.isChild(rank.value)) out.sendPartial(rank - edges.length, 0, m);
                       if (edges.isParent(rank.value)) out.receivePartial(rank + edges.length, 1, Action::append, m);
                   }});
    };
    const auto down = [=](Round round, const auto& use) {
        const stages::TreeEdges edges{ranks, std::int32_t{1} << (height - 1 - round.value)};
        use(Acting{edges.members(), [=](Rank rank, auto& out) {
                       if (edges.isChild(rank.value)) out.receivePartial(rank - edges.length, 1, Action::keep, m);
                       if (edges.isParent(rank.value)) out.sendPartial(rank + edges.length, 0, m);
                   }});
    };
    return then(Facts{.ranks = ranks}, Part{"up the tree", height, Prepared{up}},
                Part{"down the tree", height, Prepared{down}});
}

std::optional<Cost> predict(const Problem& problem, const Options&) {
    const std::int64_t height = stages::ceilLog2(problem.groupA);
    const Bytes m = problem.layout.largest();
    return Cost{.startups = 2 * height, .volume = 2 * height * m, .combined = height * m};
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "allreduce/binomial-tree",
        .collective = Collective::allreduce,
        .title = "Binomial tree up and down",
        .idea =
            "Vectors are combined up a tree to one rank, and the result is broadcast down the tree: few messages, but twice the rounds, and most ranks are idle in each.",
        .source = "End et al. 2016, section I",
        .formula = "2 ceil(log2 p) (alpha + beta m) + ceil(log2 p) gamma m",
        .letters = "p ranks, m bytes",
        .plan = plan,
        .predict = predict,
        .keepsOrder = [](const Problem&, const Options&) { return true; },
    };
}

}  // namespace engine::algorithms::allreduce_binomial_tree
