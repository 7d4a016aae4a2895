// SPDX-License-Identifier: BSD-3-Clause
// What is wrong with a file that chooses algorithms, and what it leaves to the library.
#pragma once

#include "app/session/tune/installed.hpp"
#include "app/session/tune/rules_file.hpp"

namespace app::tune {

/// By line, those of reading among them. `installed` is the library that the file is for.
Findings check(const RulesFile& file, const Installed& installed);

/// Throws Error if the library ignores the file, or ends every program with it.
void requireUsable(const RulesFile& file, const Installed& installed);

/// The library that the file is for, as it is installed; of Collscope nothing.
const Installed& installedFor(const RulesFile& file);

/// Whether Open MPI's algorithm cuts messages into segments of a given size.
bool hasSegments(const std::string& call, const std::string& algorithm);
/// Whether a fan-out decides how many chains it has.
bool hasFanOut(const std::string& call, const std::string& algorithm);

/// Open MPI makes at most so many chains.
inline constexpr std::int64_t mostChains = 32;

/// "64 KiB", "65535 B": never rounded, for limits.
std::string exactBytes(engine::Bytes bytes);
/// "4..7", "16 and more", "2".
std::string toText(const engine::live::Extent& range, bool asBytes = false);

}  // namespace app::tune
