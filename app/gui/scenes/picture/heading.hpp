// SPDX-License-Identifier: BSD-3-Clause
// What stands above a picture: which run it shows, and which view of it.
#pragma once

#include "app/gui/scenes/drawing/scene_builder.hpp"
#include "app/gui/scenes/subject/drawable_run.hpp"

#include <string_view>

namespace app::gui {

/// What people call a view of pictureViews: "Who holds what" for "holdings".
QString headingOf(std::string_view view);

/// Draws the title and the conditions of the run at the top of `page`; returns where they end.
double drawTitle(SceneBuilder& pencil, const DrawableRun& subject, const QRectF& page);
/// The same of a program, whose picture begins with what it shows: its headline.
double drawTitle(SceneBuilder& pencil, const DrawableRun& subject, const QRectF& page,
                 const analysis::TracedProgram& program);

using SceneFunction = Scene (*)(const DrawableRun&, const ViewState&, QSizeF);

/// `scene` in `room` of `whole`, grown where the view needs only so much.
void placeGrown(Scene& whole, SceneFunction scene, const DrawableRun& subject, const ViewState& state,
                const QRectF& room);

/// `scene` below a title and the heading of `view`, where there is room for them.
Scene titled(std::string_view view, const DrawableRun& subject, const ViewState& state, QSizeF size,
             SceneFunction scene);

}  // namespace app::gui
