// SPDX-License-Identifier: BSD-3-Clause
// A schedule that is played by hand in the window: by clicks and by the form, with the verdict of the search.
#include "app/gui/widgets/run_progress.hpp"
#include "app/teaching/panels/game_panel.hpp"
#include "app/teaching/panels/task_panel.hpp"
#include "app/teaching/panels/teach_panel.hpp"
#include "tests/app/gui/window_fixture.hpp"
#include "tests/support/places.hpp"

#include <QSignalSpy>

namespace app::gui {
namespace {

class GameTest : public testing::Test {
protected:
    void begin() {
        window.open(QString::fromStdString((support::sourceFolder() / "resources/tasks/moves-bcast.task").string()));
        stage.settle();
        press("Play by hand");
    }
    void press(const QString& name) {
        QTest::mouseClick(&stage.find<QPushButton>(name), Qt::LeftButton);
        stage.settle();
    }
    void click(Meaning::Kind kind, int index, int second = -1) {
        window.playback().select(Meaning{kind, index, second});
        stage.settle();
    }
    void move(int from, int to) {
        click(Meaning::Kind::rank, from);
        click(Meaning::Kind::rank, to);
    }
    [[nodiscard]] std::size_t messages() { return window.playback().subject()->run().messages.size(); }

    Stage stage;
    MainWindow& window = stage.window;
    GamePanel& panel = *window.contents().game;
    TaskPanel& task = *window.contents().task;
};

TEST_F(GameTest, isPlayedByClicks) {
    begin();
    EXPECT_TRUE(panel.isVisible());
    EXPECT_EQ(window.presenter().name(), "played-by-hand.json");
    EXPECT_EQ(window.playback().subject()->report().network->name(), "mesh:3x3");
    EXPECT_EQ(messages(), 0U);
    EXPECT_EQ(panel.verdict(), "The optimum is 4 rounds.");
    click(Meaning::Kind::rank, 0);
    EXPECT_EQ(window.playback().state().rank, engine::Rank{0});
    EXPECT_EQ(panel.said(), "Rank 0 sends. Click the receiver.");
    click(Meaning::Kind::rank, 1);
    EXPECT_EQ(messages(), 1U);
    EXPECT_TRUE(window.playback().subject()->isUnfinished()) << "before its end a game is not wrong";
    move(0, 4);
    EXPECT_EQ(panel.said(), "Ranks 0 and 4 are not neighbours on the network.");
    EXPECT_EQ(messages(), 1U) << "a wrong move changes nothing";
    press("End round");
    EXPECT_EQ(panel.verdict(), "The optimum of 4 rounds can still be reached: 3 rounds are left.");
    move(0, 3);
    press("End round");
    EXPECT_TRUE(panel.verdict().startsWith("Round 2 cost 1 round.")) << panel.verdict().toStdString();
    press("Undo");
    move(1, 4);
    press("End round");
    for (const auto& [from, to] : {std::pair{1, 2}, {3, 6}, {4, 5}}) move(from, to);
    press("End round");
    EXPECT_FALSE(task.said(1).startsWith(QChar{0x2713}));
    for (const auto& [from, to] : {std::pair{4, 7}, {5, 8}}) move(from, to);
    press("End round");
    EXPECT_EQ(panel.verdict(), "All ranks have what they need after 4 rounds. This is the optimum.");
    EXPECT_TRUE(task.said(1).startsWith(QChar{0x2713})) << task.said(1).toStdString();
    EXPECT_TRUE(window.playback().subject()->report().verdict->proved);
    EXPECT_FALSE(window.playback().subject()->isUnfinished());
    press("Restart");
    EXPECT_EQ(messages(), 0U);
    EXPECT_EQ(panel.verdict(), "The optimum is 4 rounds.");
    press("Leave");
    EXPECT_FALSE(panel.isVisible());
    click(Meaning::Kind::rank, 2);
    EXPECT_EQ(window.playback().state().rank, engine::Rank{2}) << "clicks select again";
}

// What a message carries is chosen in Block ownership where the sender has several blocks.
TEST_F(GameTest, asksForTheBlock) {
    stage.begin();
    RunWish wish{.algorithm = "allgatherv/linear-ring"};
    wish.problem.ranks = 4;
    wish.network.topology = "ring";
    const DrawableRunPtr before = window.playback().subject();
    window.presenter().run(wish, RunLoader::Moment::begin);
    stage.settleAfter(before);
    window.game().beginWithRun();
    stage.settle();
    EXPECT_TRUE(panel.verdict().startsWith("The optimum is ")) << panel.verdict().toStdString();
    EXPECT_FALSE(task.isVisible()) << "no task was opened";
    move(0, 1);
    press("End round");
    move(1, 2);
    EXPECT_TRUE(panel.said().startsWith("Rank 1 has several blocks that rank 2 lacks.")) << panel.said().toStdString();
    click(Meaning::Kind::block, 0, 1);
    EXPECT_EQ(messages(), 2U);
    EXPECT_EQ(window.game().game()->present().front().chunk, 0);
    press("Undo");
    click(Meaning::Kind::block, 1, 1);  // the block and its sender at once
    click(Meaning::Kind::rank, 2);
    EXPECT_EQ(window.game().game()->present().front().chunk, 1);
}

TEST_F(GameTest, hasThePortsOfItsProblem) {
    stage.begin();
    const DrawableRunPtr before = window.playback().subject();
    window.game().begin(
        puzzleOf(makeProblem(engine::Collective::bcast, {.ranks = 4, .size = 64, .ports = 2}), {.topology = "full"}));
    stage.settleAfter(before);
    move(0, 1);
    move(0, 2);
    EXPECT_EQ(messages(), 2U) << panel.said().toStdString();
    EXPECT_EQ(window.playback().subject()->report().plan->problem.ports, 2);
}

TEST_F(GameTest, endsWhereATaskIsOpened) {
    begin();
    EXPECT_TRUE(panel.isVisible());
    window.open(QString::fromStdString((support::sourceFolder() / "resources/tasks/moves-bcast.task").string()));
    stage.settle();
    EXPECT_FALSE(panel.isVisible());
    EXPECT_EQ(window.game().game(), nullptr);
}

// A question of a lesson asks for clicks while a game was not left yet.
TEST_F(GameTest, leavesTheClicksToAQuestion) {
    begin();
    const std::vector<Lesson>& all = lessons();
    const auto lesson = std::find_if(all.begin(), all.end(), [](const Lesson& one) {
        return std::any_of(one.stops.begin(), one.stops.end(), [](const Stop& stop) { return !stop.play.isEmpty(); });
    });
    ASSERT_NE(lesson, all.end());
    window.teaching().start(static_cast<std::size_t>(lesson - all.begin()));
    stage.settle();
    ASSERT_TRUE(window.contents().teach->box().open());
    Q_EMIT panel.left();
    click(Meaning::Kind::rank, 3);
    EXPECT_NE(window.playback().state().rank, engine::Rank{3}) << "the click answers the question";
    EXPECT_FALSE(window.contents().teach->box().verdict().isEmpty());
}

TEST_F(GameTest, isPlayedByKeys) {
    begin();
    for (const char* name : {"Sender", "Receiver"}) {
        auto& box = stage.find<QComboBox>(name);
        box.setFocus();
        QTest::keyClicks(&box, name[0] == 'S' ? "0" : "1");
    }
    auto& send = stage.find<QPushButton>("Send");
    send.setFocus();
    QTest::keyClick(&send, Qt::Key_Space);
    stage.settle();
    EXPECT_EQ(messages(), 1U) << panel.said().toStdString();
    QTest::keyClick(&send, Qt::Key_Space);
    EXPECT_EQ(panel.said(), "Choose a sender and a receiver.");
}

TEST_F(GameTest, canBeSearchedAndCancelled) {
    stage.begin();
    RunWish wish{.algorithm = "allgatherv/linear-ring"};
    wish.problem.ranks = 36;
    wish.network.topology = "torus:6x6";
    const DrawableRunPtr before = window.playback().subject();
    window.presenter().run(wish, RunLoader::Moment::begin);
    stage.settleAfter(before);
    window.game().beginWithRun();
    ASSERT_TRUE(window.game().busy());
    panel.progress().findChild<QPushButton*>()->click();
    EXPECT_FALSE(window.game().busy());
    EXPECT_TRUE(panel.verdict().startsWith("The search was cancelled.")) << panel.verdict().toStdString();
}

TEST_F(GameTest, isPartOfALesson) {
    const std::vector<Lesson>& all = lessons();
    const auto lesson = std::find_if(all.begin(), all.end(), [](const Lesson& one) {
        return std::any_of(one.stops.begin(), one.stops.end(), [](const Stop& stop) { return !stop.play.isEmpty(); });
    });
    ASSERT_NE(lesson, all.end());
    window.teaching().start(static_cast<std::size_t>(lesson - all.begin()));
    stage.settle();
    TeachPanel& teach = *window.contents().teach;
    while (lesson->stops[teach.stop()].play.isEmpty()) {
        teach.next();
        stage.settle();
    }
    press(lesson->stops[teach.stop()].play);
    EXPECT_EQ(window.presenter().name(), "played-by-hand.json");
    EXPECT_EQ(panel.verdict(), "The optimum is 4 rounds.");
    move(0, 1);
    EXPECT_EQ(messages(), 1U);
    teach.next();
    stage.settle();
    EXPECT_EQ(window.presenter().name(), "bcast/binomial-tree") << "the lesson goes on with its run";
}

}  // namespace
}  // namespace app::gui
