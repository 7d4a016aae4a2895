// SPDX-License-Identifier: BSD-3-Clause
// What was measured over MPI, in words and as json.
#pragma once

#include "app/cli/output/console.hpp"
#include "app/cli/output/json.hpp"
#include "app/session/run/live.hpp"

namespace app::cli {

/// Who ran where, and where several executions or methods were measured, a line for each method.
void writeMeasurement(const Measurement& measurement, const Console& console);

/// How much of a split-phase run's communication was hidden.
void writeOverlap(const Overlap& overlap, const Console& console);
Json overlapJson(const Overlap& overlap);

Json measurementJson(const Measurement& measurement);

}  // namespace app::cli
