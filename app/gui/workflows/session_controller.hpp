// SPDX-License-Identifier: BSD-3-Clause
// Keeps what the window looks at in a file, and brings it back.
#pragma once

#include "app/gui/settings/recent_files.hpp"
#include "app/gui/settings/session_file.hpp"
#include "app/gui/workflows/run_loader.hpp"

#include <QTimer>

namespace app::gui {

class NoticeBar;

class SessionController final : public QObject {
    Q_OBJECT

public:
    SessionController(Playback& playback, RunLoader& presenter, Contents& contents, Files& files, QStatusBar& status);

    /// Writes what is looked at now; a file of that name is replaced. What went wrong stands above the pictures.
    void save(const std::filesystem::path& file);
    /// Runs or reads what the file says, and looks at it as then. A trace that is missing or has changed is said.
    void open(const std::filesystem::path& file);
    void askWhereToSave();
    void askWhatToOpen();

Q_SIGNALS:
    /// What else is looked at can be added.
    void saving(app::gui::SavedSession& session);
    /// Its run is shown, as it was looked at then.
    void broughtBack(const app::gui::SavedSession& session);

private:
    void bringBack();
    /// What was chosen of a program, as soon as the program is known.
    void askAgain();

    Playback* playback_;
    RunLoader* runLoader_;
    Contents* contents_;
    Files* files_;
    QStatusBar* status_;
    QJsonObject others_;                  // of the session that is shown
    std::optional<SavedSession> coming_;  // until its run is shown
    std::optional<Meaning> asked_;        // until its program is known
    QTimer again_;
};

}  // namespace app::gui
