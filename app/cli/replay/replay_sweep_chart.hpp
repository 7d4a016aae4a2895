// SPDX-License-Identifier: BSD-3-Clause
// From the rows of a sweep of replays to a chart.
#pragma once

#include "app/cli/arguments/arguments.hpp"
#include "app/session/sweep/chart.hpp"
#include "engine/base/table.hpp"

namespace app::cli {

/// What is drawn; what is left empty is chosen.
struct ReplayChartWish {
    std::string across{};  ///< a coordinate that is a number
    std::string up{};      ///< "time" or a result that is a number
    bool linearAcross = false;
    bool linearUp = false;
    std::string title{};
};

/// Throws Error for words that mean nothing.
ReplayChartWish readReplayChartWish(const Arguments& arguments);

/// By default time goes up over the first coordinate that is a number everywhere and varies; what else varies tells
/// lines apart. `all`: as replaySweepTable makes it. Throws Error where no number varies.
Chart replayChart(const engine::Table& all, const ReplayChartWish& wish);

}  // namespace app::cli
