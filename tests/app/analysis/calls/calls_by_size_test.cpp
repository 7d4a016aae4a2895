// SPDX-License-Identifier: BSD-3-Clause
// Calls of MPI by operation, communicator size and message size.
#include "app/analysis/calls/calls_by_size.hpp"
#include "tests/app/analysis/calls/calling_program.hpp"

#include <gtest/gtest.h>

namespace app::analysis::calling {
namespace {

using traces::Operation;

/// "MPI_Send 2 8: 3 calls, 24 B sent, 0 B received, 4 us, longest 2 us on rank 1 at 5 us".
std::string toText(const CallGroup& kind) {
    const auto shown = [](const std::optional<std::int64_t>& number) {
        return number ? std::to_string(*number) : std::string{"-"};
    };
    const auto micro = [](Picoseconds time) { return std::to_string(time.count() / 1'000'000); };
    return kind.operation + ' ' + shown(kind.ranks) + ' ' + shown(kind.upTo) + ": " + std::to_string(kind.calls) +
           " calls, " + std::to_string(kind.sent) + " B sent, " + std::to_string(kind.received) + " B received, " +
           micro(kind.time) + " us, longest " + micro(kind.longest) + " us on rank " +
           std::to_string(kind.slowest.value) + " at " + micro(kind.begin) + " us";
}

std::string kindsOf(const Trace& trace, const Part& part = {}) {
    std::string all;
    for (const CallGroup& kind : callGroups(*trace.recording, {.part = part, .communicators = {}}))
        all += toText(kind) + '\n';
    return all;
}

Trace program() {
    Program program{2};
    program.call(0, 0, 2, "MPI_Init").call(1, 0, 3, "MPI_Init");
    // Two messages by blocking calls, one by a request, which MPI_Wait completes.
    program.call(0, 4, 6, "MPI_Send").call(1, 5, 8, "MPI_Recv").message(0, 1, 4, 6, 5, 8);
    program.call(0, 10, 11, "MPI_Send").call(1, 9, 12, "MPI_Recv").message(0, 1, 10, 11, 9, 12);
    program.call(1, 13, 14, "MPI_Irecv").call(1, 15, 20, "MPI_Wait").call(0, 16, 19, "MPI_Send");
    program.message(0, 1, 16, 19, 13, 20, traces::flag::receiveNonBlocking);
    // A barrier moves nothing, a broadcast 100 bytes.
    program.call(0, 20, 30, "MPI_Barrier").call(1, 22, 31, "MPI_Barrier");
    program.collective(Operation::barrier, {part(0, 20, 30), part(1, 22, 31)});
    program.call(0, 40, 41, "MPI_Bcast").call(1, 40, 44, "MPI_Bcast");
    traces::Participant root = part(0, 40, 41), other = part(1, 40, 44);
    root.sent = other.received = 100;
    program.collective(Operation::bcast, {root, other}, Rank{0});
    program.call(0, 50, 60, "MPI_Finalize").call(1, 50, 60, "MPI_Finalize");
    return program.trace();
}

TEST(CallKinds, areByOperationRanksAndSize) {
    EXPECT_EQ(kindsOf(program()),
              "MPI_Barrier 2 -: 2 calls, 0 B sent, 0 B received, 19 us, longest 10 us on rank 0 at 20 us\n"
              "MPI_Recv 2 8: 2 calls, 0 B sent, 16 B received, 6 us, longest 3 us on rank 1 at 5 us\n"
              "MPI_Send 2 8: 3 calls, 24 B sent, 0 B received, 6 us, longest 3 us on rank 0 at 16 us\n"
              "MPI_Bcast 2 128: 2 calls, 100 B sent, 100 B received, 5 us, longest 4 us on rank 1 at 40 us\n"
              "MPI_Wait - -: 1 calls, 0 B sent, 0 B received, 5 us, longest 5 us on rank 1 at 15 us\n"
              "MPI_Irecv 2 8: 1 calls, 0 B sent, 8 B received, 1 us, longest 1 us on rank 1 at 13 us\n");
}

/// While the main thread of rank 0 waits, another one sends.
TEST(CallKinds, areOfAllThreadsEachWithItsMessages) {
    traces::RecordingBuilder b{2};
    const std::int32_t thread = b.thread(Rank{0}, "thread 1");
    b.enter(0, us(1), "MPI_Recv");
    b.leave(0, us(20));
    b.enter(thread, us(5), "MPI_Send");
    b.leave(thread, us(6));
    b.enter(1, us(4), "MPI_Recv");
    b.leave(1, us(8));
    b.enter(1, us(17), "MPI_Send");
    b.leave(1, us(18));
    b.message({.from = Rank{0},
               .to = Rank{1},
               .bytes = 64,
               .sendBegin = us(5),
               .sendEnd = us(6),
               .receiveBegin = us(4),
               .receiveEnd = us(8)});
    b.message({.from = Rank{1},
               .to = Rank{0},
               .bytes = 8,
               .sendBegin = us(17),
               .sendEnd = us(18),
               .receiveBegin = us(1),
               .receiveEnd = us(20)});
    const traces::Recording recording = b.finish();
    std::string all;
    for (const CallGroup& kind : callGroups(recording, {})) all += toText(kind) + '\n';
    EXPECT_EQ(all,
              "MPI_Recv 2 8: 1 calls, 0 B sent, 8 B received, 19 us, longest 19 us on rank 0 at 1 us\n"
              "MPI_Recv 2 64: 1 calls, 0 B sent, 64 B received, 4 us, longest 4 us on rank 1 at 4 us\n"
              "MPI_Send 2 8: 1 calls, 8 B sent, 0 B received, 1 us, longest 1 us on rank 1 at 17 us\n"
              "MPI_Send 2 64: 1 calls, 64 B sent, 0 B received, 1 us, longest 1 us on rank 0 at 5 us\n");
}

TEST(CallKinds, areOfTheRanksAndTheTimeThatAreAskedAbout) {
    EXPECT_EQ(kindsOf(program(), {.from = us(12), .to = us(40), .ranks = {Rank{1}}}),
              "MPI_Barrier 2 -: 1 calls, 0 B sent, 0 B received, 9 us, longest 9 us on rank 1 at 22 us\n"
              "MPI_Wait - -: 1 calls, 0 B sent, 0 B received, 5 us, longest 5 us on rank 1 at 15 us\n"
              "MPI_Recv 2 8: 1 calls, 0 B sent, 8 B received, 3 us, longest 3 us on rank 1 at 9 us\n"
              "MPI_Irecv 2 8: 1 calls, 0 B sent, 8 B received, 1 us, longest 1 us on rank 1 at 13 us\n");
}

}  // namespace
}  // namespace app::analysis::calling
