// SPDX-License-Identifier: BSD-3-Clause
// Numbers in base -2, and the partners that they give on a ring: distances 1, 1, 3, 5, 11, 21, ... to both sides in
// turn, about two thirds of the powers of two that a butterfly takes.
//
// Source: De Sensi et al. 2024 (Swing) and 2025 (Bine trees). p = 2^k ranks. In step s
//
//   partner of r:  r + rho(s) for even r, r - rho(s) for odd,   rho(s) = (1 - (-2)^(s+1))/3 = 1, -1, 3, -5, 11, ...
//
// rho(s) has s + 1 ones in base -2, so that a step flips the lowest s + 1 digits of the distance from any even rank.
//
// Steps 0, 1, ..., t - 1 in any order bring a rank together with a run of 2^t ranks: r - left .. r - left + 2^t - 1.
// With rank 4 of 16:   t = 1: 4 5   t = 2: 2 3 4 5   t = 3: 2 .. 9   t = 4: all
#pragma once

#include "engine/base/types.hpp"
#include "engine/shapes/powers.hpp"

#include <cstdint>

namespace engine::shapes {

/// rho(step): how far an even rank looks.
constexpr std::int64_t swing(std::int64_t step) { return (1 - power(-2, step + 1)) / 3; }

/// The partner of `rank` in `step` among 2^k ranks; step < k.
constexpr Rank swingPartner(Rank rank, std::int64_t step, std::int32_t ranks) {
    return around(rank, rank.value % 2 == 0 ? swing(step) : -swing(step), ranks);
}

/// How many of the 2^steps ranks that the first `steps` steps bring together lie below `rank`: an even rank grows to
/// the right in even steps and to the left in odd ones, an odd rank the other way.
constexpr std::int32_t swingLeft(std::int32_t rank, std::int64_t steps) {
    std::int32_t left = 0;
    for (std::int64_t s = 0; s < steps; ++s)
        if ((s + rank) % 2 != 0) left += std::int32_t{1} << s;
    return left;
}

/// The digits of rank - 0 in base -2 whose neighbour above differs: the steps that lead from rank 0 to `rank`, bit s
/// for step s, taken from the highest to the lowest.
constexpr std::uint32_t swingSteps(std::int32_t rank, std::int32_t ranks) {
    constexpr std::uint32_t odd = 0xAAAAAAAA;
    const auto all = static_cast<std::uint32_t>(ranks) - 1;
    const std::uint32_t digits = ((static_cast<std::uint32_t>(rank) + odd) ^ odd) & all;
    return digits ^ (digits >> 1);
}

}  // namespace engine::shapes
