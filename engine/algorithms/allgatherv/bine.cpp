// SPDX-License-Identifier: BSD-3-Clause
// Pairs swap all they have, to the left and to the right in turn, over distances 1, 1, 3, 5, 11, ...
//
// Source: De Sensi et al. 2025 (Bine trees), the butterfly of doubling distances, whose messages are of consecutive
// contributions ("two transmissions"); shapes/negabinary.hpp has the partners, stages/swing.hpp the worked table.
// p = 2^k ranks, rank i brings m_i bytes. Rounds k; for equal sizes (p - 1) m serialized bytes. Distances are two
// thirds of those of recursive doubling, so that fewer bytes leave a group of near ranks; allgatherv/swing takes the
// same partners in the other order. Correct because two runs that touch become one.
#include "engine/algorithm/algorithm.hpp"
#include "engine/algorithms/doubling_cost.hpp"
#include "engine/algorithms/power_of_two.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/stages/member_mapping.hpp"
#include "engine/stages/swing.hpp"

namespace engine::algorithms::allgatherv_bine {
namespace {

SchedulePtr plan(const Problem& problem, const Options&) {
    const std::int32_t p = problem.groupA;
    return then(Facts{.ranks = p}, stages::on(Group{0, p}, "grow to both sides",
                                              stages::BineAllgather{stages::blocks(problem.layout, 0, p)}));
}

std::optional<Cost> predict(const Problem& problem, const Options&) { return doublingCost(problem); }

}  // namespace

Algorithm algorithm() {
    return {
        .id = "allgatherv/bine",
        .collective = Collective::allgatherv,
        .title = "Bine butterfly",
        .idea =
            "As recursive doubling, but partners are alternately to the left and right, at two thirds of the distance: the same rounds, and fewer bytes between distant ranks.",
        .source = "De Sensi et al. 2025",
        .formula = "log2 p alpha + (p - 1) beta m for equal sizes",
        .letters = "p = 2^k ranks, m bytes of each",
        .objects = [](const Problem& problem,
                      const Options&) { return needsPowerOfTwo(problem, "allgatherv/circulant"); },
        .plan = plan,
        .predict = predict,
    };
}

}  // namespace engine::algorithms::allgatherv_bine
