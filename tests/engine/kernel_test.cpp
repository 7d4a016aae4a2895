// SPDX-License-Identifier: BSD-3-Clause
#include "engine/kernel.hpp"

#include <gtest/gtest.h>

namespace engine {
namespace {

/// Rank 0 sends `byte` to rank 1 in every round.
auto pass(Bytes byte) {
    return [byte](Rank rank, Round, auto& out) {
        if (rank.value == 0) out.send(Rank{1}, Range{byte, byte + 1});
        if (rank.value == 1) out.receive(Rank{0}, Range{byte, byte + 1});
    };
}

std::string sends(const Schedule& schedule, Rank rank, Round round) {
    Turn turn;
    schedule.turn(rank, round, turn);
    std::string words;
    for (const Message& message : turn.sends())
        for (const Range range : turn.ranges(message))
            words += std::to_string(range.begin) + "-" + std::to_string(range.end) + ">" +
                     std::to_string(message.peer.value) + " ";
    return words;
}

TEST(Kernel, partsFollowEachOtherAndBecomeStages) {
    const SchedulePtr both = then(Facts{.ranks = 2}, Part{"first", 2, pass(10)}, Part{"none", 0, pass(15)},
                                  Part{"second", 1, pass(20)});
    EXPECT_EQ(both->facts().rounds, 3);
    EXPECT_EQ(both->facts().stages, (std::vector<Stage>{{"first", Round{0}, 2}, {"second", Round{2}, 1}}));
    EXPECT_EQ(sends(*both, Rank{0}, Round{1}), "10-11>1 ");
    EXPECT_EQ(sends(*both, Rank{0}, Round{2}), "20-21>1 ");
    EXPECT_EQ(both->stageOf(Round{2}), 1);
    EXPECT_EQ(both->stageOf(Round{3}), -1);
}

TEST(Kernel, partsRunAlongsideUntilTheLongestEnds) {
    const SchedulePtr both =
        then(Facts{.ranks = 4}, alongside("both", Part{"a", 1, onGroup({0, 2}, pass(10))},
                                          Part{"b", 2, onGroup({.first = 1, .size = 2, .step = 2}, pass(20))}));
    EXPECT_EQ(both->facts().rounds, 2);
    EXPECT_EQ(sends(*both, Rank{0}, Round{0}), "10-11>1 ");
    EXPECT_EQ(sends(*both, Rank{1}, Round{0}), "20-21>3 ") << "peers are numbered within the group";
    EXPECT_EQ(sends(*both, Rank{0}, Round{1}), "");
    EXPECT_EQ(sends(*both, Rank{1}, Round{1}), "20-21>3 ");
}

TEST(Kernel, batchTellsTheSameMessagesAsTurns) {
    const SchedulePtr plain = then(Facts{.ranks = 2}, Part{"", 1, pass(10)});
    const SchedulePtr borrowed = then(Facts{.ranks = 3}, Part{"", 1, onGroup({1, 2}, Borrowed{plain})});
    Batch batch;
    batch.reset(0);
    borrowed->batch(Round{0}, Rank{0}, Rank{3}, batch);
    ASSERT_EQ(batch.size(), 1U);
    EXPECT_EQ(batch.from()[0], 1);
    EXPECT_EQ(batch.to()[0], 2);
    EXPECT_EQ(batch.bytes()[0], 1);
    EXPECT_EQ(sends(*borrowed, Rank{1}, Round{0}), "10-11>2 ");
}

TEST(Turn, joinsTouchingRangesAndKeepsEmptyMessages) {
    Turn turn;
    turn.send(Rank{1}, RangePair{Range{0, 5}, Range{5, 8}});
    turn.send(Rank{2}, Range{3, 3});
    ASSERT_EQ(turn.sends().size(), 2U);
    EXPECT_EQ(turn.ranges(turn.sends()[0]).size(), 1U);
    EXPECT_EQ(turn.sends()[0].bytes, 8);
    EXPECT_EQ(turn.sends()[1].bytes, 0);
    EXPECT_TRUE(turn.ranges(turn.sends()[1]).empty());
}

}  // namespace
}  // namespace engine
