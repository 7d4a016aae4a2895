// SPDX-License-Identifier: BSD-3-Clause
// The other group combines on its first rank, which sends the result to the root.
//
// Source: what MPICH (local_reduce_remote_send) and Open MPI (coll/inter) do. g ranks in the group without the root, m
// bytes. Root 0 of A, B has ranks 4, 5, 6, 7:
//
//   round   1                 2        3
//           5 -> 4   7 -> 6   6 -> 4   4 -> 0
//
// Rounds 1 + ceil(log2 g), each alpha + beta m, all but the last with gamma m. Slot 1 is the result: the root's own
// vector is none of it. Correct because the tree combines its members in the order of their ranks
// (reduce/binomial-tree).
#include "engine/algorithm/algorithm.hpp"
#include "engine/algorithms/intergroup-allgatherv/both_groups.hpp"
#include "engine/algorithms/other_group.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/stages/binomial.hpp"
#include "engine/stages/partial_results.hpp"

namespace engine::algorithms::intergroup_reduce_leader_forwarding {
namespace {

SchedulePtr plan(const Problem& problem, const Options&) {
    const Group others = otherGroup(problem);
    const stages::Backwards up{.vector = problem.layout.largest()};
    const stages::BinomialBroadcast down{others.size, up.message()};
    const auto forward = [=, root = problem.root, leader = Rank{others.first}](Rank rank, Round, auto& out) {
        if (rank == leader) out.sendPartial(root, 0, up.vector);
        if (rank == root) out.receivePartial(leader, 2, Action::keep, up.vector);
    };
    return then(Facts{.ranks = problem.ranks(), .slots = 2, .result = 1},
                stages::on(others, "reduce", stages::ReversedBroadcast{down, down.rounds(), up}),
                Part{"forward", 1, forward});
}

std::optional<Cost> predict(const Problem& problem, const Options&) {
    const std::int64_t height = stages::ceilLog2(otherGroup(problem).size);
    const Bytes m = problem.layout.largest();
    return Cost{.startups = height + 1, .volume = (height + 1) * m, .combined = height * m};
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "intergroup-reduce/leader-forwarding",
        .collective = Collective::intergroupReduce,
        .title = "Leader forwarding as in production libraries",
        .idea =
            "The other group combines on its first rank, which sends the result to the root: one message between the groups, one round more than necessary.",
        .source = "MPICH and Open MPI",
        .formula = "(1 + ceil(log2 g))(alpha + beta m) + ceil(log2 g) gamma m",
        .letters = "g ranks in the group without the root, m bytes",
        .knownAs = {{"MPICH", "reduce between groups", "local_reduce_remote_send"}},
        .plan = plan,
        .predict = predict,
        .keepsOrder = [](const Problem&, const Options&) { return true; },
    };
}

}  // namespace engine::algorithms::intergroup_reduce_leader_forwarding
