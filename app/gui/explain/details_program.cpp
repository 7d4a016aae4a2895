// SPDX-License-Identifier: BSD-3-Clause
// Details of a traced program: calls, waits, collectives, iterations, call paths.
#include "app/gui/explain/details_page.hpp"
#include "app/gui/scenes/drawing/number_text.hpp"
#include "app/gui/scenes/drawing/to_qt.hpp"
#include "app/gui/scenes/text/program_text.hpp"
#include "app/gui/scenes/text/run_text.hpp"

namespace app::gui {
namespace {

using analysis::TracedProgram;
using engine::Picoseconds;
using engine::Rank;

QString inRichText(const std::string& words) { return QString::fromStdString(words).toHtmlEscaped(); }

QString fromTo(Picoseconds begin, Picoseconds end) {
    return detail("%1 to %2").arg(timeInWords(begin), timeInWords(end));
}

/// "rank 3", "rank 3, OMP thread 1".
QString whoInWords(const TracedProgram& program, Rank rank, analysis::ThreadNumber thread) {
    return thread == 0 ? linkTo(rank)
                       : linkTo(rank) + QStringLiteral(", ") + threadWords(program, rank, thread).toHtmlEscaped();
}

/// "1.2 ms for rank 3 (late sender)".
QString waitLine(const TracedProgram& program, const analysis::Wait& wait) {
    return detail("%1 for %2 (%3)")
        .arg(timeInWords(wait.time), whoInWords(program, wait.late, wait.lateThread),
             toQt(analysis::name(wait.kind)).toHtmlEscaped());
}

/// "main/MPI_Isend, 617 ms to 620 ms, after 60 ms of computation": the call in which a rank was at `begin`, and what it
/// did right before it.
QString endInWords(const TracedProgram& program, Rank rank, Picoseconds begin, Picoseconds end) {
    QString words = fromTo(begin, end);
    const std::int32_t location = program.tracks().ownOf(rank);
    if (location == traces::noIndex) return words;
    const analysis::Lane& lane = program.tracks().of(static_cast<std::size_t>(location)).activity;
    const std::size_t at = lane.at(begin);
    if (at == lane.size() || lane[at].begin > begin || lane[at].id == analysis::Lane::noId) return words;
    const Meaning::Kind kind =
        lane[at].activity == analysis::Activity::waiting ? Meaning::Kind::wait : Meaning::Kind::call;
    words = pathOfStretch(program, {kind, lane[at].id, location}).toHtmlEscaped() + QStringLiteral(", ") + words;
    if (at > 0 && lane[at].begin == begin && lane[at - 1].activity == analysis::Activity::compute)
        words += detail(", after %1 of computation").arg(timeInWords(begin - lane[at - 1].begin));
    return words;
}

DetailsPage pageOfCall(const TracedProgram& program, const Meaning& asked, bool dark) {
    const auto location = static_cast<std::size_t>(asked.second);
    const auto call = static_cast<std::size_t>(asked.index);
    const traces::Recording& recording = program.recording();
    const traces::States& states = recording.states[location];
    const traces::Region& region = recording.regions[static_cast<std::size_t>(states.region[call])];
    const Rank rank = recording.locations[location].rank;
    DetailsPage page{inRichText(region.name), dark};
    page.row(detail("Where"), rank == traces::noRank ? inRichText(recording.locations[location].name) : linkTo(rank))
        .row(detail("Called at"), inRichText(region.place))
        .row(detail("Path"), pathOfStretch(program, asked).toHtmlEscaped())
        .row(detail("When"), fromTo(states.begin[call], states.end[call]))
        .row(detail("Duration"), timeInWords(states.end[call] - states.begin[call]));
    if (rank == traces::noRank) return page;
    QStringList waits;
    const analysis::Lane& lane = program.tracks().of(location).activity;
    for (std::size_t i = lane.at(states.begin[call]); i < lane.size() && lane[i].begin < states.end[call]; ++i)
        if (lane[i].activity == analysis::Activity::waiting) {
            waits << waitLine(program, program.waits()[lane[i].id]);
            if (waits.size() > 20) break;
        }
    const analysis::Activity does = analysis::activityOf(region);
    if (waits.isEmpty() && analysis::isMpi(does)) waits << detail("no rank, as far as recorded");
    return page.row(detail("Waited"), fewOf(waits, 6));
}

DetailsPage pageOfWait(const TracedProgram& program, const Meaning& asked, bool dark) {
    const analysis::Wait& wait = program.waits()[static_cast<std::size_t>(asked.index)];
    DetailsPage page{detail("Waiting: %1").arg(toQt(analysis::name(wait.kind)).toHtmlEscaped()), dark};
    page.row(detail("Waiting"), whoInWords(program, wait.rank, wait.thread))
        .row(detail("Waits for"), whoInWords(program, wait.late, wait.lateThread))
        .row(detail("When"), fromTo(wait.begin, wait.end()))
        .row(detail("Duration"), timeInWords(wait.time))
        .row(detail("Path"), pathOfStretch(program, asked).toHtmlEscaped());
    if (wait.origin != wait.late || wait.originThread != wait.lateThread)
        page.row(detail("Root cause"), detail("%1, propagated by %2")
                                           .arg(whoInWords(program, wait.origin, wait.originThread),
                                                countedInWords(wait.hops, detail("rank"), detail("ranks"))));
    QStringList causes;
    for (const analysis::Cause& cause : program.causes())
        if (cause.rank == wait.origin && cause.thread == wait.originThread && cause.kind == wait.kind)
            causes << detail("%1, the cause of %2 of all %3 waiting")
                          .arg(inRichText(nameOf(cause, program.paths())), timeInWords(cause.time),
                               toQt(analysis::name(wait.kind)).toHtmlEscaped());
    return page.row(detail("Delays of %1").arg(whoInWords(program, wait.origin, wait.originThread)), fewOf(causes, 3));
}

DetailsPage pageOfOwn(const TracedProgram& program, const Meaning& asked, bool dark) {
    const traces::Recording& recording = program.recording();
    const traces::Location& location = recording.locations[static_cast<std::size_t>(asked.index)];
    const analysis::Lane& lane = program.tracks().of(static_cast<std::size_t>(asked.index)).activity;
    const std::size_t at = lane.at(Picoseconds{asked.second});
    DetailsPage page{detail("Computation, outside recorded calls"), dark};
    if (location.rank != traces::noRank) page.row(detail("Where"), linkTo(location.rank));
    if (at == lane.size()) return page;
    page.row(detail("When"), fromTo(lane[at].begin, lane[at].end))
        .row(detail("Duration"), timeInWords(lane[at].end - lane[at].begin));
    QStringList causes;
    for (const analysis::Cause& cause : program.causes())
        if (location.speaksForRank && cause.rank == location.rank && cause.thread == 0 &&
            cause.path == analysis::outsideOfCalls)
            causes << detail("%1: %2 of waiting in total")
                          .arg(inRichText(nameOf(cause, program.paths())), timeInWords(cause.time));
    return page.row(detail("Made others wait"), fewOf(causes, 3));
}

DetailsPage pageOfCollective(const TracedProgram& program, const Meaning& asked, bool dark) {
    const traces::Recording& recording = program.recording();
    const traces::Collective& instance = recording.collectives.instances[static_cast<std::size_t>(asked.index)];
    const auto parts = recording.collectives.of(instance);
    traces::TimeSpan span{parts.front().begin, parts.front().end};
    const traces::Participant* last = &parts.front();
    engine::Bytes received = 0;
    for (const traces::Participant& part : parts) {
        span = {std::min(span.begin, part.begin), std::max(span.end, part.end)};
        if (part.begin > last->begin) last = &part;
        received += part.received;
    }
    DetailsPage page{inRichText(std::string{traces::nameOf(instance.operation)}), dark};
    page.row(detail("Ranks"), detail("%1 ranks of %2")
                                  .arg(parts.size())
                                  .arg(inRichText(analysis::communicatorName(recording, instance.communicator))))
        .row(detail("Root"), instance.root == traces::noRank ? QString{} : linkTo(instance.root))
        .row(detail("Received"), received > 0 ? bytesInWords(received) : QString{})
        .row(detail("When"), fromTo(span.begin, span.end))
        .row(detail("Duration"), timeInWords(span.end - span.begin))
        .row(detail("Last to enter"),
             detail("%1, %2 after the first").arg(linkTo(last->rank), timeInWords(last->begin - span.begin)))
        .row(detail("After the last entry"), timeInWords(span.end - last->begin));
    page.row(detail("Inside"), QStringLiteral("<a href=\"open:%1\">%2</a>").arg(asked.index).arg(detail("its rounds")));
    const auto nameIn = [](const std::vector<std::string>& names, std::int32_t index) {
        return index == traces::noIndex ? QString{} : inRichText(names[static_cast<std::size_t>(index)]);
    };
    page.row(detail("Library's algorithm"), nameIn(recording.library.algorithms, instance.ofLibrary))
        .row(detail("Component"), nameIn(recording.library.components, instance.component));
    if (instance.algorithm != traces::noIndex)
        page.row(detail("Algorithm"), inRichText(recording.algorithms[static_cast<std::size_t>(instance.algorithm)]));
    return page;
}

DetailsPage pageOfIteration(const TracedProgram& program, const Meaning& asked, bool dark) {
    const analysis::Iterations& iterations = program.iterations();
    const analysis::Iteration& one = iterations.all[static_cast<std::size_t>(asked.index)];
    DetailsPage page{detail("Iteration %1 of %2").arg(asked.index + 1).arg(iterations.all.size()), dark};
    page.row(detail("Duration"),
             detail("%1; %2 (median)").arg(timeInWords(one.duration), timeInWords(iterations.median)))
        .row(detail("Busiest rank"), one.slowest == traces::noRank ? QString{} : linkTo(one.slowest))
        .row(detail("Mean"), timeInWords(one.mean))
        .row(detail("Waiting"), detail("%1, summed over ranks").arg(timeInWords(one.waiting)))
        .row(detail("Messages"), inRichText(inWords(program.patterns()[static_cast<std::size_t>(asked.index)])));
    if (one.late != traces::noRank)
        page.row(detail("Unusual because"),
                 detail("%1 took %2 longer in %3")
                     .arg(linkTo(one.late), timeInWords(one.longer), inRichText(program.paths().name(one.path))));
    if (!iterations.toldBy.empty())
        return page.row(detail("Name"), inRichText(one.name)).row(detail("Marked by"), inRichText(iterations.toldBy));
    return page.row(detail(iterations.endsWithIt ? "Ends with" : "Begins with"),
                    inRichText(program.paths().name(iterations.call)));
}

DetailsPage pageOfPath(const TracedProgram& program, const Meaning& asked, bool dark) {
    const auto path = static_cast<analysis::PathId>(asked.index);
    const analysis::Spent& spent = program.profile().paths()[path];
    DetailsPage page{inRichText(program.paths().name(path)), dark};
    page.row(detail("Visits"), countInWords(spent.visits))
        .row(detail("Inclusive"), detail("%1, callees included").arg(timeInWords(spent.time)))
        .row(detail("Exclusive"), timeInWords(spent.own))
        .row(detail("Waiting"), timeInWords(spent.waiting))
        .row(detail("Sent"), spent.sent > 0 ? bytesInWords(spent.sent) : QString{})
        .row(detail("Received"), spent.received > 0 ? bytesInWords(spent.received) : QString{});
    if (program.recording().ranks > 1 && spent.ranks.mostRank != traces::noRank)
        page.row(detail("Maximum"), detail("%1, %2; the mean is %3")
                                        .arg(linkTo(spent.ranks.mostRank), timeInWords(spent.ranks.most),
                                             timeInWords(spent.ranks.mean())));
    QStringList causes;
    for (const analysis::Cause& cause : program.causes())
        if (cause.path == path)
            causes << detail("%1 on %2: %3")
                          .arg(toQt(analysis::name(cause.kind)), whoInWords(program, cause.rank, cause.thread),
                               timeInWords(cause.time));
    return page.row(detail("Made others wait"), fewOf(causes, 5));
}

DetailsPage pageOfMetric(const TracedProgram& program, const Meaning& asked, bool dark) {
    const analysis::MetricCurve& its = program.metrics().all()[static_cast<std::size_t>(asked.index)];
    const traces::Metric& metric = program.recording().metrics[its.metric];
    const auto shown = [&](double value) {
        return withMu(inRichText(analysis::showValue(value, analysis::unitOf(metric))));
    };
    DetailsPage page{inRichText(metric.name), dark};
    page.row(detail("Meaning"), inRichText(metric.description))
        .row(detail("Recorded for"),
             its.rank != traces::noRank && its.about.empty() ? linkTo(its.rank) : inRichText(analysis::whoseIs(its)));
    if (const std::size_t at = its.curve.at(Picoseconds{asked.second}); at < its.curve.size())
        page.row(detail("Value"), shown(its.curve[at].value))
            .row(detail("When"), fromTo(its.curve[at].begin, its.curve[at].end));
    page.row(detail("Recorded as"), inRichText(analysis::modeOf(metric)))
        .row(detail("Samples"), countInWords(static_cast<std::int64_t>(its.samples)));
    if (const auto range = its.curve.range())
        page.row(detail("Minimum"), shown(range->least)).row(detail("Maximum"), shown(range->most));
    return page;
}

}  // namespace

void addCallsOf(DetailsPage& page, const TracedProgram& program, const engine::MessageRecord& message) {
    page.row(detail("Send"), endInWords(program, message.from, message.sendBegin, message.sendEnd));
    page.row(detail("Receive"), endInWords(program, message.to, message.receiveBegin, message.receiveEnd));
    QStringList waits;
    const traces::Messages& all = program.recording().messages;
    for (const analysis::Wait& wait : program.waits())
        if (wait.message != analysis::Wait::none && all.from[wait.message] == message.from &&
            all.to[wait.message] == message.to && all.sendBegin[wait.message] == message.sendBegin &&
            all.receiveEnd[wait.message] == message.receiveEnd)
            waits << detail("%1 waits %2").arg(whoInWords(program, wait.rank, wait.thread), waitLine(program, wait));
    page.row(detail("Waiting"), waits.isEmpty() ? QStringList{detail("none")} : fewOf(waits, 3));
}

DetailsPage pageOfProgram(const DrawableRun& subject, const Meaning& asked, bool dark) {
    const TracedProgram* program = programOf(subject);
    if (program == nullptr) return {whyNoProgram(subject), dark};
    switch (asked.kind) {
        case Meaning::Kind::call: return pageOfCall(*program, asked, dark);
        case Meaning::Kind::wait: return pageOfWait(*program, asked, dark);
        case Meaning::Kind::own: return pageOfOwn(*program, asked, dark);
        case Meaning::Kind::collective: return pageOfCollective(*program, asked, dark);
        case Meaning::Kind::iteration: return pageOfIteration(*program, asked, dark);
        case Meaning::Kind::metric: return pageOfMetric(*program, asked, dark);
        default: return pageOfPath(*program, asked, dark);
    }
}

}  // namespace app::gui
