// SPDX-License-Identifier: BSD-3-Clause
// Debug logs of NCCL: what `open` shows, `verify` checks and `export` writes of them.
#pragma once

#include "app/cli/commands.hpp"
#include "traces/nccl/log.hpp"

namespace app::cli::nccl {

/// Whether `path` is a log, or a folder that holds some and nothing else that opens.
bool isLog(const std::string& path);

/// Rings, trees, connections, algorithms and calls.
int openLog(const std::string& path, const std::string& format, const Console& console);
/// Exit code 1 where a ring or tree is broken.
int verifyLog(const std::string& path, const std::string& format, const Console& console);
/// A network (.dot) or a placement (.placement). Throws Error for other endings.
void exportLog(const std::string& path, const std::filesystem::path& file, bool force, const Console& console);

}  // namespace app::cli::nccl
