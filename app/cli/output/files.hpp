// SPDX-License-Identifier: BSD-3-Clause
// Runs as files that other programs read.
#pragma once

#include "app/cli/output/console.hpp"
#include "app/session/session.hpp"
#include "engine/base/new_file.hpp"

#include <filesystem>
#include <functional>
#include <ostream>
#include <stop_token>
#include <string_view>

namespace app::cli {

/// Throws Error, which names the flag, when `file` is there already and is not to be replaced.
void requireFree(const std::filesystem::path& file, bool force, std::string_view flag = "--output");

/// What --force says of a file that is there.
engine::Existing existing(bool force);

/// Lets `write` fill `file`, as engine::NewFile does: it appears whole or not at all. Throws Error; Cancelled once
/// `stop` asks for it.
void writeFile(const std::filesystem::path& file, engine::Existing existing, const std::stop_token& stop,
               const std::function<void(std::ostream&)>& write);

/// "wrote FILE", for people: with the size of a page.
void sayWritten(const std::filesystem::path& file, const Console& console);

}  // namespace app::cli
