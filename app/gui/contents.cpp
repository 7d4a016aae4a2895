// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/contents.hpp"

#include "app/analysis/gap.hpp"
#include "app/gui/panels/answers_panel.hpp"
#include "app/gui/panels/charts_panel.hpp"
#include "app/gui/panels/compare_panel.hpp"
#include "app/gui/panels/details_panel.hpp"
#include "app/gui/panels/diagram_panel.hpp"
#include "app/gui/panels/editor_panel.hpp"
#include "app/gui/panels/explain_panel.hpp"
#include "app/gui/panels/notes_panel.hpp"
#include "app/gui/panels/notice_bar.hpp"
#include "app/gui/panels/overview_panel.hpp"
#include "app/gui/panels/pictures.hpp"
#include "app/gui/panels/rounds_table.hpp"
#include "app/gui/panels/search_bar.hpp"
#include "app/gui/panels/setup_panel.hpp"
#include "app/gui/panels/task_panel.hpp"
#include "app/gui/panels/teach_panel.hpp"
#include "app/gui/panels/tracks_panel.hpp"
#include "app/gui/panels/transport_bar.hpp"
#include "app/gui/summary.hpp"

#include <QStatusBar>
#include <QToolBar>
#include <QVBoxLayout>

#include <array>

namespace app::gui {
namespace {

QVBoxLayout* columnIn(QWidget& widget) {
    auto* column = new QVBoxLayout{&widget};
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    return column;
}

/// Where each of analysis::gapCauses is seen: a panel, and the chart in it.
struct Seen {
    const char* dock;
    const char* chart;
};
constexpr std::array<Seen, 7> seenIn{{{"rounds", nullptr},
                                      {"bounds", nullptr},
                                      {"bounds", nullptr},
                                      {"charts", QT_TRANSLATE_NOOP("app::gui::ChartsPanel", "Links")},
                                      {"charts", QT_TRANSLATE_NOOP("app::gui::ChartsPanel", "Idle")},
                                      {"charts", QT_TRANSLATE_NOOP("app::gui::ChartsPanel", "Waits")},
                                      {"bounds", nullptr}}};
static_assert(seenIn.size() == analysis::gapCauses.size());

}  // namespace

Contents::Contents(QMainWindow& window, Playback& first, Playback& second, Pairing& pairing)
    : docks{window},
      headline{new HeadlinePanel{first}},
      network{new NetworkPanel{first}},
      spaceTime{new SpaceTimePanel{first}},
      tracks{new TracksPanel{first}},
      setup{new SetupPanel},
      transport{new TransportBar{first}},
      notice{new NoticeBar},
      search{new SearchBar{first}},
      teach{new TeachPanel{first}},
      answers{new AnswersPanel{first}},
      editor{new EditorPanel},
      task{new TaskPanel},
      notes{new NotesPanel{first}},
      pictures{new QSplitter{Qt::Vertical}},
      title{runTitle(tr("Run A"))},
      otherSide{new OtherSide{second}},
      differences{new DifferencesPanel{first, second, pairing}},
      window_{&window},
      charts_{new ChartsPanel{first}} {
    auto* bar = new QToolBar{tr("Transport")};
    bar->setObjectName("transport");
    bar->setMovable(false);
    bar->addWidget(transport);
    window.addToolBar(Qt::TopToolBarArea, bar);
    bar->toggleViewAction()->setEnabled(false);

    buildMiddle(first);
    buildDocks(first);
    for (const Playback* each : {&first, &second})
        QObject::connect(each, &Playback::subjectChanged, &window, [this, &first, &second] {
            const bool program = first.subject() && first.subject()->isProgram() && !second.subject();
            network->setVisible(!program);
            spaceTime->setVisible(!program);
            tracks->setVisible(program);
        });

    auto* summary = new QLabel;
    summary->setContentsMargins(12, 0, 0, 0);
    summary->setAccessibleName(tr("The run in a line"));
    QStatusBar* status = window.statusBar();
    status->addPermanentWidget(summary);
    QObject::connect(&first, &Playback::subjectChanged, summary,
                     [summary, &first] { summary->setText(runInALine(first.subject()->report())); });
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

void Contents::buildMiddle(Playback& first) {
    pictures->addWidget(network);
    auto* lower = new QWidget;
    QVBoxLayout* rows = columnIn(*lower);
    rows->addWidget(spaceTime, 1);
    rows->addWidget(tracks, 1);
    tracks->hide();
    rows->addWidget(new OverviewPanel{first});
    pictures->addWidget(lower);
    pictures->setChildrenCollapsible(false);
    pictures->setMinimumWidth(240);
    pictures->setStretchFactor(0, 11);
    pictures->setStretchFactor(1, 9);
    for (QWidget* ofTwo : std::initializer_list<QWidget*>{title, otherSide, differences}) ofTwo->hide();
    auto* firstSide = new QWidget;
    QVBoxLayout* firstColumn = columnIn(*firstSide);
    firstColumn->addWidget(title);
    firstColumn->addWidget(headline);
    firstColumn->addWidget(pictures, 1);
    auto* sides = new QSplitter{Qt::Horizontal};
    sides->addWidget(firstSide);
    sides->addWidget(otherSide);
    auto* levels = new QSplitter{Qt::Vertical};
    levels->addWidget(sides);
    levels->addWidget(differences);
    levels->setStretchFactor(0, 1);
    for (QSplitter* each : {sides, levels}) each->setChildrenCollapsible(false);
    auto* middle = new QWidget;
    QVBoxLayout* column = columnIn(*middle);
    column->addWidget(notice);
    column->addWidget(search);
    column->addWidget(levels, 1);
    window_->setCentralWidget(middle);
}

void Contents::buildDocks(Playback& first) {
    // Smaller than all panels want at once: before that they are stacked.
    window_->setMinimumSize(480, 360);
    docks.add(tr("Set-up"), "setup", setup);
    docks.add(tr("Lesson"), "lesson", teach);
    docks.add(tr("Task"), "task", task);
    docks.add(tr("Editor"), "editor", editor);
    docks.add(tr("Explanation"), "explanation", new ExplainPanel{first});
    docks.add(tr("Details"), "details", new DetailsPanel{first});
    docks.add(tr("Notes"), "notes", notes);
    docks.add(tr("Holdings"), "holdings", new HoldingsPanel{first});
    docks.add(tr("Bounds"), "bounds", new BoundsPanel{first});
    docks.add(tr("Charts"), "charts", charts_);
    docks.add(tr("Round by round"), "strip", new StripPanel{first});
    docks.add(tr("Rounds"), "rounds", new RoundsTable{first});
    docks.add(tr("Where"), "where", new WherePanel{first});
    docks.add(tr("When"), "when", new WhenPanel{first});
    docks.add(tr("Answers"), "answers", answers);
    QObject::connect(headline, &HeadlinePanel::causeAsked, window_, [this](int cause) { show(cause); });
    QObject::connect(&first, &Playback::asked, window_, [this] { docks.bringForward("details", "lesson"); });
    docks.arrange();
    for (const char* later : {"lesson", "task", "editor", "answers", "notes", "where", "when"}) docks[later].hide();
    for (const auto corner : {Qt::TopLeftCorner, Qt::BottomLeftCorner})
        window_->setCorner(corner, Qt::LeftDockWidgetArea);
    for (const auto corner : {Qt::TopRightCorner, Qt::BottomRightCorner})
        window_->setCorner(corner, Qt::RightDockWidgetArea);
}

void Contents::show(int cause) {
    const Seen seen = cause < 0 ? Seen{"bounds", nullptr} : seenIn[static_cast<std::size_t>(cause)];
    docks.bringUp(seen.dock);
    if (seen.chart != nullptr) charts_->choose(ChartsPanel::tr(seen.chart));
}

}  // namespace app::gui
