// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/text/headline.hpp"

#include "app/analysis/format/cell_format.hpp"
#include "app/gui/scenes/drawing/number_text.hpp"
#include "app/gui/scenes/run/drawable_run.hpp"
#include "app/gui/scenes/text/program_text.hpp"
#include "app/gui/scenes/text/run_text.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/catalogue.hpp"

#include <QStringList>

namespace app::gui {
namespace {

/// "1.17 times the one-block lower bound, 163.3 us".
QString besideTheBound(const Report& report, engine::Picoseconds bound) {
    const engine::Picoseconds duration = report.run->duration;
    const QString least = "the " + QString::fromStdString(analysis::nameOfBound(report.limits->blocks));
    if (duration == bound) return "as fast as " + least;
    if (bound.count() <= 0) return {};
    const double times = analysis::ratio(duration, bound);
    return QStringLiteral("%1 times %2, %3")
        .arg(QString::fromStdString(engine::showNumber(times, 3)), least, timeInSentence(bound));
}

/// "fewest rounds possible: 6 (Ring belts)".
QString fewerRounds(const Report& report) {
    if (!report.limits) return {};
    const auto& rounds = report.limits->held().rounds;
    if (report.startups() <= rounds.value) return {};
    if (rounds.attained.empty())
        return QStringLiteral("%1 rounds where the lower bound is %2")
            .arg(countInWords(report.startups()), countInWords(rounds.value));
    return QStringLiteral("fewest rounds possible: %1 (%2)")
        .arg(countInWords(rounds.value), QString::fromStdString(engine::algorithmNamed(rounds.attained).title));
}

QString cutting(const Report& report) {
    return report.limits ? withMu(QString::fromStdString(cuttingInWords(*report.limits))) : QString{};
}

}  // namespace

Headline headlineOf(const Report& report) {
    const engine::Run& run = *report.run;
    const QString time = timeInSentence(run.duration);
    if (!report.fault.empty()) {
        const bool isUnfinished = run.setting.algorithm == DrawableRun::playedByHand;
        return {time,
                time + (isUnfinished ? QStringLiteral(", unfinished: ") : QStringLiteral(", and wrong: ")) +
                    QString::fromStdString(report.fault),
                {}};
    }
    if (!report.plan)
        return {
            time,
            QStringLiteral("%1: %2 message%3 among %4 ranks")
                .arg(time, countInWords(run.messageCount), run.messageCount == 1 ? "" : "s", countInWords(run.ranks)),
            QStringLiteral("the algorithm behind them is unknown, and so is the lower bound")};
    QStringList better{fewerRounds(report), cutting(report)};
    better.removeAll(QString{});
    const auto bound = run.setting.on == "virtual" ? report.timeBound() : std::nullopt;
    // No model holds a clock of a machine to a bound.
    const bool isMeasured = !run.setting.on.empty() && run.setting.on != "virtual";
    const QString beside =
        bound        ? besideTheBound(report, *bound)
        : isMeasured ? QStringLiteral("%1: %2 among %3 in %4")
                           .arg(howTimed(run.setting.on),
                                countedInWords(run.messageCount, QStringLiteral("message"), QStringLiteral("messages")),
                                countedInWords(run.ranks, QStringLiteral("rank"), QStringLiteral("ranks")),
                                countedInWords(run.rounds, QStringLiteral("round"), QStringLiteral("rounds")))
                     : QString{};
    return {time, beside.isEmpty() ? time : time + QStringLiteral(", ") + beside, better.join(QStringLiteral("; "))};
}

Headline headlineOf(const analysis::TracedProgram& program) {
    return {timeInSentence(program.headlineTime()), withMu(QString::fromStdString(program.headline())),
            withMu(QString::fromStdString(program.besides()))};
}

Headline headlineOf(const DrawableRun& subject) {
    const analysis::TracedProgram* const program = knownProgramOf(subject);
    return program != nullptr ? headlineOf(*program) : headlineOf(subject.report());
}

}  // namespace app::gui
