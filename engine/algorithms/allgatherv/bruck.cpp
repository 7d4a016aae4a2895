// SPDX-License-Identifier: BSD-3-Clause
// Runs of contributions double: every rank sends all it has to the rank half as many places below as it holds.
//
// Source: Bruck, Ho, Kipnis, Upfal, Weathersby 1997; stages/allgather.hpp has the worked table.
// p ranks, rank i brings m_i bytes. In round t (from 0) rank r sends contributions r, ..., r + min(2^t, p - 2^t) - 1,
// going round, to rank r - 2^t. Rounds ceil(log2 p), the fewest there can be; for equal sizes (p - 1) m serialized
// bytes. Correct because rank r holds r, ..., r + 2^t - 1 before round t and gets those after them.
#include "engine/algorithm/algorithm.hpp"
#include "engine/algorithms/doubling_cost.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/stages/allgather.hpp"
#include "engine/stages/member_mapping.hpp"

namespace engine::algorithms::allgatherv_bruck {
namespace {

SchedulePtr plan(const Problem& problem, const Options&) {
    const std::int32_t p = problem.groupA;
    return then(Facts{.ranks = p}, stages::on(Group{0, p}, "double the blocks",
                                              stages::BruckAllgather{stages::blocks(problem.layout, 0, p)}));
}

std::optional<Cost> predict(const Problem& problem, const Options&) { return doublingCost(problem); }

}  // namespace

Algorithm algorithm() {
    return {
        .id = "allgatherv/bruck",
        .collective = Collective::allgatherv,
        .title = "Bruck allgather",
        .idea =
            "In each round, every rank sends all blocks that its partner lacks, at most as many as it has, so that their number doubles: the fewest rounds for any number of ranks.",
        .source = "Bruck et al. 1997",
        .formula = "ceil(log2 p) alpha + (p - 1) beta m for equal sizes",
        .letters = "p ranks, m bytes of each",
        .knownAs = {{"Open MPI", "allgather", "bruck", 2},
                    {"Open MPI", "allgatherv", "bruck", 2},
                    {"MPICH", "allgather", "brucks"},
                    {"MPICH", "allgatherv", "brucks"}},
        .plan = plan,
        .predict = predict,
    };
}

}  // namespace engine::algorithms::allgatherv_bruck
