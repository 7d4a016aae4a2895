// SPDX-License-Identifier: BSD-3-Clause
// Which messages are kept of too many: those sent first, found by sorting all of them.
#include "traces/recording/first_sent.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace traces {
namespace {

using engine::Picoseconds;

/// The first `most` of `chosen`, of equal times those that stand first; rising.
std::vector<std::uint32_t> sorted(const std::vector<Picoseconds>& sent, std::vector<std::uint32_t> chosen,
                                  std::size_t most) {
    std::stable_sort(chosen.begin(), chosen.end(), [&](auto a, auto b) { return sent[a] < sent[b]; });
    chosen.resize(std::min(most, chosen.size()));
    std::sort(chosen.begin(), chosen.end());
    return chosen;
}

TEST(FirstSent, areTheFirstInOrderOfTime) {
    std::mt19937_64 random{1};
    for (int trial = 0; trial < 500; ++trial) {
        // Some spread widely, some close together, with ties, some before time 0.
        const std::uint64_t spread = std::uint64_t{1} << (random() % 62 + 1);
        std::vector<Picoseconds> sent(random() % 40);
        for (Picoseconds& time : sent) time = Picoseconds{static_cast<std::int64_t>(random() % spread) - 9};
        std::vector<std::uint32_t> all(sent.size());
        std::iota(all.begin(), all.end(), 0U);
        const std::size_t most = random() % 42;
        ASSERT_EQ(firstSent(sent, most), sorted(sent, all, most)) << "trial " << trial;
        std::vector<std::uint32_t> some = all;
        std::erase_if(some, [&](auto) { return random() % 3 == 0; });
        ASSERT_EQ(firstSent(sent, some, most), sorted(sent, some, most)) << "trial " << trial;
    }
}

}  // namespace
}  // namespace traces
