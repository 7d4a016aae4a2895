// SPDX-License-Identifier: BSD-3-Clause
// Notes of the user as small notes beside the places that they are about.
#pragma once

#include "app/gui/scenes/drawing/scene_builder.hpp"
#include "app/gui/scenes/run/drawable_run.hpp"

#include <functional>

namespace app::gui {

/// Where in the picture a mark's place is; nothing: out of sight, or the run has none such.
using PlaceOfMark = std::function<std::optional<QPointF>(const Mark&)>;

/// A slip within `within` for each mark on `on`, with a line to its place. Slips give way to words and to what can be
/// clicked, as far as the scene has it already.
void drawSlips(SceneBuilder& pencil, const ViewState& state, Mark::On on, const QRectF& within,
               const PlaceOfMark& placeOf);

/// The first words of a note, for lists and menus.
QString shortly(const Mark& mark);
/// "rank 3", "rank 3, network", "link 0 \u2192 1"; empty of a mark that is only a moment.
QString whereInWords(const DrawableRun& subject, const Mark& mark);

}  // namespace app::gui
