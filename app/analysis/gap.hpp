// SPDX-License-Identifier: BSD-3-Clause
// Where the time above the lower bound went.
#pragma once

#include "app/analysis/critical_path.hpp"
#include "engine/cost/bounds.hpp"
#include "engine/run.hpp"

namespace app::analysis {

/// The parts add up to duration - bound. Any may be negative: fewer bytes in a row than the bound's busiest port, time
/// won by not marching in step.
struct Gap {
    engine::Picoseconds extraRounds{};   ///< startups beyond the bound's, at alpha each
    engine::Picoseconds extraBytes{};    ///< bytes beyond the bound's, at beta each
    engine::Picoseconds combining{};     ///< bytes combined, at gamma each: the bound is about moving them only
    engine::Picoseconds congestion{};    ///< messages slowed down by shared links, or slower than alpha + beta m
    engine::Picoseconds perturbation{};  ///< late ranks, slow ranks, slow links
    engine::Picoseconds waiting{};       ///< the rest
    engine::Picoseconds unexplained{};   ///< where the messages inside were not recorded

    [[nodiscard]] engine::Picoseconds sum() const {
        return extraRounds + extraBytes + combining + congestion + perturbation + waiting + unexplained;
    }
    friend bool operator==(const Gap&, const Gap&) = default;
};

/// The part of `bound` that is startups: a bound on time is the larger of two sums, and only the terms of that one are
/// compared.
engine::Picoseconds startupsIn(engine::Picoseconds bound, const engine::Bounds& bounds, const engine::Model& model);

/// Of a run of which nothing but its messages is known: along its critical path, piece by piece beside the terms of
/// the bound under `model`. Waiting is the time between messages of the path.
Gap gapOf(const std::vector<PathStep>& path, const engine::Bounds& bounds, const engine::Model& model);

}  // namespace app::analysis
