// SPDX-License-Identifier: BSD-3-Clause
// The window's menus: every action with its key, so that the keyboard alone reaches everything.
#include "app/gui/help.hpp"
#include "app/gui/main_window.hpp"
#include "app/gui/panels/answers_panel.hpp"
#include "app/gui/panels/search_bar.hpp"
#include "app/gui/panels/setup_panel.hpp"
#include "app/gui/panels/space_time_panel.hpp"

#include <QActionGroup>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>

namespace app::gui {

void MainWindow::buildMenus() {
    buildFileMenu();
    buildRunMenu();
    buildCompareMenu();
    buildTeachMenu();
    buildViewMenu();
    buildHelpMenu();
}

void MainWindow::buildFileMenu() {
    QMenu* menu = menuBar()->addMenu(tr("&File"));
    menu->addAction(tr("&Open trace..."), QKeySequence::Open, this, &MainWindow::askForTrace);
    recent_ = menu->addMenu(tr("Open &recent"));
    connect(menu, &QMenu::aboutToShow, this, &MainWindow::fillRecent);
    menu->addSeparator();
    save_ = menu->addAction(tr("&Save trace as..."), QKeySequence::Save, this, &MainWindow::askWhereToSave);
    export_ = menu->addAction(tr("&Export picture..."), QKeySequence{"Ctrl+E"}, this, &MainWindow::askWhereToExport);
    save_->setEnabled(false);
    export_->setEnabled(false);
    menu->addSeparator();
    menu->addAction(tr("&Quit"), QKeySequence::Quit, this, &QWidget::close);
}

void MainWindow::fillRecent() {
    recent_->clear();
    for (const QString& path : settings_.value("recent").toStringList()) {
        recent_->addAction(path, this, [this, path] { openTrace(path.toStdString()); });
    }
    recent_->setEnabled(!recent_->isEmpty());
}

void MainWindow::buildRunMenu() {
    QMenu* menu = menuBar()->addMenu(tr("&Run"));
    menu->addAction(tr("&Run again"), QKeySequence{"Ctrl+R"}, setup_, &SetupPanel::runNow);
    menu->addAction(tr("&Cancel"), QKeySequence{"Ctrl+."}, &runner_, &Worker::cancel);
    menu->addSeparator();
    menu->addAction(tr("&Play or pause"), QKeySequence{Qt::Key_Space}, &playback_, &Playback::playOrPause);
    menu->addAction(tr("Round &forward"), QKeySequence{Qt::Key_Right}, &playback_, [this] { playback_.step(+1); });
    menu->addAction(tr("Round &back"), QKeySequence{Qt::Key_Left}, &playback_, [this] { playback_.step(-1); });
    menu->addAction(tr("To the b&egin"), QKeySequence{Qt::Key_Home}, &playback_, &Playback::toBegin);
    menu->addAction(tr("To the e&nd"), QKeySequence{Qt::Key_End}, &playback_, &Playback::toEnd);
    menu->addSeparator();
    QAction* faster = menu->addAction(tr("F&aster"), &playback_, &Playback::faster);
    faster->setShortcuts({QKeySequence{Qt::Key_Plus}, QKeySequence{Qt::Key_Equal}});
    menu->addAction(tr("S&lower"), QKeySequence{Qt::Key_Minus}, &playback_, &Playback::slower);
    QAction* loop = menu->addAction(tr("L&oop"));
    loop->setShortcut(QKeySequence{Qt::Key_L});
    loop->setCheckable(true);
    connect(loop, &QAction::toggled, &playback_, &Playback::setLooping);
    connect(&playback_, &Playback::changed, loop, [this, loop] { loop->setChecked(playback_.looping()); });
}

void MainWindow::buildViewMenu() {
    QMenu* menu = menuBar()->addMenu(tr("&View"));
    for (const QDockWidget* dock : docks_.all()) menu->addAction(dock->toggleViewAction());
    menu->addSeparator();
    menu->addActions(spaceTime_->actions());
    menu->addSeparator();
    QAction* find = menu->addAction(tr("&Find messages..."), search_, &SearchBar::begin);
    find->setShortcuts({QKeySequence::Find, QKeySequence{Qt::Key_Slash}});
    menu->addAction(tr("&Ask about the run"), QKeySequence{"Ctrl+J"}, this, [this] {
        showAnswers();
        answers_->setFocus();
    });
    menu->addAction(tr("Picture as a &table"), QKeySequence{"Ctrl+T"}, this, &MainWindow::showTable);
    menu->addSeparator();
    QMenu* theme = menu->addMenu(tr("&Colours"));
    themes_ = new QActionGroup{this};
    const std::pair<Theme, QString> all[] = {
        {Theme::system, tr("As the &desktop")}, {Theme::light, tr("&Light")}, {Theme::dark, tr("D&ark")}};
    for (const auto& [value, words] : all) {
        QAction* action = theme->addAction(words, this, [this, value = value] { setTheme(value); });
        action->setCheckable(true);
        action->setData(name(value));
        themes_->addAction(action);
    }
    reduceMotion_ = menu->addAction(tr("Reduce &motion"));
    reduceMotion_->setCheckable(true);
    reduceMotion_->setToolTip(tr("Messages jump instead of flying"));
    connect(reduceMotion_, &QAction::toggled, &playback_, &Playback::setReduceMotion);
    fullScreen_ = menu->addAction(tr("&Full screen"));
    fullScreen_->setShortcut(QKeySequence{Qt::Key_F11});
    fullScreen_->setCheckable(true);
    connect(fullScreen_, &QAction::toggled, this, [this](bool on) { on ? showFullScreen() : showNormal(); });
}

void MainWindow::buildHelpMenu() {
    QMenu* menu = menuBar()->addMenu(tr("&Help"));
    QAction* keys = menu->addAction(tr("&Keys"), this, [this] {
        QList<QAction*> actions;
        for (const QAction* top : menuBar()->actions()) actions += top->menu()->actions();
        showKeys(this, actions);
    });
    keys->setShortcuts({QKeySequence{Qt::Key_F1}, QKeySequence{"?"}});
    menu->addAction(tr("&About"), this, [this] { showAbout(this); });
}

}  // namespace app::gui
