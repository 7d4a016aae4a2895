// SPDX-License-Identifier: BSD-3-Clause
// The cells of the space-time diagram, where there are too many messages to draw them one by one.
#include "app/gui/scenes/time/run_timeline_frame.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

namespace app::gui {
namespace {

using engine::Rank;

constexpr std::int64_t mostTold = 4000;       // cells that say what is in them
constexpr std::size_t mostOfRanks = 300'000;  // messages of ranks in sight that one picture has time for
constexpr std::size_t mostInTime = 50'000;    // and of all ranks in the visible span
constexpr double cellWidth = 4;
constexpr double cellHeight = 3;
constexpr int densityShades = 8;

/// Rows in sight, taken together to lines of cells that can be seen.
struct LinesOfRanks {
    std::vector<std::int32_t> ofRank;        ///< -1: in none
    std::vector<std::int32_t> shown;         ///< by line of the picture: the line of loads
    std::vector<std::vector<Rank>> members;  ///< by line of loads
};

std::int32_t countOf(const RunTimelineFrame& frame, std::int32_t most) {
    const double height = std::min(frame.plot.height(), static_cast<double>(frame.rowCount) * frame.pitch);
    return std::clamp(static_cast<std::int32_t>(height / cellHeight), 1, std::max(most, 1));
}

/// By whole rows, as evenly as that goes.
LinesOfRanks linesOfRows(const RunTimelineFrame& frame, std::int32_t ranks) {
    const auto first = static_cast<std::int32_t>(frame.firstRow());
    const std::int32_t rows = static_cast<std::int32_t>(frame.endRow()) - first;
    LinesOfRanks lines;
    const std::int32_t count = countOf(frame, rows);
    lines.ofRank.assign(static_cast<std::size_t>(ranks), -1);
    for (Rank rank{0}; rank.value < ranks; ++rank)
        if (frame.isInSight(rank))
            lines.ofRank[rank.index()] = static_cast<std::int32_t>(
                static_cast<std::int64_t>(static_cast<std::int32_t>(frame.rowOfRank(rank)) - first) * count / rows);
    lines.shown.resize(static_cast<std::size_t>(count));
    std::iota(lines.shown.begin(), lines.shown.end(), 0);
    return lines;
}

/// By whole bundles, which sums know; nothing where the rows of some do not lie side by side.
std::optional<LinesOfRanks> linesOfBundles(const RunTimelineFrame& frame, const Bundles& bundles) {
    struct Extent {
        std::int32_t first = std::numeric_limits<std::int32_t>::max();
        std::int32_t last = -1;
        std::int32_t ranks = 0;
    };
    std::vector<Extent> extents(static_cast<std::size_t>(bundles.count()));
    for (Rank rank{0}; rank.value < bundles.ranks(); ++rank) {
        Extent& extent = extents[static_cast<std::size_t>(bundles.of(rank))];
        const auto row = static_cast<std::int32_t>(frame.rowOfRank(rank));
        extent = {std::min(extent.first, row), std::max(extent.last, row), extent.ranks + 1};
    }
    const auto first = static_cast<std::int32_t>(frame.firstRow());
    const std::int32_t rows = static_cast<std::int32_t>(frame.endRow()) - first;
    const auto isSeen = [&](const Extent& extent) { return extent.last >= first && extent.first < first + rows; };
    if (std::ranges::any_of(extents, [](const Extent& one) { return one.last - one.first >= one.ranks; }))
        return std::nullopt;
    const auto seen = static_cast<std::int32_t>(std::ranges::count_if(extents, isSeen));
    // Of several bundles in the row of a folded group there is one line.
    const std::int32_t count = countOf(frame, std::min(seen, rows));
    // Bundles whose middles meet the same line of the picture are one; a line that meets none belongs to the one that
    // reaches over it.
    LinesOfRanks lines;
    std::vector<std::int32_t> lineOf(extents.size(), -1);
    std::vector<std::int32_t> known(static_cast<std::size_t>(count), -1);
    std::int32_t made = 0;
    lines.shown.assign(static_cast<std::size_t>(count), -1);
    for (std::size_t bundle = 0; bundle < extents.size(); ++bundle) {
        const Extent& extent = extents[bundle];
        if (!isSeen(extent)) continue;
        const auto lineAt = [&](std::int64_t row) {
            return static_cast<std::size_t>(
                std::clamp<std::int64_t>((row - first) * count / rows, 0, std::int64_t{count} - 1));
        };
        std::int32_t& line = known[lineAt((std::int64_t{extent.first} + extent.last) / 2)];
        if (line < 0) line = made++;
        lineOf[bundle] = line;
        for (std::size_t at = lineAt(extent.first); at <= lineAt(extent.last); ++at)
            if (lines.shown[at] < 0) lines.shown[at] = line;
    }
    for (std::size_t at = 0; at < known.size(); ++at)
        if (known[at] >= 0) lines.shown[at] = known[at];
    lines.ofRank.resize(static_cast<std::size_t>(bundles.ranks()));
    for (Rank rank{0}; rank.value < bundles.ranks(); ++rank)
        lines.ofRank[rank.index()] = lineOf[static_cast<std::size_t>(bundles.of(rank))];
    return lines;
}

LinesOfRanks linesOf(const DrawableRun& subject, const RunTimelineFrame& frame) {
    const std::int32_t ranks = subject.run().ranks;
    const Density& density = subject.density();
    std::optional<LinesOfRanks> found;
    // Sums of bundles are for those who could not look at the messages themselves.
    if (!density.empty() && density.bundles().count() < ranks) {
        const auto inTime = subject.index().touching(frame.axis.begin(), frame.axis.end(), mostInTime + 1);
        if (inTime.size() > mostInTime && messagesOf(subject, frame.ranksInSight()) > mostOfRanks)
            found = linesOfBundles(frame, density.bundles());
    }
    if (!found) found = linesOfRows(frame, ranks);
    for (Rank rank{0}; rank.value < ranks; ++rank) {
        const std::int32_t line = found->ofRank[rank.index()];
        if (line < 0) continue;
        if (static_cast<std::size_t>(line) >= found->members.size())
            found->members.resize(static_cast<std::size_t>(line) + 1);
        found->members[static_cast<std::size_t>(line)].push_back(rank);
    }
    return *std::move(found);
}

/// How dark a cell is: 0 where nothing happened, at least 1 where something did.
class Shades {
public:
    /// `whole`: picoseconds that the ports of one rank have in a cell.
    Shades(const PortLoads& loads, const LinesOfRanks& lines, double whole)
        : loads_{&loads}, lines_{&lines}, whole_{whole} {}

    [[nodiscard]] const std::vector<Rank>& members(std::int32_t line) const {
        return lines_->members[static_cast<std::size_t>(line)];
    }
    [[nodiscard]] int of(std::int32_t line, std::int32_t column) const {
        const PortLoad& load = loads_->at(line, column);
        if (!load.any()) return 0;
        const double share = load.busy / (whole_ * static_cast<double>(std::max<std::size_t>(members(line).size(), 1)));
        return std::clamp(static_cast<int>(std::ceil(share * densityShades)), 1, densityShades);
    }

private:
    const PortLoads* loads_;
    const LinesOfRanks* lines_;
    double whole_;
};

/// Where a line of the picture is.
QRectF boxOf(const RunTimelineFrame& frame, const LinesOfRanks& lines, std::size_t at) {
    const double top = frame.topOf(frame.firstRow());
    const double bottom = frame.topOf(frame.endRow());
    const double height = (bottom - top) / static_cast<double>(lines.shown.size());
    return frame.cut({frame.plot.left(), top + static_cast<double>(at) * height, frame.plot.width(), height});
}

/// The only folded group whose ranks these are, where there is one.
const RowGroup* foldedOf(const RunTimelineFrame& frame, const std::vector<Rank>& ranks) {
    if (frame.groups.empty() || ranks.empty()) return nullptr;
    const RowGroup& group = frame.groups[frame.groupOf(frame.rowOfRank(ranks.front()))];
    return group.folded && group.ranks->size() == ranks.size() ? &group : nullptr;
}

Meaning meaningOf(const RunTimelineFrame& frame, const std::vector<Rank>& ranks) {
    if (const RowGroup* group = foldedOf(frame, ranks))
        return {Meaning::Kind::group, static_cast<std::int64_t>(group - frame.groups.data()), -1};
    return {Meaning::Kind::rank, ranks.empty() ? -1 : ranks.front().value, -1};
}

QString whoIn(const RunTimelineFrame& frame, const std::vector<Rank>& ranks) {
    if (const RowGroup* group = foldedOf(frame, ranks)) return group->name;
    if (ranks.size() == 1) return QStringLiteral("rank %1").arg(ranks.front().value);
    const std::int32_t first = ranks.front().value;
    const std::int32_t last = ranks.back().value;
    if (last - first + 1 == static_cast<std::int32_t>(ranks.size()))
        return QStringLiteral("ranks %1-%2").arg(first).arg(last);
    return QStringLiteral("%1 ranks from %2 on").arg(ranks.size()).arg(first);
}

/// A shape for every run of one shade, which says what is in it.
void drawTold(SceneBuilder& pencil, const RunTimelineFrame& frame, const PortLoads& loads, const LinesOfRanks& lines,
              const Shades& shadesOf) {
    const double width = frame.plot.width() / loads.columns();
    for (std::size_t at = 0; at < lines.shown.size(); ++at) {
        const std::int32_t line = lines.shown[at];
        const std::vector<Rank>& ranks = shadesOf.members(line);
        const QRectF row = boxOf(frame, lines, at);
        for (std::int32_t column = 0; column < loads.columns();) {
            const int shade = shadesOf.of(line, column);
            const std::int32_t from = column;
            double count = 0;
            for (; column < loads.columns() && shadesOf.of(line, column) == shade; ++column)
                count += loads.at(line, column).messages;
            if (shade == 0) continue;
            Shape& cell = pencil.rectangle(
                {row.left() + from * width, row.top(), (column - from) * width, row.height()},
                mixed(pencil.palette().tint, pencil.palette().both, static_cast<double>(shade) / densityShades));
            cell.meaning = meaningOf(frame, ranks);
            cell.tip = QStringLiteral("%1: about %2% of the ports busy, %3 messages in cells of %4 ranks")
                           .arg(whoIn(frame, ranks))
                           .arg(100 * shade / densityShades)
                           .arg(std::llround(count))
                           .arg(ranks.size());
        }
    }
}

/// `picture` in a box of which only the part in the plot is seen.
void drawCut(SceneBuilder& pencil, const RunTimelineFrame& frame, const QRectF& box, const QImage& picture) {
    const QRectF seen = frame.cut(box);
    if (seen == box) {
        pencil.cells(box, picture);
        return;
    }
    // The rows at the edges are cut in part: a line for each pixel of the plot.
    const int height = std::max(1, static_cast<int>(std::round(seen.height())));
    QImage part{picture.width(), height, picture.format()};
    for (int y = 0; y < height; ++y) {
        const double share = (seen.top() + (y + 0.5) * seen.height() / height - box.top()) / box.height();
        const int from = std::clamp(static_cast<int>(share * picture.height()), 0, picture.height() - 1);
        std::copy_n(picture.constScanLine(from), picture.bytesPerLine(), part.scanLine(y));
    }
    pencil.cells(seen, part);
}

/// One picture of all cells.
void drawPicture(SceneBuilder& pencil, const RunTimelineFrame& frame, const PortLoads& loads, const LinesOfRanks& lines,
                 const Shades& shadesOf) {
    std::array<QRgb, densityShades + 1> colours{};
    for (int shade = 1; shade <= densityShades; ++shade)
        colours[static_cast<std::size_t>(shade)] =
            mixed(pencil.palette().tint, pencil.palette().both, static_cast<double>(shade) / densityShades).rgba();
    const auto height = static_cast<std::int32_t>(lines.shown.size());
    QImage picture{loads.columns(), height, QImage::Format_ARGB32_Premultiplied};
    uchar* bits = picture.bits();
    for (std::int32_t column = 0; column < loads.columns(); ++column)
        for (std::int32_t row = 0; row < height; ++row)
            reinterpret_cast<QRgb*>(bits + row * picture.bytesPerLine())[column] =
                colours[static_cast<std::size_t>(shadesOf.of(lines.shown[static_cast<std::size_t>(row)], column))];
    // What a click finds; the picture below shows it.
    for (std::size_t at = 0; at < lines.shown.size(); ++at)
        pencil.rectangle(boxOf(frame, lines, at), {}).meaning = meaningOf(frame, shadesOf.members(lines.shown[at]));
    const QRectF box{frame.plot.left(), frame.topOf(frame.firstRow()), frame.plot.width(),
                     frame.topOf(frame.endRow()) - frame.topOf(frame.firstRow())};
    drawCut(pencil, frame, box, picture);
}

}  // namespace

void drawDensity(SceneBuilder& pencil, const DrawableRun& subject, const RunTimelineFrame& frame) {
    const auto columns = std::max(static_cast<std::int32_t>(frame.plot.width() / cellWidth), 1);
    const LinesOfRanks lines = linesOf(subject, frame);
    PortLoads loads{lines.ofRank, static_cast<std::int32_t>(lines.members.size()), frame.axis, columns};
    loads.fill(subject);
    const double ports = 2.0 * (subject.problem() ? subject.problem()->ports : 1);
    const double step = static_cast<double>((frame.axis.end() - frame.axis.begin()).count()) / columns;
    const Shades shadesOf{loads, lines, ports * step};
    if (static_cast<std::int64_t>(lines.shown.size()) * columns <= mostTold)
        drawTold(pencil, frame, loads, lines, shadesOf);
    else drawPicture(pencil, frame, loads, lines, shadesOf);
}

}  // namespace app::gui
