// SPDX-License-Identifier: BSD-3-Clause
// What the accelerators of a training job do in each step.
#pragma once

#include "app/analysis/calls/stream_activity.hpp"
#include "traces/recording/recording.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace app::analysis {

/// How a rank spent a step, as its streams tell.
struct StepTimes : StreamTimes {
    engine::Rank rank;
    std::string step;  ///< "7" of ProfilerStep#7; empty where the profiler marked no steps: then it is the whole trace
    traces::TimeSpan span{};

    [[nodiscard]] engine::Picoseconds duration() const { return span.end - span.begin; }
};

/// Of all ranks with streams, by rank, then in the order of time; of steps that lie within `span`, at least in part,
/// the part. A rank without marked steps has one for all of `span`.
std::vector<StepTimes> stepTimesOf(const traces::Recording& recording, traces::TimeSpan span);

/// 0 of none.
engine::Picoseconds medianOf(std::vector<engine::Picoseconds> times);

/// Sums over steps of several ranks.
struct StepSums {
    engine::Picoseconds duration{}, compute{}, exposed{}, hidden{}, idle{};
    std::int64_t steps = 0;

    void add(const StepTimes& one);
    /// The share of all communication that runs beside computation; nothing without communication.
    [[nodiscard]] std::optional<double> overlap() const;
};

}  // namespace app::analysis
