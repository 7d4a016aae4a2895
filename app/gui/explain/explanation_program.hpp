// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "app/gui/scenes/run/drawable_run.hpp"

namespace app::gui {

/// What the ranks of a traced program do at the cursor's moment, in which iteration that is, and what made them wait,
/// as rich text. Empty until that is known.
QString programText(const DrawableRun& subject, const ViewState& state);

}  // namespace app::gui
