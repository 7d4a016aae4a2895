// SPDX-License-Identifier: BSD-3-Clause
// A picture over time under the mouse and the keyboard.
#include "app/gui/panels/diagram_panel.hpp"
#include "stage.hpp"

#include <QWheelEvent>

namespace app::gui {
namespace {

using engine::Picoseconds;

class DiagramTest : public testing::Test {
protected:
    DiagramTest() { stage.begin(); }

    Stage stage;
    Playback& playback = stage.window.playback();
    SpaceTimePanel& panel = stage.find<SpaceTimePanel>();
};

TEST_F(DiagramTest, zooms) {
    panel.setFocus();
    const Picoseconds all = playback.duration();
    const auto length = [&] { return playback.spanEnd() - playback.spanBegin(); };
    for (int i = 0; i < 3; ++i) QTest::keyClick(&panel, Qt::Key_W);
    EXPECT_LT(length(), all);
    const Picoseconds begin = playback.spanBegin();
    QTest::keyClick(&panel, Qt::Key_A);
    EXPECT_LT(playback.spanBegin(), begin);
    QTest::keyClick(&panel, Qt::Key_D);
    EXPECT_EQ(playback.spanBegin(), begin);
    for (int i = 0; i < 3; ++i) QTest::keyClick(&panel, Qt::Key_S);
    EXPECT_EQ(length(), all);
    QTest::keyClick(&panel, Qt::Key_F);
    EXPECT_LT(length(), all / 2);
    QTest::keyClick(&panel, Qt::Key_0);
    EXPECT_EQ(length(), all);
    QTest::keyClick(&panel, Qt::Key_Backspace);
    EXPECT_LT(length(), all / 2);

    playback.showAll();
    QWheelEvent wheel{QPointF{200, 60},
                      panel.mapToGlobal(QPointF{200, 60}),
                      {},
                      {0, 120},
                      Qt::NoButton,
                      Qt::NoModifier,
                      Qt::NoScrollPhase,
                      false};
    const Picoseconds kept = panel.axis()->time(200);
    QApplication::sendEvent(&panel, &wheel);
    EXPECT_LT(length(), all);
    EXPECT_NEAR(panel.axis()->pixel(kept), 200, 0.01);
}

TEST_F(DiagramTest, setsTheCursorWithAClickAndZoomsWithADragOnTheRuler) {
    const TimeAxis axis = *panel.axis();
    const int x = static_cast<int>(axis.left() + (axis.right() - axis.left()) / 4);
    QTest::mouseClick(&panel, Qt::LeftButton, {}, QPoint{x, panel.height() / 2});
    EXPECT_EQ(playback.state().time, axis.time(x));

    std::optional<int> ruler;
    for (int y = 0; y < panel.height() && !ruler; ++y) {
        const auto meaning = panel.meaningAt(QPointF(x, y));
        if (meaning && meaning->kind == Meaning::Kind::axis) ruler = y + 2;
    }
    ASSERT_TRUE(ruler) << "the diagram has no ruler";
    QTest::mousePress(&panel, Qt::LeftButton, {}, QPoint{x, *ruler});
    QTest::mouseMove(&panel, QPoint{x + 60, *ruler});
    QTest::mouseRelease(&panel, Qt::LeftButton, {}, QPoint{x + 60, *ruler});
    EXPECT_EQ(playback.spanBegin(), axis.time(x));
    EXPECT_EQ(playback.spanEnd(), axis.time(x + 60));
}

}  // namespace
}  // namespace app::gui
