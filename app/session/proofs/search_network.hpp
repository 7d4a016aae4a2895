// SPDX-License-Identifier: BSD-3-Clause
// A network of the emulator as the search for schedules sees it.
#pragma once

#include "emulation/networks/network.hpp"
#include "engine/synthesis/packing.hpp"
#include "engine/synthesis/search_problem.hpp"

#include <optional>
#include <vector>

namespace app {

/// The most ranks that a search takes.
inline constexpr std::int32_t mostSearchedRanks = 64;
/// And the packing of trees and the greedy matching.
inline constexpr std::int32_t mostSpreadRanks = 256;

/// The fabric, and the time per byte of one of its lanes; nothing where the model's holds.
struct NetworkFabric {
    engine::synthesis::Fabric fabric;
    std::optional<engine::Rate> lane{};
    bool exact = true;            ///< links are as fast as their lanes, not rounded
    bool neighboursOnly = false;  ///< the way between some ranks crosses other ranks, so that it is no channel
    bool apart = true;            ///< each channel has a link to itself
    /// The same with the network's switches as nodes. Ports count where there are no links.
    engine::synthesis::LaneGraph graph{};
};

/// A channel for each pair of ranks whose way crosses no other rank, so also through switches. Links side by side are
/// one link of as many lanes, and a link that is k times as fast as the slowest one has k lanes, rounded, at least 1.
/// No channel leads where the network has no way. `ports` 0: as many as there are links; of a network without links 1.
/// Throws Error for more ranks than `most`.
NetworkFabric fabricOf(const emulation::Network& network, int ports, std::int32_t most = mostSearchedRanks);

/// The same channels, each with one link of one lane to itself: rounds are then serialized chunks, those of the largest
/// message of each step.
engine::synthesis::Fabric serialized(engine::synthesis::Fabric fabric);

}  // namespace app
