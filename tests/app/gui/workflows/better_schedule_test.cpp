// SPDX-License-Identifier: BSD-3-Clause
// The search for a better schedule, below the bounds: its button, its answer, and the schedule that it finds.
#include "app/gui/setup/setup_panel.hpp"
#include "app/gui/what_if/better_schedule_panel.hpp"
#include "app/gui/widgets/run_progress.hpp"
#include "tests/app/gui/window_fixture.hpp"

namespace app::gui {
namespace {

class BetterScheduleTest : public testing::Test {
protected:
    void show(const RunWish& wish) {
        stage.begin();
        const DrawableRunPtr before = window.playback().subject();
        window.setup().setWish(wish);
        window.setup().runNow();
        stage.settleAfter(before);
        stage.settle();
        window.contents().docks.bringUp(Dock::bounds);
    }
    void wait() {
        EXPECT_TRUE(QTest::qWaitFor([&] { return !panel.busy(); }, 60'000));
    }

    Stage stage;
    MainWindow& window = stage.window;
    BetterSchedulePanel& panel = *window.contents().better;
    QPushButton& start = *panel.findChild<QPushButton*>();
};

/// On a torus of 4 x 4 the belts take 5 rounds; each rank is at most 4 links from every other one.
RunWish belts() {
    RunWish wish{.algorithm = "halfduplex-allgather/torus-belts"};
    wish.problem.groupA = 8;
    wish.problem.groupB = 8;
    wish.network.topology = "torus:4x4";
    return wish;
}

TEST_F(BetterScheduleTest, opensTheScheduleThatItFound) {
    show(belts());
    EXPECT_EQ(window.playback().subject()->report().startups(), 5);
    ASSERT_TRUE(start.isVisible());
    QTest::mouseClick(&start, Qt::LeftButton);
    EXPECT_TRUE(panel.busy());
    EXPECT_FALSE(start.isVisible());
    wait();
    EXPECT_TRUE(
        panel.said().startsWith("torus-belts takes 5 rounds and 8 serialized blocks; a schedule with 4 rounds "
                                "and 8 serialized blocks exists, as few as the lower bounds. "))
        << panel.said().toStdString();
    EXPECT_TRUE(panel.said().endsWith("<a href=\"rounds\">Open it</a>")) << panel.said().toStdString();
    const DrawableRunPtr before = window.playback().subject();
    Q_EMIT stage.find<QLabel>("Better schedules").linkActivated("rounds");
    stage.settleAfter(before);
    stage.settle();
    const Report& found = window.playback().subject()->report();
    EXPECT_EQ(found.startups(), 4);
    EXPECT_EQ(found.serializedBytes(), before->report().serializedBytes());
    EXPECT_EQ(found.network->name(), "torus:4x4");
    EXPECT_TRUE(found.verdict && found.verdict->proved);
    EXPECT_FALSE(start.isVisible()) << "4 rounds and 8 blocks attain the bounds";
    EXPECT_EQ(panel.said(), "");
}

/// Ring streams take 7 rounds and 7 blocks. Both searches, for fewer rounds and for fewer blocks, end with 6 of each.
TEST_F(BetterScheduleTest, namesAScheduleOnceThatBothSearchesFind) {
    RunWish wish{.algorithm = "halfduplex-allgather/ring-streams"};
    wish.problem.groupA = 4;
    wish.problem.groupB = 6;
    wish.network.topology = "ring";
    show(wish);
    QTest::mouseClick(&start, Qt::LeftButton);
    wait();
    EXPECT_EQ(panel.said().count("exists"), 1) << panel.said().toStdString();
    EXPECT_EQ(panel.said().count("Open"), 1) << panel.said().toStdString();
}

// A segmented chain on a ring of 5 takes more rounds than its bound, but its serialized bytes are those of 2 blocks, in
// which no schedule without split contributions reaches ranks that are two links away from the root on both sides.
TEST_F(BetterScheduleTest, saysThatThereIsNone) {
    RunWish wish{.algorithm = "bcast/pipelined-chain"};
    wish.problem.ranks = 5;
    wish.network.topology = "ring";
    show(wish);
    ASSERT_TRUE(start.isVisible());
    QTest::mouseClick(&start, Qt::LeftButton);
    wait();
    EXPECT_TRUE(panel.said().contains(
        "; no schedule without split contributions in which only neighbours exchange messages has fewer rounds with as many blocks "
        "(proved in "))
        << panel.said().toStdString();
    EXPECT_FALSE(panel.said().contains("href")) << panel.said().toStdString();
}

TEST_F(BetterScheduleTest, isNotOfferedWhereTheBoundsAreAttained) {
    RunWish wish{.algorithm = "allgatherv/recursive-doubling"};
    wish.problem.ranks = 8;  // 3 rounds and 7 blocks, as few as any schedule
    show(wish);
    EXPECT_FALSE(start.isVisible());
}

TEST_F(BetterScheduleTest, canBeCancelled) {
    RunWish wish{.algorithm = "intergroup-allgatherv/balanced"};
    wish.problem.groupA = 9;
    wish.problem.groupB = 11;
    show(wish);
    QTest::mouseClick(&start, Qt::LeftButton);
    auto& progress = *panel.findChild<RunProgress*>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return progress.isVisible(); }, 20'000));
    EXPECT_TRUE(panel.busy());
    QTest::mouseClick(progress.findChild<QPushButton*>(), Qt::LeftButton);
    EXPECT_FALSE(panel.busy());
    EXPECT_TRUE(start.isVisible());
    EXPECT_EQ(panel.said(), "");
}

}  // namespace
}  // namespace app::gui
