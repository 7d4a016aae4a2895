// SPDX-License-Identifier: BSD-3-Clause
// A part of a recording: some ranks, some span of time. A recording again, so every question and every export takes it.
#pragma once

#include "traces/recording/recording.hpp"

#include <optional>
#include <vector>

namespace traces {

struct Excerpt {
    std::optional<TimeSpan> span{};  ///< all of it when not given
    std::vector<Rank> ranks{};       ///< all when empty; locations of no rank go with all only
};

/// What lies inside. Calls are cut at the ends of the span, and so are a receive that was posted before it, and a send
/// that completes behind it. Of a message between two of the ranks both ends must lie
/// inside, of a collective the parts of all of the ranks, else it is left out: who reads the part puts ends and parts
/// together by their order. A message with a rank that is not there becomes a half, a collective with one is not
/// complete. Ranks keep their numbers, times theirs. Columns that only archives of Collscope have are left out. Throws
/// Error when a rank is not there.
Recording excerptOf(const Recording& recording, const Excerpt& wanted);

}  // namespace traces
