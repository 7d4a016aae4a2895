// SPDX-License-Identifier: BSD-3-Clause
// Colours that are computed: of one origin among many, of an amount, and between others. Those that stand for one thing
// are in style.hpp.
#pragma once

#include <QColor>

namespace app::gui {

/// Colour of origin `index` of `count`: Okabe and Ito's eight, which colour-blind people distinguish; beyond eight the
/// hue goes round at even lightness.
QColor originColour(std::int64_t index, std::int64_t count, bool dark);

/// Colour of a load 0..1: violet, which no state and no wait has, always farther from the paper the higher the load.
/// Lightness alone tells loads apart, so that everybody sees the same.
QColor loadColour(double share, bool dark);

/// `share` of `over` mixed into `under`.
QColor mixed(const QColor& under, const QColor& over, double share);

/// Black or white, whichever reads better on `fill`.
QColor readableOn(const QColor& fill);

/// WCAG contrast of two colours, 1..21.
double contrast(const QColor& a, const QColor& b);

}  // namespace app::gui
