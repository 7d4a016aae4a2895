// SPDX-License-Identifier: BSD-3-Clause
// The communicator that has nothing but sendrecv with direct neighbours.
#include "engine/live/mpi/exchange.hpp"
#include "tests/engine/live_mpi/team.hpp"

#include <gtest/gtest.h>

namespace {

using namespace engine;
using support::Team;

constexpr Bytes blockSize = 12;

/// What this process is told when it runs `schedule` on a ring of all processes; empty when nothing is wrong.
/// Violations are found before anything is sent, so that a schedule in which all ranks err alike leaves nobody waiting.
std::string complaintOn(const Wiring& wiring, const SchedulePtr& schedule) {
    const mpi::Team ring{mpi::placedOn(wiring, MPI_COMM_WORLD)};
    const Problem problem =
        support::allgatherv(std::vector<Bytes>(static_cast<std::size_t>(schedule->facts().ranks), blockSize));
    RankBuffers buffers{problem, schedule->facts(), ring.rank()};
    const mpi::Mark mark;
    const auto exchange = mpi::neighbourExchange(ring.comm(), mark);
    try {
        mpi::Walker{*schedule, buffers.holdings(), ring.rank(), *exchange, mark}.walk();
        return {};
    } catch (const Error& error) {
        return error.what();
    }
}

/// Round 0 passes a block on by one, round 1 by `step`.
SchedulePtr shift(int ranks, int step) {
    return schedule(Facts{.ranks = ranks, .rounds = 2}, [=](Rank rank, Round round, auto& out) {
        const int by = round.value == 0 ? 1 : step;
        const auto block = [&](int owner) { return Range{owner * blockSize, (owner + 1) * blockSize}; };
        const Rank to{(rank.value + by) % ranks};
        const Rank from{(rank.value - by + ranks) % ranks};
        out.send(to, block(rank.value));
        out.receive(from, block(from.value));
    });
}

TEST(NeighboursOnly, passesAlongTheRing) {
    const int all = Team::world().processes();
    EXPECT_EQ(complaintOn(Wiring::ring(all), shift(all, 1)), "");
    EXPECT_EQ(complaintOn(Wiring::ring(all), shift(all, all - 1)), "");
}

TEST(NeighboursOnly, namesRankRoundAndPeerOfALongJump) {
    const int all = Team::world().processes();
    if (all < 4) GTEST_SKIP() << "needs ranks that are no neighbours";
    const int self = Team::world().process();
    EXPECT_EQ(complaintOn(Wiring::ring(all), shift(all, 2)),
              text("rank ", self, ", round 2: rank ", (self + 2) % all, " is no direct neighbour"));
}

TEST(NeighboursOnly, refusesTwoMessagesToOneNeighbourAtATime) {
    const int all = Team::world().processes();
    if (all < 3) GTEST_SKIP() << "with two ranks both ways lead to the same one";
    const SchedulePtr twice = schedule(Facts{.ranks = all, .rounds = 1}, [=](Rank rank, Round, auto& out) {
        for (int i = 0; i < 2; ++i) {
            out.send(Rank{(rank.value + 1) % all}, Range{0, 1});
            out.receive(Rank{(rank.value + all - 1) % all}, Range{0, 1});
        }
    });
    const int self = Team::world().process();
    EXPECT_EQ(complaintOn(Wiring::ring(all), twice),
              text("rank ", self, ", round 1: rank ", (self + 1) % all,
                   " is met twice in one round; one sendrecv at a time is all there is"));
}

TEST(Clocks, ofOneMachineAgree) {
    if (Team::world().processes() > 16) GTEST_SKIP() << "with few cores, round trips take too long to say anything";
    const mpi::Job job{.entries = {{.problem = support::barrier(2), .native = live::nativeNamed("barrier/native")}},
                       .folder = Team::freshFolder(),
                       .measureClocks = true};
    Team::world().carryOut(job);
    if (!Team::isJudge()) return;
    for (const live::Record& record : live::readRecords(job.folder))
        for (const live::ClockSample& sample : record.clock)
            EXPECT_LT(std::abs(sample.offset), 20'000'000) << "process " << record.process;
}

}  // namespace
