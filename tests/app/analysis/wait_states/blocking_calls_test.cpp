// SPDX-License-Identifier: BSD-3-Clause
// Waits count in the call that blocks, once a call, whatever was posted before; and they lead to whoever was late.
#include "app/analysis/critical_path/critical_path.hpp"
#include "app/analysis/messages/message_start.hpp"
#include "app/analysis/overview/first_page.hpp"
#include "app/analysis/selection/program_time.hpp"
#include "app/analysis/tables/table_definition.hpp"
#include "app/analysis/wait_states/wait_state_sums.hpp"
#include "tests/app/analysis/calls/calling_program.hpp"
#include "tests/support/first_page.hpp"
#include "tests/support/small_runs.hpp"
#include "traces/recording/recording_builder.hpp"
#include "traces/recording/run_from_recording.hpp"
#include "traces/recording/vocabulary.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

namespace app::analysis {
namespace {

using calling::part;
using calling::Program;
using calling::randomTrace;
using calling::us;
using engine::Picoseconds;
using engine::Rank;
using samples::rowsOf;

constexpr traces::MessageFlags posted = traces::flag::sendNonBlocking | traces::flag::receiveNonBlocking;

engine::Table computeTable(std::string_view definition, const Trace& trace) {
    TraceAnalysis analysis{trace, {}};
    return analysis::computeTable(tableNamed(definition), analysis);
}

std::string page(const Trace& trace) {
    TraceAnalysis analysis{trace, {}};
    std::string all;
    for (const std::string& sentence : support::firstPageInWords(analysis)) all += sentence + "\n";
    return all;
}

/// Rank 1 posts ten receives at once, computes for a millisecond, and completes them all in one call.
Program postedFarAhead(std::int64_t lastSend) {
    Program program{2};
    for (int k = 0; k < 10; ++k) {
        const std::int64_t sent = k == 9 ? lastSend : 100 + 10 * k;
        program.call(0, sent, sent + 1, "MPI_Send");
        program.call(1, k, k + 1, "MPI_Irecv");
        program.message(0, 1, sent, sent + 1, k, std::max<std::int64_t>(1001, lastSend + 2),
                        traces::flag::receiveNonBlocking);
    }
    program.call(1, 1000, std::max<std::int64_t>(1002, lastSend + 3), "MPI_Waitall");
    return program;
}

/// Both receive, then send, 10 us and 30 us after they computed; the library sends at once. Requests are completed one
/// after the other, so that the send of rank 0 is found complete behind its receive.
TEST(BlockingCalls, ofEagerMessagesWaitForSenders) {
    traces::RecordingBuilder b{2};
    const auto us = [](std::int64_t time) { return Picoseconds{time * 1'000'000}; };
    for (const int rank : {0, 1}) {
        const std::int64_t begin = rank == 0 ? 10 : 30;
        b.enter(rank, us(begin), "MPI_Isend");
        b.leave(rank, us(begin + 1));
        b.enter(rank, us(begin + 1), "MPI_Irecv");
        b.leave(rank, us(begin + 2));
        b.enter(rank, us(begin + 2), "MPI_Waitall");
        b.leave(rank, us(33));
    }
    for (const int from : {0, 1}) {
        const std::int64_t sent = from == 0 ? 10 : 30, asked = from == 0 ? 31 : 11;
        b.message({.from = Rank{from},
                   .to = Rank{1 - from},
                   .bytes = 800,
                   .sendBegin = us(sent),
                   .sendEnd = us(33),
                   .receiveBegin = us(asked),
                   .receiveEnd = us(33),
                   .flags = traces::flag::sendNonBlocking | traces::flag::receiveNonBlocking});
    }
    const traces::Recording recording = b.finish();
    std::vector<BlockingCall> waited;
    eachBlockingCall(recording, {}, [&](std::span<const BlockingCall> calls) {
        for (const BlockingCall& call : calls)
            if (call.waited()) waited.push_back(call);
    });
    ASSERT_EQ(waited.size(), 1U);
    EXPECT_EQ(waited[0].kind, WaitKind::lateSender);
    EXPECT_EQ(waited[0].late, Rank{1});
    EXPECT_EQ(waited[0].until() - waited[0].begin, us(30 - 12));
}

/// Rank 0 sends to rank 1 and receives from rank 2, and completes both in one call, whichever it posted first. The
/// sender comes at 100 us; the receiver nearly at the same time, or much later.
TEST(BlockingCalls, ofOneCallWaitForTheReceiverOnlyIfNoSenderExplainsIt) {
    const auto us = [](std::int64_t time) { return Picoseconds{time * 1'000'000}; };
    for (const bool sendsFirst : {true, false})
        for (const std::int64_t receiver : {101, 150}) {
            traces::RecordingBuilder b{3};
            const std::int64_t end = receiver + 2;
            for (const auto& [rank, begin, name] :
                 {std::tuple{0, 10, "MPI_Waitall"}, std::tuple{1, static_cast<int>(receiver), "MPI_Recv"},
                  std::tuple{2, 100, "MPI_Send"}}) {
                b.enter(rank, us(begin), name);
                b.leave(rank, us(rank == 2 ? 101 : end));
            }
            const traces::Message send{.from = Rank{0},
                                       .to = Rank{1},
                                       .bytes = 800,
                                       .sendBegin = us(sendsFirst ? 4 : 6),
                                       .sendEnd = us(end),
                                       .receiveBegin = us(receiver),
                                       .receiveEnd = us(end),
                                       .flags = traces::flag::sendNonBlocking};
            const traces::Message receive{.from = Rank{2},
                                          .to = Rank{0},
                                          .bytes = 800,
                                          .sendBegin = us(100),
                                          .sendEnd = us(101),
                                          .receiveBegin = us(5),
                                          .receiveEnd = us(end),
                                          .flags = traces::flag::receiveNonBlocking};
            for (const traces::Message& one : {send, receive}) b.message(one);
            const traces::Recording recording = b.finish();
            eachBlockingCall(recording, {}, [&](std::span<const BlockingCall> calls) {
                for (const BlockingCall& call : calls) {
                    if (call.rank != Rank{0}) continue;
                    EXPECT_EQ(call.kind, receiver == 150 ? WaitKind::lateReceiver : WaitKind::lateSender) << receiver;
                    EXPECT_EQ(call.late, Rank{receiver == 150 ? 1 : 2}) << receiver;
                }
            });
        }
}

/// Two threads of both ranks call MPI at the same time; each receives from its own counterpart. The message of the
/// second thread is sent first, which is no wrong order.
TEST(BlockingCalls, areThoseOfTheThreadsThatCallMpi) {
    for (const bool posts : {false, true}) {
        traces::RecordingBuilder b{2};
        const std::int32_t receives = b.thread(Rank{0}, "worker"), sends = b.thread(Rank{1}, "worker");
        const auto call = [&](std::int32_t location, std::int64_t begin, std::int64_t end, const char* name) {
            b.enter(location, us(begin), name);
            b.leave(location, us(end));
        };
        const auto message = [&](std::int64_t posted, std::int64_t sent, std::int64_t received) {
            b.message({.from = Rank{1},
                       .to = Rank{0},
                       .bytes = 8,
                       .sendBegin = us(sent),
                       .sendEnd = us(sent + 1),
                       .receiveBegin = us(posted),
                       .receiveEnd = us(received),
                       .flags = posts ? traces::flag::receiveNonBlocking : traces::MessageFlags{0}});
        };
        for (const auto& [location, posted, from] : {std::tuple{std::int32_t{0}, 1, 10}, std::tuple{receives, 3, 12}})
            if (posts) call(location, posted, posted + 1, "MPI_Irecv");
        call(0, 10, 62, posts ? "MPI_Wait" : "MPI_Recv");
        call(receives, 12, 52, posts ? "MPI_Wait" : "MPI_Recv");
        call(1, 60, 61, "MPI_Send");
        call(sends, 50, 51, "MPI_Send");
        message(posts ? 3 : 12, 50, 52);
        message(posts ? 1 : 10, 60, 62);
        const traces::Recording recording = b.finish();
        std::vector<BlockingCall> found;
        eachBlockingCall(recording, {}, [&](std::span<const BlockingCall> calls) {
            for (const BlockingCall& its : calls)
                if (its.rank == Rank{0}) found.push_back(its);
        });
        std::ranges::sort(found, {}, &BlockingCall::begin);
        ASSERT_EQ(found.size(), 2U);
        for (const std::size_t thread : {std::size_t{0}, std::size_t{1}}) {
            EXPECT_EQ(found[thread].kind, WaitKind::lateSender) << posts;
            EXPECT_EQ(found[thread].thread, thread) << posts;
            EXPECT_EQ(found[thread].lateThread, thread) << posts;
            EXPECT_EQ(found[thread].begin, us(thread == 0 ? 10 : 12)) << posts;
            EXPECT_EQ(found[thread].until(), us(thread == 0 ? 60 : 50)) << posts;
        }
    }
}

/// Ten times rank 0 posts a receive and polls until it has the message, which rank 1 sends 30 us later; then both meet,
/// rank 0 10 us after rank 1.
TEST(Blocking, isNotTheFaultOfARankThatPolls) {
    traces::RecordingBuilder b{2};
    for (std::int64_t now = 0; now < 470; now += 47) {
        const auto call = [&](int rank, std::int64_t begin, std::int64_t end, const char* name) {
            b.enter(rank, us(now + begin), name);
            b.leave(rank, us(now + end));
        };
        call(0, 5, 6, "MPI_Irecv");
        call(0, 45, 46, "MPI_Test");
        call(1, 35, 36, "MPI_Send");
        call(0, 46, 47, "MPI_Barrier");
        call(1, 36, 47, "MPI_Barrier");
        b.message({.from = Rank{1},
                   .to = Rank{0},
                   .bytes = 8,
                   .sendBegin = us(now + 35),
                   .sendEnd = us(now + 36),
                   .receiveBegin = us(now + 5),
                   .receiveEnd = us(now + 46),
                   .flags = traces::flag::receiveNonBlocking});
        b.collective(traces::Operation::barrier, 0, traces::noRank,
                     {part(0, now + 46, now + 47), part(1, now + 36, now + 47)});
    }
    const auto pageOf = [](traces::Recording&& recording) {
        auto kept = std::make_shared<const traces::Recording>(std::move(recording));
        return page({.report = reportOn(std::make_shared<const engine::Run>(traces::runOf(*kept))), .recording = kept});
    };
    traces::Recording recording = b.finish(), silent = recording;
    recording.properties[traces::own::polling] = "0 80 390000 MPI_Test";
    const std::string words = pageOf(std::move(recording));
    EXPECT_NE(words.find("Rank 0 mostly waited for rank 1"), std::string::npos) << words;
    EXPECT_NE(words.find("Delays of rank 0, which polled, caused"), std::string::npos) << words;
    EXPECT_EQ(words.find("before MPI_Test"), std::string::npos) << words;
    EXPECT_NE(pageOf(std::move(silent)).find("mostly before MPI_Test"), std::string::npos) << "it was not recorded";
}

/// Rank 0 posts a receive, tests it every millisecond from 10 ms on, and has the message with the last of these calls,
/// `completes`, at 61 ms; rank 1 sends at `sent`. Ranks 0, 1 and 2 meet at 61, `sent` + 1 and 10 ms, having left
/// another barrier at 1 ms.
traces::Recording pollingWith(const char* completes, std::int64_t sent) {
    traces::RecordingBuilder b{3};
    const auto call = [&](int rank, std::int64_t begin, std::int64_t end, const char* name) {
        b.enter(rank, us(begin), name);
        b.leave(rank, us(end));
    };
    for (int rank = 0; rank < 3; ++rank) call(rank, 0, 1000, "MPI_Barrier");
    call(0, 9'000, 9'001, "MPI_Irecv");
    for (std::int64_t at = 10'000; at < 60'000; at += 1000) call(0, at, at + 1, "MPI_Test (found nothing)");
    call(0, 61'000, 61'001, completes);
    call(1, sent, sent + 1, "MPI_Send");
    const std::int64_t came[] = {61'001, sent + 1, 10'000};
    std::vector<traces::Participant> parts;
    for (int rank = 0; rank < 3; ++rank) {
        call(rank, came[rank], 61'500, "MPI_Barrier");
        parts.push_back(part(rank, came[rank], 61'500));
    }
    b.message({.from = Rank{1},
               .to = Rank{0},
               .bytes = 8,
               .sendBegin = us(sent),
               .sendEnd = us(sent + 1),
               .receiveBegin = us(9'000),
               .receiveEnd = us(61'001),
               .flags = traces::flag::receiveNonBlocking});
    b.collective(traces::Operation::barrier, 0, traces::noRank, {part(0, 0, 1000), part(1, 0, 1000), part(2, 0, 1000)});
    b.collective(traces::Operation::barrier, 0, traces::noRank, parts);
    return b.finish();
}

/// Rank 0 has posted a receive, and looks for another message and for this one in turn, from 10 us until rank 1 sends
/// at 100 us. All of that is one wait, as if it had called MPI_Test alone.
TEST(Blocking, beginsWithTheFirstOfDifferentCallsThatFoundNothing) {
    traces::RecordingBuilder b{2};
    const auto call = [&](int rank, std::int64_t begin, std::int64_t end, const std::string& name) {
        b.enter(rank, us(begin), name.c_str());
        b.leave(rank, us(end));
    };
    call(0, 0, 1, "MPI_Irecv");
    for (int k = 0; k < 30; ++k)
        call(0, 10 + 3 * k, 12 + 3 * k,
             (k % 2 == 0 ? "MPI_Iprobe" : "MPI_Test") + std::string{traces::own::foundNothing});
    call(0, 100, 102, "MPI_Test");
    call(1, 100, 101, "MPI_Send");
    b.message({.from = Rank{1},
               .to = Rank{0},
               .bytes = 8,
               .sendBegin = us(100),
               .sendEnd = us(101),
               .receiveBegin = us(0),
               .receiveEnd = us(102),
               .flags = traces::flag::receiveNonBlocking});
    const traces::Recording recording = b.finish();
    std::vector<BlockingCall> found;
    eachBlockingCall(recording, {}, [&](std::span<const BlockingCall> calls) {
        for (const BlockingCall& its : calls)
            if (its.rank == Rank{0} && its.waited()) found.push_back(its);
    });
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found.front().begin, us(10));
    EXPECT_EQ(found.front().until(), us(100));
    EXPECT_EQ(found.front().late, Rank{1});
}

/// What the delays of each rank cost the others, in microseconds.
std::map<int, std::int64_t> causedIn(const traces::Recording& recording) {
    auto kept = std::make_shared<const traces::Recording>(recording);
    const Trace trace{.report = reportOn(std::make_shared<const engine::Run>(traces::runOf(*kept))), .recording = kept};
    TraceAnalysis analysis{trace, {}};
    std::map<int, std::int64_t> caused;
    for (const DelayRow& row : analysis.waitTotals().delays) caused[row.origin.value] = row.all() / us(1);
    return caused;
}

TEST(Blocking, ofOthersForARankThatPollsIsCausedByTheLateSender) {
    // Rank 2 waits 51 ms for rank 0, which could not go on before 60 ms. Rank 1 waits 1 ms for it.
    const auto caused = causedIn(pollingWith("MPI_Test", 60'000));
    // The last 1 ms of the 51 ms, less than a 32nd, counts with the largest part.
    EXPECT_EQ(caused.at(1), 51'001);
    EXPECT_EQ(caused.at(0), 1'000);
    // What rank 0 computed after the message had been sent is its own.
    const auto half = causedIn(pollingWith("MPI_Test", 40'000));
    EXPECT_EQ(half.at(1), 30'000);
    EXPECT_EQ(half.at(0), 51'001 + 21'000 - 30'000);
}

TEST(Blocking, ofOthersForARankThatComputesBetweenTestsIsItsOwn) {
    // It tests as it computes, and asks for the message when that is done: all had come then.
    EXPECT_EQ(causedIn(pollingWith("MPI_Wait", 60'000)), (std::map<int, std::int64_t>{{0, 51'001 + 1'000}}));
    // The message was sent before it first looked.
    EXPECT_EQ(causedIn(pollingWith("MPI_Test", 9'500)), (std::map<int, std::int64_t>{{0, 51'001 + 51'500}}));
}

TEST(Blocking, doesNotCountTimeOfPolling) {
    const traces::Recording recording = pollingWith("MPI_Test", 60'000);
    for (const Wait& wait : tracedWaits(recording, {}, {}).all) EXPECT_NE(wait.kind, WaitKind::lateSender);
    ASSERT_EQ(polledTimes(recording, {}).size(), 1U);
    EXPECT_EQ(polledTimes(recording, {})[0].time, us(50'000));
}

TEST(Blocking, isNobodyWhoPostedAheadAndComputes) {
    EXPECT_EQ(rowsOf(computeTable("waits", postedFarAhead(190).trace())), "") << "all had come when it asked";
}

TEST(Blocking, countsOnceACallForTheLastOfItsMessages) {
    EXPECT_EQ(rowsOf(computeTable("waits", postedFarAhead(1020).trace())), "late sender 1 1 20000000 20000000 0 - -\n");
}

TEST(Blocking, endsWithTheFirstWhereThatIsEnough) {
    for (const char* name : {"MPI_Waitany", "mpi_waitsome_"}) {
        Program program{3};
        program.call(2, 0, 1, "MPI_Irecv").call(2, 1, 2, "MPI_Irecv").call(2, 10, 31, name).call(2, 31, 42, name);
        program.message(0, 2, 30, 31, 0, 31, traces::flag::receiveNonBlocking);
        program.message(1, 2, 40, 41, 1, 42, traces::flag::receiveNonBlocking);
        EXPECT_EQ(rowsOf(computeTable("waits", program.trace())), "late sender 2 2 29000000 20000000 0 - -\n") << name;
    }
    Program both{3};
    both.call(2, 10, 45, "MPI_Waitsome");
    both.message(0, 2, 30, 31, 0, 44, traces::flag::receiveNonBlocking);
    both.message(1, 2, 40, 41, 1, 44, traces::flag::receiveNonBlocking);
    EXPECT_EQ(rowsOf(computeTable("waits", both.trace())), "late sender 2 1 20000000 20000000 0 - -\n");
}

TEST(Blocking, tellsLateSendersInTheWrongOrder) {
    // Rank 1 waits 30 us for what is sent at 40, though what was sent at 5 is there: it takes that at 42.
    Program wrong{2};
    wrong.call(0, 5, 6, "MPI_Send").call(0, 40, 41, "MPI_Send").call(1, 10, 41, "MPI_Recv").call(1, 42, 43, "MPI_Recv");
    wrong.message(0, 1, 5, 6, 42, 43).message(0, 1, 40, 41, 10, 41);
    EXPECT_EQ(rowsOf(computeTable("waits", wrong.trace())), "late sender, wrong order 1 1 30000000 30000000 0 - -\n");
    // What comes later is sent later: nothing to be had before.
    Program right{2};
    right.call(0, 40, 41, "MPI_Send")
        .call(0, 41, 42, "MPI_Send")
        .call(1, 10, 41, "MPI_Recv")
        .call(1, 42, 43, "MPI_Recv");
    right.message(0, 1, 40, 41, 10, 41).message(0, 1, 41, 42, 42, 43);
    EXPECT_EQ(rowsOf(computeTable("waits", right.trace())), "late sender 1 1 30000000 30000000 0 - -\n");
    // One call for both has no order.
    Program both{2};
    both.call(0, 5, 6, "MPI_Isend").call(0, 40, 41, "MPI_Isend").call(1, 10, 43, "MPI_Waitall");
    both.message(0, 1, 5, 6, 0, 43, posted).message(0, 1, 40, 41, 0, 43, posted);
    EXPECT_EQ(rowsOf(computeTable("waits", both.trace())), "late sender 1 1 30000000 30000000 0 - -\n");
}

/// Rank 1 asks for a message that is sent at `sent` before it receives it.
Program probing(const char* name, const char* receive, std::int64_t sent) {
    Program program{2};
    program.call(0, sent, sent + 1, "MPI_Send");
    program.call(1, 10, 52, name).call(1, 55, std::max<std::int64_t>(60, sent + 2), receive);
    program.message(0, 1, sent, sent + 1, 55, std::max<std::int64_t>(60, sent + 2));
    return program;
}

TEST(Blocking, beginsWithTheProbeBeforeAReceive) {
    for (const auto& [name, receive] :
         {std::pair{"MPI_Probe", "MPI_Recv"}, {"MPI_Mprobe", "MPI_Mrecv"}, {"mpi_probe_", "mpi_recv_"}}) {
        const Trace late = probing(name, receive, 50).trace();
        EXPECT_EQ(rowsOf(computeTable("waits", late)), "late sender 1 1 40000000 40000000 0 - -\n") << name;
        const engine::Table paths = computeTable("calltree", late);
        EXPECT_NE(rowsOf(paths).find(name), std::string::npos) << "and stands there";
        EXPECT_EQ(rowsOf(computeTable("waits", probing(name, receive, 5).trace())), "") << "it was there";
        // That was not the message that it found.
        EXPECT_EQ(rowsOf(computeTable("waits", probing(name, receive, 70).trace())),
                  "late sender 1 1 15000000 15000000 0 - -\n");
    }
    EXPECT_EQ(rowsOf(computeTable("waits", probing("MPI_Iprobe", "MPI_Recv", 50).trace())), "") << "it does not wait";
}

TEST(Blocking, ofASendBeginsWithItAndNotWithTheCallBefore) {
    // Rank 0 leaves a probe at 20, as it enters its send; rank 1 comes at 50.
    Program program{2};
    program.call(0, 5, 20, "MPI_Iprobe").call(0, 20, 51, "MPI_Send").call(1, 50, 52, "MPI_Recv");
    program.message(0, 1, 20, 51, 50, 52);
    EXPECT_EQ(rowsOf(computeTable("waits", program.trace())), "late receiver 0 1 30000000 30000000 1 - -\n");
}

TEST(Blocking, inAScanIsForRanksBeforeOnly) {
    // They come at 20, 0, 10 and 30: rank 1 and 2 wait for rank 0, rank 3 for nobody, rank 0 never.
    Program program{4};
    for (int rank = 0; rank < 4; ++rank) {
        const std::int64_t came[] = {20, 0, 10, 30};
        program.call(rank, came[rank], 40, "MPI_Scan");
    }
    program.collective(traces::Operation::scan, {part(0, 20, 40), part(1, 0, 40), part(2, 10, 40), part(3, 30, 40)});
    EXPECT_EQ(rowsOf(computeTable("waits", program.trace())),
              "early scan 1 1 20000000 20000000 0 - -\nearly scan 2 1 10000000 10000000 0 - -\n");
}

TEST(Waits, tellWhatCollectivesTakeOnceTheFirstHasLeft) {
    // All have come at 10; rank 0 leaves at 12, rank 1 at 15, rank 2 at 20.
    Program program{3};
    const std::int64_t went[] = {12, 15, 20};
    std::vector<traces::Participant> parts;
    for (int rank = 0; rank < 3; ++rank) {
        program.call(rank, 10, went[rank], "MPI_Allreduce");
        parts.push_back(part(rank, 10, went[rank]));
    }
    program.collective(traces::Operation::allreduce, parts);
    EXPECT_EQ(rowsOf(computeTable("waits", program.trace())),
              "NxN completion 2 1 8000000 8000000 - - -\nNxN completion 1 1 3000000 3000000 - - -\n");
    // Of a broadcast ranks leave when they may.
    Program one{3};
    for (traces::Participant& its : parts) one.call(its.rank.value, 10, its.end.count() / 1'000'000, "MPI_Bcast");
    one.collective(traces::Operation::bcast, parts, Rank{0});
    EXPECT_EQ(rowsOf(computeTable("waits", one.trace())), "");
}

TEST(FirstPage, saysTheSameWhereNothingIsAskedAfterwards) {
    std::mt19937 random{13};
    std::vector<Trace> all{postedFarAhead(190).trace(), postedFarAhead(1020).trace()};
    Program late{2};
    late.call(0, 0, 20, "assemble").call(0, 20, 21, "MPI_Send").call(1, 0, 22, "MPI_Recv");
    all.push_back(late.message(0, 1, 20, 21, 0, 22).trace());
    for (int i = 0; i < 8; ++i) all.push_back(randomTrace(random));
    Part start, ranks;
    start.from = calling::us(8), start.to = calling::us(30);
    ranks.ranks = {Rank{0}, Rank{1}};
    for (std::size_t i = 0; i < all.size(); ++i)
        for (const Part& asked : {Part{}, start, ranks}) {
            AnalysisOptions wish;
            wish.part = asked;
            TraceAnalysis goesOn{all[i], wish};
            TraceAnalysis ends{all[i], wish};
            EXPECT_EQ(support::firstPageInWords(ends, AnalysisUse::pageOnly), support::firstPageInWords(goesOn)) << i;
        }
}

TEST(Awaited, isTheRequestThatAWaitallNeededLast) {
    // Rank 2 waits from 2 us of every turn on for a message of rank 0 and one of rank 1; the later one is what it
    // needs.
    traces::RecordingBuilder b{3};
    const std::int64_t sent[][2] = {{10, 25}, {30, 25}, {10, 20}};
    for (int turn = 0; turn < 3; ++turn) {
        const std::int64_t zero = 100 * turn;
        b.enter(2, calling::us(zero + 2), "MPI_Waitall");
        b.leave(2, calling::us(zero + 40));
        for (int from = 0; from < 2; ++from) {
            b.enter(from, calling::us(zero + sent[turn][from]), "MPI_Send");
            b.leave(from, calling::us(zero + sent[turn][from] + 1));
            b.message({.from = Rank{from},
                       .to = Rank{2},
                       .tag = 5U + static_cast<std::uint32_t>(from),
                       .bytes = from == 0 ? 8 : 64,
                       .sendBegin = calling::us(zero + sent[turn][from]),
                       .sendEnd = calling::us(zero + sent[turn][from] + 1),
                       .receiveBegin = calling::us(zero),
                       .receiveEnd = calling::us(zero + 38),
                       .flags = traces::flag::receiveNonBlocking});
        }
    }
    auto recording = std::make_shared<const traces::Recording>(b.finish());
    const Trace trace{.report = reportOn(std::make_shared<const engine::Run>(traces::runOf(*recording))),
                      .recording = recording};
    EXPECT_EQ(rowsOf(computeTable("awaited", trace)),
              "2 MPI_Waitall late sender 1 6 64 2 41000000 23000000 2000000\n"
              "2 MPI_Waitall late sender 0 5 8 1 28000000 28000000 102000000\n");
}

TEST(Blocking, isOneCallForBothWaysOfASendrecv) {
    // 0 comes at 0, 1 at 30: 0 waits 30 for 1, not 30 as a receiver and 30 as a sender.
    Program program{2};
    program.call(0, 0, 40, "MPI_Sendrecv").call(1, 30, 41, "MPI_Sendrecv");
    program.message(0, 1, 0, 40, 30, 39).message(1, 0, 30, 41, 0, 38);
    EXPECT_EQ(rowsOf(computeTable("waits", program.trace())), "late sender 0 1 30000000 30000000 1 - -\n");
}

TEST(Blocking, isTheCallThatCompletesASend) {
    // Posted at 0, to be completed from 50 on; the receiver posts at 80.
    Program late{2};
    late.call(0, 0, 1, "MPI_Isend").call(0, 50, 95, "MPI_Wait").call(1, 80, 90, "MPI_Recv");
    late.message(0, 1, 0, 95, 80, 90, traces::flag::sendNonBlocking);
    EXPECT_EQ(rowsOf(computeTable("waits", late.trace())), "late receiver 0 1 30000000 30000000 1 - -\n");
    // It had been there: an eager message does not wait for its receiver.
    Program eager{2};
    eager.call(0, 0, 1, "MPI_Isend").call(0, 50, 51, "MPI_Wait").call(1, 80, 90, "MPI_Recv");
    eager.message(0, 1, 0, 51, 80, 90, traces::flag::sendNonBlocking);
    EXPECT_EQ(rowsOf(computeTable("waits", eager.trace())), "");
}

TEST(Blocking, isNotGuessedWhereNoCallIsKnown) {
    Program program{2};
    program.message(0, 1, 500, 501, 0, 502, posted);
    EXPECT_EQ(rowsOf(computeTable("waits", program.trace())), "");
}

TEST(Blocking, countsNonBlockingCollectivesWhereTheyComplete) {
    Program program{2};
    program.call(0, 0, 1, "MPI_Ibarrier").call(0, 60, 101, "MPI_Wait").call(1, 100, 101, "MPI_Ibarrier");
    program.call(1, 101, 102, "MPI_Wait");
    program.collective(traces::Operation::barrier, {part(0, 0, 101, true), part(1, 100, 102, true)});
    const Trace trace = program.trace();
    EXPECT_EQ(rowsOf(computeTable("waits", trace)), "wait at barrier 0 1 40000000 40000000 1 - -\n");
    TraceAnalysis analysis{trace, {}};
    EXPECT_EQ(arrivalsOf(analysis.instances()[0]).waiting, calling::us(40));
    EXPECT_EQ(arrivalsOf(analysis.instances()[0]).spread, calling::us(100)) << "when they came is another thing";
}

/// Three ranks compute and meet at a barrier; 2 comes 500 us late. Then 0 sends to 1.
Trace lateForABarrier() {
    Program program{3};
    for (int rank = 0; rank < 3; ++rank) program.call(rank, rank == 2 ? 600 : 100, 610, "MPI_Barrier");
    program.collective(traces::Operation::barrier, {part(0, 100, 610), part(1, 100, 610), part(2, 600, 610)});
    program.call(0, 620, 630, "MPI_Send").call(1, 620, 640, "MPI_Recv");
    program.message(0, 1, 620, 630, 620, 640);
    return program.trace();
}

TEST(CriticalPath, goesOverToWhoeverCameLateToACollective) {
    EXPECT_EQ(rowsOf(computeTable("critical-path", lateForABarrier())),
              "local 2 - - - 0 600000000 before MPI_Barrier -\n"
              "barrier 1 - - - 600000000 10000000 MPI_Barrier -\n"
              "local 1 - - - 610000000 10000000 before MPI_Recv -\n"
              "message 0 1 - 8 620000000 20000000 MPI_Send -\n");
}

/// 2 is 500 us late for a barrier, in a program that runs for so long.
std::string pageOfLateForABarrier(std::int64_t end) {
    Program program{3};
    for (int rank = 0; rank < 3; ++rank)
        program.call(rank, rank == 2 ? 600 : 100, 610, "MPI_Barrier").call(rank, end - 1, end, "MPI_Get_version");
    program.collective(traces::Operation::barrier, {part(0, 100, 610), part(1, 100, 610), part(2, 600, 610)});
    return page(program.trace());
}

TEST(Delays, belowOnePercentOfTheTimeHaveNoCause) {
    // Two ranks wait 500 us: 1 ms of three times the length.
    const std::string below = pageOfLateForABarrier(40'000), above = pageOfLateForABarrier(30'000);
    EXPECT_NE(below.find("No significant wait states: ranks waited 0.8"), std::string::npos) << below;
    EXPECT_EQ(below.find("rank 2"), std::string::npos) << below;
    EXPECT_NE(above.find("Rank 2 caused 100% of the waiting time, mostly before MPI_Barrier"), std::string::npos)
        << above;
}

/// Ranks leave MPI_Init at 90 us, rank 2 at 590 us; the others wait for it in a barrier.
Trace lateOutOfMpiInit() {
    Program program{3};
    for (int rank = 0; rank < 3; ++rank)
        program.call(rank, 0, rank == 2 ? 590 : 90, "MPI_Init")
            .call(rank, rank == 2 ? 600 : 100, 610, "MPI_Barrier")
            .call(rank, 710, rank == 2 ? 720 : 900, "MPI_Finalize");
    program.collective(traces::Operation::barrier, {part(0, 100, 610), part(1, 100, 610), part(2, 600, 610)});
    return program.trace();
}

TEST(Delays, areNotThoseOfMpiInit) {
    const Trace trace = lateOutOfMpiInit();
    EXPECT_EQ(analysedTime(*trace.recording, {}), (traces::TimeSpan{us(590), us(710)}));
    EXPECT_EQ(rowsOf(computeTable("delays", trace)), "2 2 20000000 0 before MPI_Barrier\n");
    EXPECT_EQ(rowsOf(computeTable("causes", trace)).find("MPI_Init"), std::string::npos);
    EXPECT_NE(page(trace).find("Ranks waited in collectives 5.56% of their time (20 us in total)"), std::string::npos)
        << page(trace);
    // Whoever chooses that time sees it.
    TraceAnalysis all{trace, {.part = {.from = us(0)}}};
    EXPECT_EQ(rowsOf(analysis::computeTable(tableNamed("delays"), all)), "2 2 1000000000 0 MPI_Init\n");
}

TEST(Delays, comeFromCollectivesToo) {
    const Trace trace = lateForABarrier();
    EXPECT_EQ(rowsOf(computeTable("delays", trace)), "2 2 1000000000 0 before MPI_Barrier\n");
    EXPECT_NE(
        page(trace).find("Ranks waited in collectives 52.1% of their time (1 ms in total). Rank 2 caused 100% of "
                         "the waiting time, mostly before MPI_Barrier: late once, by 500 us (at 100 us of the trace)."),
        std::string::npos)
        << page(trace);
}

TEST(FirstPage, tellsWaitsForMessagesFromThoseInCollectives) {
    Program program{2};
    program.call(0, 0, 100, "MPI_Barrier").call(1, 90, 100, "MPI_Barrier");
    program.collective(traces::Operation::barrier, {part(0, 0, 100), part(1, 90, 100)});
    program.call(0, 110, 160, "MPI_Recv").call(1, 150, 155, "MPI_Send");
    program.message(1, 0, 150, 155, 110, 160);
    const std::string said = page(program.trace());
    EXPECT_NE(
        said.find(
            "Ranks waited 40.6% of their time (130 us in total: 40 us for messages and 90 us in "
            "collectives). Rank 1 caused 100% of the waiting time, mostly before MPI_Barrier: late once, by 90 us (at 0 s of the trace)."),
        std::string::npos)
        << said;
}

/// Five ranks in a row compute 100 us and exchange with their neighbours, ten times; only rank 2 is late, once.
Trace stencil(std::int64_t late) {
    constexpr int ranks = 5;
    constexpr int steps = 10;
    Program program{ranks};
    std::vector<std::int64_t> clock(ranks, 0);
    for (int step = 0; step < steps; ++step) {
        std::vector<std::int64_t> posted_(ranks);
        std::vector<std::int64_t> next(ranks);
        for (int r = 0; r < ranks; ++r) posted_[r] = clock[r] + 100 + (r == 2 && step == 1 ? late : 0);
        for (int r = 0; r < ranks; ++r) {
            next[r] = posted_[r] + 4;
            for (const int other : {r - 1, r + 1})
                if (other >= 0 && other < ranks) next[r] = std::max(next[r], posted_[other] + 4);
        }
        for (int r = 0; r < ranks; ++r) {
            program.call(r, posted_[r], posted_[r] + 1, "MPI_Isend")
                .call(r, posted_[r] + 1, posted_[r] + 2, "MPI_Irecv");
            program.call(r, posted_[r] + 2, next[r], "MPI_Waitall");
        }
        for (int r = 0; r < ranks; ++r)
            for (const int other : {r - 1, r + 1})
                if (other >= 0 && other < ranks)
                    program.message(r, other, posted_[r], next[r], posted_[other] + 1, next[other], posted);
        clock = next;
    }
    return program.trace();
}

TEST(Delays, giveTheOnlyCauseAllOfIt) {
    const engine::Table delays = computeTable("delays", stencil(5000));
    ASSERT_EQ(delays.rows.size(), 1U) << rowsOf(delays);
    EXPECT_EQ(delays.rows[0][0], engine::Cell{std::int64_t{2}});
    const engine::Table waves = computeTable("idle-waves", stencil(5000));
    ASSERT_FALSE(waves.rows.empty());
    EXPECT_EQ(waves.rows[0][0], engine::Cell{std::int64_t{2}});
    EXPECT_EQ(waves.rows[0][3], engine::Cell{std::int64_t{4}}) << "the wave reached everybody";
    EXPECT_TRUE(computeTable("delays", stencil(0)).rows.empty());
}

/// In a chain of ports only rank 2 comes late: both of its neighbours wait for it, and nobody else is named.
TEST(Waits, ofOurOwnRunsFindLateReceivers) {
    engine::Run run = samples::small(4, samples::moves(1, 2, 0, 8, 100, 110) + samples::moves(2, 3, 1, 8, 110, 120));
    run.setting.on = "virtual";
    run.setting.perturbation = "arrival=late:2,100ps";
    Trace trace;
    trace.report.run = std::make_shared<const engine::Run>(run);
    EXPECT_EQ(rowsOf(computeTable("waits", trace)), "late sender 3 1 110 110 2 - -\nlate receiver 1 1 100 100 2 - -\n");
    EXPECT_EQ(rowsOf(computeTable("delays", trace)), "2 2 210 0 -\n");
    EXPECT_EQ(rowsOf(computeTable("critical-path", trace)),
              "local 2 - - - 0 100 - -\nmessage 1 2 0 8 100 10 - -\nmessage 2 3 1 8 110 10 - -\n");
}

/// Of real ranks each comes in its time: what happened before it did is no wait.
TEST(Waits, ofLiveRunsCountFromWhenTheirRankCame) {
    engine::Run run = samples::small(3, samples::moves(0, 1, 0, 8, 500, 510) + samples::moves(0, 2, 1, 8, 510, 520));
    run.entered = {Picoseconds{480}, Picoseconds{460}, Picoseconds{510}};
    for (const char* on : {"mpi", "threads"}) {
        run.setting.on = on;
        Trace trace;
        trace.report.run = std::make_shared<const engine::Run>(run);
        EXPECT_EQ(rowsOf(computeTable("waits", trace)), "late sender 1 1 40 40 0 - -\n") << on;
        const Start start = startOf(run, 0);
        EXPECT_EQ(start.sender.since, Picoseconds{480});
        EXPECT_EQ(start.receiver.since, Picoseconds{460});
    }
    run.entered.clear();
    EXPECT_EQ(waits(run).front().time, Picoseconds{500}) << "unless nothing says when they came";
}

/// A receive of a run over MPI begins when both ends are there; a send counts as busy while it waits.
TEST(Waits, ofRunsOverMpiAreThoseOfBothSides) {
    const auto rows = [](const std::string& lines) {
        engine::Run run = samples::small(2, lines);
        run.setting.on = "mpi";
        Trace trace;
        trace.report.run = std::make_shared<const engine::Run>(run);
        return rowsOf(computeTable("waits", trace));
    };
    EXPECT_EQ(rows("0>1 round 0 bytes 8 send 40..45 receive 40..50\n"), "late sender 1 1 40 40 0 - -\n");
    EXPECT_EQ(rows("0>1 round 0 bytes 8 send 0..50 receive 40..50\n"), "late receiver 0 1 40 40 1 - -\n");
    EXPECT_EQ(rows("0>1 round 0 bytes 8 send 0..10 receive 40..50\n"), "") << "it was gone before";
    EXPECT_EQ(rows("0>1 round 0 bytes 8 send 0..40 receive 40..50\n"), "") << "it went as the receiver came";
    EXPECT_EQ(rows("0>1 round 0 bytes 8 send 0..41 receive 40..50\n"), "late receiver 0 1 40 40 1 - -\n");
}

}  // namespace
}  // namespace app::analysis
