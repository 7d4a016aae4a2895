// SPDX-License-Identifier: BSD-3-Clause
// Both groups leave blocks of their results on all their ranks, these swap blocks pairwise, and each group gathers.
//
// Source: the exchange of Kang et al. 2019, Algorithm 1, on blocks of results; reduce-scatter and allgather of Träff
// 2024 (stages/circulant_allgather.hpp). P >= Q ranks in the larger and the smaller group, c = ceil(P/Q), vectors of m
// bytes in P blocks. Rank j of the smaller group stands for the blocks of subgroup j of the larger one
// (intergroup-allgatherv/subgroups.hpp). P = 4 (ranks 0 to 3), Q = 2 (4 and 5), "s" the smaller group's results:
//
//   round   stage            larger group            smaller group
//    1-2    reduce-scatter   r has block r           4 has s0 s1, 5 has s2 s3 (one round)
//     3     exchange         0 <-> 4: 0 for s0       2 <-> 5: 2 for s2
//     4                      1 <-> 4: 1 for s1       3 <-> 5: 3 for s3
//    5-6    allgather        s0 s1 s2 s3             0 1 2 3 (one round)
//
// Rounds 2 ceil(log2 P) + c. Where Q divides P and P the vector: 2 (P - 1) m/P bytes or more for the lanes side by side
// and c m/P for the exchange: all links between the groups are used. Slot 1 is the result. Correct because the exchange
// hands each block over once, to the rank that has the same block of the other result.
#include "engine/algorithm/algorithm.hpp"
#include "engine/algorithms/intergroup-allgatherv/both_groups.hpp"
#include "engine/algorithms/intergroup-allgatherv/subgroups.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/shapes/halving.hpp"
#include "engine/stages/circulant_allgather.hpp"
#include "engine/stages/reduce_scatter.hpp"

namespace engine::algorithms::intergroup_allreduce_reduce_scatter_exchange_allgather {
namespace {

VectorCut blocksOfLarge(const Problem& problem, const Subgroups& groups) {
    return {problem.layout.largest(), unitOf(problem), groups.large.size};
}

SchedulePtr plan(const Problem& problem, const Options&) {
    const Subgroups groups{problem};
    const VectorCut blocks = blocksOfLarge(problem, groups);
    const stages::CirculantAllgather large{stages::sharesOf(blocks)};
    const stages::CirculantAllgather small{
        stages::EndToEnd{groups.small.size, [=](std::int32_t j) { return blocks.start(groups.first(j)); }}};
    const auto exchange = [=](Rank rank, Round round, auto& out) {
        const auto turn = static_cast<std::int32_t>(round.value);
        const bool inLarge = groups.large.contains(rank);
        const std::int32_t j = inLarge ? groups.of(groups.large.local(rank).value) : groups.small.local(rank).value;
        const std::int32_t i = groups.first(j) + turn;
        if (turn >= groups.size(j) || (inLarge && groups.large.local(rank).value != i)) return;
        const Rank other = inLarge ? groups.small.global(Rank{j}) : groups.large.global(Rank{i});
        out.sendPartial(other, 0, stages::AsSpan{blocks[i]});
        out.receivePartial(other, 2, Action::keep, stages::AsSpan{blocks[i]});
    };
    return then(
        Facts{.ranks = problem.ranks(), .slots = 2, .result = 1, .pieces = true},
        inBoth("reduce-scatter", groups.large, stages::reduceScatterOf(large), groups.small,
               stages::reduceScatterOf(small)),
        Part{"exchange", groups.largest(), exchange},
        inBoth("allgather", groups.large, stages::ofResults(large, 1), groups.small, stages::ofResults(small, 1)));
}

/// Exact where all shares of a group have one size.
std::optional<Cost> predict(const Problem& problem, const Options&) {
    const Subgroups groups{problem};
    const VectorCut blocks = blocksOfLarge(problem, groups);
    if (!groups.divides() || blocks.smallest() != blocks.largest()) return std::nullopt;
    const std::int32_t c = groups.largest();
    // Bytes of a message of a lane of n ranks in level t: the t-th round of the reduce-scatter.
    const auto bytes = [](std::int32_t n, Bytes share, std::int64_t t) {
        return t < 0 ? 0 : (shapes::halved(n, t) - shapes::halved(n, t + 1)) * share;
    };
    const std::int64_t rounds = stages::ceilLog2(groups.large.size);
    const std::int64_t fewer = stages::ceilLog2(groups.small.size);
    Cost cost{.startups = 2 * rounds + c, .volume = c * blocks.largest()};
    for (std::int64_t t = 0; t < rounds; ++t) {
        const Bytes down =
            std::max(bytes(groups.large.size, blocks.largest(), t), bytes(groups.small.size, c * blocks.largest(), t));
        cost.combined += down;
        cost.volume += down + std::max(bytes(groups.large.size, blocks.largest(), rounds - 1 - t),
                                       bytes(groups.small.size, c * blocks.largest(), fewer - 1 - t));
    }
    return cost;
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "intergroup-allreduce/reduce-scatter-exchange-allgather",
        .collective = Collective::intergroupAllreduce,
        .title = "Reduce-scatter, exchange, allgather",
        .idea =
            "Each group runs a reduce-scatter, all ranks exchange blocks with the other group, and each group runs an allgather: about twice the vector in total, where an exchange between leaders moves it in every round.",
        .source = "Kang et al. 2019, Algorithm 1; Träff 2024",
        .formula = "(2 ceil(log2 P) + P/Q) alpha + ((D + U + P/Q) beta + D gamma) m/P, D = U = P - 1 for P = Q",
        .letters =
            "P >= Q ranks in the larger and the smaller group, Q divides P, m bytes. D and U are the blocks of m/P bytes of the reduce-scatters and the allgathers in lockstep: the larger of both groups' messages of each round, added up",
        .plan = plan,
        .predict = predict,
        .keepsOrder = [](const Problem& problem,
                         const Options&) { return std::max(problem.groupA, problem.groupB) <= 2; },
    };
}

}  // namespace engine::algorithms::intergroup_allreduce_reduce_scatter_exchange_allgather
