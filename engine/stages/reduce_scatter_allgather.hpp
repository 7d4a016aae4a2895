// SPDX-License-Identifier: BSD-3-Clause
// Allreduce as an allgather twice: backwards, as a reduce-scatter, then forwards.
#pragma once

#include "engine/algorithm/algorithm.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/stages/member_mapping.hpp"
#include "engine/stages/reduce_scatter.hpp"

namespace engine::stages {

/// `allgather` is of the shares of the blocks of the problem.
template <class Allgather>
SchedulePtr reduceScatterAllgather(const Problem& problem, const Allgather& allgather) {
    const Group all{0, problem.groupA};
    return then(Facts{.ranks = problem.groupA, .pieces = true}, on(all, "reduce-scatter", reduceScatterOf(allgather)),
                on(all, "allgather", ofResults(allgather)));
}

/// With one that needs the fewest rounds; known where the vector has p equal blocks.
inline std::optional<Cost> costOfReduceScatterAllgather(const Problem& problem) {
    const VectorCut blocks = blocksOf(problem);
    if (blocks.smallest() != blocks.largest()) return std::nullopt;
    const Bytes bytes = (problem.groupA - 1) * blocks.largest();
    return Cost{.startups = 2 * ceilLog2(problem.groupA), .volume = 2 * bytes, .combined = bytes};
}

}  // namespace engine::stages
