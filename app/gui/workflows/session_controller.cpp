// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/workflows/session_controller.hpp"

#include "app/gui/setup/setup_panel.hpp"
#include "app/gui/widgets/notice_bar.hpp"
#include "app/gui/workflows/window_contents.hpp"
#include "app/session/options/recorded.hpp"
#include "engine/base/error.hpp"
#include "engine/base/new_file.hpp"
#include "engine/catalogue/algorithm_file.hpp"

#include <QStatusBar>

namespace app::gui {
namespace {

constexpr int savedMilliseconds = 8000;
constexpr int againMilliseconds = 50;

}  // namespace

SessionController::SessionController(Playback& playback, RunLoader& presenter, Contents& contents, Files& files,
                                     QStatusBar& status)
    : playback_{&playback}, runLoader_{&presenter}, contents_{&contents}, files_{&files}, status_{&status} {
    connect(&presenter, &RunLoader::began, this, [this] { coming_.reset(); });
    connect(&presenter, &RunLoader::shown, this, &SessionController::bringBack);
    again_.setSingleShot(true);
    again_.setInterval(againMilliseconds);
    connect(&again_, &QTimer::timeout, this, &SessionController::askAgain);
}

void SessionController::save(const std::filesystem::path& file) {
    const DrawableRunPtr& subject = playback_->subject();
    if (!subject) return;
    SavedSession session{.view = playback_->state(), .others = others_};
    session.trace = runLoader_->source();
    if (session.trace.empty()) session.wish = wishBehind(subject->report());
    if (!session.wish && session.trace.empty())
        return contents_->notice->say(
            tr("This run cannot be repeated from its settings: save its trace first, and "
               "open that."));
    if (session.wish && engine::schedules::isPath(session.wish->algorithm) &&
        !std::filesystem::exists(session.wish->algorithm))
        return contents_->notice->say(
            tr("The algorithm '%1' has no file, which a session would name: save the algorithm first.")
                .arg(QString::fromStdString(session.wish->algorithm)));
    session.messages = subject->run().messageCount;
    session.duration = subject->run().duration;
    Q_EMIT saving(session);
    try {
        const QByteArray content = jsonOf(session, file);
        engine::writeFile(file, {content.constData(), static_cast<std::size_t>(content.size())},
                          engine::Existing::replace);
        files_->addRecent(pathToQt(file));
        status_->showMessage(tr("Saved %1").arg(pathToQt(file)), savedMilliseconds);
    } catch (const engine::Error& error) {
        contents_->notice->say(QString::fromStdString(error.words()));
    }
}

void SessionController::open(const std::filesystem::path& file) {
    SavedSession session;
    try {
        session = readSession(file);
    } catch (const engine::Error& error) {
        return contents_->notice->say(QString::fromStdString(error.words()));
    }
    files_->addRecent(pathToQt(file));
    if (session.wish) {
        contents_->setup->setWish(*session.wish);
        runLoader_->run(*session.wish, RunLoader::Moment::begin);
    } else if (std::filesystem::exists(session.trace)) {
        runLoader_->openTrace(session.trace);
    } else {
        return contents_->notice->say(tr("The trace of this session is missing: %1").arg(pathToQt(session.trace)));
    }
    coming_ = std::move(session);
}

/// Once the run of a session is shown, its view.
void SessionController::bringBack() {
    others_ = {};
    asked_.reset();
    if (!coming_) return;
    const SavedSession session = *std::exchange(coming_, std::nullopt);
    const engine::Run& run = playback_->subject()->run();
    others_ = session.others;
    const ViewState& view = session.view;
    // In this order: a cursor that moves takes the visible span along.
    playback_->seek(std::min(view.time, playback_->duration()));
    if (view.spanEnd > view.spanBegin) playback_->showSpan(view.spanBegin, view.spanEnd);
    playback_->setMarks(view.marks);
    playback_->setProgramTimeline(view.tracks);
    if (view.rank) playback_->selectRank(view.rank);
    if (view.block) playback_->selectBlock(view.block);
    if (view.link) playback_->selectLink(view.link);
    if (view.message) playback_->selectMessage(view.message);
    if (!view.marks.empty()) contents_->docks.bringUp(Dock::notes);
    if (!session.wish && (run.messageCount != session.messages || run.duration != session.duration)) {
        contents_->notice->say(tr("The trace has changed since this session was saved: its notes may be elsewhere."));
    } else if (playback_->subject()->isProgram()) {
        asked_ = view.asked;
        askAgain();
    }
    Q_EMIT broughtBack(session);
}

void SessionController::askAgain() {
    if (!asked_) return;
    if (!playback_->subject()->programReady()) return again_.start();
    playback_->choose(*std::exchange(asked_, std::nullopt));
}

void SessionController::askWhereToSave() {
    const QString path = files_->ask({.purpose = PathQuestion::Purpose::saveFile,
                                      .title = tr("Save session"),
                                      .filters = tr("Sessions (*.json);;All files (*)"),
                                      .name = QStringLiteral("session.json")});
    if (!path.isEmpty()) save(path.toStdString());
}

void SessionController::askWhatToOpen() {
    const QString path = files_->ask({.purpose = PathQuestion::Purpose::open,
                                      .title = tr("Open session"),
                                      .filters = tr("Sessions (*.json);;All files (*)")});
    if (!path.isEmpty()) open(path.toStdString());
}

}  // namespace app::gui
