// SPDX-License-Identifier: BSD-3-Clause
// Wait states and their root causes.
#pragma once

#include "app/analysis/findings/finding.hpp"
#include "app/analysis/trace/trace_analysis.hpp"

#include <vector>

namespace app::analysis {

/// Whether another tool recorded more of its program than calls of MPI.
bool recordsProgram(const Trace& trace);

/// Computes what waitFindings() needs most time for, beside instanceGroups() on another thread: instances() and
/// analysedSpan() are known, and instances have no messages.
void prepareWaitFindings(TraceAnalysis& analysis);

/// Wait states with their costliest cause, then up to two other causes that matter. In a chain of ranks that compute
/// one after the other (`isChain`) the first finding says so, too.
std::vector<Finding> waitFindings(TraceAnalysis& analysis, bool isChain);

}  // namespace app::analysis
