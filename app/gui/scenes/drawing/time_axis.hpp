// SPDX-License-Identifier: BSD-3-Clause
// Time on a line of pixels, and back.
#pragma once

#include "engine/base/types.hpp"

#include <QPointF>
#include <QRectF>
#include <QString>

#include <optional>
#include <vector>

namespace app::gui {

struct Tick {
    engine::Picoseconds at{};
    QString label;  ///< the number alone; the unit stands once, at the axis

    friend bool operator==(const Tick&, const Tick&) = default;
};

/// Maps [begin, end] of time to [left, right] of pixels. A span of nothing is widened to one picosecond.
class TimeAxis {
public:
    TimeAxis(engine::Picoseconds begin, engine::Picoseconds end, double left, double right);

    [[nodiscard]] engine::Picoseconds begin() const { return begin_; }
    [[nodiscard]] engine::Picoseconds end() const { return end_; }
    [[nodiscard]] double left() const { return left_; }
    [[nodiscard]] double right() const { return right_; }

    /// Subtracts before it leaves integers, so that late spans of long runs keep their picoseconds.
    [[nodiscard]] double pixel(engine::Picoseconds time) const;
    /// The picosecond nearest to `pixel`; also outside of the line.
    [[nodiscard]] engine::Picoseconds time(double pixel) const;

    /// The place of a moment at the height `y`; nothing where that is not within `plot`.
    [[nodiscard]] std::optional<QPointF> placeIn(const QRectF& plot, engine::Picoseconds time, double y) const;

    /// Round times (1, 2, 5 times a power of ten) at least `apart` pixels from each other.
    [[nodiscard]] std::vector<Tick> ticks(double apart) const;
    /// "ps", "ns", "us", "ms" or "s": what the numbers of the ticks count.
    [[nodiscard]] QString unit() const;

    friend bool operator==(const TimeAxis&, const TimeAxis&) = default;

private:
    engine::Picoseconds begin_;
    engine::Picoseconds end_;
    double left_;
    double right_;
};

}  // namespace app::gui
