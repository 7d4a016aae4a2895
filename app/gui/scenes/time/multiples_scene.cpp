// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/time/multiples_scene.hpp"

#include "app/analysis/format/cell_format.hpp"
#include "app/gui/scenes/drawing/number_text.hpp"
#include "app/gui/scenes/drawing/style.hpp"
#include "app/gui/scenes/text/run_text.hpp"
#include "app/gui/scenes/time/run_timeline_frame.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <cmath>

namespace app::gui {
namespace {

using engine::Picoseconds;

constexpr double leastWidth = 220;  // of a cell
constexpr double shape = 0.55;      // height of a cell by its width, where there is room
constexpr double leastHeight = 70;
constexpr double gap = 10;
constexpr double roomyPitch = 7;  // of ranks between which messages can be followed
constexpr std::size_t mostArrows = 400;

/// "+12%", against the fastest; empty for that one.
QString slower(Picoseconds time, Picoseconds fastest) {
    if (time == fastest || fastest.count() <= 0) return {};
    const double times = analysis::ratio(time, fastest);
    if (times >= 2) return QStringLiteral("%1\u00d7").arg(QString::fromStdString(engine::showNumber(times, 3)));
    return QStringLiteral("+%1%").arg(QString::fromStdString(engine::showNumber(100 * (times - 1), 3)));
}

RunTimelineFrame frameIn(const QRectF& plot, const DrawableRun& subject, Picoseconds horizon) {
    RunTimelineFrame frame;
    frame.plot = plot;
    frame.axis = TimeAxis{{}, horizon, plot.left(), plot.right()};
    frame.rowCount = static_cast<std::size_t>(subject.run().ranks);
    frame.pitch = plot.height() / std::max(subject.run().ranks, 1);
    frame.bar = frame.pitch < 4 ? frame.pitch : std::clamp(frame.pitch * 0.6, 2.0, 14.0);
    return frame;
}

void drawRun(SceneBuilder& pencil, const SmallMultiple& run, const ViewState& state, const QRectF& cell,
             Picoseconds fastest, Picoseconds horizon) {
    const Palette& palette = pencil.palette();
    const DrawableRun& subject = *run.subject;
    const Picoseconds time = subject.run().duration;
    const double line = lineHeight(points::normal);
    const QString more = slower(time, fastest);
    const QString took = timeInWords(time) + (more.isEmpty() ? QString{} : QStringLiteral("  ") + more);
    const QColor colour = more.isEmpty() ? palette.better : palette.ink;
    pencil.text(cell.topRight(), Qt::AlignRight | Qt::AlignTop, took, points::normal, colour, more.isEmpty());
    const double room = cell.width() - sizeOf(took, points::normal, true).width() - 8;
    // A long name gives way to the time; hovering says it.
    QString name = run.name;
    while (name.size() > 2 && sizeOf(name, points::normal, true).width() > room)
        name = name.left(name.size() - 2) + QStringLiteral("\u2026");
    pencil.text(cell.topLeft(), Qt::AlignLeft | Qt::AlignTop, name, points::normal, palette.ink, true).tip = run.name;
    const QRectF plot = cell.adjusted(0, line + 4, 0, -2);
    const RunTimelineFrame frame = frameIn(plot, subject, horizon);
    if (drawsDensity(subject, frame)) {
        drawDensity(pencil, subject, frame);
    } else {
        drawBars(pencil, subject, state, frame);
        if (frame.pitch >= roomyPitch && subject.run().messages.size() <= mostArrows)
            drawMessages(pencil, subject, state, frame);
    }
    const double end = frame.axis.pixel(time);
    if (end < plot.right() - 1)
        pencil.rectangle({end, plot.top(), plot.right() - end, plot.height()},
                         mixed(palette.paper, palette.better, 0.14));
    pencil.line({end, plot.top() - 1}, {end, plot.bottom() + 1}, palette.ink, 1.5).tip =
        QStringLiteral("%1 ends after %2").arg(run.name, timeInWords(time));
}

}  // namespace

std::vector<QRectF> multipleCells(std::size_t count, QSizeF size) {
    const double width = size.width() - 2 * margin;
    const double height = size.height() - 2 * margin;
    const auto rowsIn = [count](std::size_t columns) { return (count + columns - 1) / columns; };
    // As few columns as let all rows fit: time is read along the width.
    std::size_t columns = 1;
    const auto highOf = [&](std::size_t in) {
        return (height - gap * static_cast<double>(rowsIn(in) - 1)) / static_cast<double>(rowsIn(in));
    };
    const auto wideOf = [&](std::size_t in) {
        return (width - gap * static_cast<double>(in - 1)) / static_cast<double>(in);
    };
    while (columns < count && wideOf(columns + 1) >= leastWidth &&
           highOf(columns) < std::max(leastHeight, shape * wideOf(columns)))
        ++columns;
    std::vector<QRectF> cells;
    const double high = std::max(highOf(columns), leastHeight);
    for (std::size_t i = 0; i < count; ++i)
        cells.emplace_back(margin + static_cast<double>(i % columns) * (wideOf(columns) + gap),
                           margin + static_cast<double>(i / columns) * (high + gap), wideOf(columns), high);
    return cells;
}

Scene multiplesScene(const std::vector<SmallMultiple>& runs, std::ptrdiff_t chosen, const ViewState& state,
                     QSizeF size) {
    Scene scene;
    if (runs.empty()) return scene;
    SceneBuilder pencil{scene, state.dark};
    const ViewState plain{.dark = state.dark};
    const auto byTime = [](const SmallMultiple& a, const SmallMultiple& b) {
        return a.subject->run().duration < b.subject->run().duration;
    };
    const auto [least, most] = std::ranges::minmax_element(runs, byTime);
    const std::vector<QRectF> cells = multipleCells(runs.size(), size);
    std::size_t hidden = 0;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (cells[i].bottom() > size.height()) {
            ++hidden;
            continue;
        }
        if (static_cast<std::ptrdiff_t>(i) == chosen) {
            Shape& ring = pencil.rectangle(cells[i].adjusted(-4, -3, 4, 3), {}, pencil.palette().accent);
            ring.radius = 4;
            ring.width = 1.5;
        }
        drawRun(pencil, runs[i], plain, cells[i], least->subject->run().duration, most->subject->run().duration);
    }
    if (hidden > 0)
        pencil.text(
            {size.width() - margin, size.height() - 1}, Qt::AlignRight | Qt::AlignBottom,
            QStringLiteral("%1 more; they need more room")
                .arg(countedInWords(static_cast<std::int64_t>(hidden), QStringLiteral("run"), QStringLiteral("runs"))),
            points::tiny, pencil.palette().muted);
    QStringList words;
    for (const SmallMultiple& run : runs)
        words << QStringLiteral("%1 takes %2").arg(run.name, timeInWords(run.subject->run().duration));
    scene.description = words.join(QStringLiteral("; ")) + '.';
    return scene;
}

Table multiplesTable(const std::vector<SmallMultiple>& runs) {
    Table table = tableWith({{"run"}, {"time_s", Content::time}, {"against the fastest"}});
    if (runs.empty()) return table;
    Picoseconds fastest = Picoseconds::max();
    for (const SmallMultiple& run : runs) fastest = std::min(fastest, run.subject->run().duration);
    for (const SmallMultiple& run : runs) {
        const Picoseconds time = run.subject->run().duration;
        table.rows.push_back({cellOf(run.name), time, cellOf(slower(time, fastest))});
    }
    return table;
}

}  // namespace app::gui
