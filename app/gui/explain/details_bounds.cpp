// SPDX-License-Identifier: BSD-3-Clause
// Details of bounds and of what the time above them is made of: the formulas with the numbers of this run.
#include "app/analysis/bounds/bound_gap.hpp"
#include "app/analysis/selection/partial_runs.hpp"
#include "app/analysis/trace/rank_time_breakdown.hpp"
#include "app/analysis/wait_states/wait_states.hpp"
#include "app/gui/explain/details_page.hpp"
#include "app/gui/scenes/drawing/number_text.hpp"
#include "app/gui/scenes/text/program_text.hpp"
#include "app/gui/scenes/text/run_text.hpp"
#include "engine/base/text.hpp"

#include <algorithm>

namespace app::gui {
namespace {

using engine::Picoseconds;

constexpr std::size_t mostWaits = 6;

/// "7 x 1 us + 448 KiB x 0.4 ns/B = 190.5 us".
QString putIn(const engine::Cost& cost, const engine::Model& model, Picoseconds result) {
    QString words = detail("%1 \u00d7 %2 + %3 \u00d7 %4")
                        .arg(countInWords(cost.startups), timeInWords(model.alpha), bytesInWords(cost.volume),
                             withMu(QString::fromStdString(engine::showRate(model.beta))));
    if (cost.combined > 0 && model.gamma.femtosecondsPerByte > 0)
        words += detail(" + %1 \u00d7 %2")
                     .arg(bytesInWords(cost.combined), withMu(QString::fromStdString(engine::showRate(model.gamma))));
    const Picoseconds sum = cost.under(model);
    words += QStringLiteral(" = ") + timeInWords(sum);
    // Beside that, a bound is a few picoseconds lower, for what messages lose when their times are rounded.
    if (result > sum && timeInWords(result) != timeInWords(sum))
        words += detail("; with links into the node that decides %1").arg(timeInWords(result));
    return words;
}

/// The model of a run in virtual time whose messages cost alpha and beta; nothing else has such formulas.
std::optional<engine::Model> modelOf(const Report& report) {
    if (!report.plan || !report.model || report.model->logGP || report.run->setting.on != "virtual")
        return std::nullopt;
    return analysis::ownModel(report);
}

template <class T>
QStringList reasonOf(const engine::Bound<T>& bound) {
    QStringList lines{inHtml(bound.why)};
    if (!bound.source.empty()) lines += detail("Source: %1").arg(inHtml(bound.source));
    lines += bound.attained.empty() ? detail("No algorithm of the catalogue is known to need so little.")
                                    : detail("Attained by %1").arg(inHtml(bound.attained));
    return lines;
}

void addFormula(DetailsPage& page, const Report& report) {
    if (!report.plan || report.plan->algorithm->formula.empty()) return;
    QStringList lines{greek(report.plan->algorithm->formula).toHtmlEscaped()};
    const std::optional<engine::Model> model = modelOf(report);
    if (report.predicted && report.predictedTime && model)
        lines += putIn(*report.predicted, *model, *report.predictedTime);
    if (!report.plan->algorithm->letters.empty()) lines += greek(report.plan->algorithm->letters).toHtmlEscaped();
    page.row(detail("Formula"), lines);
}

void addUnknown(DetailsPage& page, const Report& report) {
    if (!report.limits)
        page.row(detail("Bound"), detail("unknown, as the algorithm behind these messages and its problem are"));
}

DetailsPage pageOfTime(const DrawableRun& subject, bool dark) {
    const Report& report = subject.report();
    const engine::Run& run = subject.run();
    DetailsPage page{detail("Time: %1").arg(timeInWords(run.duration)), dark};
    const std::optional<engine::Model> model = modelOf(report);
    const std::optional<Picoseconds> bound = report.timeBound();
    if (bound && model && report.limits) {
        const auto least = engine::leastCost(report.limits->bounds, report.limits->blocks, *model);
        page.row(detail("Bound"), least ? putIn(*least, *model, *bound) : timeInWords(*bound));
        page.row(detail("Bound for"),
                 report.limits->blocks == engine::Blocks::whole
                     ? detail("one-block messages: every message carries one whole contribution, as here")
                     : detail("any messages"));
    } else {
        page.row(detail("Bound"), detail("unknown: a bound on the time needs a known algorithm and model"));
    }
    addFormula(page, report);
    if (report.lockstep)
        page.row(detail("In lockstep"),
                 detail("%1 if all ranks start each round together").arg(timeInWords(*report.lockstep)));
    if (!report.gap || !bound) return page;
    QStringList parts;
    for (std::size_t i = 0; i < analysis::gapCauses.size(); ++i) {
        const analysis::GapCause& cause = analysis::gapCauses[i];
        const Picoseconds time = *report.gap.*cause.time;
        if (time == Picoseconds{}) continue;
        parts += detail("%1 %2").arg(
            time < Picoseconds{} ? QStringLiteral("\u2212") + timeInWords(-time) : timeInWords(time),
            linkToCause(static_cast<int>(i), inHtml(std::string{nameOf(cause, report)})));
    }
    page.row(detail("Time above the bound"),
             parts.isEmpty() ? QStringList{detail("nothing: the run meets the bound")} : parts);
    return page;
}

/// Where waits cost most.
QStringList longestWaits(const DrawableRun& subject) {
    if (subject.run().messages.size() > mostWalked)
        return {detail("Charts, Waits, shows the waiting time of each rank.")};
    std::vector<analysis::Wait> waits = analysis::waits(subject.run());
    const auto most = static_cast<std::ptrdiff_t>(std::min(mostWaits, waits.size()));
    std::partial_sort(waits.begin(), waits.begin() + most, waits.end(),
                      [](const auto& a, const auto& b) { return a.time > b.time; });
    QStringList lines;
    for (const analysis::Wait& wait : std::span{waits}.first(static_cast<std::size_t>(most)))
        lines += detail("%1 waits <a href=\"still:%2:%3\">%4</a> for %5, a %6")
                     .arg(linkTo(wait.rank))
                     .arg(wait.rank.value)
                     .arg(wait.begin.count())
                     .arg(timeInWords(wait.time), linkTo(wait.late), inHtml(std::string{name(wait.kind)}));
    if (waits.empty()) lines += detail("No rank waited for another.");
    return lines;
}

/// How the time of a cause is computed.
QString sumInWords(const Report& report, const analysis::GapCause& cause) {
    const std::optional<engine::Model> model = modelOf(report);
    if (!model || !report.limits) return {};
    const auto least = engine::leastCost(report.limits->bounds, report.limits->blocks, *model);
    if (!least) return {};
    const auto result = [&](Picoseconds time) { return timeInWords(time); };
    if (cause.time == &analysis::Gap::extraRounds) {
        const Picoseconds time = *report.gap.*cause.time;
        if (model->alpha.count() == 0) return {};
        const std::int64_t startups = time / model->alpha + least->startups;
        return detail("(%1 \u2212 %2 startups) \u00d7 %3 = %4")
            .arg(countInWords(startups), countInWords(least->startups), timeInWords(model->alpha), result(time));
    }
    if (cause.time == &analysis::Gap::extraBytes &&
        model->beta * report.serializedBytes() - model->beta * least->volume == *report.gap.*cause.time)
        return detail("(%1 \u2212 %2 serialized) \u00d7 %3 = %4")
            .arg(bytesInWords(report.serializedBytes()), bytesInWords(least->volume),
                 withMu(QString::fromStdString(engine::showRate(model->beta))), result(*report.gap.*cause.time));
    return {};
}

}  // namespace

DetailsPage pageOfCause(const DrawableRun& subject, std::int64_t cause, bool dark) {
    const Report& report = subject.report();
    if (cause < 0 || static_cast<std::size_t>(cause) >= analysis::gapCauses.size() || !report.gap ||
        !report.timeBound())
        return pageOfTime(subject, dark);
    const analysis::GapCause& which = analysis::gapCauses[static_cast<std::size_t>(cause)];
    const Picoseconds time = *report.gap.*which.time;
    const std::string_view word = nameOf(which, report);
    const QString name = QString::fromLatin1(word.data(), static_cast<qsizetype>(word.size()));
    DetailsPage page{
        detail("%1: %2").arg(name.left(1).toUpper() + name.mid(1),
                             time < Picoseconds{} ? detail("%1 saved").arg(timeInWords(-time)) : timeInWords(time)),
        dark};
    page.row(detail("What"), inHtml(analysis::meaningOf(which, report)));
    page.row(detail("Calculation"), sumInWords(report, which));
    if (which.time == &analysis::Gap::extraRounds && report.limits)
        page.row(detail("Bound"), reasonOf(report.limits->held().rounds));
    if (which.time == &analysis::Gap::extraBytes && report.limits)
        page.row(detail("Bound"), reasonOf(report.limits->bounds.volume));
    const bool ofRanks = which.time == &analysis::Gap::waiting || which.time == &analysis::Gap::perturbation ||
                         which.time == &analysis::Gap::congestion;
    if (ofRanks && time > Picoseconds{}) page.row(detail("Longest"), longestWaits(subject));
    page.row(detail("More"), linkToCause(-1, detail("the time and its bound")));
    return page;
}

DetailsPage pageOfBound(const DrawableRun& subject, std::int64_t row, bool dark) {
    const Report& report = subject.report();
    const engine::Run& run = subject.run();
    const auto& limits = report.limits;
    if (!subject.hasRounds() && (row == 0 || row == 2)) {
        DetailsPage page{row == 0 ? detail("Rounds") : detail("Serialized bytes"), dark};
        page.row(detail("Why"), noRoundsInWords());
        return page;
    }
    switch (row) {
        case boundsAtLength: {
            QStringList lines;
            for (const QString& words : boundsInWords(subject)) lines += words.toHtmlEscaped();
            return DetailsPage{detail("The run and its bounds"), dark}.row(detail("Explanation"), lines);
        }
        case 0: {
            DetailsPage page{report.startups() == run.rounds
                                 ? detail("Rounds: %1").arg(countInWords(report.startups()))
                                 : detail("Startups: %1").arg(countInWords(report.startups())),
                             dark};
            if (limits) {
                page.row(detail("Bound"), countInWords(limits->held().rounds.value));
                page.row(detail("Why"), reasonOf(limits->held().rounds));
            }
            addFormula(page, report);
            addUnknown(page, report);
            return page;
        }
        case 1: {
            DetailsPage page{detail("Messages: %1").arg(countInWords(run.messageCount)), dark};
            page.row(detail("Bytes"), detail("%1 in total").arg(bytesInWords(run.byteCount)));
            page.row(detail("Kept"),
                     run.droppedMessages > 0
                         ? detail("all but %1, which were counted only").arg(countInWords(run.droppedMessages))
                         : QString{});
            return page;
        }
        case 2: {
            DetailsPage page{detail("Serialized bytes: %1").arg(bytesInWords(report.serializedBytes())), dark};
            page.row(detail("What"), detail("the largest message of every round, added up"));
            if (limits) {
                page.row(detail("Bound"), bytesInWords(limits->held().serializedBytes));
                page.row(detail("Why"), reasonOf(limits->bounds.volume));
            }
            addUnknown(page, report);
            return page;
        }
        case 3: {
            const auto busiest = report.busiestRank();
            DetailsPage page{busiest ? detail("Busiest rank: %1").arg(bytesInWords(*busiest)) : detail("Busiest rank"),
                             dark};
            page.row(detail("What"), detail("bytes through the ports of the rank that sends or receives most"));
            if (limits) {
                page.row(detail("Bound"), bytesInWords(limits->bounds.perRank));
                page.row(detail("Why"), reasonOf(limits->bounds.volume));
            }
            addUnknown(page, report);
            return page;
        }
        case 5: {
            const QString name = stillName(subject);
            const analysis::TracedProgram* program = knownProgramOf(subject);
            const double share = stillShareOf(subject);
            DetailsPage page{QStringLiteral("%1: %2%").arg(name.left(1).toUpper() + name.mid(1),
                                                           QString::fromStdString(engine::showNumber(100 * share, 3))),
                             dark};
            page.row(detail("What"), stillInWords(subject));
            if (program != nullptr) return page;
            const analysis::RankTimeBreakdown all = analysis::totalRankTimeBreakdown(run);
            QStringList parts{detail("%1 %2").arg(timeInWords(all.noCommunication), betweenWords(subject)),
                              detail("%1 finished early").arg(timeInWords(all.finishedEarly))};
            if (all.notYetEntered.count() > 0)
                parts.prepend(detail("%1 not yet entered").arg(timeInWords(all.notYetEntered)));
            page.row(detail("Parts"), parts);
            page.row(detail("Longest"), longestWaits(subject));
            return page;
        }
        default: return pageOfTime(subject, dark);
    }
}

}  // namespace app::gui
