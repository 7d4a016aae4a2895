// SPDX-License-Identifier: BSD-3-Clause
// Records that become notices: what they hold, in the numbers of the whole archive.
#pragma once

#include "traces/reading/files/cursor.hpp"
#include "traces/reading/files/definitions.hpp"
#include "traces/reading/locations/rank_mapping.hpp"
#include "traces/recording/recording.hpp"

#include <cstdint>
#include <optional>

namespace traces::reading {

/// What the record `record` of `kind` tells, but for when; nothing where it becomes no notice, cannot be right, or
/// tells of what is not defined. `self` is the rank that tells. Values of parameters that are words are ids of strings.
std::optional<Notice> noticeOf(std::uint8_t kind, Cursor& record, const LocalDefinitions& local, const World& world,
                               Rank self);

}  // namespace traces::reading
