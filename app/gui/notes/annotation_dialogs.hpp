// SPDX-License-Identifier: BSD-3-Clause
// Notes on pictures, as dialogs and menus ask for them.
#pragma once

#include "app/gui/playback/playback.hpp"

class QMenu;

namespace app::gui {

/// Asks for the words of a new note at `place`, beside the window; none: no note.
void askForNote(QWidget& asking, Playback& playback, const Mark& place);
/// The same of one that is there; none: it goes.
void askForWords(QWidget& asking, Playback& playback, std::size_t mark);

/// Adds what can be done with notes: with `meaning`, where that is one; at `place`, a new one and others of the same
/// picture brought there; and undone.
void fillNoteMenu(QMenu& menu, QWidget& asking, Playback& playback, const std::optional<Meaning>& meaning,
                  const std::optional<Mark>& place);

}  // namespace app::gui
