// SPDX-License-Identifier: BSD-3-Clause
// Lower bounds: what no algorithm can beat on this problem, these ports and this wiring. They belong to the problem;
// what an algorithm is predicted to take stands in its own file.
#pragma once

#include "engine/cost/model.hpp"
#include "engine/problem.hpp"
#include "engine/wiring.hpp"

#include <optional>
#include <string>

namespace engine {

/// One bound with its reason.
template <class T>
struct Bound {
    T value{};
    std::string why;     ///< the reason in a sentence
    std::string source;  ///< where it is proved
};

/// Lower bounds of one problem.
struct Bounds {
    Bound<std::int64_t> startups;  ///< messages in a row on some rank's way to its result
    /// Startups that pass before the rank served last gets its first byte (1 where ranks can be served at once).
    std::int64_t firstByte = 0;
    Bound<Bytes> volume;  ///< bytes through the busiest port
    /// Rounds when every message is one whole contribution, neither cut nor joined; only for equal sizes.
    std::optional<Bound<std::int64_t>> unitRounds;
};

/// The bounds of `problem` with the ports it states, on `wiring`.
Bounds boundsOf(const Problem& problem, const Wiring& wiring);

/// The time no execution can beat: max(startups x alpha, firstByte x alpha + volume x beta).
Picoseconds timeBound(const Bounds& bounds, const Model& model);

}  // namespace engine
