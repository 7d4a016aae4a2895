// SPDX-License-Identifier: BSD-3-Clause
// Messages across tracks: one by one where they can be distinguished. Where not, the sign of what they make up stands
// for them above the tracks, or, where they make up nothing, a shade; the pointer on a rank shows its own.
#include "app/gui/scenes/drawing/number_text.hpp"
#include "app/gui/scenes/drawing/to_qt.hpp"
#include "app/gui/scenes/program/program_timeline_frame.hpp"
#include "app/gui/scenes/text/program_text.hpp"
#include "app/gui/scenes/text/run_text.hpp"
#include "engine/base/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace app::gui {
namespace {

using analysis::PatternKind;
using engine::Picoseconds;

constexpr std::size_t arrowsAtMost = 200;
constexpr std::size_t linesAtMost = 1500;
constexpr std::size_t mostCounted = 40'000;  // of more messages every so many stands for the others
constexpr std::size_t mostMatched = 40'000;  // of more messages in sight nobody waits for what they make up
constexpr double cell = 4;                   // pixels of the density
constexpr double burstsApart = 8;            // pixels between what is distinguished
constexpr double linesApart = 20;            // between lines, where they cross a row
constexpr double tangleWidth = 48;           // in which so many of them are one
constexpr double nearPointer = 3;            // pixels

/// Only the columns that a line needs are looked at: of millions of messages each is another cache line.
QLineF lineOf(const engine::Messages& messages, const ProgramTimelineFrame& frame, std::size_t i) {
    return {frame.axis.pixel(messages.sendBegin()[i]), frame.middleOf(messages.from()[i]),
            frame.axis.pixel(messages.receiveEnd()[i]), frame.middleOf(messages.to()[i])};
}

/// How often lines cross each cell of a plot.
class Crossings {
public:
    explicit Crossings(const QRectF& plot)
        : columns_{std::max(1, static_cast<int>(plot.width() / cell))},
          lines_{std::max(1, static_cast<int>(plot.height() / cell))},
          counts_(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(lines_)) {}

    /// `line` in cells from the upper left corner of the plot.
    void add(const QLineF& line) {
        const double length = std::max(std::abs(line.dx()), std::abs(line.dy()));
        const int steps = static_cast<int>(length) + 1;
        const double across = line.dx() / steps, down = line.dy() / steps;
        double x = line.x1(), y = line.y1();
        for (int s = 0; s <= steps; ++s, x += across, y += down) {
            const int column = std::clamp(static_cast<int>(x), 0, columns_ - 1);
            const int row = std::clamp(static_cast<int>(y), 0, lines_ - 1);
            ++counts_[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
                      static_cast<std::size_t>(column)];
        }
    }
    void add(const Crossings& other) {
        for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
    }
    [[nodiscard]] bool empty() const {
        return std::all_of(counts_.begin(), counts_.end(), [](std::uint32_t count) { return count == 0; });
    }

    /// As shades of `ink`, where a crossing stands for `each` lines.
    [[nodiscard]] QImage shades(const QColor& ink, std::size_t each) const {
        const auto crossed = [&](std::uint32_t count) {
            return std::log1p(static_cast<double>(count) * static_cast<double>(each));
        };
        const double most = crossed(*std::max_element(counts_.begin(), counts_.end()));
        // Few numbers occur, each of them often: what it looks like is worked out once.
        std::vector<std::optional<QRgb>> known(256);
        const auto shadeOf = [&](std::uint32_t count) {
            std::optional<QRgb>* kept = count < known.size() ? &known[count] : nullptr;
            if (kept != nullptr && *kept) return **kept;
            const double share = crossed(count) / most;
            const QRgb shade =
                qRgba(ink.red(), ink.green(), ink.blue(), static_cast<int>(std::lround(255 * 0.3 * share * share)));
            if (kept != nullptr) *kept = shade;
            return shade;
        };
        QImage image{columns_, lines_, QImage::Format_ARGB32};
        auto count = counts_.begin();
        for (int row = 0; row < lines_; ++row) {
            auto* const pixels = reinterpret_cast<QRgb*>(image.scanLine(row));
            for (int column = 0; column < columns_; ++column, ++count)
                pixels[column] = *count == 0 ? qRgba(0, 0, 0, 0) : shadeOf(*count);
        }
        return image;
    }

private:
    int columns_;
    int lines_;
    std::vector<std::uint32_t> counts_;
};

/// One of `step` messages from the `k`-th step on, a different one in each: where ranks send in turn, every so many
/// messages would be those of the same ranks.
std::size_t chosenIn(std::size_t k, std::size_t step) {
    return k * step + static_cast<std::size_t>((k * 0x9E3779B97F4A7C15ULL) >> 33U) % step;
}

/// How many of the lines of `messages` cross each cell of the plot, as shades of one colour.
void drawDensity(SceneBuilder& pencil, const DrawableRun& subject, const ProgramTimelineFrame& frame,
                 std::span<const std::uint32_t> messages) {
    const engine::Messages& all = subject.run().messages;
    const std::size_t count = messages.size();
    const std::size_t step = count / mostCounted + 1;
    const std::size_t chosen = (count + step - 1) / step;
    const std::size_t parts = partsOf(count);
    std::vector<Crossings> crossings(parts, Crossings{frame.plot});
    engine::parallelFor(parts, [&](std::size_t part) {
        for (std::size_t k = chosen * part / parts; k < chosen * (part + 1) / parts; ++k) {
            const std::size_t place = chosenIn(k, step);
            if (place >= count) continue;
            const QLineF line = partWithin(frame.plot, lineOf(all, frame, messages[place]));
            if (line.isNull()) continue;
            crossings[part].add({(line.p1() - frame.plot.topLeft()) / cell, (line.p2() - frame.plot.topLeft()) / cell});
        }
    });
    for (std::size_t part = 1; part < parts; ++part) crossings.front().add(crossings[part]);
    if (!crossings.front().empty()) pencil.cells(frame.plot, crossings.front().shades(pencil.palette().ink, step));
}

/// Of so many that nobody matches them: those that begin in what is seen.
std::span<const std::uint32_t> begunInSight(const DrawableRun& subject, const ProgramTimelineFrame& frame) {
    const auto order = subject.index().byBegin();
    const engine::Messages& messages = subject.run().messages;
    const auto begin = [&](std::uint32_t i) { return std::min(messages.sendBegin()[i], messages.receiveBegin()[i]); };
    const auto first = std::partition_point(order.begin(), order.end(),
                                            [&](std::uint32_t i) { return begin(i) < frame.axis.begin(); });
    const auto last =
        std::partition_point(first, order.end(), [&](std::uint32_t i) { return begin(i) <= frame.axis.end(); });
    return {first, last};
}

/// Messages that are looked at together.
struct Flock {
    double left = 0;
    double right = 0;
    std::vector<std::uint32_t> messages{};
    std::optional<std::size_t> iteration{};  ///< in which all of them are sent
};

void add(Flock& flock, std::uint32_t message, double left, double right) {
    flock.left = flock.messages.empty() ? left : std::min(flock.left, left);
    flock.right = std::max(flock.right, right);
    flock.messages.push_back(message);
}

/// Those of an iteration, and those of none; where there are no iterations, messages of which each begins no farther
/// than a few pixels behind the end of those before it. `seen` by when they begin.
std::vector<Flock> flocksOf(const DrawableRun& subject, const analysis::TracedProgram& program,
                            const ProgramTimelineFrame& frame, std::span<const std::uint32_t> seen) {
    const engine::Messages& messages = subject.run().messages;
    const std::vector<analysis::Iteration>& iterations = program.iterations().all;
    std::vector<Flock> flocks;
    std::vector<std::size_t> flockOf(iterations.size() + 1, std::size_t{0} - 1);
    for (const std::uint32_t i : seen) {
        const Picoseconds begin = std::min(messages.sendBegin()[i], messages.receiveBegin()[i]);
        const double left = std::max(frame.axis.pixel(begin), frame.plot.left());
        const double right = std::min(frame.axis.pixel(messages.receiveEnd()[i]), frame.plot.right());
        if (iterations.empty()) {
            if (flocks.empty() || left > flocks.back().right + burstsApart) flocks.emplace_back();
            add(flocks.back(), i, left, right);
            continue;
        }
        const std::optional<std::size_t> its = analysis::iterationAt(iterations, messages.sendBegin()[i]);
        std::size_t& flock = flockOf[its.value_or(iterations.size())];
        if (flock >= flocks.size()) {
            flock = flocks.size();
            flocks.emplace_back().iteration = its;
        }
        add(flocks[flock], i, left, right);
    }
    return flocks;
}

analysis::MessagePattern patternOf(const DrawableRun& subject, const analysis::TracedProgram& program,
                                   const Flock& flock) {
    if (flock.iteration) return program.patterns()[*flock.iteration];
    std::vector<analysis::Ends> ends;
    for (const std::uint32_t i : flock.messages)
        ends.push_back({subject.run().messages.from()[i], subject.run().messages.to()[i]});
    return analysis::patternOf(std::move(ends), subject.run().ranks);
}

/// Whether nobody could follow its lines: somewhere, where they cross a row, they are on the average too close.
bool isTangle(const DrawableRun& subject, const ProgramTimelineFrame& frame, const Flock& flock) {
    if (flock.messages.size() < fewMessages) return false;
    const double left = frame.plot.left();
    std::vector<double> down(static_cast<std::size_t>(frame.plot.width() / tangleWidth) + 1);
    const auto placeOf = [&](double x) {
        return std::min(static_cast<std::size_t>(std::max(x - left, 0.0) / tangleWidth), down.size() - 1);
    };
    for (const std::uint32_t i : flock.messages) {
        const QLineF line = partWithin(frame.plot, lineOf(subject.run().messages, frame, i));
        if (line.isNull()) continue;
        const auto [from, to] = std::minmax({line.x1(), line.x2()});
        for (std::size_t place = placeOf(from); place <= placeOf(to); ++place) {
            const double begin = left + static_cast<double>(place) * tangleWidth;
            const double share = std::min(to, begin + tangleWidth) - std::max(from, begin);
            down[place] += std::abs(line.dy()) * (to > from ? share / (to - from) : 1);
        }
    }
    return *std::max_element(down.begin(), down.end()) * linesApart > tangleWidth * frame.plot.height();
}

QString messagesIn(const Flock& flock) {
    return countedInWords(static_cast<std::int64_t>(flock.messages.size()), QStringLiteral("message"),
                          QStringLiteral("messages"));
}

/// Below the sign of an iteration, where its messages are.
void drawStandIn(SceneBuilder& pencil, const ProgramTimelineFrame& frame, const Flock& flock,
                 const analysis::MessagePattern& pattern) {
    if (!flock.iteration || frame.iterations.height() <= 0) return;
    const double y = (frame.iterations.bottom() + frame.plot.top()) / 2;
    Shape& line = pencil.line({flock.left, y}, {std::max(flock.right, flock.left + 1), y}, pencil.palette().muted, 2);
    line.meaning = {Meaning::Kind::iteration, static_cast<std::int64_t>(*flock.iteration), -1};
    line.tip = QStringLiteral("%1 too close to be drawn: %2; the pointer on a rank shows its own")
                   .arg(messagesIn(flock), toQt(analysis::inWords(pattern)));
}

/// In the place of an iteration, where there are none: how many messages crowd together, and the sign of what they make
/// up.
void drawBurst(SceneBuilder& pencil, const ProgramTimelineFrame& frame, const Flock& flock,
               const analysis::MessagePattern& pattern, bool tangle) {
    const Palette& palette = pencil.palette();
    const QRectF box{flock.left, frame.iterations.top(), std::max(flock.right - flock.left, 1.0),
                     frame.iterations.height()};
    const QString counted = messagesIn(flock);
    Shape& ground = pencil.rectangle(box, palette.groove);
    if (box.width() > 8) ground.radius = 3;
    ground.tip = pattern.kind == PatternKind::none ? counted + QStringLiteral(", which make up no pattern")
                                                   : counted + QStringLiteral(": ") + toQt(analysis::inWords(pattern));
    QString said = counted;
    if (pattern.kind != PatternKind::none && tangle) {
        said += QStringLiteral(", too close to be drawn");
        ground.tip += QStringLiteral("; too close to be drawn, but for those of a rank that the pointer is on");
    }
    const double side = pattern.kind == PatternKind::none ? 0 : box.height() - 8;
    for (const QString& words :
         {said, counted, countInWords(static_cast<std::int64_t>(flock.messages.size())), QString{}}) {
        const double width = words.isEmpty() ? 0 : sizeOf(words, points::tiny).width();
        const double between = side > 0 && width > 0 ? 5 : 0;
        if (width + between + side + 6 > box.width()) continue;
        const double from = box.center().x() - (width + between + side) / 2;
        if (!words.isEmpty())
            pencil.text({from, box.center().y()}, Qt::AlignLeft | Qt::AlignVCenter, words, points::tiny, palette.muted);
        if (side > 0)
            drawPattern(pencil, {from + width + between, box.center().y() - side / 2, side, side}, pattern.kind,
                        palette.muted, {});
        break;
    }
}

void drawLines(SceneBuilder& pencil, const DrawableRun& subject, const ProgramTimelineFrame& frame,
               std::span<const std::uint32_t> messages) {
    const bool arrows = messages.size() <= arrowsAtMost;
    const Palette& palette = pencil.palette();
    // Many lines are a texture, through which calls are still to be read.
    const QColor ink = arrows ? palette.muted : mixed(palette.paper, palette.muted, 0.4);
    for (const std::uint32_t i : messages) {
        const QLineF whole = lineOf(subject.run().messages, frame, i);
        const QLineF line = partWithin(frame.plot, whole);
        if (line.length() < 0.5) continue;
        const bool arrives = line.p2() == whole.p2();
        Shape& shape = arrows && arrives ? pencil.arrow(line.p1(), line.p2(), ink, 1)
                                         : pencil.line(line.p1(), line.p2(), ink, arrows ? 1 : 0.6);
        if (arrows) shape.casing = palette.paper;
        shape.meaning = {Meaning::Kind::message, static_cast<std::int64_t>(i), -1};
    }
}

}  // namespace

void drawTrackMessages(SceneBuilder& pencil, const DrawableRun& subject, const analysis::TracedProgram& program,
                       const ProgramTimelineFrame& frame) {
    const std::vector<std::uint32_t> seen =
        subject.index().touching(frame.axis.begin(), frame.axis.end(), mostMatched + 1);
    if (seen.size() > mostMatched) return drawDensity(pencil, subject, frame, begunInSight(subject, frame));
    std::vector<std::uint32_t> clear;
    std::vector<std::uint32_t> shaded;
    const bool bursts = program.iterations().all.empty() && frame.iterations.height() > 0;
    for (const Flock& flock : flocksOf(subject, program, frame, seen)) {
        const bool tangle = isTangle(subject, frame, flock);
        const analysis::MessagePattern pattern =
            tangle || bursts ? patternOf(subject, program, flock) : analysis::MessagePattern{};
        if (bursts) drawBurst(pencil, frame, flock, pattern, tangle);
        if (tangle && pattern.kind != PatternKind::none) {
            drawStandIn(pencil, frame, flock, pattern);
            continue;
        }
        std::vector<std::uint32_t>& its = tangle ? shaded : clear;
        its.insert(its.end(), flock.messages.begin(), flock.messages.end());
    }
    if (clear.size() > linesAtMost) shaded.insert(shaded.end(), clear.begin(), clear.end());
    if (!shaded.empty()) drawDensity(pencil, subject, frame, shaded);
    if (clear.size() <= linesAtMost) drawLines(pencil, subject, frame, clear);
}

void drawLitMessages(SceneBuilder& pencil, const DrawableRun& subject, const ProgramTimelineFrame& frame,
                     std::uint32_t lit) {
    const engine::Messages& messages = subject.run().messages;
    const std::vector<std::uint32_t> beside =
        subject.index().touching(messages.sendBegin()[lit], messages.receiveEnd()[lit], mostMatched + 1);
    const auto draw = [&](std::uint32_t i, double width) {
        const QLineF whole = lineOf(messages, frame, i);
        const QLineF line = partWithin(frame.plot, whole);
        if (line.length() < 0.5) return;
        Shape& shape = line.p2() == whole.p2() ? pencil.arrow(line.p1(), line.p2(), pencil.palette().accent, width)
                                               : pencil.line(line.p1(), line.p2(), pencil.palette().accent, width);
        shape.casing = pencil.palette().paper;
        shape.meaning = {Meaning::Kind::message, static_cast<std::int64_t>(i), -1};
    };
    if (beside.size() <= mostMatched)
        for (const std::uint32_t i : beside)
            if (i != lit && messages.from()[i] == messages.from()[lit]) draw(i, 1);
    draw(lit, 2);
}

std::optional<std::uint32_t> programTimelineMessageAt(const DrawableRun& subject, const ViewState& state, QSizeF size,
                                                      QPointF at) {
    const analysis::TracedProgram* program = programOf(subject);
    if (program == nullptr) return std::nullopt;
    const ProgramTimelineFrame frame = programTimelineFrame(subject, *program, state, size);
    const std::optional<std::size_t> row = frame.rowAt(at.y());
    if (!frame.plot.contains(at) || !row || frame.rows[*row].rank == traces::noRank) return std::nullopt;
    const engine::Rank rank = frame.rows[*row].rank;
    const engine::Messages& messages = subject.run().messages;
    std::optional<std::uint32_t> received;
    for (const std::uint32_t i : subject.index().touching(frame.axis.time(at.x() - nearPointer),
                                                          frame.axis.time(at.x() + nearPointer), mostMatched)) {
        if (messages.from()[i] == rank) return i;
        if (messages.to()[i] == rank && !received) received = i;
    }
    return received;
}

}  // namespace app::gui
