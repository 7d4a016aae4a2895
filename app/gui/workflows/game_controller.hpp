// SPDX-License-Identifier: BSD-3-Clause
// A schedule that is played by hand in the window: clicks on ranks and blocks are messages, what was played is shown as
// any other run, and the search for the optimum runs beside the window.
#pragma once

#include "app/gui/widgets/worker.hpp"
#include "app/gui/workflows/run_loader.hpp"
#include "app/teaching/exercises.hpp"

#include <chrono>
#include <optional>

namespace app::gui {

class GamePanel;

class GameController final : public QObject {
    Q_OBJECT

public:
    GameController(Playback& playback, Contents& contents, RunLoader& presenter, Files& files, QStatusBar& status);
    ~GameController() override;

    /// Begins a game: the problem and the network of the run that is shown.
    void beginWithRun();
    void begin(const Puzzle& puzzle);
    /// Ends the game, if there is one.
    void leave();
    /// The search is running.
    [[nodiscard]] bool busy() const { return searcher_.busy(); }
    /// The id of the algorithm that was played so far.
    static std::string path();
    /// Null: no game was begun.
    [[nodiscard]] const HandPlay* game() const { return game_ ? &*game_ : nullptr; }

Q_SIGNALS:
    /// The schedule is another one.
    void moved();
    void ended();

private:
    /// What was clicked in a picture.
    void take(const Meaning& meaning);
    void send();
    void endRound();
    void save();
    /// Shows the schedule so far, and the game in its panel.
    void show();
    /// Shows the moment at which the present round is in flight.
    void seek();
    void judge();
    /// Clicks select again.
    void release();
    [[nodiscard]] GamePanel& panel() const { return *contents_->game; }

    Playback* playback_;
    Contents* contents_;
    RunLoader* runLoader_;
    Files* files_;
    QStatusBar* status_;
    std::optional<HandPlay> game_;
    bool asks_ = false;  ///< clicks are moves; false while a question of a lesson takes them
    Worker searcher_;
};

}  // namespace app::gui
