// SPDX-License-Identifier: BSD-3-Clause
// Runs of contributions grow on a circulant graph: at most double each round, to exactly p in the last.
//
// Source: Träff 2024, "Optimal, non-pipelined reduce-scatter and allreduce algorithms"; stages/circulant_allgather.hpp
// has the worked table. p ranks, rank i brings m_i bytes. Rounds ceil(log2 p), the fewest there can be; for equal sizes
// (p - 1) m serialized bytes. Where Bruck's distances are 1, 2, 4, ... and its last run what is left, these are p
// halved, rounding up, so that the last two runs are of nearly one size. Correct because rank r holds contributions r,
// ..., r + d - 1 before the round of distance d and gets those behind them.
#include "engine/algorithm/algorithm.hpp"
#include "engine/algorithms/doubling_cost.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/stages/circulant_allgather.hpp"
#include "engine/stages/member_mapping.hpp"

namespace engine::algorithms::allgatherv_circulant {
namespace {

SchedulePtr plan(const Problem& problem, const Options&) {
    const std::int32_t p = problem.groupA;
    return then(Facts{.ranks = p}, stages::on(Group{0, p}, "grow the runs",
                                              stages::CirculantAllgather{stages::blocks(problem.layout, 0, p)}));
}

std::optional<Cost> predict(const Problem& problem, const Options&) { return doublingCost(problem); }

}  // namespace

Algorithm algorithm() {
    return {
        .id = "allgatherv/circulant",
        .collective = Collective::allgatherv,
        .title = "Circulant graph",
        .idea =
            "Every rank sends its blocks over the distances that result from halving p repeatedly: the fewest rounds for any number of ranks, on the links that the circulant reduce-scatter and broadcast use.",
        .source = "Träff 2024, Optimal, non-pipelined reduce-scatter and allreduce algorithms",
        .formula = "ceil(log2 p) alpha + (p - 1) beta m for equal sizes",
        .letters = "p ranks, m bytes of each",
        .plan = plan,
        .predict = predict,
    };
}

}  // namespace engine::algorithms::allgatherv_circulant
