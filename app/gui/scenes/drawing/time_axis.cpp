// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/drawing/time_axis.hpp"

#include <algorithm>
#include <cmath>

namespace app::gui {
namespace {

struct Unit {
    const char* name;
    std::int64_t picoseconds;
};
constexpr Unit units[]{{"s", 1'000'000'000'000}, {"ms", 1'000'000'000}, {"us", 1'000'000}, {"ns", 1'000}, {"ps", 1}};

/// The largest unit of which the later end of the axis counts at least two; what is below stands as decimals.
Unit unitFor(engine::Picoseconds end) {
    for (const Unit& unit : units)
        if (std::abs(end.count()) >= 2 * unit.picoseconds) return unit;
    return units[4];
}

/// Smallest of 1, 2, 5, 10, 20, ... that is at least `wanted`.
std::int64_t roundStep(double wanted) {
    std::int64_t power = 1;
    while (static_cast<double>(power) * 10 <= wanted && power < 1'000'000'000'000'000'000) power *= 10;
    for (const std::int64_t factor : {1, 2, 5})
        if (static_cast<double>(power * factor) >= wanted) return power * factor;
    return power * 10;
}

QString inUnit(std::int64_t time, std::int64_t step, std::int64_t unit) {
    int decimals = 0;
    for (std::int64_t grain = unit; grain > 1 && step % grain != 0; grain /= 10) ++decimals;
    return QString::number(static_cast<double>(time) / static_cast<double>(unit), 'f', decimals);
}

}  // namespace

TimeAxis::TimeAxis(engine::Picoseconds begin, engine::Picoseconds end, double left, double right)
    : begin_{begin}, end_{std::max(end, begin + engine::Picoseconds{1})}, left_{left}, right_{right} {}

double TimeAxis::pixel(engine::Picoseconds time) const {
    const double share = static_cast<double>((time - begin_).count()) / static_cast<double>((end_ - begin_).count());
    return left_ + share * (right_ - left_);
}

engine::Picoseconds TimeAxis::time(double pixel) const {
    const double share = right_ == left_ ? 0 : (pixel - left_) / (right_ - left_);
    return begin_ + engine::Picoseconds{std::llround(share * static_cast<double>((end_ - begin_).count()))};
}

std::vector<Tick> TimeAxis::ticks(double apart) const {
    const double span = static_cast<double>((end_ - begin_).count());
    const std::int64_t step = roundStep(std::max(1.0, span * apart / std::max(1.0, right_ - left_)));
    const Unit unit = unitFor(end_);
    std::vector<Tick> found;
    std::int64_t at = begin_.count() / step * step;
    if (at < begin_.count()) at += step;
    for (; at <= end_.count(); at += step)
        found.push_back({engine::Picoseconds{at}, inUnit(at, step, unit.picoseconds)});
    return found;
}

QString TimeAxis::unit() const { return QString::fromLatin1(unitFor(end_).name); }

std::optional<QPointF> TimeAxis::placeIn(const QRectF& plot, engine::Picoseconds time, double y) const {
    if (time < begin_ || time > end_ || y < plot.top() || y > plot.bottom()) return std::nullopt;
    return QPointF{pixel(time), y};
}

}  // namespace app::gui
