// SPDX-License-Identifier: BSD-3-Clause
// MSCCL's XML and MSCCL++'s execution plans as schedules.
#pragma once

#include "engine/schedule_files/stored_schedule.hpp"

#include <string_view>

namespace engine::schedules::msccl {

/// The schedule that the file's thread blocks follow, in rounds (goal_rounds.hpp). Where they wait for each other for
/// ever, or leave what the collective does not promise, Facts::wrong says so, and the schedule is what happens until
/// then. Throws Error, which begins with `file`, for what is no such file.
Stored storedFrom(std::string_view content, std::string_view file);
/// The same of an execution plan (plan_execution.hpp).
Stored storedFromPlan(std::string_view content, std::string_view file);

}  // namespace engine::schedules::msccl
