// SPDX-License-Identifier: BSD-3-Clause
// A recording for https://ui.perfetto.dev and chrome://tracing: Chrome's JSON trace events.
#pragma once

#include "traces/recording.hpp"

#include <ostream>

namespace traces {

/// A process per rank, a thread per location; calls as slices, collectives as slices of a thread of their own, messages
/// as flows from slice to slice. Ends of messages whose other end is not in the trace are instants that say so, and
/// "not recorded" lists what is missing. Times are microseconds with six decimals: picoseconds are kept.
void writePerfetto(const Recording& recording, std::ostream& out);

}  // namespace traces
