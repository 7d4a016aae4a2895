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
    [[nodiscard]] Playback& other() { return other_; }
    [[nodiscard]] Contents& contents() { return contents_; }
    [[nodiscard]] LayoutSwitcher& desk() { return desk_; }
    [[nodiscard]] SetupPanel& setup() { return *contents_.setup; }
    [[nodiscard]] Files& files() { return files_; }
    [[nodiscard]] RunLoader& presenter() { return presenter_; }
    [[nodiscard]] Saving& saving() { return saving_; }
    [[nodiscard]] Sessions& sessions() { return sessions_; }
    [[nodiscard]] Comparison& comparison() { return comparison_; }
    [[nodiscard]] Replays& replays() { return replays_; }
    [[nodiscard]] CollectiveDrilldown& insides() { return insides_; }
    [[nodiscard]] Teaching& teaching() { return teaching_; }
    [[nodiscard]] EditorController& authoring() { return authoring_; }
    [[nodiscard]] ExerciseController& homework() { return homework_; }
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
        return presenter_.busy() || saving_.busy() || comparison_.busy() || authoring_.busy() || homework_.busy() ||
               game_.busy() || replays_.busy() || insides_.busy();
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
    Playback other_;
    LinkedPlayback pairing_{playback_, other_};
    Contents contents_{*this, playback_, other_, pairing_};
    LayoutSwitcher desk_{*this, contents_};
    Files files_{settings_, *this};
    RunLoader presenter_;
    Saving saving_;
    Sessions sessions_;
    Comparison comparison_{playback_, other_, pairing_, contents_, presenter_, files_};
    Replays replays_;
    CollectiveDrilldown insides_{playback_, contents_, presenter_};
    Teaching teaching_;
    EditorController authoring_;
    GameController game_;
    ExerciseController homework_{contents_, presenter_, authoring_, game_, files_};
    Projector projector_{*this, contents_.docks, playback_, other_};
    SpeakerWindow speaker_;
    FocusedKeys keys_;
    Theme theme_ = Theme::system;
};

}  // namespace app::gui
