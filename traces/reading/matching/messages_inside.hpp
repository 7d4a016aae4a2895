// SPDX-License-Identifier: BSD-3-Clause
// Messages that the library sent within calls, each with its collective.
#pragma once

#include "traces/reading/locations/location_events.hpp"
#include "traces/reading/matching/message_matching.hpp"
#include "traces/recording/recording.hpp"

#include <cstdint>
#include <vector>

namespace traces::reading {

struct Inside {
    Messages messages;
    Column<std::int32_t> collective;  ///< beside `messages`
    std::int64_t halves = 0;          ///< ends that met no other
};

/// Takes the ends of these messages from `events`. `collectives` are all of the recording.
Inside insideOf(std::vector<LocationEvents>& events, const World& world, const Definitions& definitions,
                const Collectives& collectives, Storage* storage);

}  // namespace traces::reading
