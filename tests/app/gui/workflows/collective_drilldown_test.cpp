// SPDX-License-Identifier: BSD-3-Clause
// A collective of a trace opens to its rounds, by mouse and by keyboard, and the trace comes back as it was left.
#include "app/gui/answers/tables_panel.hpp"
#include "app/gui/explain/explain_panel.hpp"
#include "app/gui/views/program_timeline_panel.hpp"
#include "app/gui/widgets/drilldown_bar.hpp"
#include "tests/app/gui/window_fixture.hpp"
#include "tests/support/programs/stepping_program.hpp"
#include "traces/recording/run_from_recording.hpp"
#include "traces/recording/vocabulary.hpp"

#include <QListWidget>
#include <QTableView>
#include <QToolButton>

namespace app::gui {
namespace {

class InsidesTest : public testing::Test {
protected:
    InsidesTest() {
        stage.window.resize(1366, 900);
        traces::Recording counted = support::steppingProgram(6, 12);
        counted.creator = traces::own::creator;  // which counts what arguments say: what was solved is known
        auto recording = std::make_shared<const traces::Recording>(std::move(counted));
        auto run = std::make_shared<const engine::Run>(traces::runOf(*recording));
        window.presenter().begin(Trace{.report = analysis::reportOn(std::move(run)), .recording = recording});
        stage.settle();
        (void)playback.subject()->programmed();
        QCoreApplication::processEvents();
        trace = playback.subject();
    }

    /// That a collective is opened, and says so.
    void expectInside(const QString& what) {
        stage.settle();
        ASSERT_NE(playback.subject(), trace) << window.notice().toStdString();
        EXPECT_TRUE(playback.subject()->hasRounds());
        EXPECT_FALSE(playback.subject()->isProgram());
        EXPECT_EQ(playback.subject()->run().ranks, 6);
        EXPECT_TRUE(window.contents().inside->isVisible());
        EXPECT_TRUE(window.contents().inside->sentence().contains(what))
            << window.contents().inside->sentence().toStdString();
        EXPECT_EQ(window.desk().layout(), Layout::inspect);
    }
    void expectBack() {
        EXPECT_EQ(playback.subject(), trace);
        EXPECT_FALSE(window.contents().inside->isVisible());
        EXPECT_EQ(window.desk().layout(), Layout::analyse);
    }

    Stage stage;
    MainWindow& window = stage.window;
    Playback& playback = window.playback();
    DrawableRunPtr trace;
};

TEST_F(InsidesTest, opensByADoubleClickInTracksAndComesBackAsItWasLeft) {
    ProgramTimelinePanel& tracks = *window.contents().tracks;
    ASSERT_TRUE(tracks.isVisible());
    playback.showSpan(playback.duration() / 10, playback.duration() / 4);
    playback.seek(playback.duration() / 5);
    const engine::Picoseconds begin = playback.spanBegin();
    const engine::Picoseconds time = playback.state().time;
    QPointF at;
    for (const Shape& shape : tracks.shapes())
        if (shape.meaning.kind == Meaning::Kind::collective) at = (shape.from * 2 + shape.to) / 3;
    ASSERT_FALSE(at.isNull());
    QTest::mouseDClick(&tracks, Qt::LeftButton, {}, at.toPoint());
    expectInside("allreduce");
    auto* back = window.contents().inside->findChild<QToolButton*>();
    QTest::mouseClick(back, Qt::LeftButton);
    expectBack();
    EXPECT_EQ(playback.spanBegin(), begin);
    EXPECT_EQ(playback.state().time, time);
}

TEST_F(InsidesTest, opensByTheKeyboardFromTheTableOfCollectives) {
    window.contents().docks.bringUp(Dock::analysis);
    TablesPanel& answers = *window.contents().answers;
    auto& questions = stage.find<QListWidget>("Tables");
    for (int row = 0; row < questions.count(); ++row)
        if (questions.item(row)->text() == "Collectives") questions.setCurrentRow(row);
    auto& table = stage.find<QTableView>("Answer as a table");
    ASSERT_TRUE(QTest::qWaitFor([&] { return !answers.busy() && table.model()->rowCount() > 0; }, 20'000));
    table.setFocus();
    table.selectRow(0);
    QTest::keyClick(&table, Qt::Key_Return);
    expectInside("messages on");
    EXPECT_TRUE(window.contents().inside->sentence().contains("1 round, recovered"));
    QTest::keyClick(&window, Qt::Key_Up, Qt::AltModifier);
    expectBack();
}

TEST_F(InsidesTest, opensWhatIsChosenFromTheMenuAndFromDetails) {
    playback.choose({Meaning::Kind::collective, 2, -1});
    auto& details = *window.findChild<DetailsPanel*>();
    EXPECT_TRUE(details.toHtml().contains("open:2"));
    QTest::keyClick(&window, Qt::Key_Down, Qt::AltModifier);
    expectInside("instance 6 of trace");
    window.insides().leaving()->trigger();
    expectBack();
    EXPECT_EQ(playback.state().asked, (Meaning{Meaning::Kind::collective, 2, -1}));
    Q_EMIT details.anchorClicked(QUrl{"open:1"});
    expectInside("instance 4 of trace");
    EXPECT_FALSE(window.insides().opening()->isEnabled());
    // Another run leaves the trace behind.
    const DrawableRunPtr part = playback.subject();
    window.presenter().run(firstWish(), RunLoader::Moment::begin);
    stage.settleAfter(part);
    stage.settle();
    EXPECT_FALSE(window.contents().inside->isVisible());
    EXPECT_FALSE(window.insides().leaving()->isEnabled());
}

TEST_F(InsidesTest, saysWhyNothingOpens) {
    playback.selectRank(engine::Rank{0});
    playback.seek({});
    window.insides().openChosen();
    stage.settle();
    EXPECT_EQ(playback.subject(), trace);
    EXPECT_TRUE(window.notice().contains("in no collective")) << window.notice().toStdString();
}

}  // namespace
}  // namespace app::gui
