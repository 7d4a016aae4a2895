// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/workflows/lesson_controller.hpp"

#include "app/gui/setup/setup_panel.hpp"
#include "app/teaching/teaching.hpp"

#include <QSettings>
#include <QStatusBar>

namespace app::gui {

LessonController::LessonController(Contents& contents, RunLoader& presenter, ComparisonController& comparison,
                                   QSettings& settings, QStatusBar& status)
    : contents_{&contents}, comparison_{&comparison}, settings_{&settings}, status_{&status} {
    connect(contents.teach, &TeachPanel::runWanted, &presenter, [&contents, &presenter](const RunWish& wish) {
        contents.setup->setWish(wish);
        presenter.run(wish, RunLoader::Moment::begin);
    });
    connect(&contents.teach->browser(), &QTextBrowser::anchorClicked, this, [this](const QUrl& link) {
        if (link.scheme() == QLatin1String("lesson")) start(link.path().toUInt());
    });
    connect(contents.teach, &TeachPanel::finished, this, &LessonController::finish);
    connect(contents.teach, &TeachPanel::left, this, [this] {
        Q_EMIT left();
        contents_->docks[Dock::lesson].hide();
    });
}

void LessonController::start(std::size_t number) {
    comparison_->stop();
    contents_->docks.bringUp(Dock::lesson);
    contents_->teach->start(lessons().at(number));
}

void LessonController::setPredicting(bool on) {
    contents_->teach->setPredicting(on);
    QDockWidget& dock = contents_->docks[Dock::lesson];
    dock.setVisible(on || contents_->teach->lesson() != nullptr);
    if (on) dock.raise();
}

QStringList LessonController::allFinished() const { return settings_->value("lessons").toStringList(); }

bool LessonController::finished(const Lesson& lesson) const { return allFinished().contains(lesson.title); }

void LessonController::finish(const QString& title) {
    QStringList all = allFinished();
    if (!all.contains(title)) settings_->setValue("lessons", all << title);
    status_->showMessage(tr("Finished: %1").arg(title));
}

}  // namespace app::gui
