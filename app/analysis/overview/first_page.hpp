// SPDX-License-Identifier: BSD-3-Clause
// The first page of a trace: its findings, the most important first. Wait states and their root causes, collectives,
// distance to lower bounds, faster algorithms.
#pragma once

#include "app/analysis/findings/finding.hpp"
#include "app/analysis/trace/trace_analysis.hpp"

#include <cstdint>
#include <vector>

namespace app::analysis {

/// What the analysis is used for. With `pageOnly`, intermediate results may be discarded before the page is complete.
enum class AnalysisUse : std::uint8_t { pageAndMore, pageOnly };

/// At most eight findings and those on what is wrong with the program.
std::vector<Finding> firstPage(TraceAnalysis& analysis, AnalysisUse use = AnalysisUse::pageAndMore);

}  // namespace app::analysis
