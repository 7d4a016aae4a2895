// SPDX-License-Identifier: BSD-3-Clause
// The bars, lines and cells of the space-time diagram.
#include "app/gui/scenes/space_time_frame.hpp"

#include <algorithm>
#include <cmath>

namespace app::gui {
namespace {

constexpr std::size_t mostArrows = 200;  // above: plain lines
constexpr double cellWidth = 4;
constexpr double cellHeight = 3;
constexpr int shades = 8;

using engine::Picoseconds;

struct Interval {
    Picoseconds begin{};
    Picoseconds end{};
};

bool visible(const SpaceTimeFrame& frame, Picoseconds begin, Picoseconds end) {
    return end > frame.axis.begin() && begin < frame.axis.end();
}

/// A state of a rank for some time; one per message, so that messages that follow each other stay apart.
void drawBar(Pencil& pencil, const SpaceTimeFrame& frame, engine::Rank rank, Interval time, bool sends, bool receives,
             bool done) {
    const Palette& palette = pencil.palette();
    const double left = std::max(frame.axis.pixel(time.begin), frame.plot.left());
    double right = std::min(frame.axis.pixel(time.end), frame.plot.right());
    const double middle = frame.middleOf(rank);
    const Meaning meaning{Meaning::Kind::rank, rank.value, -1};
    if (done) {
        if (frame.pitch < 5) return;
        pencil.line({left, middle}, {right, middle}, palette.faint).meaning = meaning;
        return;
    }
    const bool busy = sends || receives;
    if (busy && right - left > 12 && frame.bar >= 5) right -= 1;
    const QRectF box{left, middle - frame.bar / 2, std::max(right - left, 0.5), frame.bar};
    if (!busy) {
        const bool hatched = frame.bar >= 5 && box.width() >= 3;
        Shape& shape = pencil.rectangle(box, hatched ? palette.paper : palette.done,
                                        hatched ? mixed(palette.paper, palette.waiting, 0.7) : QColor{});
        shape.hatched = hatched;
        shape.width = 0.8;
        shape.meaning = meaning;
        return;
    }
    const bool outlined = receives && !sends && frame.bar >= 5 && box.width() >= 3;
    Shape& shape = outlined ? pencil.rectangle(box.adjusted(0.5, 0.5, -0.5, -0.5), palette.receiving, palette.sending)
                            : pencil.rectangle(box, sends && receives ? palette.both
                                                    : sends           ? palette.sending
                                                                      : palette.receiving);
    shape.meaning = meaning;
}

}  // namespace

void drawMessages(Pencil& pencil, const Subject& subject, const ViewState& state, const SpaceTimeFrame& frame) {
    const engine::Messages& messages = subject.run().messages;
    const Palette& palette = pencil.palette();
    const bool arrows = messages.size() <= mostArrows;
    const auto draw = [&](std::size_t i, const QColor& colour, double width) {
        const engine::MessageRecord message = messages[i];
        if (!visible(frame, message.sendBegin, message.receiveEnd)) return;
        const double way = message.to > message.from ? 1 : -1;
        QLineF line{frame.axis.pixel(message.sendBegin), frame.middleOf(message.from) + way * frame.bar / 2,
                    frame.axis.pixel(message.receiveEnd), frame.middleOf(message.to) - way * frame.bar / 2};
        const QLineF whole = line;
        const auto cut = [&](double x, bool begin) {
            if (whole.dx() <= 0) return;
            const QPointF at = whole.pointAt((x - whole.x1()) / whole.dx());
            if (begin) line.setP1(at);
            else line.setP2(at);
        };
        if (whole.x1() < frame.plot.left()) cut(frame.plot.left(), true);
        const bool leaves = whole.x2() > frame.plot.right() + 0.5;
        if (leaves) cut(frame.plot.right(), false);
        Shape& shape = arrows && !leaves ? pencil.arrow(line.p1(), line.p2(), colour, width)
                                         : pencil.line(line.p1(), line.p2(), colour, width);
        shape.meaning = {Meaning::Kind::message, static_cast<std::int64_t>(i), -1};
    };
    for (std::size_t i = 0; i < messages.size(); ++i) {
        const QColor colour = mixed(palette.paper, subject.colourOf(subject.columnOf(i), pencil.dark()), 0.9);
        const bool others = state.rank && messages.from()[i] != *state.rank && messages.to()[i] != *state.rank;
        draw(i, others ? mixed(palette.paper, colour, 0.25) : colour, arrows ? 1.4 : 1);
    }
    if (state.message && *state.message < messages.size()) draw(*state.message, palette.accent, 2.5);
}

void drawBars(Pencil& pencil, const Subject& subject, const ViewState& state, const SpaceTimeFrame& frame) {
    const engine::Messages& messages = subject.run().messages;
    std::vector<Interval> sends;
    std::vector<Interval> receives;
    std::vector<Picoseconds> cuts;
    const auto covers = [](const std::vector<Interval>& intervals, Picoseconds time) {
        return std::any_of(intervals.begin(), intervals.end(),
                           [&](Interval interval) { return interval.begin <= time && time < interval.end; });
    };
    for (std::int32_t number = 0; number < subject.run().ranks; ++number) {
        const engine::Rank rank{number};
        sends.clear();
        receives.clear();
        const Picoseconds done = subject.doneAt(rank);
        cuts.assign({frame.axis.begin(), std::clamp(done, frame.axis.begin(), frame.axis.end()), frame.axis.end()});
        const auto note = [&](std::vector<Interval>& side, Picoseconds begin, Picoseconds end) {
            if (!visible(frame, begin, end)) return;
            side.push_back({begin, end});
            cuts.push_back(std::max(begin, frame.axis.begin()));
            cuts.push_back(std::min(end, frame.axis.end()));
        };
        for (const std::uint32_t i : subject.sentBy(rank)) note(sends, messages.sendBegin()[i], messages.sendEnd()[i]);
        for (const std::uint32_t i : subject.receivedBy(rank))
            note(receives, messages.receiveBegin()[i], messages.receiveEnd()[i]);
        std::sort(cuts.begin(), cuts.end());
        cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
        for (std::size_t cut = 1; cut < cuts.size(); ++cut) {
            const Picoseconds begin = cuts[cut - 1];
            drawBar(pencil, frame, rank, {begin, cuts[cut]}, covers(sends, begin), covers(receives, begin),
                    begin >= done);
        }
        if (state.rank == rank) {
            Shape& ring = pencil.rectangle({frame.plot.left() - 1, frame.middleOf(rank) - frame.bar / 2 - 2,
                                            frame.plot.width() + 2, frame.bar + 4},
                                           {}, pencil.palette().accent);
            ring.radius = 3;
            ring.width = 1.5;
        }
    }
}

void drawDensity(Pencil& pencil, const Subject& subject, const SpaceTimeFrame& frame) {
    const engine::Messages& messages = subject.run().messages;
    const std::int32_t ranks = subject.run().ranks;
    const auto rows = std::clamp(static_cast<std::int32_t>(frame.plot.height() / cellHeight), 1, ranks);
    const auto columns = std::max(static_cast<std::int32_t>(frame.plot.width() / cellWidth), 1);
    struct Load {
        double busy = 0;  ///< picoseconds of ports
        std::int64_t messages = 0;
    };
    std::vector<Load> cells(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
    const auto at = [&](std::int32_t row, std::int32_t column) -> Load& {
        return cells[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                     static_cast<std::size_t>(column)];
    };
    const double begin = static_cast<double>(frame.axis.begin().count());
    const double step = static_cast<double>((frame.axis.end() - frame.axis.begin()).count()) / columns;
    const auto note = [&](engine::Rank rank, Picoseconds from, Picoseconds to, bool first) {
        if (!visible(frame, from, to)) return;
        const auto row = static_cast<std::int32_t>(static_cast<std::int64_t>(rank.value) * rows / ranks);
        const double a = std::max(0.0, (static_cast<double>(from.count()) - begin) / step);
        const double b = std::min(static_cast<double>(columns), (static_cast<double>(to.count()) - begin) / step);
        for (auto column = static_cast<std::int32_t>(a); column < columns && column < b; ++column) {
            Load& load = at(row, column);
            load.busy += (std::min(b, column + 1.0) - std::max(a, static_cast<double>(column))) * step;
            load.messages += first ? 1 : 0;
        }
    };
    for (std::size_t i = 0; i < messages.size(); ++i) {
        note(messages.from()[i], messages.sendBegin()[i], messages.sendEnd()[i], true);
        note(messages.to()[i], messages.receiveBegin()[i], messages.receiveEnd()[i], false);
    }
    const double ports = 2.0 * (subject.problem() ? subject.problem()->ports : 1);
    const double height = frame.plot.height() / rows;
    const double width = frame.plot.width() / columns;
    for (std::int32_t row = 0; row < rows; ++row) {
        // Ranks whose row this is: rank * rows / ranks == row.
        const std::int64_t first = (static_cast<std::int64_t>(row) * ranks + rows - 1) / rows;
        const std::int64_t next = (static_cast<std::int64_t>(row + 1) * ranks + rows - 1) / rows;
        const auto shadeOf = [&](std::int32_t column) {
            const double share = at(row, column).busy / (ports * step * static_cast<double>(next - first));
            return share <= 0 ? 0 : std::clamp(static_cast<int>(std::ceil(share * shades)), 1, shades);
        };
        for (std::int32_t column = 0; column < columns;) {
            const int shade = shadeOf(column);
            const std::int32_t from = column;
            std::int64_t count = 0;
            for (; column < columns && shadeOf(column) == shade; ++column) count += at(row, column).messages;
            if (shade == 0) continue;
            Shape& cell = pencil.rectangle(
                {frame.plot.left() + from * width, frame.plot.top() + row * height, (column - from) * width, height},
                mixed(pencil.palette().tint, pencil.palette().both, static_cast<double>(shade) / shades));
            cell.meaning = {Meaning::Kind::rank, first, -1};
            cell.tip = QStringLiteral("ranks %1-%2: about %3 % of the ports busy, %4 messages in cells of %5 ranks")
                           .arg(first)
                           .arg(next - 1)
                           .arg(100 * shade / shades)
                           .arg(count)
                           .arg(next - first);
        }
    }
}

}  // namespace app::gui
