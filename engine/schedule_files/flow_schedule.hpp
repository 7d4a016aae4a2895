// SPDX-License-Identifier: BSD-3-Clause
// Schedules that others publish as flows: which chunk goes from which rank to which other one, and when. Chunks have
// flowBytes; a problem whose contributions have another size takes the same flows.
#pragma once

#include "engine/schedule_files/stored_schedule.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace engine::schedules {

/// One chunk of the byte line from one rank to another.
struct Flow {
    std::int64_t time = 0;  ///< what is sent at one time is sent in one round; rounds follow in the order of times
    std::int32_t from = 0;
    std::int32_t to = 0;
    std::int64_t chunk = 0;

    friend auto operator<=>(const Flow&, const Flow&) = default;
};

/// Flows of an allgather or alltoall whose contributions all have `chunks` chunks. Flows that are given twice count
/// once. Throws Error, which begins with `file`, where there are more than are read.
Stored storedFrom(std::vector<Flow> flows, const Problem& problem, std::int64_t chunks, std::string_view file);

/// Bytes of a chunk, of which these files name none.
inline constexpr Bytes flowBytes = 1024;

}  // namespace engine::schedules
