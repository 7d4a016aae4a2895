// SPDX-License-Identifier: BSD-3-Clause
// Chakra execution traces as ASTRA-sim's custom collectives: for each rank a file NAME.RANK.et of protobuf messages,
// each behind its length, whose nodes send, receive or compute and wait for each other. They say how many bytes, and
// not which: that is worked out as for GOAL.
#pragma once

#include "engine/schedule_files/stored_schedule.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace engine::schedules::chakra {

/// "NAME.RANK.et" as NAME and RANK.
struct Part {
    std::string name{};
    std::int32_t rank = 0;
};
std::optional<Part> partOf(std::string_view path);

/// Whether this is a file, NAME.RANK.et, of a training job: its metadata names no collective that it would be a
/// schedule of.
bool isOfJob(const std::string& path);

/// The files NAME.0.et, NAME.1.et, ... to which `path` belongs, as one content. Throws Error where they cannot be read.
std::string contentOf(const std::string& path);

/// The messages in rounds, with contents where the problem is known: its collective is stated, and its size by the file
/// of MSCCL that the trace was made from, or else taken as that of which each rank receives no byte too many. Throws
/// Error, which begins with `file`.
Stored storedFrom(std::string_view content, std::string_view file);

}  // namespace engine::schedules::chakra
