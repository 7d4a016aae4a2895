// SPDX-License-Identifier: BSD-3-Clause
// What made ranks wait, by rank and call path, and what the program repeated.
#include "app/analysis/wait_states/root_causes.hpp"
#include "app/analysis/overview/first_page.hpp"
#include "app/analysis/overview/instance_findings.hpp"
#include "app/analysis/overview/program_view.hpp"
#include "app/analysis/program/iterations.hpp"
#include "app/analysis/tables/table_definition.hpp"
#include "engine/base/text.hpp"
#include "tests/support/first_page.hpp"
#include "tests/support/programs/late_program.hpp"
#include "tests/support/programs/random_program.hpp"
#include "tests/support/small_runs.hpp"
#include "tests/support/traced.hpp"
#include "traces/recording/run_from_recording.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace app::analysis::in_causes {
namespace {

using engine::Picoseconds;
using engine::Rank;
using samples::rowsOf;

constexpr Picoseconds ms(std::int64_t time) { return Picoseconds{time * 1'000'000'000}; }

using samples::traceOf;

engine::Table asked(std::string_view definition, const Trace& trace, const AnalysisOptions& wish = {}) {
    TraceAnalysis analysis{trace, wish};
    return computeTable(tableNamed(definition), analysis);
}

/// Four ranks assemble for 9 ms and reduce, 20 times. Rank 3 takes 19 ms longer each time; rank 2 writes for 50 ms in
/// the eleventh iteration. Nobody waits where nobody is slow.
traces::Recording steps(bool faults, bool regions) {
    traces::RecordingBuilder b{4};
    const auto enter = [&](int rank, std::int64_t time, const char* region) {
        if (regions || std::string_view{region}.starts_with("MPI_")) b.enter(rank, ms(time), region);
    };
    const auto leave = [&](int rank, std::int64_t time) {
        if (regions) b.leave(rank, ms(time));
    };
    for (int rank = 0; rank < 4; ++rank) {
        enter(rank, 0, "main");
        b.enter(rank, ms(0), "MPI_Init");
        b.leave(rank, ms(5));
        enter(rank, 5, "read");
        leave(rank, 10);
    }
    std::int64_t begin = 10;
    for (int k = 0; k < 20; ++k) {
        std::vector<std::int64_t> came(4);
        for (int rank = 0; rank < 4; ++rank) {
            came[rank] = begin + 9 + (faults && rank == 3 ? 19 : 0);
            enter(rank, begin, "assemble");
            leave(rank, came[rank]);
            if (!faults || rank != 2 || k != 10) continue;
            enter(rank, came[rank], "write");
            leave(rank, came[rank] += 50);
        }
        const std::int64_t end = *std::max_element(came.begin(), came.end()) + 1;
        std::vector<traces::Participant> parts;
        for (int rank = 0; rank < 4; ++rank) {
            enter(rank, came[rank], "MPI_Allreduce");
            b.leave(rank, ms(end));
            parts.push_back({.rank = Rank{rank}, .begin = ms(came[rank]), .end = ms(end), .sent = 8, .received = 8});
        }
        b.collective(traces::Operation::allreduce, 0, traces::noRank, parts);
        begin = end;
    }
    for (int rank = 0; rank < 4; ++rank) leave(rank, begin + 1);
    return b.finish();
}

TEST(Causes, nameWhereTheLateRankHadSpentTheTime) {
    // 19 iterations in which three ranks wait 19 ms; one in which two wait 50 ms, and rank 3 the 31 ms that it is
    // behind.
    EXPECT_EQ(rowsOf(asked("causes", traceOf(steps(true, true)))),
              "wait at NxN 3 main/assemble 1083000000000 0.8921 19 19000000000 19000000000 19000000000 - -\n"
              "wait at NxN 2 main/write 131000000000 0.1079 1 50000000000 50000000000 309000000000 - -\n");
    EXPECT_TRUE(asked("causes", traceOf(steps(false, true))).rows.empty());
}

TEST(Causes, nameTheCallThatCameLateWhereRegionsOfTheProgramAreNotRecorded) {
    EXPECT_EQ(rowsOf(asked("causes", traceOf(steps(true, false)))),
              "wait at NxN 3 before MPI_Allreduce 1083000000000 0.8921 19 19000000000 19000000000 19000000000 - -\n"
              "wait at NxN 2 before MPI_Allreduce 131000000000 0.1079 1 50000000000 50000000000 309000000000 - -\n");
}

/// Both compute 10 ms after a barrier that rank 1 leaves 30 ms after rank 0.
TEST(Causes, areInTheCollectiveThatTheLateRankLeftLate) {
    traces::RecordingBuilder b{2};
    for (int k = 0; k < 2; ++k) {
        std::vector<traces::Participant> parts;
        for (int rank = 0; rank < 2; ++rank) {
            const std::int64_t begin = k == 0 ? 10 : rank == 0 ? 30 : 60, end = k == 1 ? 61 : rank == 0 ? 20 : 50;
            b.enter(rank, ms(begin), "MPI_Barrier");
            b.leave(rank, ms(end));
            parts.push_back({.rank = Rank{rank}, .begin = ms(begin), .end = ms(end)});
        }
        b.collective(traces::Operation::barrier, 0, traces::noRank, parts);
    }
    EXPECT_EQ(rowsOf(asked("causes", traceOf(b.finish()))),
              "wait at barrier 1 MPI_Barrier 30000000000 1 1 30000000000 30000000000 30000000000 - -\n");
}

TEST(FirstPage, tellsTheLongestDelayWhereMostAreMuchShorter) {
    const auto pageOf = [](const Trace& trace) {
        TraceAnalysis analysis{trace, {}};
        return support::sentenceOnWaits(support::firstPageInWords(analysis));
    };
    const std::string once = pageOf(traceOf(support::lateBy({3'100, 30'000, 3'050, 0, 0, 0, 0, 0, 0, 0})));
    EXPECT_NE(once.find(": late 3 times: once by 30 ms (at 9.11 ms of the trace), otherwise by at most 3.1 ms."),
              std::string::npos)
        << once;
    const std::string alone = pageOf(traceOf(support::lateBy({17, 30'000, 16, 0, 0, 0, 0, 0, 0, 0})));
    EXPECT_NE(alone.find(": late once, by 30 ms (at 6.027 ms of the trace)."), std::string::npos) << alone;
    const std::string often = pageOf(traceOf(support::lateBy({300, 310, 290, 300, 305})));
    EXPECT_NE(often.find(": late 5 times, typically by 300 us and at most by 310 us (at "), std::string::npos) << often;
}

TEST(Causes, nameTheCallThatFollowsTheTimeOutsideOfAll) {
    // Rank 2 comes 30 ms late to a call that nobody waits in, and at once from there to the one where it is waited for.
    traces::RecordingBuilder b{3};
    std::vector<traces::Participant> parts;
    for (int rank = 0; rank < 3; ++rank) {
        b.enter(rank, ms(0), "MPI_Init");
        b.leave(rank, ms(5));
        if (rank == 2) b.enter(rank, ms(40), "MPI_Iprobe");
        if (rank == 2) b.leave(rank, ms(41));
        b.enter(rank, ms(rank == 2 ? 42 : 10), "MPI_Allreduce");
        b.leave(rank, ms(43));
        parts.push_back(
            {.rank = Rank{rank}, .begin = ms(rank == 2 ? 42 : 10), .end = ms(43), .sent = 8, .received = 8});
    }
    b.collective(traces::Operation::allreduce, 0, traces::noRank, parts);
    const std::string rows = rowsOf(asked("causes", traceOf(b.finish())));
    EXPECT_NE(rows.find("before MPI_Iprobe"), std::string::npos) << rows;
    EXPECT_EQ(rows.find("before MPI_Allreduce"), std::string::npos) << rows;
}

TEST(Causes, nameTheCallBeforeWhichTheLateRankComputedLonger) {
    // Rank 1 computes 8 ms and rank 0 4 ms before a send that nobody waits for; then both compute 5 ms.
    traces::RecordingBuilder b{2};
    for (std::int64_t begin = 0; begin < 75; begin += 15) {
        std::vector<traces::Participant> parts;
        for (int rank = 0; rank < 2; ++rank) {
            const std::int64_t sends = begin + (rank == 1 ? 8 : 4), came = sends + 6;
            b.enter(rank, ms(sends), "MPI_Isend");
            b.leave(rank, ms(sends + 1));
            b.enter(rank, ms(came), "MPI_Allreduce");
            b.leave(rank, ms(begin + 15));
            parts.push_back({.rank = Rank{rank}, .begin = ms(came), .end = ms(begin + 15), .sent = 8, .received = 8});
        }
        b.collective(traces::Operation::allreduce, 0, traces::noRank, parts);
    }
    const Trace trace = traceOf(b.finish());
    EXPECT_EQ(rowsOf(asked("causes", trace)),
              "wait at NxN 1 before MPI_Isend 20000000000 1 5 4000000000 4000000000 10000000000 - -\n");
    // A replay without the delays shortens the computation before the send by half, and no other.
    TraceAnalysis analysis{trace, {}};
    const CallPaths paths{*trace.recording};
    const TracedWaits waits = tracedWaits(*trace.recording, {}, analysis.instances());
    const std::vector<DelaysOfRank> delays = delaysOf(causesOf(waits, paths), waits, paths);
    ASSERT_EQ(delays.size(), 1U);
    EXPECT_EQ(delays[0].within(Rank{1}, outsideOfCalls, ms(15), ms(23)), ms(4));
    EXPECT_EQ(delays[0].within(Rank{1}, outsideOfCalls, ms(23), ms(30)), ms(0));
}

TEST(Causes, countADelayOnceThatSeveralWaitStatesFollowFrom) {
    // Rank 0 computes for 8 ms before a send. Rank 2 waits for the message; rank 1, which computed for 4 ms before its
    // own send, waits for rank 0 at the allreduce only, when the send is over.
    traces::RecordingBuilder b{3};
    const auto call = [&](int rank, std::int64_t begin, std::int64_t end, const char* name) {
        b.enter(rank, ms(begin), name);
        b.leave(rank, ms(end));
    };
    for (std::int64_t begin = 0; begin < 100; begin += 20) {
        call(0, begin + 8, begin + 9, "MPI_Isend");
        call(1, begin + 4, begin + 5, "MPI_Isend");
        call(2, begin + 2, begin + 9, "MPI_Recv");
        b.message({.from = Rank{0},
                   .to = Rank{2},
                   .bytes = 8,
                   .sendBegin = ms(begin + 8),
                   .sendEnd = ms(begin + 9),
                   .receiveBegin = ms(begin + 2),
                   .receiveEnd = ms(begin + 9)});
        std::vector<traces::Participant> parts;
        for (int rank = 0; rank < 3; ++rank) {
            const std::int64_t came = begin + (rank == 1 ? 10 : 14);
            call(rank, came, begin + 20, "MPI_Allreduce");
            parts.push_back({.rank = Rank{rank}, .begin = ms(came), .end = ms(begin + 20), .sent = 8, .received = 8});
        }
        b.collective(traces::Operation::allreduce, 0, traces::noRank, parts);
    }
    const Trace trace = traceOf(b.finish());
    TraceAnalysis analysis{trace, {}};
    const std::vector<RootCause> causes = rootCauses(analysis.causes());
    ASSERT_FALSE(causes.empty());
    EXPECT_EQ(nameOf(causes.front().cause, *analysis.callPaths()), "before MPI_Isend");
    EXPECT_EQ(causes.front().kinds, (std::vector{WaitKind::lateSender, WaitKind::atNxN}));
    EXPECT_EQ(causes.front().cause.delays, 5);
    const std::string words = support::sentenceOnWaits(support::firstPageInWords(analysis));
    EXPECT_NE(words.find("before MPI_Isend: late 5 times, "), std::string::npos) << words;
}

TEST(Causes, nameTheCallInWhichAnotherThreadCame) {
    // The own thread of rank 1 computes until MPI_Finalize; another one enters the allreduce late.
    traces::RecordingBuilder b{2};
    const std::int32_t other = b.thread(Rank{1}, "other");
    const auto call = [&](std::int32_t location, std::int64_t begin, std::int64_t end, const char* name) {
        b.enter(location, ms(begin), name);
        b.leave(location, ms(end));
    };
    for (int rank = 0; rank < 2; ++rank) call(rank, 0, 1, "MPI_Init");
    call(0, 10, 21, "MPI_Allreduce");
    call(other, 20, 21, "MPI_Allreduce");
    for (int rank = 0; rank < 2; ++rank) call(rank, 40, 41, "MPI_Finalize");
    b.collective(traces::Operation::allreduce, 0, traces::noRank,
                 {{.rank = Rank{0}, .begin = ms(10), .end = ms(21), .sent = 8, .received = 8},
                  {.rank = Rank{1}, .begin = ms(20), .end = ms(21), .sent = 8, .received = 8}});
    EXPECT_EQ(rowsOf(asked("causes", traceOf(b.finish()))),
              "wait at NxN 1 before MPI_Allreduce 10000000000 1 1 10000000000 10000000000 10000000000 other -\n");
}

TEST(Iterations, takeNoCallThatComesSeveralTimesATurn) {
    // Two neighbours, whose requests begin in a loop, and one wait for all of them: the last of the requests would do
    // nearly all of the time.
    traces::RecordingBuilder b{2};
    for (int rank = 0; rank < 2; ++rank)
        for (std::int64_t turn = 0; turn < 10; ++turn) {
            std::int64_t now = 5'000'000 + turn * 20'000'000;  // ns
            const auto call = [&](const char* name, std::int64_t time) {
                b.enter(rank, Picoseconds{now * 1000}, name);
                b.leave(rank, Picoseconds{(now += time) * 1000});
                now += 1000;
            };
            for (const char* name : {"MPI_Irecv", "MPI_Irecv", "MPI_Isend", "MPI_Isend"}) call(name, 1000);
            call("MPI_Waitall", 50'000);
        }
    const engine::Table found = asked("iterations", traceOf(b.finish()));
    EXPECT_EQ(found.rows.size(), 10U);
    ASSERT_FALSE(found.remarks.empty());
    EXPECT_NE(found.remarks.front().find("MPI_Waitall"), std::string::npos) << found.remarks.front();
}

TEST(FirstPage, saysTheSameWhereItIsTheLastThingAsked) {
    // Halo exchanges, apart by barriers: each is an instance.
    traces::RecordingBuilder builder{4};
    const auto at = [](std::int64_t time) { return Picoseconds{time}; };
    for (std::int64_t k = 0; k < 5; ++k) {
        const std::int64_t begin = k * 10'000'000;
        std::vector<traces::Participant> parts;
        for (Rank rank{0}; rank.value < 4; ++rank) {
            builder.message({.from = rank,
                             .to = Rank{(rank.value + 1) % 4},
                             .bytes = 4096,
                             .sendBegin = at(begin + rank.value * 1000),
                             .sendEnd = at(begin + 2'000'000 + k * 1000),
                             .receiveBegin = at(begin),
                             .receiveEnd = at(begin + 2'000'000 + k * 1000)});
            parts.push_back({.rank = rank, .begin = at(begin + 5'000'000), .end = at(begin + 6'000'000)});
        }
        builder.collective(traces::Operation::barrier, 0, traces::noRank, std::move(parts));
    }
    const Trace trace = traceOf(builder.finish());
    TraceAnalysis on{trace, {}};
    TraceAnalysis over{trace, {}};
    EXPECT_EQ(support::firstPageInWords(on), support::firstPageInWords(over, AnalysisUse::pageOnly));
    const auto kept = [](TraceAnalysis& analysis) {
        const auto& all = analysis.instances();
        return std::count_if(all.begin(), all.end(),
                             [](const Instance& one) { return one.run && !one.run->messages.empty(); });
    };
    EXPECT_EQ(kept(on), 5);
    EXPECT_EQ(kept(over), 1) << "the longest one's";
}

TEST(Causes, standOnTheFirstPageAndBesideDelays) {
    const Trace trace = traceOf(steps(true, true));
    TraceAnalysis analysis{trace, {}};
    std::string page;
    for (const std::string& sentence : support::firstPageInWords(analysis)) page += sentence + '\n';
    EXPECT_EQ(page.find("Parallel efficiency is 47.6%, limited by load balance"), 0U) << page;
    EXPECT_EQ(page.find("Ranks waited"), page.find('\n') + 1) << "the costliest cause stands first: " << page;
    EXPECT_NE(page.find(", mostly in main/assemble: late 19 times, by 19 ms each (the longest at 19 ms of the trace)."),
              std::string::npos)
        << page;
    EXPECT_NE(
        page.find(
            "Rank 2 caused 10.8% of the waiting time (131 ms; wait at NxN), in main/write: late once, by 50 ms (at 309 ms of the trace)."),
        std::string::npos)
        << page;
    EXPECT_EQ(rowsOf(asked("delays", trace)),
              "3 57 1083000000000 0 main/assemble\n"
              "2 3 131000000000 0 main/write\n");
}

/// 0 is 30 ms late for 1, in `assemble`, and so is 1 for everybody.
traces::Recording passedOn() {
    traces::RecordingBuilder b{3};
    for (int rank = 0; rank < 3; ++rank) b.enter(rank, ms(0), "main");
    b.enter(0, ms(0), "assemble");
    b.leave(0, ms(40));
    b.enter(0, ms(40), "MPI_Send");
    b.leave(0, ms(41));
    b.enter(1, ms(10), "MPI_Recv");
    b.leave(1, ms(42));
    b.enter(1, ms(42), "unpack");
    b.leave(1, ms(44));
    b.message({.from = Rank{0},
               .to = Rank{1},
               .bytes = 8,
               .sendBegin = ms(40),
               .sendEnd = ms(41),
               .receiveBegin = ms(10),
               .receiveEnd = ms(42)});
    const std::int64_t came[] = {41, 44, 14};
    std::vector<traces::Participant> parts;
    for (int rank = 0; rank < 3; ++rank) {
        b.enter(rank, ms(came[rank]), "MPI_Barrier");
        b.leave(rank, ms(45));
        b.leave(rank, ms(46));
        parts.push_back({.rank = Rank{rank}, .begin = ms(came[rank]), .end = ms(45)});
    }
    b.collective(traces::Operation::barrier, 0, traces::noRank, parts);
    return b.finish();
}

TEST(Causes, runThroughMessagesAndCollectives) {
    // 1 waits 30 for 0; at the barrier 2 waits 30 for 1, which had lost 30 to 0; 0 waits 3 for 1 itself, which since
    // then received and unpacked for 2 each while 0 sent.
    const std::string rows = rowsOf(asked("causes", traceOf(passedOn())));
    EXPECT_EQ(rows,
              "late sender 0 main/assemble 30000000000 0.4762 1 30000000000 30000000000 10000000000 - -\n"
              "wait at barrier 0 main/assemble 30000000000 0.4762 1 30000000000 30000000000 10000000000 - -\n"
              "wait at barrier 1 main/MPI_Recv 1500000000 0.02381 1 1500000000 1500000000 41000000000 - -\n"
              "wait at barrier 1 main/unpack 1500000000 0.02381 1 1500000000 1500000000 41000000000 - -\n");
}

TEST(Causes, ofAWavefrontAreWhatEachRankDidInItsTurn) {
    // From 10 ms on each of three ranks waits for the one before, computes for 10 ms and sends on; rank 0 waits 20 ms
    // for rank 2 at the barrier: 10 of which are rank 1's and 10 its own. With regions, and with calls of MPI alone.
    for (const bool regions : {true, false}) {
        traces::RecordingBuilder b{3};
        const auto call = [&](int rank, std::int64_t begin, std::int64_t end, const char* name) {
            b.enter(rank, ms(begin), name);
            b.leave(rank, ms(end));
        };
        std::vector<traces::Participant> start, end;
        for (int rank = 0; rank < 3; ++rank) {
            if (regions) b.enter(rank, ms(0), "sweep");
            call(rank, 0, 10, "MPI_Barrier");
            if (rank > 0) call(rank, 10, 10 + 10 * rank, "MPI_Recv");
            if (rank < 2) call(rank, 20 + 10 * rank, 20 + 10 * rank, "MPI_Send");
            call(rank, 20 + 10 * rank, 41, "MPI_Barrier");
            if (regions) b.leave(rank, ms(41));
            start.push_back({.rank = Rank{rank}, .begin = ms(0), .end = ms(10)});
            end.push_back({.rank = Rank{rank}, .begin = ms(20 + 10 * rank), .end = ms(41)});
        }
        for (int rank = 0; rank < 2; ++rank)
            b.message({.from = Rank{rank},
                       .to = Rank{rank + 1},
                       .bytes = 8,
                       .sendBegin = ms(20 + 10 * rank),
                       .sendEnd = ms(20 + 10 * rank),
                       .receiveBegin = ms(10),
                       .receiveEnd = ms(20 + 10 * rank)});
        b.collective(traces::Operation::barrier, 0, traces::noRank, start);
        b.collective(traces::Operation::barrier, 0, traces::noRank, end);
        const engine::Table causes = asked("causes", traceOf(b.finish()));
        for (const auto& row : causes.rows) {
            const auto& path = std::get<std::string>(row[2]);
            EXPECT_EQ(path.find("MPI_Recv"), std::string::npos) << "it waited there: " << rowsOf(causes);
            EXPECT_LE(std::get<Picoseconds>(row[6]), ms(10)) << "no rank was later by itself: " << rowsOf(causes);
        }
    }
}

TEST(FirstPage, saysNothingOfTheBytesOfABarrier) {
    traces::RecordingBuilder b{2};
    b.collective(traces::Operation::barrier, 0, traces::noRank,
                 {{.rank = Rank{0}, .begin = ms(0), .end = ms(9)}, {.rank = Rank{1}, .begin = ms(8), .end = ms(9)}});
    const Trace trace = traceOf(b.finish());
    TraceAnalysis analysis{trace, {}};
    std::string page;
    for (const std::string& sentence : support::firstPageInWords(analysis)) page += sentence + '\n';
    EXPECT_NE(page.find("Barrier of 2 ranks took 9 ms; its messages were not recorded."), std::string::npos) << page;
}

TEST(FirstPage, hasAtMostEightParagraphs) {
    // Eight kinds of instances, four causes, and things that were not recorded.
    using traces::Operation;
    const Operation kinds[] = {Operation::allreduce, Operation::allgather,    Operation::alltoall,
                               Operation::barrier,   Operation::alltoallv,    Operation::allgatherv,
                               Operation::alltoallw, Operation::reduceScatter};
    traces::RecordingBuilder b{4};
    for (std::int64_t k = 0; k < 8; ++k) {
        std::vector<traces::Participant> parts;
        for (int rank = 0; rank < 4; ++rank) {
            const std::int64_t came = 100 * k + (rank == k % 4 ? 50 : 0);
            b.enter(rank, ms(came), "MPI_" + std::string{nameOf(kinds[k])});
            b.leave(rank, ms(100 * k + 60));
            parts.push_back({.rank = Rank{rank}, .begin = ms(came), .end = ms(100 * k + 60), .sent = 8, .received = 8});
        }
        b.collective(kinds[k], 0, traces::noRank, parts);
    }
    const Trace trace = traceOf(b.finish());
    TraceAnalysis analysis{trace, {}};
    const std::vector<std::string> page = support::firstPageInWords(analysis);
    ASSERT_EQ(page.size(), 8U);
    EXPECT_EQ(page.front().find("Parallel efficiency"), 0U) << page.front();
    EXPECT_EQ(page[1].find("Ranks waited"), 0U) << page[1];
    EXPECT_TRUE(std::ranges::any_of(page, [](const std::string& sentence) {
        return sentence.find(" more kinds of collectives and exchanges take less time") != std::string::npos;
    })) << page[5];
}

TEST(CriticalProfile, tellsWhereEvenWorkWouldHelp) {
    // The path of CriticalPath.saysWhereInTheProgramItsRanksWere. In main/assemble it spends the 40 of rank 0, which
    // are 13.3 for each of three. MPI_Send and unpack are of one rank alone, too. In the barrier ranks spend 4, 1 and
    // 31, 3 and 30 of which are waits; in main 1, 11 and 15.
    EXPECT_EQ(rowsOf(asked("critical-profile", traceOf(passedOn()))),
              "main/assemble 40000000000 0.8696 0 13333333333 26666666667\n"
              "main/MPI_Send 2000000000 0.04348 0 333333333 1666666667\n"
              "main/unpack 2000000000 0.04348 1 666666666 1333333334\n"
              "main 1000000000 0.02174 0 9000000000 0\n"
              "main/MPI_Barrier 1000000000 0.02174 0 1000000000 0\n");
}

/// Rank 1 is recorded from 30 ms on, and rank 0 waits for it from 10 to 40 ms.
TEST(CriticalProfile, namesTimeThatWasNotRecorded) {
    traces::RecordingBuilder b{2};
    std::vector<traces::Participant> parts;
    for (int rank = 0; rank < 2; ++rank) {
        const std::int64_t first = 30 * rank, came = 10 + first;
        b.enter(rank, ms(first), "main");
        b.enter(rank, ms(came), "MPI_Barrier");
        b.leave(rank, ms(41));
        b.leave(rank, ms(41));
        parts.push_back({.rank = Rank{rank}, .begin = ms(came), .end = ms(41)});
    }
    b.collective(traces::Operation::barrier, 0, traces::noRank, parts);
    EXPECT_EQ(rowsOf(asked("critical-profile", traceOf(b.finish()))),
              "(not recorded) 30000000000 0.7317 1 15000000000 15000000000\n"
              "main 10000000000 0.2439 1 10000000000 0\n"
              "main/MPI_Barrier 1000000000 0.02439 0 1000000000 0\n");
}

TEST(CriticalPath, saysWhereInTheProgramItsRanksWere) {
    EXPECT_EQ(rowsOf(asked("critical-path", traceOf(passedOn()))),
              "local 0 - - - 0 40000000000 main/assemble -\n"
              "message 0 1 - 8 40000000000 2000000000 main/MPI_Send -\n"
              "local 1 - - - 42000000000 2000000000 main/unpack -\n"
              "barrier 0 - - - 44000000000 1000000000 main/MPI_Barrier -\n"
              "local 0 - - - 45000000000 1000000000 main -\n");
}

TEST(CausesJudged, addUpToTheWaits) {
    std::mt19937 random{20};
    for (int trial = 0; trial < 300; ++trial) {
        const int ranks = 2 + trial % 3;
        const traces::Recording recording = ::slow::randomProgram(random, ranks);
        const CallPaths paths{recording};
        std::vector<Wait> waits;
        std::vector<std::int64_t> now(static_cast<std::size_t>(ranks));
        Picoseconds sum{};
        for (int k = 0; k < 12; ++k) {
            const auto rank = random() % static_cast<unsigned>(ranks);
            const auto late = (rank + 1 + random() % static_cast<unsigned>(ranks - 1)) % static_cast<unsigned>(ranks);
            const std::int64_t begin = now[rank] + static_cast<std::int64_t>(random() % 5);
            const auto time = static_cast<std::int64_t>(1 + random() % 9);
            now[rank] = begin + time;
            waits.push_back({.kind = k % 2 == 0 ? WaitKind::lateSender : WaitKind::atNxN,
                             .rank = Rank{static_cast<int>(rank)},
                             .late = Rank{static_cast<int>(late)},
                             .begin = Picoseconds{begin * 1'000'000},
                             .time = Picoseconds{time * 1'000'000}});
            sum += waits.back().time;
        }
        Picoseconds found{};
        TracedWaits traced{.all = waits, .delays = {}, .threads = Threads{ranks}};
        traced.delays = propagateDelays(traced.all, ranks);
        for (const Cause& cause : causesOf(traced, paths)) found += cause.time;
        EXPECT_LT(std::abs((found - sum).count()), 1000) << "trial " << trial;
    }
}

/// Delays of one call count once, whatever waits for them.
TEST(CausesJudged, countNoMoreDelaysThanCalls) {
    std::mt19937 random{24};
    std::int64_t counted = 0;
    for (int trial = 0; trial < 300; ++trial) {
        const Trace trace = traceOf(support::lateProgram(random, {.regions = false, .communicators = 2}));
        TraceAnalysis analysis{trace, {}};
        if (analysis.callPaths() == nullptr) continue;
        const CallPaths& paths = *analysis.callPaths();
        for (const RootCause& one : rootCauses(analysis.causes())) {
            const PathId path = one.cause.before == outsideOfCalls ? one.cause.path : one.cause.before;
            if (path == outsideOfCalls) continue;
            const auto location = engine::asSize(trace.recording->locationOf(one.cause.rank));
            std::int64_t calls = 0;
            for (std::size_t s = 0; s < trace.recording->states[location].size(); ++s)
                calls += paths.of(location, s) == path ? 1 : 0;
            EXPECT_LE(std::ssize(one.cause.late), calls) << "trial " << trial << ", " << nameOf(one.cause, paths);
            counted += one.cause.delays;
        }
    }
    EXPECT_GT(counted, 1000);
}

TEST(Iterations, areTimedAndTheOddOneIsNamed) {
    const Trace trace = traceOf(steps(true, true));
    const engine::Table table = asked("iterations", trace);
    ASSERT_EQ(table.rows.size(), 20U);
    EXPECT_EQ(table.remarks.front(),
              "the first call of every iteration that all ranks make is main/assemble; 29 ms (median)");
    engine::Table few = table;
    few.rows = {table.rows[0], table.rows[10], table.rows[19]};
    EXPECT_EQ(
        rowsOf(few),
        "1 - 10000000000 29000000000 29000000000 3 28000000000 13750000000 57000000000 - - - - -\n"
        "11 - 300000000000 60000000000 60000000000 2 59000000000 26250000000 131000000000 60 ms instead of 29 ms 2 main/write 50000000000 -\n"
        "20 - 592000000000 29000000000 29000000000 3 28000000000 13750000000 57000000000 - - - - -\n");
}

TEST(Iterations, areCutAndMarkedWhereTheSelectedTimeCutsThem) {
    // From 5 ms after the start of the first one to the end of the second.
    const engine::Table table =
        asked("iterations", traceOf(steps(true, true)), {.part = {.from = ms(15), .to = ms(68)}});
    EXPECT_EQ(rowsOf(table),
              "1 (part) 15000000000 24000000000 24000000000 3 23000000000 8750000000 57000000000 - - - - -\n"
              "2 - 39000000000 29000000000 29000000000 3 28000000000 13750000000 57000000000 - - - - -\n");
    EXPECT_EQ(table.remarks.front(),
              "the first call of every iteration that all ranks make is main/assemble; 29 ms (median), of 20 "
              "iterations of the whole trace");
    EXPECT_NE(std::ranges::find(table.remarks, cutRemark), table.remarks.end());
    const engine::Table efficiency =
        asked("efficiency", traceOf(steps(true, true)), {.part = {.from = ms(15), .to = ms(68)}});
    const auto cut = std::ranges::find_if(efficiency.rows, [](const std::vector<engine::Cell>& row) {
        return row[0] == engine::Cell{std::string{"iteration 1 (part)"}};
    });
    ASSERT_NE(cut, efficiency.rows.end());
    EXPECT_EQ((*cut)[2], engine::Cell{ms(24)}) << "the duration is that of table iterations";
}

TEST(FirstPage, saysOfWhichTimeTheEfficiencyOfAPartIs) {
    const auto pageOf = [](const Part& part) {
        const Trace trace = traceOf(steps(true, true));
        TraceAnalysis analysis{trace, {.part = part}};
        return engine::joined(support::firstPageInWords(analysis), "\n");
    };
    const std::string words = pageOf({.from = ms(0), .to = ms(39)});
    EXPECT_NE(words.find("Parallel efficiency in this part, from 5 ms to 39 ms of the trace (between MPI_Init and "
                         "MPI_Finalize), is "),
              std::string::npos)
        << words;
    const std::string within = pageOf({.from = ms(10), .to = ms(39)});
    EXPECT_NE(within.find("Parallel efficiency in this part is "), std::string::npos) << within;
}

/// Of four ranks, 0 and 1 come late in turn, by 20 and by 19 ms.
traces::Recording twoAlike() {
    traces::RecordingBuilder b{4};
    for (int i = 0; i < 6; ++i) {
        std::vector<traces::Participant> parts;
        for (int rank = 0; rank < 4; ++rank) {
            const std::int64_t came = 100 * i + 10 + (i % 2 == rank ? 20 - rank : 0), end = 100 * i + 31;
            b.enter(rank, ms(came), "MPI_Barrier");
            b.leave(rank, ms(end));
            parts.push_back({.rank = Rank{rank}, .begin = ms(came), .end = ms(end)});
        }
        b.collective(traces::Operation::barrier, 0, traces::noRank, std::move(parts));
    }
    return b.finish();
}

TEST(FirstPage, namesAllRanksThatCausedNearlyAsMuch) {
    const Trace trace = traceOf(twoAlike());
    TraceAnalysis analysis{trace, {}};
    const std::string words = support::sentenceOnWaits(support::firstPageInWords(analysis));
    EXPECT_NE(words.find(". Ranks 0 and 1 caused 51.3% and 48.7% of the waiting time. Rank 0 caused 180 ms, mostly "
                         "before MPI_Barrier: late 3 times, by 20 ms each"),
              std::string::npos)
        << words;
    TraceAnalysis another{trace, {}};
    const TracedProgram program{another};
    EXPECT_EQ(program.headline(), "351 ms of waiting caused by ranks 0 and 1");
    EXPECT_TRUE(program.besides().starts_with(
        "Ranks 0 and 1 caused 51.3% and 48.7% of the waiting time; rank 0 caused 51.3% by delays at one place (wait at "
        "barrier, late 3 times, typically by 20 ms); "))
        << program.besides();
}

/// Four allreduces, of 1, 2, 10 and 20 ms.
TEST(FirstPage, hasOneMedianOfAnEvenNumberOfCalls) {
    traces::RecordingBuilder b{2};
    std::int64_t begin = 0;
    for (const std::int64_t time : {10, 1, 20, 2}) {
        std::vector<traces::Participant> parts;
        for (int rank = 0; rank < 2; ++rank) {
            b.enter(rank, ms(begin), "MPI_Allreduce");
            b.leave(rank, ms(begin + time));
            parts.push_back(
                {.rank = Rank{rank}, .begin = ms(begin), .end = ms(begin + time), .sent = 8, .received = 8});
        }
        b.collective(traces::Operation::allreduce, 0, traces::noRank, std::move(parts));
        begin += 50;
    }
    const Trace trace = traceOf(b.finish());
    TraceAnalysis analysis{trace, {}};
    const std::string words = engine::joined(support::firstPageInWords(analysis), "\n");
    EXPECT_NE(words.find(": median 6 ms, longest 20 ms"), std::string::npos) << words;
    EXPECT_EQ(instanceGroups(analysis).front().median, ms(6));
    EXPECT_EQ(analysis.instances()[instanceGroups(analysis).front().typical].duration(), ms(2));
}

TEST(Iterations, endWithACallOfMpiWhereNothingElseIsKnown) {
    // The first is the call alone: what lies before may be anything.
    const engine::Table table = asked("iterations", traceOf(steps(true, false)));
    ASSERT_EQ(table.rows.size(), 20U);
    EXPECT_EQ(table.remarks.front(),
              "the last call of every iteration that all ranks make is MPI_Allreduce; 29 ms (median)");
}

TEST(Iterations, sayWhatTheFirstMayHaveTakenLonger) {
    traces::RecordingBuilder b{2};
    for (int rank = 0; rank < 2; ++rank) {
        b.enter(rank, ms(0), "MPI_Init");
        b.leave(rank, ms(5));
    }
    std::int64_t now = 5;
    for (int k = 0; k < 6; ++k) {
        now += k == 0 ? 60 : 10;
        std::vector<traces::Participant> parts;
        for (int rank = 0; rank < 2; ++rank) {
            b.enter(rank, ms(now), "MPI_Allreduce");
            b.leave(rank, ms(now + 1));
            parts.push_back({.rank = Rank{rank}, .begin = ms(now), .end = ms(now + 1)});
        }
        b.collective(traces::Operation::allreduce, 0, traces::noRank, parts);
        ++now;
    }
    const engine::Table table = asked("iterations", traceOf(b.finish()));
    ASSERT_EQ(table.rows.size(), 6U);
    EXPECT_EQ(
        table.remarks[1],
        "iteration 1 may have begun up to 50 ms earlier: all ranks computed so much longer before it, which counts "
        "as set-up");
}

TEST(Iterations, areThoseOfTheLoopThatAllRanksRunAlike) {
    // Sends differ by rank and come twice a turn; every third turn writes. What counts is the barrier at the end.
    traces::RecordingBuilder b{2};
    for (int rank = 0; rank < 2; ++rank) {
        b.enter(rank, ms(0), "main");
        b.enter(rank, ms(0), "setup");
        b.leave(rank, ms(7));
    }
    std::int64_t now = 7;
    for (int k = 0; k < 9; ++k) {
        std::vector<traces::Participant> parts;
        for (int rank = 0; rank < 2; ++rank) {
            for (int i = 0; i < 2 + rank; ++i) {
                b.enter(rank, ms(now + 2 * i), "MPI_Send");
                b.leave(rank, ms(now + 2 * i + 1));
            }
            if (k % 3 == 2) {
                b.enter(rank, ms(now + 6), "write");
                b.leave(rank, ms(now + 8));
            }
            b.enter(rank, ms(now + 9), "MPI_Barrier");
            b.leave(rank, ms(now + 10));
            parts.push_back({.rank = Rank{rank}, .begin = ms(now + 9), .end = ms(now + 10)});
        }
        b.collective(traces::Operation::barrier, 0, traces::noRank, parts);
        now += 10;
    }
    for (int rank = 0; rank < 2; ++rank) b.leave(rank, ms(now));
    const traces::Recording recording = b.finish();
    const CallPaths paths{recording};
    const Iterations found = iterationsOf(paths, {Rank{0}, Rank{1}}, {});
    EXPECT_EQ(paths.name(found.call), "main/MPI_Barrier");
    EXPECT_TRUE(found.endsWithIt);
    ASSERT_EQ(found.all.size(), 9U);
    for (int k = 0; k < 9; ++k) {
        EXPECT_EQ(found.all[k].begin, ms(7 + 10 * k)) << k;
        EXPECT_EQ(found.all[k].duration, ms(10)) << k;
        EXPECT_FALSE(found.all[k].odd) << k;
    }
}

TEST(Iterations, endWithACollectiveWhereRanksCallDifferently) {
    // Rank 0 leads and rank 1 follows, from other lines: in no path do both make as many calls. Sizes change in turn 5,
    // where rank 1 takes 40 ms longer.
    for (const bool sameSizes : {true, false}) {
        traces::RecordingBuilder b{2};
        std::int64_t now = 3;
        for (int rank = 0; rank < 2; ++rank) b.enter(rank, ms(0), rank == 0 ? "lead" : "follow");
        for (int k = 0; k < 9; ++k) {
            const std::int64_t came = now + 6 + (k == 5 ? 40 : 0);
            for (int i = 0; i < 1 + k % 2; ++i) {
                b.enter(1, ms(now + 2 * i), "assemble");
                b.leave(1, ms(i == k % 2 ? came : now + 2 * i + 1));
            }
            std::vector<traces::Participant> scattered, reduced;
            for (int rank = 0; rank < 2; ++rank) {
                const std::int64_t begin = rank == 0 ? now + 4 : came;
                const engine::Bytes bytes = sameSizes ? 8 : 8 * (k + 1);
                b.enter(rank, ms(begin), "MPI_Reduce");
                b.leave(rank, ms(came + 1));
                b.enter(rank, ms(came + 1), "MPI_Bcast");
                b.leave(rank, ms(came + 2));
                reduced.push_back({.rank = Rank{rank}, .begin = ms(begin), .end = ms(came + 1), .sent = bytes});
                scattered.push_back({.rank = Rank{rank}, .begin = ms(came + 1), .end = ms(came + 2), .sent = bytes});
            }
            b.collective(traces::Operation::reduce, 0, Rank{0}, reduced);
            b.collective(traces::Operation::bcast, 0, Rank{0}, scattered);
            now = came + 2;
        }
        for (int rank = 0; rank < 2; ++rank) b.leave(rank, ms(now));
        const engine::Table table = asked("iterations", traceOf(b.finish()));
        ASSERT_EQ(table.rows.size(), 9U);
        ASSERT_EQ(table.remarks.size(), 2U);
        EXPECT_EQ(table.remarks[1], "ranks have only their collectives in common: the call path is that of rank 0");
        engine::Table odd = table;
        odd.rows = {table.rows[5]};
        // From one bcast, or reduce, to the next: 8 ms, and 48 of which rank 0 waits 42.
        EXPECT_EQ(rowsOf(odd).find("6 "), 0U);
        EXPECT_NE(
            rowsOf(odd).find(
                " 48000000000 48000000000 1 46000000000 25000000000 42000000000 48 ms instead of 8 ms 1 follow/assemble "),
            std::string::npos)
            << rowsOf(odd);
    }
}

TEST(Iterations, areNoneWhereNothingRepeats) {
    traces::RecordingBuilder b{2};
    for (int rank = 0; rank < 2; ++rank) {
        b.enter(rank, ms(0), "main");
        b.leave(rank, ms(5));
    }
    const engine::Table table = asked("iterations", traceOf(b.finish()));
    EXPECT_TRUE(table.rows.empty());
    EXPECT_EQ(table.remarks.front(), "no iterations: no call repeats equally often on all ranks over most of the time");
}

}  // namespace
}  // namespace app::analysis::in_causes
