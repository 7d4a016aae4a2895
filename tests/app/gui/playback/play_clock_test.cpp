// SPDX-License-Identifier: BSD-3-Clause
// The cursor and the visible span by themselves: both stay within the run, whatever is asked of them.
#include "app/gui/playback/play_clock.hpp"
#include "app/gui/playback/zoom_history.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace app::gui {
namespace {

using engine::Picoseconds;
using namespace std::chrono_literals;

class PlayClockTest : public testing::Test {
protected:
    PlayClockTest() { clock.load(Picoseconds{8000}, 5); }  // 4 s at speed 1

    std::chrono::nanoseconds now{};
    PlayClock clock{[this] { return now; }};
};

TEST_F(PlayClockTest, isAFunctionOfItsSourceNotOfTicks) {
    clock.play();
    now = 1s;
    clock.tick();
    clock.tick();
    EXPECT_EQ(clock.time(), Picoseconds{2000});
    now = 3s;
    clock.tick();
    EXPECT_EQ(clock.time(), Picoseconds{6000});
}

TEST_F(PlayClockTest, goesOnWithoutAJumpAtAnotherSpeed) {
    clock.play();
    now = 1s;
    EXPECT_TRUE(clock.setSpeed(0.5));
    EXPECT_EQ(clock.time(), Picoseconds{2000});
    now = 2s;
    clock.tick();
    EXPECT_EQ(clock.time(), Picoseconds{3000});
    EXPECT_FALSE(clock.setSpeed(std::nan("")));
    EXPECT_FALSE(clock.setSpeed(0.5));
    clock.setSpeed(1e9);
    EXPECT_EQ(clock.speed(), PlayClock::fastest);
}

TEST_F(PlayClockTest, stopsAtTheEndUnlessItLoops) {
    clock.play();
    now = 5s;
    clock.tick();
    EXPECT_EQ(clock.time(), clock.duration());
    EXPECT_FALSE(clock.playing());
    EXPECT_TRUE(clock.play());
    EXPECT_EQ(clock.time(), Picoseconds{});
    clock.setLooping(true);
    now = 10s;
    clock.tick();
    EXPECT_EQ(clock.time(), Picoseconds{2000});
    EXPECT_TRUE(clock.playing());
}

TEST_F(PlayClockTest, staysWithinTheRun) {
    clock.seek(Picoseconds{-1});
    EXPECT_EQ(clock.time(), Picoseconds{});
    clock.seek(Picoseconds{9000});
    EXPECT_EQ(clock.time(), clock.duration());
    clock.load({}, 0);
    EXPECT_EQ(clock.time(), Picoseconds{});
    EXPECT_FALSE(clock.play());
}

TEST(ZoomHistory, staysWithinTheRunAndIsNeverTooShort) {
    ZoomHistory spans{Picoseconds{100'000}};
    EXPECT_TRUE(spans.show({Picoseconds{-500}, Picoseconds{1500}}, ZoomHistory::Undo::own));
    EXPECT_EQ(spans.span(), (VisibleSpan{Picoseconds{0}, Picoseconds{2000}}));
    spans.show({Picoseconds{99'999}, Picoseconds{100'000}}, ZoomHistory::Undo::own);
    EXPECT_EQ(spans.span(), (VisibleSpan{Picoseconds{99'000}, Picoseconds{100'000}}));
    spans.show({Picoseconds{-1}, Picoseconds{200'000}}, ZoomHistory::Undo::own);
    EXPECT_EQ(spans.span(), VisibleSpan{}) << "all of it is nothing in particular";
}

TEST(ZoomHistory, undoesJoinedStepsAsOne) {
    ZoomHistory spans{Picoseconds{100'000}};
    const VisibleSpan first{Picoseconds{0}, Picoseconds{50'000}};
    spans.show(first, ZoomHistory::Undo::own);
    for (const int end : {40'000, 30'000, 20'000})
        spans.show({Picoseconds{0}, Picoseconds{end}}, ZoomHistory::Undo::joined);
    EXPECT_FALSE(spans.show(spans.span(), ZoomHistory::Undo::own));
    EXPECT_TRUE(spans.undo());
    EXPECT_EQ(spans.span(), first);
    EXPECT_TRUE(spans.undo());
    EXPECT_EQ(spans.span(), VisibleSpan{});
    EXPECT_FALSE(spans.undo());
}

TEST(ZoomHistory, followsTheCursorPageByPage) {
    ZoomHistory spans{Picoseconds{100'000}};
    spans.show({Picoseconds{0}, Picoseconds{20'000}}, ZoomHistory::Undo::own);
    spans.follow(Picoseconds{20'000});
    EXPECT_EQ(spans.span().begin, Picoseconds{0});
    spans.follow(Picoseconds{21'000});
    EXPECT_EQ(spans.span(), (VisibleSpan{Picoseconds{20'000}, Picoseconds{40'000}}));
    spans.follow(Picoseconds{99'000});
    EXPECT_EQ(spans.span(), (VisibleSpan{Picoseconds{80'000}, Picoseconds{100'000}}));
    spans.undo();
    EXPECT_EQ(spans.span(), VisibleSpan{}) << "following is no step of its own";
}

}  // namespace
}  // namespace app::gui
