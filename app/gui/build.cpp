// SPDX-License-Identifier: BSD-3-Clause
// What the window consists of, and what of it is kept from start to start.
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
#include "app/gui/recall.hpp"
#include "app/gui/window_layout.hpp"
#include "engine/error.hpp"

#include <QActionGroup>
#include <QApplication>
#include <QLabel>
#include <QResizeEvent>
#include <QStatusBar>
#include <QToolBar>
#include <QVBoxLayout>

namespace app::gui {
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
    docks_.add(tr("Set-up"), "setup", setup_);
    teach_ = new TeachPanel{playback_};
    teachDock_ = &docks_.add(tr("Lesson"), "lesson", teach_);
    docks_.add(tr("Explanation"), "explanation", new ExplainPanel{playback_});
    docks_.add(tr("Holdings"), "holdings", holdings);
    docks_.add(tr("Bounds"), "bounds", bounds);
    charts_ = new ChartsPanel{playback_};
    docks_.add(tr("Charts"), "charts", charts_);
    docks_.add(tr("Rounds"), "rounds", new RoundsTable{playback_});
    answers_ = new AnswersPanel{playback_};
    docks_.add(tr("Answers"), "answers", answers_);
    docks_.arrange();
    teachDock_->hide();
    docks_["answers"].hide();
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

void MainWindow::showAnswers() {
    QDockWidget& answers = docks_["answers"];
    const bool fresh = answers.isHidden();
    answers.show();
    answers.raise();
    if (fresh) resizeDocks({&answers}, {height() * 3 / 10}, Qt::Vertical);
}

void MainWindow::restore() {
    if (!setAsideUnreadable(settings_)) tellNext_ = tr("The settings of the window could not be read: it starts anew.");
    setTheme(themeNamed(settings_.value("theme").toString()));
    playback_.setReduceMotion(settings_.value("reduceMotion").toBool());
    playback_.setLooping(settings_.value("loop").toBool());
    playback_.setSpeed(settings_.value("speed", 1.0).toDouble());
    setup_->setProcesses(savedProcesses(settings_));
    reduceMotion_->setChecked(playback_.state().reduceMotion);
    if (!restoreLayout()) {
        resize(1280, 800);
        docks_.shareOut();
    }
    notice_->say(tellNext_);
}

/// False at the first start, and when what was kept is of no use.
bool MainWindow::restoreLayout() {
    try {
        const std::optional<WindowLayout> layout = savedLayout(settings_);
        if (!layout) return false;
        if (!docks_.bringBack(layout->docks))
            throw engine::Error{"the panels of the window are not those of that time"};
        restoreGeometry(layout->geometry);
        splitter_->restoreState(layout->pictures);
        return true;
    } catch (const engine::Error& error) {
        setLayoutAside(settings_);
        tellNext_ = tr("The window stands as at its first start: %1.").arg(QString::fromUtf8(error.what()));
        return false;
    }
}

void MainWindow::remember(const QByteArray& geometry) {
    save(settings_, WindowLayout{geometry, splitter_->saveState(), docks_.arrangement()});
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

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    docks_.fit();
}

}  // namespace app::gui
