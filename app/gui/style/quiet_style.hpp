// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QProxyStyle>

namespace app::gui {

/// Fusion, the same on every desktop, with nothing drawn between cards: what lies there can still be dragged.
class QuietStyle final : public QProxyStyle {
public:
    QuietStyle() : QProxyStyle{QStringLiteral("Fusion")} {}

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget) const override;
    int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
};

}  // namespace app::gui
