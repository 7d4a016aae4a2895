// SPDX-License-Identifier: BSD-3-Clause
// What messages make up together, against messages made of it.
#include "app/analysis/schedule/message_pattern.hpp"

#include <gtest/gtest.h>

#include <random>

namespace app::analysis::in_patterns {
namespace {

using engine::Rank;

std::vector<Ends> edges(std::initializer_list<std::pair<int, int>> list) {
    std::vector<Ends> all;
    for (const auto& [from, to] : list) all.push_back({Rank{from}, Rank{to}});
    return all;
}

TEST(MessagePattern, isToldOfEachKind) {
    EXPECT_EQ(inWords(patternOf(edges({{0, 1}, {1, 2}, {2, 3}, {3, 0}}), 4)), "a shift by 1 among 4 ranks");
    EXPECT_EQ(inWords(patternOf(edges({{0, 3}, {1, 0}, {2, 1}, {3, 2}}), 4)), "a shift by -1 among 4 ranks");
    EXPECT_EQ(inWords(patternOf(edges({{0, 1}, {1, 2}, {2, 3}}), 9)), "a shift by 1 among 4 ranks");
    EXPECT_EQ(inWords(patternOf(edges({{0, 2}, {2, 0}, {1, 3}, {3, 1}}), 4)), "an exchange in pairs among 4 ranks");
    EXPECT_EQ(inWords(patternOf(edges({{0, 1}, {1, 0}}), 2)), "an exchange in pairs among 2 ranks");
    EXPECT_EQ(inWords(patternOf(edges({{0, 1}, {1, 0}, {1, 2}, {2, 1}}), 3)),
              "an exchange with up to 2 partners among 3 ranks");
    EXPECT_EQ(inWords(patternOf(edges({{0, 1}, {0, 2}, {2, 3}}), 4)), "a tree among 4 ranks") << "down";
    EXPECT_EQ(inWords(patternOf(edges({{1, 0}, {2, 0}, {3, 2}}), 4)), "a tree among 4 ranks") << "up";
    EXPECT_EQ(inWords(patternOf(edges({{0, 1}, {0, 2}, {1, 0}, {1, 2}, {2, 0}, {2, 1}}), 3)),
              "an all-to-all exchange among 3 ranks");
}

TEST(MessagePattern, isNoneWhereOneMessageFallsOut) {
    EXPECT_EQ(patternOf({}, 4).kind, PatternKind::none);
    EXPECT_EQ(patternOf(edges({{2, 2}}), 4).kind, PatternKind::none) << "to oneself";
    EXPECT_EQ(patternOf(edges({{0, 1}}), 4).kind, PatternKind::none) << "one message is no pattern";
    EXPECT_EQ(patternOf(edges({{0, 1}, {1, 2}, {2, 3}, {3, 1}}), 4).kind, PatternKind::none) << "no longer a shift";
    EXPECT_EQ(patternOf(edges({{0, 2}, {2, 0}, {1, 2}}), 4).kind, PatternKind::none) << "one that is not answered";
    EXPECT_EQ(patternOf(edges({{0, 1}, {2, 1}, {2, 3}}), 4).kind, PatternKind::none) << "neither up nor down";
    EXPECT_EQ(patternOf(edges({{0, 1}, {1, 2}, {2, 0}, {3, 4}}), 5).kind, PatternKind::none) << "a circle and an edge";
}

TEST(MessagePattern, doesNotDependOnOrderAndHowOften) {
    std::mt19937 random{3};
    for (int turn = 0; turn < 200; ++turn) {
        const int ranks = 3 + static_cast<int>(random() % 9);
        const int by = 1 + static_cast<int>(random() % static_cast<unsigned>(ranks - 1));
        std::vector<Ends> all;
        for (int rank = 0; rank < ranks; ++rank)
            for (unsigned often = 0; often <= random() % 3; ++often)
                all.push_back({Rank{rank}, Rank{(rank + by) % ranks}});
        std::shuffle(all.begin(), all.end(), random);
        const MessagePattern found = patternOf(all, ranks);
        const MessagePattern expected =
            2 * by == ranks ? MessagePattern{PatternKind::exchange, ranks, 1, ranks}
                            : MessagePattern{PatternKind::shift, ranks, 2 * by < ranks ? by : by - ranks, ranks};
        EXPECT_EQ(found, expected) << inWords(found) << " instead of " << inWords(expected);
    }
}

}  // namespace
}  // namespace app::analysis::in_patterns
