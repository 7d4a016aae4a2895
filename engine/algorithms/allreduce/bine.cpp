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
#include "engine/algorithm.hpp"
#include "engine/algorithms/power_of_two.hpp"
#include "engine/kernel.hpp"
#include "engine/stages/members.hpp"
#include "engine/stages/reduce_scatter.hpp"
#include "engine/stages/swing.hpp"

namespace engine::algorithms {
namespace {

SchedulePtr plan(const Problem& problem, const Options&) {
    const Group all{0, problem.groupA};
    const stages::BineAllgather allgather{stages::sharesOf(blocksOf(problem))};
    return then(Facts{.ranks = problem.groupA, .pieces = true},
                stages::on(all, "reduce-scatter", stages::reduceScatterOf(allgather)),
                stages::on(all, "allgather", stages::ofResults(allgather)));
}

/// Known where the vector has p equal blocks.
std::optional<Cost> predict(const Problem& problem, const Options&) {
    const VectorCut blocks = blocksOf(problem);
    if (blocks.smallest() != blocks.largest()) return std::nullopt;
    const Bytes bytes = (problem.groupA - 1) * blocks.largest();
    return Cost{.startups = 2 * stages::ceilLog2(problem.groupA), .volume = 2 * bytes, .combined = bytes};
}

}  // namespace

Algorithm allreduce_bine() {
    return {
        .id = "allreduce/bine",
        .collective = Collective::allreduce,
        .title = "Bine butterflies",
        .idea =
            "Pairs swap halves of the vector over two thirds of the distances of a butterfly, and finished blocks come back: few "
            "rounds, and fewer bytes that leave a group of near ranks.",
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

}  // namespace engine::algorithms
