// SPDX-License-Identifier: BSD-3-Clause
// Which block passes which link of a ring in which round, when every place brings some number of blocks and those that
// bring none are left out. (Where every place brings one, a ring shift says the same: engine/schedule/ring_shift.hpp.)
//
// Source: Traff et al. 2010, sections 2.2 and 2.3, corrected. Places 0..p-1 go round; place i brings blocks 0..b_i - 1,
// sends its own ones first, the last of them at first, and then passes on what comes; place i + 1 gets all but its own.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace engine::shapes {

/// A block: the place that brings it, and which of its blocks it is.
struct RingBlock {
    std::int32_t origin = 0;
    std::int64_t index = 0;

    friend bool operator==(const RingBlock&, const RingBlock&) = default;
};

/// The compact schedule: places may bring nothing, and everyone passes a block on as soon as it can.
///
/// Let nodes be the places that bring something, z_k the empty places directly before node k, and n the number of an
/// item in the order of node k's sends. Node k sends item n in round n + E(o, k), o being its origin: while the empties
/// before it kept back what came, it had own blocks to send, or it lagged. The lag grows along the way from o to k:
///
///     E(o, o) = 0,   E(o, k) = max(0, E(o, k - 1) + z_k + 1 - b_k) = W(k) - min of W over o..k,   W the sums of z+1-b
///
/// and an empty place passes everything on one round later. b = (2, 0, 2, 0):
///
///   round   0 -> 1   1 -> 2   2 -> 3   3 -> 0
///     1       a1                c1
///     2       a0       a1       c0       c1
///     3       c1       a0       a1       c0
///     4       c0                a0
///
/// Rounds: 4 here, 5 on a ring shift; NB - 1 + max z_k whenever all b_k > z_k and some z_k > 0. NB is the number
/// of all blocks. Every answer takes O(log p) time; O(p log p) memory once.
class CompactRing {
public:
    explicit CompactRing(const std::vector<std::int64_t>& blocks);

    [[nodiscard]] std::int64_t rounds() const { return rounds_; }
    /// What `place` sends to the next place in `round`, if anything.
    [[nodiscard]] std::optional<RingBlock> sends(std::int32_t place, std::int64_t round) const;

private:
    struct Node {
        std::int32_t place;
        std::int64_t end;  // blocks of the nodes up to this one
        std::int64_t count;
        std::int64_t emptiesBefore;
    };

    [[nodiscard]] std::int64_t lag(std::int64_t origin, std::int64_t node) const;
    [[nodiscard]] std::int64_t end(std::int64_t node) const;
    [[nodiscard]] std::int64_t leastSum(std::int64_t first, std::int64_t last) const;
    [[nodiscard]] std::int64_t countRounds() const;

    std::int32_t places_ = 0;
    std::vector<Node> nodes_;
    std::vector<std::int32_t> nodeBefore_;  // by place: the node there or the last one before it
    std::int64_t total_ = 0;                // NB
    // W of nodes 0..2K-1, going round twice; row j holds the least of 2^j in a row.
    std::vector<std::vector<std::int64_t>> sums_;
    std::int64_t rounds_ = 0;
};

}  // namespace engine::shapes
