// SPDX-License-Identifier: BSD-3-Clause
// Pairs swap halves of the vector over distances from about p/3 to 1, to the left and to the right in turn; finished
// blocks come back the same way.
//
// Source: De Sensi et al. 2025 (Bine trees), the butterflies whose messages are of consecutive blocks;
// shapes/negabinary.hpp has the partners, stages/swing.hpp the worked table of the second half, of which the first is
// the same backwards. p = 2^k ranks, m bytes in p blocks. Rounds 2 k, 2 (p - 1) m/p bytes sent, half of them combined.
// Each message is of at most two pieces of the vector, where those of allreduce/swing, the same partners in the other
// order, are scattered. Correct because the reduce-scatter leaves block r on rank r. Partial results are not of
// neighbours: commutative operations only, from p = 4 on.
#include "engine/algorithm/algorithm.hpp"
#include "engine/algorithms/power_of_two.hpp"
#include "engine/stages/reduce_scatter_allgather.hpp"
#include "engine/stages/swing.hpp"

namespace engine::algorithms::allreduce_bine {
namespace {

SchedulePtr plan(const Problem& problem, const Options&) {
    return stages::reduceScatterAllgather(problem, stages::BineAllgather{stages::sharesOf(blocksOf(problem))});
}

std::optional<Cost> predict(const Problem& problem, const Options&) {
    return stages::costOfReduceScatterAllgather(problem);
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "allreduce/bine",
        .collective = Collective::allreduce,
        .title = "Bine butterflies",
        .idea =
            "Recursive halving and doubling over two thirds of the distances of a butterfly: few rounds, and fewer bytes between distant ranks.",
        .source = "De Sensi et al. 2025",
        .formula = "2 log2 p alpha + (p - 1)/p (2 beta + gamma) m",
        .letters = "p = 2^k ranks, m bytes",
        .objects = [](const Problem& problem,
                      const Options&) { return needsPowerOfTwo(problem, "allreduce/circulant"); },
        .plan = plan,
        .predict = predict,
        .keepsOrder = [](const Problem& problem, const Options&) { return problem.groupA <= 2; },
    };
}

}  // namespace engine::algorithms::allreduce_bine
