// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/charts/sweep_scene.hpp"

#include "app/gui/scenes/common/chart_frame.hpp"
#include "app/gui/scenes/drawing/chart_axis.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>

namespace app::gui {
namespace {

/// A mark of one of four shapes.
void drawMark(SceneBuilder& pencil, QPointF at, std::size_t line, const QColor& colour) {
    constexpr double half = 3;
    const QRectF box{at - QPointF{half, half}, QSizeF{2 * half, 2 * half}};
    switch (line % 4) {
        case 0: pencil.ellipse(box, colour); return;
        case 1: pencil.rectangle(box, colour); return;
        case 2: pencil.ellipse(box, pencil.palette().paper, colour).width = 1.5; return;
        default: pencil.rectangle(box, pencil.palette().paper, colour).width = 1.5;
    }
}

/// Colour of the line at `index`, formulas behind all others; the formula of a line has that line's.
QColor colourOf(const Chart& chart, std::size_t index, bool dark) {
    const std::size_t lines = chart.lines.size();
    if (index >= lines)
        for (std::size_t i = 0; i < lines; ++i)
            if (chart.formulas[index - lines].name == "formula of " + chart.lines[i].name) index = i;
    const std::size_t all = std::max(mostSweepLines, lines + chart.formulas.size());
    return originColour(static_cast<std::int64_t>(index), static_cast<std::int64_t>(all), dark);
}

/// That of all schedules, or of the only problem; else that of the line that is of the same problem.
QColor colourOfBound(const Chart& chart, std::size_t index, const SceneBuilder& pencil) {
    const std::string& name = chart.bounds[index].name;
    for (std::size_t i = 0; i < chart.lines.size(); ++i)
        if (name.ends_with(", " + chart.lines[i].name)) return colourOf(chart, i, pencil.dark());
    return index == 0 ? pencil.palette().accent : pencil.palette().muted;
}

/// What stands at a number from elsewhere: a cross.
void drawCross(SceneBuilder& pencil, QPointF at) {
    constexpr double half = 5;
    pencil.line(at - QPointF{half, half}, at + QPointF{half, half}, pencil.palette().ink, 2);
    pencil.line(at - QPointF{half, -half}, at + QPointF{half, -half}, pencil.palette().ink, 2);
}

/// What stands where real processes were: a ring around the place, wider than a mark.
void drawRing(SceneBuilder& pencil, QPointF at, const QColor& colour) {
    constexpr double half = 5;
    pencil.ellipse({at - QPointF{half, half}, QSizeF{2 * half, 2 * half}}, Qt::transparent, colour).width = 2;
}

/// That of the line whose points were measured; of what was only measured, one that no line has.
QColor colourOfMeasured(const Chart& chart, std::size_t index, bool dark) {
    for (std::size_t i = 0; i < chart.lines.size(); ++i)
        if (chart.lines[i].name == chart.measured[index].name) return colourOf(chart, i, dark);
    const std::size_t before = chart.lines.size() + chart.formulas.size();
    const auto all = static_cast<std::int64_t>(std::max(mostSweepLines, before + chart.measured.size()));
    return originColour(static_cast<std::int64_t>(before + index), all, dark);
}

bool onlyMeasured(const Chart& chart, const Chart::Line& measured) {
    return std::ranges::find(chart.lines, measured.name, &Chart::Line::name) == chart.lines.end();
}

/// Whether `line`, a formula or a bound of lines of the chart, reaches from its point before number `i` to that one:
/// not over numbers at which these have points and it has none.
bool reaches(const Chart& chart, const Chart::Line& line, std::size_t i) {
    const double from = line.points[i - 1].x;
    const double to = line.points[i].x;
    const auto between = [&](const Chart::Point& point) { return from < point.x && point.x < to; };
    const auto skips = [&](const Chart::Line& other) { return std::ranges::any_of(other.points, between); };
    const bool ofOne = std::ranges::any_of(
        chart.lines, [&](const Chart::Line& other) { return line.name == "formula of " + other.name; });
    return std::ranges::none_of(chart.lines, [&](const Chart::Line& other) {
        return (!ofOne || line.name == "formula of " + other.name) && skips(other);
    });
}

bool isFormula(const Chart::Line& line) { return line.name.starts_with("formula of "); }

/// " The formula of allreduce/ring holds at 2, 4, 8, 16 and 32 only."; of formulas that hold everywhere nothing.
QString formulasWithGaps(const Chart& chart) {
    constexpr std::size_t most = 8;
    QString words;
    for (const Chart::Line& line : chart.formulas) {
        const auto of = std::ranges::find_if(
            chart.lines, [&](const Chart::Line& other) { return line.name == "formula of " + other.name; });
        if (of == chart.lines.end() || line.points.size() == of->points.size()) continue;
        QStringList numbers;
        for (const Chart::Point& point : line.points) numbers << numberInWords(point.x, chart.across.unit);
        const QString last = numbers.takeLast();
        words += QStringLiteral(" The %1 holds at %2 only.")
                     .arg(QString::fromStdString(line.name),
                          line.points.size() > most
                              ? QStringLiteral("%1 of %2 numbers").arg(line.points.size()).arg(of->points.size())
                          : numbers.isEmpty() ? last
                                              : numbers.join(QStringLiteral(", ")) + QStringLiteral(" and ") + last);
    }
    return words;
}

/// A bound that is known at one of several numbers has no line.
bool hasLine(const Chart& chart, const Chart::Line& bound) {
    return bound.points.size() > 1 || chart.lines.front().points.size() == 1;
}

Legend legendOf(const Chart& chart) {
    Legend legend;
    for (std::size_t i = 0; i < chart.lines.size(); ++i)
        legend.entry(QString::fromStdString(chart.lines[i].name), [i, &chart](SceneBuilder& pencil, const QRectF& box) {
            const QColor colour = colourOf(chart, i, pencil.dark());
            pencil.line({box.left(), box.center().y()}, {box.right(), box.center().y()}, colour, 1.5);
            drawMark(pencil, box.center(), i, colour);
        });
    for (std::size_t i = 0; i < chart.formulas.size(); ++i)
        legend.entry(QString::fromStdString(chart.formulas[i].name),
                     [i, &chart](SceneBuilder& pencil, const QRectF& box) {
                         pencil
                             .line({box.left(), box.center().y()}, {box.right(), box.center().y()},
                                   colourOf(chart, chart.lines.size() + i, pencil.dark()), 1.5)
                             .dashed = true;
                     });
    for (std::size_t i = 0; i < chart.measured.size(); ++i)
        if (onlyMeasured(chart, chart.measured[i]))
            legend.entry(QString::fromStdString(chart.measured[i].name),
                         [i, &chart](SceneBuilder& pencil, const QRectF& box) {
                             const QColor colour = colourOfMeasured(chart, i, pencil.dark());
                             pencil.line({box.left(), box.center().y()}, {box.right(), box.center().y()}, colour, 1);
                             drawRing(pencil, box.center(), colour);
                         });
    if (!chart.measured.empty())
        legend.entry(QStringLiteral("measured over MPI"), [](SceneBuilder& pencil, const QRectF& box) {
            drawRing(pencil, box.center(), pencil.palette().ink);
        });
    if (!chart.marks.empty())
        legend.entry(QStringLiteral("in print"),
                     [](SceneBuilder& pencil, const QRectF& box) { drawCross(pencil, box.center()); });
    if (!chart.before.empty())
        legend.entry(QStringLiteral("before"), [](SceneBuilder& pencil, const QRectF& box) {
            pencil
                .line({box.left(), box.center().y()}, {box.right(), box.center().y()},
                      mixed(pencil.palette().paper, pencil.palette().muted, 0.45), 1.5)
                .dashed = true;
        });
    if (chart.here)
        legend.entry(QStringLiteral("this run"), [](SceneBuilder& pencil, const QRectF& box) {
            pencil.ellipse({box.center() - QPointF{5, 5}, QSizeF{10, 10}}, {}, pencil.palette().accent).width = 2.5;
        });
    for (std::size_t i = 0; i < chart.bounds.size(); ++i) {
        if (!hasLine(chart, chart.bounds[i])) continue;
        legend.entry(QString::fromStdString(chart.bounds[i].name),
                     [i, &chart](SceneBuilder& pencil, const QRectF& box) {
                         pencil
                             .line({box.left(), box.center().y()}, {box.right(), box.center().y()},
                                   colourOfBound(chart, i, pencil), 2)
                             .dashed = true;
                     });
    }
    return legend;
}

/// The name without the collective that all lines have: "linear-ring".
QString nameInChart(const Chart& chart, const std::string& name) {
    const std::string collective = name.substr(0, name.find('/') + 1);
    const bool common =
        std::ranges::all_of(chart.lines, [&](const Chart::Line& line) { return line.name.starts_with(collective); });
    return QString::fromStdString(common ? name.substr(collective.size()) : name);
}

/// The greatest value below `next` at which a line of the chart has a point.
double lastBefore(const Chart& chart, double next) {
    double last = std::numeric_limits<double>::lowest();
    for (const Chart::Line& line : chart.lines)
        for (const Chart::Point& point : line.points)
            if (point.x < next) last = std::max(last, point.x);
    return last;
}

/// "Fastest: binomial-tree to 2 KiB; pipelined-chain and chain alike from 4 KiB."
QString fastest(const Chart& chart) {
    constexpr qsizetype mostLeads = 4;
    constexpr qsizetype mostNames = 2;
    const std::vector<Lead> leads = leadsOf(chart);
    QStringList parts;
    for (const Lead& lead : leads) {
        if (parts.size() == mostLeads) {
            parts << QStringLiteral("and so on");
            break;
        }
        QStringList names;
        for (const std::string& name : lead.names) names << nameInChart(chart, name);
        QString who = names.size() == static_cast<qsizetype>(chart.lines.size()) && names.size() > mostNames
                          ? QStringLiteral("all alike")
                      : names.size() > mostNames ? QStringLiteral("%1 lines alike").arg(names.size())
                                                 : names.join(QStringLiteral(" and "));
        if (names.size() == 2) who += QStringLiteral(" alike");
        const auto next = static_cast<std::size_t>(parts.size()) + 1;
        if (!parts.isEmpty()) who += QStringLiteral(" from %1").arg(numberInWords(lead.from, chart.across.unit));
        if (next < leads.size()) {
            const double last = lastBefore(chart, leads[next].from);
            const QString end = numberInWords(last, chart.across.unit);
            if (parts.isEmpty() || last > lead.from) who += QStringLiteral(" to %1").arg(end);
            else who.replace(QStringLiteral(" from "), QStringLiteral(" at "));
        }
        parts << who;
    }
    return (chart.measured.empty() ? QStringLiteral("Fastest: ") : QStringLiteral("Fastest in virtual time: ")) +
           parts.join(QStringLiteral("; ")) + '.';
}

/// "Highest: 15.4 at 32 MiB, pipelined ring."
QString highest(const Chart& chart) {
    const Chart::Line* best = nullptr;
    Chart::Point most;
    for (const Chart::Line& line : chart.lines)
        for (const Chart::Point& point : line.points)
            if (best == nullptr || point.y > most.y) best = &line, most = point;
    return QStringLiteral("Highest: %1 at %2, %3.")
        .arg(numberInWords(most.y, chart.up.unit), numberInWords(most.x, chart.across.unit),
             QString::fromStdString(best->name));
}

/// Where a time that falls and rises again is least; nothing for other lines.
std::optional<Chart::Point> optimumOf(const Chart& chart, const Chart::Line& line) {
    if (chart.up.unit != Unit::seconds || line.points.empty()) return std::nullopt;
    const auto least = std::min_element(line.points.begin(), line.points.end(),
                                        [](const Chart::Point& a, const Chart::Point& b) { return a.y < b.y; });
    return least->y < line.points.front().y && least->y < line.points.back().y ? std::optional{*least} : std::nullopt;
}

/// " Least: 3.9 ms at 64 KiB, pipelined ring."; nothing where no time falls and rises again.
QString optima(const Chart& chart) {
    QStringList parts;
    for (const Chart::Line& line : chart.lines)
        if (const auto best = optimumOf(chart, line))
            parts << QStringLiteral("%1 at %2")
                             .arg(numberInWords(best->y, chart.up.unit), numberInWords(best->x, chart.across.unit)) +
                         (chart.lines.size() > 1 ? ", " + QString::fromStdString(line.name) : QString{});
    constexpr qsizetype most = 3;
    if (parts.isEmpty() || parts.size() > most) return {};
    return QStringLiteral(" Least: ") + parts.join(QStringLiteral("; ")) + '.';
}

/// How what was measured compares with the lines, after a blank; nothing where nothing was measured.
QString measured(const Chart& chart) {
    std::vector<double> ratios;
    for (const Chart::Line& line : chart.measured) {
        if (onlyMeasured(chart, line)) continue;
        const auto same = std::ranges::find(chart.lines, line.name, &Chart::Line::name);
        for (const Chart::Point& point : line.points) {
            const auto virtually = std::ranges::find(same->points, point.x, &Chart::Point::x);
            if (virtually != same->points.end() && virtually->y > 0) ratios.push_back(point.y / virtually->y);
        }
    }
    return ratios.empty() ? QString{} : ' ' + QString::fromStdString(measuredWords(ratios));
}

QString inWords(const Chart& chart) {
    if (chart.up.unit != Unit::seconds) return highest(chart) + measured(chart);
    return (chart.lines.size() > 1 ? fastest(chart) : QString::fromStdString(chart.lines.front().name) + '.') +
           optima(chart) + measured(chart) + formulasWithGaps(chart);
}

/// Ticks at the numbers that were measured, named where there is room. Returns the left end of the leftmost name.
double numbersAcross(SceneBuilder& pencil, const ChartFrame& frame, const Chart& chart, const ChartAxis& x) {
    std::set<double> numbers;
    for (const Chart::Line& line : chart.lines)
        for (const Chart::Point& point : line.points) numbers.insert(point.x);
    // So far apart that at most twelve of them are named, the last one if any.
    constexpr std::size_t most = 12;
    const std::size_t stride = (numbers.size() + most - 1) / most;
    double leftmost = frame.plot.left();
    std::size_t left = numbers.size();
    for (const double number : numbers) {
        --left;
        const double at = x.pixel(number);
        pencil.line({at, frame.plot.bottom()}, {at, frame.plot.bottom() + 3}, pencil.palette().muted);
        if (left % stride != 0) continue;
        const QString words = x.words(number);
        const QSizeF room = sizeOf(words, points::tiny);
        // The last one stays within the paper, the first one beside what goes up.
        const double middle =
            std::max(std::min(at, frame.plot.right() + 6 - room.width() / 2), frame.plot.left() + 2 + room.width() / 2);
        const QRectF box{middle - room.width() / 2, frame.plot.bottom() + 3, room.width(), room.height()};
        if (!pencil.freeOfText(box.adjusted(-4, 0, 4, 0))) continue;
        pencil.text({middle, box.top()}, Qt::AlignHCenter | Qt::AlignTop, words, points::tiny, pencil.palette().muted);
        leftmost = std::min(leftmost, box.left());
    }
    return leftmost;
}

}  // namespace

Scene sweepScene(const Chart& chart, bool dark, QSizeF size) {
    if (chart.empty())
        return sorry(QStringLiteral("Press Run all: every algorithm for this problem runs with contributions of 1 B "
                                    "to 16 MiB, in virtual time."),
                     dark, size);
    Scene scene;
    SceneBuilder pencil{scene, dark};
    const Palette& palette = pencil.palette();
    scene.description = inWords(chart);
    const bool time = chart.up.unit == Unit::seconds;
    // What goes across stands before its first number; a long name has a line of its own.
    const QString across = QString::fromStdString(chart.across.name);
    const QString widest = time ? QStringLiteral("888.8 \u00b5s") : QStringLiteral("1,023 MiB");
    constexpr double gap = 14;  // so that the name and the first number are not read as one
    const bool isLong = sizeOf(across, points::tiny).width() + gap > size.width() - margin - plotWidth(size, widest);
    ChartFrame frame =
        chartFrame(pencil, size, scene.description, widest, isLong ? across : QString{}, legendOf(chart));
    // What goes up, above its numbers.
    const double title = lineHeight(points::tiny);
    if (!chart.up.name.empty() && frame.plot.height() > 4 * title) {
        pencil.text({margin, frame.plot.top() - 2}, Qt::AlignLeft | Qt::AlignTop,
                    elided(QString::fromStdString(chart.up.name), points::tiny, frame.plot.right() - margin),
                    points::tiny, palette.muted);
        frame.plot.setTop(frame.plot.top() + title + 5);
    }
    double least[2] = {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
    double most[2] = {-least[0], -least[0]};
    const auto take = [&](double at, double low, double high) {
        // What is not above 0 has no place on a logarithmic axis.
        if (chart.across.linear || at > 0) least[0] = std::min(least[0], at);
        if (chart.up.linear || low > 0) least[1] = std::min(least[1], low);
        most[0] = std::max(most[0], at);
        most[1] = std::max(most[1], high);
    };
    for (const auto* lines : {&chart.lines, &chart.formulas, &chart.bounds, &chart.measured, &chart.before})
        for (const Chart::Line& line : *lines)
            for (const Chart::Point& point : line.points) take(point.x, point.low, point.high);
    for (const Chart::Mark& mark : chart.marks) take(mark.x, mark.y, mark.y);
    if (chart.here) take(chart.here->x, chart.here->y, chart.here->y);
    ChartAxis x{chart.across, least[0], most[0], false};
    ChartAxis y{chart.up, least[1], most[1], true};
    x.stretch(frame.plot.left() + 4, frame.plot.right() - 4);
    y.stretch(frame.plot.bottom(), frame.plot.top());
    for (const double number : y.roundNumbers(8)) {
        const QString words = y.words(number);
        const QSizeF room = sizeOf(words, points::tiny);
        double at = y.pixel(number);
        pencil.line({frame.plot.left(), at}, {frame.plot.right(), at}, palette.faint);
        // Below the plot stands what goes across.
        at = std::min(at, frame.plot.bottom() + 3 - room.height() / 2);
        if (pencil.freeOfText({frame.numbers - room.width(), at - room.height() / 2, room.width(), room.height()}))
            pencil.text({frame.numbers, at}, Qt::AlignRight | Qt::AlignVCenter, words, points::tiny, palette.muted);
    }
    const double leftmost = numbersAcross(pencil, frame, chart, x);
    // Where the first number leaves no room before it, the name stands below the last one.
    const QSizeF name = sizeOf(across, points::tiny);
    const bool before = leftmost - gap - name.width() >= 0;
    const double end = before ? leftmost - gap : frame.plot.right() + 6;
    const double under = frame.plot.bottom() + 3 + (before ? 0 : name.height() - 2);
    if (!isLong) pencil.text({end, under}, Qt::AlignRight | Qt::AlignTop, across, points::tiny, palette.muted);
    const auto place = [&](double right, double up) { return QPointF{x.pixel(right), y.pixel(up)}; };
    const auto draw = [&](const Chart::Line& line, const QColor& colour, double width, bool dashed) {
        for (std::size_t i = 1; i < line.points.size(); ++i)
            pencil
                .line(place(line.points[i - 1].x, line.points[i - 1].y), place(line.points[i].x, line.points[i].y),
                      colour, width)
                .dashed = dashed;
    };
    const auto tip = [&](const std::string& whose, double at, const QString& what) {
        scene.shapes.back().tip = QStringLiteral("%1, %2: %3").arg(QString::fromStdString(whose), x.words(at), what);
    };
    for (const Chart::Line& line : chart.before) draw(line, mixed(palette.paper, palette.muted, 0.45), 1.5, true);
    for (std::size_t i = 0; i < chart.lines.size(); ++i) {
        const Chart::Line& line = chart.lines[i];
        const QColor colour = colourOf(chart, i, dark);
        draw(line, colour, 1.5, false);
        for (const Chart::Point& point : line.points) {
            if (point.low < point.high) {
                pencil.line(place(point.x, point.low), place(point.x, point.high), colour, 1);
                tip(line.name, point.x, QStringLiteral("%1 to %2").arg(y.words(point.low), y.words(point.high)));
            }
            if (point == optimumOf(chart, line))
                pencil.ellipse(QRectF{place(point.x, point.y) - QPointF{6, 6}, QSizeF{12, 12}}, Qt::transparent, colour)
                    .width = 1;
            drawMark(pencil, place(point.x, point.y), i, colour);
            tip(line.name, point.x, y.words(point.y));
        }
    }
    // Points that nothing leads to or from are short strokes.
    const auto drawWhereKnown = [&](const Chart::Line& line, const QColor& colour, double width) {
        constexpr double half = 8;
        bool reached = false;
        for (std::size_t i = 0; i < line.points.size(); ++i) {
            const bool after = i + 1 < line.points.size() && reaches(chart, line, i + 1);
            const QPointF at = place(line.points[i].x, line.points[i].y);
            if (after) pencil.line(at, place(line.points[i + 1].x, line.points[i + 1].y), colour, width).dashed = true;
            if (!reached && !after && line.points.size() > 1)
                pencil.line(at - QPointF{half, 0}, at + QPointF{half, 0}, colour, width);
            reached = after;
        }
    };
    for (std::size_t i = 0; i < chart.formulas.size(); ++i) {
        const QColor colour = colourOf(chart, chart.lines.size() + i, dark);
        if (isFormula(chart.formulas[i])) drawWhereKnown(chart.formulas[i], colour, 1.5);
        else draw(chart.formulas[i], colour, 1.5, true);
    }
    for (std::size_t i = 0; i < chart.bounds.size(); ++i)
        drawWhereKnown(chart.bounds[i], colourOfBound(chart, i, pencil), 2);
    for (std::size_t i = 0; i < chart.measured.size(); ++i) {
        const Chart::Line& line = chart.measured[i];
        const QColor colour = colourOfMeasured(chart, i, dark);
        if (onlyMeasured(chart, line)) draw(line, colour, 1, false);
        for (const Chart::Point& point : line.points) {
            if (point.low < point.high) pencil.line(place(point.x, point.low), place(point.x, point.high), colour, 2);
            drawRing(pencil, place(point.x, point.y), colour);
            tip(line.name + ", measured over MPI", point.x,
                point.low < point.high
                    ? QStringLiteral("%1, from %2 to %3").arg(y.words(point.y), y.words(point.low), y.words(point.high))
                    : y.words(point.y));
        }
    }
    for (const Chart::Mark& mark : chart.marks) {
        const QPointF at = place(mark.x, mark.y);
        drawCross(pencil, at);
        tip("in print", mark.x, QString::fromStdString(mark.words));
        const QString words = QString::fromStdString(mark.words);
        const QSizeF room = sizeOf(words, points::small);
        // Beside the cross, on the side where there is room.
        const bool right = at.x() + 10 + room.width() <= frame.plot.right();
        // Lines behind the words are covered.
        QColor paper = palette.paper;
        paper.setAlphaF(0.8F);
        pencil.rectangle(
            {at.x() + (right ? 8 : -12 - room.width()), at.y() - room.height() / 2, room.width() + 4, room.height()},
            paper);
        pencil.text(at + QPointF{right ? 10.0 : -10.0, 0}, (right ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter,
                    words, points::small, palette.ink);
    }
    if (chart.here) {
        const QPointF at = place(chart.here->x, chart.here->y);
        Shape& ring = pencil.ellipse(QRectF{at - QPointF{5, 5}, QSizeF{10, 10}}, {}, palette.accent);
        ring.width = 2.5;
        tip("this run", chart.here->x, QString::fromStdString(chart.here->words));
    }
    return scene;
}

double sweepHeight(const Chart& chart, double width) {
    const double plot = 117 + 2 * lineHeight(points::tiny);
    return chart.empty() ? 0 : wholeChartHeight(width, plot, inWords(chart), legendOf(chart));
}

Table sweepTable(const Chart& chart) {
    Table table = tableWith({{chart.across.name}});
    std::map<double, std::size_t> rows;
    const auto fill = [&](const Chart::Line& line, const std::string& name) {
        table.columns.push_back({name});
        for (const Chart::Point& point : line.points) {
            const auto [row, fresh] = rows.try_emplace(point.x, table.rows.size());
            if (fresh) table.rows.push_back({cellOf(numberInWords(point.x, chart.across.unit))});
            table.rows[row->second].resize(table.columns.size());
            table.rows[row->second].back() = cellOf(numberInWords(point.y, chart.up.unit));
        }
    };
    for (const Chart::Line& line : chart.lines) fill(line, line.name);
    for (const Chart::Line& line : chart.measured) fill(line, line.name + ", measured");
    for (const Chart::Line& line : chart.bounds) fill(line, line.name);
    for (std::vector<engine::Cell>& row : table.rows) row.resize(table.columns.size());
    return table;
}

}  // namespace app::gui
