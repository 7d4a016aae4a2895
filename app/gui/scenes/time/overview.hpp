// SPDX-License-Identifier: BSD-3-Clause
// The minimap of the space-time diagram.
#pragma once

#include "app/gui/scenes/drawing/scene.hpp"

namespace app::gui {

/// Two layers: messages in flight over the whole run; and above them what the diagram shows, and the cursor.
Scene overviewBackground(const DrawableRun& subject, const ViewState& state, QSizeF size);
Scene overviewForeground(const DrawableRun& subject, const ViewState& state, QSizeF size);
/// The axis of the strip: always the whole run.
TimeAxis overviewAxis(const DrawableRun& subject, const ViewState& state, QSizeF size);
Table overviewTable(const DrawableRun& subject, const ViewState& state);

}  // namespace app::gui
