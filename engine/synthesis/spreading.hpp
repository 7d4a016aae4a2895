// SPDX-License-Identifier: BSD-3-Clause
// Schedules for more ranks and chunks than a search takes: round by round, each lane of a link carries a chunk. They
// are good, and not proved to be best.
#pragma once

#include "engine/synthesis/packing.hpp"
#include "engine/synthesis/sat_search.hpp"

#include <optional>

namespace engine::synthesis {

/// The fabric without its switches: one edge for each channel, as wide as its narrowest link.
LaneGraph directOf(const Fabric& fabric);

/// Spreads each chunk along a tree of its owner. What has the most to follow goes first. Nothing where the fabric has
/// no channel between two ranks of a tree.
std::optional<Found> alongTrees(const Fabric& fabric, const std::vector<Chunk>& chunks, const std::vector<Tree>& trees,
                                const Poll& poll = {});

/// Matches chunks with channels in each round: first what its receiver needs and the fewest ranks have, else what comes
/// nearer to a rank that needs it. `seed`: of what is taken among equals. Nothing where it does not end within `most`
/// rounds.
std::optional<Found> greedily(const Fabric& fabric, const std::vector<Chunk>& chunks, std::uint32_t seed,
                              std::int32_t most, const Poll& poll = {});

}  // namespace engine::synthesis
