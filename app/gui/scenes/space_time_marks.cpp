// SPDX-License-Identifier: BSD-3-Clause
// The bars and lines of the space-time diagram.
#include "app/gui/scenes/following.hpp"
#include "app/gui/scenes/space_time_frame.hpp"

#include <algorithm>
#include <cmath>

namespace app::gui {
namespace {

constexpr std::size_t mostArrows = 200;      // above: plain lines
constexpr std::size_t mostChosen = 2000;     // messages of one rank over a picture of density
constexpr std::size_t mostLooked = 200'000;  // of a rank's messages; of more every so many is looked at

using engine::Picoseconds;

struct Interval {
    Picoseconds begin{};
    Picoseconds end{};
};

bool visible(const SpaceTimeFrame& frame, Picoseconds begin, Picoseconds end) {
    return end > frame.axis.begin() && begin < frame.axis.end();
}

/// A state of a rank for some time; one per message, so that messages that follow each other stay apart. `hatches`:
/// outside of messages it waits.
void drawBar(Pencil& pencil, const SpaceTimeFrame& frame, engine::Rank rank, Interval time, bool sends, bool receives,
             bool done, bool hatches) {
    const Palette& palette = pencil.palette();
    const double left = std::max(frame.axis.pixel(time.begin), frame.plot.left());
    double right = std::min(frame.axis.pixel(time.end), frame.plot.right());
    const double middle = frame.middleOf(rank);
    const bool busy = sends || receives;
    const Meaning meaning = busy ? Meaning{Meaning::Kind::rank, rank.value, -1}
                                 : Meaning{Meaning::Kind::still, rank.value, time.begin.count()};
    if (done) {
        if (frame.pitch < 5) return;
        pencil.line({left, middle}, {right, middle}, palette.faint).meaning = meaning;
        return;
    }
    if (busy && right - left > 12 && frame.bar >= 5) right -= 1;
    const QRectF box{left, middle - frame.bar / 2, std::max(right - left, 0.5), frame.bar};
    if (!busy) {
        const bool roomy = frame.bar >= 5 && box.width() >= 3;
        // Outside of the messages of a trace nobody knows whether a rank waits or computes.
        const QColor ground = hatches ? palette.waitingGround : palette.paper;
        const QColor hatch = hatches ? palette.waiting : palette.faint;
        Shape& shape = pencil.rectangle(box, roomy ? ground : mixed(ground, hatch, 0.3), roomy ? hatch : QColor{});
        shape.hatched = roomy && hatches;
        shape.width = 0.8;
        shape.meaning = meaning;
        return;
    }
    const bool outlined = receives && !sends && frame.bar >= 5 && box.width() >= 3;
    Shape& shape = outlined ? pencil.rectangle(box.adjusted(0.5, 0.5, -0.5, -0.5), palette.receiving, palette.sending)
                            : pencil.rectangle(box, sends && receives ? palette.both
                                                    : sends           ? palette.sending
                                                                      : palette.receiving);
    shape.meaning = meaning;
}

/// The line from where a message leaves its sender to where it reaches its receiver, cut to what is seen.
void drawMessage(Pencil& pencil, const Subject& subject, const SpaceTimeFrame& frame, std::size_t i,
                 const QColor& colour, double width, bool arrow) {
    const engine::MessageRecord message = subject.run().messages[i];
    if (!visible(frame, message.sendBegin, message.receiveEnd)) return;
    const double way = message.to > message.from ? 1 : -1;
    QLineF line{frame.axis.pixel(message.sendBegin), frame.middleOf(message.from) + way * frame.bar / 4,
                frame.axis.pixel(message.receiveEnd), frame.middleOf(message.to) - way * frame.bar / 4};
    const QLineF whole = line;
    const auto cut = [&](double x, bool begin) {
        if (whole.dx() <= 0) return;
        const QPointF at = whole.pointAt((x - whole.x1()) / whole.dx());
        if (begin) line.setP1(at);
        else line.setP2(at);
    };
    if (whole.x1() < frame.plot.left()) cut(frame.plot.left(), true);
    const bool leaves = whole.x2() > frame.plot.right() + 0.5;
    if (leaves) cut(frame.plot.right(), false);
    Shape& shape = arrow && !leaves ? pencil.arrow(line.p1(), line.p2(), colour, width)
                                    : pencil.line(line.p1(), line.p2(), colour, width);
    if (arrow) shape.casing = pencil.palette().paper;
    shape.meaning = {Meaning::Kind::message, static_cast<std::int64_t>(i), -1};
}

QColor colourOf(const Pencil& pencil, const Subject& subject, const ViewState& state, std::size_t message) {
    return mixed(pencil.palette().paper, messageColour(subject, state, message, pencil.dark()), 0.9);
}

/// The hops of the followed block over all others, those that brought it to the last rank stronger.
void drawFollowed(Pencil& pencil, const Subject& subject, const ViewState& state, const SpaceTimeFrame& frame,
                  bool arrows) {
    const std::vector<analysis::Hop> hops = followedHops(subject, state);
    if (hops.empty()) return;
    const QColor colour = subject.colourOf(*state.block, pencil.dark());
    const std::size_t step = hops.size() / mostChosen + 1;
    for (std::size_t i = 0; i < hops.size(); i += step)
        drawMessage(pencil, subject, frame, hops[i].message, colour, 1.8, arrows);
    const std::shared_ptr<const analysis::Route> route = subject.routeOf(*state.block);
    const auto hidden = [&](engine::Picoseconds time) { return state.veil && time >= *state.veil; };
    for (const analysis::Leg& leg : route->chain)
        if (!hidden(leg.left)) drawMessage(pencil, subject, frame, leg.message, colour, 3.2, arrows);
}

}  // namespace

void drawLast(Pencil& pencil, const Subject& subject, const ViewState& state, const SpaceTimeFrame& frame) {
    if (!state.block) return;
    const std::shared_ptr<const analysis::Route> route = subject.routeOf(*state.block);
    const Picoseconds time = route->complete;
    if ((state.veil && time >= *state.veil) || time <= frame.axis.begin() || time > frame.axis.end()) return;
    for (const engine::Rank rank : route->last) {
        const QPointF at{frame.axis.pixel(time), frame.middleOf(rank)};
        Shape& ring = pencil.ellipse({at.x() - 5, at.y() - 5, 10, 10}, {}, pencil.palette().accent);
        ring.width = 2;
        ring.tip = QStringLiteral("rank %1 gets it last").arg(rank.value);
    }
}

void drawMessages(Pencil& pencil, const Subject& subject, const ViewState& state, const SpaceTimeFrame& frame) {
    const engine::Messages& messages = subject.run().messages;
    const bool arrows = messages.size() <= mostArrows;
    for (const std::uint32_t i : subject.index().touching(frame.axis.begin(), frame.axis.end())) {
        const QColor colour = colourOf(pencil, subject, state, i);
        const bool others =
            !state.block && state.rank && messages.from()[i] != *state.rank && messages.to()[i] != *state.rank;
        drawMessage(pencil, subject, frame, i, others ? mixed(pencil.palette().paper, colour, 0.25) : colour,
                    arrows && !others ? 1.4 : 1, arrows && !others);
    }
    drawFollowed(pencil, subject, state, frame, arrows);
    if (state.message && *state.message < messages.size())
        drawMessage(pencil, subject, frame, *state.message, pencil.palette().accent, 2.5, arrows);
}

void drawChosen(Pencil& pencil, const Subject& subject, const ViewState& state, const SpaceTimeFrame& frame) {
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
        pencil.line({frame.plot.left(), middle}, {frame.plot.right(), middle}, pencil.palette().accent, 1);
    }
    drawFollowed(pencil, subject, state, frame, false);
    if (state.message && *state.message < messages.size())
        drawMessage(pencil, subject, frame, *state.message, pencil.palette().accent, 2.5, false);
}

namespace {

/// A deadlock: who waits for whom, and in which step, at the end of all that could be done.
void drawCircle(Pencil& pencil, const Fault& fault, const SpaceTimeFrame& frame, double x, double radius) {
    const QColor accent = pencil.palette().accent;
    double arrow = x;
    for (const engine::Waiter& one : fault.circle) {
        const double row = frame.middleOf(one.rank);
        if (one.rank != one.awaited) {
            Shape& waits = pencil.arrow({arrow, row}, {arrow, frame.middleOf(one.awaited)}, accent, 2);
            waits.dashed = true;
            waits.tip = waiterInWords(one);
            arrow = std::max(arrow - radius, frame.plot.left() + radius);  // beside each other
        }
    }
    for (const engine::Waiter& one : fault.circle) {
        const double row = frame.middleOf(one.rank);
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

void drawFault(Pencil& pencil, const Subject& subject, const SpaceTimeFrame& frame) {
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
        drawFaultMark(pencil,
                      {within(frame.axis.pixel(sends ? message.sendBegin : message.receiveEnd)),
                       frame.middleOf(sends ? message.from : message.to)},
                      radius, words, {Meaning::Kind::message, static_cast<std::int64_t>(*fault->message), -1});
        return;
    }
    const double x = within(frame.axis.pixel(fault->begin));
    if (!fault->circle.empty()) return drawCircle(pencil, *fault, frame, x, radius);
    if (fault->from && fault->to) {
        Shape& missing = pencil.arrow({x, frame.middleOf(*fault->from)}, {x, frame.middleOf(*fault->to)}, accent, 2);
        missing.dashed = true;
        missing.tip = words;
    }
    if (fault->rank)
        drawFaultMark(pencil, {x, frame.middleOf(*fault->rank)}, radius, words,
                      {Meaning::Kind::rank, fault->rank->value, -1});
}

void drawBars(Pencil& pencil, const Subject& subject, const ViewState& state, const SpaceTimeFrame& frame) {
    struct Change {
        Picoseconds at{};
        int sends = 0;
        int receives = 0;
    };
    const engine::Messages& messages = subject.run().messages;
    const Picoseconds first = frame.axis.begin();
    const Picoseconds last = frame.axis.end();
    std::vector<std::vector<Change>> perRank(static_cast<std::size_t>(subject.run().ranks));
    const auto note = [&](engine::Rank rank, Picoseconds begin, Picoseconds end, int sends, int receives) {
        if (!visible(frame, begin, end)) return;
        std::vector<Change>& changes = perRank[rank.index()];
        changes.push_back({std::max(begin, first), sends, receives});
        changes.push_back({std::min(end, last), -sends, -receives});
    };
    for (const std::uint32_t i : subject.index().touching(first, last)) {
        note(messages.from()[i], messages.sendBegin()[i], messages.sendEnd()[i], 1, 0);
        note(messages.to()[i], messages.receiveBegin()[i], messages.receiveEnd()[i], 0, 1);
    }
    for (std::int32_t number = 0; number < subject.run().ranks; ++number) {
        const engine::Rank rank{number};
        const Picoseconds done = subject.doneAt(rank);
        std::vector<Change>& changes = perRank[static_cast<std::size_t>(number)];
        for (const Picoseconds edge : {first, std::clamp(done, first, last), last}) changes.push_back({edge, 0, 0});
        std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) { return a.at < b.at; });
        Change now;
        for (std::size_t i = 0; i < changes.size();) {
            const Picoseconds begin = changes[i].at;
            for (; i < changes.size() && changes[i].at == begin; ++i) {
                now.sends += changes[i].sends;
                now.receives += changes[i].receives;
            }
            if (i < changes.size())
                drawBar(pencil, frame, rank, {begin, changes[i].at}, now.sends > 0, now.receives > 0, begin >= done,
                        subject.run().setting.on != "trace");
        }
        if (state.rank == rank) {
            Shape& ring = pencil.rectangle({frame.plot.left() - 1, frame.middleOf(rank) - frame.bar / 2 - 2,
                                            frame.plot.width() + 2, frame.bar + 4},
                                           {}, pencil.palette().accent);
            ring.radius = 3;
            ring.width = 1.5;
        }
    }
}

}  // namespace app::gui
