// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/charts/scaling_scene.hpp"

#include "app/analysis/efficiency/scaling.hpp"
#include "app/analysis/format/cell_format.hpp"
#include "app/gui/scenes/common/chart_frame.hpp"
#include "app/gui/scenes/drawing/to_qt.hpp"

#include <algorithm>
#include <map>

namespace app::gui {
namespace {

constexpr double darkestEfficiency = 0.5;  // which has the darkest colour, as have lower ones
constexpr double mostHeight = 34;          // pixels
constexpr double mostWidth = 240;          // likewise
constexpr double factorIndent = 14;        // pixels, for each level of factors
constexpr double besideNames = 12;         // between names and cells
constexpr double aroundCells = 2;          // pixels
constexpr std::size_t firstValue = 1;      // column of the table; the first has the names of the traces

QColor efficiencyColour(double share, bool dark) {
    const double lost = std::clamp((1 - share) / (1 - darkestEfficiency), 0.0, 1.0);
    return mixed(paletteFor(dark).paper, loadColour(1, dark), lost);
}

Legend efficiencyLegend() {
    Legend legend;
    for (const int percent : {100, 90, 75, 50})
        legend.entry(percent == 100  ? QStringLiteral("100% or more")
                     : percent == 50 ? QStringLiteral("50% or less")
                                     : QStringLiteral("%1%").arg(percent),
                     [percent](SceneBuilder& pencil, const QRectF& box) {
                         pencil.rectangle(box, efficiencyColour(percent / 100.0, pencil.dark()),
                                          pencil.palette().hairline);
                     });
    return legend;
}

/// The first row is the reference: its scalabilities are 100% by definition.
QString scalingInWords(const engine::Table& table) {
    std::map<std::string_view, std::size_t> columns;
    for (std::size_t i = 0; i < table.columns.size(); ++i) columns[table.columns[i].name] = i;
    const auto cell = [&](std::size_t row, const char* column) {
        const std::size_t at = columns.at(column);
        return toQt(analysis::shown(table.rows[row][at], table.columns[at].content));
    };
    const std::size_t last = table.rows.size() - 1;
    if (last == 0)
        return QStringLiteral("Global efficiency %1 on %2 ranks.")
            .arg(cell(0, "global_efficiency_share"), cell(0, "ranks"));
    return QStringLiteral("Global efficiency %1 on %2 ranks, %3 on %4 ranks; speed-up %5 from %2 to %4 ranks.")
        .arg(cell(0, "global_efficiency_share"), cell(0, "ranks"), cell(last, "global_efficiency_share"),
             cell(last, "ranks"), cell(last, "speedup"));
}

}  // namespace

Scene scalingScene(const engine::Table& table, bool dark, QSizeF size) {
    Scene scene;
    SceneBuilder pencil{scene, dark};
    const Palette& palette = pencil.palette();
    scene.description = scalingInWords(table);
    const ChartFrame frame = chartFrame(pencil, size, scene.description, {}, {}, efficiencyLegend());
    const std::size_t rows = table.columns.size() - firstValue;
    double names = 0;
    for (const engine::Column& column : table.columns)
        names = std::max(names, factorIndent * analysis::factorDepth(column) +
                                    sizeOf(toQt(analysis::heading(column)), points::normal).width());
    names = std::min(names, frame.plot.width() / 2);
    const double left = frame.plot.left() + names + besideNames;
    const double width =
        std::clamp((frame.plot.right() - left) / static_cast<double>(table.rows.size()), 4.0, mostWidth);
    const double notes = besideNames + lineHeight(points::normal) * static_cast<double>(table.remarks.size());
    const double height = std::min(
        (frame.plot.height() - std::min(notes, frame.plot.height() / 4)) / static_cast<double>(rows + 1), mostHeight);
    const auto centre = [&](std::size_t trace, std::size_t line) {
        return QPointF{left + width * (static_cast<double>(trace) + 0.5),
                       frame.plot.top() + height * (static_cast<double>(line) + 0.5)};
    };
    const auto write = [&](QPointF at, const QString& words, const QColor& ink, bool bold) {
        const QString shown = elided(words, points::normal, width - 4, bold);
        if (shown.isEmpty() || lineHeight(points::normal) > height + 2) return;
        Shape& text = pencil.text(at, Qt::AlignCenter, shown, points::normal, ink, bold);
        if (shown != words) text.tip = words;
    };
    for (std::size_t trace = 0; trace < table.rows.size(); ++trace)
        write(centre(trace, 0), toQt(analysis::shown(table.rows[trace][0], table.columns[0].content)), palette.ink,
              true);
    for (std::size_t line = 1; line <= rows; ++line) {
        const engine::Column& column = table.columns[line];
        const int depth = analysis::factorDepth(column);
        const double from = frame.plot.left() + factorIndent * depth;
        if (lineHeight(points::normal) <= height + 2)
            pencil.text({from, centre(0, line).y()}, Qt::AlignLeft | Qt::AlignVCenter,
                        elided(toQt(analysis::heading(column)), points::normal, left - besideNames - from),
                        points::normal, depth < 2 ? palette.ink : palette.muted);
        for (std::size_t trace = 0; trace < table.rows.size(); ++trace) {
            const engine::Cell& cell = table.rows[trace][line];
            const QPointF at = centre(trace, line);
            QColor ink = palette.ink;
            if (column.content == engine::Content::share) {
                const QColor fill = efficiencyColour(std::get<double>(cell), dark);
                pencil.rectangle({at.x() - width / 2, at.y() - height / 2, width - aroundCells, height - aroundCells},
                                 fill, palette.hairline);
                ink = readableOn(fill);
            }
            write({at.x() - aroundCells / 2, at.y() - aroundCells / 2}, toQt(analysis::shown(cell, column.content)),
                  ink, false);
        }
    }
    double below = frame.plot.top() + height * static_cast<double>(rows + 1) + besideNames;
    for (const std::string& remark : table.remarks) {
        if (below + lineHeight(points::normal) > frame.plot.bottom()) break;
        const QString shown = elided(toQt(remark), points::normal, frame.plot.width());
        Shape& text =
            pencil.text({frame.plot.left(), below}, Qt::AlignLeft | Qt::AlignTop, shown, points::normal, palette.muted);
        if (shown != toQt(remark)) text.tip = toQt(remark);
        below += lineHeight(points::normal);
    }
    return scene;
}

}  // namespace app::gui
