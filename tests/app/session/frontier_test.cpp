// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/synthesis/frontier.hpp"

#include <gtest/gtest.h>

namespace app {
namespace {

// With alpha = 1000 and beta = 1: 2000 + 3 m, 3000 + 2 m and 6000 + m meet at m = 1000 and m = 3000; the fourth is
// dearer than the first at every size.
TEST(Frontier, knowsTheSizesAtWhichEachScheduleCostsLeast) {
    const std::vector<CostLine> lines{{.name = "a", .steps = 2, .share = 3},
                                      {.name = "b", .steps = 3, .share = 2},
                                      {.name = "c", .steps = 6, .share = 1},
                                      {.name = "d", .steps = 3, .share = 3}};
    const auto ranges = cheapestRanges(lines, 1000, 1);
    ASSERT_EQ(ranges.size(), 4U);
    EXPECT_EQ(ranges[0], (SizeRange{1, 1000}));
    EXPECT_EQ(ranges[1], (SizeRange{1000, 3000}));
    EXPECT_EQ(ranges[2], (SizeRange{3000, std::nullopt}));
    EXPECT_FALSE(ranges[3].has_value());
    EXPECT_EQ(inWords(*ranges[0]), "<= 1000 B");
    EXPECT_EQ(inWords(*ranges[2]), ">= 2.93 KiB");
    EXPECT_EQ(inWords(SizeRange{24'985, 24'990}), "24.4 KiB");
    EXPECT_EQ(inWords(SizeRange{1, std::nullopt}), "all");
}

TEST(Frontier, leavesOutWhatIsNeverCheapest) {
    // 1000 + 4 m and 5000 + m meet at m = 1333; 4000 + 3 m is above both there and everywhere.
    const std::vector<CostLine> lines{{.name = "a", .steps = 1, .share = 4},
                                      {.name = "b", .steps = 4, .share = 3},
                                      {.name = "c", .steps = 5, .share = 1}};
    const auto ranges = cheapestRanges(lines, 1000, 1);
    EXPECT_EQ(ranges[0], (SizeRange{1, 1333}));
    EXPECT_FALSE(ranges[1].has_value());
    EXPECT_EQ(ranges[2], (SizeRange{1334, std::nullopt}));
}

TEST(Frontier, drawsFoundSchedulesBesideTheBestOfTheCatalogue) {
    const std::vector<CostLine> found{{.name = "found", .steps = 2, .share = 1}};
    const std::vector<CostLine> catalogue{{.name = "x", .steps = 3, .share = 2}, {.name = "y", .steps = 4, .share = 2}};
    const Chart chart = frontierChart(found, catalogue, {.name = "lower bound", .steps = 1, .share = 1}, 1e6, 400);
    ASSERT_EQ(chart.lines.size(), 2U);  // y costs more than x at every size
    EXPECT_EQ(chart.lines[0].name, "found");
    EXPECT_EQ(chart.lines[1].name, "x");
    ASSERT_EQ(chart.bounds.size(), 1U);
    EXPECT_DOUBLE_EQ(chart.lines[0].points.front().x, 64);
    EXPECT_NEAR(chart.lines[0].points.front().y, (2e6 + 64 * 400) * 1e-12, 1e-15);
}

}  // namespace
}  // namespace app
