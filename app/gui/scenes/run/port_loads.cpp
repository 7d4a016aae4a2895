// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/run/port_loads.hpp"

#include "app/analysis/messages/messages_in_flight.hpp"
#include "app/gui/scenes/run/drawable_run.hpp"

#include <utility>

namespace app::gui {
namespace {

using engine::Picoseconds;

// Spans below half a second are cut into columns of whole parts of a picosecond, others into columns of whole ones.
constexpr std::int64_t fineSpan = 1LL << 39;
constexpr std::size_t mostLooked = 50'000;  // messages that one frame has time for
constexpr std::int64_t evenBundles = 256;

/// Even pieces of a span, in whole numbers: what begins and ends between two of them adds up to nothing at all.
class Grid {
public:
    Grid(Picoseconds begin, Picoseconds span, std::int32_t columns)
        : begin_{begin},
          parts_{span.count() < fineSpan ? columns : 1},
          width_{(span.count() * parts_ + columns - 1) / columns},
          inverse_{1.0 / static_cast<double>(width_)} {}

    [[nodiscard]] std::int64_t width() const { return width_; }
    /// Of a picosecond.
    [[nodiscard]] std::int64_t parts() const { return parts_; }
    /// The place of a time from [begin, begin + span], in parts of a picosecond.
    [[nodiscard]] std::int64_t place(Picoseconds time) const { return (time - begin_).count() * parts_; }

    /// A place as a column and how far it is within.
    struct Split {
        std::int64_t column = 0;
        std::int64_t rest = 0;
    };
    [[nodiscard]] Split split(std::int64_t place) const {
        // Divisions would be most of the work; a product may be one column off.
        Split found{static_cast<std::int64_t>(static_cast<double>(place) * inverse_), 0};
        found.rest = place - found.column * width_;
        if (found.rest < 0) return {found.column - 1, found.rest + width_};
        if (found.rest >= width_) return {found.column + 1, found.rest - width_};
        return found;
    }

private:
    Picoseconds begin_;
    std::int64_t parts_;
    std::int64_t width_;
    double inverse_;
};

}  // namespace

Bundles::Bundles(std::int32_t ranks, std::span<const std::int32_t> edges) {
    const std::int64_t all = std::max(ranks, 1);
    const std::int64_t most = std::min<std::int64_t>(all, evenBundles);
    std::vector<std::int64_t> cuts{0};
    for (const std::int32_t edge : edges)
        if (edge > cuts.back() && edge < all) cuts.push_back(edge);
    cuts.push_back(all);
    of_.reserve(static_cast<std::size_t>(all));
    std::int32_t next = 0;
    // Groups smaller than a bundle share one with their neighbours.
    for (std::size_t k = 0; k + 1 < cuts.size();) {
        const auto first = static_cast<std::int64_t>(of_.size());
        std::size_t end = k + 1;
        const auto isSmall = [&](std::size_t group) { return (cuts[group + 1] - cuts[group]) * most < all; };
        while (isSmall(k) && end + 1 < cuts.size() && isSmall(end) && (cuts[end] - first) * most < all) ++end;
        const std::int64_t size = cuts[end] - first;
        const std::int64_t pieces = std::max<std::int64_t>(size * most / all, 1);
        for (std::int64_t i = 0; i < size; ++i) of_.push_back(next + static_cast<std::int32_t>(i * pieces / size));
        next += static_cast<std::int32_t>(pieces);
        k = end;
    }
}

std::optional<std::vector<std::int32_t>> Bundles::rowsOf(std::span<const std::int32_t> rows) const {
    std::vector<std::int32_t> found;
    for (std::size_t rank = 0; rank < of_.size(); ++rank) {
        if (static_cast<std::size_t>(of_[rank]) == found.size()) found.push_back(rows[rank]);
        else if (found.back() != rows[rank]) return std::nullopt;
    }
    return found;
}

PortLoads::PortLoads(std::vector<std::int32_t> rowOf, std::int32_t rows, const TimeAxis& axis, std::int32_t columns)
    : rowOf_{std::move(rowOf)},
      rows_{rows},
      columns_{columns},
      begin_{axis.begin()},
      span_{axis.end() - axis.begin()},
      cells_(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns)) {}

Picoseconds PortLoads::edge(std::int32_t column) const {
    // In two steps, lest the product is beyond 64 bits.
    return begin_ + span_ / columns_ * column + span_ % columns_ * column / columns_;
}

void PortLoads::fill(const DrawableRun& subject) {
    const Density& density = subject.density();
    if (density.empty() || subject.index().touching(begin_, begin_ + span_, mostLooked + 1).size() <= mostLooked)
        return fillFromMessages(subject, 0, columns_);
    const std::optional<std::vector<std::int32_t>> rowOf = density.bundles().rowsOf(rowOf_);
    if (!rowOf) return fillFromMessages(subject, 0, columns_);
    const auto tooWide = [&](std::int32_t which) { return density.tooWideFor(edge(which), edge(which + 1)); };
    for (std::int32_t which = 0; which < columns_;) {
        const std::int32_t first = which;
        while (which < columns_ && tooWide(which)) ++which;
        if (which > first) fillFromMessages(subject, first, which);
        if (which == columns_) break;
        density.add(edge(which), edge(which + 1), *rowOf, column(which));
        ++which;
    }
}

std::vector<std::uint32_t> PortLoads::lookedAt(const DrawableRun& subject, Picoseconds begin, Picoseconds end) const {
    std::vector<bool> wanted(rowOf_.size());
    for (std::size_t rank = 0; rank < wanted.size(); ++rank) wanted[rank] = rowOf_[rank] >= 0;
    const std::size_t most = std::max(messagesOf(subject, wanted), mostLooked);
    std::vector<std::uint32_t> inTime = subject.index().touching(begin, end, most + 1);
    return inTime.size() <= most ? inTime : listOf(subject, wanted);
}

void PortLoads::fillFromMessages(const DrawableRun& subject, std::int32_t first, std::int32_t next) {
    const Grid grid{begin_, span_, columns_};
    const auto rows = static_cast<std::size_t>(rows_);
    const std::int64_t low = first * grid.width();
    const std::int64_t high = std::min(next * grid.width(), grid.place(begin_ + span_));
    // First what changes in each column: a port busy from some moment on fills the rest of its column and all later
    // ones.
    std::vector<std::int64_t> changes(static_cast<std::size_t>(next - first + 2) * rows);
    const engine::Messages& messages = subject.run().messages;
    const auto busy = [&](std::size_t row, Picoseconds begin, Picoseconds end) {
        const auto change = [&](Picoseconds time, std::int64_t sign) {
            const std::int64_t at = std::clamp(grid.place(std::clamp(time, begin_, begin_ + span_)), low, high);
            const auto [which, rest] = grid.split(at - low);
            std::int64_t* cell = changes.data() + static_cast<std::size_t>(which) * rows + row;
            cell[0] += sign * (grid.width() - rest);
            cell[rows] += sign * rest;
        };
        change(begin, +1);
        change(end, -1);
    };
    // The last moment of the run belongs to its last column.
    const Picoseconds end = begin_ + span_;
    const Picoseconds lastBegin = end >= subject.run().duration ? end : end - Picoseconds{1};
    for (const std::uint32_t i : lookedAt(subject, edge(first), edge(next))) {
        const std::int32_t from = rowOf_[messages.from()[i].index()];
        const std::int32_t to = rowOf_[messages.to()[i].index()];
        if (from >= 0)
            busy(static_cast<std::size_t>(from), analysis::sendsFrom(subject.run(), i), messages.sendEnd()[i]);
        if (to >= 0)
            busy(static_cast<std::size_t>(to), analysis::receivesFrom(subject.run(), i), messages.receiveEnd()[i]);
        const Picoseconds begin = messages.sendBegin()[i];
        if (from < 0 || begin < begin_ || begin > lastBegin) continue;
        const std::int64_t which = std::min<std::int64_t>(grid.split(grid.place(begin)).column, columns_ - 1);
        if (which < first || which >= next) continue;
        column(static_cast<std::int32_t>(which))[static_cast<std::size_t>(from)].messages += 1;
    }
    std::vector<std::int64_t> sums(rows);
    for (std::int32_t which = first; which < next; ++which) {
        const std::span<PortLoad> loads = column(which);
        const std::int64_t* change = changes.data() + static_cast<std::size_t>(which - first) * rows;
        for (std::size_t row = 0; row < rows; ++row) {
            sums[row] += change[row];
            loads[row].busy += static_cast<double>(sums[row]) / static_cast<double>(grid.parts());
        }
    }
}

std::size_t messagesOf(const DrawableRun& subject, const std::vector<bool>& wanted) {
    std::size_t count = 0;
    for (engine::Rank rank{0}; rank.index() < wanted.size(); ++rank)
        if (wanted[rank.index()]) count += subject.sentBy(rank).size() + subject.receivedBy(rank).size();
    return count;
}

std::vector<std::uint32_t> listOf(const DrawableRun& subject, const std::vector<bool>& wanted) {
    std::vector<std::uint32_t> found;
    found.reserve(messagesOf(subject, wanted));
    const auto senders = subject.run().messages.from();
    for (engine::Rank rank{0}; rank.index() < wanted.size(); ++rank) {
        if (!wanted[rank.index()]) continue;
        const auto sent = subject.sentBy(rank);
        found.insert(found.end(), sent.begin(), sent.end());
        for (const std::uint32_t i : subject.receivedBy(rank))
            if (!wanted[senders[i].index()]) found.push_back(i);
    }
    return found;
}

}  // namespace app::gui
