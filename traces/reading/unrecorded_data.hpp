// SPDX-License-Identifier: BSD-3-Clause
// What was not recorded, in words and as values: found once, where everything is known.
#pragma once

#include "traces/reading/locations/location_events.hpp"
#include "traces/reading/matching/message_columns.hpp"

#include <cstdint>
#include <vector>

namespace traces::reading {

struct Facts {
    const Anchor& anchor;
    const Definitions& definitions;
    const std::vector<std::uint64_t>& announced;    ///< by location
    const std::vector<LocationEvents>& events;      ///< by location
    const std::vector<std::int64_t>& calls;         ///< by region
    const std::vector<std::uint8_t>& communicated;  ///< by region
    bool own = false;
    const Disputed& disputed;
};

/// Fills absences, earlyEnds, remarks, and what regions say of their calls; all else must be there.
void describeAbsences(const Facts& facts, Recording& recording);

}  // namespace traces::reading
