// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/common/annotation_notes.hpp"

#include "app/gui/scenes/text/run_text.hpp"

#include <algorithm>
#include <limits>

namespace app::gui {
namespace {

constexpr double slipWidth = 150;  // pixels of text, before it is broken
constexpr double slipEdge = 4;
constexpr qsizetype mostSlipLines = 6;
constexpr qsizetype mostShortly = 24;  // letters
constexpr int textWeighs = 100;        // against one thing that is covered

/// How much a slip at `box` would cover.
int coveredBy(const SceneBuilder& pencil, const QRectF& box) {
    int covered = 0;
    for (const Shape& shape : pencil.shapes()) {
        if (shape.kind == Shape::Kind::line || shape.kind == Shape::Kind::arrow || !shape.box.intersects(box)) continue;
        if (shape.kind == Shape::Kind::text) covered += textWeighs;
        else if (shape.meaning.kind != Meaning::Kind::none) ++covered;
    }
    return covered;
}

/// Of places around `place`, near ones first, that at which least is covered.
QRectF slipAt(const SceneBuilder& pencil, QPointF place, QSizeF size, const QRectF& within) {
    QRectF best;
    int least = std::numeric_limits<int>::max();
    for (const double away : {12.0, 30.0, 60.0, 100.0})
        for (const QPointF towards : {QPointF{1, -1}, QPointF{1, 1}, QPointF{-1, -1}, QPointF{-1, 1}, QPointF{0, -1},
                                      QPointF{0, 1}, QPointF{1, 0}, QPointF{-1, 0}}) {
            const QPointF middle{place.x() + towards.x() * (away + size.width() / 2),
                                 place.y() + towards.y() * (away + size.height() / 2)};
            QRectF box{middle - QPointF{size.width() / 2, size.height() / 2}, size};
            box.moveLeft(std::clamp(box.left(), within.left(), std::max(within.left(), within.right() - box.width())));
            box.moveTop(std::clamp(box.top(), within.top(), std::max(within.top(), within.bottom() - box.height())));
            const int covered = coveredBy(pencil, box) + (box.contains(place) ? textWeighs : 0);
            if (covered >= least) continue;
            least = covered;
            best = box;
        }
    return best;
}

QStringList linesOf(const QString& note, double width) {
    QStringList lines = wrapped(note, points::small, width);
    for (QString& line : lines) line = elided(line, points::small, width);
    if (lines.size() > mostSlipLines) {
        lines.resize(mostSlipLines);
        lines.back() += QChar{0x2026};
    }
    return lines;
}

}  // namespace

void drawSlips(SceneBuilder& pencil, const ViewState& state, Mark::On on, const QRectF& within,
               const PlaceOfMark& placeOf) {
    const Palette& palette = pencil.palette();
    for (std::size_t i = 0; i < state.marks.size(); ++i) {
        const Mark& mark = state.marks[i];
        if (mark.on != on) continue;
        const std::optional<QPointF> place = placeOf(mark);
        if (!place) continue;
        const QString note = QString::fromStdString(mark.note).simplified();
        const QStringList lines =
            linesOf(note.isEmpty() ? QString{QChar{0x2026}} : note, std::min(slipWidth, within.width() / 2));
        double width = 0;
        for (const QString& line : lines) width = std::max(width, sizeOf(line, points::small).width());
        const double height = lineHeight(points::small) * static_cast<double>(lines.size());
        const QRectF box = slipAt(pencil, *place, {width + 2 * slipEdge, height + 2 * slipEdge}, within);
        const Meaning meaning{Meaning::Kind::note, static_cast<std::int64_t>(i), -1};
        pencil.line(*place, box.center(), palette.accent, 1.2).casing = palette.paper;
        pencil.ellipse({place->x() - 3, place->y() - 3, 6, 6}, palette.accent, palette.paper).meaning = meaning;
        Shape& slip = pencil.rectangle(box, palette.tint, palette.accent);
        slip.radius = 3;
        slip.width = state.asked == meaning ? 2.5 : 1;
        slip.meaning = meaning;
        slip.tip = note;
        double top = box.top() + slipEdge;
        for (const QString& line : lines) {
            Shape& words = pencil.text({box.left() + slipEdge, top}, Qt::AlignLeft | Qt::AlignTop, line, points::small,
                                       palette.ink);
            words.meaning = meaning;
            words.tip = note;
            top += lineHeight(points::small);
        }
    }
}

QString shortly(const Mark& mark) {
    const QString note = QString::fromStdString(mark.note).simplified();
    return note.size() <= mostShortly ? note : note.left(mostShortly - 1) + QChar{0x2026};
}

QString whereInWords(const DrawableRun& subject, const Mark& mark) {
    if (mark.rank)
        return (mark.on == Mark::On::network ? QStringLiteral("rank %1, network") : QStringLiteral("rank %1"))
            .arg(mark.rank->value);
    const emulation::Network* network = subject.report().network.get();
    if (!mark.link || network == nullptr || mark.link->value >= network->links()) return {};
    return QStringLiteral("link %1").arg(linkName(*network, *mark.link));
}

}  // namespace app::gui
