// SPDX-License-Identifier: BSD-3-Clause
// What stands above a picture: which run it shows, and which view of it.
#pragma once

#include "app/gui/scenes/drawing/scene_builder.hpp"
#include "app/gui/scenes/picture/views.hpp"
#include "app/gui/scenes/run/drawable_run.hpp"

namespace app::gui {

/// What people call the view of that name: "Block ownership" for "holdings".
QString headingOf(std::string_view view);

/// Draws the title and the conditions of the run at the top of `page`; returns where they end.
double drawTitle(SceneBuilder& pencil, const DrawableRun& subject, const QRectF& page);
/// The same of a program, whose picture begins with what it shows: its headline.
double drawTitle(SceneBuilder& pencil, const DrawableRun& subject, const QRectF& page,
                 const analysis::TracedProgram& program);

/// `view` in `room` of `whole`, grown where it needs only so much.
void placeGrown(Scene& whole, const View& view, const DrawableRun& subject, const ViewState& state, const QRectF& room);

/// `view` below a title and its heading, where there is room for them.
Scene titled(const View& view, const DrawableRun& subject, const ViewState& state, QSizeF size);

}  // namespace app::gui
