// SPDX-License-Identifier: BSD-3-Clause
#include "engine/problem/block_layout.hpp"

#include "engine/base/error.hpp"

#include <gtest/gtest.h>

namespace engine {
namespace {

TEST(Layout, placesContributionsEndToEnd) {
    const Layout layout = Layout::irregular({3, 0, 2, 4});
    EXPECT_EQ(layout.total(), 9);
    EXPECT_EQ(layout.offset(2), 3);
    EXPECT_EQ(layout.block(3), (Range{5, 9}));
    EXPECT_EQ(layout.blocks(1, 2), (Range{3, 5}));
    EXPECT_EQ(layout.largest(), 4);
    EXPECT_EQ(layout.smallest(), 0);
}

TEST(Layout, goesRoundTheEndOfTheLine) {
    const Layout layout = Layout::irregular({3, 2, 4});
    EXPECT_EQ(layout.cyclic(2, 2), (RangePair{Range{5, 9}, Range{0, 3}}));
    EXPECT_EQ(layout.cyclic(0, 3), (RangePair{Range{0, 9}, Range{0, 0}}));
}

TEST(Layout, findsTheBlockOfAByte) {
    const Layout layout = Layout::irregular({3, 0, 2, 4});
    EXPECT_EQ(layout.blockAt(2), 0);
    EXPECT_EQ(layout.blockAt(3), 2);
    EXPECT_EQ(layout.blockAt(8), 3);
    EXPECT_EQ(Layout::regular(4, 5).blockAt(15), 3);
    EXPECT_THROW((void)layout.blockAt(9), Defect);
}

TEST(Layout, treatsEqualSizesAsRegular) {
    EXPECT_EQ(Layout::irregular({5, 5, 5}), Layout::regular(3, 5));
    EXPECT_TRUE(Layout::irregular({5, 5, 5}).isRegular());
}

TEST(Layout, refusesLinesThatOverflow) {
    EXPECT_THROW(Layout::regular(5, Bytes{1} << 60), Error);
    EXPECT_THROW(Layout::irregular({Bytes{1} << 61, Bytes{1} << 61, 1}), Error);
    EXPECT_THROW(Layout::irregular({1, -1}), Error);
}

TEST(Layout, cutsRangesInBalancedPiecesLongerOnesFirst) {
    EXPECT_EQ(piece({10, 17}, 3, 0), (Range{10, 13}));
    EXPECT_EQ(piece({10, 17}, 3, 1), (Range{13, 15}));
    EXPECT_EQ(piece({10, 17}, 3, 2), (Range{15, 17}));
    EXPECT_TRUE(piece({0, 2}, 3, 2).empty());
}

}  // namespace
}  // namespace engine
