// SPDX-License-Identifier: BSD-3-Clause
// What processors did while ranks computed, from the counters that a trace may hold: PAPI's PAPI_TOT_INS and
// PAPI_TOT_CYC, or those of perf by the names that Score-P gives them.
#pragma once

#include "app/analysis/calls/computation_times.hpp"
#include "traces/recording/recording.hpp"

#include <optional>

namespace app::analysis {

/// Summed over all ranks.
struct ComputationCounters {
    double instructions = 0;
    double cycles = 0;

    friend bool operator==(const ComputationCounters&, const ComputationCounters&) = default;
};

/// Outside of MPI within `span`. What was counted between two samples is spread evenly over the time between them.
/// Empty where the main thread of a rank lacks one of the two counters, or its values fall.
std::optional<ComputationCounters> computationCounters(const traces::Recording& recording,
                                                       const ComputationTimes& computation, traces::TimeSpan span);

}  // namespace app::analysis
