// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/clocks/ring_shift_rounds.hpp"

#include <algorithm>

namespace emulation {
namespace {

using engine::Bytes;
using engine::RingShift;
using engine::RoundTimes;

std::size_t at(std::int64_t i) { return engine::asSize(i); }

std::int64_t blockOf(const RingShift& ringShift, std::int64_t place, std::int64_t round) {
    const std::int64_t block = ringShift.first[at(place)] - round;
    return block < 0 ? block + static_cast<std::int64_t>(ringShift.blocks.size()) : block;
}

/// Largest number in a range of a list, in O(log n).
class Maxima {
public:
    explicit Maxima(const std::vector<Bytes>& numbers) : size_{numbers.size()}, tree_(2 * numbers.size()) {
        std::copy(numbers.begin(), numbers.end(), tree_.begin() + static_cast<std::ptrdiff_t>(size_));
        for (std::size_t i = size_; i-- > 1;) tree_[i] = std::max(tree_[2 * i], tree_[2 * i + 1]);
    }
    [[nodiscard]] Bytes in(std::size_t first, std::size_t last) const {
        Bytes most = 0;
        for (first += size_, last += size_; first < last; first /= 2, last /= 2) {
            if (first % 2 == 1) most = std::max(most, tree_[first++]);
            if (last % 2 == 1) most = std::max(most, tree_[--last]);
        }
        return most;
    }

private:
    std::size_t size_;
    std::vector<Bytes> tree_;
};

/// Rounds in which every place sends: range by range, not message by message.
void countFull(const RingShift& ringShift, const std::vector<PlaceRange>& ranges, std::int64_t full,
               std::vector<RoundTimes>& perRound) {
    const std::size_t blocks = ringShift.blocks.size();
    std::vector<Bytes> sizes;
    std::vector<Bytes> sums{0};
    for (std::size_t k = 0; k < 2 * blocks; ++k) {
        sizes.push_back(ringShift.blocks[k % blocks].size());
        sums.push_back(sums.back() + sizes.back());
    }
    const Maxima maxima{sizes};
    for (std::int64_t round = 0; round < full; ++round) {
        RoundTimes& times = perRound[at(round)];
        times.messages = ringShift.places();
        for (const PlaceRange& range : ranges) {
            const std::size_t begin = at(blockOf(ringShift, range.begin, round));
            const std::size_t end = begin + at(range.end - range.begin);
            times.bytes += sums[end] - sums[begin];
            times.largest = std::max(times.largest, maxima.in(begin, end));
        }
    }
}

}  // namespace

std::vector<PlaceRange> placeRangesOf(const RingShift& ringShift) {
    std::vector<PlaceRange> ranges;
    for (std::int64_t i = 0; i < ringShift.places(); ++i)
        if (i == 0 || ringShift.first[at(i)] != ringShift.first[at(i - 1)] + 1) ranges.push_back({i, i + 1});
        else ranges.back().end = i + 1;
    return ranges;
}

std::int64_t fullRounds(const RingShift& ringShift, const std::vector<PlaceRange>& ranges) {
    const bool areLong = static_cast<std::int64_t>(ranges.size()) * 8 <= ringShift.places();
    return areLong ? *std::min_element(ringShift.rounds.begin(), ringShift.rounds.end()) : 0;
}

std::vector<RoundTimes> countRounds(const RingShift& ringShift, const engine::Progress& progress) {
    const std::vector<PlaceRange> ranges = placeRangesOf(ringShift);
    const std::int64_t full = fullRounds(ringShift, ranges);
    const std::int64_t rounds = *std::max_element(ringShift.rounds.begin(), ringShift.rounds.end());
    std::vector<RoundTimes> perRound(at(rounds));
    if (full > 0) countFull(ringShift, ranges, full, perRound);
    for (std::int64_t round = full; round < rounds; ++round) {
        if (round % 64 == 0) progress.at(static_cast<double>(round) / static_cast<double>(rounds));
        RoundTimes& times = perRound[at(round)];
        for (std::int64_t place = 0; place < ringShift.places(); ++place) {
            if (round >= ringShift.rounds[at(place)]) continue;
            const Bytes bytes = ringShift.blocks[at(blockOf(ringShift, place, round))].size();
            ++times.messages;
            times.bytes += bytes;
            times.largest = std::max(times.largest, bytes);
        }
    }
    return perRound;
}

}  // namespace emulation
