// SPDX-License-Identifier: BSD-3-Clause
// What leads across tracks: ends of collectives, and iterations above all of them.
#include "app/gui/scenes/numbers.hpp"
#include "app/gui/scenes/to_qt.hpp"
#include "app/gui/scenes/tracks_colours.hpp"
#include "app/gui/scenes/tracks_frame.hpp"
#include "app/gui/scenes/words.hpp"

#include <algorithm>
#include <cmath>

namespace app::gui {
namespace {

using analysis::Activity;
using engine::Picoseconds;

constexpr double collectiveApart = 5;  // pixels between collectives on the average, at least
constexpr double leastApart = 3;       // between two of them
constexpr double iterationApart = 3;   // pixels

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

QString countedFrom(std::size_t iteration) { return QString::number(iteration + 1); }

}  // namespace

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
                // A number alone may touch the edges of its box.
                const double air = sign == 0 && &each == &words.back() ? 1 : 6;
                if (width + apart + sign + air > box.width()) continue;
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

}  // namespace app::gui
