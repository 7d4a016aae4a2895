// SPDX-License-Identifier: BSD-3-Clause
// Halves of messages find each other as MPI says: in order per (communicator, sender, receiver, tag).
#include "traces/otf2/halves.hpp"

#include <gtest/gtest.h>

namespace {

using traces::otf2::alone;
using traces::otf2::Half;
using traces::otf2::match;

/// The half of rank `self` that `peer` has the other of.
Half half(int self, int peer, int tag = 0, std::uint32_t communicator = 0, std::uint32_t place = 0) {
    return {.self = self, .peer = peer, .communicator = communicator, .place = place, .tag = tag};
}

using Partners = std::vector<std::size_t>;

TEST(Matching, keepsTheOrderOfOneEnvelope) {
    EXPECT_EQ(match({half(0, 1), half(0, 1), half(0, 1)}, {half(1, 0), half(1, 0), half(1, 0)}, 2),
              (Partners{0, 1, 2}));
}

TEST(Matching, letsTagsOvertakeEachOther) {
    EXPECT_EQ(match({half(0, 1, 7), half(0, 1, 8)}, {half(1, 0, 8), half(1, 0, 7)}, 2), (Partners{1, 0}));
}

TEST(Matching, keepsCommunicatorsApart) {
    EXPECT_EQ(match({half(0, 1, 0, 1), half(0, 1, 0, 2)}, {half(1, 0, 0, 2), half(1, 0, 0, 1)}, 2), (Partners{1, 0}));
}

TEST(Matching, keepsSendersAndReceiversApart) {
    EXPECT_EQ(match({half(0, 2), half(1, 2), half(2, 0)}, {half(0, 2), half(2, 1), half(2, 0)}, 3),
              (Partners{2, 1, 0}));
}

TEST(Matching, obeysPlacesBeforeTheOrderOfEvents) {
    EXPECT_EQ(match({half(0, 1), half(0, 1)}, {half(1, 0, 0, 0, 1), half(1, 0, 0, 0, 0)}, 2), (Partners{1, 0}));
}

TEST(Matching, leavesAloneWhatHasNoOtherHalf) {
    EXPECT_EQ(match({half(0, 1), half(0, 1), half(0, 1, 5), half(1, -1)}, {half(1, 0), half(0, -1)}, 2),
              (Partners{0, alone, alone, alone}));
}

TEST(Matching, takesMessagesToOneself) { EXPECT_EQ(match({half(0, 0)}, {half(0, 0)}, 1), Partners{0}); }

}  // namespace
