// SPDX-License-Identifier: BSD-3-Clause
// Ranks whose numbers differ in one bit are neighbours.
#include "emulation/networks/grid.hpp"
#include "emulation/networks/topology_arguments.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <bit>

namespace emulation::kinds::of_hypercube {
namespace {

NetworkPtr make(std::string_view words, std::int32_t ranks) {
    const Arguments arguments = readArguments("hypercube", words, 1, "hypercube:4");
    const int dimensions = arguments.number(arguments.sizes[0], 0, 26);
    const auto fitting = std::countr_zero(std::bit_ceil(static_cast<std::uint32_t>(ranks)));
    (void)requirePlaces(arguments.where, std::int64_t{1} << dimensions, ranks, Fill::exactly,
                        std::has_single_bit(static_cast<std::uint32_t>(ranks))
                            ? engine::text("hypercube:", fitting)
                            : engine::text("hypercube:", fitting, " with ", std::int64_t{1} << fitting, " ranks"));
    return std::make_shared<const Hypercube>(dimensions);
}

std::string forRanks(std::int32_t ranks) {
    const auto count = static_cast<std::uint32_t>(ranks);
    return std::has_single_bit(count) ? engine::text("hypercube:", std::countr_zero(count)) : "";
}

}  // namespace

Topology topology() {
    return {.name = "hypercube",
            .usage = "hypercube:D",
            .meaning = "2^D ranks, neighbours differ in one bit; the lowest differing bit is crossed first",
            .make = make,
            .forRanks = forRanks};
}

}  // namespace emulation::kinds::of_hypercube
