// SPDX-License-Identifier: BSD-3-Clause
// The first page of a trace, as text and json.
#pragma once

#include "app/analysis/trace/trace_analysis.hpp"
#include "app/cli/output/console.hpp"

namespace app::cli {

/// The report of the trace. Of a part, its numbers; times of its ranks are those within it, and what is known of a
/// whole run alone, such as its bounds, is not there.
Report shownReport(analysis::TraceAnalysis& analysis);

void writePage(analysis::TraceAnalysis& analysis, const Console& console);
void writePageJson(analysis::TraceAnalysis& analysis, const Console& console);

}  // namespace app::cli
