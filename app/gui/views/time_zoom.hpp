// SPDX-License-Identifier: BSD-3-Clause
// How far a key or a notch of the wheel goes in pictures over time.
#pragma once

#include <QPointF>
#include <QWheelEvent>

namespace app::gui {

/// Of the visible span.
inline constexpr double zoomStep = 0.8;
inline constexpr double panStep = 0.15;
/// Of the height of a row.
inline constexpr double rowStep = 0.8;
inline constexpr double rowsPerNotch = 3;

/// By how many notches the wheel was turned, sideways and upwards.
inline QPointF notchesOf(const QWheelEvent& event) {
    constexpr double angle = 120;  // of one notch, in eighths of a degree
    return QPointF{event.angleDelta()} / angle;
}

}  // namespace app::gui
