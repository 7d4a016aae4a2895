// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/sweep_scene.hpp"

#include "app/gui/scenes/chart_frame.hpp"
#include "app/gui/scenes/words.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace app::gui {
namespace {

using engine::Picoseconds;

/// A logarithmic axis from `low` to `high` (> 0) over [begin, end] of pixels.
struct LogAxis {
    double low = 1;
    double high = 10;
    double begin = 0;
    double end = 1;

    [[nodiscard]] double pixel(double value) const {
        return begin + (end - begin) * std::log(std::max(value, low) / low) / std::log(high / low);
    }
};

/// A mark of one of four shapes.
void drawMark(Pencil& pencil, QPointF at, std::size_t line, const QColor& colour) {
    constexpr double half = 3;
    const QRectF box{at - QPointF{half, half}, QSizeF{2 * half, 2 * half}};
    switch (line % 4) {
        case 0: pencil.ellipse(box, colour); return;
        case 1: pencil.rectangle(box, colour); return;
        case 2: pencil.ellipse(box, pencil.palette().paper, colour).width = 1.5; return;
        default: pencil.rectangle(box, pencil.palette().paper, colour).width = 1.5;
    }
}

Legend legendOf(const Chart& chart) {
    Legend legend;
    for (std::size_t i = 0; i < chart.lines.size(); ++i)
        legend.entry(QString::fromStdString(chart.lines[i].name), [i](Pencil& pencil, const QRectF& box) {
            const QColor colour =
                originColour(static_cast<std::int64_t>(i), std::int64_t{mostSweepLines}, pencil.dark());
            pencil.line({box.left(), box.center().y()}, {box.right(), box.center().y()}, colour, 1.5);
            drawMark(pencil, box.center(), i, colour);
        });
    if (!chart.bound.points.empty())
        legend.entry(QStringLiteral("lower bound"), [](Pencil& pencil, const QRectF& box) {
            pencil.line({box.left(), box.center().y()}, {box.right(), box.center().y()}, pencil.palette().accent, 2)
                .dashed = true;
        });
    return legend;
}

QString numberInWords(const Chart& chart, std::int64_t number) {
    return chart.bytes ? bytesInWords(number) : QString::number(number);
}

/// "Fastest: binomial tree, from 4 KiB pipelined chain and chain alike."
QString inWords(const Chart& chart) {
    QStringList parts;
    for (const Lead& lead : leadsOf(chart)) {
        QStringList names;
        for (const std::string& name : lead.names) names << QString::fromStdString(name);
        QString who = names.join(QStringLiteral(" and "));
        if (names.size() > 1) who += QStringLiteral(" alike");
        parts << (parts.isEmpty() ? who : QStringLiteral("from %1 %2").arg(numberInWords(chart, lead.from), who));
    }
    return QStringLiteral("Fastest: ") + parts.join(QStringLiteral(", ")) + '.';
}

}  // namespace

Scene sweepScene(const Chart& chart, bool dark, QSizeF size) {
    if (chart.empty())
        return sorry(QStringLiteral("Press Run sizes: every algorithm for this problem runs with contributions of 1 B "
                                    "to 16 MiB, in virtual time."),
                     dark, size);
    Scene scene;
    Pencil pencil{scene, dark};
    const Palette& palette = pencil.palette();
    scene.description = inWords(chart);
    const ChartFrame frame =
        chartFrame(pencil, size, scene.description, QStringLiteral("888.8 \u00b5s"), {}, legendOf(chart));
    LogAxis x{1e18, 1, frame.plot.left() + 4, frame.plot.right() - 4};
    LogAxis y{1e18, 1, frame.plot.bottom(), frame.plot.top()};
    const auto stretch = [&](const Chart::Line& line) {
        for (const auto& [number, time] : line.points) {
            x.low = std::min(x.low, std::max(1.0, static_cast<double>(number)));
            x.high = std::max(x.high, static_cast<double>(number));
            y.low = std::min(y.low, std::max(1.0, static_cast<double>(time.count())));
            y.high = std::max(y.high, static_cast<double>(time.count()));
        }
    };
    for (const Chart::Line& line : chart.lines) stretch(line);
    stretch(chart.bound);
    x.high = std::max(x.high, x.low * 2);
    y.low = std::pow(10, std::floor(std::log10(y.low)));
    y.high = std::max(y.low * 10, std::pow(10, std::ceil(std::log10(y.high))));
    for (double decade = y.low; decade <= y.high * 1.01; decade *= 10) {
        const double at = y.pixel(decade);
        pencil.line({frame.plot.left(), at}, {frame.plot.right(), at}, palette.faint);
        const QString words = timeInWords(Picoseconds{std::llround(decade)});
        const QSizeF room = sizeOf(words, points::tiny);
        if (pencil.freeOfText({frame.numbers - room.width(), at - room.height() / 2, room.width(), room.height()}))
            pencil.text({frame.numbers, at}, Qt::AlignRight | Qt::AlignVCenter, words, points::tiny, palette.muted);
    }
    // Powers of two, so far apart that at most ten of them are named.
    double leftmost = frame.plot.left();
    const double stride = std::exp2(std::ceil(std::log2(x.high / x.low) / 10));
    for (double power = std::exp2(std::ceil(std::log2(x.low))); power <= x.high * 1.0001; power *= stride) {
        const auto number = std::llround(power);
        const double at = x.pixel(power);
        pencil.line({at, frame.plot.bottom()}, {at, frame.plot.bottom() + 3}, palette.muted);
        const QString words = numberInWords(chart, number);
        const QSizeF room = sizeOf(words, points::tiny);
        // The last one stays within the paper.
        const double middle = std::min(at, frame.plot.right() + 6 - room.width() / 2);
        const QRectF box{middle - room.width() / 2, frame.plot.bottom() + 3, room.width(), room.height()};
        if (!pencil.freeOfText(box.adjusted(-4, 0, 4, 0))) continue;
        pencil.text({middle, box.top()}, Qt::AlignHCenter | Qt::AlignTop, words, points::tiny, palette.muted);
        leftmost = std::min(leftmost, box.left());
    }
    // What the numbers are, before the first of them; a long name below the last.
    const QString across = QString::fromStdString(chart.across);
    const QSizeF name = sizeOf(across, points::tiny);
    const bool before = leftmost - 6 - name.width() >= 0;
    const double end = before ? leftmost - 6 : frame.plot.right() + 6;
    const double under = frame.plot.bottom() + 3 + (before ? 0 : name.height() - 2);
    pencil.text({end, under}, Qt::AlignRight | Qt::AlignTop, across, points::tiny, palette.muted);
    const auto place = [&](const std::pair<std::int64_t, Picoseconds>& point) {
        return QPointF{x.pixel(static_cast<double>(point.first)), y.pixel(static_cast<double>(point.second.count()))};
    };
    const auto draw = [&](const Chart::Line& line, const QColor& colour, double width, bool dashed) {
        for (std::size_t i = 1; i < line.points.size(); ++i)
            pencil.line(place(line.points[i - 1]), place(line.points[i]), colour, width).dashed = dashed;
    };
    for (std::size_t i = 0; i < chart.lines.size(); ++i) {
        const Chart::Line& line = chart.lines[i];
        const QColor colour = originColour(static_cast<std::int64_t>(i), std::int64_t{mostSweepLines}, dark);
        draw(line, colour, 1.5, false);
        for (const auto& point : line.points) {
            drawMark(pencil, place(point), i, colour);
            scene.shapes.back().tip = QStringLiteral("%1, %2: %3")
                                          .arg(QString::fromStdString(line.name), numberInWords(chart, point.first),
                                               timeInWords(point.second));
        }
    }
    draw(chart.bound, palette.accent, 2, true);
    return scene;
}

Table sweepTable(const Chart& chart) {
    const QString across = QString::fromStdString(chart.across);
    Table table{{across.left(1).toUpper() + across.mid(1)}, {}, 0};
    std::map<std::int64_t, std::size_t> rows;
    const auto fill = [&](const Chart::Line& line, const QString& name) {
        table.columns << name;
        for (const auto& [number, time] : line.points) {
            const auto [row, fresh] = rows.try_emplace(number, table.rows.size());
            if (fresh) table.add({numberInWords(chart, number)});
            QStringList& words = table.rows[row->second];
            while (words.size() + 1 < table.columns.size()) words << QStringLiteral("\u2013");
            words << timeInWords(time);
        }
    };
    for (const Chart::Line& line : chart.lines) fill(line, QString::fromStdString(line.name));
    if (!chart.bound.points.empty()) fill(chart.bound, QStringLiteral("Lower bound"));
    for (QStringList& row : table.rows)
        while (row.size() < table.columns.size()) row << QStringLiteral("\u2013");
    return table;
}

}  // namespace app::gui
