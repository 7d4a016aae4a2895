// SPDX-License-Identifier: BSD-3-Clause
// An N-dimensional grid that closes in every dimension.
#include "emulation/networks/grid.hpp"
#include "emulation/networks/topology_arguments.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

namespace emulation::kinds::of_torus {
namespace {

NetworkPtr make(std::string_view words, std::int32_t ranks) {
    const Arguments arguments = readArguments("torus", words, 1, "torus:4x4", {"ties"});
    const std::vector<int> lengths =
        engine::readDimensions(arguments.sizes[0], engine::text(engine::field::topology, " torus"));
    std::string name = "torus:" + engine::showDimensions(lengths);
    std::int64_t places = 1;
    for (const int length : lengths) places *= length;
    ranks = requirePlaces(engine::text(engine::field::topology, " ", name), places, ranks, Fill::atMost,
                          "torus:" + engine::showDimensions(balanced(ranks, lengths.size())));
    Ties ties = Ties::rising;
    if (const auto rule = arguments.option("ties")) {
        if (*rule != "rising" && *rule != "simgrid")
            throw engine::Error{engine::text(engine::field::topology, " torus: ties=", *rule,
                                             " is not known; it is rising or simgrid")};
        if (*rule == "simgrid") {
            ties = Ties::simgrid;
            name += ",ties=simgrid";
        }
    }
    engine::Wiring wiring = engine::Wiring::torus(lengths);
    // Rings and tori of ranks have no free places.
    if (places > ranks)
        wiring = engine::Wiring::named(name, [whole = wiring](Rank a, Rank b) { return whole.adjacent(a, b); });
    return std::make_shared<const Torus>(std::move(name), lengths, std::move(wiring), ties, ranks);
}

}  // namespace

Topology topology() {
    return {.name = "torus",
            .usage = "torus:AxBxC",
            .meaning = "a grid that closes in every dimension; dimension-order routing, last dimension first",
            .make = make,
            .forRanks = [](std::int32_t ranks) { return squarest("torus", ranks); }};
}

}  // namespace emulation::kinds::of_torus
