// SPDX-License-Identifier: BSD-3-Clause
// The trace that is shown, replayed: in virtual time, as recorded and with what is to be changed. A replay lies in
// memory alone, and is a trace like any other: beside the recorded one on one axis, or by itself.
#pragma once

#include "app/gui/replay/replay_panel.hpp"
#include "app/gui/widgets/worker.hpp"
#include "app/gui/workflows/comparison_controller.hpp"
#include "app/gui/workflows/run_loader.hpp"

#include <QAction>
#include <QTimer>

class QStatusBar;

namespace app::gui {

class ReplayController final : public QObject {
    Q_OBJECT

public:
    ReplayController(Playback& first, const Playback& second, Contents& contents, RunLoader& presenter,
                     ComparisonController& comparison, Files& files, QStatusBar& status);

    /// Brings the card up, and replays what is shown unless that is done already.
    void begin();
    /// Does that; to be put into menus. Enabled while something is shown that can be replayed.
    [[nodiscard]] QAction* action() const { return action_; }
    /// Replays what is shown with what the fields say.
    void replay();
    /// The same with one more delay taken out, such as "rank 3: main/assemble".
    void replayWithout(const QString& delay);
    /// Fills the fields in as a session had them, and replays so where they say anything.
    void bringBack(const ReplayWords& words);
    void cancel() { replayer_.cancel(); }
    /// Shows what was recorded, the replay beside it, or the replay alone. Nothing without a replay.
    void show(ReplayShown shown);
    [[nodiscard]] ReplayShown shown() const;
    /// Writes the replay; what is there already stays as it is.
    void saveTrace(const std::filesystem::path& target);
    void askWhereToSave();

    /// What the last replay came to; null: there is none of what is shown.
    [[nodiscard]] const Replaying* made() const { return made_.replaying.get(); }
    /// It is at work, or about to be.
    [[nodiscard]] bool busy() const {
        return replayer_.busy() || writer_.busy() || offerer_.busy() || settling_.isActive();
    }

private:
    /// What is replayed, also while its replay is shown in its place.
    struct Recorded {
        DrawableRunPtr subject;
        QString name;
        std::filesystem::path source;  ///< empty: no archive
    };
    struct Made {
        std::shared_ptr<const Replaying> replaying{};
        DrawableRunPtr subject{};  ///< null where it did not come to its end
        QString command{};
        QString result{};  ///< resultOf
    };

    void follow();
    void forget();
    void offer();
    void present(Made made);
    void tellShown();
    [[nodiscard]] QString replayedName() const { return tr("%1, replayed").arg(recorded_.name); }
    [[nodiscard]] QString commandFor(const ReplayWish& wish) const;
    [[nodiscard]] static bool canReplay(const DrawableRunPtr& subject);

    Playback* first_;
    const Playback* second_;
    Contents* contents_;
    ReplayPanel* panel_;
    RunLoader* runLoader_;
    ComparisonController* comparison_;
    Files* files_;
    QStatusBar* status_;
    QAction* action_;
    Recorded recorded_;
    Made made_;
    QTimer settling_;
    Worker replayer_;
    Worker offerer_;
    Worker writer_;
};

}  // namespace app::gui
