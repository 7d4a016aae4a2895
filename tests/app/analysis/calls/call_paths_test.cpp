// SPDX-License-Identifier: BSD-3-Clause
// Where in the program the time went: call tree and profile.
#include "app/analysis/program/call_path_profile.hpp"
#include "app/analysis/tables/table_definition.hpp"
#include "tests/support/programs/random_program.hpp"
#include "tests/support/small_runs.hpp"
#include "tests/support/traced.hpp"
#include "traces/recording/run_from_recording.hpp"

#include <gtest/gtest.h>

namespace app::analysis::in_program {
namespace {

using engine::Picoseconds;
using engine::Rank;
using samples::rowsOf;

constexpr Picoseconds us(std::int64_t time) { return Picoseconds{time * 1'000'000}; }

using samples::traceOf;

engine::Table asked(std::string_view definition, const Trace& trace, const AnalysisOptions& wish = {}) {
    TraceAnalysis analysis{trace, wish};
    return computeTable(tableNamed(definition), analysis);
}

/// Two ranks solve; 1 computes 30 us longer, so that 0 waits for its message.
traces::Recording solving() {
    traces::RecordingBuilder b{2};
    for (int rank = 0; rank < 2; ++rank) {
        b.enter(rank, us(0), "main");
        b.enter(rank, us(10), "solve");
        b.enter(rank, us(10), "assemble");
        b.leave(rank, us(rank == 0 ? 20 : 50));
    }
    b.enter(0, us(20), "MPI_Recv");
    b.leave(0, us(55));
    b.enter(1, us(50), "MPI_Send");
    b.leave(1, us(53));
    for (int rank = 0; rank < 2; ++rank) {
        b.leave(rank, us(60));
        b.leave(rank, us(100));
    }
    b.message({.from = Rank{1},
               .to = Rank{0},
               .bytes = 100,
               .sendBegin = us(50),
               .sendEnd = us(53),
               .receiveBegin = us(20),
               .receiveEnd = us(55)});
    return b.finish();
}

TEST(SamePaths, areThoseOfAnEditedProgram) {
    const std::string one = "main/MPI_Send (main, halo.c:5)", two = "main/MPI_Send (main, halo.c:9)";
    const std::string oneMoved = "main/MPI_Send (main, halo.c:9)", twoMoved = "main/MPI_Send (main, halo.c:13)";
    const std::string other = "main/MPI_Recv (main, halo.c:6)";
    EXPECT_EQ(nameWithoutLine(one), "main/MPI_Send (main, halo.c)");
    EXPECT_EQ(nameWithoutLine("main"), "main");
    EXPECT_EQ(nameWithoutLine("main/MPI_Send (a+0x12)"), "main/MPI_Send (a+0x12)");
    // Both moved by four lines: the first one's new line is the second one's old one.
    EXPECT_EQ(samePaths({one, two, "main", other}, {oneMoved, twoMoved, "main"}),
              (std::map<std::string, std::string>{{"main", "main"}, {one, oneMoved}, {two, twoMoved}}));
    // The file has another name.
    EXPECT_EQ(nameWithoutFile(one), "main/MPI_Send (main)");
    EXPECT_EQ(nameWithoutFile("main/MPI_Send (a::b(int, int), halo.cpp:5)"), "main/MPI_Send (a::b(int, int))");
    EXPECT_EQ(nameWithoutFile("main/MPI_Send (main in halo)"), "main/MPI_Send (main)");
    EXPECT_EQ(samePaths({one, two, "main"}, {"main", "main/MPI_Send (main, new.c:3)", "main/MPI_Send (main, new.c:7)"}),
              (std::map<std::string, std::string>{
                  {"main", "main"}, {one, "main/MPI_Send (main, new.c:3)"}, {two, "main/MPI_Send (main, new.c:7)"}}));
    // One more call: only equal lines are the same.
    EXPECT_EQ(samePaths({two}, {oneMoved, twoMoved}), (std::map<std::string, std::string>{{two, two}}));
}

TEST(CallTree, tellsTimeVisitsWaitsAndBytesOfEveryPath) {
    // visits, time, own, waiting, sent, received, then own times: least and whose, mean, most and whose, by rank
    EXPECT_EQ(rowsOf(asked("calltree", traceOf(solving()))),
              "main 2 200000000 100000000 30000000 100 100 50000000 0 50000000 50000000 0 99\n"
              "main/solve 2 100000000 12000000 30000000 100 100 5000000 0 6000000 7000000 1 79\n"
              "main/solve/assemble 2 50000000 50000000 0 - - 10000000 0 25000000 40000000 1 29\n"
              "main/solve/MPI_Recv 1 35000000 35000000 30000000 - 100 0 1 17500000 35000000 0 9.\n"
              "main/solve/MPI_Send 1 3000000 3000000 0 100 - 0 0 1500000 3000000 1 .9\n");
}

TEST(CallTree, isOfTheSpanAndRanksAskedAbout) {
    // Of 1 alone, which waits for nobody, its last 20 us of assembling and the 2 us of sending that follow.
    EXPECT_EQ(
        rowsOf(asked("calltree", traceOf(solving()), {.part = {.from = us(30), .to = us(52), .ranks = {Rank{1}}}})),
        "main 1 22000000 0 0 - - - - - - - -\n"
        "main/solve 1 22000000 0 0 - - - - - - - -\n"
        "main/solve/assemble 1 20000000 20000000 0 - - - - - - - -\n"
        "main/solve/MPI_Send 1 2000000 2000000 0 - - - - - - - -\n");
    // The wait from 20 to 50 is clipped.
    const engine::Table table = asked("calltree", traceOf(solving()), {.part = {.from = us(30), .to = us(40)}});
    EXPECT_EQ(table.rows[0][4], engine::Cell{us(10)});
}

TEST(Profile, countsWhatARegionCallsItselfOnce) {
    traces::RecordingBuilder b{1};
    b.enter(0, us(0), "walk");
    b.enter(0, us(1), "walk");
    b.enter(0, us(2), "MPI_Barrier");
    b.leave(0, us(4));
    b.leave(0, us(6));
    b.leave(0, us(10));
    b.enter(0, us(12), "MPI_Barrier");
    b.leave(0, us(13));
    EXPECT_EQ(rowsOf(asked("profile", traceOf(b.finish()))),
              "walk user 2 10000000 8000000 0 - - - - - - - -\n"
              "MPI_Barrier mpi 2 3000000 3000000 0 - - - - - - - -\n"
              "(outside of calls) - 0 2000000 2000000 0 - - - - - - - -\n");
}

TEST(CallTree, keepsAcceleratorsApart) {
    traces::RecordingBuilder b{1};
    b.rest().locations.push_back(b.rest().locations[0]);
    b.rest().locations[1].kind = traces::LocationKind::accelerator;
    b.rest().locations[1].speaksForRank = false;
    traces::Recording recording = [&] {
        b.enter(0, us(0), "main");
        b.leave(0, us(10));
        return b.finish();
    }();
    recording.regions.push_back({"kernel", "cuda", traces::Call::none, traces::Recorded::notExpected, 1});
    recording.states.push_back(
        {std::vector{us(2)}, std::vector{us(9)}, std::vector{std::int32_t{1}}, std::vector{std::uint16_t{0}}, {}});
    recording.locations[1].first = us(2);
    recording.locations[1].last = us(9);
    const std::string rows = rowsOf(asked("calltree", traceOf(std::move(recording))));
    EXPECT_EQ(rows,
              "main 1 10000000 10000000 0 - - - - - - - -\n"
              "(accelerators) 0 7000000 0 0 - - - - - - - -\n"
              "(accelerators)/kernel 1 7000000 7000000 0 - - - - - - - -\n");
}

TEST(CallTree, isEmptyWhereNoCallsWereRecorded) {
    traces::RecordingBuilder b{2};
    const engine::Table table = asked("calltree", traceOf(b.finish()));
    EXPECT_TRUE(table.rows.empty());
    EXPECT_EQ(table.remarks, std::vector<std::string>{"no calls were recorded"});
}

TEST(CallTreeJudged, isWhatEveryPicosecondSays) {
    std::mt19937 random{18};
    for (int trial = 0; trial < 1000; ++trial) {
        const traces::Recording recording = slow::randomProgram(random, 1 + trial % 3);
        const CallPaths paths{recording};
        Selection selection;
        std::int64_t from = 0;
        std::int64_t to = recording.duration.count();
        if (trial % 2 == 1 && to > 1) {
            from = static_cast<std::int64_t>(random() % static_cast<unsigned>(to));
            to = from + static_cast<std::int64_t>(random() % static_cast<unsigned>(to - from + 1));
            selection.part = {.from = Picoseconds{from}, .to = Picoseconds{to}};
        }
        const CallProfile profile{paths, selection, {}};
        // At its very end a whole recording still has calls that take no time.
        const auto wanted = slow::spentByPath(recording, from, to);
        std::map<std::string, slow::SlowSpent> found;
        for (PathId path = 0; path < paths.size(); ++path) {
            const Spent& spent = profile.paths()[path];
            const slow::SlowSpent sums{spent.visits, spent.time.count(), spent.own.count()};
            if (!(sums == slow::SlowSpent{})) found[paths.name(path)] = sums;
        }
        for (const auto& [path, sums] : wanted) {
            EXPECT_EQ(found[path].time, sums.time) << "trial " << trial << ": " << path;
            EXPECT_EQ(found[path].own, sums.own) << "trial " << trial << ": " << path;
            if (trial % 2 == 1) {
                EXPECT_EQ(found[path].visits, sums.visits) << "trial " << trial << ": " << path;
            }
        }
        for (const auto& [path, sums] : found)
            EXPECT_TRUE(wanted.contains(path) || sums.own + sums.time == 0) << "trial " << trial << ": " << path;
        std::int64_t calls = 0;
        for (const Spent& spent : profile.paths()) calls += spent.visits;
        if (trial % 2 == 0) {
            std::size_t all = 0;
            for (const traces::States& states : recording.states) all += states.size();
            EXPECT_EQ(calls, static_cast<std::int64_t>(all));
        }
    }
}

TEST(PathOfRank, knowsTheCallBeforeAndAfterAMoment) {
    std::mt19937 random{19};
    for (int trial = 0; trial < 500; ++trial) {
        const traces::Recording recording = slow::randomProgram(random, 1);
        const CallPaths paths{recording};
        PathOfRank path{paths, Rank{0}};
        for (int k = 0; k < 20 && recording.duration.count() > 0; ++k) {
            const auto t = static_cast<std::int64_t>(random() % static_cast<unsigned>(recording.duration.count()));
            const auto calls = slow::callsDuring(recording.states[0], t);
            const std::string wanted =
                calls.empty() ? "(outside of calls)" : slow::pathOf(recording, recording.states[0], calls.back());
            EXPECT_EQ(paths.name(path.after(Picoseconds{t})), wanted) << "trial " << trial << " at " << t;
            EXPECT_EQ(paths.name(path.before(Picoseconds{t + 1})), wanted) << "trial " << trial << " at " << t;
        }
    }
}

}  // namespace
}  // namespace app::analysis::in_program
