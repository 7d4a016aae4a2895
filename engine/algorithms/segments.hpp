// SPDX-License-Identifier: BSD-3-Clause
// The number of segments a pipelined broadcast or reduction cuts its message into.
#pragma once

#include "engine/algorithms/startup_bytes.hpp"
#include "engine/layout.hpp"
#include "engine/options.hpp"
#include "engine/problem.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace engine::algorithms {

/// The option `segments` (X).
inline Option segmentsOption(std::string fallback, std::int64_t least = 1) {
    return {.name = "segments",
            .kind = Option::Kind::integer,
            .fallback = std::move(fallback),
            .meaning = "pieces the message is cut into (X); auto: the best number under the default model",
            .choices = {"auto"},
            .low = least,
            .high = std::int64_t{1} << 20};
}

/// The X that makes (filling + X)(alpha + beta m / X) least, sqrt(filling beta m / alpha), under the default model, as
/// a multiple of `step`. `filling` is what the pipeline takes besides one round per segment.
inline std::int64_t bestSegments(std::int64_t filling, Bytes m, std::int64_t step) {
    const double best =
        std::sqrt(static_cast<double>(std::max<std::int64_t>(filling, 0)) * static_cast<double>(m) / startupBytes());
    const auto steps = static_cast<std::int64_t>(std::lround(best / static_cast<double>(step)));
    return std::clamp<std::int64_t>(steps * step, step, std::int64_t{1} << 20);
}

/// X as the options say.
inline std::int64_t segmentsOf(const Options& options, std::int64_t filling, Bytes m, std::int64_t step = 1) {
    return options.is("segments", "auto") ? bestSegments(filling, m, step) : options.number("segments");
}

/// The option `segments` (X) where each half of what is moved goes its own way.
inline Option halvesSegmentsOption() {
    Option option = segmentsOption("auto");
    option.meaning = "pieces each half is cut into (X); auto: the best number under the default model";
    return option;
}

/// X as the options say, where both halves take `filling` rounds until the first segments are through, and 2 rounds for
/// each further one.
inline std::int64_t segmentsOfHalves(const Options& options, std::int64_t filling, Bytes m) {
    return options.is("segments", "auto") ? bestSegments(filling - 2, m, 2) / 2 : options.number("segments");
}

/// Bytes of the longest of X segments of a vector that is cut between its units.
inline Bytes longestSegment(const Problem& problem, std::int64_t segments) {
    const Bytes unit = unitOf(problem);
    return piece({0, problem.layout.largest() / unit}, segments, 0).size() * unit;
}

}  // namespace engine::algorithms
