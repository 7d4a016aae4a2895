// SPDX-License-Identifier: BSD-3-Clause
// How efficient a program is, and which factor limits it (POP's multiplicative model).
#pragma once

#include "app/analysis/critical_path/serial_chain.hpp"
#include "app/analysis/findings/finding.hpp"
#include "app/analysis/trace/trace_analysis.hpp"

#include <optional>

namespace app::analysis {

/// The chain of ranks that compute one after the other, of a program that is limited by serialization.
std::optional<SerialChain> serializationOf(TraceAnalysis& analysis);

/// Parallel efficiency and its factors; nothing of a trace without calls of MPI.
std::optional<Finding> efficiencyFinding(TraceAnalysis& analysis, const std::optional<SerialChain>& chain);

}  // namespace app::analysis
