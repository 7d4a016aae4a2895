// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/quiet_style.hpp"

namespace app::gui {

void QuietStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                               const QWidget* widget) const {
    if (element == PE_IndicatorDockWidgetResizeHandle || element == PE_PanelMenuBar) return;
    QProxyStyle::drawPrimitive(element, option, painter, widget);
}

void QuietStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                             const QWidget* widget) const {
    // The dots on handles, and the lines of bars that do not move.
    if (element == CE_Splitter || element == CE_ToolBar) return;
    QProxyStyle::drawControl(element, option, painter, widget);
}

int QuietStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
    // Cards keep their distance themselves.
    if (metric == PM_DockWidgetSeparatorExtent || metric == PM_SplitterWidth) return 4;
    return QProxyStyle::pixelMetric(metric, option, widget);
}

}  // namespace app::gui
