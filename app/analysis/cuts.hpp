// SPDX-License-Identifier: BSD-3-Clause
// What the links into a node, or into all below one switch, cannot carry faster: cards of a cluster, uplinks of a tree.
#pragma once

#include "emulation/networks/network.hpp"
#include "engine/problem.hpp"

namespace app::analysis {

/// The least time that the bytes some group of neighbours needs from outside take through all links that lead to it
/// together, before any startup; `beta` of links that do not say their own. 0 where no switches stand between ranks.
/// True only where all that crosses a link at one time, or in one round that all march through, shares it.
engine::Picoseconds timeThroughCuts(const engine::Problem& problem, const emulation::Network& network,
                                    engine::Rate beta);

}  // namespace app::analysis
