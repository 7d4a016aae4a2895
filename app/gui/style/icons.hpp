// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QIcon>
#include <QPalette>

namespace app::gui {

enum class Sign : std::uint8_t { toBegin, stepBack, play, pause, stepForward, toEnd, loop };

/// The sign in the palette's text colour, so that it is seen on a dark ground too; sharp at any scale.
QIcon icon(Sign sign, const QPalette& palette);

/// The program's own mark, for the title bar: ranks on a ring and a message between them.
QIcon programIcon();

}  // namespace app::gui
