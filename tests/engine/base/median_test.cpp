// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/median.hpp"

#include "engine/base/types.hpp"

#include <gtest/gtest.h>

namespace engine {
namespace {

TEST(Median, isTheLowerOneOfTwoInTheMiddleWhereOneOfThemIsWanted) {
    EXPECT_EQ(lowerMedian(std::vector{7}), 7);
    EXPECT_EQ(lowerMedian(std::vector{9, 1}), 1);
    EXPECT_EQ(lowerMedian(std::vector{3, 9, 1}), 3);
    EXPECT_EQ(lowerMedian(std::vector{4, 9, 1, 2}), 2);
    EXPECT_EQ(lowerMedian(std::vector{4, 9, 1, 2}, std::greater<>{}), 4);
}

TEST(Median, ofQuantitiesIsHalfWayBetweenTheTwoInTheMiddle) {
    EXPECT_EQ(median(std::vector{7.0}), 7.0);
    EXPECT_EQ(median(std::vector{9.0, 2.0}), 5.5);
    EXPECT_EQ(median(std::vector{3.0, 9.0, 1.0}), 3.0);
    EXPECT_EQ(median(std::vector{4.0, 9.0, 1.0, 1.0}), 2.5);
    EXPECT_EQ(median(std::vector{Picoseconds{10}, Picoseconds{-2}}), Picoseconds{4});
    constexpr std::int64_t large = std::int64_t{1} << 62;
    EXPECT_EQ(median(std::vector{Picoseconds{large}, Picoseconds{large + 2}}), Picoseconds{large + 1});
}

}  // namespace
}  // namespace engine
