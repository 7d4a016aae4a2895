// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/workflows/exercise_controller.hpp"

#include "app/gui/scenes/drawing/to_qt.hpp"
#include "app/gui/setup/setup_panel.hpp"
#include "app/gui/widgets/notice_bar.hpp"
#include "app/teaching/teaching.hpp"

namespace app::gui {

ExerciseController::ExerciseController(Contents& contents, RunLoader& presenter, EditorController& authoring,
                                       GameController& game, Files& files)
    : contents_{&contents}, runLoader_{&presenter}, editor_{&authoring}, game_{&game}, files_{&files} {
    connect(&authoring, &EditorController::edited, this, [this] { worker_.cancel(); });
    connect(&authoring, &EditorController::read, this, [this] {
        path_ = editor_->path();
        check(0);
    });
    connect(&game, &GameController::moved, this, [this] {
        path_ = GameController::path();
        check(0);
    });
    connect(&game, &GameController::ended, this, [this] {
        path_ = editor_->path();
        worker_.cancel();
        if (!path_.empty()) check(0);
    });
    connect(&authoring, &EditorController::unread, this, [this](const QString& why) {
        if (!task_) return;
        for (std::size_t i = 0; i < marks_.size(); ++i) {
            marks_[i] = Outcome{.held = false, .said = why.toStdString(), .problem = {}};
            panel().setMark(i, marks_[i]);
        }
    });
    connect(contents.task, &TaskPanel::begun, this, [this] {
        if (task_) editor_->beginEmpty(toQt(name(task_->collective)));
    });
    connect(contents.task, &TaskPanel::asked, this, &ExerciseController::showWhatBreaks);
    connect(contents.task, &TaskPanel::played, this, [this] {
        if (!task_) return;
        if (const std::optional<Puzzle> puzzle = puzzleOf(*task_)) game_->begin(*puzzle);
    });
}

void ExerciseController::open(const std::filesystem::path& path) {
    try {
        task_ = std::make_shared<const Task>(taskIn(path.string()));
    } catch (const engine::Error& error) {
        return contents_->notice->say(toQt(error.words()));
    }
    game_->leave();
    worker_.cancel();  // what it would tell is of the task before
    marks_.assign(task_->checks.size(), std::nullopt);
    panel().show(*task_, puzzleOf(*task_).has_value());
    contents_->docks.bringUp(Dock::editor);
    if (!editor_->path().empty()) editor_->checkAgain();
    else if (!editor_->resume()) editor_->beginEmpty(toQt(name(task_->collective)));
    contents_->docks.bringUp(Dock::task);  // in front where both share one place: it has the assignment
    files_->addRecent(pathToQt(path));
}

void ExerciseController::askForFile() {
    const QString path = files_->ask({.title = tr("Open a task"), .filters = tr("Tasks (*.task);;All files (*)")});
    if (!path.isEmpty()) open(path.toStdString());
}

void ExerciseController::check(std::size_t number) {
    // What the window does not show is not looked at: the first counterexample would tell it.
    while (task_ && number < task_->checks.size() && task_->checks[number].hidden) ++number;
    if (!task_ || number == task_->checks.size()) return;
    worker_.start(
        [task = task_, number, path = path_](const engine::Progress& progress) {
            return markFor(*task, task->checks[number], path, progress);
        },
        [this, number](const Outcome& outcome) {
            marks_[number] = outcome;
            panel().setMark(number, marks_[number]);
            check(number + 1);
        },
        [this, number](const QString& sentence) {
            marks_[number] = Outcome{.held = false, .said = sentence.toStdString(), .problem = {}};
            panel().setMark(number, marks_[number]);
            check(number + 1);
        });
}

void ExerciseController::showWhatBreaks(std::size_t number) {
    if (!marks_[number] || !marks_[number]->problem) return;
    RunWish wish;
    wish.algorithm = path_;
    wish.problem = *marks_[number]->problem;
    contents_->setup->setWish(wish);
    runLoader_->run(wish, RunLoader::Moment::mostInformative);
}

}  // namespace app::gui
