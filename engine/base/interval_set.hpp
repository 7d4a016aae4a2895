// SPDX-License-Identifier: BSD-3-Clause
// Sets of bytes, or of moments: as few half-open intervals as they are made of.
#pragma once

#include "engine/base/types.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

namespace engine {

/// Interval: has `begin` and `end`, of numbers that can be compared. Its intervals rise and do not touch. Adding to the
/// end, or near it, takes no search; anywhere else it takes one, and moves what lies behind.
template <class Interval>
class IntervalSet {
public:
    using Number = decltype(Interval::begin);

    /// Adds `interval`; calls `isNew` for each part of it that was not in the set and `isOld` for each that was, both
    /// in rising order.
    template <class New, class Old>
    void add(Interval interval, New isNew, Old isOld) {
        if (interval.end <= interval.begin) return;
        const auto first = firstReaching(interval.begin);
        auto last = first;
        Interval merged = interval;
        Number at = interval.begin;
        for (; last != held_.end() && last->begin <= interval.end; ++last) {
            if (last->begin > at) isNew(Interval{at, last->begin});
            const Interval old{std::max(last->begin, interval.begin), std::min(last->end, interval.end)};
            if (old.begin < old.end) isOld(old);
            at = std::max(at, last->end);
            merged = {std::min(merged.begin, last->begin), std::max(merged.end, last->end)};
        }
        if (at < interval.end) isNew(Interval{at, interval.end});
        if (first == last) {
            held_.insert(first, merged);
            return;
        }
        *first = merged;
        held_.erase(first + 1, last);
    }
    void add(Interval interval) {
        add(
            interval, [](Interval) {}, [](Interval) {});
    }

    /// Adds all of `other`, which is empty then.
    void take(IntervalSet& other) {
        for (const Interval& interval : other.held_) add(interval);
        other.held_.clear();
    }

    [[nodiscard]] std::span<const Interval> intervals() const { return held_; }

    /// The first number of `interval` that is not in the set.
    [[nodiscard]] std::optional<Number> missing(Interval interval) const {
        if (interval.end <= interval.begin) return std::nullopt;
        const auto held = firstBehind(interval.begin);
        if (held == held_.end() || held->begin > interval.begin) return interval.begin;
        return held->end >= interval.end ? std::nullopt : std::optional{held->end};
    }
    /// The first number of `interval` that is in the set.
    [[nodiscard]] std::optional<Number> present(Interval interval) const {
        const auto held = firstBehind(interval.begin);
        if (interval.end <= interval.begin || held == held_.end() || held->begin >= interval.end) return std::nullopt;
        return std::max(held->begin, interval.begin);
    }
    /// Calls `each` for the parts of `interval` that are not in the set, in rising order.
    template <class Each>
    void eachGap(Interval interval, Each each) const {
        Number at = interval.begin;
        for (auto held = firstBehind(at); held != held_.end() && held->begin < interval.end; ++held) {
            if (held->begin > at) each(Interval{at, held->begin});
            at = held->end;
        }
        if (at < interval.end) each(Interval{at, interval.end});
    }

private:
    /// The first held interval that reaches up to `at` or beyond.
    [[nodiscard]] typename std::vector<Interval>::iterator firstReaching(Number at) {
        if (held_.empty() || held_.back().end < at) return held_.end();
        if (held_.back().begin <= at) return held_.end() - 1;
        return std::lower_bound(held_.begin(), held_.end(), at,
                                [](const Interval& held, Number place) { return held.end < place; });
    }
    /// The first held interval that ends behind `at`.
    [[nodiscard]] typename std::vector<Interval>::const_iterator firstBehind(Number at) const {
        return std::upper_bound(held_.begin(), held_.end(), at,
                                [](Number place, const Interval& held) { return place < held.end; });
    }

    std::vector<Interval> held_;
};

/// A set of bytes of the line.
using ByteSet = IntervalSet<Range>;

}  // namespace engine
