// SPDX-License-Identifier: BSD-3-Clause
// The first page of a training job, in the words of those who train: ranks, steps, streams, process groups.
#pragma once

#include "app/analysis/findings/finding.hpp"
#include "app/analysis/trace/trace_analysis.hpp"

#include <vector>

namespace app::analysis {

/// How long steps take and what fills them, who is the straggler and why, what the costliest collectives cost, which
/// steps are longer than others, and what was not recorded. Of a trace for which traces::isTraining holds.
std::vector<Finding> trainingPage(TraceAnalysis& analysis);

}  // namespace app::analysis
