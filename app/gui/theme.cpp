// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/theme.hpp"

#include "app/gui/scenes/colours.hpp"

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
    const QColor window = dark ? QColor{0x1e, 0x24, 0x2c} : QColor{0xf1, 0xf3, 0xf5};
    const QColor button = dark ? QColor{0x2c, 0x34, 0x3e} : QColor{0xf8, 0xf9, 0xfa};
    const QColor highlight = dark ? QColor{0x2f, 0x81, 0xc4} : QColor{0x00, 0x6a, 0xb0};
    const QColor disabled = mixed(window, pictures.ink, 0.45);

    QPalette palette{button, window};
    palette.setColor(QPalette::Window, window);
    palette.setColor(QPalette::WindowText, pictures.ink);
    palette.setColor(QPalette::Base, pictures.paper);
    palette.setColor(QPalette::AlternateBase, pictures.tint);
    palette.setColor(QPalette::Text, pictures.ink);
    palette.setColor(QPalette::PlaceholderText, pictures.muted);
    palette.setColor(QPalette::Button, button);
    palette.setColor(QPalette::ButtonText, pictures.ink);
    palette.setColor(QPalette::ToolTipBase, dark ? button : pictures.ink);
    palette.setColor(QPalette::ToolTipText, dark ? pictures.ink : pictures.paper);
    palette.setColor(QPalette::Highlight, highlight);
    palette.setColor(QPalette::HighlightedText, Qt::white);
    palette.setColor(QPalette::Link, dark ? QColor{0x7a, 0xbd, 0xf0} : QColor{0x00, 0x5a, 0x96});
    palette.setColor(QPalette::LinkVisited, palette.color(QPalette::Link));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        palette.setColor(QPalette::Disabled, role, disabled);
    }
    return palette;
}

}  // namespace app::gui
