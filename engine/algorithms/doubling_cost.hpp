// SPDX-License-Identifier: BSD-3-Clause
// What allgathers and gathers take in which the blocks that a rank has are twice as many after every round.
#pragma once

#include "engine/algorithm/algorithm.hpp"
#include "engine/stages/binomial.hpp"

namespace engine::algorithms {

/// ceil(log2 p) alpha + (p - 1) beta m; known for blocks of equal size.
inline std::optional<Cost> doublingCost(const Problem& problem) {
    if (!problem.layout.isRegular()) return std::nullopt;
    return Cost{.startups = stages::ceilLog2(problem.groupA),
                .volume = (problem.groupA - 1) * problem.layout.largest()};
}

}  // namespace engine::algorithms
