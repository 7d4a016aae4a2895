// SPDX-License-Identifier: BSD-3-Clause
// The binary tree over nodes 0..count-1 in which what hangs below a node stands right before it: of s nodes in a row
// the last one is the top, the first floor(s/2) are below its first child and the rest below its second.
//
//   7 nodes:        6               so a node that puts what its second child brings before its own, and what
//               2       5           its first child brings before that, has a run of neighbours in their order
//             0   1   3   4
//
// A node that holds something serves its first child in the next round and its second child in the round after.
#pragma once

#include "engine/base/types.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace engine::shapes {

/// The tree on nodes 0..count-1, count >= 1. O(count) numbers.
class InOrderTree {
public:
    explicit InOrderTree(std::int32_t count) : nodes_(asSize(count)) { hang(0, count, -1, 0); }

    [[nodiscard]] std::int32_t count() const { return static_cast<std::int32_t>(nodes_.size()); }
    /// The child served first (side 0) or second (1); -1: there is none.
    [[nodiscard]] std::int32_t child(std::int32_t v, std::int32_t side) const {
        return nodes_[asSize(v)].children[asSize(side)];
    }
    /// -1: it is the top.
    [[nodiscard]] std::int32_t parent(std::int32_t v) const { return nodes_[asSize(v)].parent; }
    /// Rounds after which node v holds what the top held before the first; the latest of all nodes.
    [[nodiscard]] std::int32_t arrival(std::int32_t v) const { return nodes_[asSize(v)].arrival; }
    [[nodiscard]] std::int32_t latest() const { return latest_; }
    /// All nodes that anything can have reached after so many rounds are below this one.
    [[nodiscard]] std::int32_t reached(std::int64_t) const { return count(); }

private:
    struct Node {
        std::int32_t parent = -1;
        std::array<std::int32_t, 2> children{-1, -1};
        std::int32_t arrival = 0;
    };

    /// Makes a tree of nodes first .. first + count-1 and returns its top; -1: there are none.
    std::int32_t hang(std::int32_t first, std::int32_t count, std::int32_t parent, std::int32_t arrival) {
        if (count == 0) return -1;
        const std::int32_t top = first + count - 1;
        const std::int32_t lower = count / 2;
        nodes_[asSize(top)] = {
            parent,
            {hang(first, lower, top, arrival + 1), hang(first + lower, count - 1 - lower, top, arrival + 2)},
            arrival};
        latest_ = std::max(latest_, arrival);
        return top;
    }

    std::vector<Node> nodes_;
    std::int32_t latest_ = 0;
};

}  // namespace engine::shapes
