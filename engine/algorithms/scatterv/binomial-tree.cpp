// SPDX-License-Identifier: BSD-3-Clause
// Contributions go down a binomial tree: every rank receives once, all that is for it and those below it.
//
// Source: Chan, Heimlich, Purkayastha, van de Geijn 2007, section 4 (minimum spanning tree scatter); Thakur,
// Rabenseifner, Gropp 2005. p ranks, m bytes each; stages/binomial.hpp draws the tree. p = 5, root 1, so that ranks
// 1 2 3 4 0 are members 0 to 4, and what each message carries:
//
//   round   1           2              3
//           1 -> 0: 0   1 -> 3: 3 4    1 -> 2: 2  3 -> 4: 4
//
// Rounds ceil(log2 p); all bytes but the root's in a row for equal sizes. Members are counted from the root on, so the
// contributions below one are a run of ranks that may go round from p - 1 to 0: two pieces of the line, one message.
// Correct because before the round with distance d members that are multiples of 2d have those of themselves and the
// 2d - 1 members behind them.
#include "engine/algorithm/algorithm.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/stages/binomial.hpp"
#include "engine/stages/member_mapping.hpp"

namespace engine::algorithms::scatterv_binomial_tree {
namespace {

SchedulePtr plan(const Problem& problem, const Options&) {
    const std::int32_t p = problem.groupA;
    const stages::Rotated blocks{stages::blocks(problem.layout, 0, p), problem.root.value};
    return then(Facts{.ranks = p},
                stages::onAllFrom(p, problem.root, "down the tree", stages::BinomialScatter{blocks}));
}

std::optional<Cost> predict(const Problem& problem, const Options&) {
    if (!problem.layout.isRegular()) return std::nullopt;
    return Cost{.startups = stages::ceilLog2(problem.groupA),
                .volume = (problem.groupA - 1) * problem.layout.largest()};
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "scatterv/binomial-tree",
        .collective = Collective::scatterv,
        .title = "Binomial tree",
        .idea = "Blocks go down a binomial tree: the fewest rounds, and the root sends no more bytes than necessary.",
        .source = "Chan et al. 2007, section 4",
        .formula = "ceil(log2 p) alpha + (p - 1) beta m for equal sizes",
        .letters = "p ranks, m bytes each",
        .knownAs = {{.library = "Open MPI", .call = "scatter", .name = "binomial", .number = 2},
                    {.library = "MPICH", .call = "scatter", .name = "binomial"}},
        .plan = plan,
        .predict = predict,
    };
}

}  // namespace engine::algorithms::scatterv_binomial_tree
