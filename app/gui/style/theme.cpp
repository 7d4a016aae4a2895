// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/style/theme.hpp"

#include "app/gui/scenes/drawing/colours.hpp"
#include "app/gui/scenes/drawing/style.hpp"

#include <QApplication>
#include <QStyle>

namespace app::gui {

QString name(Theme theme) {
    switch (theme) {
        case Theme::light: return "light";
        case Theme::dark: return "dark";
        case Theme::system: break;
    }
    return "system";
}

Theme themeNamed(const QString& word) {
    if (word == "light") return Theme::light;
    if (word == "dark") return Theme::dark;
    return Theme::system;
}

bool isDark(const QPalette& palette) { return palette.color(QPalette::Window).lightness() < 128; }

// Qt 6.4 does not say whether the desktop is dark; the palette it came with does.
QPalette widgetPalette(Theme theme) {
    static const QPalette fromDesktop = QApplication::palette();
    const bool dark = theme == Theme::dark || (theme == Theme::system && isDark(fromDesktop));
    const Palette pictures = paletteFor(dark);
    const QColor button = dark ? pictures.groove : pictures.paper;
    const QColor disabled = mixed(pictures.ground, pictures.ink, 0.45);

    QPalette palette{button, pictures.ground};
    palette.setColor(QPalette::Window, pictures.ground);
    palette.setColor(QPalette::WindowText, pictures.ink);
    palette.setColor(QPalette::Base, pictures.paper);
    palette.setColor(QPalette::AlternateBase, pictures.tint);
    palette.setColor(QPalette::Text, pictures.ink);
    palette.setColor(QPalette::PlaceholderText, pictures.muted);
    palette.setColor(QPalette::Button, button);
    palette.setColor(QPalette::ButtonText, pictures.ink);
    palette.setColor(QPalette::ToolTipBase, dark ? button : pictures.ink);
    palette.setColor(QPalette::ToolTipText, dark ? pictures.ink : pictures.paper);
    palette.setColor(QPalette::Highlight, pictures.highlight);
    palette.setColor(QPalette::HighlightedText, Qt::white);
    palette.setColor(QPalette::Link, pictures.link);
    palette.setColor(QPalette::LinkVisited, palette.color(QPalette::Link));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        palette.setColor(QPalette::Disabled, role, disabled);
    }
    return palette;
}

}  // namespace app::gui
