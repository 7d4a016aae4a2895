// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/workflows/trace_saving.hpp"

#include "app/gui/widgets/notice_bar.hpp"
#include "traces/export/copy.hpp"
#include "traces/recording/archive.hpp"

#include <QStatusBar>

namespace app::gui {
namespace {

constexpr int messageMilliseconds = 8000;

}  // namespace

TraceSaving::TraceSaving(const Playback& playback, Files& files, NoticeBar& notice, QStatusBar& status)
    : playback_{&playback}, files_{&files}, notice_{&notice}, status_{&status} {}

void TraceSaving::saveTrace(const std::filesystem::path& folder) {
    if (!playback_->subject()) return;
    writer_.start(
        [folder, subject = playback_->subject()](const engine::Progress& progress) {
            // Of a program its calls are more than the messages of its run.
            if (subject->recording() && !subject->hasRounds())
                traces::writeCopy(*subject->recording(), folder, progress);
            else traces::write(subject->run(), folder, traces::Overwrite::refuse, progress);
        },
        [this, folder] {
            files_->addRecent(pathToQt(folder));
            status_->showMessage(tr("Saved %1").arg(pathToQt(folder)), messageMilliseconds);
        },
        [this](const QString& sentence) { notice_->say(sentence); });
}

void TraceSaving::askWhereToSave() {
    const QString path = files_->ask({.purpose = PathQuestion::Purpose::newFolder,
                                      .title = tr("Save trace as a new folder"),
                                      .name = QStringLiteral("trace")});
    if (!path.isEmpty()) saveTrace(path.toStdString());
}

}  // namespace app::gui
