// SPDX-License-Identifier: BSD-3-Clause
// The json that `show` writes, read back.
#pragma once

#include "engine/schedule_files/stored_schedule.hpp"

#include <string_view>

namespace engine::schedules {

/// Throws Error{"FILE:LINE: ..."}; `file` is what complaints call it.
Stored storedFromJson(std::string_view content, std::string_view file);

}  // namespace engine::schedules
