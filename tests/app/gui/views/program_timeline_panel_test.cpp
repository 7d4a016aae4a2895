// SPDX-License-Identifier: BSD-3-Clause
// A traced program in the window: Tracks in the place of network and diagram, with its keys, wheel and clicks.
#include "app/gui/views/program_timeline_panel.hpp"
#include "app/gui/explain/explain_panel.hpp"
#include "app/gui/explain/explanation.hpp"
#include "app/gui/scenes/program/program_timeline_frame.hpp"
#include "app/gui/scenes/text/program_text.hpp"
#include "app/gui/scenes/text/summary.hpp"
#include "app/gui/views/basic_views.hpp"
#include "tests/app/gui/window_fixture.hpp"
#include "tests/support/programs/stepping_program.hpp"
#include "traces/recording/run_from_recording.hpp"

#include <QWheelEvent>

namespace app::gui {
namespace {

using engine::Picoseconds;
using engine::Rank;

Trace steppingTrace() {
    auto kept = std::make_shared<const traces::Recording>(support::steppingProgram(8, 20));
    return {.report = analysis::reportOn(std::make_shared<const engine::Run>(traces::runOf(*kept))), .recording = kept};
}

/// A window that shows the program.
struct ProgramStage : Stage {
    ProgramStage() {
        window.resize(1600, 1000);
        window.presenter().begin(steppingTrace());
        settle();
    }
    [[nodiscard]] ProgramTimelinePanel& tracks() { return *window.contents().tracks; }
    [[nodiscard]] ProgramTimelineFrame frame() {
        const DrawableRun& subject = *window.playback().subject();
        return programTimelineFrame(subject, *programOf(subject), window.playback().state(), tracks().size());
    }
    void turnWheel(QPointF at, int notches, Qt::KeyboardModifiers modifiers) {
        QWheelEvent event{at,        tracks().mapToGlobal(at), {},   {0, 120 * notches}, Qt::NoButton,
                          modifiers, Qt::NoScrollPhase,        false};
        QApplication::sendEvent(&tracks(), &event);
    }
};

TEST(ProgramTimelinePanel, standsInThePlaceOfNetworkAndDiagram) {
    ProgramStage stage;
    EXPECT_TRUE(stage.tracks().isVisible());
    EXPECT_FALSE(stage.window.contents().network->isVisible());
    EXPECT_FALSE(stage.window.contents().spaceTime->isVisible());
    EXPECT_TRUE(stage.find<ViewWidget>("Call tree").isVisible());
    EXPECT_TRUE(stage.find<ViewWidget>("Iterations").isVisible());
    const DrawableRunPtr before = stage.window.playback().subject();
    stage.window.presenter().begin({});
    stage.settleAfter(before);
    EXPECT_FALSE(stage.tracks().isVisible()) << "a run of our own";
    EXPECT_TRUE(stage.window.contents().network->isVisible());
}

TEST(ProgramTimelinePanel, countsNoRoundsOfATraceThatHasNone) {
    ProgramStage stage;
    const DrawableRun& subject = *stage.window.playback().subject();
    EXPECT_FALSE(runInALine(subject).contains("round"));
    EXPECT_FALSE(explain(subject, stage.window.playback().state()).contains("Round"));
    EXPECT_TRUE(explain(subject, {.time = Picoseconds{20'000'000'000}})
                    .contains("rank <a href=\"rank:3\">3</a>: compute, in main/assemble"))
        << explain(subject, {.time = Picoseconds{20'000'000'000}}).toStdString();
}

TEST(ProgramTimelinePanel, tellsAndSelectsWhatIsUnderTheMouse) {
    ProgramStage stage;
    const ProgramTimelineFrame frame = stage.frame();
    // Rank 3 assembles in the middle of the second step: below main, where that has a lane.
    const Picoseconds time{45'000'000'000};
    const QPointF at{frame.axis.pixel(time), frame.topOf(3) + frame.gap() / 2 +
                                                 frame.inRow.lane * (1.5 - static_cast<double>(frame.inRow.first))};
    EXPECT_TRUE(stage.tracks().tipAt(at).startsWith("assemble on rank 3: ")) << stage.tracks().tipAt(at).toStdString();
    QTest::mouseClick(&stage.tracks(), Qt::LeftButton, {}, at.toPoint());
    ASSERT_TRUE(stage.window.playback().state().asked);
    EXPECT_EQ(stage.window.playback().state().asked->kind, Meaning::Kind::call);
    EXPECT_EQ(stage.window.playback().state().rank, Rank{3});
    EXPECT_TRUE(stage.find<DetailsPanel>().toPlainText().contains("main/assemble"));
}

TEST(ProgramTimelinePanel, makesRowsHigherAndShowsOthers) {
    ProgramStage stage;
    stage.window.resize(900, 420);
    QCoreApplication::processEvents();
    stage.tracks().setFocus();
    const double before = stage.frame().pitch;
    for (int k = 0; k < 4; ++k) QTest::keyClick(&stage.tracks(), Qt::Key_E);
    EXPECT_GT(stage.frame().pitch, before);
    EXPECT_EQ(stage.frame().rows.size(), 8U);
    stage.window.playback().setProgramTimeline({.zoom = 3});
    QTest::keyClick(&stage.tracks(), Qt::Key_PageDown);
    EXPECT_GT(stage.frame().top, 0);
    const double top = stage.frame().top;
    stage.turnWheel({400, 100}, 1, Qt::AltModifier);
    EXPECT_LT(stage.frame().top, top);
    const double pitch = stage.frame().pitch;
    stage.turnWheel({400, 100}, -1, Qt::ControlModifier);
    EXPECT_LT(stage.frame().pitch, pitch);
    QTest::keyClick(&stage.tracks(), Qt::Key_O);
    EXPECT_EQ(stage.window.playback().state().tracks.order, ProgramTimelineView::Order::waited);
    QTest::keyClick(&stage.tracks(), Qt::Key_G);
    EXPECT_EQ(stage.frame().groups.size(), 2U);
}

TEST(ProgramTimelinePanel, showsTheMetricsThatAreChosen) {
    ProgramStage stage;
    EXPECT_EQ(stage.frame().rows.size(), 8U);
    traces::Recording recording = support::steppingProgram(8, 20);
    for (const char* name : {"a", "b"}) recording.metrics.push_back({name, "", "", {}, {}});
    recording.samples = {{.location = 0,
                          .rank = Rank{0},
                          .about = {},
                          .metrics = {0, 1},
                          .time = std::vector{Picoseconds{1}, Picoseconds{2}},
                          .values = {std::vector{1.0, 2.0}, std::vector{3.0, 4.0}}}};
    auto kept = std::make_shared<const traces::Recording>(std::move(recording));
    const DrawableRunPtr before = stage.window.playback().subject();
    stage.window.presenter().begin(Trace{
        .report = analysis::reportOn(std::make_shared<const engine::Run>(traces::runOf(*kept))), .recording = kept});
    stage.settleAfter(before);
    stage.settle();
    const auto shown = [&] {
        return metricsIn(*programOf(*stage.window.playback().subject()), stage.window.playback().state().tracks);
    };
    using Metrics = std::vector<std::int32_t>;
    EXPECT_EQ(shown(), (Metrics{0, 1}));
    stage.tracks().setFocus();
    for (const Metrics& next : {Metrics{}, Metrics{0}, Metrics{1}, Metrics{0, 1}, Metrics{}}) {
        QTest::keyClick(&stage.tracks(), Qt::Key_V);
        EXPECT_EQ(shown(), next);
    }
    QMenu* menu = stage.tracks().rowActions().back()->menu();
    ASSERT_NE(menu, nullptr);
    const auto choose = [&](int metric) {
        Q_EMIT menu->aboutToShow();
        menu->actions().at(metric)->trigger();
    };
    choose(1);
    EXPECT_EQ(shown(), (Metrics{1}));
    choose(0);
    EXPECT_EQ(shown(), (Metrics{0, 1}));
    choose(1);
    EXPECT_EQ(shown(), (Metrics{0}));
    EXPECT_EQ(stage.frame().rows.size(), 9U);
}

TEST(ProgramTimelinePanel, foldsAGroupThatIsClicked) {
    ProgramStage stage;
    stage.window.playback().select(Meaning{Meaning::Kind::group, 1, -1});
    stage.window.playback().select(Meaning{Meaning::Kind::group, 0, -1});
    EXPECT_EQ(stage.window.playback().state().tracks.folded, (std::vector<std::int32_t>{0, 1}));
    stage.window.playback().select(Meaning{Meaning::Kind::group, 1, -1});
    EXPECT_EQ(stage.window.playback().state().tracks.folded, std::vector<std::int32_t>{0});
}

TEST(ProgramTimelinePanel, isLedToFromWhereAndWhen) {
    ProgramStage stage;
    const DrawableRun& subject = *stage.window.playback().subject();
    const analysis::Iteration& odd = programOf(subject)->iterations().all[9];
    stage.window.playback().select(Meaning{Meaning::Kind::iteration, 9, -1});
    EXPECT_LE(stage.window.playback().spanBegin(), odd.begin);
    EXPECT_GE(stage.window.playback().spanEnd(), odd.begin + odd.duration);
    EXPECT_LT(stage.window.playback().spanEnd() - stage.window.playback().spanBegin(), odd.duration * 2);
    const analysis::PathId path = programOf(subject)->causes().front().path;
    stage.window.playback().select(Meaning{Meaning::Kind::path, path, 1});
    EXPECT_EQ(stage.window.playback().state().rank, Rank{1});
    const auto longest = programOf(subject)->longestCall(path, Rank{1});
    ASSERT_TRUE(longest);
    EXPECT_EQ(longest->end - longest->begin, Picoseconds{36'000'000'000}) << "in the tenth step";
    EXPECT_EQ(stage.window.playback().state().time, longest->begin);
}

}  // namespace
}  // namespace app::gui
