// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/interval_set.hpp"

#include <gtest/gtest.h>

#include <random>

namespace engine {
namespace {

constexpr std::size_t line = 60;

/// A set as it is meant: byte by byte.
using Bits = std::vector<bool>;

Bits bitsOf(std::span<const Range> ranges) {
    Bits bits(line);
    for (const Range range : ranges)
        for (Bytes at = range.begin; at < range.end; ++at) bits[static_cast<std::size_t>(at)] = true;
    return bits;
}

/// The bytes of `range` that `wanted` says yes to, as long stretches.
template <class Wanted>
std::vector<Range> partsOf(Range range, Wanted wanted) {
    std::vector<Range> parts;
    for (Bytes at = range.begin; at < range.end; ++at) {
        if (!wanted(static_cast<std::size_t>(at))) continue;
        if (!parts.empty() && parts.back().end == at) ++parts.back().end;
        else parts.push_back({at, at + 1});
    }
    return parts;
}

TEST(IntervalSet, isTheSetOfItsBytes) {
    std::mt19937 random{3};
    for (int trial = 0; trial < 300; ++trial) {
        ByteSet set;
        Bits held(line);
        const std::size_t longest = trial % 3 == 0 ? 30 : 6;
        for (int step = 0; step < 25; ++step) {
            const auto begin = static_cast<Bytes>(random() % line);
            const Range range{begin,
                              std::min<Bytes>(line, begin + static_cast<Bytes>(random() % longest) - (step % 7 == 0))};
            const auto first = [&](bool there) -> std::optional<Bytes> {
                const auto parts = partsOf(range, [&](std::size_t at) { return held[at] == there; });
                return parts.empty() ? std::nullopt : std::optional{parts.front().begin};
            };
            ASSERT_EQ(set.missing(range), first(false));
            ASSERT_EQ(set.present(range), first(true));
            const auto gaps = partsOf(range, [&](std::size_t at) { return !held[at]; });
            std::vector<Range> told;
            set.eachGap(range, [&](Range gap) { told.push_back(gap); });
            ASSERT_EQ(told, gaps);
            if (step % 3 == 2) continue;
            std::vector<Range> fresh;
            std::vector<Range> again;
            set.add(
                range, [&](Range part) { fresh.push_back(part); }, [&](Range part) { again.push_back(part); });
            ASSERT_EQ(fresh, gaps);
            ASSERT_EQ(again, partsOf(range, [&](std::size_t at) { return held[at]; }));
            for (Bytes at = range.begin; at < range.end; ++at) held[static_cast<std::size_t>(at)] = true;
            ASSERT_EQ(bitsOf(set.intervals()), held);
            for (std::size_t i = 1; i < set.intervals().size(); ++i)
                ASSERT_LT(set.intervals()[i - 1].end, set.intervals()[i].begin) << "touching ones are one";
        }
    }
}

TEST(IntervalSet, holdsMomentsToo) {
    struct Moments {
        Picoseconds begin{};
        Picoseconds end{};
    };
    IntervalSet<Moments> set;
    set.add({Picoseconds{5}, Picoseconds{9}});
    set.add({Picoseconds{1}, Picoseconds{5}});
    ASSERT_EQ(set.intervals().size(), 1U);
    EXPECT_EQ(set.missing({Picoseconds{3}, Picoseconds{20}}), Picoseconds{9});
}

}  // namespace
}  // namespace engine
