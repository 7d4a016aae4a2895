// SPDX-License-Identifier: BSD-3-Clause
// Block ownership at the cursor: ranks downwards, blocks to the right.
#include "app/gui/scenes/drawing/legend.hpp"
#include "app/gui/scenes/drawing/number_text.hpp"
#include "app/gui/scenes/drawing/style.hpp"
#include "app/gui/scenes/layout/dependency_highlight.hpp"
#include "app/gui/scenes/text/rank_glyphs.hpp"
#include "app/gui/scenes/text/run_text.hpp"

#include <algorithm>
#include <cmath>

namespace app::gui {
namespace {

constexpr double widestCell = 44;
constexpr double highestCell = 26;
constexpr double smallestCell = 3;
constexpr double colouredCell = 7;  // narrower ones share one colour
constexpr std::int32_t mostLines = 200;
constexpr int shades = 8;

/// Rows and columns of the picture; a line stands for one rank or column, or for several.
struct Lines {
    std::int32_t all = 0;
    std::int32_t shown = 0;
    double pitch = 0;

    Lines(std::int32_t count, double length, double largest) : all{count} {
        shown =
            std::clamp(std::min(mostLines, static_cast<std::int32_t>(length / smallestCell)), 1, std::max(count, 1));
        pitch = std::min(length / shown, largest);
    }
    [[nodiscard]] bool together() const { return shown < all; }
    /// Items of a line: [first(line), first(line + 1)).
    [[nodiscard]] std::int32_t first(std::int32_t line) const {
        return static_cast<std::int32_t>((static_cast<std::int64_t>(line) * all + shown - 1) / shown);
    }
};

QString brieflyOf(const analysis::Coverage& coverage, const analysis::Columns& columns) {
    if (columns.firstIn(columns.count() - 1) + 1 == columns.count())
        return QStringLiteral("%1 of %2 present").arg(countInWords(coverage.held), countInWords(coverage.needed));
    return QString::fromStdString(engine::showNumber(100 * coverage.share(), 3)) + QStringLiteral("% present");
}

/// Whole columns are counted where each is one block; for blocks shown together the share is given.
QString wordsOf(const analysis::Coverage& coverage, const analysis::Columns& columns) {
    if (columns.uncut())
        return QStringLiteral("%1 of %2 ranks that need the message have it")
            .arg(countInWords(coverage.held), countInWords(coverage.needed));
    if (columns.firstIn(columns.count() - 1) + 1 == columns.count())
        return QStringLiteral("%1 of %2 needed %3 are present")
            .arg(countInWords(coverage.held), countInWords(coverage.needed), QString::fromStdString(columns.plural()));
    return QString::fromStdString(engine::showNumber(100 * coverage.share(), 3)) +
           QStringLiteral("% of the needed data is present");
}

void drawCell(SceneBuilder& pencil, const QRectF& box, const analysis::Holding& cell, const QColor& colour, bool roomy,
              const Meaning& meaning) {
    const Palette& palette = pencil.palette();
    const double radius = roomy ? 2 : 0;
    if (cell.needed == 0 && cell.held == 0) {
        // Nothing is here and nothing has to come; a dot keeps the place visible.
        if (roomy) pencil.rectangle({box.center() - QPointF{1, 1}, QSizeF{2, 2}}, palette.muted).meaning = meaning;
        return;
    }
    const double share = cell.size == 0 ? 1 : static_cast<double>(cell.held) / static_cast<double>(cell.size);
    const bool through = cell.needed == 0;
    const QColor fill = through ? mixed(palette.paper, colour, 0.38) : colour;
    const QColor outline = through ? QColor{} : quietLine(palette);
    if (share < 1) {
        Shape& missing = pencil.rectangle(box, roomy ? palette.paper : palette.groove, roomy ? outline : QColor{});
        missing.radius = radius;
        missing.meaning = meaning;
    }
    if (share > 0) {
        Shape& held = pencil.rectangle({box.topLeft(), QSizeF{box.width() * share, box.height()}}, fill);
        held.radius = radius;
        held.meaning = meaning;
    }
    if (cell.fresh) {
        Shape& ring = pencil.rectangle(roomy ? box.adjusted(-0.5, -0.5, 0.5, 0.5) : box, {}, palette.accent);
        ring.radius = radius;
        ring.width = roomy ? 2.5 : 1;
        ring.meaning = meaning;
    }
    if (!cell.again) return;
    const QString mark = QStringLiteral("2\u00d7");
    const QSizeF room = sizeOf(mark, points::tiny, true);
    if (room.width() <= box.width() && room.height() <= box.height() + 2)
        pencil.text(box.center(), Qt::AlignCenter, mark, points::tiny, readableOn(fill), true).meaning = meaning;
    else pencil.ellipse({box.center() - QPointF{1.5, 1.5}, QSizeF{3, 3}}, palette.ink).meaning = meaning;
}

/// The label of the first block in the column.
QString headOf(const DrawableRun& subject, std::int32_t column) {
    return subject.labelOf(subject.columns().firstIn(column));
}

/// Which kinds of cells there are that the legend is to explain.
struct CellsSeen {
    bool dots = false;   ///< neither present nor needed
    bool parts = false;  ///< partly filled
};

/// Asked only where every cell is drawn.
CellsSeen cellsSeen(const DrawableRun& subject, engine::Picoseconds time) {
    CellsSeen seen;
    if (subject.run().ranks > mostLines || subject.columns().count() > mostLines) return seen;
    for (std::int32_t rank = 0; rank < subject.run().ranks; ++rank)
        for (std::int32_t column = 0; column < subject.columns().count(); ++column) {
            const analysis::Holding cell = subject.holdings().at(engine::Rank{rank}, column, time, time);
            seen.dots = seen.dots || (cell.needed == 0 && cell.held == 0);
            seen.parts = seen.parts || (cell.held > 0 && cell.held < cell.size);
        }
    return seen;
}

/// The one that is followed, or whose order is shown elsewhere.
void frameFollowed(SceneBuilder& pencil, const QRectF& box) {
    Shape& frame = pencil.rectangle(box, {}, pencil.palette().ink);
    frame.radius = 3;
    frame.dashed = true;
}

/// What is not followed, where a block is.
QColor otherBlocks(const Palette& palette) { return mixed(palette.paper, palette.muted, 0.35); }

/// `atEnd`: no round is in progress.
Legend legendOf(const DrawableRun& subject, const analysis::Coverage& coverage, CellsSeen seen, bool atEnd,
                bool together, bool roomy, bool coloured, std::optional<std::int32_t> followed) {
    Legend legend;
    if (subject.fault() && subject.fault()->column && subject.fault()->rank) addFaultTo(legend);
    const auto cell = [&](const QString& words, const analysis::Holding& sample) {
        legend.entry(words, [sample, roomy, coloured](SceneBuilder& pencil, const QRectF& box) {
            drawCell(pencil, box.adjusted(1, 0, -1, 0), sample,
                     coloured ? originColour(0, 1, pencil.dark()) : pencil.palette().sending, roomy, {});
        });
    };
    if (together) {
        legend.entry(QStringLiteral("share present: none to all"), [](SceneBuilder& pencil, const QRectF& box) {
            for (int step = 0; step < 3; ++step)
                pencil.rectangle({box.left() + box.width() * step / 3, box.top(), box.width() / 3, box.height()},
                                 mixed(pencil.palette().tint, pencil.palette().both, (step + 1) / 3.0));
        });
        return legend;
    }
    const QString what = QString::fromStdString(subject.columns().singular());
    cell(coloured && !followed && subject.columns().count() > 1 ? QStringLiteral("present (colour: %1)").arg(what)
                                                                : QStringLiteral("present"),
         {.size = 1, .held = 1, .needed = 1});
    cell(QStringLiteral("missing"), {.size = 1, .held = 0, .needed = 1});
    cell(atEnd ? QStringLiteral("arrived since the last round began") : QStringLiteral("arrived since the round began"),
         {.size = 1, .held = 1, .needed = 1, .fresh = true});
    if (coverage.through) cell(QStringLiteral("present, not needed"), {.size = 1, .held = 1, .needed = 0});
    if (seen.parts)
        cell(subject.cutVectors() ? QStringLiteral("partly filled: share combined")
                                  : QStringLiteral("partly filled: share present"),
             {.size = 2, .held = 1, .needed = 2});
    const auto& problem = subject.problem();
    // Of a reduction the cells show the result: the rank's own vector may be no part of it.
    if (seen.dots)
        cell(problem && engine::isReduction(problem->collective) ? QStringLiteral("no part of the result of this rank")
                                                                 : QStringLiteral("neither present nor needed"),
             {.size = 1, .held = 0, .needed = 0});
    if (followed) {
        const auto grey = [&](const QString& words, const analysis::Holding& sample) {
            legend.entry(words, [sample, roomy](SceneBuilder& pencil, const QRectF& box) {
                drawCell(pencil, box.adjusted(1, 0, -1, 0), sample, otherBlocks(pencil.palette()), roomy, {});
            });
        };
        legend.entry(subject.columnName(*followed) + QStringLiteral(", followed"),
                     [](SceneBuilder& pencil, const QRectF& box) { frameFollowed(pencil, box.adjusted(2, 0, -2, 0)); });
        grey(QStringLiteral("another block, present"), {.size = 1, .held = 1, .needed = 1});
        if (coverage.through)
            grey(QStringLiteral("another block, present, not needed"), {.size = 1, .held = 1, .needed = 0});
    }
    if (coverage.again) cell(QStringLiteral("received twice"), {.size = 1, .held = 1, .needed = 1, .again = true});
    return legend;
}

void drawTogether(SceneBuilder& pencil, const DrawableRun& subject, const ViewState& state, const Lines& rows,
                  const Lines& columns, QPointF corner) {
    const engine::Picoseconds lately = subject.roundBegan(state.time);
    for (std::int32_t row = 0; row < rows.shown; ++row) {
        const auto shadeOf = [&](std::int32_t line) {
            double held = 0;
            double size = 0;
            for (std::int32_t rank = rows.first(row); rank < rows.first(row + 1); ++rank)
                for (std::int32_t column = columns.first(line); column < columns.first(line + 1); ++column) {
                    const analysis::Holding cell =
                        subject.holdings().at(engine::Rank{rank}, column, state.time, lately);
                    held += static_cast<double>(cell.held);
                    size += static_cast<double>(cell.size);
                }
            return size == 0 ? 0 : static_cast<int>(std::ceil(shades * held / size));
        };
        std::vector<int> line(static_cast<std::size_t>(columns.shown));
        for (std::int32_t column = 0; column < columns.shown; ++column)
            line[static_cast<std::size_t>(column)] = shadeOf(column);
        for (auto begin = line.begin(); begin != line.end();) {
            const auto end = std::find_if(begin, line.end(), [&](int shade) { return shade != *begin; });
            const auto from = static_cast<double>(begin - line.begin());
            const auto width = static_cast<double>(end - begin);
            const QRectF box{corner.x() + from * columns.pitch, corner.y() + row * rows.pitch, width * columns.pitch,
                             rows.pitch};
            const double share = static_cast<double>(*begin) / shades;
            Shape& cell = pencil.rectangle(box, mixed(pencil.palette().tint, pencil.palette().both, share));
            cell.meaning = {Meaning::Kind::block, columns.first(static_cast<std::int32_t>(from)), rows.first(row)};
            cell.tip = QStringLiteral("ranks %1-%2: %3% present")
                           .arg(rows.first(row))
                           .arg(rows.first(row + 1) - 1)
                           .arg(std::lround(100 * share));
            begin = end;
        }
    }
}

void drawMatrix(SceneBuilder& pencil, const DrawableRun& subject, const ViewState& state, const Lines& rows,
                const Lines& columns, QPointF corner) {
    const engine::Picoseconds lately = subject.roundBegan(state.time);
    const bool roomy = std::min(rows.pitch, columns.pitch) >= colouredCell;
    const double gap = roomy ? 2 : 0;
    const bool coloured = columns.pitch >= colouredCell;
    for (std::int32_t rank = 0; rank < rows.all; ++rank)
        for (std::int32_t column = 0; column < columns.all; ++column) {
            const QRectF box{corner.x() + column * columns.pitch, corner.y() + rank * rows.pitch, columns.pitch - gap,
                             rows.pitch - gap};
            const QColor own = coloured ? subject.colourOf(column, pencil.dark()) : pencil.palette().sending;
            const bool beside = state.block && *state.block != column;
            const QColor colour = beside ? otherBlocks(pencil.palette()) : own;
            drawCell(pencil, box, subject.holdings().at(engine::Rank{rank}, column, state.time, lately), colour, roomy,
                     {Meaning::Kind::block, column, rank});
        }
    if (state.block)
        frameFollowed(pencil, {corner.x() + *state.block * columns.pitch - 2, corner.y() - 3, columns.pitch + 2,
                               rows.all * rows.pitch + 4});
    if (!state.rank || state.rank->value >= rows.all) return;
    Shape& ring = pencil.rectangle({corner.x() - 3, corner.y() + state.rank->value * rows.pitch - 2,
                                    columns.all * columns.pitch + 4, rows.pitch + 2},
                                   {}, pencil.palette().accent);
    ring.radius = 3;
    ring.width = 1.5;
}

/// Marks the block that a refuted schedule is refuted by, on the rank that is to hold it, at the moments it is about.
void drawFault(SceneBuilder& pencil, const DrawableRun& subject, const ViewState& state, const Lines& rows,
               const Lines& columns, QPointF corner) {
    const std::optional<Fault>& fault = subject.fault();
    if (!fault || !fault->rank || !fault->column || !fault->seenAt(state.time)) return;
    const auto middleOf = [](const Lines& lines, std::int32_t item) {
        return (item + 0.5) * lines.pitch * lines.shown / std::max(lines.all, 1);
    };
    const double radius = std::clamp(std::min(rows.pitch, columns.pitch) * 0.36, 4.0, 8.0);
    drawFaultMark(pencil,
                  corner + QPointF{middleOf(columns, *fault->column) - 1, middleOf(rows, fault->rank->value) - 1},
                  radius, subject.faultInWords(), {Meaning::Kind::block, *fault->column, fault->rank->value});
}

/// The cells that the chain under the pointer brought, framed.
void drawLitChain(SceneBuilder& pencil, const DrawableRun& subject, const ViewState& state, const Lines& rows,
                  const Lines& columns, QPointF corner) {
    const auto chain = litChain(subject, state);
    if (!chain) return;
    const engine::Messages& messages = subject.run().messages;
    for (const std::uint32_t message : chain->messages)
        for (std::int32_t column = 0; column < columns.all; ++column) {
            if (!subject.carries(message, column)) continue;
            const std::int32_t rank = messages.to()[message].value;
            Shape& frame = pencil.rectangle({corner.x() + column * columns.pitch - 1,
                                             corner.y() + rank * rows.pitch - 1, columns.pitch, rows.pitch},
                                            {}, pencil.palette().accent);
            frame.radius = 2;
            frame.width = 2;
            frame.dashed = messages.receiveEnd()[message] > state.time;
            frame.meaning = {Meaning::Kind::block, column, rank};
        }
}

/// Numbers along one side: all of them, or round ones.
template <class Draw>
void label(const Lines& lines, double room, Draw draw) {
    const double pitch = lines.pitch * lines.shown / std::max(lines.all, 1);
    const std::int32_t step = labelStep(pitch, room);
    for (std::int32_t item = 0; item < lines.all; item += step) draw(item, (item + 0.5) * pitch);
}

}  // namespace

Scene holdingsBackground(const DrawableRun& subject, const ViewState& state, QSizeF size) {
    Scene scene;
    SceneBuilder pencil{scene, state.dark};
    const Palette& palette = pencil.palette();
    const QRectF whole = QRectF{QPointF{}, size}.adjusted(margin, margin, -margin, -margin);
    const std::string why = subject.columns().count() == 0 ? "It is not known which problem these messages solve."
                                                           : subject.holdings().unknown();
    if (!why.empty()) {
        scene.description = QString::fromStdString(why);
        pencil.paragraph(whole.topLeft(), whole.width(), scene.description, points::normal, palette.muted);
        return scene;
    }
    const analysis::Coverage coverage = subject.holdings().coverageAt(state.time);
    const QString words = wordsOf(coverage, subject.columns());
    const double line = lineHeight(points::small);
    // What rows and columns are, in the corner between their numbers.
    QString caption = QStringLiteral("rank \\ ") + QString::fromStdString(subject.columns().singular());
    if (sizeOf(caption, points::tiny).width() > whole.width() / 4) caption = QStringLiteral("rank");
    const double captionWidth = sizeOf(caption, points::tiny).width();
    const double left =
        whole.left() + std::max(captionWidth, sizeOf(QString::number(subject.run().ranks), points::small).width()) + 8;
    // The legend stands beside the matrix where it may be narrow, else below.
    CellsSeen seen = cellsSeen(subject, state.time);
    const bool atEnd = state.time >= subject.run().duration;
    const std::optional<std::int32_t> followed = subject.columns().count() > 1 ? state.block : std::nullopt;
    Legend legend = legendOf(subject, coverage, seen, atEnd, false, true, true, followed);
    const double beside = legend.width() + 3 * margin;
    const bool besides = state.legends && subject.columns().count() * (widestCell - 8) <= whole.right() - left - beside;
    const double below = besides || !state.legends || whole.height() <= 140 ? 0 : legend.rowsHeight(whole.width()) + 6;
    // Where rows are lower than their numbers, the first one must not meet the line of columns.
    double top = whole.top() + line + 4 + line + 2;
    top += std::max(0.0, (line - (whole.bottom() - below - top) / std::max(subject.run().ranks, 1)) / 2 - 2);
    const Lines rows{subject.run().ranks, whole.bottom() - below - top, highestCell};
    const Lines columns{subject.columns().count(), whole.right() - left - (besides ? beside : 0), widestCell};
    const bool together = rows.together() || columns.together();
    const bool roomy = std::min(rows.pitch, columns.pitch) >= colouredCell;
    seen.dots = seen.dots && roomy;
    legend = legendOf(subject, coverage, seen, atEnd, together, roomy, columns.pitch >= colouredCell, followed);

    const bool fits = sizeOf(words, points::small).width() <= whole.width();
    const QString brief = elided(brieflyOf(coverage, subject.columns()), points::small, whole.width());
    pencil.text(whole.topLeft(), Qt::AlignLeft | Qt::AlignTop, fits ? words : brief, points::small, palette.ink).tip =
        words;
    const double numbers = whole.top() + line + 4 + line / 2;
    pencil.text({left - 8, numbers}, Qt::AlignRight | Qt::AlignVCenter, caption, points::tiny, palette.muted);
    double widest = 0;
    for (std::int32_t column = 0; column < subject.columns().count(); ++column)
        widest = std::max(widest, sizeOf(headOf(subject, column), points::small).width());
    label(columns, widest + 4, [&](std::int32_t column, double at) {
        const bool chosen = state.block == column;
        pencil
            .text({left + at - 1, numbers}, Qt::AlignCenter, headOf(subject, column), points::small,
                  chosen ? palette.ink : palette.muted, chosen)
            .meaning = {Meaning::Kind::block, column, -1};
    });
    label(rows, line, [&](std::int32_t rank, double at) {
        pencil
            .text({left - 8, top + at - 1}, Qt::AlignRight | Qt::AlignVCenter, QString::number(rank), points::small,
                  palette.ink)
            .meaning = {Meaning::Kind::rank, rank, -1};
    });
    if (together) drawTogether(pencil, subject, state, rows, columns, {left, top});
    else drawMatrix(pencil, subject, state, rows, columns, {left, top});
    if (!together) drawLitChain(pencil, subject, state, rows, columns, {left, top});
    drawFault(pencil, subject, state, rows, columns, {left, top});
    if (besides) {
        const double right = left + columns.shown * columns.pitch + 3 * margin;
        legend.column(pencil, {right, top, whole.right() - right, whole.bottom() - top});
    } else if (below > 0) {
        const double end = std::min(top + rows.shown * rows.pitch + 10, whole.bottom() - below + 6);
        legend.rows(pencil, {whole.left(), end, whole.width(), below});
    }
    scene.description = words + '.';
    scene.crowded = !fits || rows.pitch < highestCell || columns.pitch < widestCell;
    return scene;
}

Scene holdingsForeground(const DrawableRun& subject, const ViewState& state, QSizeF) {
    Scene scene;
    if (subject.columns().count() > 0 && subject.holdings().unknown().empty())
        scene.description = momentOf(subject, state.time) + '.';
    return scene;
}

Scene ownershipScene(const DrawableRun& subject, const ViewState& state, QSizeF size) {
    Scene scene = holdingsBackground(subject, state, size);
    const QString moment = holdingsForeground(subject, state, size).description;
    if (!moment.isEmpty()) scene.description = moment.chopped(1) + QStringLiteral(": ") + scene.description;
    return scene;
}

ViewState holdingsDepends(const DrawableRun& subject, ViewState state) {
    // A fault is seen at its own moments, highlighted blocks show what is pending, and the end has a legend of its own.
    if (subject.fault() || state.lit || state.time >= subject.run().duration) return state;
    const engine::Picoseconds same =
        std::max(subject.holdings().lastChange(state.time), subject.roundBegan(state.time));
    // What comes at this very moment is fresh.
    if (same < state.time) state.time = same + engine::Picoseconds{1};
    return state;
}

}  // namespace app::gui
