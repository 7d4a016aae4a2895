// SPDX-License-Identifier: BSD-3-Clause
// What a card says of the run beside its title: one short fact, read at a glance. Empty where there is none.
#pragma once

#include "app/gui/scenes/run/drawable_run.hpp"

namespace app::gui {

/// "round 4 of 7", "rounds 3 to 5 of 7" where ranks are in several.
QString roundFact(const DrawableRun& subject, const ViewState& state);
/// The same, and of a program, which has no rounds, the time.
QString momentFact(const DrawableRun& subject, const ViewState& state);
/// How long the run took: "190.5 us".
QString timeFact(const DrawableRun& subject, const ViewState& state);
/// "7 rounds, bound 6"; where no bound is known, "7 rounds".
QString roundsFact(const DrawableRun& subject, const ViewState& state);
/// What is followed, or chosen: "block 0", "rank 3".
QString chosenFact(const DrawableRun& subject, const ViewState& state);

}  // namespace app::gui
