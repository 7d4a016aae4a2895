// SPDX-License-Identifier: BSD-3-Clause
#include "engine/schedule/kernel.hpp"

#include "engine/stages/member_mapping.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

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
    const SchedulePtr both =
        then(Facts{.ranks = 2}, Part{"first", 2, pass(10)}, Part{"none", 0, pass(15)}, Part{"second", 1, pass(20)});
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

/// In each round every third rank from the round's number on tells the next.
auto thirds(std::int32_t ranks) {
    return Prepared{[ranks](Round round, const auto& use) {
        const auto first = static_cast<std::int32_t>(round.value);
        use(Acting{Strip{first, ranks, 1}, [=](Rank rank, auto& out) {
                       if (rank.value < first) return;
                       if ((rank.value - first) % 3 == 0 && rank.value + 1 < ranks)
                           out.send(rank + 1, Range{0, first + 1});
                       if ((rank.value - first) % 3 == 1) out.receive(rank - 1, Range{0, first + 1});
                   }});
    }};
}

std::vector<std::array<std::int64_t, 3>> columns(const Schedule& schedule, Round round, std::int32_t first,
                                                 std::int32_t last) {
    Batch batch;
    batch.reset(0);
    schedule.batch(round, Rank{first}, Rank{last}, batch);
    std::vector<std::array<std::int64_t, 3>> all;
    for (std::size_t i = 0; i < batch.size(); ++i) all.push_back({batch.from()[i], batch.to()[i], batch.bytes()[i]});
    return all;
}

TEST(Kernel, preparedRoundsTellTheSameAsTurnsForAnyTile) {
    for (const std::int32_t root : {0, 1, 4, 12}) {
        const SchedulePtr all =
            then(Facts{.ranks = 13}, Part{"from the root", 3, stages::fromRoot(13, Rank{root}, thirds(13))},
                 Part{"in a group", 3, onGroup({.first = 2, .size = 4, .step = 3}, thirds(4))},
                 alongside("both", Part{"", 2, onGroup({0, 6}, thirds(6))}, Part{"", 1, onGroup({6, 7}, thirds(7))}));
        for (Round round{0}; round.value < all->facts().rounds; ++round)
            for (const std::int32_t tile : {1, 2, 5, 13}) {
                std::vector<std::array<std::int64_t, 3>> batched;
                std::vector<std::array<std::int64_t, 3>> turned;
                for (std::int32_t first = 0; first < 13; first += tile) {
                    const auto some = columns(*all, round, first, std::min(13, first + tile));
                    batched.insert(batched.end(), some.begin(), some.end());
                }
                Turn turn;
                for (Rank rank{0}; rank.value < 13; ++rank) {
                    all->turn(rank, round, turn);
                    for (const Message& send : turn.sends())
                        turned.push_back({rank.value, send.peer.value, send.bytes});
                }
                EXPECT_EQ(batched, turned) << "root " << root << ", round " << round.value << ", tile " << tile;
            }
    }
}

TEST(Kernel, fewAreAskedWhereFewAct) {
    int asked = 0;
    const Acting now{Strip{3, 100, 7}, [](Rank, auto&) {}};
    const auto count = [&](Rank first, Rank last) {
        asked = 0;
        eachActing(now, first, last, [&](Rank rank) {
            EXPECT_EQ(rank.value % 7, 3);
            ++asked;
        });
        return asked;
    };
    EXPECT_EQ(count(Rank{0}, Rank{200}), 14);
    EXPECT_EQ(count(Rank{4}, Rank{10}), 0);
    EXPECT_EQ(count(Rank{4}, Rank{11}), 1);
    EXPECT_EQ(count(Rank{94}, Rank{101}), 1);
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
