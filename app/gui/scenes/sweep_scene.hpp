// SPDX-License-Identifier: BSD-3-Clause
// Time against a size or another number, for several algorithms, with what no algorithm can beat as a line.
#pragma once

#include "app/gui/scenes/scene.hpp"
#include "app/session/chart.hpp"

namespace app::gui {

/// Both axes are logarithmic; lines differ in colour and in the shape of their marks.
Scene sweepScene(const Chart& chart, bool dark, QSizeF size);
/// One row per number, one column per algorithm.
Table sweepTable(const Chart& chart);

/// Lines that can be told apart by their colour.
inline constexpr std::size_t mostSweepLines = 8;

}  // namespace app::gui
