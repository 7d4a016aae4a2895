// SPDX-License-Identifier: BSD-3-Clause
// What is wrong with a file that chooses algorithms, and what it leaves to the library.
#pragma once

#include "app/session/tune/installed.hpp"
#include "app/session/tune/rules_file.hpp"

namespace app::tune {

/// By line, those of reading among them. `installed` is the library that the file is for.
Findings check(const RulesFile& file, const Installed& installed);

/// The library that the file is for, as it is installed; of Collscope nothing.
const Installed& installedFor(const RulesFile& file);

/// Whether Open MPI's algorithm cuts messages into segments of a given size.
bool hasSegments(const std::string& call, const std::string& algorithm);
/// Whether a fan-out decides how many chains it has.
bool hasFanOut(const std::string& call, const std::string& algorithm);

/// "64 KiB", "65535 B": never rounded, for limits.
std::string exactBytes(engine::Bytes bytes);
/// "4..7", "16 and more", "2".
std::string toText(const engine::live::Extent& range, bool asBytes = false);

/// What MPICH's condition is about: "comm_size", "avg_msg_size", "total_msg_size" or "count", with its limits; the
/// range is of values that meet it. Nothing for other conditions.
struct Threshold {
    std::string of;
    engine::live::Extent range{};
};
std::optional<Threshold> thresholdOf(const std::string& key);
/// Whether the condition holds for all: "any" or "avg_msg_size=any".
bool isAny(const std::string& key);

}  // namespace app::tune
