// SPDX-License-Identifier: BSD-3-Clause
// What the window consists of, and how it shares its room out.
#include "app/gui/main_window.hpp"
#include "app/gui/panels/answers_panel.hpp"
#include "app/gui/panels/charts_panel.hpp"
#include "app/gui/panels/compare_panel.hpp"
#include "app/gui/panels/explain_panel.hpp"
#include "app/gui/panels/notice_bar.hpp"
#include "app/gui/panels/overview_panel.hpp"
#include "app/gui/panels/pictures.hpp"
#include "app/gui/panels/rounds_table.hpp"
#include "app/gui/panels/search_bar.hpp"
#include "app/gui/panels/setup_panel.hpp"
#include "app/gui/panels/space_time_panel.hpp"
#include "app/gui/panels/teach_panel.hpp"
#include "app/gui/panels/transport_bar.hpp"

#include <QActionGroup>
#include <QApplication>
#include <QLabel>
#include <QResizeEvent>
#include <QStatusBar>
#include <QTabBar>
#include <QToolBar>
#include <QVBoxLayout>

namespace app::gui {
namespace {

constexpr int narrow = 960;  // pixels
constexpr int low = 620;

}  // namespace

void MainWindow::buildPanels() {
    network_ = new NetworkPanel{playback_};
    spaceTime_ = new SpaceTimePanel{playback_};
    auto* holdings = new HoldingsPanel{playback_};
    auto* bounds = new BoundsPanel{playback_};
    setup_ = new SetupPanel;
    transport_ = new TransportBar{playback_};
    notice_ = new NoticeBar;
    search_ = new SearchBar{playback_};

    auto* bar = new QToolBar{tr("Transport")};
    bar->setObjectName("transport");
    bar->setMovable(false);
    bar->addWidget(transport_);
    addToolBar(Qt::TopToolBarArea, bar);
    bar->toggleViewAction()->setEnabled(false);

    splitter_ = new QSplitter{Qt::Vertical};
    splitter_->addWidget(network_);
    auto* lower = new QWidget;
    auto* rows = new QVBoxLayout{lower};
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    rows->addWidget(spaceTime_, 1);
    rows->addWidget(new OverviewPanel{playback_});
    splitter_->addWidget(lower);
    splitter_->setChildrenCollapsible(false);
    splitter_->setMinimumWidth(240);
    splitter_->setStretchFactor(0, 11);
    splitter_->setStretchFactor(1, 9);
    otherSide_ = new OtherSide{other_};
    otherSide_->hide();
    differences_ = new DifferencesPanel{playback_, other_, pairing_};
    differences_->hide();
    connect(differences_, &DifferencesPanel::closed, this, &MainWindow::stopComparing);
    auto* sides = new QSplitter{Qt::Horizontal};
    title_ = runTitle(tr("Run A"));
    title_->hide();
    auto* first = new QWidget;
    auto* firstColumn = new QVBoxLayout{first};
    firstColumn->setContentsMargins(0, 0, 0, 0);
    firstColumn->setSpacing(0);
    firstColumn->addWidget(title_);
    firstColumn->addWidget(splitter_, 1);
    sides->addWidget(first);
    sides->addWidget(otherSide_);
    auto* levels = new QSplitter{Qt::Vertical};
    levels->addWidget(sides);
    levels->addWidget(differences_);
    levels->setStretchFactor(0, 1);
    for (QSplitter* each : {sides, levels}) each->setChildrenCollapsible(false);
    auto* middle = new QWidget;
    auto* column = new QVBoxLayout{middle};
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(notice_);
    column->addWidget(search_);
    column->addWidget(levels, 1);
    setCentralWidget(middle);

    // Smaller than all panels want at once: before that they are stacked.
    setMinimumSize(480, 360);
    addDock(tr("Set-up"), "setup", setup_);
    teach_ = new TeachPanel{playback_};
    teachDock_ = addDock(tr("Lesson"), "lesson", teach_);
    addDock(tr("Explanation"), "explanation", new ExplainPanel{playback_});
    addDock(tr("Holdings"), "holdings", holdings);
    addDock(tr("Bounds"), "bounds", bounds);
    charts_ = new ChartsPanel{playback_};
    addDock(tr("Charts"), "charts", charts_);
    addDock(tr("Rounds"), "rounds", new RoundsTable{playback_});
    answers_ = new AnswersPanel{playback_};
    addDock(tr("Answers"), "answers", answers_);
    arrange();
    teachDock_->hide();
    dock("answers")->hide();
    for (const auto corner : {Qt::TopLeftCorner, Qt::BottomLeftCorner}) setCorner(corner, Qt::LeftDockWidgetArea);
    for (const auto corner : {Qt::TopRightCorner, Qt::BottomRightCorner}) setCorner(corner, Qt::RightDockWidgetArea);

    summary_ = new QLabel;
    summary_->setContentsMargins(12, 0, 0, 0);
    summary_->setAccessibleName(tr("The run in a line"));
    statusBar()->addPermanentWidget(summary_);
    for (ViewWidget* view : findChildren<ViewWidget*>()) {
        connect(view, &ViewWidget::pointedAt, statusBar(),
                [this](const QString& words) { statusBar()->showMessage(QString{words}.replace('\n', ' ')); });
    }
}

QDockWidget* MainWindow::addDock(const QString& title, const QString& name, QWidget* content) {
    auto* dock = new QDockWidget{title};
    dock->setObjectName(name);
    dock->setWidget(content);
    addDockWidget(Qt::LeftDockWidgetArea, dock);
    docks_ += dock;
    return dock;
}

/// Side by side where the window is high enough, else all of a side in one place.
void MainWindow::arrange() {
    for (const char* name : {"setup", "lesson", "explanation"}) addDockWidget(Qt::LeftDockWidgetArea, dock(name));
    for (const char* name : {"holdings", "bounds", "charts", "rounds"})
        addDockWidget(Qt::RightDockWidgetArea, dock(name));
    addDockWidget(Qt::BottomDockWidgetArea, dock("answers"));
    tabifyDockWidget(dock("setup"), dock("lesson"));
    tabifyDockWidget(dock("bounds"), dock("charts"));
    if (compact_) {
        tabifyDockWidget(dock("lesson"), dock("explanation"));
        tabifyDockWidget(dock("holdings"), dock("bounds"));
        tabifyDockWidget(dock("bounds"), dock("charts"));
        tabifyDockWidget(dock("charts"), dock("rounds"));
        tabifyDockWidget(dock("rounds"), dock("answers"));
        dock("holdings")->raise();
    } else {
        dock("bounds")->raise();
    }
    dock("setup")->raise();
    for (QTabBar* tabs : findChildren<QTabBar*>(QString{}, Qt::FindDirectChildrenOnly)) {
        tabs->setAccessibleName(tr("Panels in one place"));
        tabs->setElideMode(Qt::ElideNone);
    }
}

QDockWidget* MainWindow::dock(const char* name) const { return findChild<QDockWidget*>(QString::fromLatin1(name)); }

void MainWindow::showAnswers() {
    QDockWidget* answers = dock("answers");
    const bool fresh = answers->isHidden();
    answers->show();
    answers->raise();
    if (fresh) resizeDocks({answers}, {height() * 3 / 10}, Qt::Vertical);
}

/// The room of the first start.
void MainWindow::shareOut() {
    resizeDocks({dock("setup"), dock("holdings")}, {300, 340}, Qt::Horizontal);
    if (compact_) return;
    resizeDocks({dock("setup"), dock("explanation")}, {372, 346}, Qt::Vertical);
    resizeDocks({dock("holdings"), dock("bounds"), dock("rounds")}, {250, 260, 200}, Qt::Vertical);
}

void MainWindow::restore() {
    setTheme(themeNamed(settings_.value("theme").toString()));
    playback_.setReduceMotion(settings_.value("reduceMotion").toBool());
    playback_.setLooping(settings_.value("loop").toBool());
    playback_.setSpeed(settings_.value("speed", 1.0).toDouble());
    setup_->setProcesses(savedProcesses(settings_));
    reduceMotion_->setChecked(playback_.state().reduceMotion);
    if (settings_.contains("geometry")) {
        compact_ = settings_.value("compact").toBool();
        restoreGeometry(settings_.value("geometry").toByteArray());
        restoreState(settings_.value("docks").toByteArray());
        splitter_->restoreState(settings_.value("splitter").toByteArray());
        return;
    }
    resize(1280, 800);
    shareOut();
}

void MainWindow::remember() {
    settings_.setValue("geometry", saveGeometry());
    settings_.setValue("docks", saveState());
    settings_.setValue("compact", compact_);
    settings_.setValue("splitter", splitter_->saveState());
    settings_.setValue("theme", name(theme_));
    settings_.setValue("reduceMotion", playback_.state().reduceMotion);
    settings_.setValue("loop", playback_.looping());
    settings_.setValue("speed", playback_.speed());
    save(settings_, setup_->processes());
    settings_.sync();
}

void MainWindow::setTheme(Theme theme) {
    theme_ = theme;
    const QPalette palette = widgetPalette(theme);
    QApplication::setPalette(palette);
    playback_.setDark(isDark(palette));
    for (QAction* action : themes_->actions()) action->setChecked(action->data().toString() == name(theme));
}

// A main window takes missing room from its middle alone; the pictures there are what a small window is opened for.
void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    if (compact_ != (height() < low)) {
        compact_ = !compact_;
        arrange();
        shareOut();
    }
    if (width() < narrow)
        resizeDocks({dock("setup"), dock("holdings")}, {width() * 3 / 10, width() * 3 / 10}, Qt::Horizontal);
}

}  // namespace app::gui
