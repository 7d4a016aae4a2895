// SPDX-License-Identifier: BSD-3-Clause
// The first page of a trace: its findings, the most important first. Wait states and their root causes, collectives,
// distance to lower bounds, faster algorithms.
#pragma once

#include "app/analysis/findings/finding.hpp"
#include "app/analysis/findings/trace_analysis.hpp"

#include <cstdint>
#include <vector>

namespace app::analysis {

/// Whether the analysis is asked anything else after its first page: else that may give up what it no longer needs.
enum class AnalysisUse : std::uint8_t { asked, over };

/// At most eight findings and those on what is wrong with the program.
std::vector<Finding> firstPage(TraceAnalysis& analysis, AnalysisUse afterwards = AnalysisUse::pageAndMore);

}  // namespace app::analysis
