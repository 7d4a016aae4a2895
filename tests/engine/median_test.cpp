// SPDX-License-Identifier: BSD-3-Clause
#include "engine/median.hpp"

#include <gtest/gtest.h>

namespace engine {
namespace {

TEST(Median, isTheLowerOneOfTwoInTheMiddle) {
    EXPECT_EQ(median(std::vector{7}), 7);
    EXPECT_EQ(median(std::vector{9, 1}), 1);
    EXPECT_EQ(median(std::vector{3, 9, 1}), 3);
    EXPECT_EQ(median(std::vector{4, 9, 1, 2}), 2);
    EXPECT_EQ(median(std::vector{4, 9, 1, 2}, std::greater<>{}), 4);
}

}  // namespace
}  // namespace engine
