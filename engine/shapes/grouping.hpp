// SPDX-License-Identifier: BSD-3-Clause
// Ranks 0..p-1 in G contiguous groups, larger ones first, each with the rank that leads it when a root is given.
//
// p = 13, G = 4, root 5:    0 1 2 3 | 4 5 6 | 7 8 9 | 10 11 12      leaders 0, 5, 7, 10
// p = 12, G = 3, root 10:   0 1 2 3 | 4 5 6 7 | 8 9 10 11           leaders 2, 6, 10
//
// When G divides p the leader has the same place in every group; otherwise the root leads its own group and the first
// rank each other one. So the root always leads, and nobody but a leader takes part between the groups.
#pragma once

#include "engine/base/types.hpp"

namespace engine::shapes {

/// 1 <= groups <= ranks; every answer is O(1).
class Grouping {
public:
    constexpr Grouping(std::int32_t ranks, std::int32_t groups, Rank root)
        : base_{ranks / groups}, larger_{ranks % groups}, root_{root} {}

    [[nodiscard]] constexpr bool even() const { return larger_ == 0; }
    [[nodiscard]] constexpr std::int32_t size(std::int32_t group) const { return base_ + (group < larger_ ? 1 : 0); }
    [[nodiscard]] constexpr std::int32_t first(std::int32_t group) const {
        return group * base_ + (group < larger_ ? group : larger_);
    }
    [[nodiscard]] constexpr std::int32_t groupOf(Rank rank) const {
        const std::int32_t inLarger = larger_ * (base_ + 1);
        return rank.value < inLarger ? rank.value / (base_ + 1) : larger_ + (rank.value - inLarger) / base_;
    }
    /// The place of a rank within its group, from 0.
    [[nodiscard]] constexpr std::int32_t placeOf(Rank rank) const { return rank.value - first(groupOf(rank)); }
    /// The place of the leader within its group.
    [[nodiscard]] constexpr std::int32_t leaderPlace(std::int32_t group) const {
        return even() || group == groupOf(root_) ? placeOf(root_) : 0;
    }
    [[nodiscard]] constexpr Rank leader(std::int32_t group) const { return Rank{first(group) + leaderPlace(group)}; }

private:
    std::int32_t base_;
    std::int32_t larger_;
    Rank root_;
};

}  // namespace engine::shapes
