// SPDX-License-Identifier: BSD-3-Clause
// Pairs swap halves of the vector over distances 1, 1, 3, 5, 11, ..., to the left and to the right in turn; finished
// blocks come back the same way.
//
// Source: De Sensi, Bonato, Saam, Hoefler 2024 (Swing); shapes/negabinary.hpp has the partners, stages/swing.hpp the
// worked table of the second half, of which the first is the same backwards. p = 2^k ranks, m bytes in p blocks.
// Rounds 2 k, 2 (p - 1) m/p bytes sent, half of them combined. The most bytes go to neighbours, and on a ring all cross
// fewer links than those of a butterfly, whose distances are powers of two. Correct because the reduce-scatter leaves
// block r on rank r. Partial results are not of neighbours: commutative operations only, from p = 8 on.
#include "engine/stages/swing.hpp"
#include "engine/algorithm/algorithm.hpp"
#include "engine/algorithms/power_of_two.hpp"
#include "engine/stages/reduce_scatter_allgather.hpp"

namespace engine::algorithms::allreduce_swing {
namespace {

SchedulePtr plan(const Problem& problem, const Options&) {
    return stages::reduceScatterAllgather(problem, stages::SwingAllgather{stages::sharesOf(blocksOf(problem))});
}

std::optional<Cost> predict(const Problem& problem, const Options&) {
    return stages::costOfReduceScatterAllgather(problem);
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "allreduce/swing",
        .collective = Collective::allreduce,
        .title = "Swing",
        .idea =
            "Recursive halving and doubling with partners alternately to the left and right, the nearest first: most bytes go to neighbours, in few rounds.",
        .source = "De Sensi et al. 2024",
        .formula = "2 log2 p alpha + (p - 1)/p (2 beta + gamma) m",
        .letters = "p = 2^k ranks, m bytes",
        .objects = [](const Problem& problem,
                      const Options&) { return needsPowerOfTwo(problem, "allreduce/circulant"); },
        .plan = plan,
        .predict = predict,
        .keepsOrder = [](const Problem& problem, const Options&) { return problem.groupA <= 4; },
    };
}

}  // namespace engine::algorithms::allreduce_swing
