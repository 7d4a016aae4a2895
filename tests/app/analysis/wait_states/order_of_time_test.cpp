// SPDX-License-Identifier: BSD-3-Clause
// What is quick because traces are nearly in the order of time says the same where they are not.
#include "app/analysis/containers/mostly_sorted.hpp"
#include "app/analysis/messages/message_ends.hpp"
#include "app/analysis/selection/partial_runs.hpp"
#include "traces/recording/first_sent.hpp"
#include "traces/recording/recorded_rank_times.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <random>
#include <span>
#include <tuple>
#include <vector>

namespace {

using engine::Picoseconds;
using engine::Rank;

/// `count` times below `most` that rise but for a disorder of so much.
std::vector<Picoseconds> times(std::size_t count, std::int64_t most, std::int64_t disorder, std::uint32_t seed) {
    std::mt19937 random{seed};
    std::vector<Picoseconds> values;
    for (std::size_t i = 0; i < count; ++i)
        values.emplace_back(static_cast<std::int64_t>(i) * most / static_cast<std::int64_t>(count) +
                            static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(disorder)));
    return values;
}

TEST(OrderOfTime, firstSentAreThoseThatSortingPutsFirst) {
    for (const std::int64_t disorder : {1, 3, 50, 100'000})
        for (const std::size_t most : {0U, 1U, 40U, 99U, 100U, 500U}) {
            const auto sent = times(100, 60, disorder, 7);
            std::vector<std::uint32_t> expected(sent.size());
            std::iota(expected.begin(), expected.end(), 0U);
            std::vector<std::uint32_t> odd;
            for (const std::uint32_t i : expected)
                if (i % 2 == 1) odd.push_back(i);
            const auto cut = [&](std::vector<std::uint32_t> all) {
                std::stable_sort(all.begin(), all.end(), [&](auto a, auto b) { return sent[a] < sent[b]; });
                all.resize(std::min(all.size(), most));
                std::sort(all.begin(), all.end());
                return all;
            };
            EXPECT_EQ(traces::firstSent(sent, most), cut(expected)) << disorder << ' ' << most;
            EXPECT_EQ(traces::firstSent(sent, odd, most), cut(odd)) << disorder << ' ' << most;
        }
    const std::vector<Picoseconds> far{Picoseconds{-5}, Picoseconds::max(), Picoseconds{0}, Picoseconds::min()};
    EXPECT_EQ(traces::firstSent(far, 2), (std::vector<std::uint32_t>{0, 3}));
}

TEST(OrderOfTime, mostlySortedValuesAreSortedAsStably) {
    for (const std::int64_t disorder : {1, 2, 8, 40, 1000, 1'000'000}) {
        const auto keys = times(3000, 3000, disorder, 11);
        std::vector<std::uint32_t> expected(keys.size());
        std::iota(expected.begin(), expected.end(), 0U);
        std::vector<std::uint32_t> sorted = expected;
        const auto less = [&](std::uint32_t a, std::uint32_t b) { return keys[a] / 3 < keys[b] / 3; };
        std::stable_sort(expected.begin(), expected.end(), less);
        app::analysis::sortMostlySorted(std::span{sorted}, less);
        EXPECT_EQ(sorted, expected) << disorder;
    }
}

/// Messages among four ranks at any times.
engine::Run scattered(std::uint32_t seed, std::uint32_t span) {
    std::mt19937 random{seed};
    std::vector<app::analysis::Sample> samples;
    const auto time = [&] { return static_cast<std::int64_t>(random() % span); };
    for (int i = 0; i < 60; ++i) {
        const std::int64_t send = time();
        const std::int64_t receive = time();
        samples.push_back({{Rank{static_cast<int>(random() % 4)}, Rank{static_cast<int>(random() % 4)},
                            engine::Round{0}, 8, Picoseconds{send}, Picoseconds{send + time() / 4},
                            Picoseconds{receive}, Picoseconds{receive + time() / 4}}});
    }
    return app::analysis::assembled(4, std::move(samples));
}

TEST(OrderOfTime, theEndBeforeIsTheLatestOneOfAll) {
    for (std::uint32_t seed = 0; seed < 40; ++seed) {
        const engine::Run run = scattered(seed, seed % 2 == 0 ? 30 : 1000);
        app::analysis::OverEnds over{run};
        std::mt19937 random{seed};
        for (int definition = 0; definition < 200; ++definition) {
            const Rank rank{static_cast<int>(random() % 4)};
            const Picoseconds now{static_cast<std::int64_t>(random() % 1300)};
            const auto message = static_cast<std::uint32_t>(random() % 60);
            std::optional<app::analysis::MessageEnd> latest;
            const auto key = [](const app::analysis::MessageEnd& end) {
                return std::tuple{end.end, !end.isSend, end.begin, end.message};
            };
            const auto look = [&](const app::analysis::MessageEnd& end, Rank whose) {
                if (whose == rank && end.message != message && end.end <= now && end.begin < now &&
                    (!latest || key(*latest) < key(end)))
                    latest = end;
            };
            for (std::uint32_t i = 0; i < run.messages.size(); ++i) {
                const engine::MessageRecord m = run.messages[i];
                look({m.sendBegin, m.sendEnd, i, true}, m.from);
                look({m.receiveBegin, m.receiveEnd, i, false}, m.to);
            }
            const auto found = over.before(rank, now, message);
            ASSERT_EQ(found.has_value(), latest.has_value());
            if (latest) {
                EXPECT_EQ(key(*found), key(*latest));
            }
        }
    }
}

TEST(OrderOfTime, ranksAreBusyWhereverAMessageIs) {
    for (std::uint32_t seed = 0; seed < 40; ++seed) {
        const engine::Run run = scattered(seed, 300);
        for (std::size_t rank = 0; rank < run.perRank.size(); ++rank) {
            std::vector<bool> busy(static_cast<std::size_t>(run.duration.count()));
            Picoseconds last{};
            const auto mark = [&](Rank who, Picoseconds begin, Picoseconds end) {
                if (who.value != static_cast<int>(rank)) return;
                for (auto t = begin.count(); t < end.count(); ++t) busy[static_cast<std::size_t>(t)] = true;
                last = std::max(last, end);
            };
            for (std::size_t i = 0; i < run.messages.size(); ++i) {
                const engine::MessageRecord m = run.messages[i];
                mark(m.from, m.sendBegin, m.sendEnd);
                mark(m.to, m.receiveBegin, m.receiveEnd);
            }
            const Picoseconds all{std::count(busy.begin(), busy.end(), true)};
            EXPECT_EQ(run.perRank[rank], (engine::RankTimes{all, last - all, run.duration - last}));
        }
    }
}

}  // namespace
