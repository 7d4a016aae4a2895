// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/clocks/ring_shift_clock.hpp"
#include "emulation/clocks/hockney.hpp"
#include "emulation/clocks/ring_shift_rounds.hpp"
#include "emulation/clocks/ring_shift_vectors.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <thread>
#include <type_traits>

namespace emulation {
namespace {

using engine::RingShift;
using engine::RoundTimes;

/// First begin and last end among the messages of a round.
template <class Number>
struct Extent {
    Number begin = std::numeric_limits<Number>::max();
    Number end = 0;
};

/// Number: picoseconds as double, where that is exact, for movePlaces; as integer otherwise. waits: counts how long
/// places wait, and when rounds begin and end.
///
/// A place needs its left neighbour's clock of the round before. So tiles lean: in round t of a step a tile covers its
/// places moved t to the right, and the tile to its right goes first. The rightmost tile ends at the last place and
/// keeps that place's clocks for the leftmost one's left neighbours, the places that the tiles have left behind: the
/// rest.
///
///            places ->                      tile 0   tile 1      order in a step: tile 1, tile 0, rest
///     round  0   0 0 0 0 0 0 1 1 1 1 1 1
///            1   r 0 0 0 0 0 0 1 1 1 1 1
///            2   r r 0 0 0 0 0 0 1 1 1 1
///
/// A tile of the next step needs itself and the tile to its left to be through with this one: so threads take steps in
/// turn, one behind the other.
template <class Number, bool waits>
class RingShiftClock {
public:
    RingShiftClock(const RingShift& ringShift, const std::vector<engine::Picoseconds>& costs,
                   const std::vector<engine::Picoseconds>& starts, const RingShiftTiles& tiles)
        : ringShift_{ringShift},
          places_{ringShift.places()},
          blocks_{static_cast<std::int64_t>(ringShift.blocks.size())},
          cost_(2 * ringShift.blocks.size() + at(together)),
          clock_(starts.size()),
          wait_(waits ? starts.size() : 0),
          threads_{tiles.threads} {
        for (std::size_t place = 0; place < starts.size(); ++place)
            clock_[place] = static_cast<Number>(starts[place].count());
        for (std::size_t k = 0; k < cost_.size(); ++k) cost_[k] = static_cast<Number>(costs[k % costs.size()].count());
        ranges_ = placeRangesOf(ringShift);
        rounds_ = *std::max_element(ringShift.rounds.begin(), ringShift.rounds.end());
        extents_.resize(at(rounds_));
        tiles_ = std::max<std::int64_t>(1, places_ / tiles.width);
        step_ = std::min<std::int64_t>(tiles.depth, places_ / tiles_) / together * together;
        full_ = step_ == 0 ? 0 : fullRounds(ringShift, ranges_) / together * together;
    }

    void run(const engine::Progress& progress) {
        if (full_ > 0) everyoneSends(progress);
        for (std::int64_t round = full_; round < rounds_; ++round) {
            someSend(round);
            if (round % 64 == 0) progress.at(static_cast<double>(round) / static_cast<double>(rounds_));
        }
        progress.at(1);
    }

    [[nodiscard]] engine::Picoseconds makespan() const {
        return picoseconds(*std::max_element(clock_.begin(), clock_.end()));
    }

    RingShiftTimes times(const std::vector<engine::Picoseconds>& starts, const engine::Progress& progress) const {
        static_assert(waits);
        RingShiftTimes times;
        times.perRound = countRounds(ringShift_, {.report = {}, .stop = progress.stop});
        for (std::int64_t round = 0; round < rounds_; ++round) {
            times.perRound[at(round)].begin = picoseconds(extents_[at(round)].begin);
            times.perRound[at(round)].end = picoseconds(extents_[at(round)].end);
        }
        // A place is idle after its latest message, so its clock is the end of that message.
        for (std::size_t place = 0; place < clock_.size(); ++place) {
            times.last.push_back(picoseconds(clock_[place]));
            times.busy.push_back(times.last.back() - starts[place] - picoseconds(wait_[place]));
        }
        return times;
    }

private:
    static constexpr std::int64_t together = togetherRounds;
    using Clocks =
        std::array<Number, togetherRounds>;  // of one place, before each of the rounds that are moved together

    static std::size_t at(std::int64_t i) { return engine::asSize(i); }
    static engine::Picoseconds picoseconds(Number time) { return engine::Picoseconds{static_cast<std::int64_t>(time)}; }
    [[nodiscard]] std::int64_t leftOf(std::int64_t place) const { return place == 0 ? places_ - 1 : place - 1; }
    [[nodiscard]] std::int64_t blockOf(std::int64_t place, std::int64_t round) const {
        const std::int64_t block = ringShift_.first[at(place)] - round;
        return block < 0 ? block + blocks_ : block;
    }
    [[nodiscard]] Number costOf(std::int64_t place, std::int64_t round) const {
        return cost_[at(blockOf(place, round))];
    }
    [[nodiscard]] std::int64_t steps() const { return (full_ + step_ - 1) / step_; }

    /// The rounds in which every place sends, step by step.
    void everyoneSends(const engine::Progress& progress) {
        itemsDone_ = std::vector<std::atomic<std::int64_t>>(at(steps()));
        const std::int64_t workers = std::clamp<std::int64_t>(threads_, 1, steps());
        const auto work = [&](std::int64_t member) {
            for (std::int64_t step = member; step < steps() && !stopped_; step += workers) {
                takeStep(step);
                if (member != 0) continue;
                if (progress.report) progress.report(static_cast<double>(step * step_) / static_cast<double>(rounds_));
                if (progress.stop.stop_requested()) stopped_ = true;
            }
        };
        {
            std::vector<std::jthread> others;
            for (std::int64_t member = 1; member < workers; ++member) others.emplace_back(work, member);
            work(0);
        }
        progress.at(static_cast<double>(full_) / static_cast<double>(rounds_));
    }

    void takeStep(std::int64_t step) {
        const std::int64_t first = step * step_;
        const std::int64_t count = std::min(step_, full_ - first);
        std::vector<Number> lastPlace(at(count));  // its clock before each round
        for (std::int64_t item = 0; item <= tiles_; ++item) {
            if (step > 0 && !waitFor(itemsDone_[at(step - 1)], std::min(item + 2, tiles_ + 1))) return;
            const std::int64_t tile = tiles_ - 1 - item;
            if (item == 0) lastPlace[0] = clock_.back();
            for (std::int64_t t = 0; t < count; t += together) {
                if (tile < 0) {
                    sweep(first, t, {0, t, false, true}, lastPlace);
                } else {
                    const bool rightmost = item == 0;
                    const std::int64_t end = rightmost ? places_ : places_ * (tile + 1) / tiles_ + t;
                    sweep(first, t, {places_ * tile / tiles_ + t, end, true, !rightmost}, lastPlace);
                }
            }
            itemsDone_[at(step)].store(item + 1, std::memory_order_release);
        }
    }

    /// Until so many items are done; false when they never will.
    bool waitFor(const std::atomic<std::int64_t>& done, std::int64_t wanted) const {
        while (done.load(std::memory_order_acquire) < wanted) {
            if (stopped_) return false;
            std::this_thread::yield();
        }
        return true;
    }

    /// What a tile does in a few rounds, a trapezoid of places and rounds: places begin .. end-1 in the first of them.
    /// An edge that leans lies one place further to the right in each round after it.
    struct Trapezoid {
        std::int64_t begin;
        std::int64_t end;
        bool leansLeft;
        bool leansRight;
    };

    /// Rounds first + t .. first + t + together-1 of a trapezoid; t counts from the beginning of the step.
    void sweep(std::int64_t first, std::int64_t t, const Trapezoid& trapezoid, std::vector<Number>& lastPlace) {
        const std::int64_t round = first + t;
        Clocks left{};  // of the place left of `place`
        std::int64_t place = trapezoid.begin;
        if (place == 0) std::copy_n(lastPlace.begin() + t, together, left.begin());
        else left[0] = clock_[at(place - 1)];
        if (trapezoid.leansLeft)
            for (std::int64_t k = 1; k < together; ++k) column(place++, round, 0, k, left);
        inAllRounds(place, trapezoid.end, round, left);
        if (trapezoid.end == places_) std::copy_n(left.begin(), together, lastPlace.begin() + t);
        if (trapezoid.leansRight)
            for (std::int64_t k = 1; k < together; ++k) column(trapezoid.end + k - 1, round, k, together, left);
    }

    /// Moves places begin .. end-1 on, range by range.
    void inAllRounds(std::int64_t begin, std::int64_t end, std::int64_t round, Clocks& left) {
        auto range = std::upper_bound(ranges_.begin(), ranges_.end(), begin,
                                      [](std::int64_t place, const PlaceRange& s) { return place < s.end; });
        for (; range != ranges_.end() && range->begin < end; ++range) {
            const std::int64_t u = std::max(begin, range->begin);
            const std::int64_t v = std::min(end, range->end);
            // The first place: its left neighbour may belong to another range, or stand at the other end.
            column(u, round, 0, together, left);
            if constexpr (std::is_same_v<Number, double>) inLanes(u + 1, v, round, left);
            else
                for (std::int64_t place = u + 1; place < v; ++place) column(place, round, 0, together, left);
        }
    }

    /// The same for places of one range that are not its first.
    void inLanes(std::int64_t begin, std::int64_t end, std::int64_t round, Clocks& left) {
        if (begin == end) return;
        std::int64_t block = blockOf(begin - 1, round) + 1;
        if (block < together) block += blocks_;
        Clocks earliest;
        Clocks latest;
        for (std::int64_t k = 0; k < together; ++k) {
            earliest[at(k)] = extents_[at(round + k)].begin;
            latest[at(k)] = extents_[at(round + k)].end;
        }
        movePlaces({clock_.data() + begin, waits ? wait_.data() + begin : nullptr, cost_.data() + block, end - begin},
                   left, earliest, latest);
        for (std::int64_t k = 0; k < together; ++k) extents_[at(round + k)] = {earliest[at(k)], latest[at(k)]};
    }

    /// One place in rounds round + from .. round + to-1. `left`: its left neighbour's clocks, before becomes its own.
    void column(std::int64_t place, std::int64_t round, std::int64_t from, std::int64_t to, Clocks& left) {
        for (std::int64_t k = from; k < to; ++k) {
            const Number own = clock_[at(place)];
            meet(place, left[at(k)], costOf(place, round + k), costOf(leftOf(place), round + k),
                 extents_[at(round + k)]);
            left[at(k)] = own;
        }
        if (to < together) left[at(to)] = clock_[at(place)];
    }

    /// One place that sends for `out` and receives for `in` from a neighbour that begins at `left`. Its clock may be
    /// the end of what it sent, but nobody has received that earlier: so the latest clock is the end of the round.
    void meet(std::int64_t place, Number left, Number out, Number in, Extent<Number>& extent) {
        Number& clock = clock_[at(place)];
        extent.begin = std::min(extent.begin, clock);
        if constexpr (waits) clock = hockney::passOn(clock, left, out, in, wait_[at(place)]);
        else clock = hockney::passOn(clock, left, out, in);
        extent.end = std::max(extent.end, clock);
    }

    /// A round in which only some places send: one by one.
    void someSend(std::int64_t round) {
        Extent<Number>& extent = extents_[at(round)];
        Number left = clock_.back();
        for (std::int64_t place = 0; place < places_; ++place) {
            const Number own = clock_[at(place)];
            const bool sends = round < ringShift_.rounds[at(place)];
            const Number out = sends ? costOf(place, round) : 0;
            if (round < ringShift_.rounds[at(leftOf(place))]) {
                Extent<Number> ofOthers;
                meet(place, left, out, costOf(leftOf(place), round), ofOthers);
                extent.end = std::max(extent.end, ofOthers.end);
            } else {
                clock_[at(place)] = own + out;
            }
            if (sends) extent.begin = std::min(extent.begin, own);
            left = own;
        }
    }

    const RingShift& ringShift_;
    std::int64_t places_;
    std::int64_t blocks_;
    std::int64_t rounds_ = 0;
    std::int64_t full_ = 0;  // rounds in which every place sends, as far as they are worth tiles
    std::int64_t tiles_ = 1;
    std::int64_t step_ = 0;      // rounds of a tile
    std::vector<Number> cost_;   // twice in a row, and a little more, so that no range goes round the end
    std::vector<Number> clock_;  // by place: when its next round begins
    std::vector<Number> wait_;   // by place: for how long it has waited for senders
    std::vector<PlaceRange> ranges_;
    std::vector<Extent<Number>> extents_;
    int threads_;
    std::vector<std::atomic<std::int64_t>> itemsDone_;  // by step: tiles from the right, and then the rest
    std::atomic<bool> stopped_{false};
};

/// The latest that a clock can show.
std::int64_t latestOf(const RingShift& ringShift, const std::vector<engine::Picoseconds>& costs,
                      const std::vector<engine::Picoseconds>& starts) {
    const std::int64_t rounds = *std::max_element(ringShift.rounds.begin(), ringShift.rounds.end());
    return std::max_element(starts.begin(), starts.end())->count() +
           rounds * std::max_element(costs.begin(), costs.end())->count();
}

/// What `of` takes from the ring shift's clock at its end.
template <bool waits>
auto moved(const RingShift& ringShift, const std::vector<engine::Picoseconds>& costs,
           const std::vector<engine::Picoseconds>& starts, const RingShiftTiles& tiles,
           const engine::Progress& progress, const auto& of) {
    const auto run = [&](auto&& clock) {
        clock.run(progress);
        return of(clock);
    };
    const bool wholeAsDouble = latestOf(ringShift, costs, starts) < std::int64_t{1}
                                                                        << std::numeric_limits<double>::digits;
    return wholeAsDouble ? run(RingShiftClock<double, waits>{ringShift, costs, starts, tiles})
                         : run(RingShiftClock<std::int64_t, waits>{ringShift, costs, starts, tiles});
}

}  // namespace

RingShiftTimes runRingShift(const RingShift& ringShift, const std::vector<engine::Picoseconds>& costs,
                            const std::vector<engine::Picoseconds>& starts, const RingShiftTiles& tiles,
                            const engine::Progress& progress) {
    RingShiftTimes times = moved<true>(ringShift, costs, starts, tiles, progress,
                                       [&](const auto& clock) { return clock.times(starts, progress); });
    times.first = starts;
    times.done = times.last;
    return times;
}

engine::Picoseconds makespanOf(const RingShift& ringShift, const std::vector<engine::Picoseconds>& costs,
                               const std::vector<engine::Picoseconds>& starts, const RingShiftTiles& tiles,
                               const engine::Progress& progress) {
    return moved<false>(ringShift, costs, starts, tiles, progress, [](const auto& clock) { return clock.makespan(); });
}

}  // namespace emulation
