// SPDX-License-Identifier: BSD-3-Clause
// The window: it puts its parts together, and keeps from one start to the next how it stood and looked. What each part
// does stands with it.
#pragma once

#include "app/gui/settings/recent_files.hpp"
#include "app/gui/style/theme.hpp"
#include "app/gui/widgets/focused_keys.hpp"
#include "app/gui/window/layout_switcher.hpp"
#include "app/gui/window/menus.hpp"
#include "app/gui/window/projector.hpp"
#include "app/gui/window/speaker_window.hpp"
#include "app/gui/workflows/collective_drilldown.hpp"
#include "app/gui/workflows/comparison_controller.hpp"
#include "app/gui/workflows/editor_controller.hpp"
#include "app/gui/workflows/exercise_controller.hpp"
#include "app/gui/workflows/game_controller.hpp"
#include "app/gui/workflows/lesson_controller.hpp"
#include "app/gui/workflows/replay_controller.hpp"
#include "app/gui/workflows/run_loader.hpp"
#include "app/gui/workflows/session_controller.hpp"
#include "app/gui/workflows/trace_saving.hpp"
#include "app/gui/workflows/window_contents.hpp"

#include <QMainWindow>
#include <QSettings>

namespace app::gui {

class MainWindow final : public QMainWindow {
    Q_OBJECT

public:
    /// `settings`: what is remembered from start to start; must outlive the window.
    explicit MainWindow(QSettings& settings, Playback::Clock clock = {});

    [[nodiscard]] Playback& playback() { return playback_; }
    /// The second run, while two are compared.
    [[nodiscard]] Playback& other() { return secondPlayback_; }
    [[nodiscard]] Contents& contents() { return contents_; }
    [[nodiscard]] LayoutSwitcher& desk() { return layouts_; }
    [[nodiscard]] SetupPanel& setup() { return *contents_.setup; }
    [[nodiscard]] Files& files() { return files_; }
    [[nodiscard]] RunLoader& presenter() { return runLoader_; }
    [[nodiscard]] TraceSaving& saving() { return saving_; }
    [[nodiscard]] SessionController& sessions() { return sessions_; }
    [[nodiscard]] ComparisonController& comparison() { return comparison_; }
    [[nodiscard]] ReplayController& replays() { return replay_; }
    [[nodiscard]] CollectiveDrilldown& insides() { return drilldown_; }
    [[nodiscard]] LessonController& teaching() { return lessons_; }
    [[nodiscard]] EditorController& authoring() { return editor_; }
    [[nodiscard]] ExerciseController& homework() { return exercises_; }
    [[nodiscard]] GameController& game() { return game_; }
    [[nodiscard]] Projector& projector() { return projector_; }
    [[nodiscard]] SpeakerWindow& speaker() { return speaker_; }

    [[nodiscard]] Theme theme() const { return theme_; }
    void setTheme(Theme theme);
    /// Whether pictures ease changes of round and zoom; at first they do not.
    void setEased(bool eased);
    void setFullScreen(bool on);
    /// A session, a task, an algorithm or a trace, as its name says.
    void open(const QString& path);
    /// The picture that has the focus, else the network, as a table.
    void showTable();
    /// Asks for the measurements of `collscope tune`, and shows their map.
    void askForTuning();
    void showTuning(const std::string& file);
    /// Asks for a note about what is selected, on the picture that has the focus, else on the network, else over time.
    void putNote();
    /// Asks how what is shown is to be written, and writes it.
    void showExport();
    /// The sentence above the pictures; empty when there is none.
    [[nodiscard]] QString notice() const;
    /// Something is run, read or written.
    [[nodiscard]] bool working() const {
        return runLoader_.busy() || saving_.busy() || comparison_.busy() || editor_.busy() || exercises_.busy() ||
               game_.busy() || replay_.busy() || drilldown_.busy();
    }

Q_SIGNALS:
    /// Maximised, full screen, or no longer.
    void stateChanged();

protected:
    void changeEvent(QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    /// Escape, where nobody else takes it, leaves the projector, then full screen, then what is selected.
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void connectParts();
    void restore();
    bool restoreLayout();
    void remember(const QByteArray& geometry);

    QSettings& settings_;
    Playback playback_;
    Playback secondPlayback_;
    LinkedPlayback pairing_{playback_, secondPlayback_};
    Contents contents_{*this, playback_, secondPlayback_, pairing_};
    LayoutSwitcher layouts_{*this, contents_};
    Files files_{settings_, *this};
    RunLoader runLoader_;
    TraceSaving saving_;
    SessionController sessions_;
    ComparisonController comparison_{playback_, secondPlayback_, pairing_, contents_, runLoader_, files_};
    ReplayController replay_;
    CollectiveDrilldown drilldown_{playback_, contents_, runLoader_};
    LessonController lessons_;
    EditorController editor_;
    GameController game_;
    ExerciseController exercises_{contents_, runLoader_, editor_, game_, files_};
    Projector projector_{*this, contents_.docks, playback_, secondPlayback_};
    SpeakerWindow speaker_;
    FocusedKeys keys_;
    Theme theme_ = Theme::system;
};

}  // namespace app::gui
