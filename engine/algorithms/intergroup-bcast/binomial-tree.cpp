// SPDX-License-Identifier: BSD-3-Clause
// A binomial tree over the root and the other group: the root goes on sending while others hand the message on.
//
// Source: the broadcast of the same name on other members. g ranks in the group without the root, m bytes. Root 0 of A,
// B has ranks 4, 5, 6, 7, which are members 1 to 4 beside the root:
//
//   round   1        2        3
//           0 -> 7   0 -> 5   0 -> 4   5 -> 6
//
// Rounds ceil(log2(g + 1)), each alpha + beta m: the fewest there can be, since holders can at most double. As many
// messages cross between the groups as there are rounds. Correct because everyone but the root is in the other group.
#include "engine/algorithm/algorithm.hpp"
#include "engine/algorithms/intergroup-allgatherv/both_groups.hpp"
#include "engine/algorithms/other_group.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/stages/binomial.hpp"

namespace engine::algorithms::intergroup_bcast_binomial_tree {
namespace {

SchedulePtr plan(const Problem& problem, const Options&) {
    const stages::BinomialBroadcast tree{otherGroup(problem).size + 1, problem.layout.whole()};
    return then(Facts{.ranks = problem.ranks()}, Part{"down the tree", tree.rounds(), onRootAndOthers(problem, tree)});
}

std::optional<Cost> predict(const Problem& problem, const Options&) {
    const std::int64_t rounds = stages::ceilLog2(otherGroup(problem).size + 1);
    return Cost{.startups = rounds, .volume = rounds * problem.layout.total()};
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "intergroup-bcast/binomial-tree",
        .collective = Collective::intergroupBcast,
        .title = "Binomial tree over the root and the other group",
        .idea =
            "The root is one more member of a binomial tree over the other group: the fewest rounds, with several messages between the groups.",
        .source = "Thakur et al. 2005; Hasanov et al. 2014, formula (4)",
        .formula = "ceil(log2(g + 1))(alpha + beta m)",
        .letters = "g ranks in the group without the root, m bytes",
        .plan = plan,
        .predict = predict,
    };
}

}  // namespace engine::algorithms::intergroup_bcast_binomial_tree
