// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/conveyor_clock.hpp"
#include "emulation/conveyor_shape.hpp"

#include <algorithm>
#include <array>
#include <limits>

// The hot loop is built for several instruction sets and chosen when the program starts: 64-bit maxima need AVX-512
// or AVX2 to be fast. Sanitizers and the choice at start-up do not go together.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define FOR_SEVERAL_PROCESSORS __attribute__((target_clones("arch=skylake-avx512", "avx2", "default")))
#else
#define FOR_SEVERAL_PROCESSORS
#endif

namespace emulation {
namespace {

using engine::Conveyor;
using engine::RoundTimes;
using Time = std::int64_t;  // picoseconds; plain numbers, for the vectoriser

/// First begin and last end among the messages of a round.
struct Extent {
    Time begin = std::numeric_limits<Time>::max();
    Time end = 0;
};

/// Moves places 1..count-1 one round on; place j receives from place j - 1, whose message takes cost[j - 1].
FOR_SEVERAL_PROCESSORS
void advance(const Time* __restrict before, Time* __restrict now, Time* __restrict busy, const Time* __restrict cost,
             std::int64_t count, Extent& extent) {
    Time begin = extent.begin;
    Time end = extent.end;
    for (std::int64_t j = 1; j < count; ++j) {
        const Time own = before[j];
        const Time receiveBegin = std::max(own, before[j - 1]);
        const Time receiveEnd = receiveBegin + cost[j - 1];
        const Time sendEnd = own + cost[j];
        now[j] = std::max(receiveEnd, sendEnd);
        busy[j] += cost[j] + cost[j - 1] - std::max(std::min(sendEnd, receiveEnd) - receiveBegin, Time{0});
        begin = std::min(begin, own);
        end = std::max(end, receiveEnd);
    }
    extent.begin = begin;
    extent.end = end;
}

class ConveyorClock {
public:
    ConveyorClock(const Conveyor& conveyor, const std::vector<engine::Picoseconds>& costs,
         const std::vector<engine::Picoseconds>& starts)
        : conveyor_{conveyor}, places_{conveyor.places()}, blocks_{static_cast<std::int64_t>(conveyor.blocks.size())},
          cost_(2 * conveyor.blocks.size()), busy_(conveyor.first.size()),
          state_{std::vector<Time>(conveyor.first.size()), std::vector<Time>(conveyor.first.size())} {
        for (std::size_t place = 0; place < starts.size(); ++place) state_[0][place] = starts[place].count();
        for (std::size_t k = 0; k < cost_.size(); ++k) cost_[k] = costs[k % costs.size()].count();
        stretches_ = stretchesOf(conveyor);
        rounds_ = *std::max_element(conveyor.rounds.begin(), conveyor.rounds.end());
        full_ = fullRounds(conveyor, stretches_);
        extents_.resize(at(rounds_));
    }

    ConveyorTimes run(const engine::Progress& progress) {
        const std::int64_t tiles = std::max<std::int64_t>(1, places_ / width);
        const std::int64_t step = std::min(depth, places_ / tiles);
        std::int64_t round = 0;
        for (; round < full_; round += std::min(step, full_ - round)) {
            everyoneSends(round, std::min(step, full_ - round), tiles);
            progress.at(static_cast<double>(round) / static_cast<double>(rounds_));
        }
        for (; round < rounds_; ++round) {
            someSend(round);
            if (round % 64 == 0) progress.at(static_cast<double>(round) / static_cast<double>(rounds_));
        }
        ConveyorTimes times = books(countRounds(conveyor_, {.report = {}, .stop = progress.stop}));
        progress.at(1);
        return times;
    }

private:
    static constexpr std::int64_t depth = 512;   // rounds of a tile
    static constexpr std::int64_t width = 8192;  // places of a tile: its columns fit the level-2 cache

    static std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }
    [[nodiscard]] std::int64_t leftOf(std::int64_t place) const { return place == 0 ? places_ - 1 : place - 1; }
    [[nodiscard]] std::int64_t blockOf(std::int64_t place, std::int64_t round) const {
        const std::int64_t block = conveyor_.first[at(place)] - round;
        return block < 0 ? block + blocks_ : block;
    }
    [[nodiscard]] Time costOf(std::int64_t place, std::int64_t round) const { return cost_[at(blockOf(place, round))]; }

    /// Rounds first .. first+count-1, in all of which every place sends; count is at most the places of a tile.
    ///
    /// A place needs its left neighbour's time of the round before. So tiles lean: in round t a tile covers its places
    /// moved t to the right, and the tile to its right goes first. The rightmost tile ends at the last place and keeps
    /// that place's times for the leftmost one, which in round t is among the t places that the tiles have left behind.
    void everyoneSends(std::int64_t first, std::int64_t count, std::int64_t tiles) {
        lastPlace_.assign(at(count), 0);
        for (std::int64_t tile = tiles; tile-- > 0;) {
            const std::int64_t begin = places_ * tile / tiles;
            const std::int64_t end = places_ * (tile + 1) / tiles;
            const bool rightmost = tile == tiles - 1;
            for (std::int64_t t = 0; t < count; ++t) {
                if (rightmost) lastPlace_[at(t)] = state_[at((first + t) & 1)].back();
                window(first, t, begin + t, rightmost ? places_ : end + t);
            }
        }
        for (std::int64_t t = 1; t < count; ++t) window(first, t, 0, t);
    }

    /// Moves places begin..end-1 on in round first + t.
    void window(std::int64_t first, std::int64_t t, std::int64_t begin, std::int64_t end) {
        const std::int64_t round = first + t;
        const auto& before = state_[at(round & 1)];
        auto& now = state_[at((round + 1) & 1)];
        auto stretch = std::upper_bound(stretches_.begin(), stretches_.end(), begin,
                                        [](std::int64_t place, const Stretch& s) { return place < s.end; });
        for (; stretch != stretches_.end() && stretch->begin < end; ++stretch) {
            const std::int64_t u = std::max(begin, stretch->begin);
            const std::int64_t v = std::min(end, stretch->end);
            Extent& extent = extents_[at(round)];
            // The first place: its left neighbour may belong to another stretch, or stand at the other end.
            const Time left = u == 0 ? lastPlace_[at(t)] : before[at(u - 1)];
            meet(before[at(u)], left, costOf(u, round), costOf(leftOf(u), round), now[at(u)], busy_[at(u)], extent);
            advance(before.data() + u, now.data() + u, busy_.data() + u, cost_.data() + blockOf(u, round), v - u, extent);
        }
    }

    /// One place that sends for `out` and receives for `in`.
    static void meet(Time own, Time left, Time out, Time in, Time& now, Time& busy, Extent& extent) {
        const Time receiveBegin = std::max(own, left);
        const Time receiveEnd = receiveBegin + in;
        const Time sendEnd = own + out;
        now = std::max(receiveEnd, sendEnd);
        busy += out + in - std::max(std::min(sendEnd, receiveEnd) - receiveBegin, Time{0});
        extent.begin = std::min(extent.begin, own);
        extent.end = std::max(extent.end, receiveEnd);
    }

    /// A round in which only some places send: one by one.
    void someSend(std::int64_t round) {
        const auto& before = state_[at(round & 1)];
        auto& now = state_[at((round + 1) & 1)];
        Extent& extent = extents_[at(round)];
        for (std::int64_t i = 0; i < places_; ++i) {
            const bool sends = round < conveyor_.rounds[at(i)];
            const bool receives = round < conveyor_.rounds[at(leftOf(i))];
            const Time own = before[at(i)];
            now[at(i)] = own;
            if (sends) extent.begin = std::min(extent.begin, own);
            Extent ofOthers = extent;
            if (receives) {
                meet(own, before[at(leftOf(i))], sends ? costOf(i, round) : 0, costOf(leftOf(i), round), now[at(i)],
                     busy_[at(i)], ofOthers);
                extent.end = std::max(extent.end, ofOthers.end);
            } else if (sends) {
                now[at(i)] = own + costOf(i, round);
                busy_[at(i)] += costOf(i, round);
            }
        }
    }

    ConveyorTimes books(std::vector<RoundTimes> perRound) {
        ConveyorTimes times;
        for (std::int64_t round = 0; round < rounds_; ++round) {
            perRound[at(round)].begin = engine::Picoseconds{extents_[at(round)].begin};
            perRound[at(round)].end = engine::Picoseconds{extents_[at(round)].end};
        }
        times.perRound = std::move(perRound);
        // A place stands still after its latest message, so its clock is the end of that message.
        for (const Time time : state_[at(rounds_ & 1)]) times.last.emplace_back(time);
        for (const Time time : busy_) times.busy.emplace_back(time);
        return times;
    }

    const Conveyor& conveyor_;
    std::int64_t places_;
    std::int64_t blocks_;
    std::int64_t rounds_ = 0;
    std::int64_t full_ = 0;   // rounds in which every place sends, as far as they are worth tiles
    std::vector<Time> cost_;  // twice in a row, so that no stretch goes round the end
    std::vector<Time> busy_;
    std::array<std::vector<Time>, 2> state_;  // each place's clock, by the parity of the round that is to come
    std::vector<Time> lastPlace_;             // clock of the last place before each round of the open tiles
    std::vector<Stretch> stretches_;
    std::vector<Extent> extents_;
};

}  // namespace

ConveyorTimes turnConveyor(const Conveyor& conveyor, const std::vector<engine::Picoseconds>& costs,
                       const std::vector<engine::Picoseconds>& starts, const engine::Progress& progress) {
    ConveyorTimes times = ConveyorClock{conveyor, costs, starts}.run(progress);
    times.first = starts;
    times.done = times.last;
    return times;
}

}  // namespace emulation
