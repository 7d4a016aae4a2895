// SPDX-License-Identifier: BSD-3-Clause
// When the streams of a rank of a training job compute, when they communicate, and when they wait for communication.
#pragma once

#include "traces/recording/recording.hpp"

#include <optional>
#include <vector>

namespace app::analysis {

/// Intervals of one rank, which neither overlap nor touch, rising.
using Intervals = std::vector<traces::TimeSpan>;

/// When the streams of a rank compute (or copy) and when they communicate.
struct StreamActivity {
    Intervals compute;
    Intervals communication;
    bool hasStreams = false;

    /// When the rank begins to wait for a collective of this `span`: at the end of its last kernel that ended before
    /// the collective did. Nothing if a kernel runs when the collective ends, which is hidden then. A rank without
    /// streams waits during all of `span`.
    [[nodiscard]] std::optional<engine::Picoseconds> waitsFrom(traces::TimeSpan span) const;
};
/// `locations` are those of the rank.
StreamActivity streamActivityOf(const traces::Recording& recording, const std::vector<std::size_t>& locations);

}  // namespace app::analysis
