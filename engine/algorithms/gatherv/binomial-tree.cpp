// SPDX-License-Identifier: BSD-3-Clause
// Contributions come together up a binomial tree: every rank sends once, all that is below it.
//
// Source: Chan, Heimlich, Purkayastha, van de Geijn 2007, section 4 (minimum spanning tree gather); Thakur,
// Rabenseifner, Gropp 2005. p ranks, m bytes each; stages/binomial.hpp draws the tree. p = 5, root 1, so that ranks 1 2
// 3 4 0 are members 0 to 4, and what each message carries:
//
//   round   1                    2              3
//           2 -> 1: 2  4 -> 3: 4   3 -> 1: 3 4    0 -> 1: 0
//
// Rounds ceil(log2 p); all bytes but the root's in a row for equal sizes. Members are counted from the root on, so the
// contributions below one are a run of ranks that may go round from p - 1 to 0: two pieces of the line, one message.
// Correct because after t rounds member m, a multiple of 2^t, has those of m, m + 1, ..., m + 2^t - 1.
#include "engine/algorithm/algorithm.hpp"
#include "engine/algorithms/doubling_cost.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/stages/binomial.hpp"
#include "engine/stages/member_mapping.hpp"

namespace engine::algorithms::gatherv_binomial_tree {
namespace {

SchedulePtr plan(const Problem& problem, const Options&) {
    const std::int32_t p = problem.groupA;
    const stages::Rotated blocks{stages::blocks(problem.layout, 0, p), problem.root.value};
    return then(Facts{.ranks = p}, stages::onAllFrom(p, problem.root, "up the tree", stages::BinomialGather{blocks}));
}

std::optional<Cost> predict(const Problem& problem, const Options&) { return doublingCost(problem); }

}  // namespace

Algorithm algorithm() {
    return {
        .id = "gatherv/binomial-tree",
        .collective = Collective::gatherv,
        .title = "Binomial tree",
        .idea = "Blocks go up a binomial tree: the fewest rounds, and the root receives no more bytes than necessary.",
        .source = "Chan et al. 2007, section 4",
        .formula = "ceil(log2 p) alpha + (p - 1) beta m for equal sizes",
        .letters = "p ranks, m bytes each",
        .knownAs = {{.library = "Open MPI", .call = "gather", .name = "binomial", .number = 2},
                    {.library = "MPICH", .call = "gather", .name = "binomial"}},
        .plan = plan,
        .predict = predict,
    };
}

}  // namespace engine::algorithms::gatherv_binomial_tree
