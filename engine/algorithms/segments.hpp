// SPDX-License-Identifier: BSD-3-Clause
// The number of segments a pipelined broadcast or reduction cuts its message into.
#pragma once

#include "engine/algorithm/options.hpp"
#include "engine/algorithms/best_pieces.hpp"
#include "engine/problem/block_layout.hpp"
#include "engine/problem/problem.hpp"

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

/// X as the options say; a multiple of `step` where it is chosen, best under `model`. `filling` is what the pipeline
/// takes besides one round per segment.
inline std::int64_t segmentsOf(const Options& options, std::int64_t filling, Bytes m, const Model& model,
                               std::int64_t step = 1) {
    if (!options.isAuto("segments")) return options.number("segments");
    const double best = bestPieces(static_cast<double>(filling), m, model);
    const auto steps = static_cast<std::int64_t>(std::lround(best / static_cast<double>(step)));
    return std::clamp<std::int64_t>(steps * step, step, mostSegments);
}
/// The same under the options' own model, where nothing is combined.
inline std::int64_t segmentsOf(const Options& options, std::int64_t filling, Bytes m, std::int64_t step = 1) {
    return segmentsOf(options, filling, m, options.model(), step);
}

/// The options' model where a byte that is moved is also combined, once in `every` messages.
inline Model combining(const Options& options, const Problem& problem, std::int64_t every = 1) {
    Model model = asAlphaBeta(options.model());
    model.beta.femtosecondsPerByte += model.combiningBy(problem.operation).gamma.femtosecondsPerByte / every;
    return model;
}
/// X of a pipeline in which every message is a segment of the vector that is combined where it comes.
inline std::int64_t segmentsOf(const Options& options, std::int64_t filling, const Problem& problem) {
    return segmentsOf(options, filling, problem.layout.largest(), combining(options, problem));
}

/// `count` as what was chosen, where it was.
inline Choices chosenSegments(const Options& options, std::int64_t count) {
    return options.isAuto("segments") ? Choices{{"segments", std::to_string(count)}} : Choices{};
}

/// The option `segments` (X) where each half of what is moved goes its own way.
inline Option halvesSegmentsOption() {
    Option option = segmentsOption("auto");
    option.meaning = "pieces each half is cut into (X); auto: the best number under the model";
    return option;
}

/// X as the options say, where both halves take `filling` rounds until the first segments have finished, and 2 rounds
/// for each further one.
inline std::int64_t segmentsOfHalves(const Options& options, std::int64_t filling, Bytes m, const Model& model) {
    return options.isAuto("segments") ? segmentsOf(options, filling - 2, m, model, 2) / 2 : options.number("segments");
}

/// Bytes of the longest of X segments of a vector that is cut between its units.
inline Bytes longestSegment(const Problem& problem, std::int64_t segments) {
    const Bytes unit = unitOf(problem);
    return piece({0, problem.layout.largest() / unit}, segments, 0).size() * unit;
}

}  // namespace engine::algorithms
