// SPDX-License-Identifier: BSD-3-Clause
// An N-dimensional grid that closes in every dimension.
#include "emulation/grid.hpp"

#include "engine/error.hpp"
#include "engine/text.hpp"

namespace emulation::kinds {
namespace {

NetworkPtr make(std::string_view arguments, std::int32_t ranks) {
    if (arguments.empty()) throw engine::Error{"--topology torus needs its sizes, for example --topology torus:4x4"};
    const std::vector<int> lengths = engine::readDimensions(arguments, "--topology torus");
    std::int64_t places = 1;
    for (const int length : lengths) places *= length;
    if (places != ranks)
        throw engine::Error{engine::text("--topology torus:", arguments, " has ", places, " places, but there are ",
                                         ranks, " ranks")};
    return std::make_shared<const Torus>(engine::text("torus:", engine::showDimensions(lengths)), lengths,
                                         engine::Wiring::torus(lengths));
}

}  // namespace

Topology torus() {
    return {.name = "torus",
            .usage = "torus:AxBxC",
            .meaning = "a grid that closes in every dimension; dimension-order routing, last dimension first",
            .make = make};
}

}  // namespace emulation::kinds
