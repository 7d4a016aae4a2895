// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/style/quiet_style.hpp"

#include "app/gui/scenes/drawing/colours.hpp"

#include <QPainter>
#include <QStyleOption>
#include <QToolButton>

namespace app::gui {
namespace {

constexpr double pressedShare = 0.25;  // of the line's colour within it

/// Fusion's outlines are the ground made darker, which on a dark one cannot be seen.
void drawBox(const QStyleOption& option, QPainter& painter, bool round) {
    const QPalette& palette = option.palette;
    const bool enabled = option.state.testFlag(QStyle::State_Enabled);
    const QColor ground = palette.color(QPalette::Window);
    const QColor ink = palette.color(enabled ? QPalette::Active : QPalette::Disabled, QPalette::WindowText);
    const bool sought = enabled && option.state.testFlag(QStyle::State_MouseOver);
    const QRectF box = QRectF{option.rect}.adjusted(1.5, 1.5, -1.5, -1.5);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen{mixed(ground, ink, sought ? 0.95 : 0.65), 1.2});
    painter.setBrush(palette.color(QPalette::Base));
    if (round) painter.drawEllipse(box);
    else painter.drawRoundedRect(box, 2.5, 2.5);
    if (option.state.testFlag(QStyle::State_On) && round) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(ink);
        const double inset = box.width() * 0.27;
        painter.drawEllipse(box.adjusted(inset, inset, -inset, -inset));
    } else if (option.state.testFlag(QStyle::State_On)) {
        painter.setPen(QPen{ink, 1.8, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin});
        const auto at = [&](double x, double y) {
            return QPointF{box.left() + x * box.width(), box.top() + y * box.height()};
        };
        painter.drawPolyline(QPolygonF{{at(0.22, 0.52), at(0.43, 0.73), at(0.79, 0.28)}});
    } else if (option.state.testFlag(QStyle::State_NoChange) && !round) {
        painter.setPen(QPen{ink, 1.8, Qt::SolidLine, Qt::RoundCap});
        painter.drawLine(QPointF{box.left() + box.width() * 0.25, box.center().y()},
                         QPointF{box.right() - box.width() * 0.25, box.center().y()});
    }
    painter.restore();
}

/// Fusion's pressed button is its ground made a little darker, which on a dark one looks like the others.
void drawPressed(const QStyleOption& option, QPainter& painter) {
    const QPalette& palette = option.palette;
    const bool enabled = option.state.testFlag(QStyle::State_Enabled);
    const bool focused = option.state.testFlag(QStyle::State_HasFocus);
    const QColor line =
        enabled ? palette.color(QPalette::Highlight) : palette.color(QPalette::Disabled, QPalette::WindowText);
    const double width = focused ? 2 : 1.2;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen{line, width});
    painter.setBrush(mixed(palette.color(QPalette::Button), line, pressedShare));
    const double inset = width / 2;
    painter.drawRoundedRect(QRectF{option.rect}.adjusted(inset, inset, -inset, -inset), 3, 3);
    painter.restore();
}

/// The arrow in `box` of a bar that leads along it.
void drawArrow(QPainter& painter, const QRectF& box, Qt::ArrowType way, const QColor& ink) {
    QPolygonF head{{QPointF{-3, -1.5}, QPointF{3, -1.5}, QPointF{0, 2}}};
    QTransform turned = QTransform::fromTranslate(box.center().x(), box.center().y());
    turned.rotate(way == Qt::UpArrow ? 180 : way == Qt::LeftArrow ? 90 : way == Qt::RightArrow ? -90 : 0);
    painter.setBrush(ink);
    painter.drawPolygon(turned.map(head));
}

/// Fusion's handle is the ground of buttons: on light paper the trough around it looks like the handle.
void drawScrollBar(const QStyle& style, const QStyleOptionSlider& bar, QPainter& painter, const QWidget* widget) {
    const QColor ground = bar.palette.color(QPalette::Window);
    const QColor ink = bar.palette.color(QPalette::WindowText);
    const bool level = bar.orientation == Qt::Horizontal;
    const auto part = [&](QStyle::SubControl which) {
        return QRectF{style.subControlRect(QStyle::CC_ScrollBar, &bar, which, widget)};
    };
    const bool held = bar.activeSubControls == QStyle::SC_ScrollBarSlider &&
                      (bar.state.testFlag(QStyle::State_Sunken) || bar.state.testFlag(QStyle::State_MouseOver));
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.fillRect(bar.rect, mixed(ground, ink, 0.06));
    const bool moves = bar.maximum > bar.minimum;
    const QColor handle = mixed(ground, ink, !moves ? 0.2 : held ? 0.75 : 0.58);
    const bool mirrored = level && bar.direction == Qt::RightToLeft;
    drawArrow(painter, part(QStyle::SC_ScrollBarSubLine),
              !level     ? Qt::UpArrow
              : mirrored ? Qt::RightArrow
                         : Qt::LeftArrow,
              handle);
    drawArrow(painter, part(QStyle::SC_ScrollBarAddLine),
              !level     ? Qt::DownArrow
              : mirrored ? Qt::LeftArrow
                         : Qt::RightArrow,
              handle);
    painter.setBrush(handle);
    const QRectF slider =
        part(QStyle::SC_ScrollBarSlider).adjusted(level ? 1 : 3, level ? 3 : 1, level ? -1 : -3, level ? -3 : -1);
    if (moves) painter.drawRoundedRect(slider, 3, 3);
    painter.restore();
}

/// What is chosen and stays so; what opens and closes says so by its arrow.
bool isChosen(const QStyleOption& option, const QWidget* widget) {
    const auto* tool = qobject_cast<const QToolButton*>(widget);
    return option.state.testFlag(QStyle::State_On) && (tool == nullptr || tool->arrowType() == Qt::NoArrow);
}

}  // namespace

void QuietStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                               const QWidget* widget) const {
    if (element == PE_IndicatorDockWidgetResizeHandle || element == PE_PanelMenuBar) return;
    if (element == PE_IndicatorCheckBox || element == PE_IndicatorItemViewItemCheck ||
        element == PE_IndicatorRadioButton)
        return drawBox(*option, *painter, element == PE_IndicatorRadioButton);
    if ((element == PE_PanelButtonTool || element == PE_PanelButtonCommand) && isChosen(*option, widget))
        return drawPressed(*option, *painter);
    QProxyStyle::drawPrimitive(element, option, painter, widget);
}

void QuietStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                             const QWidget* widget) const {
    // The dots on handles, and the lines of bars that do not move.
    if (element == CE_Splitter || element == CE_ToolBar) return;
    if (element == CE_ToolButtonLabel && widget != nullptr && widget->objectName().endsWith("bar_ext_button")) {
        // Qt's picture of it is black on every ground.
        painter->setPen(option->palette.color(QPalette::WindowText));
        painter->drawText(option->rect, Qt::AlignCenter, QStringLiteral("\u00bb"));
        return;
    }
    QProxyStyle::drawControl(element, option, painter, widget);
}

void QuietStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                                    const QWidget* widget) const {
    if (const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option); control == CC_ScrollBar && bar)
        return drawScrollBar(*proxy(), *bar, *painter, widget);
    QProxyStyle::drawComplexControl(control, option, painter, widget);
}

int QuietStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
    // Cards keep their distance themselves.
    if (metric == PM_DockWidgetSeparatorExtent || metric == PM_SplitterWidth) return 4;
    return QProxyStyle::pixelMetric(metric, option, widget);
}

}  // namespace app::gui
