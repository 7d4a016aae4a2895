// SPDX-License-Identifier: BSD-3-Clause
// The bars, lines and cells of the space-time diagram.
#include "app/gui/scenes/space_time_frame.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace app::gui {
namespace {

constexpr std::size_t mostArrows = 200;   // above: plain lines
constexpr std::size_t mostChosen = 2000;  // messages of one rank over a picture of density
constexpr std::size_t mostLooked = 200'000;  // of a rank's messages; of more every so many is looked at
constexpr std::int32_t mostTold = 4000;   // cells that say what is in them
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

/// The line from where a message leaves its sender to where it reaches its receiver, cut to what is seen.
void drawMessage(Pencil& pencil, const Subject& subject, const SpaceTimeFrame& frame, std::size_t i,
                 const QColor& colour, double width, bool arrow) {
    const engine::MessageRecord message = subject.run().messages[i];
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
    Shape& shape = arrow && !leaves ? pencil.arrow(line.p1(), line.p2(), colour, width)
                                    : pencil.line(line.p1(), line.p2(), colour, width);
    shape.meaning = {Meaning::Kind::message, static_cast<std::int64_t>(i), -1};
}

QColor colourOf(const Pencil& pencil, const Subject& subject, std::size_t message) {
    return mixed(pencil.palette().paper, subject.colourOf(subject.columnOf(message), pencil.dark()), 0.9);
}

}  // namespace

void drawMessages(Pencil& pencil, const Subject& subject, const ViewState& state, const SpaceTimeFrame& frame) {
    const engine::Messages& messages = subject.run().messages;
    const bool arrows = messages.size() <= mostArrows;
    for (const std::uint32_t i : subject.messagesIn(frame.axis.begin(), frame.axis.end())) {
        const QColor colour = colourOf(pencil, subject, i);
        const bool others = state.rank && messages.from()[i] != *state.rank && messages.to()[i] != *state.rank;
        drawMessage(pencil, subject, frame, i, others ? mixed(pencil.palette().paper, colour, 0.25) : colour,
                    arrows ? 1.4 : 1, arrows);
    }
    if (state.message && *state.message < messages.size())
        drawMessage(pencil, subject, frame, *state.message, pencil.palette().accent, 2.5, arrows);
}

void drawChosen(Pencil& pencil, const Subject& subject, const ViewState& state, const SpaceTimeFrame& frame) {
    const engine::Messages& messages = subject.run().messages;
    if (state.rank) {
        std::vector<std::uint32_t> seen;
        const auto note = [&](std::uint32_t i) {
            if (visible(frame, messages.sendBegin()[i], messages.receiveEnd()[i])) seen.push_back(i);
        };
        const auto sent = subject.sentBy(*state.rank);
        const auto received = subject.receivedBy(*state.rank);
        const auto inSight = subject.messagesIn(frame.axis.begin(), frame.axis.end());
        if (inSight.size() < sent.size() + received.size()) {
            for (const std::uint32_t i : inSight)
                if (messages.from()[i] == *state.rank || messages.to()[i] == *state.rank) note(i);
        } else {
            const std::size_t every = (sent.size() + received.size()) / mostLooked + 1;
            for (const auto& all : {sent, received})
                for (std::size_t at = 0; at < all.size(); at += every) note(all[at]);
        }
        // So many lines would be a block of their own; then every so many stands for its neighbours.
        const std::size_t step = seen.size() / mostChosen + 1;
        for (std::size_t i = 0; i < seen.size(); i += step)
            drawMessage(pencil, subject, frame, seen[i], colourOf(pencil, subject, seen[i]), 1, false);
        const double middle = frame.middleOf(*state.rank);
        pencil.line({frame.plot.left(), middle}, {frame.plot.right(), middle}, pencil.palette().accent, 1);
    }
    if (state.message && *state.message < messages.size())
        drawMessage(pencil, subject, frame, *state.message, pencil.palette().accent, 2.5, false);
}

void drawBars(Pencil& pencil, const Subject& subject, const ViewState& state, const SpaceTimeFrame& frame) {
    struct Change {
        Picoseconds at{};
        int sends = 0;
        int receives = 0;
    };
    const engine::Messages& messages = subject.run().messages;
    const Picoseconds first = frame.axis.begin();
    const Picoseconds last = frame.axis.end();
    std::vector<std::vector<Change>> perRank(static_cast<std::size_t>(subject.run().ranks));
    const auto note = [&](engine::Rank rank, Picoseconds begin, Picoseconds end, int sends, int receives) {
        if (!visible(frame, begin, end)) return;
        std::vector<Change>& changes = perRank[static_cast<std::size_t>(rank.value)];
        changes.push_back({std::max(begin, first), sends, receives});
        changes.push_back({std::min(end, last), -sends, -receives});
    };
    for (const std::uint32_t i : subject.messagesIn(first, last)) {
        note(messages.from()[i], messages.sendBegin()[i], messages.sendEnd()[i], 1, 0);
        note(messages.to()[i], messages.receiveBegin()[i], messages.receiveEnd()[i], 0, 1);
    }
    for (std::int32_t number = 0; number < subject.run().ranks; ++number) {
        const engine::Rank rank{number};
        const Picoseconds done = subject.doneAt(rank);
        std::vector<Change>& changes = perRank[static_cast<std::size_t>(number)];
        for (const Picoseconds edge : {first, std::clamp(done, first, last), last}) changes.push_back({edge, 0, 0});
        std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) { return a.at < b.at; });
        Change now;
        for (std::size_t i = 0; i < changes.size();) {
            const Picoseconds begin = changes[i].at;
            for (; i < changes.size() && changes[i].at == begin; ++i) {
                now.sends += changes[i].sends;
                now.receives += changes[i].receives;
            }
            if (i < changes.size())
                drawBar(pencil, frame, rank, {begin, changes[i].at}, now.sends > 0, now.receives > 0, begin >= done);
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

namespace {

struct Load {
    double busy = 0;  ///< picoseconds of ports
    double messages = 0;
};

/// What the ports did, in cells of some ranks and some time.
struct Cells {
    std::int32_t rows = 0;
    std::int32_t columns = 0;
    std::vector<Load> loads;

    Cells(std::int32_t rowCount, std::int32_t columnCount)
        : rows{rowCount}, columns{columnCount},
          loads(static_cast<std::size_t>(rowCount) * static_cast<std::size_t>(columnCount)) {}
    Load& at(std::int32_t row, std::int32_t column) {
        return loads[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                     static_cast<std::size_t>(column)];
    }
};

/// The row of cells that a rank belongs to.
std::int32_t rowOf(const Density& density, std::int32_t rank, std::int32_t ranks, std::int32_t rows, bool sums) {
    const std::int64_t of = sums ? density.rowOf(engine::Rank{rank}) : rank;
    return static_cast<std::int32_t>(of * rows / (sums ? density.rows() : ranks));
}

/// From the sums of the whole run: costs by cells.
void fillFromSums(Cells& cells, const Density& density, const TimeAxis& axis) {
    const Picoseconds span = axis.end() - axis.begin();
    for (std::int32_t part = 0; part < density.rows(); ++part) {
        const auto row = static_cast<std::int32_t>(static_cast<std::int64_t>(part) * cells.rows / density.rows());
        double busy = density.busyBefore(part, axis.begin());
        double sent = density.sentBefore(part, axis.begin());
        for (std::int32_t column = 0; column < cells.columns; ++column) {
            const Picoseconds end =
                axis.begin() + Picoseconds{std::llround(static_cast<double>(span.count()) * (column + 1) / cells.columns)};
            const double busyThen = density.busyBefore(part, end);
            const double sentThen = density.sentBefore(part, end);
            Load& load = cells.at(row, column);
            load.busy += busyThen - busy;
            load.messages += sentThen - sent;
            busy = busyThen;
            sent = sentThen;
        }
    }
}

/// From the messages in sight: exact, where they are few.
void fillFromMessages(Cells& cells, const Subject& subject, const SpaceTimeFrame& frame) {
    const engine::Messages& messages = subject.run().messages;
    const std::int32_t ranks = subject.run().ranks;
    const double begin = static_cast<double>(frame.axis.begin().count());
    const double step = static_cast<double>((frame.axis.end() - frame.axis.begin()).count()) / cells.columns;
    const auto note = [&](engine::Rank rank, Picoseconds from, Picoseconds to, double count) {
        if (!visible(frame, from, to)) return;
        const auto row = static_cast<std::int32_t>(static_cast<std::int64_t>(rank.value) * cells.rows / ranks);
        const double a = std::max(0.0, (static_cast<double>(from.count()) - begin) / step);
        const double b = std::min(static_cast<double>(cells.columns), (static_cast<double>(to.count()) - begin) / step);
        for (auto column = static_cast<std::int32_t>(a); column < cells.columns && column < b; ++column) {
            Load& load = cells.at(row, column);
            load.busy += (std::min(b, column + 1.0) - std::max(a, static_cast<double>(column))) * step;
            load.messages += count;
        }
    };
    for (const std::uint32_t i : subject.messagesIn(frame.axis.begin(), frame.axis.end())) {
        note(messages.from()[i], messages.sendBegin()[i], messages.sendEnd()[i], 1);
        note(messages.to()[i], messages.receiveBegin()[i], messages.receiveEnd()[i], 0);
    }
}

}  // namespace

void drawDensity(Pencil& pencil, const Subject& subject, const SpaceTimeFrame& frame) {
    const std::int32_t ranks = subject.run().ranks;
    const Density& density = subject.density();
    const auto columns = std::max(static_cast<std::int32_t>(frame.plot.width() / cellWidth), 1);
    const Picoseconds span = frame.axis.end() - frame.axis.begin();
    const bool sums = !density.empty() && span >= density.bucket() * columns;
    const auto rows = std::clamp(static_cast<std::int32_t>(frame.plot.height() / cellHeight), 1,
                                 density.empty() ? ranks : density.rows());
    Cells cells{rows, columns};
    if (sums) fillFromSums(cells, density, frame.axis);
    else fillFromMessages(cells, subject, frame);
    const double step = static_cast<double>(span.count()) / columns;
    const double ports = 2.0 * (subject.problem() ? subject.problem()->ports : 1);
    const double height = frame.plot.height() / rows;
    const double width = frame.plot.width() / columns;
    // Ranks of every row; sums know bundles of ranks only.
    std::vector<std::int64_t> begins(static_cast<std::size_t>(rows) + 1, ranks);
    for (std::int32_t rank = ranks; rank-- > 0;)
        begins[static_cast<std::size_t>(rowOf(density, rank, ranks, rows, sums))] = rank;
    const bool told = rows * columns <= mostTold;
    const auto colourOf = [&](int shade) {
        return mixed(pencil.palette().tint, pencil.palette().both, static_cast<double>(shade) / shades);
    };
    std::array<QRgb, shades + 1> colours{};
    for (int shade = 1; shade <= shades; ++shade) colours[static_cast<std::size_t>(shade)] = colourOf(shade).rgba();
    QImage picture;
    if (!told) {
        picture = QImage{columns, rows, QImage::Format_ARGB32_Premultiplied};
        picture.fill(Qt::transparent);
    }
    for (std::int32_t row = 0; row < rows; ++row) {
        const std::int64_t first = begins[static_cast<std::size_t>(row)];
        const std::int64_t next = begins[static_cast<std::size_t>(row) + 1];
        const double whole = ports * step * static_cast<double>(std::max<std::int64_t>(next - first, 1));
        const auto shadeOf = [&](std::int32_t column) {
            const double share = cells.at(row, column).busy / whole;
            return share <= 0 ? 0 : std::clamp(static_cast<int>(std::ceil(share * shades)), 1, shades);
        };
        if (!told) {
            auto* line = reinterpret_cast<QRgb*>(picture.scanLine(row));
            for (std::int32_t column = 0; column < columns; ++column)
                line[column] = colours[static_cast<std::size_t>(shadeOf(column))];
            // What a click finds; the picture below shows it.
            pencil.rectangle({frame.plot.left(), frame.plot.top() + row * height, frame.plot.width(), height},
                             {}).meaning = {Meaning::Kind::rank, first, -1};
            continue;
        }
        for (std::int32_t column = 0; column < columns;) {
            const int shade = shadeOf(column);
            const std::int32_t from = column;
            double count = 0;
            for (; column < columns && shadeOf(column) == shade; ++column) count += cells.at(row, column).messages;
            if (shade == 0) continue;
            Shape& cell = pencil.rectangle(
                {frame.plot.left() + from * width, frame.plot.top() + row * height, (column - from) * width, height},
                colourOf(shade));
            cell.meaning = {Meaning::Kind::rank, first, -1};
            cell.tip = QStringLiteral("ranks %1-%2: about %3 % of the ports busy, %4 messages in cells of %5 ranks")
                           .arg(first)
                           .arg(next - 1)
                           .arg(100 * shade / shades)
                           .arg(std::llround(count))
                           .arg(next - first);
        }
    }
    if (!told) pencil.cells(frame.plot, picture);
}

}  // namespace app::gui
