// SPDX-License-Identifier: BSD-3-Clause
// Where the nodes of a network lie that says nothing of its shape: as a tree, as a graph that looks the same after a
// turn, or as springs hold it, whatever has the fewest crossings; on a circle where nothing has fewer than that.
#pragma once

#include "app/gui/scenes/graph_layout/rotational_symmetry.hpp"

#include <QPointF>

namespace app::gui {

struct GraphLayout {
    std::vector<QPointF> spots;  ///< from -1 to 1 each way; empty: on the circle
    QPointF apart;               ///< what two of them are at least from each other, across or down
    bool stretches = false;      ///< a tree is as wide and as high as its place
};

/// `circle`: where the nodes would lie on it, as places of as many.
GraphLayout drawn(const Graph& graph, const std::vector<std::int32_t>& circle);

/// Pairs of links that cross; a node that lies on a link counts as one.
int crossings(const Graph& graph, const std::vector<QPointF>& spots);

/// On a circle, the first place at the top, clockwise.
std::vector<QPointF> onCircle(const std::vector<std::int32_t>& places);

}  // namespace app::gui
