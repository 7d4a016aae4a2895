// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/run/counter_example_view.hpp"

#include "engine/base/text.hpp"

#include <algorithm>
#include <iterator>

namespace app::gui {
namespace {

/// The message that goes that way in that round; of several the one that carries the byte.
std::optional<std::size_t> messageAt(const engine::Run& run, const engine::Place& place) {
    if (!place.round || !place.from || !place.to) return std::nullopt;
    const auto rounds = run.messages.round();
    const auto [first, last] = std::equal_range(rounds.begin(), rounds.end(), *place.round);
    std::optional<std::size_t> found;
    for (auto i = static_cast<std::size_t>(first - rounds.begin()); i < static_cast<std::size_t>(last - rounds.begin());
         ++i) {
        if (run.messages.from()[i] != *place.from || run.messages.to()[i] != *place.to) continue;
        if (!found) found = i;
        const auto what = run.messages.what(i);
        if (place.byte && std::any_of(what.begin(), what.end(), [&](engine::Range range) {
                return range.begin <= *place.byte && *place.byte < range.end;
            }))
            return i;
    }
    return found;
}

std::optional<std::int32_t> columnOf(const engine::Place& place, const analysis::Columns& columns) {
    using Kind = analysis::Columns::Kind;
    if (columns.count() == 0 || columns.kind() == Kind::unknown) return std::nullopt;
    if (columns.kind() == Kind::contributions)
        return place.term ? std::optional{columns.columnAt(*place.term)} : std::nullopt;
    return place.byte ? std::optional{columns.columnAt(*place.byte)} : std::nullopt;
}

}  // namespace

std::optional<Fault> faultOf(const analysis::Report& report, const analysis::Columns& columns) {
    if (!report.faultAt) return std::nullopt;
    const engine::Run& run = *report.run;
    const engine::Place& place = *report.faultAt;
    const auto known = [&](const std::optional<engine::Rank>& rank) {
        return rank && rank->value >= 0 && rank->value < run.ranks ? rank : std::nullopt;
    };
    Fault fault{.begin = run.duration,
                .end = run.duration,
                .rank = known(place.rank),
                .message = messageAt(run, place),
                .column = columnOf(place, columns),
                .time = run.duration};
    if (fault.message) {
        const engine::MessageRecord message = run.messages[*fault.message];
        fault.begin = std::min(message.sendBegin, message.receiveBegin);
        fault.end = std::max(message.sendEnd, message.receiveEnd);
        fault.time = fault.begin + (fault.end - fault.begin) / 2;
        return fault;
    }
    std::copy_if(place.circle.begin(), place.circle.end(), std::back_inserter(fault.circle),
                 [&](const engine::Waiter& one) { return known(one.rank) && known(one.awaited); });
    fault.from = known(place.from);
    fault.to = known(place.to);
    if (place.round && place.round->index() < run.perRound.size() && run.perRound[place.round->index()].messages > 0) {
        const engine::RoundTimes& round = run.perRound[place.round->index()];
        fault.begin = round.begin;
        fault.end = round.end;
        fault.time = round.begin + (round.end - round.begin) / 2;
    }
    return fault;
}

QString waiterInWords(const engine::Waiter& waiter) {
    return QString::fromStdString(engine::text("Rank ", waiter.rank, ", ", waiter.where, " waits for ", waiter.what));
}

void addFaultTo(Legend& legend) {
    legend.entry(QStringLiteral("counterexample"), [](SceneBuilder& pencil, const QRectF& box) {
        drawFaultMark(pencil, box.center(), std::min(box.height() / 2, 5.0), {});
    });
}

void drawFaultMark(SceneBuilder& pencil, QPointF middle, double radius, const QString& tip, const Meaning& meaning) {
    const Palette& palette = pencil.palette();
    Shape& disc = pencil.ellipse({middle.x() - radius, middle.y() - radius, 2 * radius, 2 * radius}, palette.accent,
                                 palette.paper);
    disc.tip = tip;
    disc.meaning = meaning;
    const double arm = radius * 0.45;
    const QColor ink = readableOn(palette.accent);
    for (const double way : {-1.0, 1.0}) {
        Shape& stroke =
            pencil.line(middle + QPointF{-arm, -way * arm}, middle + QPointF{arm, way * arm}, ink, radius * 0.35);
        stroke.tip = tip;
        stroke.meaning = meaning;
    }
}

}  // namespace app::gui
