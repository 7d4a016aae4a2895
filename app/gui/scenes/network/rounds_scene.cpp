// SPDX-License-Identifier: BSD-3-Clause
// Round by round: small pictures of the network, as papers draw schedules. The followed block is in its colour, all
// else is grey then; ranks that held it when the round began are filled.
#include "app/gui/scenes/common/block_highlight.hpp"
#include "app/gui/scenes/drawing/number_text.hpp"
#include "app/gui/scenes/drawing/scene_builder.hpp"
#include "app/gui/scenes/drawing/style.hpp"
#include "app/gui/scenes/layout/dependency_highlight.hpp"
#include "app/gui/scenes/network/rounds_frame.hpp"
#include "app/gui/scenes/text/rank_glyphs.hpp"
#include "app/gui/scenes/text/run_text.hpp"

#include <algorithm>
#include <cmath>

namespace app::gui {
namespace {

constexpr std::int64_t mostStripMarks = 6000;  // of ranks, in all pictures
constexpr std::size_t mostStripArrows = 3000;  // in all pictures
constexpr std::size_t mostStripLines = 400;    // links of one picture
constexpr double litWidth = 2.4;               // of the chain under the pointer
constexpr double aroundNumber = 8;             // pixels beside that of a round

/// Kept messages of the picture that begins with a round: [first, second).
std::pair<std::size_t, std::size_t> keptOf(const DrawableRun& subject, const StripFrame& frame, std::int64_t round) {
    const auto rounds = subject.run().messages.round();
    const auto first = std::lower_bound(rounds.begin(), rounds.end(), engine::Round{round});
    const auto last = std::lower_bound(first, rounds.end(), engine::Round{round + frame.together});
    return {static_cast<std::size_t>(first - rounds.begin()), static_cast<std::size_t>(last - rounds.begin())};
}

/// Whether its sender is one of those whose messages are drawn.
bool isDrawn(const DrawableRun& subject, const ViewState& state, std::size_t message) {
    using Senders = RoundsShown::Senders;
    if (state.rounds.senders == Senders::all) return true;
    const bool ofB = subject.sideOf(subject.run().messages.from()[message]) == Side::b;
    return ofB == (state.rounds.senders == Senders::groupB);
}

bool hidden(const DrawableRun& subject, const ViewState& state, std::int64_t round) {
    return state.veil && subject.run().perRound[static_cast<std::size_t>(round)].begin >= *state.veil;
}

void drawNode(SceneBuilder& pencil, const DrawableRun& subject, const ViewState& state, const NetworkLayout& layout,
              QPointF corner, double radius, std::int32_t rank, std::int64_t round) {
    const Palette& palette = pencil.palette();
    const QPointF middle = layout.middleOf(rank) + corner;
    const QRectF box{middle.x() - radius, middle.y() - radius, 2 * radius, 2 * radius};
    const Meaning meaning{Meaning::Kind::rank, rank, -1};
    const bool held =
        !hidden(subject, state, round) && holdsFollowed(subject, state, engine::Rank{rank},
                                                        subject.run().perRound[static_cast<std::size_t>(round)].begin);
    const bool chosen = state.rank == engine::Rank{rank};
    const QColor fill = held ? subject.colourOf(*state.block, pencil.dark()) : palette.paper;
    const Side side = subject.sideOf(engine::Rank{rank});
    if (radius < 2) {
        pencil.rectangle(box, held || chosen ? fill : mixed(palette.paper, palette.muted, 0.5)).meaning = meaning;
        return;
    }
    const QColor pen = chosen ? palette.accent : mixed(palette.paper, palette.ink, 0.6);
    Shape& shape = side == Side::b ? pencil.rectangle(box, fill, pen)
                                   : pencil.ellipse(side == Side::leader ? box.adjusted(-1, 1, 1, -1) : box, fill, pen);
    shape.radius = side == Side::b ? radius * 0.28 : 0;
    shape.width = chosen ? 2 : 1;
    shape.dashed = side == Side::dummy;
    shape.meaning = meaning;
    if (radius < smallestNumber) return;
    // All ranks carry their number, or none.
    if (sizeOf(QString::number(subject.run().ranks - 1), points::tiny).width() <= 2 * radius - 3 + 1e-6)
        pencil.text(middle, Qt::AlignCenter, QString::number(rank), points::tiny, readableOn(fill)).meaning = meaning;
}

void drawArrow(SceneBuilder& pencil, const NetworkLayout& layout, QPointF corner, double radius,
               const NetworkShape& print, const engine::MessageRecord& message, const Meaning& meaning,
               const QColor& colour, double width) {
    const std::int32_t from = print.markOf(message.from.value);
    const std::int32_t to = print.markOf(message.to.value);
    if (from == to) return;
    const Track track = layout.between(from, to);
    for (int leg = 0; leg < track.count; ++leg) {
        QLineF line = track.legs[static_cast<std::size_t>(leg)].translated(corner);
        if (line.length() > 0) {
            const QPointF reach = (line.p2() - line.p1()) / line.length() * (layout.radius() - radius);
            if (leg == 0) line.setP1(line.p1() - reach);
            if (leg + 1 == track.count) line.setP2(line.p2() + reach);
        }
        (leg + 1 == track.count ? pencil.arrow(line.p1(), line.p2(), colour, width)
                                : pencil.line(line.p1(), line.p2(), colour, width))
            .meaning = meaning;
    }
}

/// Switches, and the links of a network that is drawn by level: without them ranks would float below nothing.
void drawSwitches(SceneBuilder& pencil, const DrawableRun& subject, const NetworkLayout& layout, QPointF corner) {
    const NetworkShape& print = subject.blueprint();
    if (print.arrangement != NetworkShape::Arrangement::levels || print.lines.size() > mostStripLines) return;
    const QColor colour = mixed(pencil.palette().paper, pencil.palette().faint, 0.7);
    for (const NetworkShape::Line& line : print.lines) {
        if (line.from > line.to) continue;
        const Track track = layout.between(line.from, line.to);
        for (int leg = 0; leg < track.count; ++leg) {
            const QLineF way = track.legs[static_cast<std::size_t>(leg)].translated(corner);
            pencil.line(way.p1(), way.p2(), colour, 0.6);
        }
    }
    const double side = std::clamp(layout.switchRadius(), 1.0, 3.0);
    for (std::int32_t node = print.hosts; node < print.nodes; ++node)
        pencil.rectangle({layout.middleOf(node) + corner - QPointF{side, side}, QSizeF{2 * side, 2 * side}},
                         mixed(pencil.palette().paper, pencil.palette().muted, 0.5));
}

/// Beside the rank, on the side away from the middle of the network.
void drawHeld(SceneBuilder& pencil, const DrawableRun& subject, const StripFrame& frame, const NetworkLayout& layout,
              double mark, std::int32_t rank, std::int64_t round) {
    const QStringList held = heldBy(subject, rank, round);
    if (held.isEmpty()) return;
    const QPointF away = layout.middleOf(rank) - layout.middle();
    const double radius = mark + labelGap;
    const bool left = away.x() < 0;
    const bool above = away.y() < 0;
    const QPointF at = frame.cornerOf(round) + layout.middleOf(rank);
    const Meaning meaning{Meaning::Kind::rank, rank, round};
    const auto write = [&](QPointF by, int align, const QString& words) {
        pencil.text(at + by, align, words, points::tiny, pencil.palette().ink).meaning = meaning;
    };
    if (stacksHeld(subject, rank)) {
        double y = 2 - radius - static_cast<double>(held.size()) * lineHeight(points::tiny);
        for (const QString& each : held) {
            write({0, y}, Qt::AlignHCenter | Qt::AlignTop, each);
            y += lineHeight(points::tiny);
        }
    } else if (subject.blueprint().arrangement == NetworkShape::Arrangement::circle &&
               std::abs(away.x()) > std::abs(away.y())) {
        write({left ? -radius : radius, 0}, (left ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter, held.join(' '));
    } else {
        write({0, above ? 2 - radius : radius - 2}, Qt::AlignHCenter | (above ? Qt::AlignBottom : Qt::AlignTop),
              held.join(' '));
    }
}

/// Messages that are less looked at lie below the others. Returns of how many messages one is drawn.
std::size_t drawRound(SceneBuilder& pencil, const DrawableRun& subject, const ViewState& state, const StripFrame& frame,
                      const NetworkLayout& layout, std::int64_t round, std::size_t most) {
    const QPointF corner = frame.cornerOf(round);
    const Palette& palette = pencil.palette();
    const engine::Messages& messages = subject.run().messages;
    const auto [first, last] = keptOf(subject, frame, round);
    const std::size_t step = (last - first) / std::max<std::size_t>(most, 1) + 1;
    const double width = std::clamp(layout.radius() * 0.14, 1.0, 1.6);
    const double radius = markRadius(subject, layout);
    std::vector<std::size_t> above;
    const auto draw = [&](std::size_t i, const QColor& colour, double wide) {
        drawArrow(pencil, layout, corner, radius, subject.blueprint(), messages[i],
                  {Meaning::Kind::message, static_cast<std::int64_t>(i), -1}, colour, wide);
    };
    for (std::size_t i = first; i < last; ++i) {
        if (!isDrawn(subject, state, i)) continue;
        const bool ofRank = state.rank && (messages.from()[i] == *state.rank || messages.to()[i] == *state.rank);
        const bool matters = state.message == i || (state.block  ? subject.carries(i, *state.block)
                                                    : state.rank ? ofRank
                                                                 : (i - first) % step == 0);
        if (matters) above.push_back(i);
        else if ((i - first) % step == 0) draw(i, mixed(palette.paper, palette.muted, 0.55), width);
    }
    for (const std::size_t i : above) {
        const std::int32_t column = state.block ? *state.block : subject.columnOf(i);
        const QColor colour =
            column < 0 ? mixed(palette.paper, palette.ink, 0.7) : subject.colourOf(column, pencil.dark());
        draw(i, state.message == i ? palette.accent : colour,
             state.block || state.message == i ? width + 0.8 : arrowWidth(subject, i, width));
    }
    return step;
}

/// Marks the message that a refuted schedule is refuted by, in the picture of its round.
void drawFault(SceneBuilder& pencil, const DrawableRun& subject, const ViewState& state, const NetworkLayout& layout,
               QPointF corner, std::int64_t round) {
    const std::optional<Fault>& fault = subject.fault();
    if (!fault || !fault->message || hidden(subject, state, round)) return;
    const engine::MessageRecord message = subject.run().messages[*fault->message];
    const std::int32_t from = subject.blueprint().markOf(message.from.value);
    const std::int32_t to = subject.blueprint().markOf(message.to.value);
    if (message.round.value != round || from == to) return;
    const Track track = layout.between(from, to);
    const QLineF last = track.legs[static_cast<std::size_t>(track.count - 1)].translated(corner);
    drawFaultMark(pencil, last.center(), std::clamp(layout.radius() * 0.4, 4.0, 8.0), subject.faultInWords(),
                  {Meaning::Kind::message, static_cast<std::int64_t>(*fault->message), -1});
}

/// Each of its messages in the picture of its round.
void drawLitChain(SceneBuilder& pencil, const DrawableRun& subject, const ViewState& state, const StripFrame& frame) {
    const auto chain = litChain(subject, state);
    if (!chain || frame.shown <= 0 || frame.together > 1) return;
    const NetworkLayout layout = frame.layout(subject);
    const double radius = markRadius(subject, layout);
    for (const std::uint32_t i : chain->messages) {
        const engine::MessageRecord message = subject.run().messages[i];
        if (message.round.value < frame.first || message.round.value >= frame.first + frame.shown) continue;
        drawArrow(pencil, layout, frame.cornerOf(message.round.value), radius, subject.blueprint(), message,
                  {Meaning::Kind::message, static_cast<std::int64_t>(i), -1}, pencil.palette().accent, litWidth);
    }
}

QString captionOf(const DrawableRun& subject, const ViewState& state, const StripFrame& frame, std::int64_t round,
                  std::size_t step) {
    if (hidden(subject, state, round)) return QStringLiteral("hidden");
    const auto [first, last] = keptOf(subject, frame, round);
    std::int64_t count = 0;
    for (std::int64_t each = round; each < round + frame.together; ++each)
        count += subject.run().perRound[static_cast<std::size_t>(each)].messages;
    for (std::size_t i = first; i < last; ++i) count -= isDrawn(subject, state, i) ? 0 : 1;
    QString words = count == 0   ? QStringLiteral("no message")
                    : count == 1 ? QStringLiteral("1 message")
                                 : QStringLiteral("%1 messages").arg(countInWords(count));
    if (count > 0 && first == last) return words + QStringLiteral(", not kept");
    if (step > 1) words += QStringLiteral(", 1 of %1 drawn").arg(step);
    return words;
}

QString inWords(const DrawableRun& subject, const StripFrame& frame) {
    const std::int64_t rounds = subject.run().rounds;
    if (!subject.hasRounds()) return noRoundsInWords();
    if (frame.shown <= 0) return whyNoRounds(subject);
    if (frame.together > 1)
        return QStringLiteral("Rounds %1 to %2 of %3 in one picture.")
            .arg(countInWords(frame.first + 1), countInWords(frame.first + frame.together), countInWords(rounds));
    if (frame.shown == rounds)
        return rounds == 1 ? QStringLiteral("The only round.") : QStringLiteral("All %1 rounds.").arg(rounds);
    if (frame.shown == 1)
        return QStringLiteral("Round %1 of %2.").arg(countInWords(frame.first + 1), countInWords(rounds));
    return QStringLiteral("Rounds %1 to %2 of %3.")
        .arg(countInWords(frame.first + 1), countInWords(frame.first + frame.shown), countInWords(rounds));
}

}  // namespace

Scene stripBackground(const DrawableRun& subject, const ViewState& state, QSizeF size) {
    Scene scene;
    SceneBuilder pencil{scene, state.dark};
    const Palette& palette = pencil.palette();
    const StripFrame frame = stripFrame(subject, state, size);
    QString words = inWords(subject, frame);
    scene.description = words;
    if (frame.shown <= 0) {
        pencil.paragraph(frame.area.topLeft(), frame.area.width(), words, points::small, palette.muted);
    } else if (frame.head > 0) {
        // Where all rounds are there, that need not be said.
        if (frame.shown == subject.run().rounds) words.clear();
        QString filled = filledInWords(subject, state);
        if (!frame.labels.isEmpty())
            filled = (filled + QStringLiteral(" Next to a rank: the %1 that it has at the start of the round; parts "
                                              "are in brackets.")
                                   .arg(QString::fromStdString(subject.columns().plural())))
                         .trimmed();
        if (!filled.isEmpty()) scene.description += ' ' + filled;
        for (const QString& most : {words + ' ' + filled, words, filled}) {
            if (most.trimmed().isEmpty() || sizeOf(most.trimmed(), points::small).width() > frame.area.width())
                continue;
            pencil.text(frame.area.topLeft(), Qt::AlignLeft | Qt::AlignTop, most.trimmed(), points::small,
                        palette.muted);
            break;
        }
    }
    if (frame.shown <= 0) return scene;
    const NetworkLayout layout = frame.layout(subject);
    const double radius = markRadius(subject, layout);
    const auto marks = static_cast<std::int64_t>(std::max(1, subject.run().ranks / subject.blueprint().bundle));
    const bool nodes = marks * frame.shown <= mostStripMarks;
    const std::size_t most = mostStripArrows / static_cast<std::size_t>(frame.shown);
    for (std::int64_t round = frame.first; round < frame.first + frame.shown; ++round) {
        const QRectF cell = frame.cellOf(round);
        const Meaning meaning{Meaning::Kind::round, round, -1};
        Shape& ground = pencil.rectangle(cell, palette.paper);
        ground.meaning = meaning;
        const QPointF corner = frame.cornerOf(round);
        const QString number = countInWords(round + 1);
        const QString named = frame.together == 1
                                  ? QStringLiteral("round ") + number
                                  : QStringLiteral("rounds %1 to %2").arg(number, countInWords(round + frame.together));
        pencil.text({cell.center().x(), cell.top() + 1}, Qt::AlignHCenter | Qt::AlignTop,
                    sizeOf(named, points::small, true).width() + aroundNumber <= cell.width() ? named : number,
                    points::small, palette.ink, true);
        for (const QRectF& outline : layout.outlines()) pencil.ellipse(outline.translated(corner), {}, palette.faint);
        drawSwitches(pencil, subject, layout, corner);
        const std::size_t step =
            hidden(subject, state, round) ? 1 : drawRound(pencil, subject, state, frame, layout, round, most);
        if (nodes)
            for (std::int32_t rank = 0; rank < subject.run().ranks; ++rank)
                if (subject.blueprint().markOf(rank) == rank) {
                    drawNode(pencil, subject, state, layout, corner, radius, rank, round);
                    if (!frame.labels.isEmpty()) drawHeld(pencil, subject, frame, layout, radius, rank, round);
                }
        drawFault(pencil, subject, state, layout, corner, round);
        const QString caption = captionOf(subject, state, frame, round, step);
        // Where there is no room for all of it, the number alone.
        const QString fitting = sizeOf(caption, points::tiny).width() <= cell.width()
                                    ? caption
                                    : caption.section(',', 0, 0).section(' ', 0, 0);
        if (sizeOf(fitting, points::tiny).width() <= cell.width())
            pencil.text({cell.center().x(), corner.y() + frame.side + 1}, Qt::AlignHCenter | Qt::AlignTop, fitting,
                        points::tiny, palette.muted);
    }
    if (!frame.legend.isEmpty()) stripLegend(subject, state).rows(pencil, frame.legend);
    return scene;
}

Scene stripForeground(const DrawableRun& subject, const ViewState& state, QSizeF size) {
    Scene scene;
    SceneBuilder pencil{scene, state.dark};
    const StripFrame frame = stripFrame(subject, state, size);
    drawLitChain(pencil, subject, state, frame);
    if (state.time >= subject.run().duration || frame.together > 1) return scene;
    const RoundSpan span = subject.roundsAt(state.time);
    for (std::int64_t round = std::max(span.first.value, frame.first);
         round <= std::min(span.last.value, frame.first + frame.shown - 1); ++round) {
        Shape& ring = pencil.rectangle(frame.cellOf(round), {}, pencil.palette().accent);
        ring.radius = 6;
        ring.width = 2;
    }
    return scene;
}

Scene stripScene(const DrawableRun& subject, const ViewState& state, QSizeF size) {
    Scene scene = stripBackground(subject, state, size);
    putInFront(scene, stripForeground(subject, state, size));
    return scene;
}

Table stripTable(const DrawableRun& subject, const ViewState& state) {
    Table table = tableWith({{"round", Content::round}, {"from", Content::rank}, {"to", Content::rank}, {"carries"}});
    if (!subject.hasRounds()) return table;
    const engine::Messages& messages = subject.run().messages;
    std::int64_t left = subject.run().droppedMessages;
    for (std::size_t i = 0; i < messages.size(); ++i) {
        const engine::MessageRecord message = messages[i];
        if (hidden(subject, state, message.round.value)) continue;
        if (table.rows.size() == mostTableRows) ++left;
        else
            table.rows.push_back({engine::cell(message.round), engine::cell(message.from), engine::cell(message.to),
                                  cellOf(subject.cargoInWords(i))});
    }
    leaveOut(table, left);
    return table;
}

}  // namespace app::gui
