// SPDX-License-Identifier: BSD-3-Clause
// From the rows of a sweep of replays to a chart.
#pragma once

#include "app/cli/sweep/sweep_chart.hpp"
#include "engine/base/table.hpp"

namespace app::cli {

/// By default time goes up over the first coordinate that is a number everywhere and varies; what else varies tells
/// lines apart. `all`: as replaySweepTable makes it. Throws Error where no number varies.
Chart replayChart(const engine::Table& all, const ChartWish& wish);

}  // namespace app::cli
