// SPDX-License-Identifier: BSD-3-Clause
// The number of segments a pipelined broadcast cuts its message into.
#pragma once

#include "engine/algorithms/pieces.hpp"
#include "engine/options.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace engine::algorithms {

constexpr std::int64_t mostSegments = std::int64_t{1} << 20;

/// The option `segments` (X).
inline Option segmentsOption(std::string fallback, std::int64_t least = 1) {
    return {.name = "segments",
            .kind = Option::Kind::integer,
            .fallback = std::move(fallback),
            .meaning = "pieces the message is cut into (X); auto: the best number under the model",
            .choices = {std::string{automatic}},
            .low = least,
            .high = mostSegments};
}

/// X as the options say; a multiple of `step` where it is chosen. `filling` is what the pipeline takes besides one
/// round per segment.
inline std::int64_t segmentsOf(const Options& options, std::int64_t filling, Bytes m, std::int64_t step = 1) {
    if (!options.isAuto("segments")) return options.number("segments");
    const double best = bestPieces(static_cast<double>(filling), m, options.model());
    const auto steps = static_cast<std::int64_t>(std::lround(best / static_cast<double>(step)));
    return std::clamp<std::int64_t>(steps * step, step, mostSegments);
}

/// `count` as what was chosen, where it was.
inline Choices chosenSegments(const Options& options, std::int64_t count) {
    return options.isAuto("segments") ? Choices{{"segments", std::to_string(count)}} : Choices{};
}

}  // namespace engine::algorithms
