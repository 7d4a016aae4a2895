// SPDX-License-Identifier: BSD-3-Clause
// A binomial tree over the other group and the root: the root combines while others still do.
//
// Source: reduce/binomial-tree on other members. g ranks in the group without the root, m bytes. Root 0 of A, B has
// ranks 4, 5, 6, 7, which are members 1 to 4 beside the root:
//
//   round   1                 2        3
//           4 -> 0   6 -> 5   5 -> 0   7 -> 0
//
// Rounds ceil(log2(g + 1)), each alpha + beta m + gamma m. Slot 1 is the result: the root's own vector is none of it,
// so that it begins with what comes first. Correct because member 0 gets runs of 1, 2, 4, ... members in their order.
#include "engine/algorithm/algorithm.hpp"
#include "engine/algorithms/intergroup-allgatherv/both_groups.hpp"
#include "engine/algorithms/other_group.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/stages/binomial.hpp"

namespace engine::algorithms::intergroup_reduce_binomial_tree {
namespace {

SchedulePtr plan(const Problem& problem, const Options&) {
    const std::int32_t members = otherGroup(problem).size + 1;
    const auto up = [members, m = problem.layout.largest()](Rank member, Round round, auto& out) {
        const stages::TreeEdges edges{members, std::int32_t{1} << round.value};
        const bool root = member == Rank{0};
        if (member.value % edges.length != 0) return;
        if (edges.isChild(member.value)) out.sendPartial(member - edges.length, 0, m);
        if (edges.isParent(member.value))
            out.receivePartial(member + edges.length, root ? 2 : 1,
                               root && round == Round{0} ? Action::keep : Action::append, m);
    };
    return then(Facts{.ranks = problem.ranks(), .slots = 2, .result = 1},
                Part{"up the tree", stages::ceilLog2(members), onRootAndOthers(problem, up)});
}

std::optional<Cost> predict(const Problem& problem, const Options&) {
    const std::int32_t members = otherGroup(problem).size + 1;
    const std::int64_t rounds = stages::ceilLog2(members);
    const Bytes m = problem.layout.largest();
    // In the first round the root has nothing to combine with.
    return Cost{.startups = rounds, .volume = rounds * m, .combined = (members < 4 ? rounds - 1 : rounds) * m};
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "intergroup-reduce/binomial-tree",
        .collective = Collective::intergroupReduce,
        .title = "Binomial tree over the other group and the root",
        .idea =
            "The root is one more member of a binomial tree over the other group: the fewest rounds, with several messages between the groups.",
        .source = "Thakur et al. 2005, section 7",
        .formula = "ceil(log2(g + 1))(alpha + beta m + gamma m)",
        .letters = "g ranks in the group without the root, m bytes",
        .plan = plan,
        .predict = predict,
        .keepsOrder = [](const Problem&, const Options&) { return true; },
    };
}

}  // namespace engine::algorithms::intergroup_reduce_binomial_tree
