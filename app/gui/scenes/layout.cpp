// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/layout.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace app::gui {
namespace {

constexpr double largestRadius = 17;
constexpr double stub = 0.62;   // length of a stub, of one step of the grid
constexpr double slant = 0.42;  // of a step into the depth, against one to the right

double length(QPointF vector) { return std::hypot(vector.x(), vector.y()); }

}  // namespace

QPointF Track::at(double share) const {
    if (count == 1) return legs[0].pointAt(share);
    return share < 0.5 ? legs[0].pointAt(2 * share) : legs[1].pointAt(2 * share - 1);
}

NetworkLayout::NetworkLayout(const Subject& subject, const QRectF& area) : middle_{area.center()} {
    const std::int32_t ranks = subject.run().ranks;
    const engine::Wiring wiring = subject.report().network ? subject.report().network->wiring() : engine::Wiring::any();
    lengths_ = wiring.dimensions();
    if (wiring.kind() == engine::Wiring::Kind::torus && lengths_.size() > 1) {
        grid(area);
        return;
    }
    const bool twoGroups = subject.sideOf(engine::Rank{0}) == Side::a;
    if (wiring.kind() == engine::Wiring::Kind::any && twoGroups) facing(subject, area);
    else circle(ranks, area);
}

void NetworkLayout::circle(std::int32_t ranks, const QRectF& area) {
    arrangement_ = Arrangement::circle;
    const double outer = std::min(area.width(), area.height()) / 2;
    // Radius r of the ranks on a circle of radius outer - r, with a third of the way between neighbours for each.
    const double share = 2 * std::sin(std::numbers::pi / std::max(ranks, 3)) * 0.3;
    radius_ = std::clamp(outer * share / (1 + share), 1.0, largestRadius);
    lane_ = std::clamp(radius_ * 0.25, 0.5, 4.0);
    const double around = outer - radius_ - 2;
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
        const double angle = 2 * std::numbers::pi * rank / ranks - std::numbers::pi / 2;
        places_.push_back(middle_ + around * QPointF{std::cos(angle), std::sin(angle)});
    }
}

void NetworkLayout::facing(const Subject& subject, const QRectF& area) {
    arrangement_ = Arrangement::facing;
    const std::int32_t ranks = subject.run().ranks;
    std::array<std::int32_t, 3> counts{};  // A, B, dummies
    const auto row = [&](std::int32_t rank) {
        const Side side = subject.sideOf(engine::Rank{rank});
        return side == Side::a ? 0U : side == Side::b ? 1U : 2U;
    };
    for (std::int32_t rank = 0; rank < ranks; ++rank) ++counts[row(rank)];
    const double apart = area.width() / std::max({counts[0], counts[1], 1});
    radius_ = std::clamp(apart * 0.3, 1.0, largestRadius);
    lane_ = std::clamp(radius_ * 0.25, 0.5, 4.0);
    const double width = area.width() - 2 * radius_ - (counts[2] > 0 ? 3 * radius_ : 0);
    const double bow = std::min(area.height() * 0.16, 0.12 * width);
    std::array<std::int32_t, 3> seen{};
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
        const std::size_t side = row(rank);
        const double share = (seen[side]++ + 0.5) / counts[side];
        const double x = area.left() + radius_ + share * width;
        const double lift = bow * (1 - std::pow(2 * share - 1, 2));
        if (side == 0) places_.emplace_back(x, area.top() + radius_ + bow - lift);
        else if (side == 1) places_.emplace_back(x, area.bottom() - radius_ - bow + lift);
        else places_.emplace_back(area.right() - radius_, area.top() + share * area.height());
    }
}

/// Dimensions from the last: right, down, into the depth; then grids of grids, to the right and down in turn.
void NetworkLayout::grid(const QRectF& area) {
    arrangement_ = Arrangement::grid;
    const std::size_t dimensions = lengths_.size();
    axes_.assign(dimensions, {});
    double right = 1;
    double down = 1;
    for (std::size_t i = 0; i < dimensions; ++i) {
        QPointF& axis = axes_[dimensions - 1 - i];
        const double steps = lengths_[dimensions - 1 - i];
        if (dimensions == 3 && i == 2) {
            axis = {slant, -slant * 0.8};
        } else if (i % 2 == 0) {
            axis = {right, 0};
            right *= steps + (i > 0 ? 1 : 0.5);
        } else {
            axis = {0, down};
            down *= steps + (i > 1 ? 1 : 0.5);
        }
    }
    // In steps first; then as large as the area allows, with room for the stubs and the ranks at the edges.
    std::int32_t ranks = 1;
    for (const int steps : lengths_) ranks *= steps;
    QRectF extent;
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
        places_.push_back(coordinates(rank));
        extent = extent.united(QRectF{places_.back(), QSizeF{1e-6, 1e-6}});
    }
    extent.adjust(-stub, -stub, stub, stub);
    const double scaleX = area.width() / extent.width();
    const double scaleY = area.height() / extent.height();
    // Cells may be wider than high, but not by much, lest the grid looks torn.
    const double x = std::min(scaleX, 1.6 * scaleY);
    const double y = std::min(scaleY, 1.25 * scaleX);
    for (QPointF& place : places_) {
        const QPointF apart = place - extent.center();
        place = middle_ + QPointF{apart.x() * x, apart.y() * y};
    }
    for (QPointF& axis : axes_) axis = {axis.x() * x, axis.y() * y};
    double nearest = std::min(x, y);
    for (const QPointF axis : axes_) nearest = std::min(nearest, length(axis));
    radius_ = std::clamp(nearest * (dimensions == 3 ? 0.26 : 0.24), 1.0, largestRadius);
    lane_ = std::clamp(radius_ * 0.25, 0.5, 4.0);
}

QPointF NetworkLayout::coordinates(std::int32_t rank) const {
    QPointF found;
    for (std::size_t d = lengths_.size(); d-- > 0;) {
        found += axes_[d] * (rank % lengths_[d]);
        rank /= lengths_[d];
    }
    return found;
}

/// Whether the link closes a row of the torus; then `direction` is the step with which it leaves.
bool NetworkLayout::closes(std::int32_t from, std::int32_t to, QPointF& direction) const {
    if (arrangement_ != Arrangement::grid) return false;
    for (std::size_t d = lengths_.size(); d-- > 0;) {
        const int a = from % lengths_[d];
        const int b = to % lengths_[d];
        from /= lengths_[d];
        to /= lengths_[d];
        if (a == b) continue;
        if (std::abs(a - b) == 1) return false;
        direction = axes_[d] * (a > b ? 1 : -1);
        return true;
    }
    return false;
}

Track NetworkLayout::between(std::int32_t from, std::int32_t to) const {
    const QPointF a = place(engine::Rank{from});
    const QPointF b = place(engine::Rank{to});
    QPointF step;
    const bool closing = closes(from, to, step);
    const QPointF way = closing ? step : b - a;
    const double far = length(way);
    if (far == 0) return {.legs = {QLineF{a, b}, {}}, .count = 1};
    const QPointF unit = way / far;
    const QPointF aside = QPointF{-unit.y(), unit.x()} * lane_;
    const QPointF edge = unit * std::min(radius_ + 1, far / 2);
    if (!closing) return {.legs = {QLineF{a + edge + aside, b - edge + aside}, {}}, .count = 1};
    const QPointF reach = unit * std::max(stub * std::min(far, 46.0), radius_ + 3);
    return {.legs = {QLineF{a + edge + aside, a + reach + aside}, QLineF{b - reach + aside, b - edge + aside}}, .count = 2};
}

QPointF NetworkLayout::along(const emulation::Network* network, engine::Rank from, engine::Rank to, double share,
                             std::vector<engine::LinkId>& route) const {
    route.clear();
    if (network != nullptr && network->links() > 0) network->route(from, to, route);
    if (route.empty()) return between(from.value, to.value).at(share);
    const double hops = share * static_cast<double>(route.size());
    const std::size_t hop = std::min(static_cast<std::size_t>(hops), route.size() - 1);
    const emulation::LinkEnds ends = network->ends(route[hop]);
    return between(ends.from, ends.to).at(hops - static_cast<double>(hop));
}

std::vector<Track> NetworkLayout::tracks(const emulation::Network* network, engine::Rank from, engine::Rank to) const {
    std::vector<engine::LinkId> route;
    if (network != nullptr && network->links() > 0) network->route(from, to, route);
    if (route.empty()) return {between(from.value, to.value)};
    std::vector<Track> found;
    for (const engine::LinkId link : route) {
        const emulation::LinkEnds ends = network->ends(link);
        found.push_back(between(ends.from, ends.to));
    }
    return found;
}

}  // namespace app::gui
