// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/layout/layout.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace app::gui {
namespace {

constexpr double stub = 0.62;   // length of a stub, of one step of the grid
constexpr double slant = 0.42;  // of a step into the depth, against one to the right

/// Towards place `place` of `count` on a circle, the first at the top, clockwise.
QPointF direction(double place, std::int32_t count) {
    const double angle = 2 * std::numbers::pi * place / count - std::numbers::pi / 2;
    return {std::cos(angle), std::sin(angle)};
}

double length(QPointF vector) { return std::hypot(vector.x(), vector.y()); }

/// The pieces of a bow that is drawn towards `control`.
Track curve(QPointF start, QPointF control, QPointF end) {
    const auto at = [&](double share) {
        return (1 - share) * (1 - share) * start + 2 * share * (1 - share) * control + share * share * end;
    };
    Track track;
    track.count = static_cast<int>(track.legs.size());
    for (int leg = 0; leg < track.count; ++leg)
        track.legs[static_cast<std::size_t>(leg)] = {at(static_cast<double>(leg) / track.count),
                                                     at(static_cast<double>(leg + 1) / track.count)};
    return track;
}

}  // namespace

QPointF Track::at(double share) const {
    double all = 0;
    for (int leg = 0; leg < count; ++leg) all += legs[static_cast<std::size_t>(leg)].length();
    double along = share * all;
    for (int leg = 0; leg + 1 < count; ++leg) {
        const QLineF& line = legs[static_cast<std::size_t>(leg)];
        if (along < line.length()) return line.pointAt(along / line.length());
        along -= line.length();
    }
    const QLineF& last = legs[static_cast<std::size_t>(count - 1)];
    return last.length() == 0 ? last.p1() : last.pointAt(along / last.length());
}

NetworkLayout::NetworkLayout(const DrawableRun& subject, const QRectF& area)
    : print_{&subject.blueprint()}, subject_{&subject}, top_{area.top()}, middle_{area.center()} {
    places_.resize(static_cast<std::size_t>(print_->nodes));
    switch (print_->arrangement) {
        case NetworkShape::Arrangement::circle: circle(area); break;
        case NetworkShape::Arrangement::tiers: tiers(area); break;
        case NetworkShape::Arrangement::levels: hang(area, false); break;
        case NetworkShape::Arrangement::facing: facing(subject, area); break;
        case NetworkShape::Arrangement::grid: grid(area); break;
        case NetworkShape::Arrangement::tree: tree(area); break;
        case NetworkShape::Arrangement::groups: groups(area); break;
        case NetworkShape::Arrangement::drawn: drawn(area); break;
    }
}

void NetworkLayout::magnify(double times, QPointF from, QPointF to) {
    const auto moved = [&](QPointF at) { return to + (at - from) * times; };
    for (QPointF& place : places_) place = moved(place);
    for (QPointF& axis : axes_) axis *= times;
    for (Trunk& trunk : trunks_) trunk = {moved(trunk.top), moved(trunk.side)};
    top_ = moved({0, top_}).y();
    for (QRectF& outline : outlines_) outline = {moved(outline.topLeft()), outline.size() * times};
    middle_ = moved(middle_);
    useRadius(wantedRadius_ * times);
}

void NetworkLayout::useRadius(double radius) {
    wantedRadius_ = radius;
    radius_ = std::clamp(radius, 1.0, largestRadius);
    lane_ = std::clamp(radius_ * 0.25, 0.5, 4.0);
}

void NetworkLayout::circle(const QRectF& area) {
    const double outer = std::min(area.width(), area.height()) / 2;
    // Radius r of the ranks on a circle of radius outer - r, with a third of the way between neighbours for each.
    const int marks = std::max((print_->hosts + print_->step - 1) / print_->step, 3);
    const double share = 2 * std::sin(std::numbers::pi / marks) * 0.3;
    useRadius(outer * share / (1 + share));
    const double around = outer - radius_ - 2;
    for (std::int32_t host = 0; host < print_->hosts; ++host)
        places_[static_cast<std::size_t>(host)] =
            middle_ + around * direction(print_->cornerOf(print_->placeOf(host)), print_->hosts);
}

void NetworkLayout::drawn(const QRectF& area) {
    const GraphLayout& graph = print_->graph;
    const double side = std::min(area.width(), area.height());
    const QSizeF room = graph.stretches ? area.size() : QSizeF{side, side};
    const double apart = std::min(graph.apart.x() * room.width(), graph.apart.y() * room.height()) / 2;
    useRadius(0.3 * apart / (1 + 0.6 * apart / side));
    const QPointF half{room.width() / 2 - radius_ - 2, room.height() / 2 - radius_ - 2};
    for (std::size_t rank = 0; rank < places_.size(); ++rank)
        places_[rank] = middle_ + QPointF{graph.spots[rank].x() * half.x(), graph.spots[rank].y() * half.y()};
}

void NetworkLayout::tiers(const QRectF& area) {
    if (!print_->leaves.empty()) {
        hang(area, true);
        return;
    }
    circle(area);
    const double around = std::min(area.width(), area.height()) / 2 - radius_ - 2;
    const auto count = static_cast<double>(print_->tiers.size());
    for (std::size_t tier = 0; tier < print_->tiers.size(); ++tier) {
        const std::vector<std::int32_t>& switches = print_->tiers[tier];
        const auto size = static_cast<std::int32_t>(switches.size());
        const double inner = size == 1 ? 0 : around * (1 - (static_cast<double>(tier) + 1) / (count + 0.6));
        // In the middle of the ranks that hang on them, where they share them out evenly.
        double turn = 0.5 - 0.5 * size / print_->hosts;
        // As many as farther out: behind each other, lines to the far side would run through those between.
        if (tier > 0 && switches.size() == print_->tiers[tier - 1].size()) turn += 0.5;
        for (std::int32_t i = 0; i < size; ++i)
            places_[static_cast<std::size_t>(switches[static_cast<std::size_t>(i)])] =
                middle_ + inner * direction(i + turn, size);
        if (size > 1) radius_ = std::min(radius_, std::max(inner * std::sin(std::numbers::pi / size), 1.0));
    }
    useRadius(radius_);
}

void NetworkLayout::facing(const DrawableRun& subject, const QRectF& area) {
    const std::int32_t ranks = print_->ranks;
    std::array<std::int32_t, 3> counts{};  // A, B, dummies
    const auto row = [&](std::int32_t rank) {
        const Side side = subject.sideOf(engine::Rank{rank});
        return side == Side::a ? 0U : side == Side::b ? 1U : 2U;
    };
    for (std::int32_t rank = 0; rank < ranks; ++rank) ++counts[row(rank)];
    const double apart = area.width() / std::max({counts[0], counts[1], 1});
    useRadius(apart * 0.3 * print_->step);
    const double width = area.width() - 2 * radius_ - (counts[2] > 0 ? 3 * radius_ : 0);
    const double bow = std::min(area.height() * 0.16, 0.12 * width);
    std::array<std::int32_t, 3> seen{};
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
        const std::size_t side = row(rank);
        const double share = (seen[side]++ + 0.5) / counts[side];
        const double x = area.left() + radius_ + share * width;
        const double lift = bow * (1 - std::pow(2 * share - 1, 2));
        QPointF& place = places_[static_cast<std::size_t>(rank)];
        if (side == 0) place = {x, area.top() + radius_ + bow - lift};
        else if (side == 1) place = {x, area.bottom() - radius_ - bow + lift};
        else place = {area.right() - radius_, area.top() + share * area.height()};
    }
}

/// Dimensions from the last: right, down, into the depth; then grids of grids, to the right and down in turn.
void NetworkLayout::grid(const QRectF& area) {
    const std::vector<int>& lengths = print_->lengths;
    const std::size_t dimensions = lengths.size();
    axes_.assign(dimensions, {});
    double right = 1;
    double down = 1;
    const bool cube = dimensions > 3 && std::ranges::count(lengths, 2) == static_cast<std::ptrdiff_t>(dimensions);
    for (std::size_t i = 0; i < dimensions; ++i) {
        QPointF& axis = axes_[dimensions - 1 - i];
        if (cube) {
            // Grids of grids would lay the long edges over ranks: each pair of axes is the one before it, longer and
            // turned a little, so that ranks never come closer than a step and no cube becomes a narrow strip.
            const QPointF before = i < 2 ? QPointF{} : axes_[dimensions + 1 - i];
            axis = i == 0   ? QPointF{1, 0}
                   : i == 1 ? QPointF{0, 1}
                            : 2.4 * before + 0.85 * QPointF{-before.y(), before.x()};
            continue;
        }
        const double steps = lengths[dimensions - 1 - i];
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
    QRectF extent;
    for (std::int32_t host = 0; host < print_->hosts; ++host) {
        QPointF& place = places_[static_cast<std::size_t>(host)];
        place = coordinates(print_->cornerOf(print_->placeOf(host)));
        extent = extent.united(QRectF{place, QSizeF{1e-6, 1e-6}});
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
    useRadius(nearest * print_->step * (dimensions == 3 ? 0.26 : 0.24));
    if (print_->marks.empty()) return;
    // A mark lies in the middle of its ranks.
    QPointF middle;
    for (const QPointF axis : axes_) middle += axis * (print_->step - 1) / 2;
    for (std::int32_t host = 0; host < print_->hosts; ++host) places_[static_cast<std::size_t>(host)] += middle;
}

/// Leaves share the width in the order in which a walk from the root meets them, children by level. Parents stand above
/// the middle of their children or, where these are in several rows, above the last one, in the lowest: so no edge
/// meets a rank on its way.
void NetworkLayout::tree(const QRectF& area) {
    const analysis::LogicalTopology& formation = print_->formation;
    std::vector<std::vector<std::int32_t>> children(places_.size());
    for (const auto& [parent, child] : print_->bonds) children[static_cast<std::size_t>(parent)].push_back(child);
    const auto levelOf = [&](std::int32_t rank) { return formation.levels[static_cast<std::size_t>(rank)]; };
    for (auto& each : children) std::ranges::stable_sort(each, {}, levelOf);
    const auto root = static_cast<std::int32_t>(std::ranges::find(formation.parents, -1) - formation.parents.begin());
    std::vector<double> slots(places_.size());
    int leaves = 0;
    struct Visit {
        std::int32_t rank = 0;
        std::size_t next = 0;  // of its children
    };
    std::vector<Visit> way{{root, 0}};
    while (!way.empty()) {
        Visit& at = way.back();
        const auto index = static_cast<std::size_t>(at.rank);
        const std::vector<std::int32_t>& below = children[index];
        if (at.next < below.size()) {
            way.push_back({below[at.next++], 0});
            continue;
        }
        if (below.empty()) {
            slots[index] = leaves++;
        } else {
            const double last = slots[static_cast<std::size_t>(below.back())];
            const bool oneRow = levelOf(below.front()) == levelOf(below.back());
            slots[index] = oneRow ? (slots[static_cast<std::size_t>(below.front())] + last) / 2 : last;
        }
        way.pop_back();
    }
    const double across = area.width() / leaves;
    const double down = area.height() / (std::ranges::max(formation.levels) + 1);
    useRadius(0.3 * std::min(across, down));
    for (std::size_t rank = 0; rank < places_.size(); ++rank)
        places_[rank] = area.topLeft() + QPointF{(slots[rank] + 0.5) * across, (formation.levels[rank] + 0.5) * down};
}

/// Circles on a circle, the first at the top; leaders stand towards the middle.
void NetworkLayout::groups(const QRectF& area) {
    const analysis::LogicalTopology& formation = print_->formation;
    const auto count = static_cast<std::int32_t>(formation.leaders.size());
    std::vector<std::vector<std::int32_t>> members(formation.leaders.size());
    for (std::size_t group = 0; group < members.size(); ++group) members[group] = {formation.leaders[group]};
    for (std::int32_t rank = 0; rank < print_->ranks; ++rank) {
        std::vector<std::int32_t>& group =
            members[static_cast<std::size_t>(formation.groups[static_cast<std::size_t>(rank)])];
        if (rank != group.front()) group.push_back(rank);
    }
    const double outer = std::min(area.width(), area.height()) / 2;
    const double half = std::sin(std::numbers::pi / count);
    const double room = outer * half / (1 + half);
    const double rim = room * 0.9;
    const std::size_t largest = std::ranges::max(members, {}, &std::vector<std::int32_t>::size).size();
    const double share = 2 * std::sin(std::numbers::pi / static_cast<double>(std::max<std::size_t>(largest, 3))) * 0.3;
    useRadius((rim - 4) * share / (1 + share));
    const double around = rim - radius_ - 4;
    for (std::int32_t group = 0; group < count; ++group) {
        const QPointF centre = middle_ + (outer - room) * direction(group, count);
        outlines_.emplace_back(centre - QPointF{rim, rim}, QSizeF{2 * rim, 2 * rim});
        const std::vector<std::int32_t>& ranks = members[static_cast<std::size_t>(group)];
        const auto size = static_cast<std::int32_t>(ranks.size());
        // Towards the middle: opposite to where the group lies.
        const double turn = (static_cast<double>(group) / count + 0.5) * size;
        for (std::int32_t i = 0; i < size; ++i)
            places_[static_cast<std::size_t>(ranks[static_cast<std::size_t>(i)])] =
                size == 1 ? centre : centre + around * direction(i + turn, size);
    }
}

QPointF NetworkLayout::coordinates(std::int32_t place) const {
    QPointF found;
    for (std::size_t d = print_->lengths.size(); d-- > 0;) {
        found += axes_[d] * (place % print_->lengths[d]);
        place /= print_->lengths[d];
    }
    return found;
}

/// Whether the link closes a row of the torus; then `direction` is the step with which it leaves.
bool NetworkLayout::closes(std::int32_t from, std::int32_t to, QPointF& direction) const {
    if (print_->arrangement != NetworkShape::Arrangement::grid) return false;
    from = print_->placeOf(from);
    to = print_->placeOf(to);
    for (std::size_t d = print_->lengths.size(); d-- > 0;) {
        const int steps = print_->lengths[d];
        const int a = from % steps;
        const int b = to % steps;
        from /= steps;
        to /= steps;
        if (a == b) continue;
        if (std::abs(a - b) <= print_->step) return false;
        direction = axes_[d] * (a > b ? print_->step : -print_->step);
        return true;
    }
    return false;
}

/// Within one of two facing groups messages swing out towards the other, past the ranks between; the way back swings
/// farther.
Track NetworkLayout::bow(std::int32_t from, std::int32_t to) const {
    const QPointF a = middleOf(from);
    const QPointF b = middleOf(to);
    const double inwards = middle_.y() > a.y() ? 1 : -1;
    const double room = std::abs(middle_.y() - a.y()) * 1.7;
    const double swing = std::min(std::abs(b.x() - a.x()) * (from < to ? 0.55 : 0.8) + radius_, room);
    const QPointF start = a + QPointF{(b.x() > a.x() ? 0.6 : -0.6) * radius_, inwards * (radius_ * 0.8 + 1)};
    const QPointF end = b + QPointF{(b.x() > a.x() ? -0.6 : 0.6) * radius_, inwards * (radius_ * 0.8 + 1)};
    return curve(start, (start + end) / 2 + QPointF{0, inwards * swing}, end);
}

/// Below their switches ranks send over each other, the farther the higher; the way back a little higher yet.
Track NetworkLayout::arch(std::int32_t from, std::int32_t to) const {
    const QPointF a = middleOf(from);
    const QPointF b = middleOf(to);
    const double room = std::min(a.y(), b.y()) - top_ - radius_;
    const double far = std::abs(b.x() - a.x());
    const double swing = std::clamp(far * (from < to ? 0.7 : 0.85), radius_ + 2, std::max(1.9 * room, radius_ + 2));
    const double side = std::min(0.5 * radius_, far / 2) * (b.x() > a.x() ? 1 : -1);
    const QPointF rise{0, radius_ * 0.87 + 1};
    const QPointF start = a + QPointF{side, 0} - rise;
    const QPointF end = b - QPointF{side, 0} - rise;
    return curve(start, (start + end) / 2 - QPointF{0, swing}, end);
}

Track NetworkLayout::between(std::int32_t from, std::int32_t to) const {
    if (print_->arrangement == NetworkShape::Arrangement::facing &&
        subject_->sideOf(engine::Rank{from}) == subject_->sideOf(engine::Rank{to}))
        return bow(from, to);
    const bool levels = print_->arrangement == NetworkShape::Arrangement::levels;
    if (levels && from < print_->hosts && to < print_->hosts) return arch(from, to);
    if (hasTrunks() && std::min(from, to) < print_->hosts && std::max(from, to) >= print_->hosts)
        return overTrunk(from, to, std::min(from, to));
    const QPointF a = middleOf(from);
    const QPointF b = middleOf(to);
    QPointF step;
    const bool closing = closes(from, to, step);
    const QPointF way = closing ? step : b - a;
    const double far = length(way);
    if (far == 0) return {.legs = {QLineF{a, b}, {}}, .count = 1};
    const QPointF unit = way / far;
    const QPointF aside = QPointF{-unit.y(), unit.x()} * lane_;
    const auto edge = [&](std::int32_t node) {
        return unit * std::min((node < print_->hosts ? radius_ : switchRadius()) + 1, far / 2);
    };
    const QPointF start = a + edge(from) + aside;
    const QPointF end = b - edge(to) + aside;
    if (!closing) return {.legs = {QLineF{start, end}, {}}, .count = 1};
    const QPointF reach = unit * std::max(stub * std::min(far, 46.0), radius_ + 3);
    return {.legs = {QLineF{start, a + reach + aside}, QLineF{b - reach + aside, end}}, .count = 2};
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
