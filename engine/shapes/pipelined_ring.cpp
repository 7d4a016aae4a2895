// SPDX-License-Identifier: BSD-3-Clause
#include "engine/shapes/pipelined_ring.hpp"

#include "engine/base/types.hpp"

#include <algorithm>
#include <bit>

namespace engine::shapes {

CompactRing::CompactRing(const std::vector<std::int64_t>& blocks)
    : places_{static_cast<std::int32_t>(blocks.size())}, nodeBefore_(blocks.size()) {
    for (std::int32_t place = 0; place < places_; ++place) {
        const std::int64_t count = blocks[asSize(place)];
        if (count > 0) {
            total_ += count;
            const std::int64_t empties = nodes_.empty() ? place : place - nodes_.back().place - 1;
            nodes_.push_back({place, total_, count, empties});
        }
        nodeBefore_[asSize(place)] = static_cast<std::int32_t>(nodes_.size()) - 1;
    }
    if (nodes_.empty()) return;
    // The empties at the end lie before node 0, too, and behind the last node.
    nodes_.front().emptiesBefore += places_ - 1 - nodes_.back().place;
    for (std::int32_t& node : nodeBefore_)
        if (node < 0) node = static_cast<std::int32_t>(nodes_.size()) - 1;

    const std::size_t twice = 2 * nodes_.size();
    std::vector<std::int64_t> row;
    for (std::size_t i = 0; i < twice; ++i) {
        const Node& node = nodes_[i % nodes_.size()];
        row.push_back((row.empty() ? 0 : row.back()) + node.emptiesBefore + 1 - node.count);
    }
    sums_.push_back(std::move(row));
    for (std::size_t run = 2; run <= twice; run *= 2) {
        const auto& half = sums_.back();
        std::vector<std::int64_t> least(twice - run + 1);
        for (std::size_t i = 0; i < least.size(); ++i) least[i] = std::min(half[i], half[i + run / 2]);
        sums_.push_back(std::move(least));
    }
    rounds_ = countRounds();
}

std::int64_t CompactRing::leastSum(std::int64_t first, std::int64_t last) const {
    const auto run = static_cast<std::uint64_t>(last - first + 1);
    const auto level = asSize(std::bit_width(run)) - 1;
    const auto& row = sums_[level];
    return std::min(row[asSize(first)], row[asSize(last + 1) - (std::size_t{1} << level)]);
}

/// E(origin, node); nodes are numbered going round twice.
std::int64_t CompactRing::lag(std::int64_t origin, std::int64_t node) const {
    return sums_.front()[asSize(node)] - leastSum(origin, node);
}

/// Blocks up to a node, going round twice.
std::int64_t CompactRing::end(std::int64_t node) const {
    const auto count = static_cast<std::int64_t>(nodes_.size());
    return nodes_[asSize(node % count)].end + (node >= count ? total_ : 0);
}

/// The last round in which anything comes to a node, or to the last empty place before it.
std::int64_t CompactRing::countRounds() const {
    const auto count = static_cast<std::int64_t>(nodes_.size());
    std::int64_t rounds = 0;
    for (std::int64_t k = 0; k < count; ++k) {
        const Node& node = nodes_[asSize(k)];
        const std::int64_t before = k + count - 1;  // its predecessor, in the second time round
        if (count > 1) rounds = std::max(rounds, total_ - node.count + node.emptiesBefore + lag(k + 1, before));
        if (node.emptiesBefore > 0) rounds = std::max(rounds, total_ + node.emptiesBefore - 1 + lag(k, before));
    }
    return rounds;
}

std::optional<RingBlock> CompactRing::sends(std::int32_t place, std::int64_t round) const {
    if (nodes_.empty()) return std::nullopt;
    const auto count = static_cast<std::int64_t>(nodes_.size());
    const std::int32_t nodeHere = nodeBefore_[asSize(place)];
    const std::int32_t nodePlace = nodes_[asSize(nodeHere)].place;
    const std::int32_t behind = place >= nodePlace ? place - nodePlace : place - nodePlace + places_;
    const std::int64_t sent = round - behind;  // the round in which the node sent it
    if (sent < 0) return std::nullopt;

    // The farthest origin whose first block the node sends no later than then.
    const std::int64_t node = nodeHere + count;
    std::int64_t far = 0;
    for (std::int64_t low = 1, high = count - 1; low <= high;) {
        const std::int64_t middle = (low + high) / 2;
        if (end(node) - end(node - middle) + lag(node - middle, node) <= sent) {
            far = middle;
            low = middle + 1;
        } else {
            high = middle - 1;
        }
    }
    const Node& origin = nodes_[asSize((node - far) % count)];
    const std::int64_t item = sent - lag(node - far, node);
    const std::int64_t within = item - (end(node) - end(node - far));
    if (within >= origin.count) return std::nullopt;  // it waits for the next origin's blocks

    const std::int32_t next = place + 1 < places_ ? place + 1 : 0;
    const Node& receiver = nodes_[asSize(nodeBefore_[asSize(next)])];
    if (item >= total_ - (receiver.place == next ? receiver.count : 0)) return std::nullopt;
    return RingBlock{origin.place, origin.count - 1 - within};
}

}  // namespace engine::shapes
