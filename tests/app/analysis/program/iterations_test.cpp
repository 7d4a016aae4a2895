// SPDX-License-Identifier: BSD-3-Clause
// What a program repeats is told by the calls of its turns, not by how long some of them happen to take.
#include "app/analysis/program/iterations.hpp"
#include "app/analysis/overview/run_diff.hpp"
#include "app/analysis/tables/table_definition.hpp"
#include "engine/base/text.hpp"
#include "tests/support/small_runs.hpp"
#include "traces/recording/recording_builder.hpp"
#include "traces/recording/run_from_recording.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

namespace app::analysis::in_iterations {
namespace {

using engine::Picoseconds;
using engine::Rank;
using engine::text;

constexpr Picoseconds us(std::int64_t time) { return Picoseconds{time * 1'000'000}; }

/// Two ranks sum up in every turn of 10 us; every third turn tells how far it is, which takes `telling`. With more
/// than one of `sums` in a turn every turn tells so first.
Trace turns(int count, std::int64_t telling, int sums = 1) {
    traces::RecordingBuilder b{2};
    for (int rank = 0; rank < 2; ++rank) b.enter(rank, us(0), "main");
    std::int64_t now = 0;
    const auto together = [&](traces::Operation operation, const char* name, std::int64_t time) {
        std::vector<traces::Participant> parts;
        for (int rank = 0; rank < 2; ++rank) {
            b.enter(rank, us(now), name);
            b.leave(rank, us(now + time));
            parts.push_back({.rank = Rank{rank}, .begin = us(now), .end = us(now + time), .sent = 8, .received = 8});
        }
        b.collective(operation, 0, operation == traces::Operation::bcast ? Rank{0} : traces::noRank, parts);
        now += time;
    };
    for (int turn = 0; turn < count; ++turn) {
        now += 8;
        if (sums > 1) together(traces::Operation::bcast, "MPI_Bcast", 1);
        for (int sum = 0; sum < sums; ++sum) together(traces::Operation::allreduce, "MPI_Allreduce", 2 + sum);
        if (sums == 1 && turn % 3 == 0) together(traces::Operation::bcast, "MPI_Bcast", telling);
    }
    for (int rank = 0; rank < 2; ++rank) b.leave(rank, us(now + 8));
    auto recording = std::make_shared<const traces::Recording>(b.finish());
    return {.report = reportOn(std::make_shared<const engine::Run>(traces::runOf(*recording))), .recording = recording};
}

std::size_t iterationsIn(const Trace& trace) {
    TraceAnalysis analysis{trace, {}};
    return computeTable(tableNamed("iterations"), analysis).rows.size();
}

TEST(Iterations, areTheTurnsThatNowAndThenDoMore) {
    for (const int count : {10, 12, 13, 30})
        for (const std::int64_t telling : {1, 10, 30, 100}) {
            const std::size_t found = iterationsIn(turns(count, telling));
            EXPECT_LE(std::max<std::size_t>(found, 1) - 1, static_cast<std::size_t>(count));
            EXPECT_GE(found + 1, static_cast<std::size_t>(count)) << telling << " us every third turn";
        }
}

TEST(Iterations, areSideBySideOnlyWhereTheSameTellsThem) {
    const Trace a = turns(10, 30), b = turns(12, 1), other = turns(12, 1, 2);
    const auto changesOf = [](const Trace& first, const Trace& second) {
        for (engine::Table& table : programChanges({"a", first}, {"b", second}))
            if (table.name == "iterations") return std::move(table);
        return engine::Table{};
    };
    EXPECT_GE(changesOf(a, b).rows.size(), 9U);
    const engine::Table apart = changesOf(a, other);
    EXPECT_TRUE(apart.rows.empty());
    ASSERT_EQ(apart.remarks.size(), 1U);
    EXPECT_NE(apart.remarks[0].find("MPI_Allreduce"), std::string::npos) << apart.remarks[0];
    EXPECT_NE(apart.remarks[0].find("MPI_Bcast"), std::string::npos) << apart.remarks[0];
}

/// A loop in which rank 0 sends to rank 1 before all call MPI_Allreduce and MPI_Bcast: each iteration has the
/// computation before its own send, on every rank.
TEST(Iterations, areTheSameTurnOnRanksThatBeginItWithOtherCalls) {
    traces::RecordingBuilder b{3};
    std::int64_t now = 10;
    for (int rank = 0; rank < 3; ++rank) b.enter(rank, us(0), "MPI_Init"), b.leave(rank, us(10));
    std::vector<std::int64_t> computed;
    for (int turn = 0; turn < 8; ++turn) {
        const std::int64_t work = 20 + 10 * turn;  // of rank 0, before it sends
        computed.push_back(work);
        b.enter(0, us(now + work), "MPI_Send"), b.leave(0, us(now + work + 1));
        b.enter(1, us(now + 2), "MPI_Recv"), b.leave(1, us(now + work + 1));
        for (int rank = 0; rank < 3; ++rank) {
            b.enter(rank, us(rank == 2 ? now + 5 : now + work + 1), "MPI_Allreduce");
            b.leave(rank, us(now + work + 3));
            b.enter(rank, us(now + work + 3), "MPI_Bcast"), b.leave(rank, us(now + work + 4));
        }
        now += work + 4;
    }
    auto recording = std::make_shared<const traces::Recording>(b.finish());
    const CallPaths paths{*recording};
    const Iterations found = iterationsOf(paths, {engine::Rank{0}, engine::Rank{1}, engine::Rank{2}}, {});
    ASSERT_EQ(found.all.size(), computed.size());
    for (std::size_t k = 0; k < computed.size(); ++k) {
        EXPECT_EQ(found.all[k].slowest, engine::Rank{0}) << k;
        EXPECT_EQ(found.all[k].computation, us(computed[k])) << k;
        for (const auto& spans : found.spans) EXPECT_EQ(spans[k].end, found.spans[0][k].end) << k;
    }
}

/// A loop of MPI_Bcast and MPI_Barrier, between which rank 2 computes and sends to rank 1: the last iteration lasts
/// until the barrier on every rank, as the others do.
TEST(Iterations, lastUntilTheLastCallAlsoWhereOnlySomeRanksCall) {
    traces::RecordingBuilder b{3};
    std::int64_t now = 10;
    for (int rank = 0; rank < 3; ++rank) b.enter(rank, us(0), "MPI_Init"), b.leave(rank, us(10));
    for (int turn = 0; turn < 8; ++turn, now += 65) {
        for (int rank = 0; rank < 3; ++rank)
            b.enter(rank, us(now + (rank == 0 ? 40 : 10)), "MPI_Bcast"), b.leave(rank, us(now + 41));
        b.enter(1, us(now + 42), "MPI_Recv"), b.leave(1, us(now + 62));
        b.enter(2, us(now + 61), "MPI_Send"), b.leave(2, us(now + 62));
        for (int rank = 0; rank < 3; ++rank)
            b.enter(rank, us(now + (rank == 0 ? 42 : 63)), "MPI_Barrier"), b.leave(rank, us(now + 65));
    }
    for (int rank = 0; rank < 3; ++rank) b.enter(rank, us(now), "MPI_Finalize"), b.leave(rank, us(now + 5));
    const traces::Recording recording = b.finish();
    const Iterations found = iterationsOf(CallPaths{recording}, {Rank{0}, Rank{1}, Rank{2}}, {});
    ASSERT_EQ(found.all.size(), 8U);
    for (const Iteration& one : found.all) {
        EXPECT_EQ(one.duration, us(65));
        EXPECT_EQ(one.computation, us(41));
    }
    for (const auto& spans : found.spans) EXPECT_EQ(spans.back().end, us(now));
}

/// Ranks in two rows and two columns sum up along their row and then along their column, by one line of the program:
/// an iteration is both, whichever of the two all have in common.
TEST(Iterations, haveOneCallOnEachCommunicator) {
    traces::RecordingBuilder b{4};
    std::vector<std::int32_t> rows, columns;
    for (int k = 0; k < 2; ++k) rows.push_back(b.communicator(text("row ", k), {Rank{2 * k}, Rank{2 * k + 1}}));
    for (int k = 0; k < 2; ++k) columns.push_back(b.communicator(text("column ", k), {Rank{k}, Rank{k + 2}}));
    std::int64_t now = 10;
    for (int rank = 0; rank < 4; ++rank) b.enter(rank, us(0), "MPI_Init"), b.leave(rank, us(10));
    const auto sum = [&](std::int32_t communicator, const std::vector<int>& ranks, std::int64_t begin,
                         std::int64_t end) {
        std::vector<traces::Participant> parts;
        for (const int rank : ranks) {
            b.enter(rank, us(begin), "MPI_Allreduce"), b.leave(rank, us(end));
            parts.push_back({.rank = Rank{rank}, .begin = us(begin), .end = us(end), .sent = 4, .received = 4});
        }
        b.collective(traces::Operation::allreduce, communicator, traces::noRank, parts);
    };
    for (int turn = 0; turn < 8; ++turn, now += 24) {
        for (int k = 0; k < 2; ++k) sum(rows[k], {2 * k, 2 * k + 1}, now + 20, now + 21);
        for (int k = 0; k < 2; ++k) sum(columns[k], {k, k + 2}, now + 21, now + 24);
    }
    const traces::Recording recording = b.finish();
    const CallPaths paths{recording};
    const Iterations found = iterationsOf(paths, {Rank{0}, Rank{1}, Rank{2}, Rank{3}}, {});
    ASSERT_EQ(found.all.size(), 8U);
    for (const Iteration& one : found.all) {
        EXPECT_EQ(one.duration, us(24));
        EXPECT_EQ(one.computation, us(20));
    }
    ASSERT_LT(found.call, paths.size());
    EXPECT_EQ(paths.name(found.call), "MPI_Allreduce");
}

/// All ranks sum up, then rank 0 alone sends and rank 1 alone receives, both late in the turn: no rank but 0 ends its
/// turns with MPI_Send.
TEST(Iterations, doNotEndWithACallThatOneRankMakes) {
    traces::RecordingBuilder b{3};
    std::int64_t now = 10;
    for (int rank = 0; rank < 3; ++rank) b.enter(rank, us(0), "MPI_Init"), b.leave(rank, us(10));
    for (int turn = 0; turn < 8; ++turn, now += 30) {
        for (int rank = 0; rank < 3; ++rank) b.enter(rank, us(now + 20), "MPI_Allreduce"), b.leave(rank, us(now + 22));
        b.enter(0, us(now + 25), "MPI_Send"), b.leave(0, us(now + 30));
        b.enter(1, us(now + 23), "MPI_Recv"), b.leave(1, us(now + 30));
        b.enter(2, us(now + 24), "MPI_Probe"), b.leave(2, us(now + 30));
    }
    const traces::Recording recording = b.finish();
    const CallPaths paths{recording};
    const Iterations found = iterationsOf(paths, {Rank{0}, Rank{1}, Rank{2}}, {});
    ASSERT_EQ(found.all.size(), 8U);
    EXPECT_FALSE(found.endsWithIt);
    EXPECT_EQ(paths.name(found.call), "MPI_Allreduce");
}

/// Nobody takes longer in the long turn than in the others, but for 1 us: all wait for something that is not recorded.
TEST(Iterations, areNotExplainedByAMoment) {
    for (const std::int64_t more : {1, 90}) {
        traces::RecordingBuilder b{2};
        std::int64_t now = 0;
        std::vector<Wait> waits;
        for (int turn = 0; turn < 10; ++turn) {
            const bool isLong = turn == 6;
            const std::int64_t computed = 50 + (isLong ? more : 0), waited = isLong ? 200 - more : 5;
            for (int rank = 0; rank < 2; ++rank) {
                b.enter(rank, us(now + computed), "MPI_Barrier"), b.leave(rank, us(now + computed + waited));
                waits.push_back({.kind = WaitKind::atBarrier,
                                 .rank = Rank{rank},
                                 .late = Rank{1 - rank},
                                 .begin = us(now + computed),
                                 .time = us(waited)});
            }
            now += computed + waited;
        }
        const traces::Recording recording = b.finish();
        const Iterations found = iterationsOf(CallPaths{recording}, {Rank{0}, Rank{1}}, waits);
        ASSERT_EQ(found.all.size(), 10U);
        EXPECT_TRUE(found.all[6].odd);
        EXPECT_EQ(found.all[6].late != traces::noRank, more > 40);
    }
}

/// Lines of an input, one of which runs the program: no iterations.
TEST(Iterations, areNoneIfOneOfThemIsTheProgram) {
    traces::RecordingBuilder b{2};
    std::int64_t now = 0;
    for (int line = 0; line < 12; ++line) {
        now += line == 8 ? 100'000 : 10;
        for (int rank = 0; rank < 2; ++rank) b.enter(rank, us(now), "MPI_Bcast"), b.leave(rank, us(now + 1));
        ++now;
    }
    auto recording = std::make_shared<const traces::Recording>(b.finish());
    const CallPaths paths{*recording};
    EXPECT_TRUE(iterationsOf(paths, {engine::Rank{0}, engine::Rank{1}}, {}).all.empty());
}

/// Loops of one to four calls of MPI in which all ranks wait for the last one, behind a barrier; before each call ranks
/// compute, each for another time.
TEST(Iterations, coverTheLoopAndNameTheRankThatComputedLongest) {
    constexpr std::array names{"MPI_Sendrecv", "MPI_Allreduce", "MPI_Alltoall", "MPI_Allgather"};
    std::mt19937 random{7};
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    for (int trial = 0; trial < 60; ++trial) {
        const int ranks = 2 + below(4), turns = 4 + below(12), calls = 1 + below(4), before = below(2);
        traces::RecordingBuilder b{ranks};
        std::int64_t now = 10;
        const auto together = [&](const char* name, const std::vector<std::int64_t>& computed) {
            const std::int64_t end = now + *std::ranges::max_element(computed) + 1;
            for (int rank = 0; rank < ranks; ++rank) {
                b.enter(rank, us(now + computed[static_cast<std::size_t>(rank)]), name);
                b.leave(rank, us(end));
            }
            now = end;
        };
        const std::vector<std::int64_t> nothing(static_cast<std::size_t>(ranks));
        for (int rank = 0; rank < ranks; ++rank) {
            b.enter(rank, us(0), "MPI_Init");
            b.leave(rank, us(10));
        }
        for (int i = 0; i <= before; ++i) together("MPI_Barrier", nothing);
        const std::int64_t loop = now;
        std::vector<std::int64_t> ends;
        std::vector<int> longest;
        for (int turn = 0; turn < turns; ++turn) {
            std::vector<std::int64_t> sums(static_cast<std::size_t>(ranks));
            const int slow = below(ranks);
            for (int call = 0; call < calls; ++call) {
                std::vector<std::int64_t> computed;
                for (int rank = 0; rank < ranks; ++rank) {
                    computed.push_back(10 + below(3) + (rank == slow ? 40 : 0));
                    sums[static_cast<std::size_t>(rank)] += computed.back();
                }
                together(names.at(static_cast<std::size_t>(call)), computed);
            }
            ends.push_back(now);
            longest.push_back(slow);
        }
        for (int rank = 0; rank < ranks; ++rank) {
            b.enter(rank, us(now), "MPI_Finalize");
            b.leave(rank, us(now + 1));
        }
        const traces::Recording recording = b.finish();
        const CallPaths paths{recording, {}};
        std::vector<Rank> all;
        for (int rank = 0; rank < ranks; ++rank) all.push_back(Rank{rank});
        const Iterations found = iterationsOf(paths, all, {});
        ASSERT_EQ(found.all.size(), static_cast<std::size_t>(turns)) << trial;
        EXPECT_GE(found.all.front().begin, us(loop)) << trial;
        for (std::size_t k = 0; k < found.all.size(); ++k) {
            const Iteration& one = found.all[k];
            EXPECT_EQ(one.slowest, Rank{longest[k]}) << trial << ' ' << k;
            EXPECT_EQ(one.begin + one.duration, us(ends[k])) << trial << ' ' << k;
            EXPECT_TRUE(k == 0 || one.begin == us(ends[k - 1])) << trial << ' ' << k;
        }
    }
}

/// Ranks compute 50 us and meet, 12 times, in a function that is known by its calls of MPI alone, or from other lines;
/// before that, all ranks compute `setUp` behind MPI_Init. In the first turn rank 1 computes 300 us longer.
Iterations withLateFirst(std::int64_t setUp, bool inFunction) {
    constexpr int ranks = 3, turns = 12;
    traces::RecordingBuilder b{ranks};
    for (int rank = 0; rank < ranks; ++rank) {
        b.enter(rank, us(0), "MPI_Init");
        b.leave(rank, us(5));
    }
    std::int64_t now = 5 + setUp;
    for (int turn = 0; turn < turns; ++turn) {
        const std::int64_t end = now + (turn == 0 ? 350 : 50) + 1;
        std::vector<traces::Participant> parts;
        for (int rank = 0; rank < ranks; ++rank) {
            const std::int64_t begin = now + (turn == 0 && rank == 1 ? 350 : 50);
            if (inFunction && turn == 0) b.enter(rank, us(begin), "step");
            b.enter(rank, us(begin), inFunction ? "MPI_Allreduce" : "MPI_Allreduce " + std::to_string(rank));
            b.leave(rank, us(end));
            parts.push_back({.rank = Rank{rank}, .begin = us(begin), .end = us(end), .sent = 8, .received = 8});
        }
        b.collective(traces::Operation::allreduce, 0, traces::noRank, parts);
        now = end;
    }
    for (int rank = 0; rank < ranks; ++rank) {
        if (inFunction) b.leave(rank, us(now));
        b.enter(rank, us(now), "MPI_Finalize");
        b.leave(rank, us(now + 1));
    }
    traces::Recording recording = b.finish();
    for (traces::Region& region : recording.regions)
        if (region.name == "step") region.paradigm = "sampling";
        else region.call = region.name.starts_with("MPI_Allreduce") ? traces::Call::collective : traces::Call::setup;
    const CallPaths paths{recording, {}};
    return iterationsOf(paths, {Rank{0}, Rank{1}, Rank{2}}, {});
}

TEST(Iterations, haveTheComputationBeforeTheFirstCall) {
    for (const bool inFunction : {true, false})
        for (const std::int64_t setUp : {0, 700}) {
            SCOPED_TRACE(engine::text(inFunction ? "in a function, " : "by other lines, ", setUp));
            const Iterations found = withLateFirst(setUp, inFunction);
            ASSERT_EQ(found.all.size(), 12U);
            const Iteration& first = found.all.front();
            EXPECT_EQ(first.begin, us(5 + setUp));
            EXPECT_EQ(first.duration, us(351));
            EXPECT_EQ(first.slowest, Rank{1});
            EXPECT_EQ(first.computation, us(350));
            EXPECT_EQ(found.beforeFirst, us(setUp));
            EXPECT_FALSE(found.all[1].odd);
            EXPECT_EQ(found.all[1].computation, us(50));
        }
}

}  // namespace
}  // namespace app::analysis::in_iterations
