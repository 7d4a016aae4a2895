// SPDX-License-Identifier: BSD-3-Clause
// What the window says of a run at first sight, and the moment at which it shows it.
#pragma once

#include "app/gui/scenes/run/drawable_run.hpp"

#include <QString>

namespace app::gui {

/// "4 ranks"; where not all were recorded, "2 of 128 ranks".
QString ranksInWords(const DrawableRun& subject);

/// Its size, its time, how far that is above the lower bound, and whether it is proved.
QString runInALine(const DrawableRun& subject);

/// The counterexample of a refuted schedule; else a little before the middle of the run and in the middle of a round:
/// messages are in flight, some blocks have arrived.
engine::Picoseconds tellingMoment(const DrawableRun& subject);

}  // namespace app::gui
