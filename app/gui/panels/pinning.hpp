// SPDX-License-Identifier: BSD-3-Clause
// Putting notes on pictures: asking for their words, moving them, taking them away.
#pragma once

#include "app/gui/playback.hpp"

class QMenu;

namespace app::gui {

/// Asks for the words of a new note at `place`, beside the window.
void askForNote(QWidget& asking, Playback& playback, const PinnedNote& place);

/// What can be done with notes at `place`: add one; edit, remove those that are there; bring others of the same picture
/// here; undo.
void fillNoteMenu(QMenu& menu, QWidget& asking, Playback& playback, const PinnedNote& place);

}  // namespace app::gui
