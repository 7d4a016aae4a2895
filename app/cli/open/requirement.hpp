// SPDX-License-Identifier: BSD-3-Clause
// open --require: whether efficiencies are as good as they have to be.
#pragma once

#include "app/analysis/trace/trace_analysis.hpp"
#include "app/cli/output/console.hpp"

#include <string>
#include <vector>

namespace app::cli {

/// What --require asks of an efficiency.
struct Requirement {
    struct Metric;

    const Metric* metric = nullptr;
    double least = 0;
    std::string words;
};

/// The names of what may be required.
std::vector<std::string> requirementMetrics();

/// "parallel-efficiency>=0.8", or ">=80%". Throws Error.
Requirement readRequirement(const std::string& words);

/// Complains about those that do not hold, on stderr; an exit code. Throws Error where the trace does not tell.
int require(const std::vector<Requirement>& requirements, analysis::TraceAnalysis& analysis, const Console& console);

}  // namespace app::cli
