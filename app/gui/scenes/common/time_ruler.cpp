// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/common/time_ruler.hpp"

#include "app/gui/scenes/text/run_text.hpp"

#include <algorithm>

namespace app::gui {

using engine::Picoseconds;

void drawTimeRuler(SceneBuilder& pencil, const TimeAxis& axis, const QRectF& plot) {
    const Palette& palette = pencil.palette();
    const double y = plot.bottom() + 2;
    pencil.line({plot.left(), y}, {plot.right(), y}, palette.muted).meaning = {Meaning::Kind::axis, -1, -1};
    // The widest label decides how far ticks are apart; they are asked for twice, as labels depend on the step.
    double widest = 0;
    for (const Tick& tick : axis.ticks(40)) widest = std::max(widest, sizeOf(tick.label, points::tiny).width());
    double last = plot.left();
    for (const Tick& tick : axis.ticks(std::max(56.0, widest + 16))) {
        const double x = axis.pixel(tick.at);
        pencil.line({x, y}, {x, y + 4}, palette.muted);
        const double half = sizeOf(tick.label, points::tiny).width() / 2;
        last = std::max(x + half, last);
        pencil.text({x, y + 5}, Qt::AlignHCenter | Qt::AlignTop, tick.label, points::tiny, palette.muted);
    }
    QString unit = axis.unit();
    if (unit == QLatin1String("us")) unit = QStringLiteral("\u00b5s");
    pencil.text({std::max(plot.right() + 10, last + 4), y + 5}, Qt::AlignLeft | Qt::AlignTop, unit, points::tiny,
                palette.muted);
}

void drawMarks(SceneBuilder& pencil, const ViewState& state, const TimeAxis& axis, const QRectF& plot) {
    const Palette& palette = pencil.palette();
    std::vector<const Mark*> moments;
    for (const Mark& mark : state.marks)
        if (mark.on == Mark::On::moment && mark.time >= axis.begin() && mark.time <= axis.end())
            moments.push_back(&mark);
    for (std::size_t i = 0; i < moments.size(); ++i) {
        const Mark& mark = *moments[i];
        const QString note = QString::fromStdString(mark.note).simplified();
        const double x = axis.pixel(mark.time);
        Shape& line = pencil.line({x, plot.top()}, {x, plot.bottom()}, palette.ink, 1);
        line.dashed = true;
        line.tip = note.isEmpty() ? QStringLiteral("marked: %1").arg(timeInWords(mark.time)) : note;
        if (note.isEmpty()) continue;
        const double end = i + 1 < moments.size() ? axis.pixel(moments[i + 1]->time) : plot.right();
        const QSizeF room = sizeOf(note, points::tiny);
        if (room.width() + 10 > end - x) continue;
        const QRectF box{x + 3, plot.bottom() - room.height() - 3, room.width() + 6, room.height() + 2};
        pencil.rectangle(box, palette.tint, palette.muted).radius = 3;
        pencil.text(box.center(), Qt::AlignCenter, note, points::tiny, palette.ink);
    }
}

void drawCursor(SceneBuilder& pencil, const ViewState& state, const TimeAxis& axis, const QRectF& plot) {
    if (state.time < axis.begin() || state.time > axis.end()) return;
    const double x = axis.pixel(state.time);
    const QColor accent = pencil.palette().accent;
    pencil.line({x, plot.top() - 2}, {x, plot.bottom() + 2}, accent, 1.5);
    pencil.arrow({x, plot.bottom() + 8}, {x, plot.bottom() + 2}, accent, 1.5);
}

void drawVeil(SceneBuilder& pencil, const ViewState& state, const TimeAxis& axis, const QRectF& plot) {
    if (!state.veil || *state.veil >= axis.end()) return;
    const double from = std::max(axis.pixel(*state.veil), plot.left());
    const QRectF curtain{QPointF{from, plot.top() - 1}, QPointF{plot.right() + 3, plot.bottom() + 1}};
    Shape& cover = pencil.rectangle(curtain, pencil.palette().tint);
    cover.tip = hiddenWords();
    const QSizeF room = sizeOf(hiddenWords(), points::normal);
    if (room.width() < curtain.width() - 8)
        pencil.text(curtain.center(), Qt::AlignCenter, hiddenWords(), points::normal, pencil.palette().muted);
}

}  // namespace app::gui
