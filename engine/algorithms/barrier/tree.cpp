// SPDX-License-Identifier: BSD-3-Clause
// Signals go up a binomial tree to rank 0, and down the same tree when all have entered.
//
// Source: Open MPI's tree barrier (coll/base); Hensgen, Finkel, Manber 1988 (tournament). P ranks. P = 5:
//
//   round   1                  2        3        4        5        6
//           1 -> 0   3 -> 2    2 -> 0   4 -> 0   0 -> 4   0 -> 2   0 -> 1   2 -> 3
//
// Rounds 2 ceil(log2 P), alpha each; 2 (P - 1) messages, the fewest there can be. Correct because rank 0 has heard of
// all, through those below it, before it tells anyone.
#include "engine/algorithm/algorithm.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/stages/binomial.hpp"
#include "engine/stages/member_mapping.hpp"
#include "engine/stages/partial_results.hpp"

namespace engine::algorithms::barrier_tree {
namespace {

SchedulePtr plan(const Problem& problem, const Options&) {
    const Group all{0, problem.groupA};
    const stages::BinomialBroadcast down{problem.groupA, Range{}};
    return then(Facts{.ranks = problem.groupA},
                stages::on(all, "up the tree", stages::ReversedBroadcast{down, down.rounds(), stages::Backwards{}}),
                stages::on(all, "down the tree", stages::ofWholeResults(down, 0)));
}

std::optional<Cost> predict(const Problem& problem, const Options&) {
    return Cost{.startups = 2 * stages::ceilLog2(problem.groupA)};
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "barrier/tree",
        .collective = Collective::barrier,
        .title = "Binomial tree up and down",
        .idea =
            "Signals go up a tree to one rank and down again: the fewest messages, but most ranks are idle in each round.",
        .source = "Open MPI, coll/base, tree barrier; Hensgen et al. 1988",
        .formula = "2 ceil(log2 p) alpha",
        .letters = "p ranks",
        .knownAs = {{.library = "Open MPI", .call = "barrier", .name = "tree", .number = 6}},
        .plan = plan,
        .predict = predict,
    };
}

}  // namespace engine::algorithms::barrier_tree
