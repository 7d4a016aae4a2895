// SPDX-License-Identifier: BSD-3-Clause
// Questions to a trace in the window, and where their answers lead.
#include "app/gui/answers/tables_panel.hpp"

#include "app/analysis/collectives/collective_instances.hpp"
#include "tests/app/gui/window_fixture.hpp"
#include "traces/recording/recording_builder.hpp"

#include <QClipboard>
#include <QFile>
#include <QHeaderView>

namespace app::gui {
namespace {

using engine::Picoseconds;
using engine::Rank;

constexpr Picoseconds us(std::int64_t time) { return Picoseconds{time * 1'000'000}; }

/// Four ranks of another tool's program: a barrier that rank 3 is late for, and a chain of three messages.
Trace program() {
    traces::RecordingBuilder builder{4};
    std::vector<traces::Participant> barrier;
    for (int rank = 0; rank < 4; ++rank)
        barrier.push_back({.rank = Rank{rank}, .begin = us(rank == 3 ? 11 : 10), .end = us(12)});
    builder.collective(traces::Operation::barrier, 0, traces::noRank, barrier);
    for (int rank = 0; rank < 3; ++rank)
        builder.message({.from = Rank{rank},
                         .to = Rank{rank + 1},
                         .bytes = 500,
                         .sendBegin = us(40 + 10 * rank),
                         .sendEnd = us(45 + 10 * rank),
                         .receiveBegin = us(40),
                         .receiveEnd = us(50 + 10 * rank)});
    auto recording = std::make_shared<const traces::Recording>(builder.finish());
    auto run = std::make_shared<const engine::Run>(app::analysis::selectedRun(*recording, {}));
    return {.report = analysis::reportOn(run), .recording = recording};
}

const QString everythingElse = "Assumptions, and actions for this table";

class AnswersTest : public testing::Test {
protected:
    void open() {
        window.presenter().begin(program());
        settle();
    }
    void settle() {
        QCoreApplication::processEvents();
        EXPECT_TRUE(QTest::qWaitFor([&] { return !panel.busy(); }, 60'000));
    }
    void ask(const QString& question) {
        panel.choose(question);
        settle();
    }
    QString cell(int row, int column) { return panel.rows().index(row, column).data().toString(); }

    Stage stage;
    MainWindow& window = stage.window;
    TablesPanel& panel = *window.contents().answers;
    Playback& playback = window.playback();
};

TEST_F(AnswersTest, aTraceIsSummedUpWhenItOpens) {
    EXPECT_FALSE(panel.isVisible());
    open();
    ASSERT_TRUE(panel.isVisible());
    EXPECT_TRUE(panel.sentences().contains("Barrier of 4 ranks")) << panel.sentences().toStdString();
    EXPECT_TRUE(panel.sentences().contains("bcast/chain")) << panel.sentences().toStdString();
    EXPECT_FALSE(panel.sentences().contains("--")) << panel.sentences().toStdString();
    EXPECT_TRUE(panel.sentences().contains("took 2 \u00b5s")) << panel.sentences().toStdString();
    EXPECT_FALSE(panel.sentences().contains(" us")) << panel.sentences().toStdString();
}

TEST_F(AnswersTest, whatIsDoneWithAnAnswerStandsInALineWhereThatIsWideEnough) {
    open();
    window.resize(1366, 768);
    settle();
    const QWidget& copy = stage.find<QPushButton>(QStringLiteral("Copy the answer"));
    const QWidget& save = stage.find<QPushButton>(QStringLiteral("Save the table as csv"));
    ASSERT_TRUE(copy.isVisible());
    EXPECT_EQ(copy.y(), save.y());
    EXPECT_GT(save.x(), copy.geometry().right());
}

TEST_F(AnswersTest, inLittleRoomTheAnswerHasItAndTheRestIsAskedFor) {
    open();
    window.resize(480, 360);
    EXPECT_TRUE(QTest::qWaitFor([&] { return stage.find<QToolButton>(everythingElse).isVisible(); }, 10'000));
    EXPECT_FALSE(stage.find<QListWidget>("Tables").isVisible());
    QTest::keyClick(&window, Qt::Key_J, Qt::ControlModifier);
    auto& question = stage.find<QComboBox>("Table");
    ASSERT_TRUE(question.hasFocus());
    for (int i = 0; i < 2; ++i) QTest::keyClick(&question, Qt::Key_Down);  // past efficiency
    settle();
    ASSERT_EQ(panel.rows().rowCount(), 2);
    const QWidget& copy = stage.find<QPushButton>("Copy the answer");
    const QWidget& remarks = stage.find<QLabel>("Remarks");
    EXPECT_FALSE(copy.isVisible());
    EXPECT_FALSE(remarks.isVisible()) << "the box says of what the rows are";
    stage.find<QToolButton>(everythingElse).click();
    EXPECT_TRUE(copy.isVisible());
    EXPECT_TRUE(remarks.isVisible());
    stage.find<QToolButton>(everythingElse).click();
    ask("deliveries");
    ASSERT_EQ(panel.rows().rowCount(), 0);
    EXPECT_TRUE(remarks.isVisible()) << "why there are none";
    window.contents().docks[Dock::analysis].setFloating(true);
    window.contents().docks[Dock::analysis].resize(900, 500);
    EXPECT_TRUE(QTest::qWaitFor([&] { return stage.find<QListWidget>("Tables").isVisible(); }, 10'000));
    EXPECT_FALSE(question.isVisible());
    EXPECT_TRUE(copy.isVisible());
}

TEST_F(AnswersTest, theKeyboardAsksSortsAndGoesThere) {
    open();
    QTest::keyClick(&window, Qt::Key_J, Qt::ControlModifier);
    auto& questions = stage.find<QListWidget>("Tables");
    ASSERT_TRUE(questions.hasFocus());
    for (int i = 0; i < 2; ++i) QTest::keyClick(&questions, Qt::Key_Down);  // past efficiency
    settle();
    ASSERT_EQ(panel.rows().rowCount(), 2);
    EXPECT_EQ(cell(0, 2), "barrier");
    auto& rows = stage.find<QTableView>("Answer as a table");
    // Twice: the longest first.
    const int duration = 9;
    for (int click = 0; click < 2; ++click)
        QTest::mouseClick(rows.horizontalHeader()->viewport(), Qt::LeftButton, {},
                          {rows.columnViewportPosition(duration) + 5, 5});
    EXPECT_EQ(cell(0, 2), "messages");
    EXPECT_EQ(panel.rows().headerData(duration, Qt::Horizontal, Qt::ToolTipRole),
              "from the first entry to the last exit");
    EXPECT_TRUE(cell(0, duration).endsWith(" \u00b5s")) << cell(0, duration).toStdString();
    rows.setFocus();
    QTest::keyClick(&rows, Qt::Key_Down);
    QTest::keyClick(&rows, Qt::Key_Down);
    EXPECT_EQ(playback.state().time, us(10));
    EXPECT_EQ(playback.state().rank, Rank{3}) << "who came last";
    EXPECT_EQ(playback.spanBegin(), us(10) - us(2) / 20);
    EXPECT_EQ(playback.spanEnd(), us(12) + us(2) / 20);
}

TEST_F(AnswersTest, followsTheVisibleTime) {
    open();
    ask("collectives");
    ASSERT_EQ(panel.rows().rowCount(), 2);
    auto& visible = *panel.findChild<QCheckBox*>();
    QTest::keyClick(&visible, Qt::Key_Space);
    playback.showSpan(us(5), us(20));
    EXPECT_TRUE(QTest::qWaitFor([&] { return !panel.busy() && cell(0, 2) == "barrier"; }, 10'000));
    EXPECT_EQ(panel.rows().rowCount(), 1);
    stage.find<QTableView>("Answer as a table").selectRow(0);
    EXPECT_EQ(playback.state().time, us(10));
    EXPECT_EQ(playback.spanBegin(), us(5)) << "the span asked about stays";
}

TEST_F(AnswersTest, takesAssumptionsAndSaysWhyNot) {
    open();
    ask("bounds");
    EXPECT_TRUE(panel.remark().contains("no lower bounds in time")) << panel.remark().toStdString();
    QTest::mouseClick(window.findChild<QPushButton*>("assume"), Qt::LeftButton);
    auto& alpha = stage.find<QLineEdit>("Startup assumed");
    ASSERT_TRUE(alpha.isVisible());
    QTest::keyClicks(&alpha, "1 us");
    QTest::keyClicks(&stage.find<QLineEdit>("Time per byte assumed"), "1 ns/B");
    EXPECT_TRUE(QTest::qWaitFor([&] { return panel.remark().contains("given"); }, 10'000))
        << panel.remark().toStdString();
    auto& ranks = stage.find<QLineEdit>("Ranks asked about");
    QTest::keyClicks(&ranks, "2..9");
    EXPECT_TRUE(QTest::qWaitFor([&] { return panel.remark().contains("ranks 0 to 3"); }, 10'000));
    EXPECT_FALSE(panel.remark().contains("--"));
    EXPECT_EQ(panel.rows().rowCount(), 0);
    ask("collectives");
    ranks.clear();
    QTest::keyClicks(&ranks, "2..3");
    EXPECT_TRUE(QTest::qWaitFor([&] { return !panel.busy() && panel.rows().rowCount() > 0; }, 10'000));
}

TEST_F(AnswersTest, canBeCopiedAndSaved) {
    open();
    panel.copy();
    EXPECT_EQ(QApplication::clipboard()->text(), panel.sentences());
    ask("collectives");
    auto& rows = stage.find<QTableView>("Answer as a table");
    rows.selectRow(1);
    rows.setFocus();
    QTest::keyClick(&rows, Qt::Key_C, Qt::ControlModifier);
    const QStringList lines = QApplication::clipboard()->text().split('\n');
    ASSERT_EQ(lines.size(), 2);
    EXPECT_TRUE(lines[0].startsWith("instance\tcommunicator\toperation")) << lines[0].toStdString();
    EXPECT_TRUE(lines[1].contains("messages\t4\t")) << lines[1].toStdString();
    const QString file = stage.folder.filePath("collectives.csv");
    panel.save(file);
    QFile saved{file};
    ASSERT_TRUE(saved.open(QIODevice::ReadOnly));
    EXPECT_TRUE(saved.readAll().startsWith("instance,communicator,operation,ranks,groups,root,bytes,messages,begin_s"));
    panel.save("/nowhere/at/all.csv");
    EXPECT_TRUE(panel.remark().contains("cannot write")) << panel.remark().toStdString();
}

TEST_F(AnswersTest, answerEveryQuestionAboutARunToo) {
    stage.begin();
    QTest::keyClick(&window, Qt::Key_J, Qt::ControlModifier);
    settle();
    EXPECT_TRUE(panel.sentences().contains("ring-streams")) << panel.sentences().toStdString();
    for (const analysis::TableDefinition& question : analysis::tableDefinitions()) {
        ask(QString::fromUtf8(question.name.data(), static_cast<qsizetype>(question.name.size())));
        EXPECT_FALSE(panel.remark().isEmpty()) << question.name;
    }
    ask("rounds");
    stage.find<QTableView>("Answer as a table").selectRow(2);
    EXPECT_EQ(playback.round(), engine::Round{2});
}

TEST_F(AnswersTest, doNotGiveAwayWhatIsAsked) {
    stage.begin();
    window.contents().docks.bringUp(Dock::analysis);
    settle();
    playback.setVeil(us(1));
    EXPECT_FALSE(stage.find<QTextBrowser>("Answer in sentences").isVisible());
    playback.setVeil(std::nullopt);
    EXPECT_TRUE(stage.find<QTextBrowser>("Answer in sentences").isVisible());
}

}  // namespace
}  // namespace app::gui
