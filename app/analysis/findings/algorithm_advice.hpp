// SPDX-License-Identifier: BSD-3-Clause
// What would have been faster, and how far the emulation that says so can be trusted.
#pragma once

#include "app/analysis/findings/trace_analysis.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

namespace app::analysis {

/// What could have been faster for one kind of instance.
struct Advice {
    std::size_t first = 0;  ///< the first instance of this kind
    std::int64_t instances = 0;
    engine::Picoseconds measured{};  ///< all of them
    bool fromLastArrival = false;    ///< that is from when the last rank came on, and some came before it
    std::optional<engine::Plan> own{};
    std::optional<engine::Picoseconds> again{};  ///< its own algorithm, emulated, once
    const WhatIf* alternatives = nullptr;

    /// What an alternative is to be compared with: the own algorithm emulated alike, else the time measured.
    [[nodiscard]] engine::Picoseconds reference() const {
        return again ? *again : measured / std::max<std::int64_t>(instances, 1);
    }
    [[nodiscard]] double factor(engine::Picoseconds time) const {
        return time.count() > 0 ? static_cast<double>(reference().count()) / static_cast<double>(time.count()) : 1;
    }
    /// Over the whole trace, if the measured time shrinks by the same factor; below 0 where it would grow.
    [[nodiscard]] engine::Picoseconds saving(engine::Picoseconds time) const;
    /// How far the emulation of the own algorithm is from what was measured, as a share of it.
    [[nodiscard]] std::optional<double> deviation() const;
};

/// Largest saving first. Kinds without a known problem are left out, and all but `kinds` (numbers as of
/// TraceAnalysis::kindOf), if there are any.
std::vector<Advice> advice(TraceAnalysis& analysis, const std::set<std::size_t>& kinds = {});

}  // namespace app::analysis
