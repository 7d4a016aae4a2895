// SPDX-License-Identifier: BSD-3-Clause
// What an archive tells before its events are read: which locations have files, when time begins, and how much it is.
#pragma once

#include "traces/reading/locations/location_events.hpp"
#include "traces/recording/reading_estimate.hpp"

#include <string>
#include <vector>

namespace traces::reading {

struct Survey {
    std::vector<LocationFiles> files;  ///< by location
    ClockOffsets offsets = ClockOffsets::applied;
    Clock clock;         ///< time 0 is the first event of all
    std::string remark;  ///< that the archive's clock offsets are left out, and why; empty where they are not
    Expected expected;
};

/// `own`: a run of ours, whose times begin where it says.
Survey survey(const Anchor& anchor, const Definitions& definitions, const World& world, bool own);

}  // namespace traces::reading
