// SPDX-License-Identifier: BSD-3-Clause
// Runs as files that other programs read.
#pragma once

#include "app/session/session.hpp"

#include <filesystem>
#include <functional>
#include <ostream>

namespace app::cli {

/// One line per message; times in seconds, ranges as "begin-end" joined by spaces.
void writeMessagesCsv(const engine::Run& run, std::ostream& out);

/// Throws Error when `file` is there already and is not to be replaced.
void requireFree(const std::filesystem::path& file, bool force);

/// Lets `write` fill a file beside `file` and renames it: it appears whole or not at all. Throws Error.
void writeFile(const std::filesystem::path& file, const std::function<void(std::ostream&)>& write);

}  // namespace app::cli
