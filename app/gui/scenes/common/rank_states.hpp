// SPDX-License-Identifier: BSD-3-Clause
// What ranks do when, in states: for the bars of single ranks, and added up for those of a group in one row.
#pragma once

#include "app/gui/scenes/drawing/time_axis.hpp"
#include "app/gui/scenes/text/rank_glyphs.hpp"

#include <array>
#include <span>

namespace app::gui {

/// A rank stays in a state. Where messages follow each other, one ends and another begins.
struct RankStretch {
    engine::Picoseconds begin{};
    engine::Picoseconds end{};
    RankState state = RankState::waiting;
};

/// The stretches of every rank within a span of time.
class RankStretches {
public:
    /// `messages`: those that count, by index; of ranks with others than these nothing is to be asked.
    RankStretches(const DrawableRun& subject, std::span<const std::uint32_t> messages, engine::Picoseconds begin,
                  engine::Picoseconds end);

    /// From the start to the end, without holes.
    [[nodiscard]] std::vector<RankStretch> of(engine::Rank rank) const;

private:
    struct Change {
        engine::Picoseconds at{};
        int sends = 0;
        int receives = 0;
        int combines = 0;
        int computes = 0;
    };

    const DrawableRun& subject_;
    engine::Picoseconds begin_;
    engine::Picoseconds end_;
    std::vector<std::vector<Change>> changes_;  // by rank
};

/// Picoseconds that ranks spent in each state, in columns of an axis.
class StateColumns {
public:
    static constexpr std::size_t states = 9;
    using Times = std::array<std::int64_t, states>;

    StateColumns(const TimeAxis& axis, std::int32_t columns);

    void add(const RankStretch& stretch);
    [[nodiscard]] std::int32_t columns() const { return static_cast<std::int32_t>(times_.size()); }
    /// Where a column begins; of the number of all where the last one ends.
    [[nodiscard]] engine::Picoseconds edge(std::int32_t column) const;
    /// By RankState.
    [[nodiscard]] const Times& at(std::int32_t column) const { return times_[static_cast<std::size_t>(column)]; }
    [[nodiscard]] Times inAll() const;

private:
    engine::Picoseconds begin_;
    engine::Picoseconds span_;
    std::vector<Times> times_;
};

}  // namespace app::gui
