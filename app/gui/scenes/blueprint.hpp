// SPDX-License-Identifier: BSD-3-Clause
// The shape of a network, found once: what layouts of any size are made from.
//
// | network                  | ranks lie                                                                   |
// |--------------------------|-----------------------------------------------------------------------------|
// | ring, Kautz, ...         | on a circle, place 0 at the top, clockwise                                    |
// | torus, mesh, hypercube   | on a grid: right, down, into the depth, then grids of grids; links that close |
// |                          | a row of a torus leave as a stub and come back in                             |
// | fat tree, cluster, ...   | on a circle, switches on circles within, the farther from ranks the deeper    |
// | full, one group          | on a circle                                                                   |
// | full, two groups         | on two bows facing each other, A above, B below                               |
#pragma once

#include "emulation/network.hpp"

namespace app::gui {

struct Blueprint {
    enum class Arrangement : std::uint8_t { circle, facing, grid, tiers };

    /// `network` may be null: not known.
    Blueprint(const emulation::Network* network, std::int32_t rankCount, bool twoGroups);
    Blueprint() = default;

    Arrangement arrangement = Arrangement::circle;
    std::int32_t ranks = 0;
    std::int32_t nodes = 0;            ///< ranks and switches
    std::vector<int> lengths;          ///< grid: of its dimensions, the last runs fastest
    std::vector<std::int32_t> places;  ///< of the ranks; empty: rank r on place r
    std::vector<std::vector<std::int32_t>>
        tiers;                ///< switches by their distance from ranks, in the order of their ranks
    std::int32_t stride = 1;  ///< of very many ranks only every so many is drawn

    [[nodiscard]] std::int32_t placeOf(std::int32_t rank) const {
        return places.empty() ? rank : places[static_cast<std::size_t>(rank)];
    }
};

}  // namespace app::gui
