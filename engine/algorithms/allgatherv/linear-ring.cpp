// SPDX-License-Identifier: BSD-3-Clause
// Every contribution goes once around the ring as a whole.
//
// Source: Träff et al. 2010, section 2.1. p ranks, rank i brings m_i bytes. p = 4:
//
//   round   0 -> 1   1 -> 2   2 -> 3   3 -> 0
//     1       m0       m1       m2       m3
//     2       m3       m0       m1       m2
//     3       m2       m3       m0       m1
//
// Rounds p - 1, each as long as the largest contribution takes, since all of them are in flight in every round.
// Correct because contribution i reaches rank i + 1 + t in round t, counted from 0.
#include "engine/algorithm/algorithm.hpp"
#include "engine/schedule/ring_shift.hpp"

#include <vector>

namespace engine::algorithms::allgatherv_linear_ring {
namespace {

SchedulePtr plan(const Problem& problem, const Options&) {
    std::vector<std::vector<Range>> contributions;
    for (std::int32_t i = 0; i < problem.groupA; ++i) contributions.push_back({problem.layout.block(i)});
    return onRingShift({}, "around the ring", allgatherRingShift(contributions));
}

std::optional<Cost> predict(const Problem& problem, const Options&) {
    const std::int64_t rounds = problem.groupA - 1;
    return Cost{.startups = rounds, .volume = rounds * problem.layout.largest()};
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "allgatherv/linear-ring",
        .collective = Collective::allgatherv,
        .title = "Linear ring",
        .idea =
            "Every contribution travels around the ring as a whole: best for equal sizes, but the largest one determines the time of every round.",
        .source = "Träff et al. 2010, section 2.1",
        .formula = "(p - 1)(alpha + beta max m_i)",
        .letters = "p ranks, m_i bytes of rank i",
        .knownAs = {{"Open MPI", "allgather", "ring", 4},
                    {"Open MPI", "allgatherv", "ring", 3},
                    {"MPICH", "allgather", "ring"},
                    {"MPICH", "allgatherv", "ring"},
                    {"NCCL", "allgather", "ring"}},
        .plan = plan,
        .predict = predict,
    };
}

}  // namespace engine::algorithms::allgatherv_linear_ring
