// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/pinned.hpp"

#include <algorithm>

namespace app::gui {
namespace {

constexpr double slipWidth = 150;  // pixels of text, before it is broken
constexpr double slipEdge = 4;
constexpr QPointF slipAway{12, 10};    // from the place to the slip's corner
constexpr qsizetype mostShortly = 24;  // letters

/// The first corner of four around `place` at which nothing written is covered, else the first.
QRectF slipAt(const Pencil& pencil, QPointF place, QSizeF size, const QRectF& within) {
    std::optional<QRectF> first;
    for (const QPointF towards : {QPointF{1, -1}, QPointF{-1, -1}, QPointF{1, 1}, QPointF{-1, 1}}) {
        const QPointF corner{towards.x() > 0 ? place.x() + slipAway.x() : place.x() - slipAway.x() - size.width(),
                             towards.y() > 0 ? place.y() + slipAway.y() : place.y() - slipAway.y() - size.height()};
        QRectF box{corner, size};
        box.moveLeft(std::clamp(box.left(), within.left(), std::max(within.left(), within.right() - size.width())));
        box.moveTop(std::clamp(box.top(), within.top(), std::max(within.top(), within.bottom() - size.height())));
        if (!first) first = box;
        if (!box.contains(place) && pencil.freeOfText(box)) return box;
    }
    return *first;
}

}  // namespace

void drawNotes(Pencil& pencil, const ViewState& state, const QRectF& within, const PlaceOfNote& placeOf) {
    const Palette& palette = pencil.palette();
    for (const PinnedNote& note : state.notes) {
        const std::optional<QPointF> place = placeOf(note);
        if (!place) continue;
        const QString text = QString::fromStdString(note.text);
        const QStringList lines = wrapped(text, points::tiny, std::min(slipWidth, within.width() / 2));
        double width = 0;
        for (const QString& line : lines) width = std::max(width, sizeOf(line, points::tiny).width());
        const double height = lineHeight(points::tiny) * static_cast<double>(lines.size());
        const QRectF box = slipAt(pencil, *place, {width + 2 * slipEdge, height + 2 * slipEdge}, within);
        const Meaning meaning = note.link   ? Meaning{Meaning::Kind::link, note.link->value, -1}
                                : note.rank ? Meaning{Meaning::Kind::rank, note.rank->value, -1}
                                            : Meaning{};
        Shape& line = pencil.line(*place, box.center(), palette.accent, 1.2);
        line.casing = palette.paper;
        Shape& pin = pencil.ellipse({place->x() - 2.5, place->y() - 2.5, 5, 5}, palette.accent, palette.paper);
        pin.tip = text;
        Shape& slip = pencil.rectangle(box, palette.tint, palette.accent);
        slip.radius = 3;
        slip.meaning = meaning;
        slip.tip = text;
        double top = box.top() + slipEdge;
        for (const QString& each : lines) {
            Shape& words = pencil.text({box.left() + slipEdge, top}, Qt::AlignLeft | Qt::AlignTop, each, points::tiny,
                                       palette.ink);
            words.meaning = meaning;
            words.tip = text;
            top += lineHeight(points::tiny);
        }
    }
}

QString shortly(const PinnedNote& note) {
    const QString text = QString::fromStdString(note.text).simplified();
    return text.size() <= mostShortly ? text : text.left(mostShortly - 1) + QChar{0x2026};
}

}  // namespace app::gui
