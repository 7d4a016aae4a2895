// SPDX-License-Identifier: BSD-3-Clause
// Files of the window: traces in and out, pictures out, and which were opened lately.
#include "app/gui/gui.hpp"
#include "app/gui/main_window.hpp"
#include "app/gui/panels/notice_bar.hpp"
#include "app/gui/panels/setup_panel.hpp"
#include "app/gui/recall.hpp"
#include "app/session/answers.hpp"
#include "traces/archive.hpp"

#include <QDropEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMimeData>
#include <QStatusBar>

namespace app::gui {
namespace {

constexpr int mostRecent = 8;
constexpr int messageMilliseconds = 8000;

QString toQt(const std::filesystem::path& path) { return QString::fromStdString(path.string()); }

}  // namespace

void MainWindow::openTrace(const std::filesystem::path& path) {
    runner_.start(
        [path](const engine::Progress& progress) -> std::any {
            Trace trace = app::openTrace(path, Clocks::recorded, progress, {}, drawnMessages);
            return std::make_shared<const Subject>(std::move(trace.report), std::move(trace.recording));
        },
        [this, path](const std::any& result) {
            const auto subject = std::any_cast<std::shared_ptr<const Subject>>(result);
            addRecent(toQt(path));
            settings_.setValue("trace", QFileInfo{toQt(path)}.absoluteFilePath());
            if (const std::optional<RunWish> behind = wishBehind(subject->report())) setup_->setWish(*behind);
            present(subject, toQt(path.filename()), Where::tellingMoment);
            if (subject->run().setting.on == "trace") showAnswers();
        },
        [this](const QString& sentence) { notice_->say(sentence); });
}

void MainWindow::saveTrace(const std::filesystem::path& folder) {
    if (!playback_.subject()) return;
    writer_.start(
        [folder, subject = playback_.subject()](const engine::Progress& progress) -> std::any {
            traces::write(subject->run(), folder, traces::Overwrite::refuse, progress);
            return {};
        },
        [this, folder](const std::any&) {
            addRecent(toQt(folder));
            statusBar()->showMessage(tr("Saved %1").arg(toQt(folder)), messageMilliseconds);
        },
        [this](const QString& sentence) { notice_->say(sentence); });
}

void MainWindow::exportPicture(const std::filesystem::path& file) {
    if (!playback_.subject()) return;
    Picture picture;
    picture.time = playback_.state().time;
    picture.dark = playback_.state().dark;
    writer_.start(
        [file, picture, subject = playback_.subject()](const engine::Progress& progress) -> std::any {
            writePicture(subject->report(), file, picture, progress);
            return {};
        },
        [this, file](const std::any&) {
            statusBar()->showMessage(tr("Wrote %1").arg(toQt(file)), messageMilliseconds);
        },
        [this](const QString& sentence) { notice_->say(withoutFlags(sentence)); });
}

void MainWindow::askForTrace() {
    const QString path = QFileDialog::getOpenFileName(this, tr("Open trace"), settings_.value("folder").toString(),
                                                      tr("OTF2 archives (*.otf2);;All files (*)"));
    if (path.isEmpty()) return;
    settings_.setValue("folder", QFileInfo{path}.absolutePath());
    openTrace(path.toStdString());
}

void MainWindow::askWhereToSave() {
    const QString path = QFileDialog::getSaveFileName(this, tr("Save trace as a new folder"),
                                                      settings_.value("folder").toString() + "/trace", {}, nullptr,
                                                      QFileDialog::DontConfirmOverwrite);
    if (!path.isEmpty()) saveTrace(path.toStdString());
}

void MainWindow::askWhereToExport() {
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Export picture"), settings_.value("folder").toString() + "/collscope.png",
        tr("Pictures (*.png *.svg *.pdf);;Films (*.mp4 *.webm *.gif);;Page (*.html);;All files (*)"));
    if (!path.isEmpty()) exportPicture(path.toStdString());
}

void MainWindow::addRecent(const QString& path) {
    QStringList recent = settings_.value("recent").toStringList();
    const QString whole = QFileInfo{path}.absoluteFilePath();
    recent.removeAll(whole);
    recent.prepend(whole);
    settings_.setValue("recent", recent.mid(0, mostRecent));
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    const QList<QUrl> urls = event->mimeData()->urls();
    if (!urls.isEmpty() && urls.front().isLocalFile()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    event->acceptProposedAction();
    openTrace(event->mimeData()->urls().front().toLocalFile().toStdString());
}

}  // namespace app::gui
