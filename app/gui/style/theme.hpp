// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QPalette>
#include <QString>

namespace app::gui {

enum class Theme : std::uint8_t { system, light, dark };

QString name(Theme theme);
/// `system` for a word that names none.
Theme themeNamed(const QString& word);

/// Colours of all widgets, matching those of the pictures. `system`: what the desktop said at the start.
QPalette widgetPalette(Theme theme);

/// Whether text is lighter than its ground.
bool isDark(const QPalette& palette);

}  // namespace app::gui
