// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/calibration.hpp"
#include "app/session/live.hpp"
#include "engine/error.hpp"

#include <gtest/gtest.h>

namespace app {
namespace {

using engine::Picoseconds;

TEST(LiveOrders, areReadBackAsTheyWere) {
    LiveOrder order{.repeats = 20, .warmUps = 2, .check = false, .neighbours = "torus:4x4"};
    order.entries = {{"bcast/flat", "groups=2", "bcast p=4 sizes=1x12", ""},
                     {"bcast/native", "", "bcast p=4 sizes=1x12", "ring"}};
    EXPECT_EQ(orderFromText(toText(order)), order);
    order.exchanges = {1024, 65536};
    EXPECT_EQ(orderFromText(toText(order)), order);
}

TEST(LiveOrders, areRefusedWhereTheyMeanNothing) {
    EXPECT_THROW(orderFromText("dance\t3\n"), engine::Error);
    EXPECT_THROW(orderFromText("repeats\tmany\n"), engine::Error);
    EXPECT_THROW(orderFromText("words\n"), engine::Error);
}

TEST(Calibration, findsTheLineThatTimesLieOn) {
    std::vector<engine::Bytes> sizes;
    std::vector<Picoseconds> times;
    for (engine::Bytes size = 1024; size <= 1 << 20; size *= 4) {
        sizes.push_back(size);
        times.emplace_back(50'000'000 + size * 80'000);
    }
    const engine::Model model = fitted(sizes, times);
    EXPECT_NEAR(static_cast<double>(model.alpha.count()), 50e6, 1e3);
    EXPECT_NEAR(static_cast<double>(model.beta.femtosecondsPerByte), 80e6, 1e3);
}

TEST(Calibration, neverGoesBelowZero) {
    const engine::Model model = fitted({1000, 2000}, {Picoseconds{1'000}, Picoseconds{3'000}});
    EXPECT_EQ(model.alpha.count(), 0);
    EXPECT_GT(model.beta.femtosecondsPerByte, 0);
    EXPECT_EQ(fitted({1000, 2000}, {Picoseconds{5'000}, Picoseconds{5'000}}).beta.femtosecondsPerByte, 0);
    EXPECT_THROW(fitted({1000}, {Picoseconds{1}}), engine::Error);
}

TEST(Load, isAShare) {
    const Load load = lookAtLoad();
    EXPECT_GE(load.busy, 0);
    EXPECT_LE(load.busy, 1);
    EXPECT_GE(load.processors, 1);
}

}  // namespace
}  // namespace app
