// SPDX-License-Identifier: BSD-3-Clause
// Waits lead to the delays that they follow from, of whichever ranks and however many.
#include "app/analysis/wait_states/delay_propagation.hpp"
#include "app/analysis/tables/table_definition.hpp"
#include "tests/app/analysis/calls/calling_program.hpp"
#include "tests/support/traced.hpp"
#include "traces/recording/recording_builder.hpp"

#include <gtest/gtest.h>

namespace app::analysis::in_delay_propagation {
namespace {

using calling::us;
using engine::Picoseconds;
using engine::Rank;

/// Rank 1 is 80 ms late and sends to 0, then to 2, which wait until 10 us apart; 3 waits for 0 later, after 0 has
/// waited for a moment for 1 again.
TEST(IdleWaves, areOneForEachDelay) {
    const auto wait = [](int rank, int late, std::int64_t begin, std::int64_t time) {
        return Wait{.rank = Rank{rank}, .late = Rank{late}, .begin = us(begin), .time = us(time)};
    };
    std::vector<Wait> all{wait(0, 1, 0, 80000), wait(2, 1, 0, 80010), wait(0, 1, 80050, 100), wait(3, 0, 20000, 80000)};
    std::vector<EarlierPart> earlier;
    propagateDelays(all, 4, nullptr, &earlier);
    const std::vector<IdleWave> waves = idleWaves(all, earlier);
    ASSERT_FALSE(waves.empty());
    EXPECT_EQ(waves.front().origin, Rank{1});
    EXPECT_EQ(waves.front().ranks, 3);
    EXPECT_EQ(waves.front().hops, 1);
    EXPECT_EQ(waves.front().time, us(240010));
    EXPECT_EQ(waves.size(), 1U);
}

TEST(Delays, thatWereMadeGoodOnceAreNotPassedOnTwice) {
    // 0 is 5 ms late for 1, 1 passes it on to 2; then 1 is late by itself.
    std::vector<Wait> all{{.rank = Rank{1}, .late = Rank{0}, .begin = us(0), .time = us(5000)},
                          {.rank = Rank{2}, .late = Rank{1}, .begin = us(6000), .time = us(5000)},
                          {.rank = Rank{2}, .late = Rank{1}, .begin = us(20000), .time = us(1000)}};
    propagateDelays(all, 3);
    EXPECT_EQ(all[1].origin, Rank{0});
    EXPECT_EQ(all[1].hops, 1);
    EXPECT_EQ(all[1].wave, all[0].wave);
    EXPECT_EQ(all[2].origin, Rank{1});
    EXPECT_EQ(all[2].hops, 0);
}

/// At a barrier three ranks wait for rank 3, 80, 53 and 27 ms; then 0 is late, and each waits for the one before.
TEST(Delays, beforeAllWereInStepAreNobodysAnyMore) {
    std::vector<Wait> all;
    for (int rank = 0; rank < 3; ++rank)
        all.push_back({.kind = WaitKind::atBarrier,
                       .rank = Rank{rank},
                       .late = Rank{3},
                       .begin = us(27'000 * rank),
                       .time = us(80'000 - 27'000 * rank)});
    for (int rank = 1; rank < 4; ++rank)
        all.push_back({.rank = Rank{rank}, .late = Rank{rank - 1}, .begin = us(81'000), .time = us(80'000 + rank)});
    propagateDelays(all, 4);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(all[i].origin, Rank{3});
    for (std::size_t i = 3; i < 6; ++i) {
        EXPECT_EQ(all[i].origin, Rank{0}) << "wait " << i;
        EXPECT_EQ(all[i].hops, static_cast<std::int32_t>(i) - 3);
        EXPECT_EQ(all[i].wave, all[3].wave);
    }
}

/// 1 waits 50 ms for 0 and 50 ms more for 2, which is 100 ms late by itself: 3 waits 100 ms for 1, all of it for 2.
TEST(Delays, coverThoseThatTheyWereLaterThan) {
    std::vector<Wait> all{{.rank = Rank{1}, .late = Rank{0}, .begin = us(0), .time = us(50'000)},
                          {.rank = Rank{1}, .late = Rank{2}, .begin = us(50'000), .time = us(50'000)},
                          {.rank = Rank{3}, .late = Rank{1}, .begin = us(1), .time = us(100'000)}};
    propagateDelays(all, 4);
    EXPECT_EQ(all[2].origin, Rank{2});
    EXPECT_EQ(all[2].hops, 1);
}

/// Ranks 2 and 3 are 40 ms late in each iteration. They wait for each other for no more than 5 us, by turns, before 0
/// waits for 2, and 1 for 3: these two delays are of two ranks, neither of which delayed the other.
TEST(Delays, ofTwoRanksAtTheSameTimeAreOfBoth) {
    std::vector<Wait> all;
    for (int i = 0; i < 8; ++i) {
        const int begin = 50'000 * i, other = i % 2;
        all.push_back({.kind = WaitKind::atNxN,
                       .rank = Rank{2 + other},
                       .late = Rank{3 - other},
                       .begin = us(begin + 40'000),
                       .time = us(5)});
        for (int rank = 0; rank < 2; ++rank)
            all.push_back({.kind = WaitKind::atNxN,
                           .rank = Rank{rank},
                           .late = Rank{rank + 2},
                           .begin = us(begin + 100),
                           .time = us(39'905 + rank)});
    }
    std::vector<WaitShare> shares;
    propagateDelays(all, 4, &shares);
    for (std::size_t i = 0; i < all.size(); ++i) {
        EXPECT_EQ(all[i].origin, all[i].late) << "wait " << i;
        EXPECT_EQ(all[i].hops, 0) << "wait " << i;
    }
    EXPECT_TRUE(shares.empty());
}

/// Rank 1, the root of five reductions, waits for rank 2: 20 ms each time, which computes in `solve`, and 1 ms the last
/// time, when it writes. Rank 0 waits for all of that in the barrier behind them.
TEST(Delays, oneAfterTheOtherAreEachPassedOn) {
    std::vector<Wait> all;
    for (int i = 0; i < 5; ++i)
        all.push_back({.kind = WaitKind::lateContributor,
                       .rank = Rank{1},
                       .late = Rank{2},
                       .begin = us(30'000 * i + 5'000),
                       .time = us(i < 4 ? 20'000 : 1'000)});
    all.push_back(
        {.kind = WaitKind::atBarrier, .rank = Rank{0}, .late = Rank{1}, .begin = us(50'000), .time = us(81'000)});
    std::vector<WaitShare> shares;
    std::vector<EarlierPart> earlier;
    const std::vector<Delay> delays = propagateDelays(all, 3, &shares, &earlier);
    ASSERT_EQ(delays.size(), 5U);
    EXPECT_EQ(all[5].origin, Rank{2});
    EXPECT_EQ(all[5].wave, 4U) << "the last one";
    EXPECT_TRUE(shares.empty()) << "all are of one rank";
    const std::vector<EarlierPart> expected{
        {5, 4, 3, us(20'000)}, {5, 4, 2, us(20'000)}, {5, 4, 1, us(20'000)}, {5, 4, 0, us(20'000)}};
    EXPECT_EQ(earlier, expected);
    const std::vector<IdleWave> waves = idleWaves(all, earlier);
    ASSERT_EQ(waves.size(), 5U);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(waves[i].time, us(40'000));
    EXPECT_EQ(waves[4].time, us(2'000));
}

/// 400 delays of 1 us and 3 us in turn, each less than a 256th of the wait that follows from all of them: two and two
/// are put together, as the longer one.
TEST(Delays, asShortAsNoiseAreCountedWithLongerOnes) {
    std::vector<Wait> all;
    for (int i = 0; i < 400; ++i)
        all.push_back({.kind = WaitKind::lateContributor,
                       .rank = Rank{1},
                       .late = Rank{2},
                       .begin = us(10 * i),
                       .time = us(i % 2 == 0 ? 1 : 3)});
    all.push_back({.kind = WaitKind::atBarrier, .rank = Rank{0}, .late = Rank{1}, .begin = us(3300), .time = us(800)});
    std::vector<EarlierPart> earlier;
    propagateDelays(all, 3, nullptr, &earlier);
    ASSERT_EQ(earlier.size(), 199U);
    Picoseconds sum{};
    for (const EarlierPart& part : earlier) {
        EXPECT_EQ(part.wave % 2, 1U);
        sum += part.time;
    }
    EXPECT_EQ(sum, us(796)) << "the last two are those of the last wave";
}

/// The same as a program: what the barrier costs is a cause of each place, as large as its delays.
TEST(Delays, oneAfterTheOtherAreCausesOfTheirPlaces) {
    traces::RecordingBuilder b{3};
    const auto call = [&](int rank, std::int64_t begin, std::int64_t end, const char* name) {
        b.enter(rank, us(begin), name);
        b.leave(rank, us(end));
    };
    std::vector<std::vector<traces::Participant>> reductions(5);
    for (int i = 0; i < 5; ++i) {
        const std::int64_t begin = 30'000 * i, late = i < 4 ? 20'000 : 1'000;
        const char* const place = i < 4 ? "solve" : "write";
        for (int rank = 0; rank < 3; ++rank) {
            const std::int64_t came = rank == 0 ? 10 * i + 10 : begin + 5'000 + (rank == 2 ? late : 0);
            const std::int64_t end = rank == 0 ? came + 1 : rank == 1 ? begin + 5'000 + late + 1 : came + 1;
            if (rank > 0) call(rank, i == 0 ? 0 : begin - 4'999, came, place);
            call(rank, came, end, "MPI_Reduce");
            reductions[static_cast<std::size_t>(i)].push_back(
                {.rank = Rank{rank}, .begin = us(came), .end = us(end), .sent = 8, .received = rank == 1 ? 24 : 0});
        }
    }
    for (const auto& parts : reductions) b.collective(traces::Operation::reduce, 0, Rank{1}, parts);
    std::vector<traces::Participant> all;
    for (int rank = 0; rank < 3; ++rank) {
        const std::int64_t came = rank == 0 ? 46'000 : rank == 1 ? 127'000 : 126'500;
        call(rank, came, 127'010, "MPI_Barrier");
        all.push_back({.rank = Rank{rank}, .begin = us(came), .end = us(127'010)});
    }
    b.collective(traces::Operation::barrier, 0, traces::noRank, all);
    const Trace trace = samples::traceOf(b.finish());
    TraceAnalysis analysis{trace, {}};
    const engine::Table causes = computeTable(tableNamed("causes"), analysis);
    double inSolve = 0, inWrite = 0;
    for (const auto& row : causes.rows) {
        if (row[0] != engine::Cell{std::string{"wait at barrier"}} || row[1] != engine::Cell{std::int64_t{2}}) continue;
        const std::string path = std::get<std::string>(row[2]);
        const auto time = static_cast<double>(std::get<Picoseconds>(row[3]).count());
        if (path == "solve") {
            inSolve += time;
            EXPECT_EQ(row[5], engine::Cell{std::int64_t{4}});
        }
        if (path == "write") inWrite += time;
    }
    EXPECT_NEAR(inSolve / static_cast<double>(us(80'000).count()), 1, 0.02);
    EXPECT_NEAR(inWrite / static_cast<double>(us(1'000).count()), 1, 0.1);
}

}  // namespace
}  // namespace app::analysis::in_delay_propagation
