// SPDX-License-Identifier: BSD-3-Clause
// A part of a recording: some ranks, some span of time. A recording again, so every question and every export takes it.
#pragma once

#include "traces/recording.hpp"

#include <optional>
#include <vector>

namespace traces {

struct Excerpt {
    std::optional<TimeSpan> span{};  ///< all of it when not given
    std::vector<Rank> ranks{};       ///< all when empty; locations of no rank go with all only
};

/// What lies inside. Calls are cut at the ends of the span; a message of which one end lies inside becomes a half, a
/// collective keeps the parts that lie wholly inside and is complete only with all of them. Ranks keep their numbers,
/// times theirs. Columns that only archives of Collscope have are left out. Throws Error when a rank is not there.
Recording excerptOf(const Recording& recording, const Excerpt& wanted);

}  // namespace traces
