// SPDX-License-Identifier: BSD-3-Clause
// Writes what is shown beside the window as an archive. Another run does not stop it.
#pragma once

#include "app/gui/playback/playback.hpp"
#include "app/gui/settings/recent_files.hpp"
#include "app/gui/widgets/worker.hpp"

#include <filesystem>

class QStatusBar;

namespace app::gui {

class NoticeBar;

class TraceSaving final : public QObject {
    Q_OBJECT

public:
    /// What was done stands in `status`, what could not be done in `notice`.
    TraceSaving(const Playback& playback, Files& files, NoticeBar& notice, QStatusBar& status);

    /// As a new folder; one that is there stays as it is. Nothing when nothing is shown.
    void saveTrace(const std::filesystem::path& folder);
    void askWhereToSave();
    [[nodiscard]] bool busy() const { return writer_.busy(); }

private:
    const Playback* playback_;
    Files* files_;
    NoticeBar* notice_;
    QStatusBar* status_;
    Worker writer_;
};

}  // namespace app::gui
