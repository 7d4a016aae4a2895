// SPDX-License-Identifier: BSD-3-Clause
// Blocks of the vector go around a ring, and every rank adds its own part before it passes one on.
//
// Source: Patarasuk and Yuan 2009; stages/reduce_scatter.hpp has the worked table. p ranks, m bytes in p blocks.
// Rounds p - 1, each alpha + (beta + gamma) m/p. Correct because block b passes every rank on its way to rank b.
#include "engine/algorithm/algorithm.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/stages/member_mapping.hpp"
#include "engine/stages/reduce_scatter.hpp"

namespace engine::algorithms::reduce_scatter_ring {
namespace {

SchedulePtr plan(const Problem& problem, const Options&) {
    const std::int32_t p = problem.groupA;
    return then(Facts{.ranks = p, .pieces = true},
                stages::on(Group{0, p}, "around the ring", stages::RingReduceScatter{blocksOf(problem)}));
}

std::optional<Cost> predict(const Problem& problem, const Options&) {
    const std::int64_t rounds = problem.groupA - 1;
    const Bytes block = blocksOf(problem).largest();
    return Cost{.startups = rounds, .volume = rounds * block, .combined = rounds * block};
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "reduce-scatter/ring",
        .collective = Collective::reduceScatter,
        .title = "Ring",
        .idea =
            "Each block travels around the ring once and is combined at every rank: minimum volume, messages between neighbours only.",
        .source = "Patarasuk and Yuan 2009",
        .formula = "(p - 1)(alpha + (beta + gamma) m/p)",
        .letters = "p ranks, m bytes",
        .knownAs = {{"Open MPI", "reduce_scatter", "ring", 3}, {"NCCL", "reducescatter", "ring"}},
        .plan = plan,
        .predict = predict,
    };
}

}  // namespace engine::algorithms::reduce_scatter_ring
