// SPDX-License-Identifier: BSD-3-Clause
// Ranks downwards, time to the right: who is busy when, and which message goes where.
#include "app/gui/scenes/common/annotation_notes.hpp"
#include "app/gui/scenes/common/time_ruler.hpp"
#include "app/gui/scenes/drawing/number_text.hpp"
#include "app/gui/scenes/layout/dependency_highlight.hpp"
#include "app/gui/scenes/program/program_timeline_frame.hpp"
#include "app/gui/scenes/text/run_text.hpp"
#include "app/gui/scenes/time/run_timeline_frame.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

namespace app::gui {
namespace {

using engine::Picoseconds;

constexpr double numberGap = 4;  // between numbers of rounds

/// Of every so many rows, in each group from its first one on.
void drawRowNames(SceneBuilder& pencil, const RunTimelineFrame& frame) {
    const double height = lineHeight(points::small);
    const auto step = static_cast<std::size_t>(labelStep(frame.pitch, height + 1));
    const double ceiling = frame.rounds + lineHeight(points::tiny) / 2 - 0.01;
    double named = ceiling;
    for (std::size_t row = frame.firstRow(); row < frame.endRow(); ++row) {
        const std::size_t group = frame.groups.empty() ? 0 : frame.groupOf(row);
        const std::size_t first = frame.groups.empty() ? 0 : frame.groups[group].first;
        const double y = frame.topOf(row) + frame.pitch / 2;
        if ((row - first) % step != 0 || y - height / 2 < named || y > frame.plot.bottom()) continue;
        named = y + height / 2;
        const std::int32_t rank = frame.rankOf(row);
        const QString name = rank < 0 ? nameOfFolded(frame.groups[group]) : QString::number(rank);
        pencil.text({frame.labels, y}, Qt::AlignRight | Qt::AlignVCenter, name, points::small, pencil.palette().ink)
            .meaning = rank < 0 ? Meaning{Meaning::Kind::group, static_cast<std::int64_t>(group), -1}
                                : Meaning{Meaning::Kind::rank, rank, -1};
    }
}

/// Letters of the sides beside their ranks, and a thin line between them; where ranks stand in groups, these.
void drawSides(SceneBuilder& pencil, const DrawableRun& subject, const RunTimelineFrame& frame) {
    if (!frame.groups.empty()) return drawGroups(pencil, frame);
    const Palette& palette = pencil.palette();
    const std::int32_t ranks = subject.run().ranks;
    if (subject.sideOf(engine::Rank{0}) != Side::a) return;
    for (std::int32_t first = 0; first < ranks;) {
        const Side side = subject.sideOf(engine::Rank{first});
        std::int32_t next = first;
        while (next < ranks && subject.sideOf(engine::Rank{next}) == side) ++next;
        const double top = std::max(frame.topOf(static_cast<std::size_t>(first)), frame.plot.top());
        const double bottom = std::min(frame.topOf(static_cast<std::size_t>(next)), frame.plot.bottom());
        if (top > frame.plot.top() && top < frame.plot.bottom())
            pencil.line({frame.letters - 6, top}, {frame.plot.right(), top}, palette.faint);
        if (side != Side::dummy && bottom - top >= lineHeight(points::normal))
            pencil.text({frame.letters, (top + bottom) / 2}, Qt::AlignCenter,
                        side == Side::a ? QStringLiteral("A") : QStringLiteral("B"), points::normal, palette.muted,
                        true);
        first = next;
    }
}

/// Where half of each round has begun on the axis: its first message may be far ahead of the others. Not before an
/// earlier round, some messages of which may start later; nothing where that is out of sight, or of a round without
/// messages.
std::vector<std::optional<double>> beginsOfRounds(const DrawableRun& subject, const RunTimelineFrame& frame) {
    std::vector<std::optional<double>> found(subject.run().perRound.size());
    Picoseconds last = Picoseconds::min();
    for (std::size_t round = 0; round < found.size(); ++round) {
        if (subject.run().perRound[round].messages == 0) continue;
        last = std::max(last, subject.middleBegin(engine::Round{static_cast<std::int64_t>(round)}));
        if (last >= frame.axis.begin() && last <= frame.axis.end()) found[round] = frame.axis.pixel(last);
    }
    return found;
}

/// The number of a round, where it stands.
struct RoundNumber {
    double left = 0;
    double right = 0;
    QString words;
};

/// Of every `step`-th round in sight. Where each has one, those that begin together share theirs: "1-2".
std::vector<RoundNumber> numbersOf(std::int64_t step, std::span<const std::optional<double>> begins,
                                   const RunTimelineFrame& frame) {
    std::vector<RoundNumber> found;
    const auto rounds = static_cast<std::int64_t>(begins.size());
    const auto beginOf = [&](std::int64_t round) { return begins[static_cast<std::size_t>(round)]; };
    for (std::int64_t round = step - 1; round < rounds; round += step) {
        const std::optional<double> x = beginOf(round);
        if (!x) continue;
        QString words = QString::number(round + 1);
        if (step == 1) {
            const std::int64_t first = round;
            while (round + 1 < rounds && beginOf(round + 1) == x) ++round;
            if (round > first) words += QStringLiteral("-%1").arg(round + 1);
        }
        const double right = *x + 2 + sizeOf(words, points::tiny).width();
        if (right <= frame.plot.right() + 8) found.push_back({*x + 2, right, words});
    }
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.left < b.left; });
    return found;
}

bool standApart(const std::vector<RoundNumber>& numbers) {
    return std::adjacent_find(numbers.begin(), numbers.end(), [](const auto& a, const auto& b) {
               return b.left < a.right + numberGap;
           }) == numbers.end();
}

/// Those that stand apart from what is left before them.
std::vector<RoundNumber> givingWay(const std::vector<RoundNumber>& numbers) {
    std::vector<RoundNumber> left;
    for (const RoundNumber& number : numbers)
        if (left.empty() || number.left >= left.back().right + numberGap) left.push_back(number);
    return left;
}

void drawRounds(SceneBuilder& pencil, const DrawableRun& subject, const RunTimelineFrame& frame) {
    const Palette& palette = pencil.palette();
    const engine::Run& run = subject.run();
    if (run.perRound.empty() || !subject.hasRounds()) return;
    pencil.text({frame.labels, frame.rounds}, Qt::AlignRight | Qt::AlignVCenter, QStringLiteral("round"), points::tiny,
                palette.muted);
    const double room = sizeOf(QString::number(run.rounds), points::tiny).width() + 6;
    const std::vector<Picoseconds>& begins = subject.stops();
    const std::vector<std::optional<double>> places = beginsOfRounds(subject, frame);
    const auto seen = std::lower_bound(begins.begin(), begins.end(), frame.axis.end()) -
                      std::lower_bound(begins.begin(), begins.end(), frame.axis.begin());
    const double pitch = frame.plot.width() / static_cast<double>(std::max<std::ptrdiff_t>(seen, 1));
    if (pitch >= 10)
        for (const std::optional<double>& x : places)
            if (x)
                pencil.line({*x, frame.plot.top()}, {*x, frame.plot.bottom()},
                            mixed(palette.paper, palette.faint, 0.7));
    // Rounds are not all of one length, those of free ranks may begin at nearly the same time: where they crowd decides
    // for all, lest the numbers count in leaps.
    std::int64_t step = labelStep(pitch, room);
    std::vector<RoundNumber> numbers = numbersOf(step, places, frame);
    while (!standApart(numbers)) {
        step = labelStep(1, static_cast<double>(step) + 0.5);
        numbers = numbersOf(step, places, frame);
    }
    // One number does not count: where rounds are so uneven, the later ones give way to those before them.
    if (numbers.size() < 2) numbers = givingWay(numbersOf(labelStep(pitch, room), places, frame));
    for (const RoundNumber& number : numbers)
        pencil.text({number.left, frame.rounds}, Qt::AlignLeft | Qt::AlignVCenter, number.words, points::tiny,
                    palette.muted);
}

void drawStages(SceneBuilder& pencil, const DrawableRun& subject, const RunTimelineFrame& frame) {
    const engine::Run& run = subject.run();
    const Palette& palette = pencil.palette();
    if (frame.stageHeight == 0) return;
    pencil.text({frame.labels, frame.stages + frame.stageHeight / 2}, Qt::AlignRight | Qt::AlignVCenter,
                QStringLiteral("stage"), points::tiny, palette.muted);
    // A rank with nothing to do in a stage is beyond it at once: the messages of a stage say when it is.
    std::vector<Picoseconds> begins(run.stages.size(), Picoseconds::max());
    std::vector<Picoseconds> ends(run.stages.size(), Picoseconds::min());
    for (std::size_t stage = 0; stage < run.stages.size(); ++stage) {
        const auto first = run.stages[stage].first.index();
        const auto count = static_cast<std::size_t>(run.stages[stage].rounds);
        for (std::size_t round = first; round < std::min(first + count, run.perRound.size()); ++round) {
            if (run.perRound[round].messages == 0) continue;
            begins[stage] = std::min(begins[stage], run.perRound[round].begin);
            ends[stage] = std::max(ends[stage], run.perRound[round].end);
        }
    }
    // A stage of no rounds is a computation of each rank.
    for (const engine::StageSpan& span : run.spans) {
        const auto stage = static_cast<std::size_t>(span.stage);
        if (run.stages[stage].rounds > 0) continue;
        begins[stage] = std::min(begins[stage], span.begin);
        ends[stage] = std::max(ends[stage], span.end);
    }
    // What ranks combine belongs to the stage in which they received it.
    for (const engine::LocalWork& work : run.combining)
        for (std::size_t stage = begins.size(); stage-- > 0;) {
            if (begins[stage] > ends[stage] || begins[stage] >= work.begin) continue;
            ends[stage] = std::max(ends[stage], work.end);
            break;
        }
    // A band ends where the next stage begins.
    for (std::size_t stage = 0; stage < run.stages.size(); ++stage) {
        if (begins[stage] > ends[stage]) continue;
        Picoseconds end = ends[stage];
        for (std::size_t later = stage + 1; later < run.stages.size(); ++later)
            if (begins[later] <= ends[later]) end = std::min(end, std::max(begins[later], begins[stage]));
        if (end <= frame.axis.begin() || begins[stage] >= frame.axis.end()) continue;
        const double left = std::max(frame.axis.pixel(begins[stage]), frame.plot.left());
        const double right = std::min(frame.axis.pixel(end), frame.plot.right());
        const QRectF band{left, frame.stages, std::max(right - left - 1, 1.0), frame.stageHeight};
        Shape& shape = pencil.rectangle(band, palette.groove);
        shape.radius = 3;
        const Meaning meaning{Meaning::Kind::stage, static_cast<std::int64_t>(stage), -1};
        shape.meaning = meaning;
        const QString name = elided(QString::fromStdString(run.stages[stage].name), points::small, band.width() - 8);
        if (!name.isEmpty())
            pencil.text(band.center(), Qt::AlignCenter, name, points::small, palette.ink).meaning = meaning;
    }
}

/// Behind everything else, the time in which a rank of a split-phase run computes.
void drawComputing(SceneBuilder& pencil, const DrawableRun& subject, const RunTimelineFrame& frame) {
    for (const engine::LocalWork& span : subject.computing()) {
        if (span.end <= frame.axis.begin() || span.begin >= frame.axis.end()) continue;
        const double left = std::max(frame.axis.pixel(span.begin), frame.plot.left());
        const double right = std::min(frame.axis.pixel(span.end), frame.plot.right());
        const std::size_t row = frame.rowOfRank(span.rank);
        // What a folded group does stands in its row.
        if (!frame.isInSight(span.rank) || frame.rankOf(row) < 0) continue;
        const QRectF box = frame.cut({left, frame.topOf(row), right - left, frame.pitch});
        Shape& shape = pencil.rectangle(box, pencil.palette().tint);
        shape.meaning = {Meaning::Kind::rank, span.rank.value, -1};
        shape.tip =
            QStringLiteral("Rank %1 computes for %2").arg(span.rank.value).arg(timeInWords(span.end - span.begin));
    }
}

/// Beside another run: where this one ends, and how much sooner than the other.
void drawFinish(SceneBuilder& pencil, const DrawableRun& subject, const ViewState& state,
                const RunTimelineFrame& frame) {
    const Picoseconds end = subject.run().duration;
    if (state.horizon <= Picoseconds{} || end < frame.axis.begin() || end > frame.axis.end()) return;
    const Palette& palette = pencil.palette();
    const double x = frame.axis.pixel(end);
    const Picoseconds sooner = state.horizon - end;
    const double beyond = std::min(frame.axis.pixel(state.horizon), frame.plot.right());
    if (sooner > Picoseconds{} && beyond > x) {
        const QRectF area{x, frame.plot.top(), beyond - x, frame.plot.height()};
        Shape& difference = pencil.rectangle(area, mixed(palette.paper, palette.better, 0.14));
        const QString words = timeInWords(sooner);
        difference.tip = QStringLiteral("%1 sooner than the other run").arg(words);
        const double line = lineHeight(points::normal);
        const double widest = std::max(sizeOf(words, points::normal, true).width(),
                                       sizeOf(QStringLiteral("sooner"), points::small).width());
        if (widest + 6 <= area.width()) {
            pencil.text(area.center() - QPointF{0, line / 2}, Qt::AlignCenter, words, points::normal, palette.better,
                        true);
            pencil.text(area.center() + QPointF{0, line / 2}, Qt::AlignCenter, QStringLiteral("sooner"), points::small,
                        palette.better);
        }
    }
    Shape& line = pencil.line({x, frame.plot.top() - 2}, {x, frame.plot.bottom() + 2}, palette.ink, 2);
    line.tip = QStringLiteral("the end, after %1").arg(timeInWords(end));
}

/// Where the run ended before it was changed.
void drawBefore(SceneBuilder& pencil, const DrawableRun& subject, const ViewState& state,
                const RunTimelineFrame& frame) {
    const Picoseconds before = state.before;
    if (before <= Picoseconds{} || before <= frame.axis.begin() || before > frame.axis.end()) return;
    const Palette& palette = pencil.palette();
    const double x = frame.axis.pixel(before);
    Shape& line = pencil.line({x, frame.plot.top() - 2}, {x, frame.plot.bottom() + 2}, palette.muted, 1.5);
    line.dashed = true;
    line.tip = QStringLiteral("the end before the change, after %1").arg(timeInWords(before));
    if (before == subject.run().duration) return;
    const QString words = QStringLiteral("before: %1").arg(timeInWords(before));
    const QSizeF room = sizeOf(words, points::small) + QSizeF{6, 2};
    const double left = x + 4 + room.width() <= frame.plot.right() ? x + 4 : x - 4 - room.width();
    const QRectF box{left, frame.plot.top() + 2, room.width(), room.height()};
    pencil.rectangle(box, palette.paper).radius = 3;
    pencil.text(box.center(), Qt::AlignCenter, words, points::small, palette.muted);
}

QString runInWords(const DrawableRun& subject) {
    const engine::Run& run = subject.run();
    QString words = QStringLiteral("Timeline: %1 ranks, %2. %3 messages in %4 rounds; %6 %5% of the time.")
                        .arg(countInWords(run.ranks))
                        .arg(timeInWords(run.duration))
                        .arg(countInWords(run.messageCount))
                        .arg(countInWords(run.rounds))
                        .arg(std::lround(100 * stillShareOf(subject)))
                        .arg(stillName(subject));
    if (!run.stages.empty()) {
        QStringList names;
        for (const engine::Stage& stage : run.stages) names << QString::fromStdString(stage.name);
        words += QStringLiteral(" Stages: ") + names.join(QStringLiteral(", ")) + '.';
    }
    if (subject.fault())
        words += (subject.isUnfinished() ? QStringLiteral(" Unfinished: ") : QStringLiteral(" Wrong: ")) +
                 subject.faultInWords();
    return words;
}

}  // namespace

Scene runTimelineBackground(const DrawableRun& subject, const ViewState& state, QSizeF size) {
    Scene scene;
    SceneBuilder pencil{scene, state.dark};
    RunTimelineFrame frame = runTimelineFrame(subject, state, size);
    const RowsDrawn drawn = drawsDensity(subject, frame) ? RowsDrawn::density
                            : isCrowded(subject, frame)  ? RowsDrawn::bars
                                                         : RowsDrawn::messages;
    if (drawn == RowsDrawn::bars) frame.bar = frame.pitch;
    drawComputing(pencil, subject, frame);
    drawStages(pencil, subject, frame);
    drawRounds(pencil, subject, frame);
    if (drawn == RowsDrawn::density) drawDensity(pencil, subject, frame);
    else drawBars(pencil, subject, state, frame);
    if (drawn == RowsDrawn::messages) drawMessages(pencil, subject, state, frame);
    else drawChosen(pencil, subject, state, frame);
    drawLast(pencil, subject, state, frame);
    drawFault(pencil, subject, frame);
    drawSides(pencil, subject, frame);
    drawFinish(pencil, subject, state, frame);
    drawBefore(pencil, subject, state, frame);
    drawRowNames(pencil, frame);
    drawTimeRuler(pencil, frame.axis, frame.plot);
    if (!frame.legend.isEmpty()) runTimelineLegend(subject, state, drawn).rows(pencil, frame.legend);
    scene.description = runInWords(subject);
    return scene;
}

Scene runTimelineForeground(const DrawableRun& subject, const ViewState& state, QSizeF size) {
    Scene scene;
    SceneBuilder pencil{scene, state.dark};
    const RunTimelineFrame frame = runTimelineFrame(subject, state, size);
    drawVeil(pencil, state, frame.axis, frame.plot);
    drawMarks(pencil, state, frame.axis, frame.plot);
    drawLitChain(pencil, subject, state, frame);
    drawCursor(pencil, state, frame.axis, frame.plot);
    drawSlips(pencil, state, Mark::On::ranks, frame.plot, [&](const Mark& mark) -> std::optional<QPointF> {
        if (!mark.rank || mark.rank->value >= subject.run().ranks || !frame.isInSight(*mark.rank)) return std::nullopt;
        return frame.axis.placeIn(frame.plot, mark.time, frame.middleOf(*mark.rank));
    });
    return scene;
}

Scene runTimelineScene(const DrawableRun& subject, const ViewState& state, QSizeF size) {
    Scene scene = runTimelineBackground(subject, state, size);
    putInFront(scene, runTimelineForeground(subject, state, size));
    return scene;
}

TimeAxis runTimelineAxis(const DrawableRun& subject, const ViewState& state, QSizeF size) {
    return runTimelineFrame(subject, state, size).axis;
}

TimeAxis timeAxisOf(const DrawableRun& subject, const ViewState& state, QSizeF size) {
    if (!subject.isProgram() || !subject.programReady() || subject.programmed().program == nullptr)
        return runTimelineAxis(subject, state, size);
    return programTimelineFrame(subject, *subject.programmed().program, state, size).axis;
}

std::optional<engine::Rank> runTimelineRankAt(const DrawableRun& subject, const ViewState& state, QSizeF size,
                                              double y) {
    const RunTimelineFrame frame = runTimelineFrame(subject, state, size);
    if (y < frame.plot.top() || y > frame.plot.bottom()) return std::nullopt;
    const auto row = static_cast<std::size_t>(frame.top + (y - frame.plot.top()) / frame.pitch);
    if (row >= frame.rowCount || frame.rankOf(row) < 0) return std::nullopt;
    return engine::Rank{frame.rankOf(row)};
}

std::optional<RowsInSight> runTimelineRows(const DrawableRun& subject, const ViewState& state, QSizeF size) {
    const RunTimelineFrame frame = runTimelineFrame(subject, state, size);
    return RowsInSight{frame.pitch, frame.plot.top(), frame.top, frame.plot.height() / frame.pitch};
}

}  // namespace app::gui
