// SPDX-License-Identifier: BSD-3-Clause
// The allgather of the same name backwards: half of the partial results goes far, then half of these less far, ...
//
// Source: De Sensi et al. 2025 (Bine trees), the butterfly of halving distances, whose messages are of consecutive
// blocks; shapes/negabinary.hpp has the partners, stages/swing.hpp the worked table of the allgather. p = 2^k ranks,
// m bytes in p blocks. Rounds k, (p - 1) m/p bytes sent and combined. Correct because the allgather hands each block to
// every rank once. Partial results are not of neighbours: commutative operations only, from p = 4 on.
#include "engine/algorithm/algorithm.hpp"
#include "engine/algorithms/power_of_two.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/stages/member_mapping.hpp"
#include "engine/stages/reduce_scatter.hpp"
#include "engine/stages/swing.hpp"

namespace engine::algorithms::reduce_scatter_bine {
namespace {

SchedulePtr plan(const Problem& problem, const Options&) {
    const stages::BineAllgather allgather{stages::sharesOf(blocksOf(problem))};
    return then(Facts{.ranks = problem.groupA, .pieces = true},
                stages::on(Group{0, problem.groupA}, "halve the blocks", stages::reduceScatterOf(allgather)));
}

/// Known where the vector has p equal blocks.
std::optional<Cost> predict(const Problem& problem, const Options&) {
    const VectorCut blocks = blocksOf(problem);
    if (blocks.smallest() != blocks.largest()) return std::nullopt;
    const Bytes bytes = (problem.groupA - 1) * blocks.largest();
    return Cost{.startups = stages::ceilLog2(problem.groupA), .volume = bytes, .combined = bytes};
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "reduce-scatter/bine",
        .collective = Collective::reduceScatter,
        .title = "Bine butterfly",
        .idea =
            "As recursive halving, but partners are alternately to the left and right, at two thirds of the distance: the same rounds, and fewer bytes between distant ranks.",
        .source = "De Sensi et al. 2025",
        .formula = "log2 p alpha + (p - 1)/p (beta + gamma) m",
        .letters = "p = 2^k ranks, m bytes",
        .objects = [](const Problem& problem,
                      const Options&) { return needsPowerOfTwo(problem, "reduce-scatter/circulant"); },
        .plan = plan,
        .predict = predict,
        .keepsOrder = [](const Problem& problem, const Options&) { return problem.groupA <= 2; },
    };
}

}  // namespace engine::algorithms::reduce_scatter_bine
