// SPDX-License-Identifier: BSD-3-Clause
// A training job in a few numbers: its steps and its stragglers, as its first page and the head of the window show
// them.
#pragma once

#include "app/analysis/training/step_times.hpp"
#include "app/analysis/training/stragglers.hpp"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace app::analysis {

struct JobSummary {
    std::vector<StepTimes> steps;  ///< of all ranks; where the profiler marked some, those alone
    bool marked = false;           ///< the profiler marked steps
    std::size_t unmarked = 0;      ///< ranks for which it marked none, though it did for others
    std::int64_t ranks = 0;        ///< of `steps`
    std::int64_t recorded = 0;     ///< ranks that were recorded, of those of interest
    std::int64_t missing = 0;      ///< ranks that were not, likewise
    /// The steps of the job, as the rank took them that took longest, by their first begins; of a job without marked
    /// steps the time of each rank.
    std::vector<std::pair<std::string, engine::Picoseconds>> longest;
    engine::Picoseconds medianStep{};  ///< of `longest`
    StepSums sums;
    bool compares = false;  ///< a collective has several recorded ranks, so that one can be late
    /// The smallest waiting time, as a share of the total rank time, that makes a rank a straggler.
    static constexpr double leastWaiting = 0.005;
    std::vector<Straggler> stragglers;  ///< the worst first
    engine::Picoseconds unseen{};       ///< waiting for stragglers that clocks may hide
    engine::Picoseconds uncertainty{};  ///< of the clocks of two ranks, at most
    engine::Picoseconds rankTime{};     ///< of all recorded ranks

    /// How many steps the profiler marked.
    [[nodiscard]] std::int64_t stepCount() const { return marked ? static_cast<std::int64_t>(longest.size()) : 0; }
    [[nodiscard]] double shareOf(engine::Picoseconds waiting) const;
    /// Whether clocks are too uncertain to show that there is no straggler.
    [[nodiscard]] bool mayHideStragglers() const { return shareOf(unseen) >= leastWaiting; }
    /// "1 step of 3 ms", "2 steps of 3 ms and 4 ms", "7 steps of 3 ms (median)".
    [[nodiscard]] std::string stepsInWords() const;
};

/// `has`: whether a rank is of interest; empty: all are.
JobSummary jobSummaryOf(const traces::Recording& recording, traces::TimeSpan span,
                        const std::function<bool(engine::Rank)>& has = {});

}  // namespace app::analysis
