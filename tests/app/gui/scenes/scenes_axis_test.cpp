// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/drawing/time_axis.hpp"

#include <gtest/gtest.h>

namespace app::gui {
namespace {

using engine::Picoseconds;

std::string labelsOf(const TimeAxis& axis, double apart) {
    std::string labels;
    for (const Tick& tick : axis.ticks(apart)) labels += (labels.empty() ? "" : " ") + tick.label.toStdString();
    return labels + " " + axis.unit().toStdString();
}

TEST(TimeAxis, returnsEveryPicosecondFromItsPixel) {
    // Late and short: what a double of the whole time would lose.
    const Picoseconds begin{9'000'000'000'000'000'000};
    const TimeAxis axis{begin, begin + Picoseconds{1000}, 40, 1240};
    for (std::int64_t step = 0; step <= 1000; ++step)
        EXPECT_EQ(axis.time(axis.pixel(begin + Picoseconds{step})), begin + Picoseconds{step});
}

TEST(TimeAxis, findsTimesOutsideOfItself) {
    const TimeAxis axis{Picoseconds{100}, Picoseconds{200}, 0, 100};
    EXPECT_EQ(axis.time(-50), Picoseconds{50});
    EXPECT_DOUBLE_EQ(axis.pixel(Picoseconds{250}), 150);
}

TEST(TimeAxis, hasRoundTicksThatKeepTheirDistance) {
    EXPECT_EQ(labelsOf({Picoseconds{0}, Picoseconds{244'929'600}, 0, 640}, 100), "0 50 100 150 200 us");
    EXPECT_EQ(labelsOf({Picoseconds{1'000}, Picoseconds{1'500}, 0, 500}, 100), "1000 1100 1200 1300 1400 1500 ps");
    EXPECT_EQ(labelsOf({Picoseconds{4'000'000}, Picoseconds{4'500'000}, 0, 500}, 100), "4.0 4.1 4.2 4.3 4.4 4.5 us");
    EXPECT_EQ(labelsOf({Picoseconds{0}, Picoseconds{4'000'000'000'000}, 0, 100}, 40), "0 2 4 s");
    const TimeAxis axis{Picoseconds{17}, Picoseconds{987'654}, 0, 900};
    const std::vector<Tick> ticks = axis.ticks(60);
    ASSERT_GT(ticks.size(), 3U);
    for (std::size_t i = 1; i < ticks.size(); ++i) EXPECT_GE(axis.pixel(ticks[i].at) - axis.pixel(ticks[i - 1].at), 60);
}

TEST(TimeAxis, survivesASpanOfNothing) {
    const TimeAxis axis{Picoseconds{5}, Picoseconds{5}, 0, 100};
    EXPECT_EQ(axis.end(), Picoseconds{6});
    EXPECT_FALSE(axis.ticks(50).empty());
}

}  // namespace
}  // namespace app::gui
