// SPDX-License-Identifier: BSD-3-Clause
// Changes of round and of zoom that are eased: what is chosen is chosen at once, what is seen gets there.
#include "app/gui/playback/view_animation.hpp"
#include "app/gui/views/diagram_panel.hpp"
#include "tests/app/gui/window_fixture.hpp"

#include <QSignalSpy>

namespace app::gui {
namespace {

using engine::Picoseconds;
using namespace std::chrono_literals;

class EasingTest : public testing::Test {
protected:
    EasingTest() {
        playback.show(firstSubject());
        playback.setEased(true);
    }
    void pass(std::chrono::nanoseconds time) {
        clock.pass(time);
        playback.tick();
    }

    HandClock clock;
    Playback playback{clock.clock()};
};

TEST_F(EasingTest, goesToAnotherRoundWithinAMoment) {
    playback.step(+1);
    const Picoseconds from = playback.shown().time;
    playback.step(+1);
    pass(ViewAnimation::lasts);
    const Picoseconds begin = playback.state().time;
    ASSERT_GT(begin, from);
    EXPECT_EQ(playback.shown(), playback.state());
    playback.step(+1);
    const Picoseconds end = playback.state().time;
    ASSERT_GT(end, begin);
    EXPECT_EQ(playback.shown().time, begin) << "nothing is seen of it yet";
    Picoseconds last = begin;
    for (int k = 0; k < 5; ++k) {
        pass(30ms);
        EXPECT_GT(playback.shown().time, last);
        EXPECT_LT(playback.shown().time, end);
        EXPECT_EQ(playback.state().time, end);
        last = playback.shown().time;
    }
    pass(30ms);
    EXPECT_EQ(playback.shown(), playback.state());
    const QSignalSpy seen{&playback, &Playback::seenChanged};
    pass(1s);
    EXPECT_EQ(seen.count(), 0) << "it is over";
}

TEST_F(EasingTest, goesToAnotherPartOfTheTime) {
    playback.showSpan(playback.duration() / 4, playback.duration() / 2);
    pass(60ms);
    EXPECT_GT(playback.shown().spanBegin, Picoseconds{});
    EXPECT_LT(playback.shown().spanBegin, playback.duration() / 4);
    EXPECT_LT(playback.shown().spanEnd, playback.duration());
    EXPECT_GT(playback.shown().spanEnd, playback.duration() / 2);
    // Another wish on the way begins from what is seen.
    const ViewState there = playback.shown();
    playback.zoom(0.5, playback.duration() / 3);
    EXPECT_EQ(playback.shown().spanBegin, there.spanBegin);
    EXPECT_EQ(playback.shown().spanEnd, there.spanEnd);
    pass(ViewAnimation::lasts);
    EXPECT_EQ(playback.shown(), playback.state());
    playback.undoSpan();
    pass(90ms);
    EXPECT_NE(playback.shown(), playback.state());
    playback.showAll();
    pass(200ms);
    EXPECT_EQ(playback.shown(), playback.state());
}

TEST_F(EasingTest, isNotForWhoWantsNoMotionNorForTheHandAtTheCursor) {
    playback.seek(playback.duration() / 2);
    EXPECT_EQ(playback.shown(), playback.state()) << "the cursor is dragged";
    playback.pan(0.1);
    EXPECT_EQ(playback.shown(), playback.state());
    playback.setReduceMotion(true);
    playback.step(+1);
    EXPECT_EQ(playback.shown(), playback.state());
    playback.zoom(0.5, playback.duration() / 3);
    EXPECT_EQ(playback.shown(), playback.state());
}

TEST_F(EasingTest, isSeenInThePictures) {
    Stage stage;
    stage.begin();
    Playback& shown = stage.window.playback();
    stage.window.setEased(true);
    auto& diagram = stage.find<RunTimelinePanel>();
    const TimeAxis before = *diagram.axis();
    shown.showSpan(shown.duration() / 4, shown.duration() / 2);
    EXPECT_EQ(*diagram.axis(), before);
    stage.clock.pass(90ms);
    shown.tick();
    EXPECT_GT(diagram.axis()->begin(), before.begin());
    EXPECT_LT(diagram.axis()->begin(), shown.duration() / 4);
    stage.clock.pass(90ms);
    shown.tick();
    EXPECT_EQ(diagram.axis()->begin(), shown.duration() / 4);
}

}  // namespace
}  // namespace app::gui
