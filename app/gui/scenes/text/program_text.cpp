// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/text/program_text.hpp"

#include "app/analysis/wait_states/wait_call_path.hpp"

#include "app/gui/scenes/drawing/number_text.hpp"
#include "app/gui/scenes/drawing/to_qt.hpp"
#include "app/gui/scenes/text/activity_shares.hpp"
#include "app/gui/scenes/text/run_text.hpp"

namespace app::gui {
namespace {

using engine::Picoseconds;

QString spanWords(Picoseconds begin, Picoseconds end) {
    return QStringLiteral("%1 to %2, %3").arg(timeInWords(begin), timeInWords(end), timeInWords(end - begin));
}

QString whoseLocation(const traces::Recording& recording, std::int64_t index) {
    const traces::Location& location = recording.locations[static_cast<std::size_t>(index)];
    if (location.rank == traces::noRank) return QString::fromStdString(location.name);
    const QString rank = QStringLiteral("rank %1").arg(location.rank.value);
    return location.speaksForRank ? rank : rank + QStringLiteral(", ") + QString::fromStdString(location.name);
}

QString callWords(const analysis::TracedProgram& program, const Meaning& meaning) {
    const auto location = static_cast<std::size_t>(meaning.second);
    const auto call = static_cast<std::size_t>(meaning.index);
    const traces::States& states = program.recording().states[location];
    const traces::Region& region = program.recording().regions[static_cast<std::size_t>(states.region[call])];
    return QStringLiteral("%1 on %2: %3; %4")
        .arg(QString::fromStdString(region.title()), whoseLocation(program.recording(), meaning.second),
             spanWords(states.begin[call], states.end[call]), pathOfStretch(program, meaning));
}

QString waitWords(const analysis::TracedProgram& program, const analysis::Wait& wait) {
    const auto who = [&](engine::Rank rank, analysis::ThreadNumber thread) {
        const QString words = QStringLiteral("rank %1").arg(rank.value);
        return thread == 0 ? words : words + QStringLiteral(", ") + threadWords(program, rank, thread);
    };
    QString words = QStringLiteral("%1, %2: waits for %3, %4")
                        .arg(who(wait.rank, wait.thread), toQt(analysis::name(wait.kind)),
                             who(wait.late, wait.lateThread), spanWords(wait.begin, wait.end()));
    if (wait.origin != wait.late || wait.originThread != wait.lateThread)
        words += QStringLiteral("; the delay came from %1").arg(who(wait.origin, wait.originThread));
    return words;
}

QString ownWords(const analysis::TracedProgram& program, const Meaning& meaning) {
    const analysis::Lane& lane = program.tracks().of(static_cast<std::size_t>(meaning.index)).activity;
    const std::size_t at = lane.at(Picoseconds{meaning.second});
    if (at == lane.size()) return {};
    return QStringLiteral("%1: computation outside recorded calls, %2")
        .arg(whoseLocation(program.recording(), meaning.index), spanWords(lane[at].begin, lane[at].end));
}

QString collectiveWords(const traces::Recording& recording, std::int64_t index) {
    const traces::Collective& instance = recording.collectives.instances[static_cast<std::size_t>(index)];
    const auto parts = recording.collectives.of(instance);
    Picoseconds first = parts.front().begin;
    traces::Participant last = parts.front();
    Picoseconds end = parts.front().end;
    for (const traces::Participant& part : parts) {
        first = std::min(first, part.begin);
        end = std::max(end, part.end);
        if (part.begin > last.begin) last = part;
    }
    return QStringLiteral("%1 of %2 ranks: %3; rank %4 entered last, %5 after the first")
        .arg(toQt(traces::nameOf(instance.operation)))
        .arg(parts.size())
        .arg(spanWords(first, end))
        .arg(last.rank.value)
        .arg(timeInWords(last.begin - first));
}

QString iterationWords(const analysis::TracedProgram& program, std::int64_t index) {
    const analysis::Iteration& one = program.iterations().all[static_cast<std::size_t>(index)];
    QString words = QStringLiteral("%1 %2: %3")
                        .arg(iterationWord(program), iterationNumber(program, static_cast<std::size_t>(index)),
                             timeInWords(one.duration));
    if (one.odd) words += QStringLiteral(" instead of %1").arg(timeInWords(program.iterations().median));
    words += QStringLiteral(", %1 waiting in total").arg(timeInWords(one.waiting));
    if (const std::string pattern = inWords(program.patterns()[static_cast<std::size_t>(index)]); !pattern.empty())
        words += QStringLiteral("; its messages are ") + QString::fromStdString(pattern);
    if (one.late != traces::noRank)
        words += QStringLiteral("; rank %1 took %2 longer in %3")
                     .arg(one.late.value)
                     .arg(timeInWords(one.longer), QString::fromStdString(program.paths().name(one.path)));
    return words;
}

QString pathWords(const analysis::TracedProgram& program, const Meaning& meaning) {
    const auto path = static_cast<analysis::PathId>(meaning.index);
    const analysis::Spent& spent = program.profile().paths()[path];
    return QStringLiteral("%1: %2 in total, %3 of its own, %4 waiting, %5")
        .arg(QString::fromStdString(program.paths().name(path)), timeInWords(spent.time), timeInWords(spent.own),
             timeInWords(spent.waiting),
             countedInWords(spent.visits, QStringLiteral("visit"), QStringLiteral("visits")));
}

QString metricWords(const analysis::TracedProgram& program, const Meaning& meaning) {
    const analysis::MetricCurve& its = program.metrics().all()[static_cast<std::size_t>(meaning.index)];
    const traces::Metric& metric = program.recording().metrics[its.metric];
    const std::size_t at = its.curve.at(Picoseconds{meaning.second});
    if (at == its.curve.size()) return {};
    const analysis::Curve::Step step = its.curve[at];
    return QStringLiteral("%1 of %2: %3, %4")
        .arg(QString::fromStdString(metric.name), QString::fromStdString(analysis::whoseIs(its)),
             withMu(QString::fromStdString(analysis::showValue(step.value, analysis::unitOf(metric)))),
             spanWords(step.begin, step.end));
}

}  // namespace

const analysis::TracedProgram* programOf(const DrawableRun& subject) {
    return subject.isProgram() ? subject.programmed().program.get() : nullptr;
}

const analysis::TracedProgram* knownProgramOf(const DrawableRun& subject) {
    return subject.isProgram() && subject.programReady() ? subject.programmed().program.get() : nullptr;
}

QString whyNoProgram(const DrawableRun& subject) {
    if (subject.isProgram()) return subject.programmed().why;
    return QStringLiteral("This view needs the trace of a program with its calls.");
}

bool isOfProgram(const DrawableRun& subject, const Meaning& meaning) {
    const analysis::TracedProgram* program = programOf(subject);
    if (program == nullptr || meaning.index < 0) return false;
    const traces::Recording& recording = program->recording();
    const auto index = static_cast<std::size_t>(meaning.index);
    const auto second = static_cast<std::size_t>(meaning.second);
    switch (meaning.kind) {
        case Meaning::Kind::call:
            return meaning.second >= 0 && second < recording.states.size() && index < recording.states[second].size();
        case Meaning::Kind::wait: return index < program->waits().size();
        case Meaning::Kind::own: return index < recording.locations.size();
        case Meaning::Kind::collective: return index < recording.collectives.instances.size();
        case Meaning::Kind::iteration: return index < program->iterations().all.size();
        case Meaning::Kind::path: return index < program->profile().paths().size() && meaning.second < recording.ranks;
        case Meaning::Kind::metric: return index < program->metrics().all().size();
        default: return false;
    }
}

QString pathOfStretch(const analysis::TracedProgram& program, const Meaning& meaning) {
    if (meaning.kind == Meaning::Kind::call)
        return QString::fromStdString(program.paths().name(
            program.paths().of(static_cast<std::size_t>(meaning.second), static_cast<std::size_t>(meaning.index))));
    if (meaning.kind != Meaning::Kind::wait) return {};
    const analysis::Wait& wait = program.waits()[static_cast<std::size_t>(meaning.index)];
    return QString::fromStdString(
        program.paths().name(analysis::PathOfWaits{program.paths(), program.threads()}.in(wait)));
}

QString threadWords(const analysis::TracedProgram& program, engine::Rank rank, analysis::ThreadNumber thread) {
    return QString::fromStdString(nameOf(program.recording(), program.threads(), rank, thread));
}

std::optional<engine::Rank> rankOfStretch(const DrawableRun& subject, const Meaning& meaning) {
    const analysis::TracedProgram* program = programOf(subject);
    if (program == nullptr) return std::nullopt;
    const auto ofLocation = [&](std::int64_t location) {
        return program->recording().locations[static_cast<std::size_t>(location)].rank;
    };
    engine::Rank rank = traces::noRank;
    if (meaning.kind == Meaning::Kind::call) rank = ofLocation(meaning.second);
    if (meaning.kind == Meaning::Kind::own) rank = ofLocation(meaning.index);
    if (meaning.kind == Meaning::Kind::wait) rank = program->waits()[static_cast<std::size_t>(meaning.index)].rank;
    if (meaning.kind == Meaning::Kind::metric)
        rank = program->metrics().all()[static_cast<std::size_t>(meaning.index)].rank;
    if (meaning.kind == Meaning::Kind::path && meaning.second >= 0)
        rank = engine::Rank{static_cast<std::int32_t>(meaning.second)};
    return rank == traces::noRank ? std::nullopt : std::optional{rank};
}

std::optional<traces::TimeSpan> placeOf(const DrawableRun& subject, const Meaning& meaning) {
    const bool leads =
        meaning.kind == Meaning::Kind::iteration || (meaning.kind == Meaning::Kind::path && meaning.second >= 0);
    const analysis::TracedProgram* program = leads ? programOf(subject) : nullptr;
    if (program == nullptr) return std::nullopt;
    if (meaning.kind == Meaning::Kind::path)
        return program->longestCall(static_cast<analysis::PathId>(meaning.index),
                                    engine::Rank{static_cast<std::int32_t>(meaning.second)});
    const analysis::Iteration& one = program->iterations().all[static_cast<std::size_t>(meaning.index)];
    return traces::TimeSpan{one.begin, one.begin + one.duration};
}

QString programWords(const DrawableRun& subject, const Meaning& meaning) {
    const analysis::TracedProgram* program = programOf(subject);
    if (program == nullptr) return {};
    switch (meaning.kind) {
        case Meaning::Kind::call: return callWords(*program, meaning);
        case Meaning::Kind::wait: return waitWords(*program, program->waits()[static_cast<std::size_t>(meaning.index)]);
        case Meaning::Kind::own: return ownWords(*program, meaning);
        case Meaning::Kind::collective: return collectiveWords(program->recording(), meaning.index);
        case Meaning::Kind::iteration: return iterationWords(*program, meaning.index);
        case Meaning::Kind::metric: return metricWords(*program, meaning);
        case Meaning::Kind::path: return pathWords(*program, meaning);
        case Meaning::Kind::group: return QStringLiteral("a group of ranks; a click folds or unfolds it");
        default: return {};
    }
}

}  // namespace app::gui
