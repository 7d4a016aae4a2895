// SPDX-License-Identifier: BSD-3-Clause
// Everyone who holds the message passes it on, each round to a rank half as far away.
//
// Source: Hasanov et al. 2014, formula (4). p ranks, m bytes. p = 6, root 0:
//
//   round   1        2        3
//           0 -> 4   0 -> 2   0 -> 1   2 -> 3   4 -> 5
//
// Rounds ceil(log2 p), each alpha + beta m: the fewest there can be, since holders can at most double.
// Correct because after the round with distance d every rank whose distance from the root is a multiple of d holds it.
#include "engine/algorithm/algorithm.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/stages/binomial.hpp"
#include "engine/stages/member_mapping.hpp"

namespace engine::algorithms::bcast_binomial_tree {
namespace {

SchedulePtr plan(const Problem& problem, const Options&) {
    const std::int32_t p = problem.groupA;
    return then(Facts{.ranks = p}, stages::onAllFrom(p, problem.root, "down the tree",
                                                     stages::BinomialBroadcast{p, problem.layout.whole()}));
}

std::optional<Cost> predict(const Problem& problem, const Options&) {
    const std::int64_t rounds = stages::ceilLog2(problem.groupA);
    return Cost{.startups = rounds, .volume = rounds * problem.layout.total()};
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "bcast/binomial-tree",
        .collective = Collective::bcast,
        .title = "Binomial tree",
        .idea =
            "In each round, every rank that has the message sends it on, so that their number doubles: the fewest rounds for a short message.",
        .source = "Hasanov et al. 2014, formula (4)",
        .formula = "ceil(log2 p) (alpha + beta m)",
        .letters = "p ranks, m bytes",
        .knownAs = {{.library = "Open MPI", .call = "bcast", .name = "binomial", .number = 6},
                    {.library = "MPICH", .call = "bcast", .name = "binomial"}},
        .plan = plan,
        .predict = predict,
        .growsWithRanks = true,
    };
}

}  // namespace engine::algorithms::bcast_binomial_tree
