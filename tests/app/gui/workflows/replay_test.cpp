// SPDX-License-Identifier: BSD-3-Clause
// A recorded program again, in the window: what is to be another way, what that came to, and both on one axis.
#include "app/gui/answers/tables_panel.hpp"
#include "app/gui/comparison/differences_panel.hpp"
#include "app/gui/replay/replay_panel.hpp"
#include "app/gui/views/program_timeline_panel.hpp"
#include "app/gui/widgets/list_edit.hpp"
#include "tests/app/gui/shown_table.hpp"
#include "tests/app/gui/window_fixture.hpp"
#include "tests/app/session/replay_samples.hpp"
#include "traces/recording/archive.hpp"

#include <QAbstractItemView>
#include <QCheckBox>
#include <QClipboard>
#include <QCompleter>
#include <QMenu>
#include <QSpinBox>
#include <QTabBar>
#include <QTableView>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextLayout>
#include <QToolButton>

#include <algorithm>

namespace app::gui {
namespace {

using engine::Picoseconds;
using engine::Rank;
using samples::headToHead;
using samples::uneven;
using samples::us;

class ReplayTest : public testing::Test {
protected:
    void open(Trace trace) {
        window.presenter().begin(std::move(trace));
        stage.settle();
    }
    /// Opens the card by its key, and waits for what it replays by itself.
    void openCard() {
        QTest::keyClick(&window, Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
        stage.settle();
    }
    QLineEdit& line(const QString& name) { return stage.find<QLineEdit>(name); }
    void type(const QString& name, const QString& words) {
        QLineEdit& field = line(name);
        field.setFocus();
        field.selectAll();
        QTest::keyClick(&field, Qt::Key_Delete);
        QTest::keyClicks(&field, words);
        if (field.completer() != nullptr) field.completer()->popup()->hide();
        QTest::keyClick(&field, Qt::Key_Return);
        stage.settle();
    }
    void press(const QString& name) {
        auto& button = stage.find<QToolButton>(name);
        ASSERT_TRUE(button.isEnabled()) << name.toStdString();
        QTest::mouseClick(&button, Qt::LeftButton);
        stage.settle();
    }
    [[nodiscard]] QString told() { return panel.answer().text(); }
    [[nodiscard]] Picoseconds lasts() { return window.replays().made()->last().result.duration; }

    Stage stage;
    MainWindow& window = stage.window;
    ReplayPanel& panel = *window.contents().replay;
};

TEST_F(ReplayTest, tellsTheErrorOfTheRecordingFirst) {
    EXPECT_FALSE(window.replays().action()->isEnabled());
    open(uneven());
    ASSERT_TRUE(window.replays().action()->isEnabled());
    EXPECT_FALSE(panel.isVisible());
    openCard();
    EXPECT_TRUE(panel.isVisible());
    ASSERT_NE(window.replays().made(), nullptr);
    const QString words = told();
    EXPECT_TRUE(words.contains("3 ranks, 1 collective; 50 \u00b5s")) << words.toStdString();
    const auto error = words.indexOf("error");
    EXPECT_GE(error, 0) << words.toStdString();
    EXPECT_GT(words.indexOf("mean time per rank by activity"), error);
    EXPECT_FALSE(words.contains("with changes"));
    EXPECT_FALSE(words.contains("--")) << words.toStdString();
    EXPECT_TRUE(words.contains("alpha and beta are assumed") || words.contains("Startup")) << words.toStdString();
}

TEST_F(ReplayTest, bringsTheAnswerToWhereItIsSeen) {
    window.resize(480, 360);
    open(uneven());
    openCard();
    EXPECT_TRUE(QTest::qWaitFor([&] { return !panel.answer().visibleRegion().isEmpty(); }, 10'000));
    EXPECT_FALSE(panel.form().isVisible()) << "both have no room";
    auto& fold = stage.find<QToolButton>("Changes of the replay");
    QTest::mouseClick(&fold, Qt::LeftButton);
    EXPECT_TRUE(panel.form().isVisible());
    EXPECT_FALSE(panel.answer().isVisible());
    type("Without", "rank 2: assemble");
    EXPECT_TRUE(panel.answer().isVisible());
    EXPECT_FALSE(panel.form().isVisible());
    window.resize(1280, 1000);
    window.desk().choose(Layout::analyse);
    stage.settle();
    EXPECT_TRUE(panel.form().isVisible() && panel.answer().isVisible()) << panel.height();
    EXPECT_FALSE(fold.isVisible());
}

TEST_F(ReplayTest, stillTellsWhatTheCommandLineTells) {
    open(uneven());
    openCard();
    type("Without", "rank 2: assemble");
    const Replaying same = replayed(uneven(), {.ownTime = {.without = {"rank 2: assemble"}}});
    EXPECT_EQ(lasts(), us(20));
    EXPECT_EQ(window.replays().made()->activities.rows, same.activities.rows);
    EXPECT_EQ(panel.answer().table().rows, same.activities.rows);
    EXPECT_TRUE(told().contains("20 \u00b5s, 60% less than unchanged")) << told().toStdString();
    auto& tabs = stage.find<QTabBar>("Tables of the replay");
    tabs.setCurrentIndex(2);
    EXPECT_EQ(panel.answer().table().rows, same.perRank.rows);
    auto& rows = stage.find<QTableView>("Table of the replay");
    QStringList headings;
    for (int column = 0; column < rows.model()->columnCount(); ++column)
        headings << rows.model()->headerData(column, Qt::Horizontal).toString();
    EXPECT_TRUE(headings.contains("waiting for messages"))
        << "as its activities call it: " << headings.join('|').toStdString();
    QTest::mouseClick(rows.viewport(), Qt::LeftButton, {}, rows.visualRect(rows.model()->index(2, 0)).center());
    EXPECT_EQ(window.playback().state().rank, Rank{2});
}

TEST_F(ReplayTest, offersWhatTheTraceHas) {
    open(uneven());
    openCard();
    auto* without = qobject_cast<WordsLine*>(line("Without").parentWidget());
    ASSERT_NE(without, nullptr);
    ASSERT_FALSE(without->offers().isEmpty());
    EXPECT_EQ(without->offers().front().first, "rank 2: main/assemble");
    line("Without").setFocus();
    QTest::keyClick(&line("Without"), Qt::Key_Down);
    auto* menu = without->findChild<QMenu*>();
    ASSERT_TRUE(menu->isVisible());
    QTest::keyClick(menu, Qt::Key_Down);
    QTest::keyClick(menu, Qt::Key_Return);
    stage.settle();
    EXPECT_EQ(line("Without").text(), "rank 2: main/assemble");
    EXPECT_EQ(lasts(), us(20));
    // Names are completed from the catalogue, also behind others.
    line("Algorithms").setFocus();
    QTest::keyClicks(&line("Algorithms"), "barrier=best; barrier=barrier/dis");
    QCompleter& completer = *line("Algorithms").completer();
    ASSERT_GT(completer.completionCount(), 0);
    EXPECT_EQ(completer.currentCompletion(), "barrier=best; barrier=barrier/dissemination");
    completer.popup()->hide();
}

TEST_F(ReplayTest, showsBothOnOneAxisOfTime) {
    open(uneven());
    openCard();
    const DrawableRunPtr recorded = window.playback().subject();
    type("Without", "rank 2: assemble");
    EXPECT_EQ(window.playback().subject(), recorded) << "nothing is shown unasked";
    EXPECT_FALSE(window.comparison().comparing());
    press("Show both on one axis");
    ASSERT_TRUE(window.comparison().comparing());
    EXPECT_EQ(window.desk().layout(), Layout::compare);
    EXPECT_TRUE(panel.isVisible()) << "one goes on changing";
    EXPECT_EQ(window.playback().subject(), recorded);
    EXPECT_EQ(window.other().duration(), us(20));
    (void)window.playback().subject()->programmed();
    (void)window.other().subject()->programmed();
    auto& first = stage.find<ProgramTimelinePanel>("Timeline of a program");
    auto& second = stage.find<ProgramTimelinePanel>("Timeline of the second program");
    EXPECT_TRUE(first.isVisible());
    EXPECT_TRUE(second.isVisible());
    const auto same = [&] {
        return std::pair{first.axis()->begin(), first.axis()->end()} ==
               std::pair{second.axis()->begin(), second.axis()->end()};
    };
    EXPECT_TRUE(same());
    EXPECT_GE(first.axis()->end(), us(50));
    // What differs: call paths and iterations, no rounds, which nobody recorded.
    const DifferencesPanel& differ = *window.contents().differences;
    ASSERT_TRUE(QTest::qWaitFor([&] { return !differ.busy(); }, 60'000));
    // The sentence compares the replay with the unchanged one, not with the recording.
    EXPECT_TRUE(differ.winner().contains("with the changes: ")) << differ.winner().toStdString();
    EXPECT_TRUE(differ.winner().contains(", both replayed. Changes: ")) << differ.winner().toStdString();
    QStringList rows;
    for (const QStringList& row : ShownTable{differ.model().table()}.rows) rows << row.join('|');
    EXPECT_TRUE(rows.contains(QStringLiteral("main/assemble|60 \u00b5s|30 \u00b5s|0.5\u00d7")))
        << rows.join('\n').toStdString();
    EXPECT_TRUE(rows.front().startsWith("Time, both replayed|50 \u00b5s|20 \u00b5s|0.4"))
        << rows.join('\n').toStdString();
    EXPECT_TRUE(rows.filter("Time|").isEmpty()) << rows.join('\n').toStdString();
    EXPECT_TRUE(rows.contains("Exclusive times, MPI_Init to MPI_Finalize, all ranks|-|-|-"))
        << rows.join('\n').toStdString();
    EXPECT_TRUE(rows.filter("Round").isEmpty()) << rows.join('\n').toStdString();
    // At the same time, and zoomed together, also where the shorter one is over.
    EXPECT_EQ(stage.find<QComboBox>("What is shown together").currentText(), "the same time");
    window.playback().seek(us(12));
    EXPECT_EQ(window.other().state().time, us(12));
    window.playback().showSpan(us(30), us(45));
    EXPECT_TRUE(same());
    EXPECT_EQ(second.axis()->begin(), us(30));
    window.playback().showAll();
    EXPECT_TRUE(same());
    // What is replayed next takes its place.
    type("Without", "assemble");
    EXPECT_EQ(window.other().duration(), us(10));
    press("Show what was recorded");
    EXPECT_FALSE(window.comparison().comparing());
    EXPECT_EQ(window.desk().layout(), Layout::analyse);
    EXPECT_EQ(window.playback().subject(), recorded);
}

TEST_F(ReplayTest, isATraceOfItsOwn) {
    open(uneven());
    openCard();
    const DrawableRunPtr recorded = window.playback().subject();
    type("Without", "rank 2: assemble");
    press("Show the replay as a trace");
    const DrawableRunPtr replay = window.playback().subject();
    EXPECT_NE(replay, recorded);
    EXPECT_TRUE(replay->isProgram());
    EXPECT_EQ(window.playback().duration(), us(20));
    EXPECT_TRUE(window.windowTitle().startsWith("trace, replayed")) << window.windowTitle().toStdString();
    // All questions.
    TablesPanel& answers = *window.contents().answers;
    answers.choose("critical-path");
    EXPECT_TRUE(QTest::qWaitFor([&] { return !answers.busy() && answers.rows().rowCount() > 0; }, 60'000));
    // The card is still about what was recorded.
    EXPECT_TRUE(told().contains("60% less than unchanged"));
    EXPECT_TRUE(panel.command().isEmpty())
        << "what never was an archive has no name: " << panel.command().toStdString();
    type("Without", "assemble");
    EXPECT_EQ(window.playback().duration(), us(10)) << "the next one is shown in its place";
    press("Show what was recorded");
    EXPECT_EQ(window.playback().subject(), recorded);
}

TEST_F(ReplayTest, saysWhatIsWrongAtItsField) {
    open(uneven());
    openCard();
    const Replaying* before = window.replays().made();
    type(QStringLiteral("Startup \u03b1 of the replay"), "fast");
    EXPECT_FALSE(panel.refusal().isEmpty());
    EXPECT_EQ(panel.form().refusal(), panel.refusal()) << "beside the field";
    EXPECT_FALSE(panel.refusal().contains("--"));
    EXPECT_EQ(window.replays().made(), before) << "the last answer stays";
    type(QStringLiteral("Startup \u03b1 of the replay"), "");
    EXPECT_TRUE(panel.refusal().isEmpty()) << panel.refusal().toStdString();
    for (const auto& [field, words, complaint] :
         {std::tuple{"Algorithms", "barrier=barrier/dissemenation", "did you mean barrier/dissemination?"},
          std::tuple{"Computation", "fast", "is not a number from 0 to 1000"},
          std::tuple{"Without", "rank 2: assembel", "did you mean assemble?"},
          std::tuple{"Even out", "rank 1: assemble", "names one rank"}}) {
        type(field, words);
        EXPECT_TRUE(panel.form().refusal().contains(complaint)) << field << ": " << panel.refusal().toStdString();
        type(field, "");
    }
    EXPECT_TRUE(panel.refusal().isEmpty());
}

TEST_F(ReplayTest, tellsWhoWaitsForever) {
    open(headToHead());
    openCard();
    EXPECT_TRUE(stage.find<QToolButton>("Show both on one axis").isEnabled());
    type("Eager of the replay", "4 KiB");
    EXPECT_TRUE(told().contains("rank 0 waits forever in MPI_Send until rank 1 receives 4.88 KiB"))
        << told().toStdString();
    EXPECT_FALSE(stage.find<QToolButton>("Show both on one axis").isEnabled());
    EXPECT_FALSE(stage.find<QPushButton>("Save the replay as a trace").isEnabled());
    QTest::mouseClick(&stage.find<QPushButton>("Clear all changes"), Qt::LeftButton);
    stage.settle();
    EXPECT_FALSE(told().contains("waits forever"));
    EXPECT_TRUE(stage.find<QToolButton>("Show both on one axis").isEnabled());
}

TEST_F(ReplayTest, repeatsAndSavesWhatItDid) {
    const std::filesystem::path folder = stage.folder.filePath("program").toStdString();
    writeReplayed(replayed(uneven(), {.kept = true}), folder);
    window.presenter().openTrace(folder);
    stage.settle();
    openCard();
    type("Without", "rank 2: assemble");
    QCheckBox& overlap = *panel.findChild<QCheckBox*>();
    QTest::mouseClick(&overlap, Qt::LeftButton, {}, QPoint{8, overlap.height() / 2});
    stage.settle();
    QTest::mouseClick(&stage.find<QPushButton>("Copy the command"), Qt::LeftButton);
    EXPECT_EQ(QApplication::clipboard()->text().toStdString(),
              commandOf(folder.string(), {.ownTime = {.without = {"rank 2: assemble"}}, .overlap = true}));
    const std::filesystem::path written = stage.folder.filePath("replayed").toStdString();
    window.replays().saveTrace(written);
    stage.settle();
    EXPECT_EQ(analysis::openTrace(written).report.run->duration, lasts());
    window.replays().saveTrace(written);
    stage.settle();
    EXPECT_TRUE(panel.refusal().contains("contains an archive already")) << panel.refusal().toStdString();
    // Of one that is shown by itself the calls are saved, too.
    press("Show the replay as a trace");
    const std::filesystem::path again = stage.folder.filePath("again").toStdString();
    window.saving().saveTrace(again);
    stage.settle();
    EXPECT_EQ(analysis::openTrace(again).recording->states.front().size(),
              analysis::openTrace(folder).recording->states.front().size());
}

TEST_F(ReplayTest, isCancelledWithTheLastAnswerLeft) {
    open(uneven());
    openCard();
    const Replaying* before = window.replays().made();
    panel.form().add("without", "assemble");
    window.replays().replay();
    window.replays().cancel();
    stage.settle();
    EXPECT_EQ(window.replays().made(), before);
    EXPECT_FALSE(told().contains("with changes"));
    // Another trace is another matter: it is replayed, too, since the card is in sight.
    panel.form().setWords({});
    open(headToHead());
    EXPECT_TRUE(QTest::qWaitFor([&] { return told().contains("2 ranks, 2 point-to-point messages"); }, 10'000))
        << told().toStdString();
}

TEST_F(ReplayTest, isKeptInSessions) {
    const std::filesystem::path folder = stage.folder.filePath("program").toStdString();
    const std::filesystem::path session = stage.folder.filePath("session.json").toStdString();
    writeReplayed(replayed(uneven(), {.kept = true}), folder);
    window.presenter().openTrace(folder);
    stage.settle();
    openCard();
    type("Without", "rank 2: assemble; main");
    window.sessions().save(session);
    type("Without", "");
    EXPECT_TRUE(panel.form().words().empty());
    window.sessions().open(session);
    stage.settle();
    EXPECT_EQ(panel.form().words(), (ReplayWords{{"without", {"rank 2: assemble", "main"}}}));
    EXPECT_TRUE(window.replays().made() != nullptr && window.replays().made()->changed);
}

TEST_F(ReplayTest, takesARunOfOurs) {
    stage.begin();
    ASSERT_TRUE(window.replays().action()->isEnabled());
    openCard();
    EXPECT_FALSE(line("Without").isVisible()) << "a run computes nothing";
    EXPECT_TRUE(told().contains("error")) << told().toStdString();
    type(QStringLiteral("Startup \u03b1 of the replay"), QStringLiteral("5 \u00b5s"));
    RunWish slower = firstWish();
    slower.model.alpha = us(5);
    EXPECT_EQ(lasts(), execute(slower).run->duration);
    EXPECT_EQ(panel.command().toStdString(),
              "collscope run halfduplex-allgather/ring-streams -p 4 -q 6 --size 64KiB --trace recorded && collscope "
              "replay recorded --alpha '5 us'");
    press("Show both on one axis");
    EXPECT_EQ(window.other().duration(), lasts());
    // Another run is another matter.
    const DrawableRunPtr before = window.playback().subject();
    stage.find<QSpinBox>("Ranks of group A, p").setValue(6);
    stage.settleAfter(before);
    stage.settle();
    EXPECT_FALSE(window.comparison().comparing());
}

TEST_F(ReplayTest, leavesOutWhatMadeOthersWait) {
    open(uneven());
    TablesPanel& answers = *window.contents().answers;
    answers.choose("causes");
    ASSERT_TRUE(QTest::qWaitFor([&] { return !answers.busy() && answers.rows().rowCount() > 0; }, 60'000));
    auto& rows = stage.find<QTableView>("Answer as a table");
    rows.selectRow(0);
    const QList<QAction*> actions = rows.actions();
    const auto found =
        std::ranges::find_if(actions, [](const QAction* action) { return action->text().contains("Replay without"); });
    ASSERT_NE(found, actions.end());
    ASSERT_TRUE((*found)->isEnabled());
    (*found)->trigger();
    stage.settle();
    EXPECT_EQ(panel.form().words(), (ReplayWords{{"without", {"rank 2: main/assemble"}}}));
    EXPECT_EQ(lasts(), us(20));
    answers.choose("waits");
    EXPECT_TRUE(QTest::qWaitFor([&] { return !answers.busy() && answers.rows().rowCount() > 0; }, 60'000));
    rows.selectRow(0);
    EXPECT_FALSE((*found)->isEnabled());
}

/// In a narrow card, too, numbers and the headings above them stay whole.
TEST_F(ReplayTest, breaksNoNumberOfItsTable) {
    open(headToHead());
    openCard();
    auto& page = stage.find<QTextBrowser>("Result of the replay");
    page.document()->setTextWidth(210);
    int looked = 0;
    for (QTextBlock block = page.document()->begin(); block.isValid(); block = block.next()) {
        if (block.text() != "recorded" && block.text() != "replayed" && block.text() != "difference") continue;
        ++looked;
        EXPECT_EQ(block.layout()->lineCount(), 1) << block.text().toStdString();
    }
    EXPECT_GE(looked, 3);
}

}  // namespace
}  // namespace app::gui
