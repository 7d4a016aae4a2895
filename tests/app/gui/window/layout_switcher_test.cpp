// SPDX-License-Identifier: BSD-3-Clause
// The four layouts: what each shows, that what a user moved comes back, and that work chooses its own.
#include "app/gui/window/layout_switcher.hpp"

#include "app/gui/comparison/differences_panel.hpp"
#include "app/gui/setup/chip_bar.hpp"
#include "app/gui/setup/setup_panel.hpp"
#include "app/gui/views/card.hpp"
#include "app/gui/views/diagram_panel.hpp"
#include "app/gui/views/network_and_timeline.hpp"
#include "app/gui/views/view_widget.hpp"
#include "app/teaching/panels/teach_panel.hpp"
#include "tests/app/gui/window_fixture.hpp"

#include <set>
#include <tuple>

namespace app::gui {
namespace {

using Names = std::set<std::string>;

class DeskTest : public testing::Test {
protected:
    DeskTest() {
        window.resize(1366, 768);
        stage.begin();
        settle();
    }
    static void settle() {
        for (int turn = 0; turn < 20; ++turn) QTest::qWait(1);
    }
    /// Docks that are open, and those of them that nobody else covers.
    Names open() const {
        Names names;
        for (const QDockWidget* dock : window.contents().docks.all())
            if (!dock->isHidden()) names.insert(dock->objectName().toStdString());
        return names;
    }
    Names seen() const {
        Names names;
        for (const QDockWidget* dock : window.contents().docks.all())
            if (!dock->isHidden() && !dock->visibleRegion().isEmpty()) names.insert(dock->objectName().toStdString());
        return names;
    }
    ChipButton& chip(const QString& label) {
        for (ChipButton* each : window.contents().chips->chips())
            if (each->label() == label) return *each;
        throw std::runtime_error{"no chip is called " + label.toStdString()};
    }
    QStringList chips() {
        QStringList words;
        for (const ChipButton* each : window.contents().chips->chips()) words << each->accessibleName();
        return words;
    }

    Stage stage;
    MainWindow& window = stage.window;
    LayoutSwitcher& desk = window.desk();
};

TEST(Layouts, giveEveryPanelAPlaceOfItsOwn) {
    for (const Layout layout : layouts) {
        std::set<std::tuple<DockSide, int, int>> places;
        for (const DockRow& row : dockRows())
            EXPECT_TRUE(places.emplace(row.in(layout).side, row.in(layout).stack, row.in(layout).tab).second)
                << row.name << " in " << name(layout).toStdString();
        const Plan plan = planOf(layout);
        std::size_t placed = 0;
        for (const auto* side : {&plan.left, &plan.right, &plan.bottom})
            for (const Plan::Stack& stack : *side) {
                EXPECT_FALSE(stack.empty()) << name(layout).toStdString();
                placed += stack.size();
            }
        EXPECT_EQ(placed, dockCount);
        EXPECT_EQ(layoutNamed(name(layout)), layout);
    }
}

TEST_F(DeskTest, showsInEachLayoutWhatItIsFor) {
    EXPECT_EQ(desk.layout(), Layout::inspect);
    EXPECT_EQ(seen(), (Names{"explanation", "holdings", "strip", "bounds"}));
    desk.choose(Layout::learn);
    settle();
    EXPECT_EQ(seen(), (Names{"lesson", "holdings", "strip"}));
    desk.choose(Layout::compare);
    settle();
    EXPECT_EQ(seen(), Names{});
    desk.choose(Layout::analyse);
    settle();
    EXPECT_EQ(seen(), (Names{"details", "answers", "charts"}));
}

TEST_F(DeskTest, bringsBackHowEachLayoutWasLeft) {
    window.contents().docks[Dock::bounds].close();
    window.contents().docks[Dock::notes].show();
    settle();
    const Names left = open();
    desk.choose(Layout::analyse);
    settle();
    EXPECT_NE(open(), left);
    desk.choose(Layout::inspect);
    settle();
    EXPECT_EQ(open(), left);
    desk.reset();
    settle();
    EXPECT_TRUE(open().contains("bounds"));
    EXPECT_FALSE(open().contains("notes"));
}

/// How wide the docks of each side are, that can be seen.
std::pair<int, int> sidesOf(const MainWindow& window) {
    std::pair<int, int> sides;
    for (QDockWidget* dock : window.findChildren<QDockWidget*>(QString{}, Qt::FindDirectChildrenOnly)) {
        if (dock->isHidden() || dock->isFloating() || dock->visibleRegion().isEmpty()) continue;
        if (window.dockWidgetArea(dock) == Qt::LeftDockWidgetArea) sides.first = dock->width();
        if (window.dockWidgetArea(dock) == Qt::RightDockWidgetArea) sides.second = dock->width();
    }
    return sides;
}

/// A layout that was left in a window of another width, and one that is chosen before the window has settled.
TEST_F(DeskTest, givesSidesTheWidthThatTheirLayoutHasInThisWindow) {
    std::map<std::pair<int, Layout>, std::pair<int, int>> fresh;
    constexpr std::array widths{700, 800, 1400, 2400};
    for (const int width : widths)
        for (const Layout layout : {Layout::learn, Layout::inspect, Layout::analyse}) {
            Stage other;
            other.window.resize(width, 900);
            other.begin();
            settle();
            other.window.desk().choose(layout);
            other.window.desk().reset();
            settle();
            fresh[{width, layout}] = sidesOf(other.window);
        }
    for (const int from : widths)
        for (const int to : widths)
            for (const Layout layout : {Layout::learn, Layout::inspect, Layout::analyse}) {
                window.resize(from, 900);
                for (const Layout each : layouts) desk.choose(each);
                settle();
                window.resize(to, 900);
                desk.choose(Layout::compare);
                desk.choose(layout);
                settle();
                const auto [left, right] = sidesOf(window);
                const auto [expectedLeft, expectedRight] = fresh[{to, layout}];
                EXPECT_NEAR(left, expectedLeft, 4) << from << " to " << to << ", " << name(layout).toStdString();
                EXPECT_NEAR(right, expectedRight, 4) << from << " to " << to << ", " << name(layout).toStdString();
            }
}

/// Also where nobody chooses anything.
TEST_F(DeskTest, givesSidesTheirWidthBackWhereThereIsRoomAgain) {
    window.resize(1400, 900);
    desk.reset();
    settle();
    const auto before = sidesOf(window);
    window.resize(800, 900);
    settle();
    EXPECT_LT(sidesOf(window).first, before.first);
    window.resize(1400, 900);
    settle();
    EXPECT_NEAR(sidesOf(window).first, before.first, 4);
    EXPECT_NEAR(sidesOf(window).second, before.second, 4);
}

TEST(LayoutSwitcher, keepsLayoutsFromStartToStart) {
    const QTemporaryDir folder;
    {
        Stage stage{folder.filePath("settings.ini")};
        stage.begin();
        stage.window.contents().docks[Dock::bounds].close();
        stage.window.desk().choose(Layout::learn);
        stage.window.close();
    }
    Stage stage{folder.filePath("settings.ini")};
    EXPECT_EQ(stage.window.notice(), "");
    EXPECT_EQ(stage.window.desk().layout(), Layout::learn);
    EXPECT_TRUE(stage.find<QToolButton>("Layout: Learn").isChecked());
    stage.window.desk().choose(Layout::inspect);
    EXPECT_TRUE(QTest::qWaitFor([&] { return stage.window.contents().docks[Dock::bounds].isHidden(); }, 2000));
}

TEST_F(DeskTest, isChosenByWhatIsDone) {
    window.comparison().compareWith("halfduplex-allgather/ring-belts");
    stage.settle();
    EXPECT_EQ(desk.layout(), Layout::compare);
    window.comparison().stop();
    EXPECT_EQ(desk.layout(), Layout::inspect);
    window.teaching().start(0);
    stage.settle();
    EXPECT_EQ(desk.layout(), Layout::learn);
    window.contents().teach->leave();
    EXPECT_EQ(desk.layout(), Layout::inspect);
}

/// The begin and the end of time lie at the same places of the screen for both runs.
TEST_F(DeskTest, putsTwoRunsOnOneAxisAboveEachOther) {
    window.comparison().compareWith("halfduplex-allgather/ring-belts");
    stage.settle();
    settle();
    auto& a = stage.find<RunTimelinePanel>("Timeline");
    auto& b = stage.find<RunTimelinePanel>("Timeline of the second run");
    const auto axisOf = [&](RunTimelinePanel& panel, const Playback& playback) {
        const TimeAxis axis = runTimelineAxis(*playback.subject(), playback.state(), QSizeF{panel.size()});
        const double left = panel.mapTo(&window, QPoint{}).x();
        return std::tuple{axis.begin(), axis.end(), left + axis.left(), left + axis.right()};
    };
    EXPECT_EQ(axisOf(a, window.playback()), axisOf(b, window.other()));
    EXPECT_LE(a.mapTo(&window, QPoint{0, a.height()}).y(), b.mapTo(&window, QPoint{}).y());
    EXPECT_GT(a.height(), 120);
    EXPECT_EQ(window.contents().pictures->run(), "Ring streams");
    EXPECT_EQ(window.contents().otherSide->run(), "Ring belts");
    EXPECT_EQ(chips().mid(0, 2), (QStringList{"Ring streams", "against Ring belts"}));
    desk.choose(Layout::inspect);
    settle();
    EXPECT_EQ(axisOf(a, window.playback()), axisOf(b, window.other())) << "no room for them side by side";
    window.resize(1920, 1080);
    settle();
    EXPECT_LE(a.mapTo(&window, QPoint{a.width(), 0}).x(), b.mapTo(&window, QPoint{}).x());
}

TEST_F(DeskTest, namesLateAndSlowRanksInSentences) {
    RunWish wish;
    wish.algorithm = "bcast/binomial-tree";
    wish.problem.ranks = 8;
    wish.perturbation = emulation::perturbationFromText("arrival=late:5,20us slow-ranks=3:2");
    window.contents().chips->show(std::make_shared<const DrawableRun>(execute(wish)), "late");
    EXPECT_TRUE(chips().contains(QStringLiteral("rank 5 starts 20 \u00b5s late"))) << chips().join('|').toStdString();
    EXPECT_TRUE(chips().contains("rank 3 takes 2 times as long")) << chips().join('|').toStdString();
}

TEST_F(DeskTest, saysOnCardsWhatTheirPicturesAreAbout) {
    const auto fact = [&](Dock dock) { return window.contents().docks.titleOf(dock).fact(); };
    EXPECT_EQ(fact(Dock::roundStrip), "7 rounds, one-block bound 6");
    EXPECT_EQ(fact(Dock::explanation), "round 4 of 7");
    window.playback().seekRound(engine::Round{1});
    window.playback().selectBlock(2);
    EXPECT_EQ(fact(Dock::explanation), "round 2 of 7");
}

TEST_F(DeskTest, saysInChipsTheRangeOfUnequalSizes) {
    RunWish wish{.algorithm = "allgatherv/linear-ring"};
    wish.problem.ranks = 12;
    wish.problem.sizes = "linear";
    const DrawableRunPtr before = window.playback().subject();
    window.setup().setWish(wish);
    window.setup().runNow();
    stage.settleAfter(before);
    stage.settle();
    EXPECT_EQ(chips().mid(0, 3), (QStringList{"Linear ring", "n 12", "each 0 B to 128 KiB"}))
        << chips().join('|').toStdString();
}

TEST_F(DeskTest, saysInChipsWhatIsRunAndOpensTheSetUpAtEach) {
    EXPECT_EQ(chips(), (QStringList{"Ring streams", "p 4", "q 6", "each 64 KiB", "on ring", "\u03b1 1 \u00b5s",
                                    "\u03b2 0.4 ns/B"}));
    EXPECT_FALSE(open().contains("setup"));
    const std::pair<QString, QString> leads[] = {
        {"each", "Size"}, {"\u03b1", "Startup \u03b1"}, {"q", "Ranks of group B, q"}};
    for (const auto& [label, field] : leads) {
        chip(label).setFocus();
        QTest::keyClick(&chip(label), Qt::Key_Space);
        EXPECT_TRUE(seen().contains("setup"));
        ASSERT_NE(QApplication::focusWidget(), nullptr);
        EXPECT_EQ(QApplication::focusWidget()->accessibleName(), field);
        EXPECT_FALSE(QApplication::focusWidget()->visibleRegion().isEmpty());
    }
}

TEST_F(DeskTest, countsChipsThatHaveNoRoom) {
    const auto visible = [&] {
        qsizetype count = 0;
        for (const ChipButton* each : window.contents().chips->chips()) count += each->isVisible() ? 1 : 0;
        return count;
    };
    EXPECT_EQ(visible(), 7);
    window.resize(900, 600);
    settle();
    const qsizetype left = visible();
    ASSERT_LT(left, 7);
    auto& more = stage.find<ChipButton>(QStringLiteral("%1 more").arg(7 - left));
    EXPECT_TRUE(more.isVisible());
    EXPECT_TRUE(more.toolTip().contains("ns/B"));
}

TEST_F(DeskTest, namesTheFollowedBlockWhereItsWayIsDrawn) {
    window.playback().selectBlock(2);
    for (const char* name : {"Network", "Timeline"}) {
        auto& view = stage.find<ViewWidget>(name);
        const std::vector<Shape> shapes = view.shapes();
        EXPECT_TRUE(std::ranges::any_of(shapes, [](const Shape& shape) { return shape.text == "block 2, followed"; }))
            << name;
    }
}

TEST_F(DeskTest, foldsTheLegendsOfAllPictures) {
    auto& diagram = stage.find<RunTimelinePanel>("Timeline");
    const auto says = [&](const QString& words) {
        int found = 0;
        for (ViewWidget* view : window.findChildren<ViewWidget*>())
            if (view->isVisible())
                for (const Shape& shape : view->shapes()) found += shape.text == words ? 1 : 0;
        return found;
    };
    EXPECT_GT(says("sending and receiving"), 0);
    EXPECT_GT(says("arrived since the round began"), 0);
    diagram.setFocus();
    QTest::keyClick(&diagram, Qt::Key_K);
    EXPECT_EQ(says("sending and receiving"), 0);
    EXPECT_EQ(says("arrived since the round began"), 0);
    window.playback().show(firstSubject());
    EXPECT_EQ(says("sending and receiving"), 0) << "another run changes no wish";
    QTest::keyClick(&diagram, Qt::Key_K);
    EXPECT_GT(says("sending and receiving"), 0);
}

}  // namespace
}  // namespace app::gui
