// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/rank_times.hpp"

#include "engine/run/run.hpp"
#include "tests/support/reference/slow_books.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace engine {
namespace {

Picoseconds ps(std::int64_t count) { return Picoseconds{count}; }

TEST(RankTimes, areThoseOfEveryPicosecondHoweverMessagesOverlap) {
    std::mt19937 random{5};
    const auto below = [&](int n) { return static_cast<std::int64_t>(random() % static_cast<unsigned>(n)); };
    for (int trial = 0; trial < 200; ++trial) {
        const std::int32_t ranks = 2 + trial % 3;
        RunBuilder builder{ranks, 4, {}};
        for (int k = 0; k < 20; ++k) {
            const auto from = static_cast<std::int32_t>(below(ranks));
            const auto to = static_cast<std::int32_t>((from + 1 + below(ranks - 1)) % ranks);
            const Picoseconds send = ps(below(300));
            const Picoseconds receive = ps(below(300));
            builder.message({Rank{from}, Rank{to}, Round{below(4)}, below(9), send, send + ps(below(30)), receive,
                             receive + ps(below(30))},
                            {});
        }
        const engine::Run run = builder.finish();
        ASSERT_EQ(run.perRank, support::slowRankTimes(run)) << "trial " << trial;
        ASSERT_EQ(run.perRound, support::slowRoundTimes(run)) << "trial " << trial;
    }
}

TEST(BusyTime, takesNoNoticeOfWhatItKnows) {
    BusyTime time;
    time.add(ps(10), ps(20));
    time.add(ps(12), ps(15));
    time.add(ps(0), ps(0));
    EXPECT_EQ(time.in(ps(50)), (RankTimes{ps(10), ps(10), ps(30)}));
    time.add(ps(40), ps(40));
    EXPECT_EQ(time.in(ps(50)), (RankTimes{ps(10), ps(30), ps(10)})) << "a message without duration ends a wait";
}

TEST(StageSpans, reachFromTheFirstTurnOfARankToItsLast) {
    std::mt19937 random{9};
    const std::vector<Stage> stages{{"a", Round{0}, 3}, {"b", Round{3}, 2}, {"c", Round{7}, 5}};
    for (int trial = 0; trial < 50; ++trial) {
        StageSpans spans{stages, 3};
        std::map<std::pair<Rank, std::int32_t>, StageSpan> wanted;
        for (Round round{0}; round.value < 12; ++round)
            for (Rank rank{0}; rank.value < 3; ++rank) {
                if (random() % 3 == 0) continue;
                const Picoseconds begin = ps(static_cast<std::int64_t>(random() % 100));
                const Picoseconds end = begin + ps(static_cast<std::int64_t>(random() % 100));
                spans.turn(rank, round, begin, end);
                for (std::int32_t stage = 0; stage < 3; ++stage) {
                    const Stage& each = stages[static_cast<std::size_t>(stage)];
                    if (round < each.first || round >= each.first + each.rounds) continue;
                    const auto [span, isNew] = wanted.try_emplace({rank, stage}, StageSpan{rank, stage, begin, end});
                    span->second.begin = std::min(span->second.begin, begin);
                    span->second.end = std::max(span->second.end, end);
                }
            }
        std::vector<StageSpan> all;
        for (const auto& [key, span] : wanted) all.push_back(span);
        ASSERT_EQ(spans.finish(), all) << "trial " << trial;
    }
}

}  // namespace
}  // namespace engine
