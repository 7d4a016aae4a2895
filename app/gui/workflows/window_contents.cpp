// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/workflows/window_contents.hpp"

#include "app/analysis/bounds/bound_gap.hpp"
#include "app/gui/answers/tables_panel.hpp"
#include "app/gui/comparison/differences_panel.hpp"
#include "app/gui/explain/explain_panel.hpp"
#include "app/gui/notes/annotations_panel.hpp"
#include "app/gui/replay/replay_panel.hpp"
#include "app/gui/scenes/drawing/style.hpp"
#include "app/gui/scenes/text/card_facts.hpp"
#include "app/gui/scenes/text/summary.hpp"
#include "app/gui/setup/chip_bar.hpp"
#include "app/gui/setup/setup_panel.hpp"
#include "app/gui/tables/rounds_table.hpp"
#include "app/gui/views/basic_views.hpp"
#include "app/gui/views/card.hpp"
#include "app/gui/views/charts_panel.hpp"
#include "app/gui/views/diagram_panel.hpp"
#include "app/gui/views/network_and_timeline.hpp"
#include "app/gui/views/overview_panel.hpp"
#include "app/gui/views/program_timeline_panel.hpp"
#include "app/gui/views/search_bar.hpp"
#include "app/gui/views/transport_bar.hpp"
#include "app/gui/views/two_run_view.hpp"
#include "app/gui/what_if/better_schedule_panel.hpp"
#include "app/gui/what_if/sliders_panel.hpp"
#include "app/gui/what_if/small_multiples_panel.hpp"
#include "app/gui/widgets/drilldown_bar.hpp"
#include "app/gui/widgets/notice_bar.hpp"
#include "app/gui/widgets/run_progress.hpp"
#include "app/gui/widgets/zero_margin_layout.hpp"
#include "app/session/options/recorded.hpp"
#include "app/teaching/teaching.hpp"

#include <QHBoxLayout>
#include <QStatusBar>
#include <QToolBar>

#include <array>
#include <map>

namespace app::gui {
namespace {

constexpr int statusMargin = 40;  // pixels of a status bar that no words have
constexpr int lowWindow = 480;    // pixels of height
constexpr int slimTransport = 640;
constexpr QSize leastMiddle{256, 100};
constexpr int lowResult = 46;  // of the result in such a window: its sentence

/// Where each of analysis::gapCauses is seen: a panel, and the chart in it.
struct Seen {
    Dock dock;
    const char* chart;
};
constexpr std::array<Seen, 7> seenIn{{{Dock::rounds, nullptr},
                                      {Dock::bounds, nullptr},
                                      {Dock::bounds, nullptr},
                                      {Dock::charts, QT_TRANSLATE_NOOP("app::gui::ChartsPanel", "Links")},
                                      {Dock::charts, QT_TRANSLATE_NOOP("app::gui::ChartsPanel", "Ranks")},
                                      {Dock::charts, QT_TRANSLATE_NOOP("app::gui::ChartsPanel", "Waits")},
                                      {Dock::bounds, nullptr}}};
static_assert(seenIn.size() == analysis::gapCauses.size());

}  // namespace

Contents::Contents(QMainWindow& window, Playback& first, Playback& second, LinkedPlayback& pairing)
    : docks{window},
      headline{new HeadlinePanel{first}},
      network{new NetworkPanel{first}},
      spaceTime{new RunTimelinePanel{first}},
      tracks{new ProgramTimelinePanel{first}},
      setup{new SetupPanel},
      sliders{new SlidersPanel{first}},
      multiples{new MultiplesPanel{first}},
      better{new BetterSchedulePanel{first}},
      transport{new TransportBar{first}},
      chips{new ChipBar},
      progress{new RunProgress},
      notice{new NoticeBar},
      inside{new InsideBar},
      search{new SearchBar{first}},
      teach{new TeachPanel{first}},
      answers{new TablesPanel{first}},
      editor{new EditorPanel},
      task{new TaskPanel},
      game{new GamePanel},
      notes{new AnnotationsPanel{first}},
      replay{new ReplayPanel},
      pictures{new NetworkAndTimeline{first, network, spaceTime, new OverviewPanel{first}, tracks}},
      otherSide{app::gui::otherSide(second)},
      differences{new DifferencesPanel{first, second, pairing}},
      window_{&window},
      first_{&first},
      summary_{new FittingLabel},
      explanation_{new ExplainPanel{first}},
      details_{new DetailsPanel{first}},
      charts_{new ChartsPanel{first}} {
    buildTop();
    buildMiddle(second, pairing);
    buildDocks(first);
    QObject::connect(&second, &Playback::asked, &window, [this] { docks.bringForward(Dock::details, Dock::lesson); });
    QObject::connect(&pairing, &LinkedPlayback::toldChanged, &window, [this, &pairing] { tellOf(pairing.told()); });
    for (const Playback* each : {&first, &second})
        QObject::connect(each, &Playback::subjectChanged, &window, [this, &first, &second] {
            const bool program =
                first.subject() && first.subject()->isProgram() && (!second.subject() || second.subject()->isProgram());
            for (NetworkAndTimeline* run : {pictures, otherSide}) run->showProgram(program);
        });

    summary_->setContentsMargins(12, 0, 0, 0);
    summary_->setAccessibleName(tr("The run in a line"));
    QStatusBar* status = window.statusBar();
    status->addPermanentWidget(progress);
    status->addPermanentWidget(summary_);
    QObject::connect(&first, &Playback::subjectChanged, summary_, [this] {
        sayInALine();
        const bool shown = wishBehind(first_->subject()->report()).has_value();
        docks.titleOf(Dock::setup).setFact(shown ? QString{} : tr("of another run"));
    });
    QObject::connect(status, &QStatusBar::messageChanged, summary_, [this] { fitStatus(); });
    for (ViewWidget* view : window.findChildren<ViewWidget*>()) {
        QObject::connect(view, &ViewWidget::pointedAt, status,
                         [status](const QString& words) { status->showMessage(QString{words}.replace('\n', ' ')); });
    }
}

// Views look at the playbacks, and some hear of changes while they go; Qt would take them down after those.
Contents::~Contents() {
    delete window_->takeCentralWidget();
    qDeleteAll(window_->findChildren<QDockWidget*>());
    qDeleteAll(window_->findChildren<QToolBar*>());
}

void Contents::buildTop() {
    const auto add = [this](const QString& title, const char* name, QWidget* content) {
        auto* bar = new QToolBar{title};
        bar->setObjectName(QString::fromLatin1(name));
        bar->setMovable(false);
        bar->addWidget(content);
        window_->addToolBar(Qt::TopToolBarArea, bar);
        bar->toggleViewAction()->setEnabled(false);
    };
    auto* line = new QWidget;
    auto* row = new QHBoxLayout{line};
    row->setContentsMargins(0, 0, 4, 0);
    row->addWidget(transport, 1);
    row->addWidget(chips);
    add(tr("Transport"), "transport", line);
    window_->addToolBarBreak(Qt::TopToolBarArea);
    result_ = new QStackedWidget;
    result_->setFixedHeight(headline->sizeHint().height());
    result_->addWidget(headline);
    result_->addWidget(differences->verdict());
    add(tr("The result"), "result", result_);
    QObject::connect(chips, &ChipBar::fieldAsked, window_, [this](const QString& key) {
        docks.bringUp(Dock::setup);
        setup->edit(key);
    });
    QObject::connect(chips, &ChipBar::traceAsked, window_, [this] { docks.bringUp(Dock::analysis); });
}

void Contents::buildMiddle(const Playback& second, const LinkedPlayback& pairing) {
    auto* differ = new Card{tr("What differs"), differences};
    const auto nameSides = [this, differ, &second, &pairing] {
        differ->title().setFact(tr("from %1 to %2").arg(first_->side(), second.side()));
        nameRuns(TitleRun::first, first_->side());
        nameRuns(TitleRun::told, pairing.told().side());
        sayInALine();
    };
    for (const Playback* each : {first_, static_cast<const Playback*>(&second)})
        QObject::connect(each, &Playback::sideChanged, window_, nameSides);
    runs_ = new TwoRunView{*first_, second, pictures, otherSide, differ};
    runs_->setMinimumSize(leastMiddle);
    auto* middle = new QWidget;
    QVBoxLayout* column = columnIn(*middle);
    column->addWidget(notice);
    column->addWidget(inside);
    column->addWidget(search);
    column->addWidget(runs_, 1);
    window_->setCentralWidget(middle);
    showSecond(false);
}

void Contents::showSecond(bool shown) {
    two_ = shown;
    runs_->setSecond(shown);
    result_->setCurrentIndex(shown ? 1 : 0);
    fitResult();
}

void Contents::fit() {
    runs_->arrange();
    transport->setSlim(window_->width() < slimTransport);
    fitResult();
    fitStatus();
    docks.fit();
}

/// On a projector the sentence of a comparison says most of it, and has room for its large letters.
void Contents::fitResult() {
    int height = window_->height() < lowWindow ? lowResult : headline->sizeHint().height();
    const double times = first_->magnification();
    if (two_ && times > 1) height = std::min(static_cast<int>(height * times), window_->height() / 5);
    result_->setFixedHeight(height);
}

void Contents::sayInALine() {
    if (!first_->subject()) return;
    const QString words = runInALine(*first_->subject());
    summary_->setWords(first_->side().isEmpty() ? words : tr("%1: %2").arg(first_->side(), words));
    fitStatus();
}

/// A message has the room that it needs while it stands there.
void Contents::fitStatus() {
    QStatusBar* status = window_->statusBar();
    const QString message = status->currentMessage();
    const int wide = status->fontMetrics().horizontalAdvance(message) + summary_->sizeHint().width();
    summary_->setVisible(message.isEmpty() || wide + statusMargin <= window_->width());
    status->setToolTip(message);
}

void Contents::tellOf(Playback& run) {
    explanation_->speakOf(run);
    details_->speakOf(run);
    docks.titleOf(Dock::explanation).follow(run, momentFact);
    docks.titleOf(Dock::details).follow(run, chosenFact);
    nameRuns(TitleRun::told, run.side());
}

void Contents::nameRuns(TitleRun which, const QString& side) {
    for (const DockRow& row : dockRows())
        if (row.run == which) docks.titleOf(row.dock).setOf(side);
}

void Contents::setAbove(bool above) { runs_->setAbove(above); }

void Contents::buildDocks(Playback& first) {
    // Smaller than all panels want at once: before that they are stacked.
    window_->setMinimumSize(480, 360);
    auto* exercise = new QWidget;
    QVBoxLayout* both = columnIn(*exercise);
    both->addWidget(game, 3);
    both->addWidget(task, 1);
    const std::map<Dock, QWidget*> panels{{Dock::setup, setup},
                                          {Dock::lesson, teach},
                                          {Dock::task, exercise},
                                          {Dock::editor, editor},
                                          {Dock::explanation, explanation_},
                                          {Dock::details, details_},
                                          {Dock::notes, notes},
                                          {Dock::blockOwnership, new OwnershipPanel{first}},
                                          {Dock::bounds, better},
                                          {Dock::charts, charts_},
                                          {Dock::rounds, new RoundsTable{first}},
                                          {Dock::whatIf, sliders},
                                          {Dock::allAlgorithms, multiples},
                                          {Dock::analysis, answers},
                                          {Dock::replay, replay}};
    // The others show the view of their name.
    for (const DockRow& row : dockRows()) {
        const auto panel = panels.find(row.dock);
        docks.add(row.dock, panel != panels.end() ? panel->second : new ViewWidget{first, viewNamed(row.name)});
    }
    docks.titleOf(Dock::explanation).follow(first, momentFact);
    docks.titleOf(Dock::details).follow(first, chosenFact);
    docks.titleOf(Dock::roundStrip).follow(first, roundsFact);
    QObject::connect(headline, &HeadlinePanel::causeAsked, window_, [this](int cause) { show(cause); });
    QObject::connect(headline, &HeadlinePanel::spentAsked, window_, [this](SpentIn seen) {
        if (seen == SpentIn::callTree) return docks.bringUp(Dock::callTree);
        docks.bringUp(Dock::charts);
        charts_->choose(seen == SpentIn::waitsChart ? ChartsPanel::tr("Waits") : ChartsPanel::tr("Ranks"));
    });
    QObject::connect(&first, &Playback::asked, window_, [this] { docks.bringForward(Dock::details, Dock::lesson); });
    docks.arrange(Layout::inspect);
    for (const auto corner : {Qt::TopLeftCorner, Qt::BottomLeftCorner})
        window_->setCorner(corner, Qt::LeftDockWidgetArea);
    for (const auto corner : {Qt::TopRightCorner, Qt::BottomRightCorner})
        window_->setCorner(corner, Qt::RightDockWidgetArea);
}

void Contents::show(int cause) {
    const Seen seen = cause < 0 ? Seen{Dock::bounds, nullptr} : seenIn[static_cast<std::size_t>(cause)];
    docks.bringUp(seen.dock);
    if (seen.chart != nullptr) charts_->choose(ChartsPanel::tr(seen.chart));
}

}  // namespace app::gui
