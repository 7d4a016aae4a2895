// SPDX-License-Identifier: BSD-3-Clause
// The sliders: the run follows, one at a time and the latest last, and a line stays where it ended before.
#include "app/gui/setup/setup_panel.hpp"
#include "app/gui/views/diagram_panel.hpp"
#include "app/gui/what_if/sliders_panel.hpp"
#include "app/gui/what_if/sweep_panel.hpp"
#include "app/session/options/recorded.hpp"
#include "tests/app/gui/window_fixture.hpp"

namespace app::gui {
namespace {

using engine::Picoseconds;

class SlidersTest : public testing::Test {
protected:
    SlidersTest() {
        stage.begin();
        window.contents().docks.bringUp(Dock::whatIf);
    }
    QSlider& slider(const QString& field) { return stage.find<QSlider>("Slider: " + field); }
    RunWish shown() { return unpinned(wishBehind(window.playback().subject()->report()).value()); }
    /// The run that is shown is the one that its wish leads to.
    void expectTrue() { EXPECT_EQ(window.playback().duration(), execute(shown()).run->duration); }

    Stage stage;
    MainWindow& window = stage.window;
    SlidersPanel& panel = *window.contents().sliders;
};

TEST_F(SlidersTest, letTheRunFollowAndKeepTheOldEnd) {
    const Picoseconds before = window.playback().duration();
    slider("Startup \u03b1").setValue(slider("Startup \u03b1").value() + 10);
    stage.settle();
    EXPECT_GT(shown().model.alpha, Picoseconds{1'000'000});
    EXPECT_EQ(shown().problem, firstWish().problem) << "what is not moved stays exact";
    expectTrue();
    EXPECT_EQ(window.playback().state().before, before);
    EXPECT_TRUE(panel.said().startsWith(QStringLiteral("Before 190.5 \u00b5s, now "))) << panel.said().toStdString();
    EXPECT_TRUE(panel.said().endsWith("% more"));
    // The axis has room for both ends, and says which is which.
    auto& diagram = stage.find<RunTimelinePanel>("Timeline");
    int lines = 0;
    for (const Shape& shape : diagram.shapes()) lines += shape.tip.startsWith("the end before the change") ? 1 : 0;
    EXPECT_EQ(lines, 1);
}

TEST_F(SlidersTest, showTheLatestOfManyMoves) {
    QSlider& size = slider("Size");
    for (int value = 0; value <= 20; ++value) size.setValue(value);
    stage.settle();
    EXPECT_TRUE(QTest::qWaitFor([&] { return shown().problem.size == 1 << 20; }, 5000)) << shown().problem.size;
    expectTrue();
    EXPECT_EQ(window.setup().wish()->problem.size, 1 << 20) << "the set-up says the same";
}

TEST_F(SlidersTest, goBackToWhatItWas) {
    const Picoseconds before = window.playback().duration();
    slider("Group A").setValue(slider("Group A").value() + 30);
    stage.settle();
    EXPECT_NE(shown(), unpinned(firstWish()));
    QTest::mouseClick(&stage.find<QPushButton>("Settings from before the sliders were moved"), Qt::LeftButton);
    stage.settle();
    EXPECT_EQ(window.playback().duration(), before);
    EXPECT_EQ(window.playback().state().before, Picoseconds{});
    EXPECT_EQ(shown().problem, firstWish().problem);
}

TEST_F(SlidersTest, sayWhyARunCannotBeAndLeaveThePictureAlone) {
    RunWish wish;
    wish.algorithm = "allgatherv/recursive-doubling";
    wish.problem.ranks = 8;
    const DrawableRunPtr before = window.playback().subject();
    window.setup().setWish(wish);
    window.setup().runNow();
    stage.settleAfter(before);
    stage.settle();
    const DrawableRunPtr eight = window.playback().subject();
    QSlider& ranks = slider("Ranks");
    ranks.setValue(ranks.value() + 5);
    stage.settle();
    EXPECT_EQ(window.playback().subject(), eight);
    EXPECT_TRUE(panel.said().contains("power-of-two")) << panel.said().toStdString();
}

TEST_F(SlidersTest, areThereForWhatTheRunHas) {
    EXPECT_TRUE(slider("Group A").isVisible());
    EXPECT_FALSE(slider("Ranks").isVisible());
    QSlider& ranks = slider("Group A");
    ranks.setValue(ranks.maximum());
    slider("Group B").setValue(slider("Group B").maximum());
    stage.settle();
    EXPECT_TRUE(panel.said().contains("press Run"))
        << "a million messages follow no slider: " << panel.said().toStdString();
}

TEST_F(SlidersTest, markTheRunOnTheCurvesOfAllAlgorithms) {
    SweepPanel& sweep = panel.sweep();
    const auto wait = [&] { return QTest::qWaitFor([&] { return !sweep.busy(); }, 60'000); };
    sweep.start();
    ASSERT_TRUE(wait());
    ASSERT_FALSE(sweep.chart().empty());
    ASSERT_TRUE(sweep.chart().here);
    EXPECT_EQ(sweep.chart().here->x, 65536);
    EXPECT_DOUBLE_EQ(sweep.chart().here->y, engine::seconds(window.playback().duration()));
    // The point of the run lies on its line.
    const auto& line = sweep.chart().lines.front().points;
    const auto at = std::ranges::find(line, 65536.0, &Chart::Point::x);
    ASSERT_NE(at, line.end());
    EXPECT_DOUBLE_EQ(at->y, sweep.chart().here->y);
    const Chart before = sweep.chart();
    slider("Byte \u03b2").setValue(slider("Byte \u03b2").value() + 20);
    stage.settle();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !sweep.busy() && !sweep.chart().before.empty(); }, 60'000));
    EXPECT_EQ(sweep.chart().before.front().points, before.lines.front().points);
    stage.find<QComboBox>("What varies").setCurrentIndex(1);
    sweep.start();
    ASSERT_TRUE(wait());
    EXPECT_EQ(sweep.chart().across.name, "ranks");
    EXPECT_EQ(sweep.chart().here->x, 10);
    EXPECT_TRUE(sweep.chart().before.empty()) << "another axis has no old line";
}

}  // namespace
}  // namespace app::gui
