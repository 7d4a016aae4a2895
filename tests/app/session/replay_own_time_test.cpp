// SPDX-License-Identifier: BSD-3-Clause
// A recorded program again, in which ranks compute less, more or evenly.
#include "app/session/replay/replaying.hpp"
#include "engine/base/error.hpp"
#include "tests/app/session/replay_samples.hpp"
#include "traces/recording/recording_builder.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace app::of_own_time {
namespace {

using engine::Rank;
using samples::traceOf;
using samples::uneven;
using samples::us;

TEST(Replaying, changesWhatRanksCompute) {
    const Trace trace = uneven();
    // Two rounds of 1 us for the barrier, and 3 us behind it.
    const auto takes = [&](analysis::OwnTimeWish wish) {
        return replayed(trace, {.ownTime = std::move(wish)}).last().result.duration;
    };
    EXPECT_EQ(replayed(trace, {}).last().result.duration, us(50));
    EXPECT_EQ(takes({.compute = {"0.5"}}), us(26));  // (45 + 3 + 4) / 2
    EXPECT_EQ(takes({.compute = {"assemble=0.5"}}), us(30));
    EXPECT_EQ(takes({.compute = {"rank 2: main/assemble=0.25"}}), us(20));
    EXPECT_EQ(takes({.compute = {"rank 1: assemble=2"}}), us(50));
    EXPECT_EQ(takes({.without = {"rank 2: assemble"}}), us(20));
    EXPECT_EQ(takes({.without = {"assemble"}}), us(10));
    EXPECT_EQ(takes({.even = {"assemble"}}), us(30));  // 20 us each
    EXPECT_EQ(takes({.compute = {"assemble=0.5"}, .even = {"assemble"}}), us(20));
    EXPECT_EQ(takes({.without = {"(outside of calls)"}}), us(50)) << "all of it lies in main";
    const Replaying again = replayed(trace, {.ownTime = {.without = {"rank 2: assemble"}}});
    EXPECT_EQ(again.asRecorded.result.duration, us(50));
    for (const analysis::OwnTimeWish& wrong :
         {analysis::OwnTimeWish{.compute = {"fast"}}, analysis::OwnTimeWish{.compute = {"-1"}},
          analysis::OwnTimeWish{.compute = {"assembly=2"}}, analysis::OwnTimeWish{.without = {"rank 3: assemble"}},
          analysis::OwnTimeWish{.even = {"rank 1: assemble"}}})
        EXPECT_THROW(takes(wrong), engine::Error);
}

/// Ranks compute for 10, 10, 40 us outside of all calls, and meet.
TEST(Replaying, changesWhatLiesInNoRegion) {
    traces::RecordingBuilder builder{3};
    std::vector<traces::Participant> parts;
    for (const int rank : {0, 1, 2}) {
        const std::int64_t end = rank == 2 ? 45 : 15;
        builder.enter(rank, us(0), "MPI_Init");
        builder.leave(rank, us(5));
        builder.enter(rank, us(end), "MPI_Barrier");
        builder.leave(rank, us(47));
        parts.push_back({.rank = Rank{rank}, .begin = us(end), .end = us(47)});
    }
    builder.collective(traces::Operation::barrier, 0, traces::noRank, std::move(parts));
    const Trace trace = traceOf(builder);
    const auto takes = [&](analysis::OwnTimeWish wish) {
        return replayed(trace, {.ownTime = std::move(wish)}).last().result.duration;
    };
    EXPECT_EQ(replayed(trace, {}).last().result.duration, us(47));
    EXPECT_EQ(replayed(trace, {}).last().setUp.last(), us(5));
    // As replays offer it, and as causes are named.
    for (const char* const where : {"(outside of calls)", "before MPI_Barrier"})
        EXPECT_EQ(takes({.without = {engine::text("rank 2: ", where)}}), us(5 + 10 + 2)) << where;
    EXPECT_EQ(takes({.compute = {"(outside of calls)=2"}}), us(5 + 80 + 2));
}

}  // namespace
}  // namespace app::of_own_time
