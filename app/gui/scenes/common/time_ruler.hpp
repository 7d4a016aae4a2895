// SPDX-License-Identifier: BSD-3-Clause
// What diagrams over time have in common: the axis below, the user's marks, and the cursor.
#pragma once

#include "app/gui/scenes/drawing/scene_builder.hpp"
#include "app/gui/scenes/drawing/time_axis.hpp"

namespace app::gui {

/// Ticks with their times below `plot`, and the unit at their right.
void drawTimeRuler(SceneBuilder& pencil, const TimeAxis& axis, const QRectF& plot);
/// The user's marks, with as much of their notes as fits before the next one.
void drawMarks(SceneBuilder& pencil, const ViewState& state, const TimeAxis& axis, const QRectF& plot);
/// The moment of the cursor; nothing where that is out of sight.
void drawCursor(SceneBuilder& pencil, const ViewState& state, const TimeAxis& axis, const QRectF& plot);
/// What is hidden from the veil on.
void drawVeil(SceneBuilder& pencil, const ViewState& state, const TimeAxis& axis, const QRectF& plot);

}  // namespace app::gui
