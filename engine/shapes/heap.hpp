// SPDX-License-Identifier: BSD-3-Clause
// The binary tree in heap order over nodes 0..count-1: node v hangs below (v - 1) / 2, its children are 2v+1 and 2v+2.
//
// One send per round: a node that holds something serves its left child in the next round and its right child in the
// round after, so every step to a right child costs two. Arrival on 7 nodes:
//
//                  0 (0)                 v + 1 in binary is 1 and then the way from the top, 0 left, 1 right:
//           1 (1)         2 (2)          arrival = steps + steps to the right = level + popcount(v + 1) - 1
//        3 (2) 4 (3)   5 (3) 6 (4)
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace engine::shapes {

/// Steps from the top to node v >= 0.
constexpr std::int32_t heapLevel(std::int32_t v) {
    return static_cast<std::int32_t>(std::bit_width(static_cast<std::uint32_t>(v) + 1U)) - 1;
}

/// Rounds after which node v holds what the top held before the first.
constexpr std::int32_t heapArrival(std::int32_t v) {
    return heapLevel(v) + std::popcount(static_cast<std::uint32_t>(v) + 1U) - 1;
}

/// Most bits set in any of 0..most.
constexpr std::int32_t largestPopcount(std::uint32_t most) {
    std::int32_t largest = std::popcount(most);
    // Every other number below shares the bits above some set bit of `most`, lacks that bit, and may have all below.
    for (std::uint32_t rest = most; rest != 0; rest &= rest - 1) {
        const std::int32_t bit = std::countr_zero(rest);
        largest = std::max(largest, std::popcount(most >> bit) - 1 + bit);
    }
    return largest;
}

/// The latest arrival on nodes 0..count-1, count >= 1; 2h on the complete tree of 2^(h+1) - 1 nodes.
constexpr std::int32_t heapLatest(std::int32_t count) {
    const std::int32_t level = heapLevel(count - 1);
    const std::int32_t lastRow = count - (std::int32_t{1} << level);
    return std::max(2 * (level - 1), level + largestPopcount(static_cast<std::uint32_t>(lastRow)));
}

/// The tree on nodes 0..count-1 as stages/pipelines.hpp wants one.
class Heap {
public:
    explicit constexpr Heap(std::int32_t count) : count_{count} {}

    [[nodiscard]] constexpr std::int32_t count() const { return count_; }
    /// The child served first (side 0) or second (1); -1: there is none.
    [[nodiscard]] constexpr std::int32_t child(std::int32_t v, std::int32_t side) const {
        const std::int64_t child = std::int64_t{2} * v + 1 + side;
        return child < count_ ? static_cast<std::int32_t>(child) : -1;
    }
    /// -1: it is the top.
    [[nodiscard]] constexpr std::int32_t parent(std::int32_t v) const { return v > 0 ? (v - 1) / 2 : -1; }
    [[nodiscard]] constexpr std::int32_t arrival(std::int32_t v) const { return heapArrival(v); }
    [[nodiscard]] constexpr std::int32_t latest() const { return heapLatest(count_); }
    /// All nodes that anything can have reached after so many rounds are below this one: each goes one level down.
    [[nodiscard]] constexpr std::int32_t reached(std::int64_t rounds) const {
        return rounds < 30 ? std::min(count_, std::int32_t{2} << rounds) : count_;
    }

private:
    std::int32_t count_;
};

}  // namespace engine::shapes
