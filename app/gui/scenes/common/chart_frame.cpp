// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/common/chart_frame.hpp"

#include <algorithm>
#include "app/gui/scenes/drawing/style.hpp"

namespace app::gui {
namespace {

constexpr double lowestWithLegend = 150;  // pixels; below, the plot needs the room
constexpr double plotBesideLegend = 70;   // which a long legend leaves to the plot
constexpr double belowWords = 6;
constexpr double aboveLegend = 5;
constexpr double belowLowest = 5;  // of the numbers at the left, half of which stands below the plot

double axisHeight() { return lineHeight(points::tiny) + 2; }

}  // namespace

ChartFrame chartFrame(SceneBuilder& pencil, QSizeF size, const QString& words, const QString& widest,
                      const QString& below, const Legend& legend) {
    const QRectF whole = QRectF{QPointF{}, size}.adjusted(margin, margin, -margin, -margin);
    const Palette& palette = pencil.palette();
    const double line = lineHeight(points::small);
    // The first lines of the sentence, as many as leave the plot two thirds.
    const QStringList lines = wrapped(words, points::small, whole.width());
    const auto most = std::clamp<qsizetype>(static_cast<qsizetype>(whole.height() / 3 / line), 1, lines.size());
    double top = whole.top();
    for (qsizetype i = 0; i < most; ++i, top += line) {
        const bool goesOn = i + 1 == most && most < lines.size();
        const QString said = goesOn ? elided(lines[i] + ' ' + lines[i + 1], points::small, whole.width()) : lines[i];
        Shape& text = pencil.text({whole.left(), top}, Qt::AlignLeft | Qt::AlignTop, said, points::small, palette.ink);
        if (goesOn) text.tip = words;
    }
    top += belowWords;
    double bottom = whole.bottom();
    ChartFrame frame;
    if (!legend.empty() && whole.height() >= lowestWithLegend) {
        const double room = std::max(whole.height() / 3, bottom - top - aboveLegend - axisHeight() - plotBesideLegend);
        const double height = std::min(legend.rowsHeight(whole.width()), room);
        frame.legend = {whole.left(), bottom - height, whole.width(), height};
        bottom -= height + aboveLegend;
        legend.rows(pencil, frame.legend);
    }
    const double axis = axisHeight();
    const double left = whole.right() - plotWidth(size, widest);
    frame.numbers = left - 4;
    // Below the numbers, as the last one needs the corner; in a low chart at their left, or nowhere.
    const bool low = whole.height() < lowestWithLegend;
    if (!below.isEmpty() && !low)
        pencil.text({whole.right(), bottom}, Qt::AlignRight | Qt::AlignBottom, below, points::tiny, palette.muted);
    const bool beside = low && !below.isEmpty() && sizeOf(below, points::tiny).width() <= frame.numbers - whole.left();
    if (beside)
        pencil.text({frame.numbers, bottom}, Qt::AlignRight | Qt::AlignBottom, below, points::tiny, palette.muted);
    bottom -= below.isEmpty() || low ? axis + (beside ? belowLowest : 0) : 2 * axis + 2;
    frame.plot = {left, top, whole.right() - left, std::max(bottom - top, 10.0)};
    return frame;
}

double wholeChartHeight(double width, double plot, const QString& words, const Legend& legend) {
    const double within = width - 2 * margin;
    const double said = static_cast<double>(wrapped(words, points::small, within).size()) * lineHeight(points::small);
    const double rest = said + belowWords + axisHeight() + aboveLegend + legend.rowsHeight(within);
    // The sentence has at most a third.
    return std::ceil(2 * margin + std::max({rest + plot, 3 * said, lowestWithLegend}));
}

double plotWidth(QSizeF size, const QString& widest) {
    return std::max(size.width() - 2 * margin - sizeOf(widest, points::tiny).width() - 6, 10.0);
}

analysis::Bins barsIn(double width, std::int64_t things) {
    constexpr double leastBar = 4;  // pixels
    return analysis::evenBins(things, std::max<std::int64_t>(1, static_cast<std::int64_t>(width / leastBar)));
}

void numbersBelow(SceneBuilder& pencil, const ChartFrame& frame, const analysis::Bins& bins, std::int64_t shift) {
    if (bins.count == 0) return;
    const double pitch = frame.plot.width() / static_cast<double>(bins.count);
    const double room = sizeOf(QString::number(bins.count + shift), points::tiny).width() + 8;
    const std::int32_t step = labelStep(pitch, room);
    const double y = frame.plot.bottom() + 3;
    const auto write = [&](std::int64_t thing) {
        const QString number = QString::number(thing + shift);
        const double half = sizeOf(number, points::tiny).width() / 2;
        const double x =
            std::min(frame.plot.left() + (static_cast<double>(thing) + 0.5) * pitch, frame.plot.right() + 1 - half);
        const QRectF box{x - half, y, 2 * half, lineHeight(points::tiny)};
        if (pencil.freeOfText(box.adjusted(-1, 0, 6, 0)))
            pencil.text({x, y}, Qt::AlignHCenter | Qt::AlignTop, number, points::tiny, pencil.palette().muted);
    };
    write(0);
    write(bins.count - 1);
    for (std::int64_t thing = (step - shift % step) % step; thing < bins.count; thing += step) write(thing);
}

void numbersBeside(SceneBuilder& pencil, const ChartFrame& frame, const analysis::Bins& bins) {
    if (bins.count == 0) return;
    const double pitch = frame.plot.height() / static_cast<double>(bins.count);
    const std::int32_t step = labelStep(pitch, lineHeight(points::tiny));
    const auto write = [&](std::int64_t thing) {
        const double y = frame.plot.top() + (static_cast<double>(thing) + 0.5) * pitch;
        const QString number = QString::number(thing);
        const QSizeF room = sizeOf(number, points::tiny);
        if (pencil.freeOfText({frame.numbers - room.width(), y - room.height() / 2, room.width(), room.height()}))
            pencil.text({frame.numbers, y}, Qt::AlignRight | Qt::AlignVCenter, number, points::tiny,
                        pencil.palette().muted);
    };
    write(0);
    write(bins.count - 1);
    for (std::int64_t thing = step; thing < bins.count; thing += step) write(thing);
}

void sharesBeside(SceneBuilder& pencil, const ChartFrame& frame) {
    const Palette& palette = pencil.palette();
    for (const int part : {0, 50, 100}) {
        const double y = frame.plot.bottom() - frame.plot.height() * part / 100;
        pencil.line({frame.plot.left(), y}, {frame.plot.right(), y}, palette.faint);
        if (part != 50 || frame.plot.height() > 60)
            pencil.text({frame.numbers, y}, Qt::AlignRight | Qt::AlignVCenter, QStringLiteral("%1%").arg(part),
                        points::tiny, palette.muted);
    }
}

void markBar(SceneBuilder& pencil, const ChartFrame& frame, double x, double width) {
    Shape& ring = pencil.rectangle({x - 1.5, frame.plot.top() - 1.5, width + 3, frame.plot.height() + 3}, {},
                                   pencil.palette().accent);
    ring.width = 1.5;
    ring.radius = 2;
}

Scene sorry(const QString& why, bool dark, QSizeF size) {
    Scene scene;
    SceneBuilder pencil{scene, dark};
    pencil.paragraph({margin, margin}, size.width() - 2 * margin, why, points::normal, pencil.palette().muted);
    scene.description = why;
    return scene;
}

void addLoadScale(Legend& legend, const QString& words) {
    legend.entry(words, [](SceneBuilder& pencil, const QRectF& box) {
        constexpr int steps = 6;
        for (int step = 0; step < steps; ++step)
            pencil.rectangle(
                {box.left() + box.width() * step / steps, box.top() + 1, box.width() / steps + 0.5, box.height() - 2},
                loadColour((step + 0.5) / steps, pencil.dark()));
    });
}

}  // namespace app::gui
