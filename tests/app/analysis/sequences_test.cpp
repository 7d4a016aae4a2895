// SPDX-License-Identifier: BSD-3-Clause
// What sequences of messages have in common.
#include "app/analysis/sequences.hpp"

#include <gtest/gtest.h>

namespace app::analysis {
namespace {

/// One rank with these ends.
Sequences of(const std::vector<int>& peers) {
    Sequences all;
    for (const int peer : peers) all.perRank.resize(1), all.perRank[0].push_back(static_cast<Token>(peer));
    return all;
}

TEST(Likeness, isThereWhenItIsJustEnough) {
    // Four of five: (1 - 0.8) * 10 is a little less than 2.
    const Sequences one = of({1, 2, 3, 4, 5});
    EXPECT_DOUBLE_EQ(likeness(one, of({1, 2, 3, 4, 9}), 0.8), 0.8);
    EXPECT_DOUBLE_EQ(likeness(one, of({1, 2, 3, 8, 9}), 0.8), 0);
    EXPECT_DOUBLE_EQ(likeness(one, of({1, 2, 3, 8, 9})), 0.6);
    EXPECT_DOUBLE_EQ(likeness(one, one, 1), 1);
}

}  // namespace
}  // namespace app::analysis
