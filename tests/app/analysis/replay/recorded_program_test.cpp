// SPDX-License-Identifier: BSD-3-Clause
// From calls and messages of a recording to what each rank does.
#include "app/analysis/replay/recorded_program.hpp"
#include "engine/base/text.hpp"
#include "traces/recording/recording_builder.hpp"

#include <gtest/gtest.h>

#include <array>

namespace app::analysis {
namespace {

using emulation::Does;
using engine::Picoseconds;
using engine::Rank;

constexpr Picoseconds ns(std::int64_t time) { return Picoseconds{time * 1000}; }

/// "computes 3, sends 0, ..." with times in nanoseconds.
std::string doingsOf(const RecordedProgram& recorded, int rank) {
    constexpr std::array names{"computes", "sends",  "receives", "awaitsSend", "awaitsReceive",
                               "enters",   "starts", "ends",     "lingers"};
    const emulation::Operations& doings = recorded.program.ranks[Rank{rank}];
    std::string all;
    for (std::size_t i = 0; i < doings.size(); ++i) {
        const bool time = doings.what(i) == Does::computes || doings.what(i) == Does::lingers;
        all += engine::text(all.empty() ? "" : ", ", names.at(static_cast<std::size_t>(doings.what(i))), ' ',
                            doings.number(i) / (time ? 1000 : 1));
    }
    EXPECT_EQ(recorded.begun[Rank{rank}].size(), doings.size());
    return all;
}

class Calls {
public:
    explicit Calls(int ranks) : builder{ranks} {}
    void call(int rank, std::int64_t begin, std::int64_t end, const char* name) {
        builder.enter(rank, ns(begin), name);
        builder.leave(rank, ns(end));
    }
    void message(int from, int to, std::array<std::int64_t, 4> times, traces::MessageFlags flags = 0) {
        builder.message({.from = Rank{from},
                         .to = Rank{to},
                         .bytes = 8,
                         .sendBegin = ns(times[0]),
                         .sendEnd = ns(times[1]),
                         .receiveBegin = ns(times[2]),
                         .receiveEnd = ns(times[3]),
                         .flags = flags});
    }
    traces::RecordingBuilder builder;
};

constexpr traces::MessageFlags bothPosted = traces::flag::sendNonBlocking | traces::flag::receiveNonBlocking;

TEST(RecordedProgram, postsAndAwaitsInBlockingCalls) {
    Calls calls{2};
    calls.call(0, 0, 2, "MPI_Init");
    calls.call(0, 10, 14, "MPI_Send");
    calls.call(1, 0, 1, "MPI_Init");
    calls.call(1, 5, 20, "MPI_Recv");
    calls.call(1, 26, 27, "MPI_Finalize");
    calls.message(0, 1, {11, 14, 5, 19});
    const traces::Recording recording = calls.builder.finish();
    const RecordedProgram program = recordedProgram(recording);
    EXPECT_EQ(doingsOf(program, 0), "computes 10, sends 0, awaitsSend 0");
    EXPECT_EQ(doingsOf(program, 1), "computes 5, receives 0, awaitsReceive 0, computes 7");
    EXPECT_EQ(program.spent[Rank{0}], (emulation::TimeSpent{.computing = ns(10), .moving = ns(4), .end = ns(14)}));
    EXPECT_EQ(
        program.spent[Rank{1}],
        (emulation::TimeSpent{.computing = ns(11), .waiting = ns(6), .moving = ns(9), .inMpi = ns(1), .end = ns(27)}));
    EXPECT_TRUE(program.remarks.empty());
    EXPECT_EQ(callAt(recording, Rank{1}, ns(6)), "MPI_Recv");
    EXPECT_EQ(callAt(recording, Rank{1}, ns(22)), "");
}

TEST(RecordedProgram, awaitsInTheCallThatCompletes) {
    Calls calls{2};
    for (const int rank : {0, 1}) {
        calls.call(rank, 1, 2, "MPI_Irecv");
        calls.call(rank, 3, 4, "MPI_Isend");
        calls.call(rank, 6, 7, "MPI_Test");
        calls.call(rank, 10, 16, "MPI_Waitall");
    }
    calls.message(0, 1, {3, 15, 1, 15}, bothPosted);
    calls.message(1, 0, {3, 15, 1, 14}, bothPosted | traces::flag::sendEndUnknown);
    const RecordedProgram program = recordedProgram(calls.builder.finish());
    EXPECT_EQ(doingsOf(program, 0),
              "computes 1, receives 1, computes 2, sends 0, computes 7, awaitsSend 0, awaitsReceive 1");
    // Nothing says when its send was complete.
    EXPECT_EQ(doingsOf(program, 1), "computes 1, receives 0, computes 2, sends 1, computes 7, awaitsReceive 0");
}

/// A wait that takes no time, at the moment at which the call ends that posted.
TEST(RecordedProgram, completesRequestsInCallsThatWait) {
    Calls calls{2};
    calls.call(0, 1, 3, "MPI_Isend");
    calls.call(0, 3, 3, "MPI_Wait");
    calls.call(1, 1, 3, "MPI_Irecv");
    calls.call(1, 3, 3, "MPI_Wait");
    calls.message(0, 1, {1, 3, 1, 3}, bothPosted);
    const RecordedProgram program = recordedProgram(calls.builder.finish());
    EXPECT_EQ(doingsOf(program, 0), "computes 1, sends 0, computes 2, awaitsSend 0");
    EXPECT_EQ(doingsOf(program, 1), "computes 1, receives 0, computes 2, awaitsReceive 0");
}

TEST(RecordedProgram, takesPartInCollectivesAndKeepsWhatNothingExplains) {
    Calls calls{2};
    calls.call(0, 2, 9, "MPI_Barrier");
    calls.call(1, 6, 10, "MPI_Barrier");
    calls.call(0, 12, 13, "MPI_Ibarrier");
    calls.call(0, 15, 20, "MPI_Wait");
    calls.call(1, 12, 13, "MPI_Ibarrier");
    calls.call(1, 13, 21, "MPI_Wait");
    using traces::Operation;
    calls.builder.collective(
        Operation::barrier, 0, traces::noRank,
        {{.rank = Rank{0}, .begin = ns(2), .end = ns(9)}, {.rank = Rank{1}, .begin = ns(6), .end = ns(10)}});
    calls.builder.collective(Operation::barrier, 0, traces::noRank,
                             {{.rank = Rank{0}, .begin = ns(12), .end = ns(20), .nonBlocking = true},
                              {.rank = Rank{1}, .begin = ns(12), .end = ns(21), .nonBlocking = true}});
    const RecordedProgram program = recordedProgram(calls.builder.finish());
    EXPECT_EQ(doingsOf(program, 0),
              "computes 2, enters 0, lingers 3, computes 3, starts 1, computes 3, ends 1, lingers 8");
    EXPECT_EQ(doingsOf(program, 1),
              "computes 6, enters 0, lingers 4, computes 2, starts 1, computes 1, ends 1, lingers 9");
    ASSERT_EQ(program.collectives.size(), 2U);
    EXPECT_EQ(program.collectives[0].operation, "barrier");
    EXPECT_EQ(program.collectives[0].lasted, (emulation::Lasting{ns(2), ns(10)}));
    EXPECT_EQ(program.spent[Rank{0}].inCollectives, ns(7 + 5));
}

TEST(RecordedProgram, namesWhatItLeavesOut) {
    Calls calls{2};
    calls.call(0, 2, 9, "MPI_Barrier");
    calls.builder.collective(traces::Operation::barrier, 0, traces::noRank,
                             {{.rank = Rank{0}, .begin = ns(2), .end = ns(9)}});
    calls.builder.half({.side = traces::Side::send, .self = Rank{0}, .peer = Rank{1}, .begin = ns(10), .end = ns(11)});
    traces::Recording recording = calls.builder.finish();
    const RecordedProgram program = recordedProgram(recording);
    EXPECT_TRUE(program.program.collectives.empty());
    EXPECT_EQ(program.remarks,
              (std::vector<std::string>{"1 send or receive without its other end is left out",
                                        "1 collective with ranks that were not recorded keeps its recorded time"}));
}

/// Three ranks duplicate a communicator and finalize; rank 1 computes for long before it does.
TEST(RecordedProgram, synchronisesCallsThatMoveNothing) {
    Calls calls{3};
    for (const int rank : {0, 1, 2}) {
        calls.call(rank, 0, 10, "MPI_Init");
        const std::int64_t late = rank == 1 ? 60 : 20;
        calls.call(rank, late, 64, "MPI_Comm_dup");
        calls.call(rank, 70, 75, "MPI_Comm_set_name");
        calls.call(rank, rank == 1 ? 200 : 80, 205, "MPI_Finalize");
    }
    const traces::Recording recording = calls.builder.finish();
    const RecordedProgram program = recordedProgram(recording);
    EXPECT_EQ(doingsOf(program, 0), "computes 20, enters 0, lingers 4, computes 16, enters 1, lingers 5");
    EXPECT_EQ(doingsOf(program, 1), "computes 60, enters 0, lingers 4, computes 136, enters 1, lingers 5");
    EXPECT_EQ(program.collectives[0].operation, "MPI_Comm_dup");
    EXPECT_EQ(program.collectives[1].operation, "MPI_Finalize");
    EXPECT_EQ(*program.program.collectives[1].members, (std::vector<Rank>{Rank{0}, Rank{1}, Rank{2}}));
    // MPI_Comm_set_name waits for nobody: its time is kept.
    EXPECT_EQ(program.spent[Rank{0}], (emulation::TimeSpent{.computing = ns(20 + 16 - 5),
                                                            .inCollectives = ns(44 + 125),
                                                            .waitingInCollectives = ns(40 + 120),
                                                            .inMpi = ns(5),
                                                            .end = ns(205)}));
}

TEST(RecordedProgram, countsSendsInSynchronousModeAsRendezvous) {
    Calls calls{2};
    calls.call(0, 0, 50, "MPI_Ssend");
    calls.call(0, 60, 61, "MPI_Send");
    calls.call(1, 40, 50, "MPI_Recv");
    calls.call(1, 60, 62, "MPI_Recv");
    calls.message(0, 1, {0, 50, 40, 50});
    calls.message(0, 1, {60, 61, 60, 62});
    const RecordedProgram program = recordedProgram(calls.builder.finish());
    EXPECT_EQ(program.program.messages.synchronous, (std::vector<std::uint8_t>{1, 0}));
}

TEST(RecordedProgram, letsOwnTimeBeAnother) {
    Calls calls{2};
    calls.call(0, 10, 14, "MPI_Send");
    calls.call(1, 5, 20, "MPI_Recv");
    calls.message(0, 1, {11, 14, 5, 19});
    const RecordedProgram program = recordedProgram(
        calls.builder.finish(),
        [](Rank rank, Picoseconds from, Picoseconds to) { return rank == Rank{0} ? (to - from) / 2 : Picoseconds{}; });
    EXPECT_EQ(doingsOf(program, 0), "computes 5, sends 0, awaitsSend 0");
    EXPECT_EQ(doingsOf(program, 1), "computes 0, receives 0, awaitsReceive 0");
}

/// A gap is no call: the replay keeps both, and shows them apart.
TEST(RecordedProgram, separatesGapsFromCallsThatItKeeps) {
    Calls calls{2};
    calls.call(0, 0, 10, "MPI_Init");
    calls.call(0, 20, 24, "MPI_Send");
    calls.call(0, 50, 57, "MPI_Comm_rank (main, a.c:7)");
    calls.call(1, 5, 24, "MPI_Recv");
    calls.message(0, 1, {20, 24, 5, 24});
    calls.builder.rest().absences.push_back(
        {.what = traces::Absence::interval, .location = 0, .begin = ns(30), .end = ns(43), .words = "gap"});
    const traces::Recording recording = calls.builder.finish();
    const RecordedProgram program = recordedProgram(recording);
    const KeptTimes kept = keptTimes(recording, program);
    EXPECT_EQ(kept.gaps[Rank{0}], ns(13));
    EXPECT_EQ(kept.gaps[Rank{1}], ns(0));
    EXPECT_EQ(kept.calls, (std::map<std::string, Picoseconds>{{"MPI_Comm_rank", ns(7)}}));
    EXPECT_EQ(program.spent[Rank{0}].inMpi, ns(20)) << "both together";
}

}  // namespace
}  // namespace app::analysis
