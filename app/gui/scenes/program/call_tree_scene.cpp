// SPDX-License-Identifier: BSD-3-Clause
// Where: the call tree with the time of each path, and a cell for each rank, darker the more it spent there.
#include "app/gui/scenes/common/chart_frame.hpp"
#include "app/gui/scenes/drawing/style.hpp"
#include "app/gui/scenes/text/program_text.hpp"
#include "app/gui/scenes/text/run_text.hpp"

#include <algorithm>

namespace app::gui {
namespace {

using analysis::PathId;
using analysis::TracedProgram;
using engine::Picoseconds;

constexpr double indent = 12;
constexpr double cellAtMost = 26;
constexpr double leastCell = 3;
constexpr double beforeCells = 12;
constexpr double readName = 96;  // which names have before cells and times have room

struct PathRow {
    PathId path = analysis::outsideOfCalls;
    int depth = 0;
};

int depthOf(const TracedProgram& program, PathId path) {
    int depth = 0;
    for (PathId at = program.paths()[path].parent; at != analysis::outsideOfCalls; at = program.paths()[at].parent)
        ++depth;
    return depth;
}

/// As many paths as there is room for: those that took most, with the ones around them, in the order of the tree.
std::vector<PathRow> pathRowsOf(const TracedProgram& program, std::size_t most) {
    const std::vector<PathId> order = program.profile().inOrder();
    const auto& spent = program.profile().paths();
    std::vector<PathId> byTime = order;
    // A path takes no less than those below it: with it, they are there.
    std::stable_sort(byTime.begin(), byTime.end(), [&](PathId a, PathId b) { return spent[a].time > spent[b].time; });
    byTime.resize(std::min(most, byTime.size()));
    std::sort(byTime.begin(), byTime.end());
    std::vector<PathRow> rows;
    for (const PathId path : order)
        if (std::binary_search(byTime.begin(), byTime.end(), path)) rows.push_back({path, depthOf(program, path)});
    return rows;
}

QString lastName(const TracedProgram& program, PathId path) {
    if (path == analysis::outsideOfCalls || program.paths()[path].region == traces::noIndex)
        return QString::fromStdString(program.paths().name(path));
    return QString::fromStdString(
        program.recording().regions[static_cast<std::size_t>(program.paths()[path].region)].title());
}

const analysis::Cause* causeAt(const TracedProgram& program, PathId path, std::size_t bin, std::size_t bins) {
    const std::vector<engine::Rank>& ranks = program.recordedRanks();
    for (const analysis::Cause& cause : program.mainCauses()) {
        const auto place = static_cast<std::size_t>(std::ranges::lower_bound(ranks, cause.rank) - ranks.begin());
        if (cause.path == path && place * bins / ranks.size() == bin) return &cause;
    }
    return nullptr;
}

/// The first rank of a cell.
std::int32_t rankOf(const TracedProgram& program, std::size_t bin, std::size_t bins) {
    const std::vector<engine::Rank>& ranks = program.recordedRanks();
    return ranks[(bin * ranks.size() + bins - 1) / bins].value;
}

/// The fill of a cell: `share` of the largest exclusive time in its row.
QColor shadeOf(const Palette& palette, double share) {
    return mixed(palette.groove, mixed(palette.sending, palette.both, 0.25), 0.75 * share);
}

/// Returns whether a cell is marked.
bool drawHeat(SceneBuilder& pencil, const TracedProgram& program, PathId path, const QRectF& area) {
    const std::string heat = program.profile().paths()[path].ranks.heat();
    const Palette& palette = pencil.palette();
    const double pitch =
        std::min(area.width() / static_cast<double>(std::max<std::size_t>(heat.size(), 1)), cellAtMost);
    bool marked = false;
    for (std::size_t bin = 0; bin < heat.size(); ++bin) {
        const analysis::Cause* cause = causeAt(program, path, bin, heat.size());
        marked = marked || cause != nullptr;
        const double share = heat[bin] == '.' ? 0 : (heat[bin] - '0' + 1) / 10.0;
        const QRectF cell{area.left() + static_cast<double>(bin) * pitch, area.top() + 2, pitch - (pitch > 5 ? 2 : 0.5),
                          area.height() - 4};
        Shape& shape = pencil.rectangle(cell, cause != nullptr ? palette.accent : shadeOf(palette, share));
        if (cell.width() > 8) shape.radius = 2;
        const std::int32_t rank = cause != nullptr ? cause->rank.value : rankOf(program, bin, heat.size());
        shape.meaning = {Meaning::Kind::path, path, rank};
        if (cause != nullptr)
            shape.tip = QStringLiteral("%1 on rank %2: others waited %3 for it")
                            .arg(lastName(program, path), QString::number(rank), timeInWords(cause->time));
    }
    return marked;
}

/// The rank above each cell, where every rank has one and its number fits.
void drawRankNumbers(SceneBuilder& pencil, const TracedProgram& program, const QRectF& heat) {
    const std::vector<engine::Rank>& ranks = program.recordedRanks();
    const double pitch = std::min(heat.width() / static_cast<double>(ranks.size()), cellAtMost);
    const QString widest = QString::number(ranks.back().value);
    if (sizeOf(widest, points::tiny).width() > pitch - 2) return;
    for (std::size_t i = 0; i < ranks.size(); ++i)
        pencil.text({heat.left() + (static_cast<double>(i) + 0.5) * pitch, heat.top()}, Qt::AlignHCenter | Qt::AlignTop,
                    QString::number(ranks[i].value), points::tiny, pencil.palette().muted);
}

/// What the accent means, where a cell has it, and the shades; as far as there is room.
void drawKeys(SceneBuilder& pencil, QRectF room, bool accent, bool shades) {
    constexpr double side = 8;
    const double middle = room.top() + lineHeight(points::tiny) / 2;
    const auto draw = [&](const QString& words, std::initializer_list<QColor> fills) {
        const double marks = side * static_cast<double>(fills.size());
        const double width = marks + 5 + sizeOf(words, points::tiny).width();
        if (width > room.width()) return;
        double left = room.left();
        for (const QColor& fill : fills) {
            pencil.rectangle({left, middle - side / 2, side, side}, fill).radius = fills.size() == 1 ? 2 : 0;
            left += side;
        }
        pencil.text({left + 5, room.top()}, Qt::AlignLeft | Qt::AlignTop, words, points::tiny, pencil.palette().muted);
        room.setLeft(room.left() + width + 16);
    };
    const Palette& palette = pencil.palette();
    if (accent) draw(QStringLiteral("made others wait"), {palette.accent});
    if (shades)
        draw(QStringLiteral("exclusive time of a rank: none to the most in the row"),
             {shadeOf(palette, 0), shadeOf(palette, 0.5), shadeOf(palette, 1)});
}

}  // namespace

Scene whereScene(const DrawableRun& subject, const ViewState& state, QSizeF size) {
    const TracedProgram* program = programOf(subject);
    if (program == nullptr) return sorry(whyNoProgram(subject), state.dark, size);
    Scene scene;
    SceneBuilder pencil{scene, state.dark};
    const Palette& palette = pencil.palette();
    const QRectF area = QRectF{QPointF{}, size}.adjusted(margin + 2, margin / 2, -margin - 2, -margin / 2);
    const double line = lineHeight(points::small);
    const double head = lineHeight(points::tiny) + 4;
    const double pitch = line + 6;
    const auto most = static_cast<std::size_t>(std::max(1.0, (area.height() - head) / pitch));
    const std::vector<PathRow> rows = pathRowsOf(*program, most);
    const double wanted = sizeOf(QStringLiteral("888.8 ms"), points::small).width();
    const double time = area.width() - wanted - 4 >= readName ? wanted : 0;
    const auto recorded = static_cast<std::int32_t>(program->recordedRanks().size());
    const std::int32_t ranks = std::min(recorded, 32);
    // Cells of a few ranks need no more than their width; names get the rest.
    const double roomForCells =
        std::min({area.width() * 0.45, cellAtMost * ranks, area.width() - readName - time - 4 - beforeCells});
    const bool cells = ranks > 1 && time > 0 && roomForCells >= leastCell * ranks;
    const double names = area.width() - (cells ? roomForCells + beforeCells : 0) - time - 4;
    const double timeRight = area.left() + names + time + 4;
    const QRectF heat{timeRight + beforeCells, area.top(), area.right() - timeRight - beforeCells, pitch};
    QString ofTime = QStringLiteral("time, all ranks, callees included");
    if (time > 0) {
        for (const char* const shorter : {"time, all ranks", "time"})
            if (sizeOf(ofTime, points::tiny).width() > names / 2) ofTime = QString::fromLatin1(shorter);
        pencil.text({timeRight, area.top()}, Qt::AlignRight | Qt::AlignTop, ofTime, points::tiny, palette.muted);
    }
    if (cells) {
        const QString above = recorded <= 32 ? QStringLiteral("exclusive time by rank")
                                             : QStringLiteral("exclusive time, the largest of several ranks");
        if (sizeOf(above, points::tiny).width() <= heat.width())
            pencil.text({heat.left(), area.top()}, Qt::AlignLeft | Qt::AlignTop, above, points::tiny, palette.muted);
        else drawRankNumbers(pencil, *program, heat);
    }
    double y = area.top() + head;
    bool marked = false;
    for (const PathRow& row : rows) {
        if (y + pitch > area.bottom() + 1) break;
        const analysis::Spent& spent = program->profile().paths()[row.path];
        const double left = area.left() + std::min(row.depth * indent, names / 4);
        const Meaning meaning{Meaning::Kind::path, row.path, -1};
        const bool asked = state.asked && state.asked->kind == Meaning::Kind::path && state.asked->index == row.path;
        if (asked) pencil.rectangle({area.left() - 4, y, area.width() + 8, pitch}, palette.tint);
        const QString name = elided(lastName(*program, row.path), points::small, area.left() + names - left - 6, asked);
        if (!name.isEmpty())
            pencil
                .text({left, y + pitch / 2}, Qt::AlignLeft | Qt::AlignVCenter, name, points::small, palette.ink, asked)
                .meaning = meaning;
        if (time > 0)
            pencil
                .text({timeRight, y + pitch / 2}, Qt::AlignRight | Qt::AlignVCenter, timeInWords(spent.time),
                      points::small, palette.ink)
                .meaning = meaning;
        if (cells) marked = drawHeat(pencil, *program, row.path, {heat.left(), y, heat.width(), pitch}) || marked;
        y += pitch;
    }
    // Above the names there is room in all but the narrowest panels.
    const double beforeTime = timeRight - sizeOf(ofTime, points::tiny).width() - 8;
    drawKeys(pencil, {area.left(), area.top(), beforeTime - area.left(), head}, marked, cells);
    scene.description =
        QStringLiteral("Call tree: %1 of %2 call paths.").arg(rows.size()).arg(program->profile().inOrder().size());
    return scene;
}

Table whereTable(const DrawableRun& subject, const ViewState&) {
    return subject.queue()->ask(analysis::tableNamed("calltree"), {}).table;
}

}  // namespace app::gui
