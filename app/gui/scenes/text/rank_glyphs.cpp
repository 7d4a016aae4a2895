// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/text/rank_glyphs.hpp"

#include "app/analysis/trace/rank_time_breakdown.hpp"

#include <algorithm>
#include <cmath>

namespace app::gui {
namespace {

struct Look {
    QColor fill;
    QColor pen;
    double width = 1;
    bool dashed = false;
};

Look lookOf(RankState state, const Palette& palette) {
    switch (state) {
        case RankState::absent: return {palette.groove, palette.muted, 1, true};
        case RankState::sending: return {palette.sending, mixed(palette.sending, palette.ink, 0.35), 1};
        case RankState::receiving: return {palette.receiving, palette.sending, 2.5};
        case RankState::both: return {palette.both, palette.sending, 2.5};
        case RankState::combining: return {combiningColour(palette), palette.sending, 1};
        case RankState::computing: return {palette.tint, palette.muted, 1};
        case RankState::waiting: return {palette.waitingGround, palette.waiting, 1};
        case RankState::outside: return {palette.tint, quietLine(palette), 1};
        case RankState::done: return {palette.paper, quietLine(palette), 1};
    }
    return {};
}

constexpr double smallestHatched = 5;
constexpr double smallestRound = 3;

}  // namespace

QColor combiningColour(const Palette& palette) { return mixed(palette.paper, palette.muted, 0.72); }

QColor colourOf(RankState state, const Palette& palette) {
    switch (state) {
        case RankState::sending: return palette.sending;
        case RankState::receiving: return palette.receiving;
        case RankState::both: return palette.both;
        case RankState::combining: return combiningColour(palette);
        case RankState::computing: return palette.tint;
        case RankState::waiting: return mixed(palette.waitingGround, palette.waiting, 0.6);
        case RankState::outside: return mixed(palette.paper, palette.faint, 0.3);
        case RankState::absent: return palette.groove;
        case RankState::done: break;
    }
    return palette.paper;
}

QColor quietLine(const Palette& palette) { return mixed(palette.paper, palette.muted, 0.7); }

void hatchAsWaiting(Shape& shape, const Palette& palette) {
    shape.fill = palette.waitingGround;
    shape.pen = palette.waiting;
    shape.hatched = true;
    shape.width = 0.8;
}

Shape& drawStill(SceneBuilder& pencil, const QRectF& box, RankState state, bool roomy) {
    const Palette& palette = pencil.palette();
    if (!roomy) return pencil.rectangle(box, colourOf(state, palette));
    const Look look = lookOf(state, palette);
    Shape& shape = pencil.rectangle(box, look.fill, look.pen);
    shape.width = 0.8;
    shape.dashed = look.dashed;
    if (state == RankState::waiting) hatchAsWaiting(shape, palette);
    return shape;
}

RankState betweenState(const DrawableRun& subject) {
    return analysis::idleMeansWaiting(subject.run()) ? RankState::waiting : RankState::outside;
}

void drawRank(SceneBuilder& pencil, QPointF middle, double radius, Side side, RankState state, const QString& number,
              const Meaning& meaning) {
    const Palette& palette = pencil.palette();
    const Look look = lookOf(state, palette);
    const QRectF box{middle.x() - radius, middle.y() - radius, 2 * radius, 2 * radius};
    const bool square = side == Side::b;
    const bool hatched = state == RankState::waiting && radius >= smallestHatched;
    if (radius < smallestRound && square) {
        pencil.rectangle(box, look.fill == palette.paper ? look.pen : look.fill).meaning = meaning;
        return;
    }
    const double flatter = side == Side::leader ? radius * 0.26 : 0;
    const QRectF body = square ? box.adjusted(radius * 0.06, radius * 0.06, -radius * 0.06, -radius * 0.06)
                               : box.adjusted(-flatter / 2, flatter, flatter / 2, -flatter);
    Shape& shape = square ? pencil.rectangle(body, look.fill, look.pen) : pencil.ellipse(body, look.fill, look.pen);
    shape.radius = square ? radius * 0.28 : 0;
    shape.width = radius < smallestHatched ? 1 : look.width;
    shape.dashed = side == Side::dummy || look.dashed;
    shape.meaning = meaning;
    shape.hatched = hatched;
    if (number.isEmpty()) return;
    const double size = std::clamp(radius * 0.62, points::tiny, points::heading);
    const QSizeF needed = sizeOf(number, size, true);
    if (needed.width() > 2 * radius - 3 || needed.height() > 2 * radius + 1) return;
    pencil.text(middle, Qt::AlignCenter, number, size,
                state == RankState::done || state == RankState::absent ? palette.muted : readableOn(look.fill), true);
}

QRectF drawMessage(SceneBuilder& pencil, QPointF middle, double radius, const QColor& colour, const QString& cargo,
                   const Meaning& meaning) {
    const QColor outline = mixed(colour, pencil.dark() ? QColor{Qt::white} : QColor{Qt::black}, 0.45);
    if (cargo.isEmpty()) {
        const QRectF box{middle.x() - radius, middle.y() - radius, 2 * radius, 2 * radius};
        pencil.ellipse(box, colour, outline).meaning = meaning;
        return box;
    }
    const QSizeF text = sizeOf(cargo, points::tiny, true);
    const double height = std::max(2 * radius, text.height() + 1);
    const double width = std::max(height, text.width() + 8);
    const QRectF box{middle.x() - width / 2, middle.y() - height / 2, width, height};
    Shape& pill = pencil.rectangle(box, colour, outline);
    pill.radius = height / 2;
    pill.meaning = meaning;
    pencil.text(middle, Qt::AlignCenter, cargo, points::tiny, readableOn(colour), true).meaning = meaning;
    return box;
}

void drawRing(SceneBuilder& pencil, QPointF middle, double radius, Side side, const QColor& colour, double width) {
    const QRectF box{middle.x() - radius, middle.y() - radius, 2 * radius, 2 * radius};
    Shape& ring = side == Side::b ? pencil.rectangle(box, {}, colour) : pencil.ellipse(box, {}, colour);
    if (side == Side::b) ring.radius = radius * 0.28;
    ring.width = width;
}

void drawWaiting(SceneBuilder& pencil, const QRectF& box) {
    Shape& halo = pencil.rectangle(box.adjusted(-1.5, -1.5, 1.5, 1.5), {}, pencil.palette().waiting);
    halo.radius = box.height() / 2 + 1.5;
    halo.width = 1.5;
}

void drawFreePlace(SceneBuilder& pencil, QPointF middle, double radius, const QString& tip) {
    const double half = radius * 0.55;
    Shape& shape = pencil.ellipse({middle.x() - half, middle.y() - half, 2 * half, 2 * half}, pencil.palette().paper,
                                  pencil.palette().faint);
    shape.tip = tip;
}

void drawSwitch(SceneBuilder& pencil, QPointF middle, double radius, const QString& name, const QString& tip) {
    const Palette& palette = pencil.palette();
    const QColor fill = mixed(palette.paper, palette.muted, name.isEmpty() ? 0.55 : 0.25);
    const QSizeF text = name.isEmpty() ? QSizeF{} : sizeOf(name, points::tiny, true);
    const QSizeF half{std::max(radius, text.width() / 2 + 3), std::max(radius, text.height() / 2)};
    pencil
        .rectangle({middle.x() - half.width(), middle.y() - half.height(), 2 * half.width(), 2 * half.height()}, fill,
                   palette.muted)
        .tip = tip;
}

void drawSwitchName(SceneBuilder& pencil, QPointF middle, const QString& name) {
    pencil.text(middle, Qt::AlignCenter, name, points::tiny, pencil.palette().ink, true);
}

QString nameOf(RankState state) {
    switch (state) {
        case RankState::absent: return QStringLiteral("not yet entered");
        case RankState::waiting: return QStringLiteral("waiting");
        case RankState::outside: return QStringLiteral("no communication");
        case RankState::sending: return QStringLiteral("sending");
        case RankState::receiving: return QStringLiteral("receiving");
        case RankState::both: return QStringLiteral("sending and receiving");
        case RankState::combining: return QStringLiteral("combining");
        case RankState::computing: return QStringLiteral("computing");
        case RankState::done: return QStringLiteral("finished");
    }
    return {};
}

double arrowWidth(const DrawableRun& subject, std::size_t message, double usual) {
    if (!subject.sizesDiffer()) return usual;
    constexpr double thinnest = 0.5;  // of the usual
    constexpr double thickest = 1.8;
    const double share =
        static_cast<double>(subject.run().messages.bytes()[message]) / static_cast<double>(subject.largestMessage());
    return usual * (thinnest + (thickest - thinnest) * std::sqrt(share));
}

}  // namespace app::gui
