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

    /// From when on the rank waits for a collective that lasted for `span`: from its last kernel before the end of it.
    /// Nothing where a kernel runs at that end: the collective is hidden. A rank without streams waits for all of it.
    [[nodiscard]] std::optional<engine::Picoseconds> waitsFrom(traces::TimeSpan span) const;
};
/// `locations` are those of the rank.
StreamActivity streamActivityOf(const traces::Recording& recording, const std::vector<std::size_t>& locations);

}  // namespace app::analysis
