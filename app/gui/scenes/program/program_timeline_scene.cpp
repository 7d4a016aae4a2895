// SPDX-License-Identifier: BSD-3-Clause
// Tracks: what every rank and every other location of a traced program did when.
#include "app/gui/scenes/common/annotation_notes.hpp"
#include "app/gui/scenes/common/chart_frame.hpp"
#include "app/gui/scenes/common/time_ruler.hpp"
#include "app/gui/scenes/drawing/number_text.hpp"
#include "app/gui/scenes/program/program_timeline_frame.hpp"
#include "app/gui/scenes/text/program_text.hpp"
#include "app/gui/scenes/text/run_text.hpp"

#include <algorithm>
#include <set>

namespace app::gui {
namespace {

using analysis::Lane;
using engine::Picoseconds;

void drawNames(SceneBuilder& pencil, const analysis::TracedProgram& program, const ProgramTimelineFrame& frame) {
    const Palette& palette = pencil.palette();
    const double height = lineHeight(points::small);
    const auto isLate = [&](std::size_t row) {
        const ProgramTimelineRow& its = frame.rows[row];
        return its.own && its.rank != traces::noRank && program.isToBlame(its.rank);
    };
    // Where not all have room those to blame come first.
    const auto step = static_cast<std::size_t>(labelStep(frame.pitch, height + 1));
    std::set<std::size_t> named;
    const auto isNear = [&](std::size_t row) {
        const auto next = named.lower_bound(row);
        return (next != named.end() && *next - row < step) || (next != named.begin() && row - *std::prev(next) < step);
    };
    for (const bool late : {true, false})
        for (std::size_t row = frame.firstRow(); row < frame.endRow(); ++row)
            if (isLate(row) == late && (late || row % step == 0) && !isNear(row)) named.insert(row);
    for (const std::size_t row : named) {
        const ProgramTimelineRow& its = frame.rows[row];
        const double y = frame.topOf(row) + frame.pitch / 2;
        if (y - height / 2 < frame.plot.top() - 4 || y + height / 2 > frame.plot.bottom() + 4) continue;
        const bool late = isLate(row);
        const double room = frame.labels - (frame.groups.empty() ? frame.groupsLeft : frame.groupsRight + 6);
        const QString name = elided(nameOfRow(program, frame, its), points::small, room, late);
        if (name.isEmpty()) continue;
        Shape& text = pencil.text({frame.labels, y}, Qt::AlignRight | Qt::AlignVCenter, name, points::small,
                                  late      ? palette.accent
                                  : its.own ? palette.ink
                                            : palette.muted,
                                  late);
        if (its.isGroup()) text.meaning = {Meaning::Kind::group, its.group, -1};
        else if (its.rank != traces::noRank) text.meaning = {Meaning::Kind::rank, its.rank.value, -1};
    }
}

/// Where a call or a wait that was chosen lies, in its own row.
void drawChosenStretch(SceneBuilder& pencil, const ProgramTimelineFrame& frame, std::size_t row, Picoseconds begin,
                       Picoseconds end) {
    if (end < frame.axis.begin() || begin > frame.axis.end()) return;
    const double left = std::max(frame.axis.pixel(begin), frame.plot.left());
    const double right = std::min(std::max(frame.axis.pixel(end), left + 2), frame.plot.right());
    const double top = std::max(frame.topOf(row), frame.plot.top());
    const double bottom = std::min(frame.topOf(row + 1), frame.plot.bottom());
    if (bottom <= top || right <= left) return;
    Shape& frameOf = pencil.rectangle({left, top, right - left, bottom - top}, {}, pencil.palette().accent);
    frameOf.width = 1.6;
    frameOf.radius = 2;
}

std::optional<std::size_t> rowOfLocation(const ProgramTimelineFrame& frame, std::int64_t location) {
    for (std::size_t row = 0; row < frame.rows.size(); ++row)
        if (frame.rows[row].location == location) return row;
    return std::nullopt;
}

void drawAsked(SceneBuilder& pencil, const DrawableRun& subject, const analysis::TracedProgram& program,
               const ViewState& state, const ProgramTimelineFrame& frame) {
    const Palette& palette = pencil.palette();
    if (state.rank && state.rank->index() < frame.rowOf.size() && frame.rowOf[state.rank->index()] >= 0) {
        const auto row = static_cast<std::size_t>(frame.rowOf[state.rank->index()]);
        const double top = std::max(frame.topOf(row), frame.plot.top());
        const double bottom = std::min(frame.topOf(row + 1), frame.plot.bottom());
        if (bottom > top)
            for (const double y : {top, bottom})
                pencil.line({frame.plot.left(), y}, {frame.plot.right(), y}, palette.accent);
    }
    if (state.message) {
        const engine::MessageRecord message = subject.run().messages[*state.message];
        const QLineF line{frame.axis.pixel(message.sendBegin), frame.middleOf(message.from),
                          frame.axis.pixel(message.receiveEnd), frame.middleOf(message.to)};
        if (frame.plot.contains(line.p1()) && frame.plot.contains(line.p2()))
            pencil.arrow(line.p1(), line.p2(), palette.accent, 2);
    }
    if (!state.asked) return;
    const Meaning& asked = *state.asked;
    const auto index = static_cast<std::size_t>(asked.index);
    if (asked.kind == Meaning::Kind::call) {
        const traces::States& states = program.recording().states[static_cast<std::size_t>(asked.second)];
        if (const auto row = rowOfLocation(frame, asked.second))
            drawChosenStretch(pencil, frame, *row, states.begin[index], states.end[index]);
    } else if (asked.kind == Meaning::Kind::wait) {
        const analysis::Wait& wait = program.waits()[index];
        const std::int32_t location = program.threads().locationOf(wait.rank, wait.thread);
        if (const auto row = wait.thread == 0 ? std::optional{static_cast<std::size_t>(frame.rowOf[wait.rank.index()])}
                                              : rowOfLocation(frame, location))
            drawChosenStretch(pencil, frame, *row, wait.begin, wait.end());
    } else if (asked.kind == Meaning::Kind::metric) {
        const auto row = std::find_if(frame.rows.begin(), frame.rows.end(),
                                      [&](const ProgramTimelineRow& one) { return one.curve == asked.index; });
        const analysis::Curve& curve = program.metrics().all()[index].curve;
        const std::size_t step = curve.at(Picoseconds{asked.second});
        if (row != frame.rows.end() && step < curve.size())
            drawChosenStretch(pencil, frame, static_cast<std::size_t>(row - frame.rows.begin()), curve[step].begin,
                              curve[step].end);
    } else if (asked.kind == Meaning::Kind::collective) {
        const traces::Collectives& collectives = program.recording().collectives;
        const auto parts = collectives.of(collectives.instances[index]);
        // Of a crowd the frames would hide what they are around.
        if (parts.size() > 256) return;
        for (const traces::Participant& part : parts)
            drawChosenStretch(pencil, frame, static_cast<std::size_t>(frame.rowOf[part.rank.index()]), part.begin,
                              part.end);
    }
}

QString tracksInWords(const analysis::TracedProgram& program) {
    const QString first = withMu(QString::fromStdString(program.headline()));
    const QString more = withMu(QString::fromStdString(program.besides()));
    return QStringLiteral("Timeline of %1 ranks over %2. %3%4.")
        .arg(countInWords(std::ssize(program.recordedRanks())))
        .arg(timeInWords(program.recording().duration))
        .arg(first, more.isEmpty() ? QString{} : QStringLiteral("; ") + more);
}

/// Calls `use(program, frame)` where there is a program, else says why there is none.
template <class Use>
Scene ofProgram(const DrawableRun& subject, const ViewState& state, QSizeF size, Use use) {
    const analysis::TracedProgram* program = programOf(subject);
    if (program == nullptr) return sorry(whyNoProgram(subject), state.dark, size);
    return use(*program, programTimelineFrame(subject, *program, state, size));
}

Scene drawProgramTimeline(const DrawableRun& subject, const analysis::TracedProgram& program,
                          const ProgramTimelineFrame& frame, bool dark) {
    Scene scene;
    SceneBuilder pencil{scene, dark};
    Scene words;
    SceneBuilder above{words, dark};
    drawLanes(pencil, above, program, frame);
    drawCollectives(pencil, program, frame);
    drawTrackMessages(pencil, subject, program, frame);
    putInFront(scene, std::move(words));
    drawIterations(pencil, program, frame);
    drawGroups(pencil, frame);
    drawNames(pencil, program, frame);
    drawTimeRuler(pencil, frame.axis, frame.plot);
    if (!frame.legend.isEmpty()) programTimelineLegend(program, dark).rows(pencil, frame.legend);
    return scene;
}

}  // namespace

Scene programTimelineBackground(const DrawableRun& subject, const ViewState& state, QSizeF size) {
    return ofProgram(subject, state, size,
                     [&](const analysis::TracedProgram& program, const ProgramTimelineFrame& frame) {
                         Scene scene = drawProgramTimeline(subject, program, frame, state.dark);
                         scene.description = tracksInWords(program);
                         return scene;
                     });
}

std::optional<Scene> programTimelineAtFirst(const DrawableRun& subject, const ViewState& state, QSizeF size) {
    const analysis::TracedProgramPtr program = subject.programAtFirst();
    if (!program) return std::nullopt;
    const ProgramTimelineFrame frame = programTimelineFrame(subject, *program, state, size);
    Scene scene = drawProgramTimeline(subject, *program, frame, state.dark);
    // What is said of a call or a message tells of waits, too.
    for (Shape& shape : scene.shapes) shape.meaning = {}, shape.tip.clear();
    const QString words = QStringLiteral("Searching for wait states and their causes ...");
    SceneBuilder pencil{scene, state.dark};
    const QSizeF room = sizeOf(words, points::small);
    const QRectF box{frame.plot.right() - room.width() - 8, frame.plot.top() + 2, room.width() + 6, room.height() + 4};
    pencil.rectangle(box, pencil.palette().paper);
    pencil.text(box.center(), Qt::AlignCenter, words, points::small, pencil.palette().muted);
    scene.description = QStringLiteral("Timeline of %1 ranks over %2. %3")
                            .arg(countInWords(std::ssize(program->recordedRanks())))
                            .arg(timeInWords(program->recording().duration))
                            .arg(words);
    return scene;
}

Scene programTimelineForeground(const DrawableRun& subject, const ViewState& state, QSizeF size) {
    const analysis::TracedProgram* program = programOf(subject);
    if (program == nullptr) return {};
    const ProgramTimelineFrame frame = programTimelineFrame(subject, *program, state, size);
    Scene scene;
    SceneBuilder pencil{scene, state.dark};
    drawVeil(pencil, state, frame.axis, frame.plot);
    drawMarks(pencil, state, frame.axis, frame.plot);
    if (state.lit) drawLitMessages(pencil, subject, frame, *state.lit);
    drawAsked(pencil, subject, *program, state, frame);
    drawCursor(pencil, state, frame.axis, frame.plot);
    drawSlips(pencil, state, Mark::On::ranks, frame.plot, [&](const Mark& mark) -> std::optional<QPointF> {
        if (!mark.rank || mark.rank->value >= subject.run().ranks || !program->isRecorded(*mark.rank))
            return std::nullopt;
        return frame.axis.placeIn(frame.plot, mark.time, frame.middleOf(*mark.rank));
    });
    return scene;
}

Scene programTimelineScene(const DrawableRun& subject, const ViewState& state, QSizeF size) {
    Scene scene = programTimelineBackground(subject, state, size);
    putInFront(scene, programTimelineForeground(subject, state, size));
    return scene;
}

std::optional<Meaning> programTimelineMeaningAt(const DrawableRun& subject, const ViewState& state, QSizeF size,
                                                QPointF at) {
    const analysis::TracedProgram* program = programOf(subject);
    if (program == nullptr) return std::nullopt;
    const ProgramTimelineFrame frame = programTimelineFrame(subject, *program, state, size);
    if (!frame.plot.contains(at)) return std::nullopt;
    const std::optional<std::size_t> row = frame.rowAt(at.y());
    if (!row) return std::nullopt;
    const ProgramTimelineRow& its = frame.rows[*row];
    if (its.isGroup()) return Meaning{Meaning::Kind::group, its.group, -1};
    if (its.isMetric()) return metricAt(*program, its, frame.axis.time(at.x()));
    if (its.location == traces::noIndex) return Meaning{Meaning::Kind::rank, its.rank.value, -1};
    const auto& track = program->tracks().of(static_cast<std::size_t>(its.location));
    const ProgramTimelineInRow& in = frame.inRow;
    const double below = at.y() - frame.topOf(*row) - frame.gap() / 2;
    const auto lane = static_cast<std::size_t>(std::max(0.0, below / in.lane));
    const Lane* looked = &track.activity;
    if (lane < in.lanes && !(in.innermost && lane + 1 == in.lanes)) {
        if (in.first + lane >= track.calls.size()) return std::nullopt;
        looked = &track.calls[in.first + lane];
    }
    const Picoseconds time = frame.axis.time(at.x());
    const std::size_t stretch = looked->at(time);
    if (stretch == looked->size() || (*looked)[stretch].begin > time ||
        (*looked)[stretch].activity == analysis::Activity::none)
        return std::nullopt;
    return meaningOfStretch((*looked)[stretch], its);
}

Table programTimelineTable(const DrawableRun& subject, const ViewState& state) {
    Table table = tableWith({{"rank", Content::rank},
                             {"location"},
                             {"what"},
                             {"path"},
                             {"begin_s", Content::time},
                             {"end_s", Content::time},
                             {"duration_s", Content::time}});
    const analysis::TracedProgram* program = programOf(subject);
    if (program == nullptr) return table;
    const ProgramTimelineFrame frame = programTimelineFrame(subject, *program, state, {1000, 600});
    std::int64_t left = 0;
    const auto isFull = [&](std::size_t more) {
        if (table.rows.size() < mostTableRows) return false;
        left += static_cast<std::int64_t>(more);
        return true;
    };
    const auto add = [&](const ProgramTimelineRow& row, engine::Cell what, const QString& path, const auto& its) {
        table.rows.push_back({row.rank == traces::noRank ? engine::Cell{} : engine::cell(row.rank),
                              cellOf(nameOfRow(*program, frame, row)), std::move(what), cellOf(path), its.begin,
                              its.end, its.end - its.begin});
    };
    for (const ProgramTimelineRow& row : frame.rows) {
        if (row.isMetric()) {
            const analysis::MetricCurve& its = program->metrics().all()[static_cast<std::size_t>(row.curve)];
            for (std::size_t i = its.curve.at(frame.axis.begin()); i < its.curve.size(); ++i) {
                const analysis::Curve::Step step = its.curve[i];
                if (step.begin >= frame.axis.end() || isFull(its.curve.size() - i)) break;
                add(row, cellOf(valueInWords(*program, its.metric, step.value)), {}, step);
            }
        }
        if (row.location == traces::noIndex) continue;
        const Lane& lane = program->tracks().of(static_cast<std::size_t>(row.location)).activity;
        for (std::size_t i = lane.at(frame.axis.begin()); i < lane.size(); ++i) {
            const Lane::Stretch stretch = lane[i];
            if (stretch.begin >= frame.axis.end()) break;
            if (stretch.activity == analysis::Activity::none) continue;
            if (isFull(lane.size() - i)) break;
            add(row, std::string{analysis::name(stretch.activity)},
                pathOfStretch(*program, meaningOfStretch(stretch, row)), stretch);
        }
    }
    leaveOut(table, left);
    return table;
}

}  // namespace app::gui
