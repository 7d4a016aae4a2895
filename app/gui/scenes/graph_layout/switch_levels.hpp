// SPDX-License-Identifier: BSD-3-Clause
// Networks of switches by level: which switches stand how far above the ranks, and in which order, found from the links
// alone.
#pragma once

#include "emulation/networks/network.hpp"

#include <vector>

namespace app::gui {

struct Levels {
    /// Ranks that hang on one switch of the lowest level.
    struct Leaf {
        std::int32_t node = 0;              ///< the switch
        std::vector<std::int32_t> ranks{};  ///< by their places; none of a switch that has none
        bool opensGroup = false;            ///< the first of a group of leaves that are linked with each other
    };

    /// By their distance from the ranks; in each level ordered such that links cross little. A switch without ranks
    /// below stands beside those that are linked upwards as it is.
    std::vector<std::vector<std::int32_t>> switches{};
    std::vector<Leaf> leaves{};  ///< one for each switch of the lowest level, in their order
    /// Whether every link leads one level up or down: a tree of any thickness.
    bool strict = false;
};

/// `places`: of every rank and free place; empty: node n on place n. No levels where two of them are linked directly,
/// where a rank has no switch, and where a switch can be reached from none.
Levels levelsOf(const emulation::Network& network, const std::vector<std::int32_t>& places);

/// How many pairs of links between neighbouring levels of switches cross in this order; both directions of a cable are
/// one link.
std::int64_t crossingsIn(const emulation::Network& network, const std::vector<std::vector<std::int32_t>>& switches);

}  // namespace app::gui
