// SPDX-License-Identifier: BSD-3-Clause
#include "traces/recording/recording.hpp"
#include "traces/recording/recording_builder.hpp"

#include <gtest/gtest.h>

namespace {

using traces::Call;
using traces::callOf;
using traces::Clock;
using traces::Operation;
using traces::operationOf;
using traces::Picoseconds;
using traces::Rank;
using traces::RecordingBuilder;

TEST(RecordingClock, turnsTicksIntoPicosecondsAndBack) {
    const Clock odd{.ticksPerSecond = 1'995'386'627, .zero = (std::uint64_t{1} << 52) + 17};
    for (std::uint64_t tick : {0, 1, 2, 999, 1'995'386'627})
        EXPECT_EQ(odd.tickOf(odd.at(odd.zero + tick)), odd.zero + tick);
    EXPECT_EQ(odd.at(odd.zero + odd.ticksPerSecond), Picoseconds{1'000'000'000'000});
    EXPECT_EQ(odd.at(3), Picoseconds{0}) << "before the first event";
    EXPECT_EQ(odd.at(~std::uint64_t{0}).count(), std::int64_t{1} << 62) << "a tick that no clock reaches";
}

TEST(RecordingCalls, areKnownByName) {
    EXPECT_EQ(callOf("MPI_Isend"), Call::send);
    EXPECT_EQ(callOf("PMPI_Recv"), Call::receive);
    EXPECT_EQ(callOf("mpi_sendrecv_"), Call::sendReceive);
    EXPECT_EQ(callOf("MPI_Sendrecv_replace"), Call::sendReceive);
    EXPECT_EQ(callOf("MPI_Waitall"), Call::wait);
    EXPECT_EQ(callOf("MPI_Ibcast"), Call::collective);
    EXPECT_EQ(callOf("MPI_Cart_create"), Call::communicator);
    EXPECT_EQ(callOf("MPI_Init_thread"), Call::setup);
    EXPECT_EQ(callOf("main"), Call::none);
    EXPECT_EQ(operationOf("MPI_Ireduce_scatter_block"), Operation::reduceScatterBlock);
    EXPECT_EQ(operationOf("MPI_Send"), Operation::unknown);
}

TEST(RecordingBuilder, ordersWhatItIsTold) {
    RecordingBuilder b{3};
    b.message({.from = Rank{2}, .to = Rank{0}, .bytes = 5, .sendBegin = Picoseconds{7}, .receiveEnd = Picoseconds{9}});
    b.enter(0, Picoseconds{1}, "main");
    b.enter(0, Picoseconds{2}, "MPI_Send");
    b.message({.from = Rank{0}, .to = Rank{1}, .bytes = 6, .sendBegin = Picoseconds{2}, .receiveEnd = Picoseconds{5}});
    b.leave(0, Picoseconds{3});
    b.collective(Operation::barrier, 0, traces::noRank, {{Rank{1}, Picoseconds{4}, Picoseconds{8}}, {Rank{0}}});
    const traces::Recording recording = b.finish();
    ASSERT_EQ(recording.messages.size(), 2U);
    EXPECT_EQ(recording.messages[0].bytes, 6);
    EXPECT_EQ(recording.messages[1].from, Rank{2});
    EXPECT_EQ(recording.states[0].depth[1], 1);
    EXPECT_EQ(recording.states[0].open, std::vector<std::uint32_t>{0});
    EXPECT_EQ(recording.duration, Picoseconds{9});
    EXPECT_FALSE(recording.collectives.instances[0].complete);
    EXPECT_EQ(recording.collectives.of(recording.collectives.instances[0])[1].rank, Rank{1});
    EXPECT_EQ(traces::communicationOf(recording), (traces::TimeSpan{Picoseconds{0}, Picoseconds{9}}));
    EXPECT_EQ(recording.locationOf(Rank{2}), 2);
}

}  // namespace
