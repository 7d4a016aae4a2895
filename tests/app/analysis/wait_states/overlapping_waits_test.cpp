// SPDX-License-Identifier: BSD-3-Clause
// Calls that complete several operations, and waits that follow from several delays.
#include "app/analysis/wait_states/overlapping_waits.hpp"
#include "app/analysis/collectives/overlap.hpp"
#include "app/analysis/overview/fault_findings.hpp"
#include "app/analysis/overview/wait_findings.hpp"
#include "app/analysis/trace/trace_analysis.hpp"
#include "app/analysis/wait_states/wait_state_sums.hpp"
#include "tests/app/analysis/calls/calling_program.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

namespace app::analysis::in_overlapping_waits {
namespace {

using calling::part;
using calling::Program;
using calling::us;
using engine::Picoseconds;
using engine::Rank;

constexpr traces::MessageFlags posted = traces::flag::sendNonBlocking | traces::flag::receiveNonBlocking;

std::vector<Wait> waitsOf(const Trace& trace) {
    TraceAnalysis analysis{trace, {}};
    return analysis.waits();
}

/// Three ranks post eight allreduces and complete them together; rank 1 comes 100 us later.
TEST(OverlappingWaits, ofOneCallAreOne) {
    Program program{3};
    std::vector<std::vector<traces::Participant>> all(8);
    for (int rank = 0; rank < 3; ++rank) {
        const int since = rank == 1 ? 100 : 0;
        for (int i = 0; i < 8; ++i) {
            program.call(rank, since + i, since + i + 1, "MPI_Iallreduce");
            all[static_cast<std::size_t>(i)].push_back(part(rank, since + i, 110, true));
        }
        program.call(rank, since + 8, 110, "MPI_Waitall");
    }
    for (auto& parts : all) program.collective(traces::Operation::allreduce, parts);
    const Trace trace = program.trace();
    const std::vector<Wait> waits = waitsOf(trace);
    ASSERT_EQ(waits.size(), 2U);
    for (const Wait& wait : waits) {
        EXPECT_EQ(wait.late, Rank{1});
        EXPECT_EQ(wait.begin, us(8));
        EXPECT_EQ(wait.end(), us(108)) << "until rank 1 comes to complete them";
    }
    TraceAnalysis analysis{trace, {}};
    std::int64_t delays = 0;
    for (const Cause& cause : analysis.causes()) delays += cause.delays;
    EXPECT_EQ(delays, 1) << "rank 1 is late once";
}

/// In one call a message comes at 10, and at 20 another one and the receiver of an own one: in either order.
TEST(OverlappingWaits, doNotCountALateReceiverBehindACutWait) {
    for (const bool receiverFirst : {false, true}) {
        std::vector<Wait> waits{{.kind = WaitKind::lateSender, .rank = Rank{0}, .late = Rank{1}},
                                {.kind = WaitKind::lateReceiver, .rank = Rank{0}, .late = Rank{2}},
                                {.kind = WaitKind::lateSender, .rank = Rank{0}, .late = Rank{3}}};
        if (!receiverFirst) std::swap(waits[1], waits[2]);
        waits[0].time = us(10);
        waits[1].time = waits[2].time = us(20);
        OverlapCut<Wait> cut{1};
        for (Wait& wait : waits) cut.add(0, wait);
        std::erase_if(waits, [](const Wait& wait) { return wait.time <= Picoseconds{}; });
        ASSERT_EQ(waits.size(), 2U);
        EXPECT_EQ(waits[1].late, Rank{3});
        EXPECT_EQ(waits[1].begin, us(10));
        EXPECT_EQ(waits[1].end(), us(20));
    }
}

/// Rank 0 has sent eagerly to rank 1 and entered a barrier, which rank 1 enters before it asks for the message.
TEST(OverlappingWaits, areNotForAReceiverThatNeedNotHaveBeenThere) {
    Program program{2};
    program.call(0, 0, 1, "MPI_Ibarrier").call(0, 1, 2, "MPI_Isend").call(0, 10, 110, "MPI_Waitall");
    program.call(1, 100, 101, "MPI_Ibarrier").call(1, 101, 102, "MPI_Irecv").call(1, 103, 110, "MPI_Waitall");
    program.message(0, 1, 1, 110, 101, 110, posted);
    program.collective(traces::Operation::barrier, {part(0, 0, 110, true), part(1, 100, 110, true)});
    const std::vector<Wait> waits = waitsOf(program.trace());
    ASSERT_EQ(waits.size(), 1U);
    EXPECT_EQ(waits[0].kind, WaitKind::atBarrier);
    EXPECT_EQ(waits[0].time, us(91));
}

TEST(OverlappingWaits, forSeveralRanksAreCut) {
    Program program{3};
    program.call(0, 0, 1, "MPI_Ibcast").call(0, 1, 2, "MPI_Ibcast").call(0, 10, 90, "MPI_Waitall");
    program.call(1, 50, 51, "MPI_Ibcast").call(1, 51, 52, "MPI_Ibcast").call(1, 89, 90, "MPI_Waitall");
    program.call(2, 80, 81, "MPI_Ibcast").call(2, 81, 82, "MPI_Ibcast").call(2, 89, 90, "MPI_Waitall");
    program.collective(traces::Operation::bcast, {part(0, 0, 90, true), part(1, 50, 90, true), part(2, 80, 90, true)},
                       Rank{1});
    program.collective(traces::Operation::bcast, {part(0, 1, 90, true), part(1, 51, 90, true), part(2, 81, 90, true)},
                       Rank{2});
    const std::vector<Wait> waits = waitsOf(program.trace());
    Picoseconds sum{};
    std::map<Rank, Picoseconds> by;
    for (const Wait& wait : waits)
        if (wait.rank == Rank{0}) by[wait.late] += wait.time, sum += wait.time;
    EXPECT_EQ(sum, us(71)) << "from 10 until 81";
    EXPECT_EQ(by[Rank{1}], us(40));
}

/// Ranks post some collectives and messages and complete them together, again and again.
Trace randomTrace(std::mt19937& random) {
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    const int ranks = 2 + below(4);
    Program program{ranks};
    std::vector<int> now(static_cast<std::size_t>(ranks));
    for (int step = 0; step < 12; ++step) {
        const int operations = 1 + below(4);
        std::vector<std::vector<int>> at(static_cast<std::size_t>(operations));
        for (int& time : now) time += below(60);
        for (std::vector<int>& posts : at)
            for (int rank = 0; rank < ranks; ++rank) {
                int& time = now[static_cast<std::size_t>(rank)];
                posts.push_back(time);
                program.call(rank, time, time + 1, "MPI_Ibarrier");
                time += 1 + below(20);
            }
        const int end = *std::max_element(now.begin(), now.end()) + 1 + below(5);
        for (int rank = 0; rank < ranks; ++rank) {
            program.call(rank, now[static_cast<std::size_t>(rank)], end, "MPI_Waitall");
            now[static_cast<std::size_t>(rank)] = end;
        }
        for (const std::vector<int>& posts : at) {
            if (below(3) == 0) {
                const int from = below(ranks), to = (from + 1 + below(ranks - 1)) % ranks;
                program.message(from, to, posts[static_cast<std::size_t>(from)], end,
                                posts[static_cast<std::size_t>(to)], end, posted);
                continue;
            }
            std::vector<traces::Participant> parts;
            for (int rank = 0; rank < ranks; ++rank)
                parts.push_back(part(rank, posts[static_cast<std::size_t>(rank)], end, true));
            const int kind = below(3);
            program.collective(kind == 0   ? traces::Operation::barrier
                               : kind == 1 ? traces::Operation::bcast
                                           : traces::Operation::reduce,
                               std::move(parts), kind == 0 ? traces::noRank : Rank{below(ranks)});
        }
    }
    return program.trace();
}

TEST(OverlappingWaits, neverExceedTheTimeInMpi) {
    std::mt19937 random{7};
    for (int trial = 0; trial < 100; ++trial) {
        SCOPED_TRACE(trial);
        const Trace trace = randomTrace(random);
        TraceAnalysis analysis{trace, {}};
        const std::vector<Wait> waits = analysis.waits();
        std::map<Rank, Picoseconds> until, sum;
        for (const Wait& wait : waits) {
            EXPECT_GE(wait.begin, until[wait.rank]) << "rank " << wait.rank;
            EXPECT_GT(wait.time, Picoseconds{});
            until[wait.rank] = wait.end();
            sum[wait.rank] += wait.time;
        }
        const WaitTotals totals = waitTotals(*analysis.keptWaits());
        Picoseconds caused{};
        for (const DelayRow& row : totals.delays) caused += row.direct + row.passedOn;
        EXPECT_EQ(caused, totals.all()) << "each part of a wait has one origin";
        const std::vector<Picoseconds> all = analysis.waitSums().all();
        for (std::size_t rank = 0; rank < all.size(); ++rank)
            EXPECT_EQ(all[rank], sum[Rank{static_cast<std::int32_t>(rank)}]);
        EXPECT_EQ(waitTotals(*trace.recording, shortWaits(*trace.recording, analysis.selection(),
                                                          waitsBesideMessages(*trace.recording, analysis.selection(),
                                                                              analysis.instances()))),
                  totals);
        Picoseconds causes{};
        for (const Cause& cause : analysis.causes()) causes += cause.time;
        EXPECT_LT(std::abs((causes - totals.all()).count()), 1000);
        if (HasFailure()) return;
    }
}

/// Rank 2 is 20 ms late for rank 0, which then works for 40 ms: all others wait for both at a barrier.
TEST(Shares, ofAWaitGoToAllItsOrigins) {
    TracedWaits waits{.threads = Threads{4}};
    const auto wait = [&](int rank, int late, int begin, int end) {
        waits.all.push_back({.kind = WaitKind::atBarrier,
                             .rank = Rank{rank},
                             .late = Rank{late},
                             .begin = us(begin),
                             .time = us(end - begin)});
    };
    wait(0, 2, 0, 20'000);
    for (const int rank : {1, 2, 3}) wait(rank, 0, rank == 2 ? 20'000 : 0, 60'000);
    waits.delays = propagateDelays(waits.all, waits.threads, &waits.shares);
    const std::vector<DelayRow> rows = waitTotals(waits).delays;
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].origin, Rank{0});
    EXPECT_EQ(rows[0].direct, us(120'000));
    EXPECT_EQ(rows[1].origin, Rank{2});
    EXPECT_EQ(rows[1].direct, us(20'000));
    EXPECT_EQ(rows[1].passedOn, us(40'000));
}

TEST(Shares, thatAreTooSmallGoWithTheLargest) {
    TracedWaits waits{.threads = Threads{3}};
    waits.all = {{.rank = Rank{0}, .late = Rank{1}, .begin = us(0), .time = us(10'000)},
                 {.rank = Rank{2}, .late = Rank{0}, .begin = us(0), .time = us(10'010)}};
    waits.delays = propagateDelays(waits.all, waits.threads, &waits.shares);
    EXPECT_TRUE(waits.shares.empty()) << "10 us are what the message takes";
}

/// A broadcast of an intercommunicator from rank 0 to ranks 2 and 3: rank 1 passes MPI_PROC_NULL.
TEST(WaitStates, ofARootedIntercommunicatorCollectiveAreOfTheOtherGroup) {
    Instance bcast;
    bcast.operation = "bcast";
    bcast.ranks = {Rank{0}, Rank{1}, Rank{2}, Rank{3}};
    bcast.groupA = bcast.groupB = 2;
    bcast.root = Rank{0};
    for (const int begin : {50, 0, 10, 20}) bcast.stays.push_back(traces::TimeSpan{us(begin), us(60)});
    bcast.end = us(60);
    const std::vector<Picoseconds> expected{us(0), us(0), us(40), us(30)};
    EXPECT_EQ(waitedIn(bcast), expected);
}

/// Two ranks that spend most of their time in MPI in a call that was not recorded.
TEST(WaitFindings, areWithheldWhereMostCallsAreUnknown) {
    Program program{2};
    program.call(0, 0, 900, "MPI_Neighbor_alltoall").call(1, 800, 900, "MPI_Neighbor_alltoall");
    program.call(0, 900, 1000, "MPI_Barrier").call(1, 990, 1000, "MPI_Barrier");
    program.collective(traces::Operation::barrier, {part(0, 900, 1000), part(1, 990, 1000)});
    const Trace known = program.trace();
    {
        TraceAnalysis analysis{known, {}};
        EXPECT_NE(waitFindings(analysis, false).front().words.find("Rank 1 caused"), std::string::npos);
    }
    traces::Recording recording = *known.recording;
    const auto region = std::ranges::find(recording.regions, "MPI_Neighbor_alltoall", &traces::Region::name);
    ASSERT_NE(region, recording.regions.end());
    traces::NotRecorded& absence = recording.absences.emplace_back();
    absence.what = traces::Absence::collective;
    absence.region = static_cast<std::int32_t>(region - recording.regions.begin());
    const Trace trace{.report = known.report,
                      .recording = std::make_shared<const traces::Recording>(std::move(recording))};
    TraceAnalysis analysis{trace, {}};
    const std::string words = waitFindings(analysis, false).front().words;
    EXPECT_EQ(words.find("caused"), std::string::npos) << words;
    EXPECT_NE(words.find("Waits in MPI_Neighbor_alltoall are not among them"), std::string::npos) << words;
    EXPECT_NE(words.find("90.1%"), std::string::npos) << "1000 of 1110 us in MPI: " << words;
}

/// Rank 0 sends to rank 1, which does not receive. Unless it finalises MPI, its receive may not have been recorded.
TEST(FaultFindings, nameMessagesThatNobodyReceived) {
    const auto faultsOf = [](bool finalises) {
        traces::RecordingBuilder builder{2};
        for (const Rank rank : {Rank{0}, Rank{1}}) {
            builder.enter(rank.value, us(50), "MPI_Finalize");
            builder.leave(rank.value, us(60));
        }
        traces::Half half;
        half.self = Rank{0};
        half.peer = Rank{1};
        half.bytes = 10;
        half.tag = 9;
        half.begin = us(1);
        half.end = us(2);
        builder.half(half);
        traces::Recording recording = builder.finish();
        for (traces::Region& region : recording.regions) region.calls = finalises ? 2 : 1;
        auto kept = std::make_shared<const traces::Recording>(std::move(recording));
        const Trace trace{.report = reportOn(std::make_shared<const engine::Run>(traces::runOf(*kept))),
                          .recording = kept};
        TraceAnalysis analysis{trace, {}};
        return faultFindings(analysis);
    };
    const std::vector<Finding> faults = faultsOf(true);
    ASSERT_EQ(faults.size(), 1U);
    EXPECT_EQ(faults[0].kind, FindingKind::unreceived);
    EXPECT_EQ(faults[0].words, "1 message was sent and never received. Rank 0 sent 10 B with tag 9 to rank 1 at 1 us.");
    EXPECT_TRUE(faultsOf(false).empty());
}

/// A call alone takes 1000 us; one with 10 us of work in between takes 50 us.
TEST(Overlap, hidesNoMoreThanThereIsTimeBetween) {
    Overlap overlap{.started = us(20), .between = us(10), .completed = us(30), .alone = us(1000)};
    EXPECT_EQ(overlap.hidden(), us(10));
    EXPECT_DOUBLE_EQ(overlap.share().value(), 0.01);
    EXPECT_EQ(sumOf({overlap, overlap}).hidden, us(20));
}

}  // namespace
}  // namespace app::analysis::in_overlapping_waits
