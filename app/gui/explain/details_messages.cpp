// SPDX-License-Identifier: BSD-3-Clause
// Details of messages, ranks, links and of stretches in which a rank is still.
#include "app/analysis/critical_path/critical_path.hpp"
#include "app/analysis/format/cell_format.hpp"
#include "app/analysis/messages/message_start.hpp"
#include "app/gui/explain/details_page.hpp"
#include "app/gui/scenes/drawing/number_text.hpp"
#include "app/gui/scenes/text/activity_shares.hpp"
#include "app/gui/scenes/text/program_text.hpp"
#include "app/gui/scenes/text/run_text.hpp"
#include "engine/base/text.hpp"

#include <algorithm>

namespace app::gui {
namespace {

using engine::Picoseconds;
using engine::Rank;

constexpr qsizetype mostTold = 6;

QString shareOf(Picoseconds part, Picoseconds whole) {
    if (whole.count() <= 0) return {};
    return QString::fromStdString(engine::showNumber(100 * analysis::ratio(part, whole), 3)) + QStringLiteral("%");
}

/// Since when an end was ready, and after what.
QString readiness(const DrawableRun& subject, const analysis::Ready& ready) {
    if (ready.after)
        return detail("%1 was ready from %2 on, after %3")
            .arg(linkTo(ready.rank), timeInWords(ready.since), linkTo(subject, *ready.after, ready.rank));
    return ready.since > Picoseconds{} ? detail("%1 entered at %2").arg(linkTo(ready.rank), timeInWords(ready.since))
                                       : detail("%1 was ready from the start").arg(linkTo(ready.rank));
}

/// What the start of a message waited for, the reason that counts first.
QStringList whyThen(const DrawableRun& subject, const analysis::Start& start) {
    QStringList lines;
    if (start.inStep) lines += detail("In lockstep: it started with its round, at the end of the previous round.");
    const analysis::Ready& later = start.later();
    const analysis::Ready& other = &later == &start.sender ? start.receiver : start.sender;
    lines += readiness(subject, later) + '.';
    lines += readiness(subject, other) + '.';
    if (start.brought && (later.after != start.brought || &later != &start.sender))
        lines += detail("Its data arrived with %1.").arg(linkTo(subject, *start.brought, start.sender.rank));
    return lines;
}

/// The last steps of the chain that decided when a message arrived, the last one first.
QStringList chainTo(const DrawableRun& subject, std::uint32_t message) {
    const engine::Run& run = subject.run();
    // The chain of a program also leads through collectives and waits, which are no messages.
    if (subject.isProgram() || run.messages.size() > mostWalked) return {};
    const std::vector<analysis::PathStep> path = analysis::criticalPath(run, message);
    const std::vector<Picoseconds> entered = analysis::arrivalTimes(run);
    const auto idle = [&](const QString& words, Rank rank, Picoseconds time) {
        return time > Picoseconds{} ? QStringList{words.arg(timeInWords(time), linkTo(rank))} : QStringList{};
    };
    QStringList lines;
    for (auto step = path.rbegin(); step != path.rend(); ++step) {
        if (step->isMessage) {
            lines += detail("%1: %2 to %3%4")
                         .arg(timeInWords(step->end - step->begin), linkTo(step->rank), linkTo(step->to),
                              inRound(subject, step->round));
            continue;
        }
        const Picoseconds entry = std::clamp(entered[step->rank.index()], step->begin, step->end);
        lines += idle(
            analysis::timesAreCalls(run) ? detail("%1: %2 has no message in progress") : detail("%1: %2 is inactive"),
            step->rank, step->end - entry);
        lines += idle(detail("%1: %2 has not entered"), step->rank, entry - step->begin);
    }
    return fewOf(lines, mostTold);
}

QString routeOver(const DrawableRun& subject, const engine::MessageRecord& message) {
    const emulation::Network* network = subject.report().network.get();
    if (network == nullptr || network->links() == 0) return {};
    std::vector<engine::LinkId> route;
    network->route(message.from, message.to, route);
    QStringList links;
    for (const engine::LinkId link : route)
        links += QStringLiteral("<a href=\"link:%1\">%2</a>")
                     .arg(link.value)
                     .arg(QString::fromStdString(network->linkName(link)).toHtmlEscaped());
    return fewOf(links, 2 * mostTold).join(QStringLiteral(", "));
}

QString howLong(const Report& report, const engine::MessageRecord& message) {
    const Picoseconds time = message.receiveEnd - message.sendBegin;
    const QString formula = costOf(report, message.bytes);
    if (formula.isEmpty()) return timeInWords(time);
    const Picoseconds alone = report.model->message(message.bytes);
    if (time == alone) return formula;
    return detail("%1; alone %2").arg(timeInWords(time), formula) +
           (time > alone ? detail(": %1 more, for links that are shared, slow parts, or its own protocol")
                               .arg(timeInWords(time - alone))
                         : QString{});
}

}  // namespace

DetailsPage pageOfMessage(const DrawableRun& subject, std::uint32_t message, bool dark) {
    const engine::MessageRecord m = subject.run().messages[message];
    const QString words = subject.cargoInWords(message);
    DetailsPage page{
        detail("%1, %2").arg(words.left(1).toUpper() + words.mid(1), bytesInWords(m.bytes)).toHtmlEscaped(), dark};
    page.row(detail("Ranks"), detail("from %1 to %2").arg(linkTo(m.from), linkTo(m.to)));
    const QString when = detail("from %1 to %2").arg(timeInWords(m.sendBegin), timeInWords(m.receiveEnd));
    page.row(detail("When"), subject.hasRounds() ? detail("%1, %2").arg(linkToRound(m.round), when) : when);
    page.row(detail("Duration"), howLong(subject.report(), m));
    page.row(detail("Links"), routeOver(subject, m));
    // The ranks of a program also compute and take part in collectives before a message: its calls show what delayed
    // it.
    if (subject.isProgram()) {
        if (const analysis::TracedProgram* program = knownProgramOf(subject)) addCallsOf(page, *program, m);
        return page;
    }
    page.row(detail("Cause of its start time"), whyThen(subject, analysis::startOf(subject.run(), message)));
    QStringList next;
    for (const std::uint32_t later : analysis::forwardedMessages(subject.run(), message))
        next += linkTo(subject, later, m.to);
    const bool known = !subject.run().messages.what(message).empty();
    page.row(detail("Forwarded"),
             !next.isEmpty()
                 ? detail("%1 forwards some of it in:<br>%2").arg(linkTo(m.to), fewOf(next, mostTold).join("<br>"))
             : known ? detail("%1 forwards none of it.").arg(linkTo(m.to))
                     : QString{});
    if (const std::int32_t column = subject.columnOf(message); column >= 0)
        page.row(detail("Follow"), linkToBlock(subject, column));
    page.row(detail("Chain"), chainTo(subject, message));
    return page;
}

DetailsPage pageOfRank(const DrawableRun& subject, Rank rank, bool dark) {
    const engine::Run& run = subject.run();
    const QString side = nameOf(subject, subject.sideOf(rank));
    DetailsPage page{
        side.isEmpty() ? detail("Rank %1").arg(rank.value) : detail("Rank %1, %2").arg(rank.value).arg(side), dark};
    if (const analysis::TracedProgram* program = knownProgramOf(subject)) {
        page.row(detail("Time"), spentInWords(subject, *program, rank));
    } else if (rank.index() < subject.rankTimeBreakdowns().size()) {
        const analysis::RankTimeBreakdown& times = subject.rankTimeBreakdowns()[rank.index()];
        QStringList parts{detail("busy %1, %2").arg(timeInWords(times.busy), shareOf(times.busy, run.duration)),
                          detail("%1 %2, %3")
                              .arg(betweenWords(subject), timeInWords(times.noCommunication),
                                   shareOf(times.noCommunication, run.duration)),
                          detail("finished early %1, %2")
                              .arg(timeInWords(times.finishedEarly), shareOf(times.finishedEarly, run.duration))};
        if (times.notYetEntered.count() > 0)
            parts.prepend(detail("not yet entered %1, %2")
                              .arg(timeInWords(times.notYetEntered), shareOf(times.notYetEntered, run.duration)));
        page.row(detail("Time"), parts);
    }
    const auto messages = [](std::size_t number) {
        return countedInWords(static_cast<std::int64_t>(number), detail("message"), detail("messages"));
    };
    engine::Bytes sent = 0;
    engine::Bytes received = 0;
    for (const std::uint32_t i : subject.sentBy(rank)) sent += run.messages.bytes()[i];
    for (const std::uint32_t i : subject.receivedBy(rank)) received += run.messages.bytes()[i];
    page.row(detail("Sends"), detail("%1, %2").arg(messages(subject.sentBy(rank).size()), bytesInWords(sent)));
    page.row(detail("Receives"),
             detail("%1, %2").arg(messages(subject.receivedBy(rank).size()), bytesInWords(received)));
    // Of a program, which computes between its messages, they do not show when it is idle.
    std::vector<analysis::IdleInterval> stills =
        subject.isProgram() ? std::vector<analysis::IdleInterval>{} : analysis::idleIntervals(run, rank);
    std::stable_sort(stills.begin(), stills.end(), [](const auto& a, const auto& b) { return a.time() > b.time(); });
    QStringList lines;
    for (const analysis::IdleInterval& still : stills)
        lines += linkTo(still) + (still.notYetEntered ? detail(": not yet entered")
                                  : still.next        ? detail(": for %1").arg(linkTo(subject, *still.next, rank))
                                                      : detail(": finished early"));
    if (!subject.isProgram()) page.row(detail("Idle"), fewOf(lines, mostTold));
    std::optional<std::uint32_t> last;
    for (const std::uint32_t i : subject.receivedBy(rank))
        if (!last || run.messages.receiveEnd()[i] > run.messages.receiveEnd()[*last]) last = i;
    if (last) {
        page.row(detail("Received last"),
                 linkTo(subject, *last, rank) + detail(", at %1").arg(timeInWords(run.messages.receiveEnd()[*last])));
        page.row(detail("Chain"), chainTo(subject, *last));
    }
    return page;
}

DetailsPage pageOfStill(const DrawableRun& subject, Rank rank, Picoseconds moment, bool dark) {
    const engine::Run& run = subject.run();
    const std::vector<analysis::IdleInterval> stills = analysis::idleIntervals(run, rank);
    const auto found = std::find_if(stills.begin(), stills.end(), [&](const analysis::IdleInterval& still) {
        return still.begin <= moment && moment < still.end;
    });
    if (found == stills.end()) return pageOfRank(subject, rank, dark);
    const analysis::IdleInterval& still = *found;
    const QString doing = still.notYetEntered ? detail("not yet entered")
                          : still.next        ? betweenWords(subject)
                                              : detail("finished early");
    DetailsPage page{detail("Rank %1: %2 for %3").arg(rank.value).arg(doing, timeInWords(still.time())), dark};
    page.row(detail("What"), detail("%1 neither sends nor receives").arg(linkTo(rank)));
    page.row(detail("When"),
             detail("from %1 to %2, %3 of the run")
                 .arg(timeInWords(still.begin), timeInWords(still.end), shareOf(still.time(), run.duration)));
    if (still.former) page.row(detail("After"), linkTo(subject, *still.former, rank));
    if (still.notYetEntered) {
        page.row(detail("Why"), run.setting.on == "virtual"
                                    ? detail("The run starts this rank late; until then it receives nothing.")
                                    : detail("It entered the collective this late after the first rank."));
        return page;
    }
    if (!still.next) {
        page.row(detail("Why"), detail("It has sent and received all of its messages; other ranks have not finished."));
        return page;
    }
    const analysis::Start start = analysis::startOf(run, *still.next);
    const analysis::Ready& partner = start.sender.rank == rank ? start.receiver : start.sender;
    page.row(detail("Waits for"), linkTo(subject, *still.next, rank));
    QStringList why;
    if (start.inStep)
        why += detail("In lockstep: no rank starts a round before all ranks have ended the previous one.");
    if (partner.since > still.begin) {
        why += readiness(subject, partner) + '.';
        if (start.brought && partner.rank == start.sender.rank && partner.after != start.brought)
            why += detail("The data that it sends arrived with %1.").arg(linkTo(subject, *start.brought, partner.rank));
    } else if (!start.inStep) {
        why += (run.setting.on == "virtual" ? detail("%1 was ready before; the message itself could not begin earlier.")
                : analysis::timesAreCalls(run) && run.entered.empty()
                    ? detail("%1 was ready before; the timeline of the trace shows what it did until then.")
                    : detail("%1 was ready before; it was inside of the collective until then."))
                   .arg(linkTo(partner.rank));
    }
    page.row(detail("Why"), why);
    page.row(detail("Next"), detail("At %1 %2 begins.").arg(timeInWords(still.end), linkTo(subject, *still.next)));
    page.row(detail("Chain"), chainTo(subject, *still.next));
    return page;
}

DetailsPage pageOfLink(const DrawableRun& subject, engine::LinkId link, engine::Round round, bool dark) {
    const Report& report = subject.report();
    const engine::Run& run = subject.run();
    const emulation::Network& network = *report.network;
    DetailsPage page{detail("Link %1").arg(QString::fromStdString(network.linkName(link)).toHtmlEscaped()), dark};
    if (report.congestion && static_cast<std::size_t>(link.value) < report.congestion->perLink.size()) {
        const auto& loads = report.congestion->perLink;
        const engine::Bytes own = loads[static_cast<std::size_t>(link.value)];
        const auto busier = std::count_if(loads.begin(), loads.end(), [&](engine::Bytes other) { return other > own; });
        page.row(detail("Whole run"), busier == 0
                                          ? detail("%1 in the whole run; no link carries more").arg(bytesInWords(own))
                                          : detail("%1 in the whole run; %2 of %3 links carry more")
                                                .arg(bytesInWords(own), countInWords(busier),
                                                     countInWords(static_cast<std::int64_t>(loads.size()))));
    }
    QStringList crossing;
    engine::Bytes bytes = 0;
    const auto rounds = run.messages.round();
    const auto its = std::equal_range(rounds.begin(), rounds.end(), round);
    std::vector<engine::LinkId> route;
    for (auto at = its.first; at != its.second; ++at) {
        const auto i = static_cast<std::uint32_t>(at - rounds.begin());
        route.clear();
        network.route(run.messages.from()[i], run.messages.to()[i], route);
        if (std::find(route.begin(), route.end(), link) == route.end()) continue;
        crossing += linkTo(subject, i);
        bytes += run.messages.bytes()[i];
    }
    page.row(detail("In %1").arg(linkToRound(round)),
             crossing.isEmpty() ? detail("nothing")
                                : detail("%1, with").arg(bytesInWords(bytes)) + QStringLiteral("<br>") +
                                      fewOf(crossing, mostTold).join(QStringLiteral("<br>")));
    if (crossing.size() > 1)
        page.row(detail("Why"),
                 detail("%1 messages of this round cross this link: they share it, or follow one another.")
                     .arg(crossing.size()));
    return page;
}

}  // namespace app::gui
