// SPDX-License-Identifier: BSD-3-Clause
// A picture over time under the mouse and the keyboard.
#include "app/gui/views/diagram_panel.hpp"
#include "app/gui/scenes/time/run_timeline_frame.hpp"
#include "app/gui/views/basic_views.hpp"
#include "tests/app/gui/window_fixture.hpp"

#include <QWheelEvent>

#include <set>

namespace app::gui {
namespace {

using engine::Picoseconds;

class DiagramTest : public testing::Test {
protected:
    DiagramTest() { stage.begin(); }

    Stage stage;
    Playback& playback = stage.window.playback();
    RunTimelinePanel& panel = stage.find<RunTimelinePanel>();
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

TEST_F(DiagramTest, zoomsGroupsAndFoldsRows) {
    panel.setFocus();
    const auto frame = [&] { return runTimelineFrame(*playback.subject(), playback.state(), panel.size()); };
    const auto turn = [&](int notches, Qt::KeyboardModifiers modifiers) {
        const QPointF at{200, frame().plot.center().y()};
        QWheelEvent wheel{at,        panel.mapToGlobal(at), {},   {0, 120 * notches}, Qt::NoButton,
                          modifiers, Qt::NoScrollPhase,     false};
        QApplication::sendEvent(&panel, &wheel);
    };
    const double all = frame().pitch;
    const Picoseconds begin = playback.spanBegin();
    turn(3, Qt::ControlModifier);
    EXPECT_GT(frame().pitch, all);
    EXPECT_NEAR(frame().top + frame().plot.height() / frame().pitch / 2, 5, 0.5) << "the middle of 10 stays there";
    EXPECT_EQ(playback.spanBegin(), begin) << "time stays";
    const double top = frame().top;
    QTest::keyClick(&panel, Qt::Key_PageDown);
    EXPECT_GT(frame().top, top);
    turn(1, Qt::AltModifier);
    QTest::keyClick(&panel, Qt::Key_PageUp);
    EXPECT_EQ(frame().top, 0);
    for (int k = 0; k < 6; ++k) QTest::keyClick(&panel, Qt::Key_Q);
    EXPECT_EQ(frame().pitch, all);

    QTest::keyClick(&panel, Qt::Key_G);
    EXPECT_EQ(playback.state().tracks.groups, ProgramTimelineView::Groups::communicator)
        << "a full network has no nodes";
    ASSERT_EQ(frame().groups.size(), 2U);
    EXPECT_EQ(frame().groups[0].name, "group A, senders");
    QTest::keyClick(&panel, Qt::Key_G, Qt::ShiftModifier);
    EXPECT_EQ(frame().rowCount, 2U);
    QTest::keyClick(&panel, Qt::Key_G, Qt::ShiftModifier);
    EXPECT_EQ(frame().rowCount, 10U);
    const std::vector<Shape> shapes = panel.shapes();
    const auto name = std::find_if(shapes.begin(), shapes.end(), [](const Shape& shape) {
        return shape.kind == Shape::Kind::text && shape.meaning == Meaning{Meaning::Kind::group, 0, -1};
    });
    ASSERT_NE(name, shapes.end());
    QTest::mouseClick(&panel, Qt::LeftButton, {}, name->box.center().toPoint());
    EXPECT_EQ(frame().rowCount, 7U) << "4 senders in one row, 6 receivers";
    const QPointF row{frame().plot.center().x(), frame().topOf(0) + frame().pitch / 2};
    EXPECT_TRUE(panel.tipAt(row).startsWith("group A, senders, 4 ranks: ")) << panel.tipAt(row).toStdString();
    QTest::keyClick(&panel, Qt::Key_G);
    EXPECT_EQ(frame().rowCount, 10U);
    EXPECT_TRUE(frame().groups.empty());
}

TEST_F(DiagramTest, lightsTheChainOfWhatIsUnderThePointer) {
    auto& network = stage.find<NetworkPanel>();
    const auto lines = [&](ViewWidget& view) {
        std::size_t count = 0;
        for (const Shape& shape : view.shapes())
            if ((shape.kind == Shape::Kind::line || shape.kind == Shape::Kind::arrow) && shape.width == 2.6 &&
                shape.pen == paletteFor(false).accent)
                ++count;
        return count;
    };
    const std::vector<Shape> shapes = panel.shapes();
    const auto message = std::find_if(shapes.rbegin(), shapes.rend(),
                                      [](const Shape& shape) { return shape.meaning.kind == Meaning::Kind::message; });
    ASSERT_NE(message, shapes.rend());
    EXPECT_EQ(lines(panel), 0U);
    const QPoint at = QLineF{message->from, message->to}.center().toPoint();
    QTest::mouseMove(&panel, at);
    const auto lit = playback.state().lit;
    ASSERT_TRUE(lit);
    const auto chain = playback.subject()->chainTo(*lit);
    ASSERT_TRUE(chain);
    ASSERT_GT(chain->messages.size(), 2U) << "the last message of a ring has others before it";
    EXPECT_EQ(chain->messages.back(), *lit);
    EXPECT_GE(lines(panel), chain->messages.size());
    EXPECT_GE(lines(network), chain->messages.size());
    EXPECT_FALSE(playback.state().message) << "nothing is selected";
    // A bar stands for the message that its rank is in.
    const engine::MessageRecord last = playback.subject()->run().messages[*lit];
    const RunTimelineFrame frame = runTimelineFrame(*playback.subject(), playback.state(), panel.size());
    const QPointF bar{frame.axis.pixel(last.receiveEnd) - 2, frame.middleOf(last.to)};
    EXPECT_EQ(panel.messageAt(bar), lit);
    QEvent leaves{QEvent::Leave};
    QApplication::sendEvent(&panel, &leaves);
    EXPECT_FALSE(playback.state().lit);
    EXPECT_EQ(lines(panel) + lines(network), 0U);
}

TEST_F(DiagramTest, takesADragForNoClick) {
    auto& network = stage.find<NetworkPanel>();
    const auto drag = [](QWidget& widget, QPoint from, QPoint to) {
        QTest::mousePress(&widget, Qt::LeftButton, {}, from);
        QMouseEvent move{QEvent::MouseMove, QPointF{to},    widget.mapToGlobal(QPointF{to}),
                         Qt::NoButton,      Qt::LeftButton, {}};
        QApplication::sendEvent(&widget, &move);
        QTest::mouseRelease(&widget, Qt::LeftButton, {}, to);
    };
    const auto rankIn = [&](ViewWidget& view) {
        const std::vector<Shape> shapes = view.shapes();
        const auto found = std::ranges::find(shapes, Meaning{Meaning::Kind::rank, 2, -1}, &Shape::meaning);
        EXPECT_NE(found, shapes.end());
        return found->box.center().toPoint();
    };
    for (ViewWidget* view : {static_cast<ViewWidget*>(&panel), static_cast<ViewWidget*>(&network)}) {
        const QPoint at = rankIn(*view);
        drag(*view, at, at + QPoint{40, 12});
        EXPECT_FALSE(playback.state().rank) << view->accessibleName().toStdString();
        drag(*view, at, at + QPoint{1, 1});
        EXPECT_EQ(playback.state().rank, engine::Rank{2}) << view->accessibleName().toStdString();
        playback.selectRank(std::nullopt);
    }
    // In the network it moves what is larger than its card.
    const QPoint at = rankIn(network);
    QWheelEvent wheel{
        QPointF{at}, network.mapToGlobal(QPointF{at}), {}, {0, 360}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
        false};
    QApplication::sendEvent(&network, &wheel);
    EXPECT_GT(playback.state().lens.zoom, 1.5);
    const Lens before = playback.state().lens;
    drag(network, at, at + QPoint{-30, 0});
    EXPECT_GT(playback.state().lens.middle.x(), before.middle.x());
    EXPECT_FALSE(playback.state().rank);
    network.setFocus();
    QTest::keyClick(&network, Qt::Key_0);
    EXPECT_EQ(playback.state().lens, Lens{});
    QTest::keyClick(&network, Qt::Key_W);
    EXPECT_GT(playback.state().lens.zoom, 1);
}

TEST_F(DiagramTest, lightsTheChainInTheStripAndInHoldings) {
    auto& strip = stage.find<ViewWidget>("Round by round");
    auto& holdings = stage.find<OwnershipPanel>();
    const QColor accent = paletteFor(false).accent;
    const auto inStrip = [&] {
        std::set<std::int64_t> found;
        for (const Shape& shape : strip.shapes())
            if (shape.meaning.kind == Meaning::Kind::message && shape.pen == accent) found.insert(shape.meaning.index);
        return found;
    };
    const auto inHoldings = [&] {
        std::set<std::pair<std::int64_t, std::int64_t>> found;
        for (const Shape& shape : holdings.shapes())
            if (shape.meaning.kind == Meaning::Kind::block && shape.width == 2 && shape.pen == accent)
                found.insert({shape.meaning.index, shape.meaning.second});
        return found;
    };
    playback.seek(playback.duration());
    EXPECT_TRUE(inStrip().empty());
    EXPECT_TRUE(inHoldings().empty());
    // Rank 5 gets block 0 last: the chain behind its cell is that of the message which brought it.
    const std::vector<Shape> shapes = holdings.shapes();
    const auto cell = std::ranges::find(shapes, Meaning{Meaning::Kind::block, 0, 5}, &Shape::meaning);
    ASSERT_NE(cell, shapes.end());
    QTest::mouseMove(&holdings, cell->box.center().toPoint());
    const auto lit = playback.state().lit;
    ASSERT_TRUE(lit);
    const engine::Messages& messages = playback.subject()->run().messages;
    EXPECT_EQ(messages.to()[*lit], engine::Rank{5});
    EXPECT_TRUE(playback.subject()->carries(*lit, 0));
    const auto chain = playback.subject()->chainTo(*lit);
    ASSERT_GT(chain->messages.size(), 2U);
    EXPECT_EQ(inStrip(), (std::set<std::int64_t>{chain->messages.begin(), chain->messages.end()}));
    std::set<std::pair<std::int64_t, std::int64_t>> brought;
    for (const std::uint32_t message : chain->messages)
        for (std::int32_t column = 0; column < playback.subject()->columns().count(); ++column)
            if (playback.subject()->carries(message, column)) brought.insert({column, messages.to()[message].value});
    EXPECT_EQ(inHoldings(), brought);
}

}  // namespace
}  // namespace app::gui
