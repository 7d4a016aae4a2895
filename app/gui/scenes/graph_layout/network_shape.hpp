// SPDX-License-Identifier: BSD-3-Clause
// The shape of a network, found once: what layouts of any size are made from.
//
// | network                  | ranks and free places lie                                                     |
// |--------------------------|-------------------------------------------------------------------------------|
// | ring                     | on a circle, place 0 at the top, clockwise                                    |
// | Kautz, files, ...        | as a tree, as a graph that looks the same after a turn, or as springs hold it |
// |                          | (graph_layout.hpp), where that has fewer crossings than the circle            |
// | torus, mesh, hypercube   | on a grid: right, down, into the depth, then grids of grids; links that close |
// |                          | a row of a torus leave as a stub and come back in                             |
// | fat tree                 | in a row below their switches, in several where they are many; switches level |
// |                          | by level above (switch_levels.hpp)                                            |
// | dragonfly, cluster, ...  | on a circle, switches on circles within, the farther from ranks the deeper;   |
// |                          | groups of switches apart                                                      |
// | full, two groups         | on two bows facing each other, A above, B below                               |
// | full, one group          | as their messages form them (schedule/logical_topology.hpp): a tree from      |
// |                          | above, a cube as a grid, groups as circles on a circle; else on a circle      |
#pragma once

#include "app/analysis/schedule/logical_topology.hpp"
#include "app/gui/scenes/graph_layout/graph_layout.hpp"
#include "app/gui/scenes/graph_layout/switch_levels.hpp"
#include "emulation/networks/network.hpp"

#include <utility>
#include <vector>

namespace app::gui {

struct NetworkShape {
    enum class Arrangement : std::uint8_t { circle, facing, grid, tiers, levels, tree, groups, drawn };

    /// `network` may be null: not known.
    NetworkShape(const emulation::Network* network, const engine::Run& run, bool twoGroups);
    NetworkShape() = default;

    Arrangement arrangement = Arrangement::circle;
    std::int32_t ranks = 0;
    std::int32_t hosts = 0;            ///< ranks, then free places
    std::int32_t nodes = 0;            ///< hosts, then switches
    std::vector<int> lengths;          ///< grid: of its dimensions, the last runs fastest
    std::vector<std::int32_t> places;  ///< of the hosts; empty: host h on place h
    std::vector<std::vector<std::int32_t>>
        tiers;          ///< tiers, levels: switches by their distance from ranks, in the order of their ranks
    GraphLayout graph;  ///< drawn
    std::vector<Levels::Leaf> leaves;  ///< tiers, levels: of the first tier; empty where ranks are linked directly
    /// A line between two marks, for all links between their ranks in this direction.
    struct Line {
        std::int32_t from = 0;  ///< nodes
        std::int32_t to = 0;
        std::int32_t first = 0;  ///< of its links
    };

    /// Of very many ranks neighbours share a mark: so many along the circle, or in each dimension of a grid.
    int step = 1;
    std::int32_t bundle = 1;          ///< hosts that share one at most
    std::vector<std::int32_t> marks;  ///< of every host the one whose mark it shares; empty: each has its own
    std::vector<Line> lines;
    analysis::LogicalTopology formation;  ///< tree, groups, and a grid that is a cube
    /// Ranks between which something is sent: of a tree, a cube, and where none has more than two partners.
    std::vector<std::pair<std::int32_t, std::int32_t>> bonds;
    std::vector<std::int32_t> lineOf;  ///< of every link, -1 within a mark; empty: link i is line i

    /// The node where a node is drawn.
    [[nodiscard]] std::int32_t markOf(std::int32_t node) const {
        return marks.empty() || node >= hosts ? node : marks[static_cast<std::size_t>(node)];
    }
    [[nodiscard]] std::int32_t lineOfLink(std::int32_t link) const {
        return lineOf.empty() ? link : lineOf[static_cast<std::size_t>(link)];
    }

    /// Whether it is a grid of three dimensions, of which one layer can be looked at.
    [[nodiscard]] bool hasLayers() const { return arrangement == Arrangement::grid && lengths.size() == 3; }
    /// The coordinate of a host in a dimension of the grid.
    [[nodiscard]] std::int32_t layerOf(std::int32_t host, std::int32_t dimension) const;

    [[nodiscard]] std::int32_t placeOf(std::int32_t host) const {
        return places.empty() ? host : places[static_cast<std::size_t>(host)];
    }
    /// The first of the places that share a mark with this one.
    [[nodiscard]] std::int32_t cornerOf(std::int32_t place) const;

private:
    void form(const engine::Run& run);
    void drawFreely(const emulation::Network& network);
    void shareMarks();
    void drawLines(const emulation::Network& network);
};

}  // namespace app::gui
