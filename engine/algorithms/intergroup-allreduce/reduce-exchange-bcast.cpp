// SPDX-License-Identifier: BSD-3-Clause
// Both groups combine on their first ranks, these swap the results, and broadcast them.
//
// Source: what MPICH (reduce_exchange_bcast) and Open MPI (coll/inter) do. p and q ranks, vectors of m bytes. A has
// ranks 0, 1, 2, 3, B has 4 and 5:
//
//   round   1                          2        3         4        5
//           1 -> 0   3 -> 2   5 -> 4   2 -> 0   0 <-> 4   0 -> 2   0 -> 1   2 -> 3
//                                                         4 -> 5
//
// Rounds 2 h + 1, h = ceil(log2 max(p, q)), each alpha + beta m, h of them with gamma m. Slot 1 is the result: what a
// group has combined is for the other one. Correct because a tree combines its members in the order of their ranks.
#include "engine/algorithm/algorithm.hpp"
#include "engine/algorithms/intergroup-allgatherv/both_groups.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/stages/binomial.hpp"
#include "engine/stages/partial_results.hpp"

namespace engine::algorithms::intergroup_allreduce_reduce_exchange_bcast {
namespace {

SchedulePtr plan(const Problem& problem, const Options&) {
    const Group a = groupA(problem);
    const Group b = groupB(problem);
    const Bytes m = problem.layout.largest();
    const stages::Backwards up{.vector = m};
    const auto reduce = [&](Group group) {
        const stages::BinomialBroadcast down{group.size, up.message()};
        return stages::ReversedBroadcast{down, down.rounds(), up};
    };
    const auto spread = [&](Group group) {
        return stages::ofWholeResults(stages::BinomialBroadcast{group.size, up.message()}, m, 1);
    };
    const auto exchange = [=](Rank rank, Round, auto& out) {
        if (rank.value != a.first && rank.value != b.first) return;
        const Rank other{rank.value == a.first ? b.first : a.first};
        out.sendPartial(other, 0, m);
        out.receivePartial(other, 2, Action::keep, m);
    };
    return then(Facts{.ranks = problem.ranks(), .slots = 2, .result = 1}, inBoth("reduce", a, reduce(a), b, reduce(b)),
                Part{"exchange", 1, exchange}, inBoth("broadcast", a, spread(a), b, spread(b)));
}

std::optional<Cost> predict(const Problem& problem, const Options&) {
    const std::int64_t height = stages::ceilLog2(std::max(problem.groupA, problem.groupB));
    const Bytes m = problem.layout.largest();
    return Cost{.startups = 2 * height + 1, .volume = (2 * height + 1) * m, .combined = height * m};
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "intergroup-allreduce/reduce-exchange-bcast",
        .collective = Collective::intergroupAllreduce,
        .title = "Reduce, exchange, broadcast as in production libraries",
        .idea =
            "Each group combines on its first rank, the two exchange their results and broadcast them: one message each way between the groups, with the whole vector in every round.",
        .source = "MPICH and Open MPI",
        .formula = "(2 h + 1)(alpha + beta m) + h gamma m, h = ceil(log2 max(p, q))",
        .letters = "p and q ranks, m bytes",
        .knownAs = {{"MPICH", "allreduce between groups", "reduce_exchange_bcast"}},
        .plan = plan,
        .predict = predict,
        .keepsOrder = [](const Problem&, const Options&) { return true; },
    };
}

}  // namespace engine::algorithms::intergroup_allreduce_reduce_exchange_bcast
