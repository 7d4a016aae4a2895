// SPDX-License-Identifier: BSD-3-Clause
// The root sends to the first rank of the other group, which broadcasts there.
//
// Source: what MPICH (remote_send_local_bcast) and Open MPI (coll/inter) do. g ranks in the group without the root, m
// bytes. Root 0 of A, B has ranks 4, 5, 6, 7:
//
//   round   1        2        3
//           0 -> 4   4 -> 6   4 -> 5   6 -> 7
//
// Rounds 1 + ceil(log2 g), each alpha + beta m. Only one message crosses between the groups. Correct because the
// binomial tree has the first rank as its root.
#include "engine/algorithm/algorithm.hpp"
#include "engine/algorithms/intergroup-allgatherv/both_groups.hpp"
#include "engine/algorithms/other_group.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/stages/binomial.hpp"

namespace engine::algorithms::intergroup_bcast_root_forwarding {
namespace {

SchedulePtr plan(const Problem& problem, const Options&) {
    const Group others = otherGroup(problem);
    const Range whole = problem.layout.whole();
    const auto forward = [=, root = problem.root, leader = Rank{others.first}](Rank rank, Round, auto& out) {
        if (rank == root) out.send(leader, whole);
        if (rank == leader) out.receive(root, whole);
    };
    return then(Facts{.ranks = problem.ranks()}, Part{"forward", 1, forward},
                stages::on(others, "broadcast", stages::BinomialBroadcast{others.size, whole}));
}

std::optional<Cost> predict(const Problem& problem, const Options&) {
    const std::int64_t rounds = 1 + stages::ceilLog2(otherGroup(problem).size);
    return Cost{.startups = rounds, .volume = rounds * problem.layout.total()};
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "intergroup-bcast/root-forwarding",
        .collective = Collective::intergroupBcast,
        .title = "Root forwarding as in production libraries",
        .idea =
            "The root sends the message to the first rank of the other group, which broadcasts it: one message between the groups, one round more than necessary.",
        .source = "MPICH and Open MPI",
        .formula = "(1 + ceil(log2 g))(alpha + beta m)",
        .letters = "g ranks in the group without the root, m bytes",
        .knownAs = {{"MPICH", "bcast between groups", "remote_send_local_bcast"}},
        .plan = plan,
        .predict = predict,
    };
}

}  // namespace engine::algorithms::intergroup_bcast_root_forwarding
