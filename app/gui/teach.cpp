// SPDX-License-Identifier: BSD-3-Clause
// The window as a teacher: lessons, and questions before every round.
#include "app/gui/main_window.hpp"
#include "app/gui/panels/setup_panel.hpp"
#include "app/gui/panels/teach_panel.hpp"
#include "app/gui/recall.hpp"

#include <QMenu>
#include <QMenuBar>
#include <QStatusBar>

namespace app::gui {
namespace {

constexpr double slowMotion = 0.25;  // of the usual speed

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

void MainWindow::startLesson(std::size_t number) {
    stopComparing();
    teachDock_->show();
    teachDock_->raise();
    teach_->start(lessons().at(number));
}

}  // namespace app::gui
