// SPDX-License-Identifier: BSD-3-Clause
// Notes of the user on a picture: slips beside the places they are about.
#pragma once

#include "app/gui/scenes/pencil.hpp"
#include "app/gui/scenes/scene.hpp"

#include <functional>

namespace app::gui {

/// Where in the picture a note's place is; nothing: it is not in sight, or of another picture.
using PlaceOfNote = std::function<std::optional<QPointF>(const PinnedNote&)>;

/// Slips within `within`, each with a line to its place; a click on one means its rank or link.
void drawNotes(Pencil& pencil, const ViewState& state, const QRectF& within, const PlaceOfNote& placeOf);

/// Tells it in a few words: the first ones, where it is long.
QString shortly(const PinnedNote& note);

}  // namespace app::gui
