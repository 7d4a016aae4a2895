// SPDX-License-Identifier: BSD-3-Clause
// What replay writes beside its answer: a trace, GOAL text, a time-independent trace.
#pragma once

#include "app/cli/arguments/arguments.hpp"
#include "app/cli/output/console.hpp"
#include "app/session/replay/replay_run.hpp"

namespace app::cli {

/// Before any work: whether they could be written. Throws Error.
void requireReplayFilesFit(const Arguments& arguments);

/// Writes those that are asked for, and says so where `isText`.
void writeReplayFiles(const Replaying& replaying, const Arguments& arguments, bool isText, const Console& console);

}  // namespace app::cli
