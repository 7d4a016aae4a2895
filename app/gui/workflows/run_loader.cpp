// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/workflows/run_loader.hpp"

#include "app/gui/scenes/drawing/background_priority.hpp"
#include "app/gui/scenes/drawing/number_text.hpp"
#include "app/gui/scenes/text/summary.hpp"
#include "app/gui/settings/run_settings.hpp"
#include "app/gui/setup/setup_panel.hpp"
#include "app/gui/widgets/notice_bar.hpp"
#include "app/gui/widgets/run_progress.hpp"

#include <QFileInfo>
#include <QStatusBar>

namespace app::gui {
namespace {

using engine::Picoseconds;

/// A run that was made, and what is said of it.
struct Made {
    DrawableRunPtr subject;
    QString measured;
    QString command;
};

/// A trace that was read, and what is left to do when it is on the screen; or what there is to read of files without a
/// timeline.
struct Opened {
    std::optional<std::string> report{};
    DrawableRunPtr subject{};
    std::function<void(const engine::Progress&)> rest{};
};

/// Archives are called alike, their folders are not.
std::filesystem::path nameOfArchive(const std::filesystem::path& archive) {
    const std::filesystem::path folder = std::filesystem::absolute(archive).lexically_normal().parent_path();
    const bool folderNames = !archive.has_filename() || archive.filename() == "traces.otf2";
    return folderNames && folder.has_filename() ? folder.filename() : archive.filename();
}

}  // namespace

RunLoader::RunLoader(Playback& playback, Contents& contents, Files& files, QSettings& settings, QStatusBar& status)
    : playback_{&playback}, contents_{&contents}, files_{&files}, settings_{&settings}, status_{&status} {
    SetupPanel* setup = contents.setup;
    connect(setup, &SetupPanel::wished, this, [this](const RunWish& wish) { run(wish, Moment::keepFraction); });
    RunProgress* progress = contents.progress;
    connect(progress, &RunProgress::cancelled, &runner_, &Worker::cancel);
    progress->follow(runner_);
    preferring_.setSingleShot(true);
    connect(&preferring_, &QTimer::timeout, this, &RunLoader::preferTables);
}

void RunLoader::begin(Beginning beginning) {
    if (auto* trace = std::get_if<Trace>(&beginning)) return showTrace(std::move(*trace));
    RunWish wish = savedWish(*settings_);
    // Starting processes is asked for every time.
    if (wish.on == "mpi") wish.on = "virtual";
    contents_->setup->setWish(wish);
    if (const auto* unread = std::get_if<Unread>(&beginning))
        return openTrace(unread->path, unread->opening, unread->clocks);
    // What was looked at last, if it is still there.
    const QString last = files_->shown();
    if (!last.isEmpty() && QFileInfo::exists(last)) return openTrace(last.toStdString());
    if (!settings_->contains("run/algorithm")) status_->showMessage(tr("Space plays; F1 lists all keys"));
    run(wish, Moment::mostInformative);
}

void RunLoader::showTrace(Trace trace) {
    if (const std::optional<RunWish> behind = wishBehind(trace.report)) contents_->setup->setWish(unpinned(*behind));
    const std::string& algorithm = trace.report.run->setting.algorithm;
    const QString name = algorithm.empty() ? tr("trace") : QString::fromStdString(algorithm);
    present(std::make_shared<const DrawableRun>(std::move(trace.report), std::move(trace.recording)), name, {},
            Moment::mostInformative);
    showTables();
}

void RunLoader::run(const RunWish& wish, Moment moment) {
    Q_EMIT began();
    runner_.start(
        [wish, processes = contents_->setup->processes()](const engine::Progress& progress) {
            Ran ran = runWished(wish, processes, progress);
            return Made{.subject = std::make_shared<const DrawableRun>(std::move(ran.report)),
                        .measured = QString::fromStdString(ran.measured),
                        .command = QString::fromStdString(ran.command)};
        },
        [this, wish, moment](const Made& made) {
            save(*settings_, wish);
            files_->setShown({});
            present(made.subject, QString::fromStdString(wish.algorithm), {}, moment);
            if (!made.command.isEmpty())
                contents_->setup->say(made.measured.isEmpty() ? tr("Executed once.") : withMu(made.measured),
                                      tr("Started by %1").arg(made.command));
            Q_EMIT ran();
        },
        [this](const QString& sentence) {
            contents_->setup->refuse(sentence);
            Q_EMIT refused(sentence);
        });
}

void RunLoader::openTrace(const std::filesystem::path& path, const traces::Opening& opening, analysis::Clocks clocks) {
    Q_EMIT began();
    const QString name = pathToQt(nameOfArchive(path));
    runner_.start(
        [path, opening, clocks, readReport = readReport_](const engine::Progress& progress) {
            Opened opened;
            if (readReport) opened.report = readReport(path);
            if (opened.report) return opened;
            traces::Opening first = opening;
            first.later = [&](auto rest) { opened.rest = std::move(rest); };
            Trace trace = analysis::openTrace(path, clocks, within(progress, 0, 0.7), first, analysis::drawnMessages);
            opened.subject = std::make_shared<const DrawableRun>(std::move(trace.report), std::move(trace.recording),
                                                                 within(progress, 0.7, 1));
            return opened;
        },
        [this, path, name](const Opened& opened) {
            files_->addRecent(pathToQt(path));
            if (opened.report) {
                if (!playback_->subject()) run(savedWish(*settings_), Moment::mostInformative);
                return Q_EMIT reported(pathToQt(path), QString::fromStdString(*opened.report));
            }
            files_->setShown(pathToQt(path));
            if (const std::optional<RunWish> behind = wishBehind(opened.subject->report()))
                contents_->setup->setWish(unpinned(*behind));
            present(opened.subject, name, std::filesystem::absolute(path).lexically_normal(), Moment::mostInformative);
            showTables();
            if (opened.rest) keepIndex(opened.rest);
        },
        [this](const QString& sentence) { contents_->notice->say(sentence); });
    status_->showMessage(tr("Reading %1").arg(pathToQt(path)));
    connect(&runner_, &Worker::busyChanged, status_, &QStatusBar::clearMessage, Qt::SingleShotConnection);
}

void RunLoader::show(DrawableRunPtr subject, const QString& name, const std::filesystem::path& source) {
    Q_EMIT began();
    runner_.cancel();
    if (const std::optional<RunWish> behind = wishBehind(subject->report()))
        contents_->setup->setWish(unpinned(*behind));
    present(std::move(subject), name, source, Moment::mostInformative);
    showTables();
}

void RunLoader::showPart(DrawableRunPtr subject, const QString& name, const std::filesystem::path& source) {
    runner_.cancel();
    present(std::move(subject), name, source, Moment::mostInformative);
}

void RunLoader::showTables() {
    const DrawableRun& subject = *playback_->subject();
    if (subject.hasRounds()) return;
    if (!subject.isProgram()) return contents_->docks.bringUp(Dock::analysis);
    for (const Dock dock : {Dock::callTree, Dock::analysis, Dock::iterations}) contents_->docks.bringUp(dock);
    contents_->docks.even(Dock::callTree, Dock::iterations);
    preferring_.start(0);
}

/// For a program without iterations, Analysis reports more than Iterations.
void RunLoader::preferTables() {
    const DrawableRunPtr& subject = playback_->subject();
    if (!subject || !subject->isProgram()) return;
    if (!subject->programReady()) return preferring_.start(100);
    const analysis::TracedProgram* program = subject->programmed().program.get();
    if (program == nullptr || program->iterations().all.empty())
        contents_->docks.bringForward(Dock::analysis, Dock::lesson);
}

void RunLoader::askForTrace() {
    const QString path = files_->askForTrace(tr("Open trace"));
    if (!path.isEmpty()) openTrace(path.toStdString());
}

void RunLoader::askForFolder() {
    const QString path = files_->ask({.purpose = PathQuestion::Purpose::folder, .title = tr("Open folder of traces")});
    if (!path.isEmpty()) openTrace(path.toStdString());
}

// Whoever cannot keep it reads the trace again the next time.
void RunLoader::keepIndex(const std::function<void(const engine::Progress&)>& keep) {
    keeper_.start(
        [keep](const engine::Progress& progress) {
            giveWay();
            keep(progress);
        },
        [] {}, [](const QString&) {});
}

void RunLoader::present(DrawableRunPtr subject, const QString& name, const std::filesystem::path& source,
                        Moment moment) {
    const double before = static_cast<double>(playback_->duration().count());
    const double share = before > 0 ? static_cast<double>(playback_->state().time.count()) / before : 0;
    contents_->notice->say({});
    name_ = name;
    source_ = source;
    if (!wishBehind(subject->report()))
        contents_->setup->say(tr("The algorithm of this run is unknown: the fields are those of another run."));
    Q_EMIT presented(name);
    playback_->show(std::move(subject));
    const std::optional<Fault>& fault = playback_->subject()->fault();
    if (fault && moment != Moment::begin) {
        playback_->selectRank(fault->rank);
        playback_->selectMessage(fault->message);
        playback_->seek(fault->time);
    } else if (moment == Moment::keepFraction && before > 0) {
        const double time = share * static_cast<double>(playback_->duration().count());
        playback_->seek(Picoseconds{static_cast<std::int64_t>(time)});
    } else if (moment != Moment::begin) {
        playback_->seek(tellingMoment(*playback_->subject()));
    }
    Q_EMIT shown();
}

}  // namespace app::gui
