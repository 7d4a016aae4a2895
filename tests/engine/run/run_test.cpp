// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/run.hpp"

#include <gtest/gtest.h>

namespace engine {
namespace {

Picoseconds ps(std::int64_t count) { return Picoseconds{count}; }

MessageRecord message(int from, int to, int round, Bytes bytes, int sendBegin, int sendEnd, int receiveBegin,
                      int receiveEnd) {
    return {Rank{from}, Rank{to}, Round{round}, bytes, ps(sendBegin), ps(sendEnd), ps(receiveBegin), ps(receiveEnd)};
}

TEST(RunBuilder, splitsTheTimeOfARankIntoBusyWaitAndIdle) {
    RunBuilder builder{3, 2, {}};
    builder.message(message(0, 1, 0, 5, 0, 10, 0, 10), {});
    builder.message(message(1, 2, 1, 5, 14, 24, 16, 26), {});
    const auto run = builder.finish();
    EXPECT_EQ(run.duration, ps(26));
    EXPECT_EQ(run.perRank[0], (RankTimes{ps(10), ps(0), ps(16)}));
    EXPECT_EQ(run.perRank[1], (RankTimes{ps(20), ps(4), ps(2)}));
    EXPECT_EQ(run.perRank[2], (RankTimes{ps(10), ps(16), ps(0)}));
    EXPECT_NEAR(idleShare(run), 38.0 / 78.0, 1e-12);
}

TEST(RunBuilder, countsOverlappingPortsOnce) {
    RunBuilder builder{2, 1, {}};
    builder.message(message(0, 1, 0, 5, 0, 10, 2, 12), {});
    builder.message(message(1, 0, 0, 5, 0, 10, 12, 22), {});
    const auto run = builder.finish();
    EXPECT_EQ(run.perRank[0].busy, ps(20)) << "0..10 sending, 12..22 receiving";
    EXPECT_EQ(run.perRank[1].busy, ps(12)) << "0..10 sending and 2..12 receiving overlap";
}

TEST(RunBuilder, ordersMessagesByRoundAndSender) {
    RunBuilder builder{3, 2, {}};
    builder.message(message(2, 0, 0, 1, 0, 1, 0, 1), std::vector<Range>{{4, 5}});
    builder.message(message(0, 1, 0, 2, 0, 1, 0, 1), std::vector<Range>{{0, 1}, {2, 3}});
    builder.message(message(1, 2, 1, 3, 1, 2, 1, 2), {});
    const auto run = builder.finish();
    ASSERT_EQ(run.messages.size(), 3U);
    EXPECT_EQ(run.messages[0].from, Rank{0});
    EXPECT_EQ(run.messages.what(0).size(), 2U);
    EXPECT_EQ(run.messages.what(1)[0], (Range{4, 5}));
    EXPECT_TRUE(run.messages.what(2).empty());
    EXPECT_EQ(run.perRound[0], (RoundTimes{ps(0), ps(1), 2, 3, 2}));
}

TEST(RunBuilder, countsWhatItDoesNotKeep) {
    RunBuilder builder{2, 1, {}, 1};
    builder.message(message(0, 1, 0, 5, 0, 10, 0, 10), {});
    builder.message(message(1, 0, 0, 7, 0, 10, 0, 10), {});
    const auto run = builder.finish();
    EXPECT_EQ(run.messages.size(), 1U);
    EXPECT_EQ(run.droppedMessages, 1);
    EXPECT_EQ(run.messageCount, 2);
    EXPECT_EQ(run.byteCount, 12);
    EXPECT_EQ(run.perRank[1].busy, ps(10));
}

TEST(RunBuilder, spansAStageFromTheFirstTurnToTheLast) {
    RunBuilder builder{1, 3, {{"a", Round{0}, 2}, {"b", Round{2}, 1}}};
    builder.turn({Rank{0}, Round{0}, ps(0), ps(5)});
    builder.turn({Rank{0}, Round{1}, ps(5), ps(9)});
    builder.turn({Rank{0}, Round{2}, ps(9), ps(12)});
    const auto run = builder.finish();
    EXPECT_EQ(run.spans, (std::vector<StageSpan>{{Rank{0}, 0, ps(0), ps(9)}, {Rank{0}, 1, ps(9), ps(12)}}));
    EXPECT_EQ(run.duration, ps(12));
}

TEST(RunBuilder, letsARoundLastFromItsFirstMessageToItsLast) {
    RunBuilder builder{3, 1, {}};
    const auto told = [&](int from, int to, int begin, int end, Bytes bytes) {
        builder.message({Rank{from}, Rank{to}, Round{0}, bytes, Picoseconds{begin}, Picoseconds{end},
                         Picoseconds{begin}, Picoseconds{end}},
                        {});
    };
    told(0, 1, 5, 30, 7);
    told(1, 2, 2, 9, 4);
    EXPECT_EQ(builder.finish().perRound.at(0), (RoundTimes{Picoseconds{2}, Picoseconds{30}, 2, 11, 7}));
}

}  // namespace
}  // namespace engine
