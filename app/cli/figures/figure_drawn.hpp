// SPDX-License-Identifier: BSD-3-Clause
// Figures of papers that are pictures of schedules: their runs, ready to be drawn.
#pragma once

#include "app/cli/figures/figure_result.hpp"
#include "app/gui/gui.hpp"

#include <string>
#include <vector>

namespace app::cli {

/// Runs what the pictures of the item show, which has some. Throws Error, Cancelled.
gui::Panels drawnPanelsOf(const FigureResult& made, const engine::Progress& progress = {});

/// The command that draws the run of each panel in its view, whole.
std::vector<std::string> commandsOf(const figures::Drawn& drawn);

}  // namespace app::cli
