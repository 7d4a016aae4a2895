// SPDX-License-Identifier: BSD-3-Clause
// The objection of algorithms that need 2^k ranks.
#pragma once

#include "engine/algorithm/algorithm.hpp"
#include "engine/base/text.hpp"

#include <bit>
#include <string_view>

namespace engine::algorithms {

/// Refuses other numbers of ranks, and names an algorithm that takes them.
inline Objection needsPowerOfTwo(const Problem& problem, std::string_view instead) {
    if (std::has_single_bit(static_cast<std::uint32_t>(problem.groupA))) return std::nullopt;
    return text("needs a power-of-two number of ranks, not ", problem.groupA, "; ", instead, " supports any number");
}

}  // namespace engine::algorithms
