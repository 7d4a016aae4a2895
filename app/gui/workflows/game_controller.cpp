// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/workflows/game_controller.hpp"

#include "app/gui/scenes/drawing/to_qt.hpp"
#include "app/gui/scenes/run/drawable_run.hpp"
#include "app/gui/widgets/notice_bar.hpp"
#include "app/gui/widgets/run_progress.hpp"
#include "app/teaching/teaching.hpp"
#include "engine/base/error.hpp"
#include "engine/base/new_file.hpp"
#include "engine/catalogue/algorithm_file.hpp"

#include <QStatusBar>

#include <algorithm>
#include <utility>

namespace app::gui {
namespace {

constexpr std::chrono::milliseconds mostForSearch{60'000};

QString asSentence(QString words) {
    words[0] = words[0].toUpper();
    return words.endsWith('.') ? words : words + '.';
}

}  // namespace

GameController::GameController(Playback& playback, Contents& contents, RunLoader& presenter, Files& files,
                               QStatusBar& status)
    : playback_{&playback}, contents_{&contents}, runLoader_{&presenter}, files_{&files}, status_{&status} {
    GamePanel* panel = contents.game;
    panel->hide();
    connect(panel, &GamePanel::sent, this, &GameController::send);
    connect(panel, &GamePanel::roundEnded, this, &GameController::endRound);
    connect(panel, &GamePanel::undone, this, [this] {
        const std::int64_t before = game_->played();
        game_->undo();
        show();
        if (game_->played() != before) judge();
    });
    connect(panel, &GamePanel::restarted, this, [this] {
        game_->restart();
        show();
        judge();
    });
    connect(panel, &GamePanel::saved, this, &GameController::save);
    connect(panel, &GamePanel::left, this, &GameController::leave);
    connect(&panel->progress(), &RunProgress::cancelled, this, [this] {
        searcher_.cancel();
        this->panel().setVerdict(tr("The search was cancelled. It starts again after the next round."));
    });
    panel->progress().follow(searcher_);
    connect(&playback, &Playback::subjectChanged, this, [this] { asks_ = false; });
    connect(&presenter, &RunLoader::shown, this, &GameController::seek);
}

GameController::~GameController() {
    if (game_) engine::schedules::dropDraft(path());
}

std::string GameController::path() { return DrawableRun::playedByHand; }

void GameController::beginWithRun() {
    const DrawableRunPtr& subject = playback_->subject();
    const Report* report = subject ? &subject->report() : nullptr;
    if (report == nullptr || !report->plan || !report->network)
        return contents_->notice->say(tr("Run an algorithm first: its problem and network are those of the game."));
    try {
        begin(puzzleOf(report->plan->problem, {.topology = report->network->name()}));
    } catch (const engine::Error& error) {
        contents_->notice->say(tr("This run cannot be played by hand: %1").arg(toQt(error.words())));
    }
}

void GameController::begin(const Puzzle& puzzle) {
    searcher_.cancel();
    game_.emplace(puzzle);
    panel().setVerdict({});
    panel().setVisible(true);
    contents_->task->setVisible(!contents_->task->isEmpty());
    contents_->docks.bringUp(Dock::blockOwnership);
    contents_->docks.bringUp(Dock::task);
    show();
    judge();
}

void GameController::show() {
    panel().show(*game_);
    const bool over = game_->isOver();
    panel().say(over ? QString{} : tr("Click a sender and a receiver, or choose them here."), false);
    const engine::Layout& layout = game_->puzzle().problem.layout;
    RunWish wish{.algorithm = path(), .network = game_->puzzle().network, .stepping = emulation::Stepping::lockstep};
    if (layout.isRegular() && layout.count() > 0) wish.problem.size = layout.largest();
    wish.problem.ports = game_->puzzle().problem.ports;
    engine::schedules::giveBack();
    engine::schedules::setDraft(path(), game_->schedule());
    runLoader_->run(wish, RunLoader::Moment::begin);
    Q_EMIT moved();
}

void GameController::seek() {
    if (!game_ || runLoader_->name() != toQt(path())) return;
    playback_->ask([this](const Meaning& meaning) { take(meaning); });
    asks_ = true;
    playback_->selectRank(std::nullopt);
    const auto& rounds = playback_->subject()->run().perRound;
    const auto present = static_cast<std::size_t>(game_->played());
    if (present >= rounds.size()) return playback_->toEnd();
    playback_->seek(rounds[present].begin + (rounds[present].end - rounds[present].begin) / 2);
}

void GameController::take(const Meaning& meaning) {
    std::optional<std::int32_t> from = panel().from();
    std::optional<std::int32_t> to = panel().to();
    std::optional<std::int32_t> block = panel().block();
    std::int64_t rank = -1;
    if (meaning.kind == Meaning::Kind::rank) rank = meaning.index;
    if (meaning.kind == Meaning::Kind::block) {
        rank = from && to ? -1 : meaning.second;
        block = static_cast<std::int32_t>(meaning.index);
    }
    if (rank >= 0) {
        const auto clicked = static_cast<std::int32_t>(rank);
        if (from == clicked && meaning.kind == Meaning::Kind::rank) from.reset();
        else if (from == clicked) to.reset();
        else (from ? to : from) = clicked;
    }
    panel().choose(from, to, block);
    playback_->selectRank(from ? std::optional{engine::Rank{*from}} : std::nullopt);
    if (from && to) return send();
    panel().say(from ? tr("Rank %1 sends. Click the receiver.").arg(*from) : tr("Click a sender."), false);
}

void GameController::send() {
    const std::optional<std::int32_t> from = panel().from();
    const std::optional<std::int32_t> to = panel().to();
    if (!from || !to) return panel().say(tr("Choose a sender and a receiver."), true);
    try {
        std::optional<std::int32_t> block = panel().block();
        if (const std::vector<std::int32_t> blocks = game_->blocksFor(*from, *to); !block && blocks.size() == 1)
            block = blocks.front();
        else if (!block && blocks.empty())
            throw engine::Error{engine::text("rank ", *from, " has no block that rank ", *to, " lacks")};
        if (!block)
            return panel().say(tr("Rank %1 has several blocks that rank %2 lacks. Click one in Block ownership, or "
                                  "choose it here.")
                                   .arg(*from)
                                   .arg(*to),
                               false);
        game_->send(*from, *to, *block);
    } catch (const engine::Error& error) {
        panel().choose({}, {}, {});
        playback_->selectRank(std::nullopt);
        return panel().say(asSentence(toQt(error.words())), true);
    }
    panel().choose({}, {}, {});
    show();
}

void GameController::endRound() {
    try {
        game_->endRound();
    } catch (const engine::Error& error) {
        return panel().say(asSentence(toQt(error.words())), true);
    }
    show();
    judge();
}

void GameController::judge() {
    if (const std::string known = game_->verdict(); !known.empty()) {
        searcher_.cancel();
        return panel().setVerdict(toQt(known));
    }
    panel().setVerdict(tr("Searching for the best schedule from here on."));
    searcher_.start(
        [game = *game_](const engine::Progress& progress) mutable {
            game.judge(mostForSearch, progress);
            return game;
        },
        [this](const HandPlay& judged) {
            game_->learnFrom(judged);
            panel().setVerdict(toQt(game_->verdict()));
        },
        [this](const QString& words) { panel().setVerdict(asSentence(words)); });
}

void GameController::save() {
    const QString path = files_->ask({.purpose = PathQuestion::Purpose::saveFile,
                                      .title = tr("Save the schedule"),
                                      .filters = tr("Schedules (*.json);;All files (*)"),
                                      .name = QStringLiteral("mine.json")});
    if (path.isEmpty()) return;
    try {
        engine::writeFile(path.toStdString(), game_->schedule(), engine::Existing::replace);
        status_->showMessage(tr("Saved %1").arg(path));
    } catch (const engine::Error& error) {
        panel().say(toQt(error.words()), true);
    }
}

void GameController::release() {
    if (std::exchange(asks_, false)) playback_->ask(nullptr);
}

void GameController::leave() {
    if (!game_) return;
    searcher_.cancel();
    game_.reset();
    engine::schedules::dropDraft(path());
    release();
    panel().hide();
    contents_->task->setVisible(true);
    Q_EMIT ended();
}

}  // namespace app::gui
