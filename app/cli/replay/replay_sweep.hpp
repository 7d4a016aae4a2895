// SPDX-License-Identifier: BSD-3-Clause
// sweep over a trace: many replays of one program.
#pragma once

#include "app/cli/arguments/arguments.hpp"
#include "app/cli/output/console.hpp"

namespace app::cli {

/// `sweep TRACE`. Returns the exit code; throws Error.
int sweepReplays(const Arguments& arguments, const Console& console);

}  // namespace app::cli
