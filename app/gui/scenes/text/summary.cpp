// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/text/summary.hpp"

#include "app/analysis/format/cell_format.hpp"
#include "app/gui/scenes/drawing/number_text.hpp"
#include "app/gui/scenes/text/run_text.hpp"
#include "engine/base/text.hpp"
#include "traces/recording/training.hpp"

#include <QObject>

#include <algorithm>
#include <cmath>

namespace app::gui {
namespace {

QString tr(const char* words) { return QObject::tr(words); }

QString counted(std::int64_t number, const QString& one, const QString& many) {
    return countInWords(number) + ' ' + (number == 1 ? one : many);
}

}  // namespace

namespace {

std::int64_t recordedOf(const DrawableRun& subject) {
    const auto& recording = subject.recording();
    if (!recording || !subject.isProgram()) return subject.run().ranks;
    return std::ranges::count(traces::recordedRanks(*recording), true);
}

}  // namespace

QString ranksInWords(const DrawableRun& subject) {
    const std::int64_t recorded = recordedOf(subject);
    const QString all = counted(subject.run().ranks, tr("rank"), tr("ranks"));
    return recorded < subject.run().ranks ? tr("%1 of %2").arg(countInWords(recorded), all) : all;
}

QString runInALine(const DrawableRun& subject) {
    const Report& report = subject.report();
    const engine::Run& run = *report.run;
    QStringList counts{ranksInWords(subject)};
    if (recordedOf(subject) < run.ranks) counts.front() += tr(" recorded");
    // Rounds of other tools' traces are not recorded, and those recovered are of single instances.
    if (run.setting.on != "trace") counts << counted(run.rounds, tr("round"), tr("rounds"));
    if (subject.recording() && traces::isTraining(*subject.recording()))
        counts << counted(static_cast<std::int64_t>(subject.recording()->collectives.instances.size()),
                          tr("collective"), tr("collectives"));
    else counts << counted(run.messageCount, tr("message"), tr("messages"));
    counts << timeInWords(run.duration);
    QString text = counts.join(QStringLiteral(", "));
    if (const auto bound = report.timeBound();
        bound && bound->count() > 0 && run.setting.on == "virtual" && report.fault.empty()) {
        const double over = analysis::ratio(run.duration, *bound);
        text += tr(", %1\u00d7 the %2")
                    .arg(QString::fromStdString(engine::showNumber(over, 3)),
                         QString::fromStdString(analysis::nameOfBound(report.limits->blocks)));
    }
    if (!report.fault.empty()) text += subject.isUnfinished() ? tr(", unfinished") : tr(", wrong");
    else if (run.setting.on != "trace" && report.verdict && report.verdict->proved) text += tr(", schedule proved");
    return text;
}

namespace {

/// Of a trace: near the middle of what was communicated, with a message in flight where there is any.
engine::Picoseconds momentInTrace(const DrawableRun& subject) {
    const engine::Run& run = subject.run();
    const traces::TimeSpan span =
        subject.isProgram() ? subject.communication() : traces::TimeSpan{subject.firstBegin(), run.duration};
    const engine::Picoseconds about = span.begin + (span.end - span.begin) * 9 / 20;
    if (run.messages.empty() || !subject.messagesAt(about).empty()) return about;
    const auto apart = [&](std::size_t i) {
        const engine::Picoseconds begin = run.messages.sendBegin()[i];
        return begin > about ? begin - about : about - begin;
    };
    std::size_t nearest = 0;
    for (std::size_t i = 1; i < run.messages.size(); ++i)
        if (apart(i) < apart(nearest)) nearest = i;
    const engine::MessageRecord message = run.messages[nearest];
    const engine::Picoseconds begin = std::min(message.sendBegin, message.receiveBegin);
    return begin + (std::max(message.sendEnd, message.receiveEnd) - begin) / 2;
}

}  // namespace

engine::Picoseconds tellingMoment(const DrawableRun& subject) {
    if (subject.fault()) return subject.fault()->time;
    if (!subject.hasRounds()) return momentInTrace(subject);
    const engine::Run& run = subject.run();
    const engine::Picoseconds about = run.duration * 9 / 20;
    const auto round = static_cast<std::size_t>(subject.roundAt(about).value);
    if (round >= run.perRound.size()) return about;
    const engine::RoundTimes& times = run.perRound[round];
    // Of routes of up to six links none has a switch there, over which messages would lie on each other.
    constexpr double betweenSwitches = 0.43;
    return times.begin +
           engine::Picoseconds{std::llround(static_cast<double>((times.end - times.begin).count()) * betweenSwitches)};
}

}  // namespace app::gui
