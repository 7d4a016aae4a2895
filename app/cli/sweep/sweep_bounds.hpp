// SPDX-License-Identifier: BSD-3-Clause
// What no run of a sweep can beat, as lines of its chart.
#pragma once

#include "app/session/sweep/chart.hpp"
#include "app/session/sweep/sweep.hpp"

#include <string>
#include <vector>

namespace app::cli {

/// A run on the x axis.
struct BoundAt {
    double x = 0;
    std::string problem;  ///< what tells its problem from others of the chart; empty: nothing
    const SweepResult* result = nullptr;
};

/// A line for all schedules, and one for each class of schedules that cannot be as fast; where the bounds of problems
/// differ, one for each of them.
std::vector<Chart::Line> boundsOf(const std::vector<BoundAt>& runs);

}  // namespace app::cli
