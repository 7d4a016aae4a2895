// SPDX-License-Identifier: BSD-3-Clause
// A reduce-scatter on a circulant graph, then the same messages backwards with finished blocks.
//
// Source: Träff 2024, "Optimal, non-pipelined reduce-scatter and allreduce algorithms", Algorithm 2.
// p ranks, m bytes in p blocks; reduce-scatter/circulant and stages/circulant_allgather.hpp have the worked tables.
// Rounds 2 ceil(log2 p), 2 (p - 1) m/p bytes sent, half of them combined: the least volume, whatever p is. Correct
// because the reduce-scatter leaves block r on rank r, and every rank that handed on part of it gets it back.
#include "engine/algorithm/algorithm.hpp"
#include "engine/shapes/halving.hpp"
#include "engine/stages/circulant_allgather.hpp"
#include "engine/stages/reduce_scatter_allgather.hpp"

namespace engine::algorithms::allreduce_circulant {
namespace {

SchedulePtr plan(const Problem& problem, const Options&) {
    return stages::reduceScatterAllgather(problem, stages::CirculantAllgather{stages::sharesOf(blocksOf(problem))});
}

std::optional<Cost> predict(const Problem& problem, const Options&) {
    const std::int32_t p = problem.groupA;
    Cost cost{.startups = 2 * stages::ceilLog2(p)};
    for (std::int64_t t = 0; 2 * t < cost.startups; ++t)
        cost.combined += stages::longestRun(problem, shapes::halved(p, t) - shapes::halved(p, t + 1));
    cost.volume = 2 * cost.combined;
    return cost;
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "allreduce/circulant",
        .collective = Collective::allreduce,
        .title = "Circulant reduce-scatter and allgather",
        .idea =
            "A circulant reduce-scatter followed by the same steps in reverse as an allgather: little volume in few rounds for any number of ranks.",
        .source = "Träff 2024, Optimal, non-pipelined reduce-scatter and allreduce algorithms",
        .formula = "2 ceil(log2 p) alpha + (p - 1)/p (2 beta + gamma) m",
        .letters = "p ranks, m bytes",
        .plan = plan,
        .predict = predict,
        .keepsOrder = [](const Problem& problem, const Options&) { return problem.groupA <= 2; },
    };
}

}  // namespace engine::algorithms::allreduce_circulant
