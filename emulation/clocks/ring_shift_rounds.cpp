// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/clocks/ring_shift_rounds.hpp"

#include <algorithm>

namespace emulation {
namespace {

using engine::Bytes;
using engine::Conveyor;
using engine::RoundTimes;

std::size_t at(std::int64_t i) { return engine::asSize(i); }

std::int64_t blockOf(const Conveyor& conveyor, std::int64_t place, std::int64_t round) {
    const std::int64_t block = conveyor.first[at(place)] - round;
    return block < 0 ? block + static_cast<std::int64_t>(conveyor.blocks.size()) : block;
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

/// Rounds in which every place sends: stretch by stretch, not message by message.
void countFull(const Conveyor& conveyor, const std::vector<Stretch>& stretches, std::int64_t full,
               std::vector<RoundTimes>& books) {
    const std::size_t blocks = conveyor.blocks.size();
    std::vector<Bytes> sizes;
    std::vector<Bytes> sums{0};
    for (std::size_t k = 0; k < 2 * blocks; ++k) {
        sizes.push_back(conveyor.blocks[k % blocks].size());
        sums.push_back(sums.back() + sizes.back());
    }
    const Maxima maxima{sizes};
    for (std::int64_t round = 0; round < full; ++round) {
        RoundTimes& times = books[at(round)];
        times.messages = conveyor.places();
        for (const Stretch& stretch : stretches) {
            const std::size_t begin = at(blockOf(conveyor, stretch.begin, round));
            const std::size_t end = begin + at(stretch.end - stretch.begin);
            times.bytes += sums[end] - sums[begin];
            times.largest = std::max(times.largest, maxima.in(begin, end));
        }
    }
}

}  // namespace

std::vector<Stretch> stretchesOf(const Conveyor& conveyor) {
    std::vector<Stretch> stretches;
    for (std::int64_t i = 0; i < conveyor.places(); ++i)
        if (i == 0 || conveyor.first[at(i)] != conveyor.first[at(i - 1)] + 1) stretches.push_back({i, i + 1});
        else stretches.back().end = i + 1;
    return stretches;
}

std::int64_t fullRounds(const Conveyor& conveyor, const std::vector<Stretch>& stretches) {
    const bool areLong = static_cast<std::int64_t>(stretches.size()) * 8 <= conveyor.places();
    return areLong ? *std::min_element(conveyor.rounds.begin(), conveyor.rounds.end()) : 0;
}

std::vector<RoundTimes> countRounds(const Conveyor& conveyor, const engine::Progress& progress) {
    const std::vector<Stretch> stretches = stretchesOf(conveyor);
    const std::int64_t full = fullRounds(conveyor, stretches);
    const std::int64_t rounds = *std::max_element(conveyor.rounds.begin(), conveyor.rounds.end());
    std::vector<RoundTimes> books(at(rounds));
    if (full > 0) countFull(conveyor, stretches, full, books);
    for (std::int64_t round = full; round < rounds; ++round) {
        if (round % 64 == 0) progress.at(static_cast<double>(round) / static_cast<double>(rounds));
        RoundTimes& times = books[at(round)];
        for (std::int64_t place = 0; place < conveyor.places(); ++place) {
            if (round >= conveyor.rounds[at(place)]) continue;
            const Bytes bytes = conveyor.blocks[at(blockOf(conveyor, place, round))].size();
            ++times.messages;
            times.bytes += bytes;
            times.largest = std::max(times.largest, bytes);
        }
    }
    return books;
}

}  // namespace emulation
