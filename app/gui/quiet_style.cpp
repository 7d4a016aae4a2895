// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/quiet_style.hpp"

#include "app/gui/scenes/colours.hpp"

#include <QPainter>
#include <QStyleOption>

namespace app::gui {
namespace {

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

}  // namespace

void QuietStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                               const QWidget* widget) const {
    if (element == PE_IndicatorDockWidgetResizeHandle || element == PE_PanelMenuBar) return;
    if (element == PE_IndicatorCheckBox || element == PE_IndicatorItemViewItemCheck ||
        element == PE_IndicatorRadioButton)
        return drawBox(*option, *painter, element == PE_IndicatorRadioButton);
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

int QuietStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
    // Cards keep their distance themselves.
    if (metric == PM_DockWidgetSeparatorExtent || metric == PM_SplitterWidth) return 4;
    return QProxyStyle::pixelMetric(metric, option, widget);
}

}  // namespace app::gui
