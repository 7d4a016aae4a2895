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

}  // namespace engine::shapes
