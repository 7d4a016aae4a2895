// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/drawing/rows_frame.hpp"

#include "app/gui/scenes/drawing/number_text.hpp"

#include <algorithm>

namespace app::gui {
namespace {

constexpr double mostGroupName = 120;  // pixels
constexpr double signAndAir = 22;

}  // namespace

void RowsFrame::fit(std::size_t count, double most, const ProgramTimelineView& view) {
    const double rows = static_cast<double>(std::max<std::size_t>(count, 1));
    const double least = std::min(plot.height() / rows, most);
    pitch = std::clamp(least * std::max(view.zoom, 1.0), least, std::max(least, most));
    top = std::clamp(view.top, 0.0, std::max(rows - plot.height() / pitch, 0.0));
}

QString RowsFrame::nameOf(const analysis::RankGroup& group) {
    return group.name.empty() ? QStringLiteral("others") : QString::fromStdString(group.name);
}

bool RowsFrame::isFolded(const ProgramTimelineView& view, std::int32_t group) {
    return std::binary_search(view.folded.begin(), view.folded.end(), group);
}

double roomForGroupNames(const std::vector<analysis::RankGroup>& groups) {
    double widest = 0;
    for (const analysis::RankGroup& group : groups)
        widest = std::max(widest, sizeOf(RowsFrame::nameOf(group), points::small).width());
    return std::min(widest, mostGroupName) + signAndAir;
}

void drawGroups(SceneBuilder& pencil, const RowsFrame& frame) {
    const Palette& palette = pencil.palette();
    const double line = lineHeight(points::small);
    double named = frame.plot.top() - line;
    for (std::size_t i = 0; i < frame.groups.size(); ++i) {
        const RowGroup& group = frame.groups[i];
        const double top = std::max(frame.topOf(group.first), frame.plot.top());
        const double bottom = std::min(frame.topOf(group.end), frame.plot.bottom());
        if (bottom - top < 2) continue;
        if (top > frame.plot.top()) pencil.line({frame.groupsLeft, top}, {frame.plot.right(), top}, palette.faint);
        const double y = bottom - top < line ? (top + bottom) / 2
                                             : std::min(top + std::max(frame.pitch, line) / 2, bottom - line / 2);
        // Of groups lower than their names those are named that stand apart.
        if (y - line / 2 < named) continue;
        const Meaning meaning{Meaning::Kind::group, static_cast<std::int64_t>(i), -1};
        const QString sign = group.folded ? QStringLiteral("\u25b8 ") : QStringLiteral("\u25be ");
        const QString name = elided(sign + group.name, points::small, frame.groupsRight - frame.groupsLeft);
        if (name.isEmpty()) continue;
        named = y + line / 2;
        Shape& text =
            pencil.text({frame.groupsLeft, y}, Qt::AlignLeft | Qt::AlignVCenter, name, points::small, palette.muted);
        text.meaning = meaning;
        text.tip = QStringLiteral("%1: %2 ranks; a click %3 it")
                       .arg(group.name, countInWords(static_cast<std::int64_t>(group.ranks->size())),
                            group.folded ? QStringLiteral("unfolds") : QStringLiteral("folds"));
    }
}

QLineF partWithin(const QRectF& plot, QLineF line) {
    double from = 0;
    double to = 1;
    const auto cut = [&](double at, double by, double low, double high) {
        if (by == 0) {
            if (at < low || at > high) to = -1;
            return;
        }
        const double one = (low - at) / by;
        const double other = (high - at) / by;
        from = std::max(from, std::min(one, other));
        to = std::min(to, std::max(one, other));
    };
    cut(line.x1(), line.dx(), plot.left(), plot.right());
    cut(line.y1(), line.dy(), plot.top(), plot.bottom());
    return to <= from ? QLineF{} : QLineF{line.pointAt(from), line.pointAt(to)};
}

}  // namespace app::gui
