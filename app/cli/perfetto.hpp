// SPDX-License-Identifier: BSD-3-Clause
// Runs and recordings for https://ui.perfetto.dev and chrome://tracing.
#pragma once

#include "engine/run.hpp"
#include "traces/recording.hpp"

#include <ostream>

namespace app::cli {

/// Ranks are processes, ports are threads; slices know their round, arrows lead from send to receive.
void writePerfetto(const engine::Run& run, std::ostream& out);

/// A process per rank, a thread per location; calls as slices, collectives as slices of a thread of their own, messages
/// as arrows from slice to slice. Ends of messages whose other end is not in the trace are instants that say so, and
/// "not recorded" lists what is missing.
void writePerfetto(const traces::Recording& recording, std::ostream& out);

}  // namespace app::cli
