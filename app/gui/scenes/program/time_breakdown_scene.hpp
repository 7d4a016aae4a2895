// SPDX-License-Identifier: BSD-3-Clause
// How the ranks of a traced program spent its time, in the parts of the bar below the headline.
#pragma once

#include "app/gui/scenes/drawing/scene.hpp"
#include "engine/base/types.hpp"

namespace app::analysis {
class TracedProgram;
}

namespace app::gui {

Scene spentScene(const DrawableRun& subject, const analysis::TracedProgram& program, const ViewState& state,
                 QSizeF size);
/// Its numbers, by rank: they add up to the time of the program.
Table spentTable(const DrawableRun& subject, const analysis::TracedProgram& program);

}  // namespace app::gui
