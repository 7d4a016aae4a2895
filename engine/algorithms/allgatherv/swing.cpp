// SPDX-License-Identifier: BSD-3-Clause
// Pairs swap all they have, to the left and to the right in turn, over distances that shrink from about p/3 to 1.
//
// Source: De Sensi, Bonato, Saam, Hoefler 2024 (Swing), the second half of its allreduce; shapes/negabinary.hpp has the
// partners, stages/swing.hpp the worked table. p = 2^k ranks, rank i brings m_i bytes. Rounds k; for equal sizes
// (p - 1) m serialized bytes, most of them between near ranks: on a ring they cross fewer links than those of a
// butterfly, whose distances are powers of two. Correct because no two sequences of steps lead to one rank.
#include "engine/stages/swing.hpp"
#include "engine/algorithm/algorithm.hpp"
#include "engine/algorithms/doubling_cost.hpp"
#include "engine/algorithms/power_of_two.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/stages/member_mapping.hpp"

namespace engine::algorithms::allgatherv_swing {
namespace {

SchedulePtr plan(const Problem& problem, const Options&) {
    const std::int32_t p = problem.groupA;
    return then(Facts{.ranks = p},
                stages::on(Group{0, p}, "swing back", stages::SwingAllgather{stages::blocks(problem.layout, 0, p)}));
}

std::optional<Cost> predict(const Problem& problem, const Options&) { return doublingCost(problem); }

}  // namespace

Algorithm algorithm() {
    return {
        .id = "allgatherv/swing",
        .collective = Collective::allgatherv,
        .title = "Swing",
        .idea =
            "Pairs exchange all they have, with partners alternately to the left and right, the farthest first: messages cross few links of a ring or torus, in the fewest rounds.",
        .source = "De Sensi et al. 2024",
        .formula = "log2 p alpha + (p - 1) beta m for equal sizes",
        .letters = "p = 2^k ranks, m bytes of each",
        .objects = [](const Problem& problem,
                      const Options&) { return needsPowerOfTwo(problem, "allgatherv/circulant"); },
        .plan = plan,
        .predict = predict,
    };
}

}  // namespace engine::algorithms::allgatherv_swing
