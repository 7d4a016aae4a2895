// SPDX-License-Identifier: BSD-3-Clause
// Partial results of runs of blocks travel on a circulant graph: the fewest rounds and the least volume for any p.
//
// Source: Träff 2024, "Optimal, non-pipelined reduce-scatter and allreduce algorithms", Algorithm 1.
// p ranks, m bytes in p blocks. The allgather of stages/circulant_allgather.hpp backwards: before a round rank r has
// partial results of blocks r, ..., r + s' - 1, where s' is p at first and then s; s = ceil(s'/2). p = 5, rank 0:
//
//   round   s'  s   sends to       receives from   has partial results of
//     1     5   3   3: b3 b4       2: b0 b1        b0 b1 b2
//     2     3   2   2: b2          3: b0           b0 b1
//     3     2   1   1: b1          4: b0           b0
//
// Rounds ceil(log2 p), (p - 1) m/p bytes sent and combined. Correct because the blocks that r hands over are the first
// ones of r + s. It combines what lies on both sides of r: commutative operations only, from p = 3 on.
#include "engine/algorithm/algorithm.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/shapes/halving.hpp"
#include "engine/stages/circulant_allgather.hpp"
#include "engine/stages/member_mapping.hpp"
#include "engine/stages/reduce_scatter.hpp"

namespace engine::algorithms::reduce_scatter_circulant {
namespace {

SchedulePtr plan(const Problem& problem, const Options&) {
    const stages::CirculantAllgather allgather{stages::sharesOf(blocksOf(problem))};
    return then(Facts{.ranks = problem.groupA, .pieces = true},
                stages::on(Group{0, problem.groupA}, "halve the blocks", stages::reduceScatterOf(allgather)));
}

std::optional<Cost> predict(const Problem& problem, const Options&) {
    const std::int32_t p = problem.groupA;
    Cost cost{.startups = stages::ceilLog2(p)};
    for (std::int64_t t = 0; t < cost.startups; ++t)
        cost.volume += stages::longestRun(problem, shapes::halved(p, t) - shapes::halved(p, t + 1));
    cost.combined = cost.volume;
    return cost;
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "reduce-scatter/circulant",
        .collective = Collective::reduceScatter,
        .title = "Circulant graph",
        .idea =
            "In each round, every rank sends half of its partial results over half the previous distance: the fewest rounds and the minimum volume for any number of ranks.",
        .source = "Träff 2024, Optimal, non-pipelined reduce-scatter and allreduce algorithms",
        .formula = "ceil(log2 p) alpha + (p - 1)/p (beta + gamma) m",
        .letters = "p ranks, m bytes",
        .plan = plan,
        .predict = predict,
        .keepsOrder = [](const Problem& problem, const Options&) { return problem.groupA <= 2; },
    };
}

}  // namespace engine::algorithms::reduce_scatter_circulant
