// SPDX-License-Identifier: BSD-3-Clause
// In which order to go through a network so that each step is short: for rings of ranks.
#pragma once

#include "emulation/networks/network.hpp"

namespace emulation {

/// For each rank the number of its node (its row of the network's shape, where that has several; else its own place) on
/// a way through the network: along the rows of a grid and back, elsewhere always to the nearest node that is left, the
/// one with the least number of equally near ones. Networks of more than 4096 nodes that are no grids keep their order.
std::vector<std::int32_t> wayThrough(const Network& network);

}  // namespace emulation
