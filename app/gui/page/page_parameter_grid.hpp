// SPDX-License-Identifier: BSD-3-Clause
// The same run with other sizes and startups, computed while the page is written: what its sliders show.
#pragma once

#include "app/gui/page/document.hpp"
#include "engine/run/executor.hpp"

#include <memory>

namespace app::gui::page {

struct Grid {
    std::vector<std::unique_ptr<Footage>> others;  ///< run 1 and so on; run 0 is in the middle
    std::vector<Axis> axes;                        ///< none: there is nothing to turn
    std::vector<int> runs;
    std::vector<engine::Picoseconds> times;  ///< of each of `runs`
};

/// As many runs as have room in `bytes`. None where the run was not made in virtual time under alpha and beta, or is
/// so large that others would take long.
Grid gridAround(const Report& report, const Footage& footage, Drawing& drawing, qsizetype bytes,
                const engine::Progress& progress);

/// Times of all runs as a section; empty without a grid.
QByteArray gridTable(const Grid& grid, const std::vector<QString>& results);

}  // namespace app::gui::page
