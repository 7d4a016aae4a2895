// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/style/icons.hpp"

#include <QPainter>
#include <QPainterPath>
#include <QPixmap>

#include <cmath>
#include <numbers>

namespace app::gui {
namespace {

// All signs are drawn in a field of 16 x 16.
constexpr int field = 16;

QPainterPath triangle(double tip, double base) {
    QPainterPath path;
    path.moveTo(tip, 8);
    path.lineTo(base, 3);
    path.lineTo(base, 13);
    path.closeSubpath();
    return path;
}

QPainterPath bar(double left, double width) {
    QPainterPath path;
    path.addRect(left, 3, width, 10);
    return path;
}

QPainterPath loopPath() {
    QPainterPath ring;
    ring.arcMoveTo(3, 3, 10, 10, 60);
    ring.arcTo(3, 3, 10, 10, 60, -300);
    QPainterPathStroker stroker;
    stroker.setWidth(1.8);
    QPainterPath path = stroker.createStroke(ring);
    path.moveTo(6.6, 3.8);
    path.lineTo(12.2, 1.2);
    path.lineTo(11.6, 7.0);
    path.closeSubpath();
    path.setFillRule(Qt::WindingFill);
    return path;
}

QPainterPath pathOf(Sign sign) {
    switch (sign) {
        case Sign::toBegin: return bar(2.5, 2) | triangle(4.5, 13);
        case Sign::stepBack: return triangle(3, 10) | bar(11, 2);
        case Sign::play: return triangle(13.5, 3.5);
        case Sign::pause: return bar(3.5, 3.2) | bar(9.3, 3.2);
        case Sign::stepForward: return bar(3, 2) | triangle(13, 6);
        case Sign::toEnd: return triangle(11.5, 3) | bar(11.5, 2);
        case Sign::loop: return loopPath();
    }
    return {};
}

QPixmap drawn(Sign sign, const QColor& colour, int scale) {
    QPixmap pixmap{field * scale, field * scale};
    pixmap.fill(Qt::transparent);
    QPainter painter{&pixmap};
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(scale, scale);
    painter.fillPath(pathOf(sign), colour);
    return pixmap;
}

}  // namespace

QIcon icon(Sign sign, const QPalette& palette) {
    QIcon icon;
    for (const int scale : {1, 2, 3, 4}) {
        icon.addPixmap(drawn(sign, palette.color(QPalette::Active, QPalette::ButtonText), scale));
        icon.addPixmap(drawn(sign, palette.color(QPalette::Disabled, QPalette::ButtonText), scale), QIcon::Disabled);
    }
    return icon;
}

QIcon programIcon() {
    QPixmap pixmap{64, 64};
    pixmap.fill(Qt::transparent);
    QPainter painter{&pixmap};
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen{QColor{0x70, 0x80, 0x90}, 4});
    painter.drawEllipse(QPointF{32, 32}, 23, 23);
    painter.setPen(Qt::NoPen);
    const QColor colours[] = {{0x00, 0x72, 0xb2}, {0xe6, 0x9f, 0x00}, {0x00, 0x9e, 0x73},
                              {0xd5, 0x5e, 0x00}, {0xcc, 0x79, 0xa7}, {0x56, 0xb4, 0xe9}};
    for (int i = 0; i < 6; ++i) {
        const double angle = i * std::numbers::pi / 3;
        painter.setBrush(colours[i]);
        painter.drawEllipse(QPointF{32 + 23 * std::sin(angle), 32 - 23 * std::cos(angle)}, 8, 8);
    }
    return pixmap;
}

}  // namespace app::gui
