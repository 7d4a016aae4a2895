// SPDX-License-Identifier: BSD-3-Clause
// Who gets which block in which round when node 0 hands out blocks one after the other on a circulant graph.
//
// The distances are n halved, rounding up, until 1: s(0) = 1 < s(1) < ... < s(q) = n. In round i (from 0) node r hears
// from r - s(i mod q). Blocks repeat with period q: what a node gets in round i it gets of a block q later in round
// i + q. Received blocks of q rounds, relative to the first of them; n = 9, distances 1 2 3 5:
//
//   node      1   2   3   4   5   6   7   8      A node gets its base block (>= 0), which is new, and q - 1 blocks of
//   round 0   0  -4  -3  -2  -4  -1  -4  -3      the period before; modulo q all are different, so that it gets every
//   round 1  -2   1  -4  -3  -2  -2  -1  -4      block once. It passes on only what it has: its base block of the
//   round 2  -3  -2   2   0  -3  -3  -2  -1      period before, or what it got in a round before.
//   round 3  -1  -1  -1  -1   3   0   1   2
//
// Source: Traff 2024, "Optimal broadcast schedules in logarithmic time". A number 1..n is the sum of distances taken
// greedily; the smallest of them names its base block, the largest the round in which that comes. In each other round k
// a node r gets the base block of a node from r - s(k + 1) to r - s(k), before the one of round k - 1: the first that
// greedy sums lead to, of distances that name no block which r gets in another round up to then. Why that fits together
// for all n is long to say; tests prove it number by number.
#pragma once

#include "engine/base/types.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace engine::shapes {

/// The schedule of nodes 0..n-1, n >= 1. n q small numbers, in O(n q^2) steps.
class CirculantBlocks {
public:
    explicit CirculantBlocks(std::int32_t nodes) {
        for (std::int32_t distance = nodes; distance > 1; distance -= distance / 2)
            distances_.insert(distances_.begin(), distance);
        distances_.insert(distances_.begin(), 1);
        received_.resize(asSize(nodes) * asSize(period()));
        for (std::int32_t r = 1; r < nodes; ++r) findBlocks(r);
    }

    [[nodiscard]] std::int32_t count() const { return distances_.back(); }
    /// q = ceil(log2 n).
    [[nodiscard]] std::int32_t period() const { return static_cast<std::int32_t>(distances_.size()) - 1; }
    [[nodiscard]] std::int32_t distance(std::int32_t round) const { return distances_[asSize(round)]; }
    /// The block, from -q to q - 1, that node r > 0 gets in `round`, 0 <= round < q.
    [[nodiscard]] std::int32_t received(std::int32_t r, std::int32_t round) const {
        return received_[asSize(round) * asSize(count()) + asSize(r)];
    }

private:
    /// The smallest distance of the greedy sum that makes `node`, 0 < node < n.
    [[nodiscard]] std::int32_t baseOf(std::int32_t node) const {
        std::int32_t index = period();
        for (std::int32_t rest = node; rest > 0;)
            if (distance(--index) <= rest) rest -= distance(index);
        return index;
    }

    /// A sum of distances, and the last one taken.
    struct Sum {
        std::int64_t sum = 0;
        std::int32_t last = 0;
    };
    /// The first sum above low, up to high, that taking `free` distances, larger ones first, leads to; where there is
    /// none, the one that is low.
    [[nodiscard]] Sum sumIn(std::int64_t low, std::int64_t high, std::uint32_t free) const {
        Sum found;
        while (found.sum <= low && free != 0) {
            const std::int32_t index = std::bit_width(free) - 1;
            free &= ~(std::uint32_t{1} << index);
            if (found.sum + distance(index) > high) continue;
            found = {found.sum + distance(index), index};
        }
        return found;
    }

    /// Nodes stand at places n + r here; distance q leads once round, to node 0, from which the base block comes.
    void findBlocks(std::int32_t r) {
        const std::int32_t q = period();
        const std::int32_t base = baseOf(r);
        std::uint32_t free = ((std::uint32_t{2} << q) - 1) & ~(std::uint32_t{1} << base);
        const std::int64_t place = std::int64_t{r} + count();
        std::int64_t before = place;
        for (std::int32_t round = 0; round < q; ++round) {
            const Sum found = sumIn(place - distance(round + 1), std::min(place - distance(round), before - 1), free);
            before = found.sum;
            free &= ~(std::uint32_t{1} << found.last);
            received_[asSize(round) * asSize(count()) + asSize(r)] =
                static_cast<std::int8_t>(found.last == q ? base : found.last - q);
        }
    }

    std::vector<std::int32_t> distances_;  // s(0), ..., s(q)
    std::vector<std::int8_t> received_;    // round by round, node by node
};

}  // namespace engine::shapes
