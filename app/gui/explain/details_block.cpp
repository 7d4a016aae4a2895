// SPDX-License-Identifier: BSD-3-Clause
// Details of a block that is followed: its hops round by round, who got it last, and what kept it on the way there.
#include "app/gui/explain/details_page.hpp"
#include "app/gui/scenes/drawing/number_text.hpp"
#include "app/gui/scenes/text/run_text.hpp"

#include <algorithm>
#include <map>

namespace app::gui {
namespace {

constexpr qsizetype mostToldRounds = 40;
constexpr qsizetype mostToldHops = 8;  // of a round
constexpr qsizetype mostOthers = 3;    // that were in the way

/// "0 -> 9": the arrow is the link to the message.
QString hopInWords(const engine::Messages& messages, const analysis::Hop& hop) {
    return QStringLiteral("%1&nbsp;<a href=\"message:%2\">\u2192</a>&nbsp;%3%4")
        .arg(messages.from()[hop.message].value)
        .arg(hop.message)
        .arg(messages.to()[hop.message].value)
        .arg(hop.again ? detail("&nbsp;(again)") : QString{});
}

QStringList hopsByRound(const engine::Messages& messages, const analysis::Route& route) {
    std::map<engine::Round, QStringList> rounds;
    for (const analysis::Hop& hop : route.hops) rounds[messages.round()[hop.message]] += hopInWords(messages, hop);
    QStringList lines;
    for (const auto& [round, hops] : rounds)
        lines += QStringLiteral("%1: %2").arg(linkToRound(round), fewOf(hops, mostToldHops).join(QStringLiteral(", ")));
    return fewOf(lines, mostToldRounds);
}

QString inTheWay(const DrawableRun& subject, const std::vector<std::uint32_t>& messages, engine::Rank rank) {
    QStringList named;
    for (const std::uint32_t i : messages) {
        named += linkTo(subject, i, rank);
        if (named.size() > mostOthers) break;
    }
    if (named.size() <= mostOthers) return named.join(QStringLiteral(", "));
    return named.first(mostOthers).join(QStringLiteral(", ")) +
           detail(" and %1 more").arg(countInWords(static_cast<std::int64_t>(messages.size()) - mostOthers));
}

/// The way to the last rank, and for every hop why it was not earlier.
QStringList chainInWords(const DrawableRun& subject, const analysis::Route& route) {
    const engine::Messages& messages = subject.run().messages;
    QStringList lines;
    for (const analysis::Leg& leg : route.chain) {
        const engine::Rank from = messages.from()[leg.message];
        const engine::Rank to = messages.to()[leg.message];
        QString line =
            detail("%1 \u2192 %2, %3").arg(linkTo(from), linkTo(to), linkToRound(messages.round()[leg.message]));
        if (leg.timeAtSender() > engine::Picoseconds{}) {
            line +=
                detail(". Before, the block stayed at %1 for %2").arg(linkTo(from), timeInWords(leg.timeAtSender()));
            QStringList meanwhile;
            if (!leg.fromSender.empty())
                meanwhile += detail("%1 sent %2").arg(linkTo(from), inTheWay(subject, leg.fromSender, from));
            if (!leg.toReceiver.empty())
                meanwhile += detail("%1 received %2").arg(linkTo(to), inTheWay(subject, leg.toReceiver, to));
            line += meanwhile.isEmpty() ? detail(". Both ports were free")
                                        : detail(". Meanwhile %1").arg(meanwhile.join(detail(", and ")));
        }
        lines += line + '.';
    }
    return fewOf(lines, mostToldRounds);
}

}  // namespace

DetailsPage pageOfBlock(const DrawableRun& subject, std::int32_t block, bool dark) {
    const std::shared_ptr<const analysis::Route> route = subject.routeOf(block);
    const QString name = subject.columnName(block);
    DetailsPage page{name.left(1).toUpper() + name.mid(1), dark};
    if (subject.columns().kind() != analysis::Columns::Kind::contributions)
        page.row(detail("Size"), bytesInWords(subject.columns().range(block).size()));
    QStringList first;
    if (subject.holdings().unknown().empty())
        for (engine::Rank rank{0}; rank.value < subject.run().ranks && first.size() <= mostToldHops; ++rank)
            if (subject.holdings().at(rank, block, engine::Picoseconds{-1}, engine::Picoseconds{}).held > 0)
                first += linkTo(rank);
    page.row(detail("Source"), fewOf(first, mostToldHops).join(QStringLiteral(", ")));
    if (route->hops.empty()) return page.row(detail("Hops"), detail("none: no kept message carries any of it"));
    const auto again = std::count_if(route->hops.begin(), route->hops.end(), [](const auto& hop) { return hop.again; });
    page.row(
        detail("Number of hops"),
        countedInWords(static_cast<std::int64_t>(route->hops.size()), detail("hop"), detail("hops")) +
            (again > 0 ? detail(", %1 of them to a rank that already had it").arg(countInWords(again)) : QString{}));
    if (!route->last.empty()) {
        QStringList last;
        for (const engine::Rank rank : route->last) last += linkTo(rank);
        page.row(detail("Received last by"),
                 detail("%1, at %2")
                     .arg(fewOf(last, mostToldHops).join(QStringLiteral(", ")), timeInWords(route->complete)));
    }
    if (route->served < route->needed)
        page.row(detail("Incomplete"),
                 detail("%1 of %2 ranks that need it never receive all of it")
                     .arg(countInWords(route->needed - route->served), countInWords(route->needed)));
    page.row(detail("Cause of its arrival time"), chainInWords(subject, *route));
    page.row(detail("Hops by round"), hopsByRound(subject.run().messages, *route));
    return page;
}

}  // namespace app::gui
