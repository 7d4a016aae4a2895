// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/network/rounds_frame.hpp"

#include "app/gui/scenes/common/block_highlight.hpp"
#include "app/gui/scenes/drawing/style.hpp"

#include <algorithm>
#include <limits>

namespace app::gui {
namespace {

constexpr double largestSide = 210;        // on a screen; half the height of a paper
constexpr double leastSide = 40;           // of a picture with few ranks
constexpr double largestLeastSide = 220;   // and with very many
constexpr double markShare = 0.74;         // of the size that a network has: arrows need the room
constexpr std::int32_t mostLabelled = 12;  // blocks that are named beside the ranks that hold them
constexpr double labelShare = 0.34;        // of a picture, at the most
constexpr double mostStretch = 1.6;        // of a picture: as wide as so many times its height
constexpr double mostOfWay = 0.36;         // of the way to the nearest rank, for a circle with a number
constexpr std::int32_t mostNumbered = 64;  // ranks
constexpr double leastOfPictures = 200;    // height; lower pictures need it for themselves

/// A picture with more ranks needs more room, lest they cannot be distinguished.
double leastSideOf(const DrawableRun& subject) {
    return std::clamp(leastSide + 2.0 * std::max(0, subject.run().ranks - 12), leastSide, largestLeastSide);
}

/// Whether numbers of blocks or segments stand beside the ranks that hold them.
bool namesHeld(const DrawableRun& subject, const ViewState& state) {
    const analysis::Columns::Kind kind = subject.columns().kind();
    return state.rounds.held && subject.hasRounds() && subject.holdings().unknown().empty() &&
           (kind == analysis::Columns::Kind::blocks || kind == analysis::Columns::Kind::segments) &&
           subject.columns().count() <= mostLabelled;
}

QSizeF heldSize(const DrawableRun& subject, std::int32_t rank, std::int64_t round) {
    const QStringList words = heldBy(subject, rank, round);
    if (!stacksHeld(subject, rank)) return sizeOf(words.join(' '), points::tiny);
    QSizeF all{0, 0};
    for (const QString& each : words)
        all = {std::max(all.width(), sizeOf(each, points::tiny).width()), all.height() + lineHeight(points::tiny)};
    return all;
}

}  // namespace

QString filledInWords(const DrawableRun& subject, const ViewState& state) {
    if (!state.block || !subject.hasRounds() || !subject.holdings().unknown().empty()) return {};
    return QStringLiteral("Filled: the rank has %1 at the start of the round.").arg(subject.columnName(*state.block));
}

Legend stripLegend(const DrawableRun& subject, const ViewState& state) {
    Legend legend;
    if (state.block) {
        addFollowedTo(legend, subject, *state.block);
        legend.entry(QStringLiteral("message without the block"), [](SceneBuilder& pencil, const QRectF& box) {
            const QPointF middle{box.left(), box.center().y()};
            pencil.arrow(middle, middle + QPointF{box.width(), 0},
                         mixed(pencil.palette().paper, pencil.palette().muted, 0.55), 1.2);
        });
    } else if (subject.columns().count() > 1) {
        addMessagesTo(legend, subject, state, QStringLiteral("message"));
    }
    return legend;
}

double markRadius(const DrawableRun& subject, const NetworkLayout& layout) {
    const double usual = layout.radius() * markShare;
    const std::int32_t ranks = subject.run().ranks;
    const double needed = std::max(smallestNumber, sizeOf(QString::number(ranks - 1), points::tiny).width() / 2 + 1.5);
    if (usual >= needed || ranks > mostNumbered) return usual;
    double nearest = std::numeric_limits<double>::infinity();
    for (std::int32_t rank = 0; rank < ranks; ++rank)
        for (std::int32_t other = 0; other < rank; ++other)
            nearest = std::min(nearest, QLineF{layout.middleOf(rank), layout.middleOf(other)}.length());
    return mostOfWay * nearest >= needed ? needed : usual;
}

QStringList heldBy(const DrawableRun& subject, std::int32_t rank, std::int64_t round) {
    const engine::Picoseconds begin = subject.run().perRound[static_cast<std::size_t>(round)].begin;
    QStringList words;
    for (std::int32_t column = 0; column < subject.columns().count(); ++column) {
        const analysis::Holding holding = subject.holdings().at(engine::Rank{rank}, column, begin, begin);
        const QString number = subject.labelOf(subject.columns().firstIn(column));
        if (holding.held > 0) words << (holding.held == holding.size ? number : QStringLiteral("(%1)").arg(number));
    }
    return words;
}

bool stacksHeld(const DrawableRun& subject, std::int32_t rank) {
    return subject.blueprint().arrangement == NetworkShape::Arrangement::facing &&
           subject.sideOf(engine::Rank{rank}) != Side::b;
}

StripFrame stripFrame(const DrawableRun& subject, const ViewState& state, QSizeF size) {
    StripFrame frame;
    frame.area = QRectF{QPointF{}, size}.adjusted(margin, margin / 2, -margin, -margin / 2);
    if (const Legend legend = stripLegend(subject, state);
        state.legends && !legend.empty() && frame.area.height() >= leastOfPictures) {
        const double high = legend.rowsHeight(frame.area.width());
        frame.legend = {frame.area.left(), frame.area.bottom() - high, frame.area.width(), high};
        frame.area.setBottom(frame.legend.top() - 4);
    }
    const auto all = subject.hasRounds() ? static_cast<std::int64_t>(subject.run().perRound.size()) : 0;
    frame.first = std::min(state.rounds.first, all);
    const std::int64_t chosen =
        state.rounds.count > 0 ? std::min(state.rounds.count, all - frame.first) : all - frame.first;
    if (state.rounds.together && chosen > 0) frame.together = chosen;
    const std::int64_t rounds = chosen / frame.together;
    const bool held = namesHeld(subject, state);
    if (held || !filledInWords(subject, state).isEmpty()) frame.head = lineHeight(points::small) + 2;
    const double texts = StripFrame::above() + StripFrame::below() + betweenPictures / 2;
    const auto sideWith = [&](std::int64_t columns, std::int64_t rows, double head) {
        return std::min(frame.area.width() / static_cast<double>(columns) - betweenPictures,
                        (frame.area.height() - head) / static_cast<double>(rows) - texts);
    };
    const double largest = state.rounds.together ? frame.area.height() - texts - frame.head
                                                 : std::max(largestSide, frame.area.height() / 2 - texts);
    // As large as all of them fit.
    for (std::int64_t columns = 1; columns <= std::max<std::int64_t>(rounds, 1) && columns <= 200; ++columns) {
        const double side = sideWith(columns, (rounds + columns - 1) / columns, frame.head);
        if (side <= frame.side) continue;
        frame.side = side;
        frame.columns = static_cast<int>(columns);
    }
    frame.side = std::min(frame.side, largest);
    frame.shown = rounds;
    if (held) {
        const std::int64_t last = frame.first + chosen - 1;
        for (std::int32_t rank = 0; chosen > 0 && rank < subject.run().ranks; ++rank)
            for (const std::int64_t round : {frame.first, last})
                frame.labels = frame.labels.expandedTo(heldSize(subject, rank, round));
        if (std::max(frame.labels.width(), frame.labels.height()) > labelShare * frame.side) frame.labels = {0, 0};
    }
    const auto widen = [&] {
        frame.wide = std::max(frame.side,
                              std::min(mostStretch * frame.side, frame.area.width() / frame.columns - betweenPictures));
    };
    widen();
    const double least =
        std::min({leastSideOf(subject), frame.area.width() - betweenPictures, frame.area.height() - texts});
    if (frame.side >= least) return frame;
    // Else a page of them.
    frame.head = lineHeight(points::small) + 2;
    frame.columns = std::max(1, static_cast<int>(frame.area.width() / (least + betweenPictures)));
    const auto rows =
        std::max<std::int64_t>(1, static_cast<std::int64_t>((frame.area.height() - frame.head) / (least + texts)));
    frame.side = std::max(8.0, std::min(largest, sideWith(frame.columns, rows, frame.head)));
    widen();
    const std::int64_t page = frame.columns * rows;
    const std::int64_t now =
        state.time >= subject.run().duration
            ? 0
            : std::clamp<std::int64_t>(subject.roundAt(state.time).value - frame.first, 0, rounds - 1) / page * page;
    frame.first += now;
    frame.shown = std::min(page, rounds - now);
    return frame;
}

}  // namespace app::gui
