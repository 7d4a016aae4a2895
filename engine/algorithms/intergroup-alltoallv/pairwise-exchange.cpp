// SPDX-License-Identifier: BSD-3-Clause
// In every round each rank serves one rank of the other group and is served by one.
//
// Source: what MPICH (pairwise_exchange) does. p and q ranks, m bytes for each pair. In round t (from 0) the i-th rank
// of a group sends to the (i + t)-th of the other, modulo N = max(p, q), where there is one. A has ranks 0, 1, 2, B has
// 3, 4:
//
//   round   1                                 2                                 3
//           0 -> 3   1 -> 4                   0 -> 4            2 -> 3                     1 -> 3   2 -> 4
//           3 -> 0   4 -> 1                   3 -> 1   4 -> 2                     3 -> 2   4 -> 0
//
// Rounds N, each alpha + beta m for equal sizes: the fewest for messages of one pair, since a rank of the smaller group
// serves N. Correct because i + t goes through all places.
#include "engine/algorithm/algorithm.hpp"
#include "engine/algorithms/intergroup-allgatherv/both_groups.hpp"
#include "engine/schedule/kernel.hpp"

namespace engine::algorithms::intergroup_alltoallv_pairwise_exchange {
namespace {

SchedulePtr plan(const Problem& problem, const Options&) {
    const Group a = groupA(problem);
    const Group b = groupB(problem);
    const std::int32_t places = std::max(a.size, b.size);
    const auto exchange = [=](Rank rank, Round round, auto& out) {
        const auto t = static_cast<std::int32_t>(round.value);
        const Group mine = a.contains(rank) ? a : b;
        const Group others = a.contains(rank) ? b : a;
        const std::int32_t i = mine.local(rank).value;
        const Rank to{(i + t) % places};
        const Rank from{(i - t + places) % places};
        const auto block = [&](Rank sender, Rank receiver) {
            return problem.layout.block(blockBetween(problem, sender, receiver).value);
        };
        if (to.value < others.size) out.send(others.global(to), block(rank, others.global(to)));
        if (from.value < others.size) out.receive(others.global(from), block(others.global(from), rank));
    };
    return then(Facts{.ranks = problem.ranks()}, Part{"pairwise", places, exchange});
}

std::optional<Cost> predict(const Problem& problem, const Options&) {
    if (!problem.layout.isRegular()) return std::nullopt;
    const std::int64_t rounds = std::max(problem.groupA, problem.groupB);
    return Cost{.startups = rounds, .volume = rounds * problem.layout.largest()};
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "intergroup-alltoallv/pairwise-exchange",
        .collective = Collective::intergroupAlltoallv,
        .title = "Pairwise exchange",
        .idea =
            "Every rank exchanges blocks with every rank of the other group, one per round: each block is sent once, and both directions are used at the same time.",
        .source = "MPICH",
        .formula = "max(p, q)(alpha + beta m) for equal sizes",
        .letters = "p and q ranks, m bytes for each pair",
        .knownAs = {{"MPICH", "alltoall between groups", "pairwise_exchange"},
                    {"MPICH", "alltoallv between groups", "pairwise_exchange"}},
        .plan = plan,
        .predict = predict,
    };
}

}  // namespace engine::algorithms::intergroup_alltoallv_pairwise_exchange
