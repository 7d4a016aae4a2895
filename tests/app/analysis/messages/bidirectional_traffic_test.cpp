// SPDX-License-Identifier: BSD-3-Clause
// Messages that meet one going the other way.
#include "app/analysis/messages/bidirectional_traffic.hpp"

#include "tests/support/problems.hpp"
#include "tests/support/proofs.hpp"

#include <gtest/gtest.h>

namespace app::analysis {
namespace {

using support::planOf;

TEST(BidirectionalTraffic, areAllMessagesOfAButterfly) {
    EXPECT_EQ(opposedMessages(*planOf("pairwise-exchange", support::allreduce(8)).schedule), 3 * 8);
}

TEST(BidirectionalTraffic, areThoseOfTheRoundOfHalfTheRanks) {
    // Distances 1, 2 and 4: of 8 ranks 4 is as far either way; of 9 ranks nothing is.
    EXPECT_EQ(opposedMessages(*planOf("dissemination", support::allreduce(8), {{"n", "1"}}).schedule), 8);
    EXPECT_EQ(opposedMessages(*planOf("bruck", support::allgatherv(std::vector<engine::Bytes>(8, 1))).schedule), 8);
    EXPECT_EQ(opposedMessages(*planOf("bruck", support::allgatherv(std::vector<engine::Bytes>(9, 1))).schedule), 0);
}

TEST(BidirectionalTraffic, areNoneOfOneWay) {
    EXPECT_EQ(opposedMessages(*planOf("chain", support::bcast(8)).schedule), 0);
    EXPECT_EQ(opposedMessages(*planOf("linear-ring", support::allgatherv({1, 2, 3, 4})).schedule), 0);
    // Two ranks are each other's neighbour on either side.
    EXPECT_EQ(opposedMessages(*planOf("linear-ring", support::allgatherv({1, 2})).schedule), 2);
}

}  // namespace
}  // namespace app::analysis
