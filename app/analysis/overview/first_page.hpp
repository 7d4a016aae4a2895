// SPDX-License-Identifier: BSD-3-Clause
// The first page of a trace: its findings, the most important first. Which rank waited for which and where in the
// program that came from, what its collectives did, how far from the bounds and why, what would have been faster.
#pragma once

#include "app/analysis/findings/finding.hpp"
#include "app/analysis/findings/trace_analysis.hpp"

#include <cstdint>
#include <vector>

namespace app::analysis {

/// Whether the analysis is asked anything else after its first page: else that may give up what it no longer needs.
enum class Afterwards : std::uint8_t { asked, over };

/// At most eight findings and those on what is wrong with the program.
std::vector<Finding> firstPage(TraceAnalysis& analysis, Afterwards afterwards = Afterwards::asked);

}  // namespace app::analysis
