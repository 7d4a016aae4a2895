// SPDX-License-Identifier: BSD-3-Clause
// What a rank spent by call path, its waits left out, in any span of time; outside of calls by the call that follows.
//
// Sums of all that came before are kept at every so many stretches and waits. Of a long span only what lies before the
// first of these marks in it and behind the last one is gone through; the rest is a difference, path by path.
#pragma once

#include "app/analysis/calls/call_paths.hpp"

#include <optional>
#include <span>
#include <vector>

namespace app::analysis {

/// A call path by its own number; what is outside of calls, by the call that follows, has numbers behind all of these.
using PlaceNumber = std::uint32_t;

/// The places of a recording in which a thread can be.
class CallPlaces {
public:
    /// `paths` must outlive it.
    explicit CallPlaces(const CallPaths& paths);

    [[nodiscard]] std::size_t size() const { return paths_.size() + next_.size(); }
    [[nodiscard]] PathId pathOf(PlaceNumber place) const { return place < paths_.size() ? place : outsideOfCalls; }
    /// Of what is outside of calls, the call that follows; outsideOfCalls where none does.
    [[nodiscard]] PathId beforeOf(PlaceNumber place) const {
        return place < paths_.size() ? outsideOfCalls : next_[place - paths_.size()];
    }

    /// Where a location is that is outside of calls at `time`. Quick where `hint`, which becomes the call that follows,
    /// is near.
    [[nodiscard]] PlaceNumber outside(std::size_t location, engine::Picoseconds time, std::uint32_t& hint) const {
        const std::uint32_t next = paths_.nextCall(location, time, hint);
        if (next == CallPaths::none) return outsideOfCalls;
        hint = next;
        return before_[paths_.of(location, next)];
    }

    /// CallPaths::eachStretch with the places in which a location was: `take(place, from, to)`.
    template <class Take>
    void eachStretch(std::size_t location, engine::Picoseconds begin, engine::Picoseconds end, Take take,
                     std::uint32_t hint = 0) const {
        paths_.eachStretch(
            location, begin, end,
            [&](PathId path, engine::Picoseconds from, engine::Picoseconds to) {
                take(path == outsideOfCalls ? outside(location, from, hint) : path, from, to);
            },
            hint);
    }

private:
    const CallPaths& paths_;
    std::vector<PathId> next_;         ///< the calls that can follow time outside of all
    std::vector<PlaceNumber> before_;  ///< by path: the place before it
};

/// Prefix sums by place over a sequence of entries, kept before every step-th entry: 0, step, 2 step, ...
class MarkedSums {
public:
    explicit MarkedSums(std::size_t places) : step_{std::max<std::size_t>(64, 2 * places)}, sums_(places) {}

    /// Whether the next entry stands behind a mark.
    [[nodiscard]] bool atMark() const { return count_ % step_ == 0; }
    void add(PlaceNumber place, engine::Picoseconds time) {
        if (atMark()) marks_.insert(marks_.end(), sums_.begin(), sums_.end());
        sums_[place] += time;
        ++count_;
    }

    [[nodiscard]] std::size_t step() const { return step_; }
    /// Hands the sums over the entries between two marks to `take(place, time)`, those of 0 left out.
    template <class Take>
    void between(std::size_t mark, std::size_t later, Take take) const {
        const engine::Picoseconds* from = marks_.data() + mark * sums_.size();
        const engine::Picoseconds* to = marks_.data() + later * sums_.size();
        for (std::size_t place = 0; place < sums_.size(); ++place)
            if (from[place] != to[place]) take(static_cast<PlaceNumber>(place), to[place] - from[place]);
    }

private:
    std::size_t step_;
    std::size_t count_ = 0;
    std::vector<engine::Picoseconds> sums_;
    std::vector<engine::Picoseconds> marks_;  ///< by mark and place
};

/// A wait and the path that it stands in.
struct WaitOnPath {
    engine::Picoseconds begin{};
    engine::Picoseconds end{};
    PathId path = outsideOfCalls;
};

class PathTimes {
public:
    /// Of a location, whose rank waited so, by their begins; waits may overlap. Both must outlive it and are of one
    /// recording. Takes at most twelve bytes a stretch and 40 a wait.
    PathTimes(const CallPaths& paths, const CallPlaces& places, std::size_t location, std::vector<WaitOnPath> waits);

    /// Hands what was spent in [begin, end) to `take(place, time)`: the same place several times, and waits as times
    /// below 0.
    template <class Take>
    void each(engine::Picoseconds begin, engine::Picoseconds end, Take take) const {
        if (begin >= end) return;
        const auto first = static_cast<std::size_t>(std::lower_bound(at_.begin(), at_.end(), begin) - at_.begin());
        const auto behind = static_cast<std::size_t>(std::upper_bound(at_.begin(), at_.end(), end) - at_.begin());
        if (first + 1 < behind) {
            walk(first, begin, at_[first], take);
            stretches_.between(first, behind - 1, take);
            walk(behind - 1, at_[behind - 1], end, take);
        } else walk(first, begin, end, take);
        eachWait(begin, end, take);
    }

    /// When the last stretch in a place that begins before `time` begins, whether the rank waited in it or not; nothing
    /// where there is none.
    [[nodiscard]] std::optional<engine::Picoseconds> lastBegin(PlaceNumber place, engine::Picoseconds time) const;

private:
    /// Stretches in [begin, end), near a mark.
    template <class Take>
    void walk(std::size_t mark, engine::Picoseconds begin, engine::Picoseconds end, Take take) const {
        const std::size_t states = paths_.recording().states[location_].size();
        const auto hint = static_cast<std::uint32_t>(states * mark / std::max<std::size_t>(at_.size(), 1));
        places_.eachStretch(
            location_, begin, end,
            [&](PlaceNumber place, engine::Picoseconds from, engine::Picoseconds to) { take(place, to - from); }, hint);
    }

    template <class Take>
    void eachWait(engine::Picoseconds begin, engine::Picoseconds end, Take take) const {
        const std::size_t a = firstAfter(begin);
        const std::size_t b = firstAfter(end);
        const auto whole = [&](std::size_t from, std::size_t to) {
            for (std::size_t i = from; i < to; ++i) take(waits_[i].path, waits_[i].begin - waits_[i].end);
        };
        const std::size_t step = waited_.step();
        const std::size_t mark = (a + step - 1) / step;
        // A mark is there once the entry behind it is.
        const std::size_t last = std::min(b, std::max<std::size_t>(waits_.size(), 1) - 1) / step;
        if (mark < last) {
            whole(a, mark * step);
            waited_.between(mark, last, [&](PlaceNumber place, engine::Picoseconds time) { take(place, -time); });
            whole(last * step, b);
        } else whole(a, b);
        begun(b, end, [&](PlaceNumber place, engine::Picoseconds time) { take(place, -time); });
        begun(a, begin, take);
    }

    /// Waits before it are over at `time`, all of them.
    [[nodiscard]] std::size_t firstAfter(engine::Picoseconds time) const {
        return static_cast<std::size_t>(std::upper_bound(over_.begin(), over_.end(), time) - over_.begin());
    }

    /// What had passed at `time` of the waits from `first` on.
    template <class Take>
    void begun(std::size_t first, engine::Picoseconds time, Take take) const {
        for (std::size_t i = first; i < waits_.size() && waits_[i].begin < time; ++i)
            take(waits_[i].path, std::min(waits_[i].end, time) - waits_[i].begin);
    }

    const CallPaths& paths_;
    const CallPlaces& places_;
    std::size_t location_;
    MarkedSums stretches_;
    std::vector<engine::Picoseconds> at_;                   ///< where the stretch behind each mark begins
    std::vector<std::vector<engine::Picoseconds>> begins_;  ///< of stretches, by place
    std::vector<WaitOnPath> waits_;
    std::vector<engine::Picoseconds> over_;  ///< beside them: when it and all before are over
    MarkedSums waited_;
};

}  // namespace app::analysis
