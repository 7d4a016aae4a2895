// SPDX-License-Identifier: BSD-3-Clause
// Files of the window: traces in and out, pictures out, and which were opened lately.
#include "app/gui/gui.hpp"
#include "app/gui/main_window.hpp"
#include "app/gui/panels/notice_bar.hpp"
#include "app/gui/panels/setup_panel.hpp"
#include "app/gui/recall.hpp"
#include "app/gui/scenes/give_way.hpp"
#include "app/session/session.hpp"
#include "traces/archive.hpp"

#include <QDropEvent>
#include <QFileInfo>
#include <QMimeData>
#include <QStatusBar>

namespace app::gui {
namespace {

constexpr int mostRecent = 8;
constexpr int messageMilliseconds = 8000;

QString pathToQt(const std::filesystem::path& path) { return QString::fromStdString(path.string()); }

/// A trace that was read, and what is left to do when it is on the screen.
struct Opened {
    SubjectPtr subject;
    std::function<void(const engine::Progress&)> rest;
};

}  // namespace

void MainWindow::openTrace(const std::filesystem::path& path, const traces::Opening& opening) {
    const QString name = pathToQt(path.has_filename() ? path.filename() : path.parent_path().filename());
    runner_.start(
        [path, opening](const engine::Progress& progress) -> std::any {
            Opened opened;
            traces::Opening first = opening;
            first.later = [&](auto rest) { opened.rest = std::move(rest); };
            Trace trace = app::openTrace(path, Clocks::recorded, within(progress, 0, 0.7), first, drawnMessages);
            opened.subject = std::make_shared<const Subject>(std::move(trace.report), std::move(trace.recording),
                                                             within(progress, 0.7, 1));
            return opened;
        },
        [this, path, name](const std::any& result) {
            const auto& [subject, rest] = std::any_cast<const Opened&>(result);
            addRecent(pathToQt(path));
            settings_.setValue("trace", QFileInfo{pathToQt(path)}.absoluteFilePath());
            if (const std::optional<RunWish> behind = wishBehind(subject->report())) setup_->setWish(*behind);
            present(subject, name, Where::tellingMoment);
            if (subject->run().setting.on == "trace") showAnswers();
            if (rest) keepIndex(rest);
        },
        [this](const QString& sentence) { notice_->say(sentence); });
    statusBar()->showMessage(tr("Reading %1").arg(pathToQt(path)));
    connect(&runner_, &Worker::busyChanged, statusBar(), &QStatusBar::clearMessage, Qt::SingleShotConnection);
}

// Whoever cannot keep it reads the trace again the next time.
void MainWindow::keepIndex(const std::function<void(const engine::Progress&)>& keep) {
    keeper_.start(
        [keep](const engine::Progress& progress) -> std::any {
            giveWay();
            keep(progress);
            return {};
        },
        [](const std::any&) {}, [](const QString&) {});
}

void MainWindow::saveTrace(const std::filesystem::path& folder) {
    if (!playback_.subject()) return;
    writer_.start(
        [folder, subject = playback_.subject()](const engine::Progress& progress) -> std::any {
            traces::write(subject->run(), folder, traces::Overwrite::refuse, progress);
            return {};
        },
        [this, folder](const std::any&) {
            addRecent(pathToQt(folder));
            statusBar()->showMessage(tr("Saved %1").arg(pathToQt(folder)), messageMilliseconds);
        },
        [this](const QString& sentence) { notice_->say(sentence); });
}

void MainWindow::exportPicture(const std::filesystem::path& file) {
    if (!playback_.subject()) return;
    Picture picture;
    picture.time = playback_.state().time;
    picture.dark = playback_.state().dark;
    picture.existing = engine::Existing::replace;  // whoever chose the name of a file that is there was asked
    writer_.start(
        [file, picture, subject = playback_.subject()](const engine::Progress& progress) -> std::any {
            writePicture(subject->report(), file, picture, progress);
            return {};
        },
        [this, file](const std::any&) {
            statusBar()->showMessage(tr("Wrote %1").arg(pathToQt(file)), messageMilliseconds);
        },
        [this](const QString& sentence) { notice_->say(inWords(sentence)); });
}

QString MainWindow::ask(PathQuestion question) {
    question.folder = settings_.value("folder").toString();
    const QString path = askForPath(this, question);
    if (!path.isEmpty()) settings_.setValue("folder", QFileInfo{path}.absolutePath());
    return path;
}

void MainWindow::askForTrace() {
    const QString path = ask({.title = tr("Open trace"), .filters = tr("OTF2 archives (*.otf2);;All files (*)")});
    if (!path.isEmpty()) openTrace(path.toStdString());
}

void MainWindow::askWhereToSave() {
    const QString path = ask({.purpose = PathQuestion::Purpose::newFolder,
                              .title = tr("Save trace as a new folder"),
                              .name = QStringLiteral("trace")});
    if (!path.isEmpty()) saveTrace(path.toStdString());
}

void MainWindow::askWhereToExport() {
    const QString path =
        ask({.purpose = PathQuestion::Purpose::saveFile,
             .title = tr("Export picture"),
             .filters = tr("Pictures (*.png *.svg *.pdf);;Films (*.mp4 *.webm *.gif);;Page (*.html);;All files (*)"),
             .name = QStringLiteral("collscope.png")});
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
