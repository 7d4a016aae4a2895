// SPDX-License-Identifier: BSD-3-Clause
// A task in the window: the text in the editor, or what is played by hand, is compared with its checks whenever it has
// changed, by the same code as `grade`.
#pragma once

#include "app/gui/widgets/worker.hpp"
#include "app/gui/workflows/editor_controller.hpp"
#include "app/gui/workflows/game_controller.hpp"
#include "app/teaching/exercises.hpp"

#include <filesystem>
#include <memory>

namespace app::gui {

class TaskPanel;

class ExerciseController final : public QObject {
    Q_OBJECT

public:
    ExerciseController(Contents& contents, RunLoader& presenter, EditorController& authoring, GameController& game,
                       Files& files);

    /// Shows the task in the file beside the editor, which begins with a script that does nothing yet unless it has a
    /// text. What is wrong with the file is said in the window.
    void open(const std::filesystem::path& path);
    void askForFile();
    /// A check is being looked at.
    [[nodiscard]] bool busy() const { return worker_.busy(); }

private:
    /// Holds the text against the check of that number and those behind it.
    void check(std::size_t number);
    /// Runs the problem that a check is broken for.
    void showWhatBreaks(std::size_t number);
    [[nodiscard]] TaskPanel& panel() const { return *contents_->task; }

    Contents* contents_;
    RunLoader* runLoader_;
    EditorController* editor_;
    GameController* game_;
    Files* files_;
    std::shared_ptr<const Task> task_;  // null: none was opened
    std::string path_;                  // of the algorithm that is compared: the editor's, or the one that is played
    std::vector<std::optional<Outcome>> marks_;
    Worker worker_;
};

}  // namespace app::gui
