// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "app/gui/scenes/subject/drawable_run.hpp"

#include <array>

namespace app::gui {

/// What two runs are called.
using Sides = std::array<QString, 2>;

/// Two runs number by number: what, the first, the second, and the change from the first to the second. Then round by
/// round, for as many rounds as the longer one has: how long it lasts, and what was sent in it where that differs. Of
/// traces without rounds `changes` of their programs (analysis::programChanges) stand in the place of these: call
/// paths, the largest difference first, and iterations.
Table differences(const DrawableRun& first, const DrawableRun& second, const Sides& sides,
                  std::span<const engine::Table> changes = {});

/// What the row of an iteration is called, before its number; and that of a round, of whose number a comma parts what
/// is said of it.
inline constexpr QLatin1String iterationRow{"Iteration "};
inline constexpr QLatin1String roundRow{"Round "};
/// Behind the number of one that others overlap: how much later the run is over for it.
inline constexpr QLatin1String adds{", time added"};

}  // namespace app::gui
