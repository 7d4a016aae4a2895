// SPDX-License-Identifier: BSD-3-Clause
// When the streams of a rank of a training job compute, when they communicate, and when they wait for communication.
#pragma once

#include "traces/recording/recording.hpp"

#include <optional>
#include <vector>

namespace app::analysis {

/// Intervals of one rank, which neither overlap nor touch, rising.
using Intervals = std::vector<traces::TimeSpan>;

/// How the streams of a rank spend a time: compute + exposed + idle is all of it.
struct StreamTimes {
    engine::Picoseconds compute{};  ///< at least one stream carries out a kernel that computes, or copies
    engine::Picoseconds exposed{};  ///< communication, and nothing else
    engine::Picoseconds hidden{};   ///< communication beside computation: a part of `compute`
    engine::Picoseconds idle{};     ///< no stream has anything to do
};

/// When the streams of a rank compute (or copy) and when they communicate.
struct StreamActivity {
    Intervals compute;
    Intervals communication;
    Intervals both;  ///< at the same time
    bool hasStreams = false;

    [[nodiscard]] StreamTimes timesIn(traces::TimeSpan span) const;

    /// When the rank begins to wait for a collective of this `span`: at the end of its last kernel that ended before
    /// the collective did. Nothing if a kernel runs when the collective ends, which is hidden then. A rank without
    /// streams waits during all of `span`.
    [[nodiscard]] std::optional<engine::Picoseconds> waitsFrom(traces::TimeSpan span) const;
};
/// `locations` are those of the rank.
StreamActivity streamActivityOf(const traces::Recording& recording, const std::vector<std::size_t>& locations);

}  // namespace app::analysis
