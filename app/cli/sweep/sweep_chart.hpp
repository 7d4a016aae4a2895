// SPDX-License-Identifier: BSD-3-Clause
// From the rows of a sweep to a chart of one number over another.
#pragma once

#include "app/cli/sweep/sweep_table.hpp"
#include "app/session/options/formula.hpp"
#include "app/session/sweep/chart.hpp"

namespace app::cli {

/// What of a sweep is drawn, and how. What is left empty is chosen.
struct ChartWish {
    std::string across{};                 ///< a coordinate, an option, or a formula
    std::string up{};                     ///< "time", "ratio", ..., or a formula
    std::vector<std::string> series{};    ///< coordinates and options that tell lines apart
    std::string baseline{};               ///< "ID", "KEY=VALUE", "ID:KEY=VALUE": the runs that others are held to
    bool formula = false;                 ///< each algorithm's own closed form
    std::vector<std::string> formulas{};  ///< "NAME=FORMULA"
    bool linearAcross = false;
    bool linearUp = false;
    std::string title{};
    std::string measuredAs{};  ///< the one line of what was measured; empty: points beside the line of each series
};

/// Throws Error for words that mean nothing.
ChartWish readChartWish(const Arguments& arguments);

/// The numbers of a point and of what it came to, by the names that formulas use: p and n (ranks, or group A), q,
/// size, size_b, total, largest, smallest, empty, ports, root, alpha, beta, gamma (seconds), the options that are
/// numbers; and, where there is a result, time, measured, rounds, messages, bytes, idle, bound, bound_rounds,
/// bound_volume.
ParameterValues parameterValuesOf(const Point& point, const SweepResult* result);

/// Row i came of point i. By default time goes up over the first number that varies: ranks, groups, sizes, roots,
/// ports, then options. Rows that differ in anything else make lines of their own, named by that. Refused rows are left
/// out. Throws Error, also when no number varies.
Chart chartOf(const std::vector<SweepRow>& rows, const std::vector<Point>& points, const ChartWish& wish = {});

}  // namespace app::cli
