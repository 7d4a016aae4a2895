// SPDX-License-Identifier: BSD-3-Clause
// Ranks below their switches: side by side, or in several rows of two columns each along a line down from the switch.
#include "app/gui/scenes/layout/layout.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace app::gui {
namespace {

constexpr double betweenLeaves = 0.6;  // columns
constexpr double betweenGroups = 2;    // columns more
constexpr double rankShare = 0.3;      // of the way to the next one, as radius
constexpr double bandShare = 0.52;     // of the height, for several rows of ranks
constexpr double ringShare = 0.4;      // of the radius, for the same on a circle
constexpr double mostApart = 1.4;      // of rows, against columns
/// One row is read more easily than several, of marks that are not much larger; but not of mere dots.
constexpr double oneRowWorth = 2;
constexpr double dot = 3;  // pixels

/// How many columns the ranks of a leaf take in so many rows.
int columnsOf(std::size_t ranks, int rows) {
    const auto count = static_cast<int>(ranks);
    return rows == 1 ? std::max(count, 1) : std::max(2 * ((count + 2 * rows - 1) / (2 * rows)), 2);
}

struct Bed {
    int rows = 1;
    double columns = 1;  ///< of all leaves, and of what is between them
    double band = 0;     ///< height of all rows
    double radius = 0;
};

}  // namespace

/// `round`: around a circle, the lowest level outside; else in rows, the lowest level below.
void NetworkLayout::hang(const QRectF& area, bool round) {
    // Of very many ranks only those that carry a mark are placed.
    std::vector<std::vector<std::int32_t>> hosts;
    std::size_t most = 1;
    for (const Levels::Leaf& leaf : print_->leaves) {
        std::vector<std::int32_t>& marks = hosts.emplace_back();
        std::ranges::copy_if(leaf.ranks, std::back_inserter(marks),
                             [&](std::int32_t rank) { return print_->markOf(rank) == rank; });
        most = std::max(most, marks.size());
    }
    const auto levels = static_cast<double>(print_->tiers.size());
    const double outer = std::min(area.width(), area.height()) / 2;
    const bool star = print_->tiers.front().size() == 1;
    const auto bedOf = [&](int rows) {
        Bed bed{.rows = rows, .columns = 0};
        for (std::size_t i = 0; i < hosts.size(); ++i) {
            bed.columns += columnsOf(hosts[i].size(), rows) + (star ? 0 : betweenLeaves);
            if (print_->leaves[i].opensGroup) bed.columns += betweenGroups;
        }
        if (round && rows == 1) {
            // On the rim, less the radius that is looked for.
            const double share = 2 * std::numbers::pi / bed.columns * rankShare;
            bed.radius = outer * share / (1 + share);
            bed.band = 2 * std::min(bed.radius, largestRadius) + 2;
            return bed;
        }
        // Of a circle at the innermost row.
        const double width = round ? 2 * std::numbers::pi * outer * (1 - ringShare) : area.width();
        const double across = width / bed.columns;
        const double room = rows == 1 ? area.height() / (levels + 1)
                            : round   ? outer * ringShare
                                      : area.height() * bandShare;
        bed.band = rows == 1 ? room : std::min(room, mostApart * across * rows);
        bed.radius = rankShare * std::min(across, bed.band / rows);
        return bed;
    };
    Bed bed = bedOf(1);
    const double worth = bed.radius < dot ? 1.3 : oneRowWorth;
    bed.radius *= worth;
    for (int rows = 2; !star && rows <= static_cast<int>(most) && bed.radius < worth * largestRadius; ++rows)
        if (const Bed other = bedOf(rows); other.radius > bed.radius) bed = other;
    if (bed.rows == 1) bed.radius /= worth;
    useRadius(bed.radius);

    const double band = bed.band;
    // `share` of the width, or of the way around; `depth`: from the lower edge, or the rim.
    const auto place = [&](double share, double depth) {
        if (!round) return QPointF{area.left() + share * area.width(), area.bottom() - depth};
        const double angle = 2 * std::numbers::pi * share - std::numbers::pi / 2;
        return middle_ + (outer - depth) * QPointF{std::cos(angle), std::sin(angle)};
    };
    const auto depthOf = [&](std::size_t tier) {
        const auto level = static_cast<double>(tier);
        if (round)
            return print_->tiers[tier].size() == 1 ? outer : band + (outer - band) * (level + 1) / (levels + 1.2);
        const double height = (area.height() - band) / levels;
        return band + height * (level + 0.5);
    };
    if (bed.rows > 1) trunks_.resize(static_cast<std::size_t>(print_->hosts));
    double left = 0;
    for (std::size_t i = 0; i < hosts.size(); ++i) {
        const Levels::Leaf& leaf = print_->leaves[i];
        if (leaf.opensGroup) left += betweenGroups;
        const int columns = columnsOf(hosts[i].size(), bed.rows);
        left += star ? 0 : betweenLeaves / 2;
        for (std::size_t k = 0; k < hosts[i].size(); ++k) {
            const auto rank = static_cast<std::size_t>(hosts[i][k]);
            const auto number = static_cast<int>(k);
            if (bed.rows == 1) {
                places_[rank] = place((left + number + 0.5) / bed.columns, round ? radius_ + 2 : band / 2);
                continue;
            }
            const int pair = number / (2 * bed.rows);
            const int row = number % (2 * bed.rows) / 2;
            const double trunk = (left + 2 * pair + 1) / bed.columns;
            const double depth = band * (bed.rows - row - 0.5) / bed.rows;
            places_[rank] = place(trunk + (number % 2 == 0 ? -0.5 : 0.5) / bed.columns, depth);
            trunks_[rank] = {place(trunk, band), place(trunk, depth)};
        }
        places_[static_cast<std::size_t>(leaf.node)] = place((left + columns / 2.0) / bed.columns, depthOf(0));
        left += columns + (star ? 0 : betweenLeaves / 2);
    }
    for (std::int32_t host = 0; host < print_->hosts; ++host)
        places_[static_cast<std::size_t>(host)] = places_[static_cast<std::size_t>(print_->markOf(host))];
    for (std::size_t tier = 1; tier < print_->tiers.size(); ++tier) {
        const std::vector<std::int32_t>& switches = print_->tiers[tier];
        const auto count = static_cast<double>(switches.size());
        // As many as farther out on circles: behind each other, lines to the far side would run through those between.
        const double turn = round && switches.size() == print_->tiers[tier - 1].size() ? 1 : 0.5;
        for (std::size_t i = 0; i < switches.size(); ++i)
            places_[static_cast<std::size_t>(switches[i])] =
                place((static_cast<double>(i) + turn) / count, depthOf(tier));
    }
    for (const std::vector<std::int32_t>& tier : print_->tiers)
        for (std::size_t i = 1; i < tier.size(); ++i) {
            const QPointF apart = middleOf(tier[i]) - middleOf(tier[i - 1]);
            radius_ = std::min(radius_, std::max(0.75 * std::hypot(apart.x(), apart.y()), 1.0));
        }
    useRadius(radius_);
}

/// From a switch to a rank below it, or back, along the line that all ranks of two columns share.
Track NetworkLayout::overTrunk(std::int32_t from, std::int32_t to, std::int32_t rank) const {
    const Trunk& trunk = trunks_[static_cast<std::size_t>(rank)];
    std::array<QPointF, 4> corners{middleOf(std::max(from, to)), trunk.top, trunk.side, middleOf(rank)};
    if (from == rank) std::ranges::reverse(corners);
    Track track;
    for (std::size_t i = 0; i + 1 < corners.size(); ++i) {
        QPointF start = corners[i];
        QPointF end = corners[i + 1];
        const double far = QLineF{start, end}.length();
        if (far == 0) continue;
        const QPointF unit = (end - start) / far;
        const auto edge = [&](std::int32_t node) {
            return unit * std::min((node < print_->hosts ? radius_ : switchRadius()) + 1, far / 2);
        };
        if (i == 0) start += edge(from);
        if (i + 2 == corners.size()) end -= edge(to);
        const QPointF aside = QPointF{-unit.y(), unit.x()} * lane_;
        track.legs[static_cast<std::size_t>(track.count++)] = {start + aside, end + aside};
    }
    return track;
}

}  // namespace app::gui
