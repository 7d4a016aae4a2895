// SPDX-License-Identifier: BSD-3-Clause
// Rank r is linked to r-1 and r+1, the last rank to the first.
#include "emulation/networks/grid.hpp"
#include "emulation/networks/topology_arguments.hpp"

namespace emulation::kinds::of_ring {
namespace {

NetworkPtr make(std::string_view arguments, std::int32_t ranks) {
    (void)readArguments("ring", arguments, 0, "ring");
    if (ranks == everyPlace) return nullptr;
    return std::make_shared<const Torus>("ring", std::vector<int>{ranks}, engine::Wiring::ring(ranks));
}

}  // namespace

Topology topology() {
    return {.name = "ring",
            .usage = "ring",
            .meaning = "every rank has two neighbours; messages take the shorter way",
            .make = make,
            .forRanks = [](std::int32_t) { return std::string{"ring"}; }};
}

}  // namespace emulation::kinds::of_ring
