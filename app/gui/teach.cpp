// SPDX-License-Identifier: BSD-3-Clause
// The window as a teacher: lessons, and questions before every round.
#include "app/gui/main_window.hpp"
#include "app/gui/panels/setup_panel.hpp"
#include "app/gui/panels/teach_panel.hpp"
#include "app/gui/recall.hpp"

#include <QApplication>
#include <QMenu>
#include <QMenuBar>
#include <QStatusBar>

#include <algorithm>
#include <utility>

namespace app::gui {
namespace {

constexpr double slowMotion = 0.25;  // of the usual speed
constexpr double projected = 1.6;    // times the usual size of letters

}  // namespace

void MainWindow::buildTeachMenu() {
    QMenu* menu = menuBar()->addMenu(tr("&Teach"));
    QMenu* all = menu->addMenu(tr("&Lessons"));
    connect(all, &QMenu::aboutToShow, this, [this, all] { fillLessons(*all); });
    fillLessons(*all);
    predict_ = menu->addAction(tr("&Predict every round"));
    predict_->setShortcut(QKeySequence{Qt::Key_P});
    predict_->setCheckable(true);
    connect(predict_, &QAction::toggled, this, [this](bool on) {
        teach_->setPredicting(on);
        teachDock_->setVisible(on || teach_->lesson() != nullptr);
        if (on) teachDock_->raise();
    });
    QAction* slow = menu->addAction(tr("&Slow motion"));
    slow->setShortcut(QKeySequence{"Ctrl+M"});
    slow->setCheckable(true);
    connect(slow, &QAction::toggled, &playback_, [this](bool on) { playback_.setSpeed(on ? slowMotion : 1); });
    connect(&playback_, &Playback::changed, slow, [this, slow] {
        const QSignalBlocker quiet{slow};
        slow->setChecked(playback_.speed() <= slowMotion);
    });

    projector_ = menu->addAction(tr("Pro&jector"));
    projector_->setShortcut(QKeySequence{Qt::Key_F5});
    projector_->setCheckable(true);
    projector_->setToolTip(tr("Full screen, large letters and slow motion"));
    connect(projector_, &QAction::toggled, this, &MainWindow::setProjecting);

    connect(teach_, &TeachPanel::runWanted, this, [this](const RunWish& wish) {
        setup_->setWish(wish);
        run(wish, Where::begin);
    });
    connect(teach_, &TeachPanel::finished, this, [this](const QString& title) {
        QStringList done = settings_.value("lessons").toStringList();
        if (!done.contains(title)) settings_.setValue("lessons", done << title);
        statusBar()->showMessage(tr("Finished: %1").arg(title));
    });
    connect(teach_, &TeachPanel::left, this, [this] {
        predict_->setChecked(false);
        teachDock_->hide();
    });
}

void MainWindow::fillLessons(QMenu& menu) {
    menu.clear();
    const QStringList done = settings_.value("lessons").toStringList();
    for (std::size_t number = 0; number < lessons().size(); ++number) {
        const Lesson& lesson = lessons()[number];
        const QString words = tr("%1. %2 (%3 min)").arg(number + 1).arg(lesson.title).arg(lesson.minutes);
        QAction* action = menu.addAction(words, this, [this, number] { startLesson(number); });
        action->setToolTip(lesson.paper);
        action->setCheckable(true);
        action->setChecked(done.contains(lesson.title));
    }
}

void MainWindow::setProjecting(bool on) {
    if (on != projector_->isChecked()) return projector_->setChecked(on);
    if (on == projecting()) return;
    if (on) {
        beforeProjecting_ = Looks{saveGeometry(), docks_.arrangement(), QApplication::font(), playback_.speed(),
                                  fullScreen_->isChecked()};
        QFont large = QApplication::font();
        large.setPointSizeF(large.pointSizeF() * projected);
        QApplication::setFont(large);
        playback_.setMagnification(projected);
        playback_.setSpeed(std::min(playback_.speed(), slowMotion));
        for (const char* name : {"setup", "bounds", "charts", "rounds", "answers"}) docks_[name].hide();
        for (const char* name : {"explanation", "holdings"}) docks_[name].show();
        fullScreen_->setChecked(true);
        return;
    }
    const Looks before = *std::exchange(beforeProjecting_, std::nullopt);
    QApplication::setFont(before.font);
    playback_.setMagnification(1);
    playback_.setSpeed(before.speed);
    fullScreen_->setChecked(before.fullScreen);
    docks_.bringBack(before.docks);
}

void MainWindow::startLesson(std::size_t number) {
    stopComparing();
    teachDock_->show();
    teachDock_->raise();
    teach_->start(lessons().at(number));
}

}  // namespace app::gui
