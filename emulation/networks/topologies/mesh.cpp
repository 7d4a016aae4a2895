// SPDX-License-Identifier: BSD-3-Clause
// An N-dimensional grid with edges.
#include "emulation/networks/grid.hpp"
#include "emulation/networks/topology_arguments.hpp"

#include "engine/base/option_placeholders.hpp"
#include "engine/base/text.hpp"

namespace emulation::kinds::of_mesh {
namespace {

NetworkPtr make(std::string_view words, std::int32_t ranks) {
    const Arguments arguments = readArguments("mesh", words, 1, "mesh:4x4");
    const std::vector<int> lengths =
        engine::readDimensions(arguments.sizes[0], engine::text(engine::field::topology, " mesh"));
    std::string name = "mesh:" + engine::showDimensions(lengths);
    std::int64_t places = 1;
    for (const int length : lengths) places *= length;
    ranks = requirePlaces(engine::text(engine::field::topology, " ", name), places, ranks, Fill::atMost,
                          "mesh:" + engine::showDimensions(balanced(ranks, lengths.size())));
    return std::make_shared<const Mesh>(std::move(name), lengths, ranks);
}

}  // namespace

Topology topology() {
    return {.name = "mesh",
            .usage = "mesh:AxBxC",
            .meaning = "a grid with edges; dimension-order routing, last dimension first",
            .make = make,
            .forRanks = [](std::int32_t ranks) { return squarest("mesh", ranks); }};
}

}  // namespace emulation::kinds::of_mesh
