// SPDX-License-Identifier: BSD-3-Clause
// The lines of the space-time diagram.
#include "app/gui/scenes/common/block_highlight.hpp"
#include "app/gui/scenes/layout/dependency_highlight.hpp"
#include "app/gui/scenes/text/rank_glyphs.hpp"
#include "app/gui/scenes/time/run_timeline_frame.hpp"

#include <algorithm>

namespace app::gui {
namespace {

constexpr std::size_t mostArrows = 200;      // above: plain lines
constexpr double leastCased = 7;             // pixels of a bar
constexpr std::size_t mostChosen = 2000;     // messages of one rank over a picture of density
constexpr std::size_t mostLooked = 200'000;  // of a rank's messages; of more every so many is looked at

using engine::Picoseconds;

bool visible(const RunTimelineFrame& frame, Picoseconds begin, Picoseconds end) {
    return end > frame.axis.begin() && begin < frame.axis.end();
}

QColor colourOf(const SceneBuilder& pencil, const DrawableRun& subject, const ViewState& state, std::size_t message) {
    return mixed(pencil.palette().paper, messageColour(subject, state, message, pencil.dark()), 0.9);
}

/// The hops of the followed block over all others, those that brought it to the last rank stronger.
void drawFollowed(SceneBuilder& pencil, const DrawableRun& subject, const ViewState& state,
                  const RunTimelineFrame& frame, bool arrows) {
    const std::vector<analysis::Hop> hops = followedHops(subject, state);
    if (hops.empty()) return;
    const QColor colour = subject.colourOf(*state.block, pencil.dark());
    const std::size_t step = hops.size() / mostChosen + 1;
    for (std::size_t i = 0; i < hops.size(); i += step)
        drawMessage(pencil, subject, frame, hops[i].message, colour, 1.8, arrows);
    const std::shared_ptr<const analysis::Route> route = subject.routeOf(*state.block);
    const auto hidden = [&](engine::Picoseconds time) { return state.veil && time >= *state.veil; };
    for (const analysis::Leg& leg : route->chain)
        if (!hidden(leg.left)) drawMessage(pencil, subject, frame, leg.message, colour, chainWidth, arrows);
}

}  // namespace

void drawMessage(SceneBuilder& pencil, const DrawableRun& subject, const RunTimelineFrame& frame, std::size_t i,
                 const QColor& colour, double width, bool arrow) {
    const engine::MessageRecord message = subject.run().messages[i];
    if (!visible(frame, message.sendBegin, message.receiveEnd)) return;
    const double way = frame.rowOfRank(message.to) > frame.rowOfRank(message.from) ? 1 : -1;
    // Messages within a folded group are summarised by its row.
    if (message.from != message.to && frame.rowOfRank(message.from) == frame.rowOfRank(message.to)) return;
    const QLineF whole{frame.axis.pixel(message.sendBegin), frame.middleOf(message.from) + way * frame.bar / 4,
                       frame.axis.pixel(message.receiveEnd), frame.middleOf(message.to) - way * frame.bar / 4};
    const QRectF room = frame.plot.adjusted(0, 0, 0.5, 0);
    const auto draw = [&](const QLineF& part, bool head, bool waits) {
        const QLineF line = room.contains(part.p1()) && room.contains(part.p2()) ? part : partWithin(room, part);
        if (line.isNull()) return;
        Shape& shape = head && line.p2() == part.p2() ? pencil.arrow(line.p1(), line.p2(), colour, width)
                                                      : pencil.line(line.p1(), line.p2(), colour, width);
        // In low bars the casing would leave wedges.
        if (arrow && frame.bar >= leastCased) shape.casing = pencil.palette().paper;
        shape.dashed = waits;
        shape.meaning = {Meaning::Kind::message, static_cast<std::int64_t>(i), -1};
    };
    if (!subject.queued(i)) return draw(whole, arrow, false);
    // Until its receiver begins with it, the message waits; what is left of the line is as long as the transfer.
    const auto at = [&](Picoseconds time) {
        return whole.pointAt(static_cast<double>((time - message.sendBegin).count()) /
                             static_cast<double>((message.receiveEnd - message.sendBegin).count()));
    };
    const QPointF left = at(message.sendBegin + subject.latency());
    const QPointF begun = at(message.receiveBegin);
    if (subject.latency() > Picoseconds{}) draw({whole.p1(), left}, false, false);
    draw({left, begun}, false, true);
    draw({begun, whole.p2()}, arrow, false);
}

void drawLast(SceneBuilder& pencil, const DrawableRun& subject, const ViewState& state, const RunTimelineFrame& frame) {
    if (!state.block) return;
    const std::shared_ptr<const analysis::Route> route = subject.routeOf(*state.block);
    const Picoseconds time = route->complete;
    if ((state.veil && time >= *state.veil) || time <= frame.axis.begin() || time > frame.axis.end()) return;
    for (const engine::Rank rank : route->last) {
        const QPointF at{frame.axis.pixel(time), frame.middleOf(rank)};
        if (!frame.plot.contains(at)) continue;
        Shape& ring = pencil.ellipse({at.x() - 5, at.y() - 5, 10, 10}, {}, pencil.palette().accent);
        ring.width = 2;
        ring.tip = QStringLiteral("rank %1 receives it last").arg(rank.value);
    }
}

void drawMessages(SceneBuilder& pencil, const DrawableRun& subject, const ViewState& state,
                  const RunTimelineFrame& frame) {
    const engine::Messages& messages = subject.run().messages;
    const bool arrows = messages.size() <= mostArrows;
    const std::vector<std::uint32_t> seen = messagesInSight(subject, frame).value_or(std::vector<std::uint32_t>{});
    for (const std::uint32_t i : seen) {
        const QColor colour = colourOf(pencil, subject, state, i);
        const bool others =
            !state.block && state.rank && messages.from()[i] != *state.rank && messages.to()[i] != *state.rank;
        drawMessage(pencil, subject, frame, i, others ? mixed(pencil.palette().paper, colour, 0.25) : colour,
                    arrows && !others ? arrowWidth(subject, i, 1.4) : 1, arrows && !others);
    }
    drawFollowed(pencil, subject, state, frame, arrows);
    if (state.message && *state.message < messages.size())
        drawMessage(pencil, subject, frame, *state.message, pencil.palette().accent, 2.5, arrows);
}

void drawChosen(SceneBuilder& pencil, const DrawableRun& subject, const ViewState& state,
                const RunTimelineFrame& frame) {
    const engine::Messages& messages = subject.run().messages;
    if (state.rank) {
        std::vector<std::uint32_t> seen;
        const auto note = [&](std::uint32_t i) {
            if (visible(frame, messages.sendBegin()[i], messages.receiveEnd()[i])) seen.push_back(i);
        };
        const auto sent = subject.sentBy(*state.rank);
        const auto received = subject.receivedBy(*state.rank);
        const std::size_t own = sent.size() + received.size();
        const auto inSight = subject.index().touching(frame.axis.begin(), frame.axis.end(), own);
        if (inSight.size() < own) {
            for (const std::uint32_t i : inSight)
                if (messages.from()[i] == *state.rank || messages.to()[i] == *state.rank) note(i);
        } else {
            const std::size_t every = own / mostLooked + 1;
            for (const auto& all : {sent, received})
                for (std::size_t at = 0; at < all.size(); at += every) note(all[at]);
        }
        // So many lines would be a block of their own; then every so many stands for its neighbours.
        const std::size_t step = seen.size() / mostChosen + 1;
        for (std::size_t i = 0; i < seen.size(); i += step)
            drawMessage(pencil, subject, frame, seen[i], colourOf(pencil, subject, state, seen[i]), 1, false);
        const double middle = frame.middleOf(*state.rank);
        if (middle >= frame.plot.top() && middle <= frame.plot.bottom())
            pencil.line({frame.plot.left(), middle}, {frame.plot.right(), middle}, pencil.palette().accent, 1);
    }
    drawFollowed(pencil, subject, state, frame, false);
    if (state.message && *state.message < messages.size())
        drawMessage(pencil, subject, frame, *state.message, pencil.palette().accent, 2.5, false);
}

namespace {

/// A deadlock: which rank waits for which, and in which step, at the end of all that could be done.
void drawCircle(SceneBuilder& pencil, const Fault& fault, const RunTimelineFrame& frame, double x, double radius) {
    const QColor accent = pencil.palette().accent;
    double arrow = x;
    for (const engine::Waiter& one : fault.circle) {
        const double row = frame.middleOf(one.rank);
        if (one.rank != one.awaited) {
            const QLineF line = partWithin(frame.plot, {arrow, row, arrow, frame.middleOf(one.awaited)});
            if (!line.isNull()) {
                Shape& waits = pencil.arrow(line.p1(), line.p2(), accent, 2);
                waits.dashed = true;
                waits.tip = waiterInWords(one);
            }
            arrow = std::max(arrow - radius, frame.plot.left() + radius);  // beside each other
        }
    }
    for (const engine::Waiter& one : fault.circle) {
        const double row = frame.middleOf(one.rank);
        if (!frame.isInSight(one.rank)) continue;
        drawFaultMark(pencil, {x, row}, radius, waiterInWords(one), {Meaning::Kind::rank, one.rank.value, -1});
        const QString words = QString::fromStdString(one.where);
        const QSizeF room = sizeOf(words, points::tiny) + QSizeF{6, 2};
        // Before the arrows; behind the mark where nothing ran before, or two of one rank wait.
        QRectF box{arrow - radius - room.width(), row - room.height() / 2, room.width(), room.height()};
        const auto fits = [&] {
            return box.left() >= frame.plot.left() && box.right() <= frame.plot.right() && pencil.freeOfText(box);
        };
        if (!fits()) box.moveLeft(x + 2 * radius);
        for (int more = 0; more < 3 && !fits(); ++more) box.translate(room.width() + 4, 0);
        if (room.height() > frame.pitch || !fits()) continue;
        pencil.rectangle(box, pencil.palette().paper, accent).radius = 3;
        pencil.text(box.center(), Qt::AlignCenter, words, points::tiny, pencil.palette().ink).tip = waiterInWords(one);
    }
}

}  // namespace

void drawFault(SceneBuilder& pencil, const DrawableRun& subject, const RunTimelineFrame& frame) {
    const std::optional<Fault>& fault = subject.fault();
    if (!fault || !visible(frame, fault->begin - Picoseconds{1}, fault->end + Picoseconds{1})) return;
    const QColor accent = pencil.palette().accent;
    const QString words = subject.faultInWords();
    const double radius = std::clamp(frame.bar * 0.6, 4.0, 8.0);
    // Beside the numbers of the ranks, not over them.
    const auto within = [&](double x) { return std::clamp(x, frame.plot.left() + radius, frame.plot.right()); };
    if (fault->message) {
        drawMessage(pencil, subject, frame, *fault->message, accent, 2.5, true);
        const engine::MessageRecord message = subject.run().messages[*fault->message];
        const bool sends = fault->rank == message.from;
        if (!frame.isInSight(sends ? message.from : message.to)) return;
        drawFaultMark(pencil,
                      {within(frame.axis.pixel(sends ? message.sendBegin : message.receiveEnd)),
                       frame.middleOf(sends ? message.from : message.to)},
                      radius, words, {Meaning::Kind::message, static_cast<std::int64_t>(*fault->message), -1});
        return;
    }
    const double x = within(frame.axis.pixel(fault->begin));
    if (!fault->circle.empty()) return drawCircle(pencil, *fault, frame, x, radius);
    if (fault->from && fault->to) {
        const QLineF line = partWithin(frame.plot, {x, frame.middleOf(*fault->from), x, frame.middleOf(*fault->to)});
        if (!line.isNull()) {
            Shape& missing = pencil.arrow(line.p1(), line.p2(), accent, 2);
            missing.dashed = true;
            missing.tip = words;
        }
    }
    if (fault->rank && frame.isInSight(*fault->rank))
        drawFaultMark(pencil, {x, frame.middleOf(*fault->rank)}, radius, words,
                      {Meaning::Kind::rank, fault->rank->value, -1});
}

void drawLitChain(SceneBuilder& pencil, const DrawableRun& subject, const ViewState& state,
                  const RunTimelineFrame& frame) {
    const auto chain = litChain(subject, state);
    if (!chain) return;
    const QColor colour = pencil.palette().accent;
    for (const analysis::PathStep& step : chain->steps) {
        if (step.isMessage || step.end <= frame.axis.begin() || step.begin >= frame.axis.end()) continue;
        const double y = frame.middleOf(step.rank);
        const QLineF line = partWithin(frame.plot, {frame.axis.pixel(step.begin), y, frame.axis.pixel(step.end), y});
        if (!line.isNull()) pencil.line(line.p1(), line.p2(), colour, litChainWidth).dashed = true;
    }
    for (const std::uint32_t message : chain->messages)
        drawMessage(pencil, subject, frame, message, colour, litChainWidth, true);
}

}  // namespace app::gui
