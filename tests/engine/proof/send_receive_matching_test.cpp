// SPDX-License-Identifier: BSD-3-Clause
#include "engine/proof/send_receive_matching.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <random>

namespace engine {
namespace {

TEST(Pairing, isFirstInFirstOutBetweenTwoRanks) {
    std::mt19937 random{11};
    for (int trial = 0; trial < 200; ++trial) {
        const int ranks = 2 + trial % 4;
        std::vector<Turn> turns(static_cast<std::size_t>(ranks));
        const auto some = [&] { return Rank{static_cast<std::int32_t>(random() % static_cast<unsigned>(ranks))}; };
        // Few, which are searched, and many, which are sorted.
        const int messages = trial % 3 == 0 ? 12 : 80;
        for (int k = 0; k < messages; ++k) turns[some().index()].send(some(), Range{0, k});
        for (int k = 0; k < messages; ++k) turns[some().index()].receive(some(), Range{0, k});
        Matches matches{turns};

        // What each rank has sent to each other stands in line; each receive takes the first that stands there.
        std::map<std::pair<Rank, Rank>, std::deque<const Message*>> lines;
        std::map<const Message*, const Message*> receiveOf;
        for (Rank rank{0}; rank.value < ranks; ++rank)
            for (const Message& send : turns[rank.index()].sends()) lines[{rank, send.peer}].push_back(&send);
        for (Rank rank{0}; rank.value < ranks; ++rank) {
            const auto receives = turns[rank.index()].receives();
            for (std::size_t i = 0; i < receives.size(); ++i) {
                auto& line = lines[{receives[i].peer, rank}];
                ASSERT_EQ(matches.sendFor(rank, i), line.empty() ? nullptr : line.front());
                if (line.empty()) continue;
                receiveOf[line.front()] = &receives[i];
                line.pop_front();
            }
        }
        for (Rank rank{0}; rank.value < ranks; ++rank)
            for (std::size_t i = 0; i < turns[rank.index()].sends().size(); ++i)
                ASSERT_EQ(matches.receiveFor(rank, i), receiveOf[&turns[rank.index()].sends()[i]]);
    }
}

TEST(Pairing, countsMessagesOfAnyKind) {
    const std::vector<int> peers{4, 7, 4, 4, 7};
    EXPECT_EQ(ordinalOf(peers, 3, std::identity{}), 2U);
    EXPECT_EQ(placeOf(peers, 7, 1, std::identity{}), 4U);
    EXPECT_EQ(placeOf(peers, 7, 2, std::identity{}), std::nullopt);
}

}  // namespace
}  // namespace engine
