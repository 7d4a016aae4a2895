// SPDX-License-Identifier: BSD-3-Clause
// The main states of the window as pictures: none is blank, none is cut. With COLLSCOPE_PICTURES=FOLDER they are kept
// there; resources/pictures/make.sh does so. With COLLSCOPE_PAPER=dark they are all dark.
#include "app/gui/answers/tables_panel.hpp"
#include "app/gui/replay/replay_panel.hpp"
#include "app/gui/setup/setup_panel.hpp"
#include "app/gui/views/charts_panel.hpp"
#include "app/gui/views/diagram_panel.hpp"
#include "app/gui/what_if/sliders_panel.hpp"
#include "app/gui/what_if/small_multiples_panel.hpp"
#include "app/session/options/specification.hpp"
#include "app/teaching/editor/editor_panel.hpp"
#include "app/teaching/panels/game_panel.hpp"
#include "app/teaching/panels/teach_panel.hpp"
#include "tests/app/gui/window_fixture.hpp"
#include "tests/support/places.hpp"
#include "tests/support/programs/stepping_program.hpp"
#include "traces/recording/run_from_recording.hpp"

#include <QAbstractButton>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QTabBar>

#include <set>

namespace app::gui {
namespace {

class WindowStates : public testing::Test {
protected:
    WindowStates() {
        stage.window.setTheme(qgetenv("COLLSCOPE_PAPER") == "dark" ? Theme::dark : Theme::light);
        stage.window.resize(1280, 800);
        stage.begin();
    }
    ~WindowStates() override { stage.window.setTheme(Theme::light); }

    void show(const std::string& words) { show(specified(words).run); }
    void show(const RunWish& wish) {
        const DrawableRunPtr before = playback.subject();
        window.setup().setWish(wish);
        window.setup().runNow();
        stage.settleAfter(before);
        stage.settle();
    }

    void take(const std::string& name) {
        QCoreApplication::processEvents();
        QTest::qWait(50);
        const QImage picture = window.grab().toImage();
        std::set<QRgb> colours;
        for (int y = 0; y < picture.height(); y += 2)
            for (int x = 0; x < picture.width(); x += 2) colours.insert(picture.pixel(x, y));
        EXPECT_GT(colours.size(), 100U) << name << " is blank";
        // Words of buttons and lines that are cut say half of what they mean.
        for (const QAbstractButton* button : window.findChildren<QAbstractButton*>()) {
            const bool says = button->isVisible() && !button->text().isEmpty();
            EXPECT_TRUE(!says || button->width() >= button->minimumSizeHint().width())
                << name << ": '" << button->text().toStdString() << "' is cut";
        }
        const QByteArray folder = qgetenv("COLLSCOPE_PICTURES");
        if (folder.isEmpty()) return;
        EXPECT_TRUE(picture.save(QString::fromLocal8Bit(folder) + '/' + QString::fromStdString(name) + ".png"));
    }

    void seek(double share) {
        playback.seek(
            engine::Picoseconds{static_cast<std::int64_t>(share * static_cast<double>(playback.duration().count()))});
    }

    /// A program of which one rank assembles longer than the others, and its replay without that.
    void showReplay() {
        auto recording = std::make_shared<const traces::Recording>(support::steppingProgram(6, 12));
        auto run = std::make_shared<const engine::Run>(traces::runOf(*recording));
        window.presenter().begin(Trace{.report = analysis::reportOn(std::move(run)), .recording = recording});
        stage.settle();
        window.contents().replay->form().add("without", "rank 3: main/assemble");
        window.replays().begin();
        stage.settle();
        window.replays().show(ReplayShown::both);
        for (Playback* each : {&playback, &window.other()}) (void)each->subject()->programmed();
        playback.showSpan({}, engine::Picoseconds{130'000'000'000});
    }

    TeachPanel& teach() { return *window.contents().teach; }

    Stage stage;
    MainWindow& window = stage.window;
    Playback& playback = window.playback();
};

TEST_F(WindowStates, dark) {
    window.setTheme(Theme::dark);
    show("allreduce/butterfly -n 16 --topology torus:4x4");
    playback.selectRank(engine::Rank{5});
    seek(0.4);
    take("dark");
}

TEST_F(WindowStates, compare) {
    window.comparison().compareWith("halfduplex-allgather/ring-belts");
    stage.settle();
    seek(0.45);
    take("compare");
}

TEST_F(WindowStates, replaying) {
    window.resize(1600, 1000);
    showReplay();
    take("replaying");
}

TEST_F(WindowStates, layoutsOfReplays) {
    showReplay();
    for (const QSize size : {QSize{1366, 768}, QSize{1920, 1080}})
        for (const Theme theme : {Theme::dark, Theme::light}) {
            window.resize(size);
            window.setTheme(theme);
            stage.settle();
            take("replaying-" + gui::name(theme).toStdString() + '-' + std::to_string(size.width()));
        }
    window.replays().show(ReplayShown::recorded);
    window.resize(1366, 768);
    stage.settle();
    take("replaying-recorded-1366");
}

TEST_F(WindowStates, sliders) {
    window.contents().docks.bringUp(Dock::whatIf);
    auto& alpha = stage.find<QSlider>(QStringLiteral("Slider: Startup \u03b1"));
    alpha.setValue(alpha.value() + 25);
    stage.settle();
    window.contents().sliders->sweep().start();
    EXPECT_TRUE(QTest::qWaitFor([&] { return !window.contents().sliders->sweep().busy(); }, 60'000));
    QTest::qWait(50);
    const auto* room = window.contents().sliders->sweep().findChild<QScrollArea*>();
    EXPECT_EQ(room->verticalScrollBar()->maximum(), 0) << "all names are in sight";
    take("sliders");
}

TEST_F(WindowStates, multiples) {
    show("allgatherv/linear-ring -n 12");
    window.contents().docks.bringUp(Dock::allAlgorithms);
    window.contents().multiples->start();
    EXPECT_TRUE(QTest::qWaitFor([&] { return !window.contents().multiples->busy(); }, 60'000));
    take("multiples");
}

TEST_F(WindowStates, lesson) {
    window.teaching().start(1);
    stage.settle();
    teach().next();
    stage.settle();
    teach().next();
    stage.settle();
    teach().next();
    stage.settle();
    EXPECT_TRUE(teach().box().open());
    take("lesson");
}

TEST_F(WindowStates, game) {
    window.open(QString::fromStdString((support::sourceFolder() / "resources/tasks/moves-bcast.task").string()));
    stage.settle();
    stage.find<QPushButton>("Play by hand").click();
    stage.settle();
    const auto move = [&](int from, int to) {
        for (const int rank : {from, to}) playback.select(Meaning{Meaning::Kind::rank, rank});
        stage.settle();
    };
    move(0, 1);
    stage.find<QPushButton>("End round").click();
    stage.settle();
    move(0, 3);
    stage.find<QPushButton>("End round").click();
    stage.settle();
    EXPECT_TRUE(window.contents().game->verdict().contains("cost 1 round"));
    for (const auto& [from, to] : {std::pair{1, 4}, {3, 6}}) move(from, to);
    take("game");
}

TEST_F(WindowStates, writing) {
    window.authoring().beginLesson({});
    stage.settle();
    auto& edit = window.contents().editor->edit();
    QTextCursor cursor = edit.document()->find("two ranks have it: 0 and 2 |");
    cursor.insertText("two ranks have it: 0 and 3 |");
    edit.setTextCursor(cursor);
    stage.settle();
    EXPECT_TRUE(edit.marked());
    take("writing");
}

TEST_F(WindowStates, details) {
    seek(0.5);
    playback.select(Meaning{Meaning::Kind::block, 0, -1});
    window.findChild<QDockWidget*>("details")->raise();
    take("details");
}

TEST_F(WindowStates, waiting) {
    playback.select(Meaning{Meaning::Kind::still, 6, 0});
    playback.addMark({.time = playback.state().time, .note = "the first block comes"});
    take("waiting");
}

TEST_F(WindowStates, notes) {
    playback.seek(playback.subject()->middleBegin(engine::Round{3}) + engine::Picoseconds{5'000'000});
    const auto now = playback.state().time;
    // Link 6 leads from 3 to 4.
    playback.setMarks(
        {{.time = now, .note = "Block 2 goes the short way round", .on = Mark::On::network, .rank = engine::Rank{0}},
         {.time = now, .note = "Block 1 crosses over", .on = Mark::On::network, .link = engine::LinkId{6}},
         {.time = now, .note = "Nothing comes here in round 4", .on = Mark::On::ranks, .rank = engine::Rank{8}},
         {.time = playback.subject()->middleBegin(engine::Round{5}), .note = "the streams meet"}});
    window.contents().docks.bringUp(Dock::notes);
    take("notes");
    window.setTheme(Theme::dark);
    take("notes-dark");
}

TEST_F(WindowStates, charts) {
    show("allgatherv/linear-ring -n 12 --sizes linear");
    window.findChild<QDockWidget*>("charts")->raise();
    stage.find<ChartsPanel>().setCurrentIndex(1);
    seek(0.5);
    take("charts");
}

TEST_F(WindowStates, many) {
    show("allgatherv/bruck -n 512 --topology torus:16x32");
    seek(0.5);
    take("many");
}

TEST_F(WindowStates, answers) {
    show("allgatherv/linear-ring -n 12 --sizes linear");
    window.contents().docks.bringUp(Dock::analysis);
    window.contents().answers->choose("rounds");
    EXPECT_TRUE(QTest::qWaitFor([&] { return !window.contents().answers->busy(); }, 60'000));
    take("answers");
}

TEST_F(WindowStates, answersInLittleRoom) {
    window.resize(800, 600);
    window.contents().docks.bringUp(Dock::analysis);
    EXPECT_TRUE(QTest::qWaitFor([&] { return !window.contents().answers->busy(); }, 60'000));
    take("answers-small");
}

TEST_F(WindowStates, conditions) {
    RunWish wish = specified("allgatherv/linear-ring -n 8 --topology ring").run;
    wish.perturbation.slowRanks = emulation::readSlowRanks("3:2");
    wish.perturbation.arrival = emulation::readArrival("late:5,20us");
    show(wish);
    seek(0.5);
    take("conditions");
}

TEST_F(WindowStates, processes) {
    RunWish wish = specified("allgatherv/linear-ring -n 8 --topology ring").run;
    wish.on = "mpi";
    window.setup().setWish(wish);
    window.setup().setProcesses({.launcher = {.command = "mpiexec.openmpi", .hostfile = "hosts"}, .repeats = 20});
    window.resize(1100, 900);
    take("processes");
}

TEST_F(WindowStates, projector) {
    window.teaching().start(1);
    stage.settle();
    teach().next();
    stage.settle();
    window.projector().set(true);
    take("projector");
    window.projector().set(false);
}

TEST_F(WindowStates, small) {
    window.resize(640, 480);
    take("small");
}

}  // namespace
}  // namespace app::gui
