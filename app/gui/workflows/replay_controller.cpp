// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/workflows/replay_controller.hpp"

#include "app/gui/answers/tables_panel.hpp"
#include "app/gui/comparison/differences_panel.hpp"
#include "app/gui/scenes/drawing/number_text.hpp"
#include "app/gui/scenes/drawing/to_qt.hpp"
#include "app/session/options/recorded.hpp"
#include "app/session/replay/replay_words.hpp"
#include "engine/base/text.hpp"

#include <QStatusBar>

#include <chrono>
#include <thread>

namespace app::gui {
namespace {

constexpr int beforeReplaying = 300;
constexpr int toldMilliseconds = 8000;
constexpr auto lookAgain = std::chrono::milliseconds{20};
constexpr std::size_t fewEvents = 1'000'000;  // replayed again automatically when another run is shown

/// Messages and calls.
std::size_t recordedEvents(const DrawableRun& subject) {
    std::size_t events = static_cast<std::size_t>(subject.run().messageCount);
    if (subject.recording())
        for (const traces::States& states : subject.recording()->states) events += states.size();
    return events;
}

/// The conditions of its recording hold whatever is asked for.
bool isKnown(const std::shared_ptr<const Replaying>& replaying) {
    return replaying && (replaying->modelOrigin == "recorded" || replaying->modelOrigin == "fitted");
}

}  // namespace

ReplayController::ReplayController(Playback& first, const Playback& second, Contents& contents, RunLoader& presenter,
                                   ComparisonController& comparison, Files& files, QStatusBar& status)
    : first_{&first},
      second_{&second},
      contents_{&contents},
      panel_{contents.replay},
      runLoader_{&presenter},
      comparison_{&comparison},
      files_{&files},
      status_{&status},
      action_{new QAction{tr("Repla&y..."), this}} {
    action_->setShortcut(QKeySequence{"Ctrl+Shift+R"});
    action_->setToolTip(tr("Replays this program in virtual time: as recorded, and with changes"));
    action_->setEnabled(false);
    connect(action_, &QAction::triggered, this, &ReplayController::begin);
    connect(&presenter, &RunLoader::shown, this, &ReplayController::follow);
    connect(&second, &Playback::subjectChanged, this, &ReplayController::tellShown);
    connect(panel_, &ReplayPanel::wanted, this, &ReplayController::replay);
    connect(panel_, &ReplayPanel::cleared, this, [this] {
        panel_->form().setWords({});
        replay();
    });
    connect(panel_, &ReplayPanel::cancelled, this, &ReplayController::cancel);
    connect(panel_, &ReplayPanel::shownWanted, this, &ReplayController::show);
    connect(panel_, &ReplayPanel::saveWanted, this, &ReplayController::askWhereToSave);
    connect(contents.answers, &TablesPanel::delayChosen, this, &ReplayController::replayWithout);
    connect(&panel_->answer(), &ReplayAnswer::rankChosen, first_,
            [first = first_](engine::Rank rank) { first->selectRank(rank); });
    panel_->progress().follow(replayer_);
    settling_.setSingleShot(true);
    settling_.setInterval(beforeReplaying);
    connect(&settling_, &QTimer::timeout, this, &ReplayController::replay);
}

bool ReplayController::canReplay(const DrawableRunPtr& subject) {
    if (!subject) return false;
    return subject->hasRounds() ? subject->report().plan.has_value() : subject->recording() != nullptr;
}

/// Something is shown.
void ReplayController::follow() {
    const DrawableRunPtr& subject = first_->subject();
    const bool ours = subject == recorded_.subject || (made_.subject && subject == made_.subject);
    if (!ours) forget();
    action_->setEnabled(canReplay(recorded_.subject));
    tellShown();
    // Whoever has the card open looks at replays; large ones are asked for.
    const bool wanted = !ours && !panel_->visibleRegion().isEmpty() && canReplay(subject);
    if (wanted && recordedEvents(*subject) <= fewEvents) settling_.start();
}

void ReplayController::forget() {
    settling_.stop();
    replayer_.cancel();
    offerer_.cancel();
    if (made_.subject && second_->subject() == made_.subject) comparison_->stop();
    made_ = {};
    recorded_ = {first_->subject(), runLoader_->name(), runLoader_->source()};
    panel_->clearRefusal();
    panel_->answer().clear();
    panel_->setCommand({});
    panel_->form().offer({});
    panel_->form().setTrace(recorded_.subject->run().ranks, !recorded_.subject->hasRounds());
}

void ReplayController::begin() {
    if (!canReplay(recorded_.subject)) return;
    contents_->docks.bringUp(Dock::replay);
    panel_->setFocus(Qt::ShortcutFocusReason);
    if (made_.replaying == nullptr && !replayer_.busy()) replay();
}

/// Names for the fields, beside the replay: causes of waiting take longer to find in a large trace.
void ReplayController::offer() {
    if (offerer_.busy()) return;
    offerer_.start(
        [subject = recorded_.subject](const engine::Progress& progress) {
            // Found out for the pictures anyway; whoever closes the window does not wait for it.
            while (subject->isProgram() && !subject->programReady()) {
                progress.at(0);
                std::this_thread::sleep_for(lookAgain);
            }
            const analysis::TracedProgram* program =
                subject->isProgram() ? subject->programmed().program.get() : nullptr;
            return replayOffers(subject->queue()->trace(), program);
        },
        [this](const ReplayOffers& offers) { panel_->form().offer(offers); }, [](const QString&) {});
}

void ReplayController::replay() {
    settling_.stop();
    if (!canReplay(recorded_.subject)) return;
    panel_->clearRefusal();
    const std::optional<ReplayWish> read = panel_->form().wish();
    if (!read) return;
    if (made_.replaying == nullptr) offer();
    replayer_.start(
        [wish = *read, subject = recorded_.subject, known = made_.replaying,
         command = commandFor(*read)](const engine::Progress& progress) {
            ReplayWish kept = wish;
            kept.kept = true;
            if (isKnown(known)) kept.known = &known->asRecorded;
            auto made =
                std::make_shared<Replaying>(replayed(subject->queue()->trace(), kept, within(progress, 0, 0.7)));
            made->program = {};
            Made all{.replaying = made, .command = command, .result = toQt(resultOf(*made, wish))};
            if (auto trace = traceOf(*made, analysis::drawnMessages, within(progress, 0.7, 0.85)))
                all.subject = std::make_shared<const DrawableRun>(std::move(trace->report), std::move(trace->recording),
                                                                  within(progress, 0.85, 1));
            return all;
        },
        [this](const Made& made) { present(made); }, [this](const QString& sentence) { panel_->refuse(sentence); });
}

void ReplayController::replayWithout(const QString& delay) {
    if (!canReplay(recorded_.subject)) return;
    contents_->docks.bringUp(Dock::replay);
    panel_->form().add("without", delay);
    replay();
}

void ReplayController::bringBack(const ReplayWords& words) {
    follow();
    panel_->form().setWords(words);
    if (words.empty() || !canReplay(recorded_.subject)) return;
    contents_->docks.bringUp(Dock::replay);
    replay();
}

void ReplayController::present(Made made) {
    const ReplayShown before = shown();
    made_ = std::move(made);
    panel_->show(*made_.replaying);
    panel_->setCommand(made_.command);
    if (!made_.replaying->notKept.empty()) panel_->refuse(toQt(made_.replaying->notKept));
    // What is shown of it follows.
    if (before == ReplayShown::recorded) tellShown();
    else show(made_.subject ? before : ReplayShown::recorded);
}

ReplayShown ReplayController::shown() const {
    if (!made_.subject) return ReplayShown::recorded;
    if (first_->subject() == made_.subject) return ReplayShown::replay;
    return second_->subject() == made_.subject ? ReplayShown::both : ReplayShown::recorded;
}

void ReplayController::show(ReplayShown shown) {
    if (shown != ReplayShown::recorded && !made_.subject) return tellShown();
    if (shown != ReplayShown::both && comparison_->comparing()) comparison_->stop();
    const bool alone = shown == ReplayShown::replay;
    const DrawableRunPtr& wanted = alone ? made_.subject : recorded_.subject;
    if (first_->subject() != wanted) {
        if (alone) runLoader_->show(wanted, replayedName(), {});
        else runLoader_->show(wanted, recorded_.name, recorded_.source);
    }
    if (shown == ReplayShown::both) {
        contents_->differences->setMatch(Match::time);
        comparison_->compareWith(made_.subject, replayedName());
        const Replaying& replaying = *made_.replaying;
        contents_->differences->setVerdict(
            withMu(made_.result),
            {replaying.isInitialised ? "Time after MPI_Init, both replayed" : "Time, both replayed",
             engine::Content::time, replaying.asRecorded.programTime(), replaying.last().programTime()});
    }
    contents_->docks.bringUp(Dock::replay);
    tellShown();
}

void ReplayController::tellShown() { panel_->setShown(shown(), made_.subject != nullptr); }

QString ReplayController::commandFor(const ReplayWish& wish) const {
    if (!recorded_.source.empty()) return toQt(commandOf(recorded_.source.string(), wish));
    const std::optional<RunWish> behind = wishBehind(recorded_.subject->report());
    if (!behind) return {};
    // A run that was made here has to be recorded first.
    const std::string folder = "recorded";
    return toQt(engine::text(commandOf(Specification{.run = unpinned(*behind)}), " --trace ", folder, " && ",
                             commandOf(folder, wish)));
}

void ReplayController::saveTrace(const std::filesystem::path& target) {
    if (!made_.subject) return;
    writer_.start(
        [target, replaying = made_.replaying](const engine::Progress& progress) {
            writeReplayed(*replaying, target, traces::Overwrite::refuse, progress);
        },
        [this, target] {
            files_->addRecent(pathToQt(target));
            status_->showMessage(tr("Saved %1").arg(pathToQt(target)), toldMilliseconds);
        },
        [this](const QString& sentence) { panel_->refuse(sentence); });
}

void ReplayController::askWhereToSave() {
    const QString path = files_->ask({.purpose = PathQuestion::Purpose::newFolder,
                                      .title = tr("Save the replay as a new folder"),
                                      .name = QStringLiteral("replayed")});
    if (!path.isEmpty()) saveTrace(path.toStdString());
}

}  // namespace app::gui
