// SPDX-License-Identifier: BSD-3-Clause
// A ring shift in lockstep. All places begin a round together, so that a round lasts as long as its largest block, and
// a place is busy in it for the longer of what it sends and what it receives: sums over windows of the ring shift, not
// over messages.
#include "emulation/clocks/ring_shift_clock.hpp"
#include "emulation/clocks/ring_shift_rounds.hpp"

#include <algorithm>

namespace emulation {
namespace {

using engine::Bytes;
using engine::Picoseconds;
using engine::RingShift;
using engine::RoundTimes;
using Time = std::int64_t;

std::size_t at(std::int64_t i) { return engine::asSize(i); }

/// Sums over windows of a closed list that run backwards: list[k] + list[k - 1] + ...
class Windows {
public:
    explicit Windows(const std::vector<Time>& list) : size_{static_cast<std::int64_t>(list.size())}, sums_{0} {
        for (std::int64_t k = 0; k < 2 * size_; ++k) sums_.push_back(sums_.back() + list[at(k % size_)]);
    }
    /// `count` of them, from `last` downwards; count <= size.
    [[nodiscard]] Time backFrom(std::int64_t last, std::int64_t count) const {
        return sums_[at(last + size_ + 1)] - sums_[at(last + size_ + 1 - count)];
    }

private:
    std::int64_t size_;
    std::vector<Time> sums_;
};

class LockstepClock {
public:
    LockstepClock(const RingShift& ringShift, const std::vector<Picoseconds>& costs)
        : ringShift_{ringShift}, costs_(costs.size()), longer_(costs.size()) {
        for (std::size_t k = 0; k < costs.size(); ++k) costs_[k] = costs[k].count();
        for (std::size_t k = 0; k < costs.size(); ++k)
            longer_[k] = std::max(costs_[k], costs_[(k + costs.size() - 1) % costs.size()]);
    }

    RingShiftTimes run(Picoseconds start, const engine::Progress& progress) {
        RingShiftTimes times;
        times.perRound = countRounds(ringShift_, progress);
        begins_.push_back(start.count());
        for (RoundTimes& round : times.perRound) {
            round.begin = Picoseconds{begins_.back()};
            round.end = round.begin + Picoseconds{longestOf(round)};
            begins_.push_back(round.end.count());
        }
        const Windows ofOne{costs_};
        const Windows ofTwo{longer_};
        for (std::int64_t place = 0; place < ringShift_.places(); ++place) {
            const std::int64_t left = place == 0 ? ringShift_.places() - 1 : place - 1;
            times.first.push_back(start);
            times.busy.emplace_back(busyOf(place, left, ofOne, ofTwo));
            times.last.emplace_back(lastOf(place, left));
            times.done.emplace_back(begins_[at(std::max(ringShift_.rounds[at(place)], ringShift_.rounds[at(left)]))]);
        }
        progress.at(1);
        return times;
    }

private:
    [[nodiscard]] std::int64_t blocks() const { return static_cast<std::int64_t>(costs_.size()); }
    [[nodiscard]] std::int64_t blockOf(std::int64_t place, std::int64_t round) const {
        const std::int64_t block = (ringShift_.first[at(place)] - round) % blocks();
        return block < 0 ? block + blocks() : block;
    }
    [[nodiscard]] Time costOf(std::int64_t place, std::int64_t round) const {
        return costs_[at(blockOf(place, round))];
    }

    /// Costs grow with sizes: the largest block of a round is its longest.
    [[nodiscard]] Time longestOf(const RoundTimes& round) {
        if (byBytes_.empty()) {
            for (std::size_t k = 0; k < costs_.size(); ++k)
                byBytes_.emplace_back(ringShift_.blocks[k].size(), costs_[k]);
            std::sort(byBytes_.begin(), byBytes_.end());
        }
        return std::lower_bound(byBytes_.begin(), byBytes_.end(), std::pair{round.largest, Time{0}})->second;
    }

    [[nodiscard]] Time busyOf(std::int64_t place, std::int64_t left, const Windows& ofOne, const Windows& ofTwo) const {
        const std::int64_t sends = ringShift_.rounds[at(place)];
        const std::int64_t receives = ringShift_.rounds[at(left)];
        const std::int64_t both = std::min(sends, receives);
        const std::int64_t alone = sends > both ? place : left;
        Time busy = ofOne.backFrom(blockOf(alone, both), std::max(sends, receives) - both);
        if (blockOf(left, 0) == blockOf(place, 1)) return busy + ofTwo.backFrom(blockOf(place, 0), both);
        for (std::int64_t round = 0; round < both; ++round) busy += std::max(costOf(place, round), costOf(left, round));
        return busy;
    }

    /// End of the place's latest message.
    [[nodiscard]] Time lastOf(std::int64_t place, std::int64_t left) const {
        const std::int64_t sends = ringShift_.rounds[at(place)];
        const std::int64_t receives = ringShift_.rounds[at(left)];
        Time last = 0;
        if (sends > 0) last = begins_[at(sends - 1)] + costOf(place, sends - 1);
        if (receives > 0) last = std::max(last, begins_[at(receives - 1)] + costOf(left, receives - 1));
        return last;
    }

    const RingShift& ringShift_;
    std::vector<Time> costs_;   // by block
    std::vector<Time> longer_;  // of each block and the one before it
    std::vector<Time> begins_;  // by round
    std::vector<std::pair<Bytes, Time>> byBytes_;
};

}  // namespace

RingShiftTimes runRingShiftInLockstep(const RingShift& ringShift, const std::vector<Picoseconds>& costs,
                                      Picoseconds start, const engine::Progress& progress) {
    return LockstepClock{ringShift, costs}.run(start, progress);
}

}  // namespace emulation
