// SPDX-License-Identifier: BSD-3-Clause
// How much of any time lies within some intervals.
#pragma once

#include "engine/base/types.hpp"

#include <algorithm>
#include <vector>

namespace app::analysis {

/// Intervals, summed up once: 24 bytes each.
class IntervalSums {
public:
    /// `begin` does not fall from one call to the next. Intervals that overlap or touch become one.
    void add(engine::Picoseconds begin, engine::Picoseconds end) {
        if (end <= begin) return;
        if (!all_.empty() && begin <= all_.back().end) {
            all_.back().end = std::max(all_.back().end, end);
            return;
        }
        all_.push_back({begin, end, all_.empty() ? engine::Picoseconds{} : until(all_.back().end)});
    }

    /// 0 where `to` is not later than `from`.
    [[nodiscard]] engine::Picoseconds between(engine::Picoseconds from, engine::Picoseconds to) const {
        return to > from ? until(to) - until(from) : engine::Picoseconds{};
    }

private:
    struct Interval {
        engine::Picoseconds begin{}, end{};
        engine::Picoseconds before{};  ///< in those that come before it
    };

    [[nodiscard]] engine::Picoseconds until(engine::Picoseconds time) const {
        const auto next = std::ranges::upper_bound(all_, time, {}, &Interval::begin);
        if (next == all_.begin()) return {};
        const Interval& last = *std::prev(next);
        return last.before + std::min(time, last.end) - last.begin;
    }

    std::vector<Interval> all_;
};

}  // namespace app::analysis
