// SPDX-License-Identifier: BSD-3-Clause
// Where nodes of a graph lie if springs hold each two of them as far apart as they are in links, near ones more
// strongly: the least stress that is found from the way they differ most (Torgerson 1952), by moving each in turn to
// where all others want it (de Leeuw 1977; Gansner et al. 2004). The same graph always lies the same.
//
// Boost's Kamada and Kawai seek the same, but sum up all springs again for each step, and the search for the place of
// one node need not end.
#pragma once

#include "app/gui/scenes/graph_layout/rotational_symmetry.hpp"

#include <QPointF>

namespace app::gui {

/// Of every node; empty where the graph falls apart. Takes the square of the number of nodes, some hundred times.
std::vector<QPointF> heldBySprings(const Graph& graph);

}  // namespace app::gui
