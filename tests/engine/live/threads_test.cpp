// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/threads/threads.hpp"

#include "engine/base/error.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "engine/live/threads/buffers.hpp"
#include "engine/schedule/kernel.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <thread>

namespace engine {
namespace {

using namespace support;

Plan planOf(Problem problem, SchedulePtr schedule) {
    static const Algorithm nameless = [] {
        Algorithm algorithm;
        algorithm.id = "of/the-test";
        return algorithm;
    }();
    Plan plan;
    plan.algorithm = &nameless;
    plan.problem = std::move(problem);
    plan.schedule = std::move(schedule);
    return plan;
}

/// Rank 0 tells every other rank in its own round; the last receives `last` bytes only.
SchedulePtr flat(int ranks, Bytes last = 12) {
    return schedule(Facts{.ranks = ranks, .rounds = ranks - 1}, [=](Rank rank, Round round, auto& out) {
        const std::int32_t target = static_cast<std::int32_t>(round.value) + 1;
        const Range what{0, target == ranks - 1 ? last : 12};
        if (rank.value == 0) out.send(Rank{target}, what);
        if (rank.value == target) out.receive(Rank{0}, what);
    });
}

/// One exchange in which both ranks combine.
SchedulePtr pair(Action action = Action::append) {
    return schedule(Facts{.ranks = 2, .rounds = 1}, [=](Rank rank, Round, auto& out) {
        out.sendPartial(Rank{1 - rank.value}, 0, 80);
        out.receivePartial(Rank{1 - rank.value}, 1, action, 80);
    });
}

/// Rank 1 is long busy with what it sends to rank 0, which then has a byte for rank 2.
TEST(Threads, letsSendsGoOnWithoutReceivesWhereStrandsDoNotJoin) {
    constexpr Bytes large = 16 << 20;
    const Problem problem = allgatherv({1, large, 0});
    const auto overlaps = [&](Rounds uncoupled) {
        const engine::Run run =
            runOnThreads(planOf(problem, schedule(Facts{.ranks = 3, .rounds = 2, .uncoupled = uncoupled},
                                                  [](Rank rank, Round round, auto& out) {
                                                      const bool first = round.value == 0;
                                                      const Range what{first ? 1 : 0, first ? 1 + large : 1};
                                                      const Rank from{first ? 1 : 0};
                                                      const Rank to{first ? 0 : 2};
                                                      if (rank == from) out.send(to, what);
                                                      if (rank == to) out.receive(from, what);
                                                  })))
                .run;
        return run.messages.sendBegin()[1] < run.messages.receiveEnd()[0];
    };
    EXPECT_FALSE(overlaps({})) << "rank 0 sends in its second round, when the first is done";
    bool free = false;
    for (int trial = 0; trial < 20 && !free; ++trial) free = overlaps({Round{0}, 2});
    EXPECT_TRUE(free);
}

TEST(Threads, movesRealBytesAndRecordsEveryMessage) {
    const Execution execution = runOnThreads(planOf(bcast(5), flat(5)));
    EXPECT_TRUE(execution.correct) << execution.fault;
    EXPECT_EQ(execution.run.messageCount, 4);
    EXPECT_EQ(execution.run.setting.on, "threads");
    ASSERT_EQ(execution.run.entered.size(), 5U);
    for (std::size_t i = 0; i < execution.run.messages.size(); ++i) {
        const MessageRecord message = execution.run.messages[i];
        EXPECT_LE(message.sendBegin, message.sendEnd);
        EXPECT_LE(message.sendEnd, message.receiveBegin);
        EXPECT_LE(message.receiveBegin, message.receiveEnd);
        EXPECT_LT(Picoseconds{}, execution.run.entered[message.from.index()]);
        EXPECT_LE(execution.run.entered[message.from.index()], message.sendBegin);
        EXPECT_LE(execution.run.entered[message.to.index()], message.receiveBegin);
        EXPECT_EQ(execution.run.messages.what(i)[0], (Range{0, 12}));
    }
}

TEST(Threads, namesTheFirstWrongByte) {
    const Execution execution = runOnThreads(planOf(bcast(3), flat(3, 11)));
    EXPECT_FALSE(execution.correct);
    EXPECT_EQ(execution.fault, "rank 2: byte 11 of block 0 is wrong");
}

TEST(Threads, combinesEveryTypeWithEveryOperation) {
    for (const Operation operation : {Operation::sum, Operation::min, Operation::max, Operation::user})
        for (const Element element :
             {Element::int32, Element::int64, Element::uint32, Element::uint64, Element::float32, Element::float64}) {
            Problem problem = allreduce(2, 80);
            problem.operation = operation;
            problem.element = element;
            const Execution execution = runOnThreads(planOf(problem, pair()));
            EXPECT_TRUE(execution.correct) << name(operation) << " " << name(element) << ": " << execution.fault;
        }
}

TEST(Threads, noticesAResultThatWasReplacedInsteadOfCombined) {
    const Execution execution = runOnThreads(planOf(allreduce(2, 80), pair(Action::keep)));
    EXPECT_FALSE(execution.correct);
    EXPECT_EQ(execution.fault.substr(0, 18), "rank 0: element 0 ");
}

TEST(Threads, endsWhenAskedThoughARankWaitsForever) {
    const SchedulePtr forever = schedule(Facts{.ranks = 2, .rounds = 1}, [](Rank rank, Round, auto& out) {
        if (rank.value == 1) out.receive(Rank{0}, Range{0, 12});
    });
    std::stop_source stop;
    std::jthread later{[&] {
        std::this_thread::sleep_for(std::chrono::milliseconds{20});
        stop.request_stop();
    }};
    EXPECT_THROW(runOnThreads(planOf(bcast(2), forever), {.report = {}, .stop = stop.get_token()}), Cancelled);
}

TEST(Threads, refusesWhatTheMachineCannotHold) {
    EXPECT_THROW(runOnThreads(planOf(bcast(2000), flat(2000))), Error);
    EXPECT_THROW(runOnThreads(planOf(bcast(5, 0, Bytes{1} << 40), flat(5))), Error);
}

Plan alltoall(const char* id, std::int32_t ranks, Bytes pair) {
    return makePlan(
        algorithmNamed(id),
        {.collective = Collective::alltoallv, .groupA = ranks, .layout = Layout::regular(ranks * ranks, pair)}, {});
}

/// The line of an alltoall has p^2 blocks; a rank has to hold p that it brings and p that it needs, one of them both.
TEST(Buffers, ofAnAlltoallTakeNoMemoryForWhatIsOfOthers) {
    for (const std::int32_t p : {2, 5, 9}) {
        const Plan pairwise = alltoall("alltoallv/pairwise-exchange", p, 8);
        EXPECT_EQ(static_cast<Bytes>(RankBuffers::memoryFor(pairwise)), p * (2 * p - 1) * 8);
        EXPECT_EQ(static_cast<Bytes>(RankBuffers::memoryFor(pairwise.problem)), p * (2 * p - 1) * 8);
        // On a ring the blocks for all ranks behind pass by: p (p - 1) / 2 come, among them those that are needed.
        EXPECT_EQ(static_cast<Bytes>(RankBuffers::memoryFor(alltoall("alltoallv/ring", p, 8))),
                  p * (p + p * (p - 1) / 2) * 8);
    }
    const Execution execution =
        runOnThreads(alltoall("alltoallv/pairwise-exchange", 48, Bytes{64} << 10), {}, {.memory = Bytes{300} << 20});
    EXPECT_TRUE(execution.correct) << execution.fault;
}

/// On a line that is not filled from end to end, too.
TEST(Buffers, areWrongWhereNothingCame) {
    const Bytes bytes = Bytes{2} << 20;
    const SchedulePtr nothing = schedule(Facts{.ranks = 2, .rounds = 1}, [](Rank, Round, auto&) {});
    EXPECT_EQ(runOnThreads(planOf(bcast(2, 0, bytes), nothing)).fault, "rank 1: byte 0 of block 0 is wrong");
}

TEST(Buffers, contentsDifferFromPlaceToPlace) {
    std::set<std::byte> seen;
    for (Bytes at = 0; at < 64; ++at) {
        seen.insert(expectedByte(at));
        EXPECT_NE(expectedByte(at), expectedByte(at + 1));
    }
    EXPECT_GT(seen.size(), 40U);
}

}  // namespace
}  // namespace engine
