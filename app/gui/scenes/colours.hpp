// SPDX-License-Identifier: BSD-3-Clause
// Every colour of the pictures, for light and dark paper. Meaning never rests on colour alone: states also differ in
// shape or hatch, origins also carry a number.
#pragma once

#include <QColor>

namespace app::gui {

/// The colours of one kind of paper.
struct Palette {
    QColor paper;
    QColor ink;     ///< text and what matters
    QColor muted;   ///< secondary text, axes
    QColor faint;   ///< thin lines that must not draw the eye
    QColor tint;    ///< bands behind others
    QColor accent;  ///< the one accent: now, new, busiest
    QColor sending;
    QColor receiving;
    QColor both;
    QColor waiting;  ///< the hatch of a rank that waits
    QColor done;
};

Palette paletteFor(bool dark);

/// Colour of origin `index` of `count`: Okabe and Ito's eight, which colour-blind people tell apart; beyond eight the
/// hue goes round at even lightness.
QColor originColour(std::int64_t index, std::int64_t count, bool dark);

/// Colour of a load 0..1 on the cividis map, always farther from the paper the higher the load: the map is turned round
/// on light paper, and its ends that would vanish are left out.
QColor loadColour(double share, bool dark);

/// `share` of `over` mixed into `under`.
QColor mixed(const QColor& under, const QColor& over, double share);

/// Black or white, whichever reads better on `fill`.
QColor readableOn(const QColor& fill);

/// WCAG contrast of two colours, 1..21.
double contrast(const QColor& a, const QColor& b);

}  // namespace app::gui
