// SPDX-License-Identifier: BSD-3-Clause
// A training job in a few numbers: its steps and its stragglers, as its first page and the head of the window show
// them.
#pragma once

#include "app/analysis/training/step_times.hpp"
#include "app/analysis/training/stragglers.hpp"

#include <functional>

namespace app::analysis {

struct JobSummary {
    std::vector<StepTimes> steps;  ///< of all ranks; where the profiler marked some, those alone
    bool marked = false;           ///< the profiler marked steps
    std::size_t unmarked = 0;      ///< ranks for which it marked none, though it did for others
    std::int64_t recorded = 0;     ///< ranks with steps
    std::int64_t perRank = 0;      ///< steps, at most
    engine::Picoseconds medianStep{};
    StepSums sums;
    bool compares = false;  ///< a collective has several recorded ranks, so that one can be late
    /// The smallest waiting time, as a share of the total rank time, that makes a rank a straggler.
    static constexpr double leastWaiting = 0.005;
    std::vector<Straggler> stragglers;  ///< the worst first
    engine::Picoseconds rankTime{};     ///< of all recorded ranks

    [[nodiscard]] double shareOf(const Straggler& one) const;
};

/// `has`: whether a rank is of interest; empty: all are. `uncertainty`: by which clocks may be wrong.
JobSummary jobSummaryOf(const traces::Recording& recording, traces::TimeSpan span, engine::Picoseconds uncertainty,
                        const std::function<bool(engine::Rank)>& has = {});

}  // namespace app::analysis
