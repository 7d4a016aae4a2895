// SPDX-License-Identifier: BSD-3-Clause
// Vectors are combined up a binomial tree: the broadcast of the same name, backwards.
//
// Source: Thakur, Rabenseifner, Gropp 2005, section 7. p ranks, m bytes. p = 5, root 0:
//
//   round   1                  2        3
//           1 -> 0   3 -> 2    2 -> 0   4 -> 0
//
// Rounds ceil(log2 p), each alpha + beta m + gamma m. Correct because after round t member v, a multiple of 2^t, has
// combined v, v + 1, ..., v + 2^t - 1 in this order; members are counted from the root on, so for root 0 the order is
// that of the ranks.
#include "engine/algorithm/algorithm.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/stages/binomial.hpp"
#include "engine/stages/member_mapping.hpp"
#include "engine/stages/partial_results.hpp"

namespace engine::algorithms::reduce_binomial_tree {
namespace {

SchedulePtr plan(const Problem& problem, const Options&) {
    const std::int32_t p = problem.groupA;
    const stages::Backwards up{.vector = problem.layout.largest()};
    const stages::BinomialBroadcast down{p, up.message()};
    return then(Facts{.ranks = p},
                stages::onAllFrom(p, problem.root, "up the tree", stages::ReversedBroadcast{down, down.rounds(), up}));
}

std::optional<Cost> predict(const Problem& problem, const Options&) {
    const std::int64_t rounds = stages::ceilLog2(problem.groupA);
    const Bytes m = problem.layout.largest();
    return Cost{.startups = rounds, .volume = rounds * m, .combined = rounds * m};
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "reduce/binomial-tree",
        .collective = Collective::reduce,
        .title = "Binomial tree",
        .idea = "Vectors are combined up a binomial tree: the fewest rounds, with the whole vector in each.",
        .source = "Thakur et al. 2005, section 7",
        .formula = "ceil(log2 p) (alpha + beta m + gamma m)",
        .letters = "p ranks, m bytes",
        .knownAs = {{.library = "Open MPI", .call = "reduce", .name = "binomial", .number = 5},
                    {.library = "MPICH", .call = "reduce", .name = "binomial"}},
        .plan = plan,
        .predict = predict,
        .keepsOrder = [](const Problem& problem, const Options&) { return problem.root == Rank{0}; },
    };
}

}  // namespace engine::algorithms::reduce_binomial_tree
