// SPDX-License-Identifier: BSD-3-Clause
// What would have been faster, and how far the emulation that says so can be trusted.
#pragma once

#include "app/analysis/trace/trace_analysis.hpp"

#include <cmath>
#include <optional>
#include <set>
#include <vector>

namespace app::analysis {

/// Below this quotient of times nothing is faster.
inline constexpr double gainfulFactor = 1.005;

/// What could have been faster for one kind of instance.
struct Advice {
    std::size_t first = 0;  ///< the first instance of this kind
    std::int64_t instances = 0;
    engine::Picoseconds measured{};  ///< all of them
    bool fromLastArrival = false;    ///< that is from when the last rank came on, and some came before it
    /// What ran: one plan, two where one followed the other; as recorded, or closest to the messages of the first
    /// instance. Empty where that is unknown.
    std::vector<engine::Plan> own{};
    std::optional<engine::Picoseconds> again{};  ///< this, emulated, once
    const AlgorithmRanking* alternatives = nullptr;

    /// How much faster an alternative is than the own algorithm emulated alike; nothing without that, since an
    /// emulation that leaves out what the machine adds is always faster than a measurement.
    [[nodiscard]] std::optional<double> factor(engine::Picoseconds time) const;
    /// Over the whole trace, if the measured time shrinks by the same factor; below 0 where it would grow.
    [[nodiscard]] std::optional<engine::Picoseconds> saving(engine::Picoseconds time) const;
    /// How far the emulation of the own algorithm is from what was measured, as a share of it.
    [[nodiscard]] std::optional<double> deviation() const;
    /// Whether that is at most half: else the model does not explain the measured time, and nothing follows from it.
    [[nodiscard]] bool isExplained() const { return again && std::abs(deviation().value_or(0)) <= 0.5; }
};

/// Largest saving first, then those without one. Kinds without a known problem are left out, and all but `kinds`
/// (numbers as of TraceAnalysis::kindOf), if there are any.
std::vector<Advice> advice(TraceAnalysis& analysis, const std::set<std::size_t>& kinds = {});

}  // namespace app::analysis
