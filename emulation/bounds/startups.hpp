// SPDX-License-Identifier: BSD-3-Clause
// Startups that a network forces: of messages that cross a cut, and on the way from one rank to another.
#pragma once

#include "emulation/bounds/network_bound.hpp"

namespace emulation::bounds {

/// What it takes until one rank can have heard of another.
struct Farthest {
    engine::Picoseconds time{};
    Rank from{0};
    Rank to{0};
};

/// The least startup, with the latencies of the links, of a message that crosses what the bound is of. `alpha` holds
/// where the network does not say its own. At least network.least().latency, which it is for many ranks.
engine::Picoseconds startupAcross(const NetworkBound& bound, const Network& network, engine::Picoseconds alpha);

/// The longest of the least times in which a contribution, whatever its size, gets to a rank that must have it (or have
/// it combined), directly or over other ranks. Nothing where all startups are equal, nobody needs anything, or there
/// are too many ranks.
std::optional<Farthest> farthest(const engine::Problem& problem, const Network& network, engine::Picoseconds alpha);

}  // namespace emulation::bounds
