// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "app/gui/scenes/run/drawable_run.hpp"

namespace app::gui {

/// What there is to tell about `state.asked`, as rich text: what it is, when, who takes part, why it is so, with the
/// numbers of this run put into formulas, and what follows. What is named is a link: "rank:3", "message:17", "block:2",
/// "round:4" (from 0), "still:RANK:PICOSECONDS", "cause:1" (of analysis::gapCauses, -1 the bound), "link:5". Nothing
/// asked: what can be.
QString detailsOf(const DrawableRun& subject, const ViewState& state);

}  // namespace app::gui
