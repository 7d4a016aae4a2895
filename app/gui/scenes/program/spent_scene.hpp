// SPDX-License-Identifier: BSD-3-Clause
// How the ranks of a traced program spent its time, in the parts of the bar below the headline.
#pragma once

#include "app/gui/scenes/drawing/scene.hpp"
#include "engine/types.hpp"

namespace app::analysis {
class TracedProgram;
}

namespace app::gui {

Scene spentScene(const Subject& subject, const analysis::TracedProgram& program, const ViewState& state, QSizeF size);
/// Of the time of all ranks, 0..1.
double waitingShare(const Subject& subject, const analysis::TracedProgram& program);
/// "compute 113.2 ms, 31.1 %" and the other parts of a rank's time that there are.
QStringList spentInWords(const Subject& subject, const analysis::TracedProgram& program, engine::Rank rank);
/// Its numbers, by rank: they add up to the time of the program.
Table spentTable(const Subject& subject, const analysis::TracedProgram& program);

}  // namespace app::gui
