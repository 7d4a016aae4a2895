// SPDX-License-Identifier: BSD-3-Clause
// A recorded program again, in which ranks compute less, more or evenly.
#include "app/session/replay/replay_run.hpp"

#include "app/analysis/trace/trace_analysis.hpp"
#include "app/session/replay/replay_changes.hpp"
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
    const auto takes = [&](analysis::ComputationChange wish) {
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
    for (const analysis::ComputationChange& wrong :
         {analysis::ComputationChange{.compute = {"fast"}}, analysis::ComputationChange{.compute = {"-1"}},
          analysis::ComputationChange{.compute = {"assembly=2"}},
          analysis::ComputationChange{.without = {"rank 3: assemble"}},
          analysis::ComputationChange{.even = {"rank 1: assemble"}}})
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
    const auto takes = [&](analysis::ComputationChange wish) {
        return replayed(trace, {.ownTime = std::move(wish)}).last().result.duration;
    };
    EXPECT_EQ(replayed(trace, {}).last().result.duration, us(47));
    EXPECT_EQ(replayed(trace, {}).last().setUp.last(), us(5));
    // As replays offer it, and as causes are named.
    for (const char* const where : {"(outside of calls)", "before MPI_Barrier"})
        EXPECT_EQ(takes({.without = {engine::text("rank 2: ", where)}}), us(5 + 10 + 2)) << where;
    EXPECT_EQ(takes({.compute = {"(outside of calls)=2"}}), us(5 + 80 + 2));
}

/// Ten times ranks compute for 10 us and meet in an allreduce, rank 2 in turn `i` 3 i us later; then they compute for
/// 10 us and meet in a barrier, rank 1 always 20 us later.
Trace twoPlaces() {
    traces::RecordingBuilder builder{3};
    std::int64_t now = 0;
    const auto meet = [&](traces::Operation operation, const char* name, int late, std::int64_t more) {
        std::vector<traces::Participant> parts;
        for (const int rank : {0, 1, 2}) {
            const std::int64_t begin = now + 10 + (rank == late ? more : 0);
            builder.enter(rank, us(begin), name);
            builder.leave(rank, us(now + 10 + more + 1));
            parts.push_back({.rank = Rank{rank}, .begin = us(begin), .end = us(now + 10 + more + 1)});
        }
        builder.collective(operation, 0, traces::noRank, std::move(parts));
        now += 10 + more + 1;
    };
    for (int turn = 0; turn < 10; ++turn) {
        meet(traces::Operation::allreduce, "MPI_Allreduce", 2, 3 * std::int64_t{turn});
        meet(traces::Operation::barrier, "MPI_Barrier", 1, 20);
    }
    return traceOf(builder);
}

TEST(Replaying, changesWhatLiesBeforeACall) {
    const Trace trace = twoPlaces();
    const engine::Picoseconds unchanged = replayed(trace, {}).last().result.duration;
    const auto less = [&](analysis::ComputationChange wish) {
        return unchanged - replayed(trace, {.ownTime = std::move(wish)}).last().result.duration;
    };
    EXPECT_EQ(less({.without = {"rank 2: before MPI_Allreduce"}}), us(3 * 45));
    EXPECT_EQ(less({.without = {"rank 1: before MPI_Barrier"}}), us(10 * 20));
    EXPECT_EQ(less({.without = {"rank 1: (outside of calls)"}}), us(10 * 20));
    EXPECT_EQ(less({.without = {"before MPI_Barrier"}}), us(10 * 30));
    // The time before the first event of a rank does not change.
    EXPECT_EQ(less({.without = {"before MPI_Allreduce"}}), us(9 * 10 + 3 * 45));
    EXPECT_EQ(less({.compute = {"rank 1: before MPI_Barrier=0.5"}}), us(10 * 15));
    EXPECT_EQ(less({.compute = {"rank 1: before MPI_Allreduce=0.5"}}), us(0));
    for (const char* const none :
         {"rank 0: before MPI_Barrier", "rank 2: before MPI_Barrier", "rank 1: before MPI_Bcast"})
        EXPECT_THROW(less({.without = {none}}), engine::Error) << none;
    try {
        less({.without = {"rank 3: before MPI_Barrier"}});
        ADD_FAILURE() << "a rank that the trace does not have";
    } catch (const engine::Error& error) {
        EXPECT_NE(std::string{error.what()}.find("no rank 3; the trace has 3 ranks, 0 to 2"), std::string::npos)
            << error.what();
    }
}

TEST(Replaying, takesTheDelaysOutThatTheFirstPageNames) {
    const Trace trace = twoPlaces();
    analysis::TraceAnalysis analysis{trace, {}};
    const engine::Picoseconds unchanged = replayed(trace, {}).last().result.duration;
    std::size_t compared = 0;
    for (const analysis::Cause& cause : analysis.causes()) {
        const std::string delay = delayIn(cause.rank, nameOf(cause, *analysis.callPaths()));
        const engine::Picoseconds changed = replayed(trace, {.ownTime = {.without = {delay}}}).last().result.duration;
        EXPECT_EQ(unchanged - changed, analysis.gainWithout(cause)) << delay;
        ++compared;
    }
    EXPECT_EQ(compared, 2U);
}

/// Of two ranks that come together, later than the third, only one has delays that others wait for.
TEST(Replaying, takesOutDelaysThatHideBehindOthers) {
    traces::RecordingBuilder builder{3};
    std::int64_t now = 0;
    for (int i = 0; i < 10; ++i) {
        std::vector<traces::Participant> parts;
        for (const int rank : {0, 1, 2}) {
            const std::int64_t begin = now + (rank == 0 ? 10 : 40);
            builder.enter(rank, us(begin), "MPI_Barrier");
            builder.leave(rank, us(now + 41));
            parts.push_back({.rank = Rank{rank}, .begin = us(begin), .end = us(now + 41)});
        }
        builder.collective(traces::Operation::barrier, 0, traces::noRank, std::move(parts));
        now += 41;
    }
    const Trace trace = traceOf(builder);
    const auto less = [&](std::vector<std::string> without) {
        return replayed(trace, {}).last().result.duration -
               replayed(trace, {.ownTime = {.without = std::move(without)}}).last().result.duration;
    };
    EXPECT_EQ(less({"rank 1: before MPI_Barrier"}), us(0));
    EXPECT_EQ(less({"rank 2: before MPI_Barrier", "rank 1: before MPI_Barrier"}), us(10 * 30));
    EXPECT_THROW(less({"rank 1: before MPI_Barrier", "rank 0: before MPI_Barrier"}), engine::Error);
    EXPECT_THROW(less({"rank 2: before MPI_Barrier"}), engine::Error) << "nobody waited for it";
}

}  // namespace
}  // namespace app::of_own_time
