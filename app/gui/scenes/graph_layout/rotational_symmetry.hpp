// SPDX-License-Identifier: BSD-3-Clause
// Graphs that look the same after a turn: nodes go round in cycles of equal length, and links go with them.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace app::gui {

using GraphEdge = std::pair<std::int32_t, std::int32_t>;

/// An undirected graph, with its neighbours at hand.
class Graph {
public:
    Graph(std::int32_t nodes, const std::vector<GraphEdge>& edges);

    [[nodiscard]] std::int32_t nodes() const { return static_cast<std::int32_t>(near_.size()); }
    /// Each once, the lower node first.
    [[nodiscard]] const std::vector<GraphEdge>& edges() const { return edges_; }
    [[nodiscard]] const std::vector<std::int32_t>& near(std::int32_t node) const {
        return near_[static_cast<std::size_t>(node)];
    }
    [[nodiscard]] bool joined(std::int32_t a, std::int32_t b) const;

private:
    std::vector<GraphEdge> edges_;
    std::vector<std::vector<std::int32_t>> near_;  // in order
};

struct Rotation {
    /// Each as long as the order of the turn; the turn takes a node to the next one of its cycle.
    std::vector<std::vector<std::int32_t>> cycles;
    std::optional<std::int32_t> hub;  ///< the one node that stays where it is, if any
};

/// A turn of this order, of all nodes or of all but one; nothing where none is found after some looking.
std::optional<Rotation> rotationOf(const Graph& graph, std::int32_t order);

}  // namespace app::gui
