// SPDX-License-Identifier: BSD-3-Clause
// Why a run took longer than its lower bound: the critical path, piece by piece, beside the bound's terms.
#pragma once

#include "app/analysis/critical_path.hpp"
#include "engine/cost/bounds.hpp"
#include "engine/run.hpp"

namespace app::analysis {

/// The parts add up to duration - bound. Parts may be negative: fewer bytes in a row than the bound's busiest port.
struct PathGap {
    engine::Picoseconds bound{};
    engine::Picoseconds extraRounds{};  ///< messages of the path beyond the bound's startups, alpha each
    engine::Picoseconds extraBytes{};   ///< bytes of the path beyond the bound's, beta each
    engine::Picoseconds congestion{};   ///< messages of the path that took longer than alpha + beta m
    engine::Picoseconds waiting{};      ///< time between messages of the path

    [[nodiscard]] engine::Picoseconds sum() const { return extraRounds + extraBytes + congestion + waiting; }
    friend bool operator==(const PathGap&, const PathGap&) = default;
};

PathGap gapOf(const std::vector<PathStep>& path, const engine::Bounds& bounds, const engine::Model& model);

}  // namespace app::analysis
