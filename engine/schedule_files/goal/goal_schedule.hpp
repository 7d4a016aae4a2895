// SPDX-License-Identifier: BSD-3-Clause
// A GOAL text as a schedule.
#pragma once

#include "engine/schedule_files/goal/goal_file.hpp"
#include "engine/schedule_files/stored_schedule.hpp"

#include <string_view>

namespace engine::schedules::goal {

/// The messages of the file in rounds (goal_rounds.hpp), with contents where they follow from a problem that the file
/// states (payload_contents.hpp); otherwise Facts::unstated says why they do not. Where operations wait for ever,
/// Facts::wrong says so, and the schedule is what happens until then. Throws Error, which begins with `file`, for what
/// is no such file.
Stored storedFrom(std::string_view content, std::string_view file);
/// The same of operations that another format states.
Stored storedFrom(const File& goal, std::string_view file);

}  // namespace engine::schedules::goal
