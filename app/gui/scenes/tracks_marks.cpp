// SPDX-License-Identifier: BSD-3-Clause
// What leads across tracks: messages, ends of collectives, and iterations above all of them.
#include "app/gui/scenes/numbers.hpp"
#include "app/gui/scenes/to_qt.hpp"
#include "app/gui/scenes/tracks_colours.hpp"
#include "app/gui/scenes/tracks_frame.hpp"
#include "app/gui/scenes/words.hpp"
#include "engine/side_by_side.hpp"

#include <algorithm>
#include <cmath>

namespace app::gui {
namespace {

using analysis::Activity;
using engine::Picoseconds;

constexpr std::size_t arrowsAtMost = 200;
constexpr std::size_t linesAtMost = 1500;
constexpr std::size_t mostCounted = 40'000;  // of more messages every so many stands for the others
constexpr double cell = 4;                   // pixels of the density
constexpr double collectiveApart = 5;        // pixels between collectives on the average, at least
constexpr double leastApart = 3;             // between two of them
constexpr double iterationApart = 3;         // pixels

/// Only the columns that a line needs are looked at: of millions of messages each is another cache line.
QLineF lineOf(const engine::Messages& messages, const TracksFrame& frame, std::size_t i) {
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

/// How many lines cross each cell of the plot, as shades of one colour.
void drawMessageDensity(Pencil& pencil, const Subject& subject, const TracksFrame& frame) {
    const auto order = subject.index().byBegin();
    const engine::Messages& messages = subject.run().messages;
    const auto begin = [&](std::uint32_t i) { return std::min(messages.sendBegin()[i], messages.receiveBegin()[i]); };
    const auto first = std::partition_point(order.begin(), order.end(),
                                            [&](std::uint32_t i) { return begin(i) < frame.axis.begin(); });
    const auto last =
        std::partition_point(first, order.end(), [&](std::uint32_t i) { return begin(i) <= frame.axis.end(); });
    const auto count = static_cast<std::size_t>(last - first);
    const std::size_t step = count / mostCounted + 1;
    const std::size_t chosen = (count + step - 1) / step;
    const std::size_t parts = partsOf(count);
    std::vector<Crossings> crossings(parts, Crossings{frame.plot});
    engine::sideBySide(parts, [&](std::size_t part) {
        for (std::size_t k = chosen * part / parts; k < chosen * (part + 1) / parts; ++k) {
            const std::size_t place = chosenIn(k, step);
            if (place >= count) continue;
            const QLineF line =
                partWithin(frame.plot, lineOf(messages, frame, first[static_cast<std::ptrdiff_t>(place)]));
            if (line.isNull()) continue;
            crossings[part].add({(line.p1() - frame.plot.topLeft()) / cell, (line.p2() - frame.plot.topLeft()) / cell});
        }
    });
    for (std::size_t part = 1; part < parts; ++part) crossings.front().add(crossings[part]);
    if (!crossings.front().empty()) pencil.cells(frame.plot, crossings.front().shades(pencil.palette().ink, step));
}

/// Who sends to whom in the sign of a pattern, from above to below, in parts of its box.
std::vector<std::pair<double, double>> linesOf(analysis::PatternKind kind) {
    switch (kind) {
        case analysis::PatternKind::shift: return {{0, 0.6}, {0.4, 1}};
        case analysis::PatternKind::exchange: return {{0, 1}, {1, 0}};
        case analysis::PatternKind::tree: return {{0.5, 0}, {0.5, 0.5}, {0.5, 1}};
        case analysis::PatternKind::allToAll: return {{0, 0}, {0, 0.5}, {0, 1}, {1, 0}, {1, 0.5}, {1, 1}};
        case analysis::PatternKind::none: break;
    }
    return {};
}

constexpr double burstsApart = 8;            // pixels between what is told apart
constexpr std::size_t mostMatched = 40'000;  // of more messages in sight nobody waits for what they make up

/// Messages of which each begins no farther than a few pixels behind the end of those before it.
struct Burst {
    double left = 0;
    double right = 0;
    std::vector<analysis::Ends> ends{};
};

std::vector<Burst> burstsOf(const Subject& subject, const TracksFrame& frame) {
    const engine::Messages& messages = subject.run().messages;
    const std::vector<std::uint32_t> seen =
        subject.index().touching(frame.axis.begin(), frame.axis.end(), mostMatched + 1);
    if (seen.size() > mostMatched) return {};
    const auto begin = [&](std::uint32_t i) { return std::min(messages.sendBegin()[i], messages.receiveBegin()[i]); };
    std::vector<Burst> bursts;
    for (const std::uint32_t i : seen) {
        const double left = std::max(frame.axis.pixel(begin(i)), frame.plot.left());
        const double right = std::min(frame.axis.pixel(messages.receiveEnd()[i]), frame.plot.right());
        if (bursts.empty() || left > bursts.back().right + burstsApart) bursts.push_back({left, right});
        bursts.back().right = std::max(bursts.back().right, right);
        bursts.back().ends.push_back({messages.from()[i], messages.to()[i]});
    }
    return bursts;
}

QString countedFrom(std::size_t iteration) { return QString::number(iteration + 1); }

}  // namespace

void drawTrackMessages(Pencil& pencil, const Subject& subject, const TracksFrame& frame) {
    const std::vector<std::uint32_t> seen =
        subject.index().touching(frame.axis.begin(), frame.axis.end(), linesAtMost + 1);
    if (seen.size() > linesAtMost) return drawMessageDensity(pencil, subject, frame);
    const bool arrows = seen.size() <= arrowsAtMost;
    const Palette& palette = pencil.palette();
    // Many lines are a texture, through which calls are still to be read.
    const QColor ink = arrows ? palette.muted : mixed(palette.paper, palette.muted, 0.4);
    for (const std::uint32_t i : seen) {
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

void drawCollectives(Pencil& pencil, const analysis::TracedProgram& program, const TracksFrame& frame) {
    const auto& marks = program.tracks().collectives();
    const auto first = std::partition_point(marks.begin(), marks.end(),
                                            [&](const auto& mark) { return mark.end < frame.axis.begin(); });
    const auto last =
        std::partition_point(first, marks.end(), [&](const auto& mark) { return mark.end <= frame.axis.end(); });
    if (static_cast<double>(last - first) * collectiveApart > frame.plot.width()) return;
    const traces::Collectives& collectives = program.recording().collectives;
    double drawnAt = frame.plot.left() - leastApart;
    for (auto mark = first; mark != last; ++mark) {
        // Where they crowd, some stand for all: lines side by side would be a bar.
        const double x = frame.axis.pixel(mark->end);
        if (x - drawnAt < leastApart) continue;
        auto [above, below] = std::pair{frame.rows.size(), std::size_t{0}};
        for (const traces::Participant& part : collectives.of(collectives.instances[mark->instance])) {
            const auto row = static_cast<std::size_t>(frame.rowOf[part.rank.index()]);
            above = std::min(above, row);
            below = std::max(below, row);
        }
        const double top = std::max(frame.topOf(above) + frame.gap() / 2, frame.plot.top());
        const double bottom = std::min(frame.topOf(below + 1) - frame.gap() / 2, frame.plot.bottom());
        if (above > below || bottom <= top) continue;
        drawnAt = x;
        Shape& line = pencil.line({x, top}, {x, bottom}, strongColour(Activity::collective, pencil.dark()), 1.5);
        line.meaning = {Meaning::Kind::collective, mark->instance, -1};
    }
}

void drawPattern(Pencil& pencil, const QRectF& box, analysis::PatternKind kind, const QColor& ink,
                 const Meaning& meaning) {
    for (const auto& [above, below] : linesOf(kind))
        pencil
            .line({box.left() + above * box.width(), box.top()}, {box.left() + below * box.width(), box.bottom()}, ink,
                  1.2)
            .meaning = meaning;
}

void drawIterations(Pencil& pencil, const analysis::TracedProgram& program, const TracksFrame& frame) {
    const std::vector<analysis::Iteration>& all = program.iterations().all;
    if (all.empty() || frame.iterations.height() <= 0) return;
    const Palette& palette = pencil.palette();
    const auto endOf = [&](std::size_t k) {
        const Picoseconds own = all[k].begin + all[k].duration;
        return k + 1 < all.size() ? std::min(own, std::max(all[k + 1].begin, all[k].begin)) : own;
    };
    const auto first = static_cast<std::size_t>(
        std::partition_point(all.begin(), all.end(),
                             [&](const auto& one) { return one.begin + one.duration < frame.axis.begin(); }) -
        all.begin());
    double drawnTo = frame.iterations.left() - iterationApart;
    // Of thousands in a pixel only those are looked at that may be seen: odd ones, and those that end beyond the last
    // box.
    const std::vector<std::size_t>& oddOnes = program.oddIterations();
    const auto next = [&](std::size_t k) {
        const Picoseconds beyond = frame.axis.time(drawnTo + iterationApart) - Picoseconds{1};
        const auto from = all.begin() + static_cast<std::ptrdiff_t>(k);
        const auto seen = std::partition_point(from, all.end(), [&](const auto& one) { return one.begin < beyond; });
        const auto oddOne = std::lower_bound(oddOnes.begin(), oddOnes.end(), k);
        return std::min(seen == from ? k : static_cast<std::size_t>(seen - all.begin()) - 1,
                        oddOne == oddOnes.end() ? all.size() : *oddOne);
    };
    for (std::size_t k = next(first); k < all.size() && all[k].begin < frame.axis.end(); k = next(k + 1)) {
        const double left = std::max(frame.axis.pixel(all[k].begin), frame.iterations.left());
        const double right = std::min(frame.axis.pixel(endOf(k)), frame.iterations.right());
        // Of many in one pixel the odd ones are seen.
        if (right <= left || (!all[k].odd && right - drawnTo < iterationApart)) continue;
        drawnTo = right;
        const QRectF box{left, frame.iterations.top(), std::max(right - left - 2, 1.0), frame.iterations.height()};
        Shape& shape = pencil.rectangle(box, all[k].odd ? mixed(palette.paper, palette.accent, 0.14) : palette.groove);
        if (box.width() > 8) shape.radius = 3;
        const Meaning meaning{Meaning::Kind::iteration, static_cast<std::int64_t>(k), -1};
        shape.meaning = meaning;
        const QString number = countedFrom(k);
        const QString odd = QStringLiteral("  %1 instead of %2")
                                .arg(timeInWords(all[k].duration), timeInWords(program.iterations().median));
        QStringList words{QStringLiteral("iteration ") + number, number};
        if (all[k].odd) words.prepend(QStringLiteral("iteration ") + number + odd);
        const QColor ink = all[k].odd ? palette.accent : palette.muted;
        const analysis::PatternKind kind = program.patterns()[k].kind;
        const double side = kind == analysis::PatternKind::none ? 0 : box.height() - 8;
        // With its sign where there is room for both, else the number comes first.
        const auto draw = [&](double sign) {
            for (const QString& each : words) {
                const double width = sizeOf(each, points::tiny, all[k].odd).width();
                const double apart = sign > 0 ? 5 : 0;
                if (width + apart + sign + 6 > box.width()) continue;
                const double from = box.center().x() - (width + apart + sign) / 2;
                pencil.text({from, box.center().y()}, Qt::AlignLeft | Qt::AlignVCenter, each, points::tiny, ink,
                            all[k].odd);
                if (sign > 0)
                    drawPattern(pencil, {from + width + apart, box.center().y() - sign / 2, sign, sign}, kind, ink,
                                meaning);
                return true;
            }
            return false;
        };
        if (!draw(side) && side > 0) draw(0);
    }
}

void drawBursts(Pencil& pencil, const Subject& subject, const analysis::TracedProgram& program,
                const TracksFrame& frame) {
    if (!program.iterations().all.empty() || frame.iterations.height() <= 0) return;
    const Palette& palette = pencil.palette();
    for (Burst& burst : burstsOf(subject, frame)) {
        const auto count = static_cast<std::int64_t>(burst.ends.size());
        const analysis::MessagePattern pattern = analysis::patternOf(std::move(burst.ends), subject.run().ranks);
        const QRectF box{burst.left, frame.iterations.top(), std::max(burst.right - burst.left, 1.0),
                         frame.iterations.height()};
        const QString counted = countedInWords(count, QStringLiteral("message"), QStringLiteral("messages"));
        Shape& ground = pencil.rectangle(box, palette.groove);
        if (box.width() > 8) ground.radius = 3;
        ground.tip = pattern.kind == analysis::PatternKind::none
                         ? counted + QStringLiteral(", which make up no pattern")
                         : counted + QStringLiteral(": ") + toQt(analysis::inWords(pattern));
        const double side = pattern.kind == analysis::PatternKind::none ? 0 : box.height() - 8;
        for (const QString& words : {counted, countInWords(count), QString{}}) {
            const double width = words.isEmpty() ? 0 : sizeOf(words, points::tiny).width();
            const double between = side > 0 && width > 0 ? 5 : 0;
            if (width + between + side + 6 > box.width()) continue;
            const double from = box.center().x() - (width + between + side) / 2;
            if (!words.isEmpty())
                pencil.text({from, box.center().y()}, Qt::AlignLeft | Qt::AlignVCenter, words, points::tiny,
                            palette.muted);
            if (side > 0)
                drawPattern(pencil, {from + width + between, box.center().y() - side / 2, side, side}, pattern.kind,
                            palette.muted, {});
            break;
        }
    }
}

}  // namespace app::gui
