// SPDX-License-Identifier: BSD-3-Clause
// A task in the window: its checks turn green as the text becomes right, and say what `grade` says.
#include "app/gui/explain/explanation.hpp"
#include "app/gui/widgets/notice_bar.hpp"
#include "app/teaching/editor/editor_panel.hpp"
#include "app/teaching/exercises/grading.hpp"
#include "app/teaching/lessons/templates.hpp"
#include "app/teaching/panels/task_panel.hpp"
#include "engine/base/text.hpp"
#include "tests/app/gui/window_fixture.hpp"
#include "tests/support/places.hpp"

#include <QPushButton>

#include <algorithm>
#include <fstream>

namespace app::gui {
namespace {

class HomeworkTest : public testing::Test {
protected:
    static std::string ringTask() { return (support::sourceFolder() / "resources/tasks/ring-allgather.task").string(); }
    static QString rightText() {
        for (const Template& each : templates())
            if (each.name == QStringLiteral("allgatherv")) return each.text;
        return {};
    }
    TaskPanel& panel() { return *stage.window.contents().task; }
    EditorPanel& editor() { return *stage.window.contents().editor; }
    void type(const QString& words) {
        QTextCursor all{editor().edit().document()};
        all.select(QTextCursor::Document);
        all.insertText(words);
        stage.settle();
    }
    /// Of the checks that are seen, whether they hold, as their rows say.
    std::vector<bool> held() {
        std::vector<bool> all;
        for (const std::size_t check : {0U, 2U, 3U}) all.push_back(panel().said(check).startsWith(QChar{0x2713}));
        return all;
    }

    Stage stage;
};

TEST_F(HomeworkTest, beginsWithAScriptThatDoesNothing) {
    stage.window.open(QString::fromStdString(ringTask()));
    stage.settle();
    EXPECT_TRUE(panel().isVisible());
    EXPECT_TRUE(editor().isVisible());
    EXPECT_EQ(editor().text(), emptyScript(QStringLiteral("allgatherv")));
    EXPECT_EQ(held(), (std::vector<bool>{false, false, false}));
    EXPECT_TRUE(panel().said(0).contains("after the last round rank 0 lacks block 1")) << panel().said(0).toStdString();
    EXPECT_EQ(panel().score(), "0 of 8 points; 2 more for checks that are hidden");
}

TEST_F(HomeworkTest, saysThatAnEmptyScriptHasNoRoundsYet) {
    stage.window.open(QString::fromStdString(ringTask()));
    stage.settle();
    const QString words = explain(*stage.window.playback().subject(), stage.window.playback().state());
    EXPECT_TRUE(words.contains("The schedule has no rounds yet.")) << words.toStdString();
    EXPECT_FALSE(words.contains("Nothing has to be sent")) << words.toStdString();
}

/// The panels of a former session come back once the window has its size: not over those that were opened meanwhile.
TEST(Homework, isInSightAfterASessionWithoutIt) {
    QTemporaryDir folder;
    const QString file = folder.filePath("settings.ini");
    {
        Stage before{file};
        before.window.resize(1280, 800);
        before.begin();
        before.window.close();
    }
    Stage after{file};
    after.window.homework().open((support::sourceFolder() / "resources/tasks/ring-allgather.task").string());
    QTest::qWait(500);
    after.settle();
    EXPECT_FALSE(after.window.contents().task->visibleRegion().isEmpty());
    EXPECT_FALSE(after.window.contents().editor->visibleRegion().isEmpty());
}

TEST_F(HomeworkTest, turnsGreenAsTheTextBecomesRight) {
    stage.window.homework().open(ringTask());
    stage.settle();
    // Neighbours alone, and few bytes, but wrong from three ranks on.
    QString wrong = rightText();
    wrong.replace("rank - round) % n", "rank + round) % n").replace("rank - round - 1", "rank + round - 1");
    type(wrong);
    EXPECT_TRUE(panel().said(0).contains("Rank 0 sends block 1 to rank 1 in round 2")) << panel().said(0).toStdString();
    type(rightText());
    EXPECT_EQ(held(), (std::vector<bool>{true, true, true}));
    EXPECT_EQ(panel().score(), "8 of 8 points; 2 more for checks that are hidden");
    type(rightText().replace("function turn", "funktion turn"));
    EXPECT_EQ(held(), (std::vector<bool>{false, false, false}));
    EXPECT_TRUE(panel().said(0).contains("untitled.lua:")) << panel().said(0).toStdString();
}

TEST_F(HomeworkTest, holdsAFileThatSomebodyElseSaves) {
    const std::string file = stage.folder.filePath("mine.lua").toStdString();
    std::ofstream{file} << emptyScript(QStringLiteral("allgatherv")).toStdString();
    stage.window.authoring().open(file);
    stage.window.homework().open(ringTask());
    stage.settle();
    EXPECT_EQ(held(), (std::vector<bool>{false, false, false}));
    std::ofstream{file} << rightText().toStdString();
    EXPECT_TRUE(QTest::qWaitFor([&] { return panel().score().startsWith("8 of 8"); }, 20'000))
        << panel().score().toStdString();
}

TEST_F(HomeworkTest, saysWhatGradeSays) {
    const std::string file = stage.folder.filePath("mine.lua").toStdString();
    QString wrong = rightText();
    wrong.replace("rank - round) % n", "rank + round) % n").replace("rank - round - 1", "rank + round - 1");
    std::ofstream{file} << wrong.toStdString();
    stage.window.authoring().open(file);
    stage.window.homework().open(ringTask());
    stage.settle();
    std::vector<Outcome> marks;
    grade(taskIn(ringTask()), file, [&](const Outcome& mark) { marks.push_back(mark); });
    for (const std::size_t check : {0U, 2U, 3U}) {
        EXPECT_EQ(panel().said(check).startsWith(QChar{0x2713}), marks[check].held) << check;
        EXPECT_TRUE(panel().said(check).contains(QString::fromStdString(marks[check].said).toHtmlEscaped()))
            << panel().said(check).toStdString() << "\n"
            << marks[check].said;
    }
}

TEST_F(HomeworkTest, showsTheCounterExampleOfACheck) {
    stage.window.homework().open(ringTask());
    stage.settle();
    QString wrong = rightText();
    wrong.replace("rank - round) % n", "rank + round) % n").replace("rank - round - 1", "rank + round - 1");
    type(wrong);
    Q_EMIT panel().asked(2);
    stage.settle();
    const Report& shown = stage.window.playback().subject()->report();
    EXPECT_EQ(shown.run->ranks, 9);
    ASSERT_TRUE(stage.window.playback().subject()->fault());
    EXPECT_EQ(stage.window.playback().state().time, stage.window.playback().subject()->fault()->time);
}

TEST_F(HomeworkTest, forgetsTheTaskBefore) {
    stage.window.homework().open(ringTask());
    stage.settle();
    type(rightText());
    // Its second check is looked at for some seconds.
    const std::string slow = stage.folder.filePath("slow.task").toStdString();
    std::ofstream{slow} << "title: Slow\ncollective: allgatherv\nAs it says.\n"
                           "check: proved, 1 points: -n 2\ncheck: proved, 1 points: -n 300..340\n";
    stage.window.homework().open(slow);
    ASSERT_TRUE(QTest::qWaitFor([&] { return panel().said(0).startsWith(QChar{0x2713}); }, 20'000));
    ASSERT_TRUE(stage.window.homework().busy());
    const std::string one = stage.folder.filePath("one.task").toStdString();
    std::ofstream{one} << "title: One\ncollective: allgatherv\nAs it says.\ncheck: proved, 1 points: -n 3\n";
    stage.window.homework().open(one);
    EXPECT_FALSE(stage.window.homework().busy());
    stage.settle();
    EXPECT_EQ(panel().score(), "1 of 1 point");
}

TEST_F(HomeworkTest, opensHintsOneByOne) {
    stage.window.homework().open(ringTask());
    stage.settle();
    auto& more = stage.find<QPushButton>("Next hint");
    EXPECT_EQ(panel().hints(), "");
    more.click();
    EXPECT_EQ(panel().hints(), "A rank can send in the next round what it received in this one.");
    more.click();
    EXPECT_TRUE(panel().hints().contains("Which block does rank 0 send in the second round"));
    EXPECT_FALSE(more.isVisible());
}

TEST_F(HomeworkTest, keepsWhatIsWrittenAlready) {
    const std::string file = stage.folder.filePath("mine.lua").toStdString();
    std::ofstream{file} << rightText().toStdString();
    stage.window.authoring().open(file);
    stage.settle();
    stage.window.homework().open(ringTask());
    stage.settle();
    EXPECT_EQ(editor().text(), rightText());
    EXPECT_EQ(held(), (std::vector<bool>{true, true, true}));
    stage.find<QPushButton>("Begin empty").click();
    stage.settle();
    EXPECT_EQ(editor().text(), emptyScript(QStringLiteral("allgatherv")));
    EXPECT_EQ(held(), (std::vector<bool>{false, false, false}));
}

/// As a newcomer does: the ring of the guide, key by key, in the place of the script that does nothing.
TEST_F(HomeworkTest, isSolvedByTypingTheRingOfTheGuide) {
    std::ifstream in{support::sourceFolder() / "resources/docs/write-your-own.md"};
    const std::string guide{std::istreambuf_iterator<char>{in}, {}};
    const std::string fence = "```lua\n";
    const auto begin = guide.find(fence) + fence.size();
    const std::string ring = guide.substr(begin, guide.find("```", begin) - begin);
    ASSERT_TRUE(ring.starts_with("algorithm {")) << ring;
    stage.window.homework().open(ringTask());
    stage.settle();
    ScriptEdit& edit = editor().edit();
    edit.setFocus();
    QTest::keyClick(&edit, Qt::Key_A, Qt::ControlModifier);
    const auto press = [&](auto key) {
        QWidget* popup = QApplication::activePopupWidget();
        QTest::keyClick(popup != nullptr ? popup : &edit, key);
    };
    // The editor puts the blanks before a line, and the line that closes something below the one that opens it.
    for (const std::string& line : engine::split(ring, '\n')) {
        for (const char key : line.substr(std::min(line.find_first_not_of(' '), line.size()))) press(key);
        press(Qt::Key_Return);
    }
    press(Qt::Key_Backspace);  // the fence stands on the line behind the last
    EXPECT_EQ(editor().text().toStdString(), ring);
    stage.settle();
    EXPECT_EQ(held(), (std::vector<bool>{true, true, true})) << panel().said(0).toStdString();
    EXPECT_TRUE(editor().said().startsWith(QChar{0x2713})) << editor().said().toStdString();
}

TEST_F(HomeworkTest, saysWhatIsWrongWithATask) {
    const std::string file = stage.folder.filePath("bad.task").toStdString();
    std::ofstream{file} << "collective: allgatherv\ncheck: prooved: -n 2\n";
    stage.window.homework().open(file);
    EXPECT_TRUE(stage.window.notice().contains("bad.task:2: 'prooved' cannot be checked"))
        << stage.window.notice().toStdString();
    stage.window.homework().open(stage.folder.filePath("none.task").toStdString());
    EXPECT_TRUE(stage.window.notice().contains("cannot read '")) << stage.window.notice().toStdString();
    stage.settle();
}

}  // namespace
}  // namespace app::gui
