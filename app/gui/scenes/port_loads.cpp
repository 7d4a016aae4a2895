// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/port_loads.hpp"

#include "app/gui/scenes/subject.hpp"

namespace app::gui {
namespace {

using engine::Picoseconds;

// Spans below half a second are cut into columns of whole parts of a picosecond, others into columns of whole ones.
constexpr std::int64_t fineSpan = 1LL << 39;
constexpr std::size_t mostLooked = 50'000;  // messages that one frame has time for

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

PortLoads::PortLoads(Bundles bundles, std::int32_t rows, const TimeAxis& axis, std::int32_t columns)
    : bundles_{bundles},
      rows_{rows},
      columns_{columns},
      begin_{axis.begin()},
      span_{axis.end() - axis.begin()},
      cells_(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns)) {}

std::vector<std::int32_t> PortLoads::firstRanks() const {
    std::vector<std::int32_t> firsts(static_cast<std::size_t>(rows_) + 1, bundles_.ranks());
    for (std::int32_t rank = bundles_.ranks(); rank-- > 0;)
        firsts[static_cast<std::size_t>(rowOfBundle(bundles_.of(engine::Rank{rank})))] = rank;
    return firsts;
}

Picoseconds PortLoads::edge(std::int32_t column) const {
    // In two steps, lest the product is beyond 64 bits.
    return begin_ + span_ / columns_ * column + span_ % columns_ * column / columns_;
}

void PortLoads::fill(const Subject& subject) {
    const Density& density = subject.density();
    if (density.empty() || subject.index().touching(begin_, begin_ + span_, mostLooked + 1).size() <= mostLooked)
        return fillFromMessages(subject, 0, columns_);
    std::vector<std::int32_t> rowOf(static_cast<std::size_t>(bundles_.count()));
    for (std::int32_t bundle = 0; bundle < bundles_.count(); ++bundle)
        rowOf[static_cast<std::size_t>(bundle)] = rowOfBundle(bundle);
    const auto tooWide = [&](std::int32_t which) { return density.tooWideFor(edge(which), edge(which + 1)); };
    for (std::int32_t which = 0; which < columns_;) {
        const std::int32_t first = which;
        while (which < columns_ && tooWide(which)) ++which;
        if (which > first) fillFromMessages(subject, first, which);
        if (which == columns_) break;
        density.add(edge(which), edge(which + 1), rowOf, column(which));
        ++which;
    }
}

void PortLoads::fillFromMessages(const Subject& subject, std::int32_t first, std::int32_t next) {
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
    std::vector<std::uint32_t> rowOf(static_cast<std::size_t>(bundles_.ranks()));
    for (std::int32_t rank = 0; rank < bundles_.ranks(); ++rank)
        rowOf[static_cast<std::size_t>(rank)] =
            static_cast<std::uint32_t>(rowOfBundle(bundles_.of(engine::Rank{rank})));
    for (const std::uint32_t i : subject.index().touching(edge(first), edge(next))) {
        const std::size_t from = rowOf[messages.from()[i].index()];
        const std::size_t to = rowOf[messages.to()[i].index()];
        busy(from, messages.sendBegin()[i], messages.sendEnd()[i]);
        busy(to, messages.receiveBegin()[i], messages.receiveEnd()[i]);
        const Picoseconds begin = messages.sendBegin()[i];
        if (begin < begin_ || begin > lastBegin) continue;
        const std::int64_t which = std::min<std::int64_t>(grid.split(grid.place(begin)).column, columns_ - 1);
        if (which < first || which >= next) continue;
        column(static_cast<std::int32_t>(which))[from].messages += 1;
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

}  // namespace app::gui
