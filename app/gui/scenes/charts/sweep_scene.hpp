// SPDX-License-Identifier: BSD-3-Clause
// Time, or another number, against a size or whatever else varies, for several algorithms, with what no algorithm can
// beat as a line.
#pragma once

#include "app/gui/scenes/drawing/scene.hpp"
#include "app/session/sweep/chart.hpp"

namespace app::gui {

/// Lines differ in colour and in the shape of their marks; what was computed is dashed.
Scene sweepScene(const Chart& chart, bool dark, QSizeF size);
/// How high the picture must be at that width for every line to have its name.
double sweepHeight(const Chart& chart, double width);
/// Charts side by side with their titles, and what each shows below it.
Scene sheetScene(const Sheet& sheet, bool dark, QSizeF size);
/// One row per number, one column per algorithm.
Table sweepTable(const Chart& chart);

/// Lines that can be distinguished by their colour.
inline constexpr std::size_t mostSweepLines = 8;

}  // namespace app::gui
