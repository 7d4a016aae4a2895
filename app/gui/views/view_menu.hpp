// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "app/gui/views/view_widget.hpp"

#include <QMenu>

namespace app::gui {

/// What can be done with `meaning`, the thing under the mouse, with notes at `place`, and with the picture as a whole.
void fillViewMenu(QMenu& menu, ViewWidget& view, Playback& playback, const std::optional<Meaning>& meaning,
                  const std::optional<Mark>& place = {});

}  // namespace app::gui
