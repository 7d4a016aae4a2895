// SPDX-License-Identifier: BSD-3-Clause
// Runs and recordings for https://ui.perfetto.dev: its own format (.pftrace), or Chrome's json, which chrome://tracing
// reads as well (.json).
#pragma once

#include "engine/run/run.hpp"
#include "traces/recording/recording.hpp"

#include <ostream>
#include <string_view>

namespace app::cli {

/// Whether a file with this ending is one of them.
bool isForPerfetto(std::string_view ending);

/// As `ending` says; the output contains the slices and arrows of traces/export/timeline.hpp.
void writePerfetto(const engine::Run& run, std::string_view ending, std::ostream& out);
void writePerfetto(const traces::Recording& recording, std::string_view ending, std::ostream& out);

}  // namespace app::cli
