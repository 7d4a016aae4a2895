// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/workflows/comparison_controller.hpp"

#include "app/gui/comparison/differences_panel.hpp"
#include "app/gui/settings/run_settings.hpp"
#include "app/gui/setup/setup_panel.hpp"
#include "app/gui/widgets/notice_bar.hpp"

namespace app::gui {

ComparisonController::ComparisonController(const Playback& first, Playback& second, LinkedPlayback& pairing,
                                           Contents& contents, RunLoader& presenter, Files& files)
    : first_{&first},
      second_{&second},
      pairing_{&pairing},
      contents_{&contents},
      runLoader_{&presenter},
      files_{&files} {
    connect(contents.differences, &DifferencesPanel::closed, this, &ComparisonController::stop);
    connect(&presenter, &RunLoader::presented, this, [this](const QString& name) { pairing_->setFirstName(name); });
    connect(&presenter, &RunLoader::ran, this, [this] {
        if (!rival_.empty()) compareWith(std::string{rival_});
    });
}

std::vector<const engine::Algorithm*> ComparisonController::rivals() const {
    std::vector<const engine::Algorithm*> found;
    const DrawableRunPtr& subject = first_->subject();
    if (!subject || !subject->report().plan) return found;
    const engine::Algorithm& shown = *subject->report().plan->algorithm;
    for (const engine::Algorithm* rival : engine::catalogue()) {
        if (rival->collective == shown.collective && rival->id != shown.id) found.push_back(rival);
    }
    return found;
}

void ComparisonController::compareWith(const std::string& algorithm) {
    if (!first_->subject()) return;
    const std::optional<RunWish> shown = wishBehind(first_->subject()->report());
    if (!shown)
        return contents_->notice->say(tr("Only runs of a known algorithm can be compared with another algorithm."));
    comparer_.start(
        [wish = rivalOf(*shown, algorithm),
         processes = contents_->setup->processes()](const engine::Progress& progress) {
            return std::make_shared<const DrawableRun>(runWished(wish, processes, progress).report);
        },
        [this, algorithm](const DrawableRunPtr& subject) {
            rival_ = algorithm;
            present(subject, QString::fromStdString(algorithm));
        },
        [this](const QString& sentence) { contents_->notice->say(sentence); });
}

void ComparisonController::compareWith(DrawableRunPtr subject, const QString& name) {
    comparer_.cancel();
    rival_.clear();
    present(std::move(subject), name);
}

void ComparisonController::compareWithTrace(const std::filesystem::path& path) {
    comparer_.start(
        [path](const engine::Progress& progress) {
            return std::make_shared<const DrawableRun>(
                analysis::openTrace(path, analysis::Clocks::fittedWhereNeeded, progress).report);
        },
        [this, path](const DrawableRunPtr& subject) {
            rival_.clear();
            present(subject, QString::fromStdString(path.filename().string()));
        },
        [this](const QString& sentence) { contents_->notice->say(sentence); });
}

void ComparisonController::askForTrace() {
    const QString path = files_->askForTrace(tr("Compare with a trace"));
    if (!path.isEmpty()) compareWithTrace(path.toStdString());
}

void ComparisonController::compareWithNext() {
    if (first_->subject()) compareWith(first_->subject(), runLoader_->name());
}

void ComparisonController::present(DrawableRunPtr subject, const QString& name) {
    const bool fresh = !comparing();
    pairing_->setSecondName(name);
    second_->show(std::move(subject));
    second_->setDark(first_->state().dark);
    pairing_->setMatch(pairing_->match());
    contents_->showSecond(true);
    if (fresh) Q_EMIT began();
}

void ComparisonController::stop() {
    comparer_.cancel();
    rival_.clear();
    const bool compared = comparing();
    contents_->showSecond(false);
    second_->show(nullptr);
    if (compared) Q_EMIT ended();
}

}  // namespace app::gui
