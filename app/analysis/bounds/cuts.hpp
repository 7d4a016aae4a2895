// SPDX-License-Identifier: BSD-3-Clause
// What links cannot carry faster: those into a node, or into all below one switch (cards of a cluster, uplinks of a
// tree), and all of them together.
#pragma once

#include "emulation/networks/network.hpp"
#include "engine/problem.hpp"

namespace app::analysis {

/// The least time, before any startup, that the bytes some group of neighbours needs from outside take through all
/// links that lead to it together; or, without switches between ranks, that contributions with one receiver each take
/// through all links together, each over as many as its receiver is away. `beta` of links that do not say their own.
/// 0 where nothing is known.
/// True only where all that crosses a link at one time, or in one round that all march through, shares it.
engine::Picoseconds timeThroughCuts(const engine::Problem& problem, const emulation::Network& network,
                                    engine::Rate beta);

}  // namespace app::analysis
