// SPDX-License-Identifier: BSD-3-Clause
// Distinguishes a session file of the window from other json: schedules are json, too.
#pragma once

#include <filesystem>

namespace app {

/// The field of its first object that has the version of its form.
inline constexpr const char* savedWindowKey = "collscope_session";

/// Whether `file` is one, or a .json that cannot be read and is reported as one.
bool isSavedWindow(const std::filesystem::path& file);

}  // namespace app
