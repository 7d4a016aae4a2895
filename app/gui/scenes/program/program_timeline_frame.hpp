// SPDX-License-Identifier: BSD-3-Clause
// How the picture of a program's tracks is divided: which location lies in which row, and what is in a row. The same
// for its layers and for whoever asks what lies at a place.
#pragma once

#include "app/gui/scenes/drawing/legend.hpp"
#include "app/gui/scenes/drawing/rows_frame.hpp"
#include "app/gui/scenes/run/drawable_run.hpp"

namespace app::gui {

/// One location, a metric, or a group that is folded.
struct ProgramTimelineRow {
    std::int32_t location = traces::noIndex;  ///< none of a folded group, of a metric, and of a rank without events
    engine::Rank rank = traces::noRank;
    std::int32_t group = -1;  ///< of RowsFrame::groups; -1 where there are none
    bool own = true;          ///< the rank's own location, or a folded group
    std::int32_t curve = -1;  ///< of the program's metrics; -1: none

    [[nodiscard]] bool isMetric() const { return curve >= 0; }
    [[nodiscard]] bool isGroup() const { return rank == traces::noRank && group >= 0 && !isMetric(); }
};

/// What lies in a row, from its top: calls by depth or one lane with what was done innermost, then what happened in
/// MPI.
struct ProgramTimelineInRow {
    std::size_t first = 0;   ///< depth of the uppermost lane
    std::size_t lanes = 0;   ///< of calls, each `lane` high
    bool innermost = false;  ///< the lowest one shows the innermost calls, whatever their depth
    double lane = 0;         ///< pixels
    double band = 0;         ///< pixels for what happened in MPI; 0: waits stand in the lane
    bool compact = false;    ///< only one lane as high as the row, drawn by density
};

struct ProgramTimelineFrame : RowsFrame {
    QRectF legend;  ///< empty where there is no room
    /// The band of iterations, else of what messages make up; of no height where there are neither.
    QRectF iterations;
    TimeAxis axis{{}, {}, 0, 1};
    ProgramTimelineInRow inRow;
    std::vector<ProgramTimelineRow> rows;

    /// Air between rows.
    [[nodiscard]] double gap() const;
    /// The middle of a rank's lanes, for what leads from rank to rank.
    [[nodiscard]] double middleOf(engine::Rank rank) const;
    /// Behind the last row in sight.
    [[nodiscard]] std::size_t endRow() const;
    /// The row at a height; nothing outside of the plot or below the last one.
    [[nodiscard]] std::optional<std::size_t> rowAt(double y) const;
};

/// `program` is the subject's.
ProgramTimelineFrame programTimelineFrame(const DrawableRun& subject, const analysis::TracedProgram& program,
                                          const ViewState& state, QSizeF size);
Legend programTimelineLegend(const analysis::TracedProgram& program, bool dark);

/// The groups that `view` arranges rows by; empty where there are none.
const std::vector<analysis::RankGroup>& groupsOf(const analysis::TracedProgram& program,
                                                 const ProgramTimelineView& view);

/// The metrics that `view` shows, rising: those chosen, else the first few.
std::vector<std::int32_t> metricsIn(const analysis::TracedProgram& program, const ProgramTimelineView& view);

/// "rank 3", "thread 1", "PAPI_TOT_INS".
QString nameOfRow(const analysis::TracedProgram& program, const ProgramTimelineFrame& frame,
                  const ProgramTimelineRow& row);

/// What a stretch of a lane in a row stands for.
Meaning meaningOfStretch(const analysis::Lane::Stretch& stretch, const ProgramTimelineRow& row);

/// The sign of a pattern of messages, in a square box; nothing for none. `meaning` is that of its lines.
void drawPattern(SceneBuilder& pencil, const QRectF& box, analysis::PatternKind kind, const QColor& ink,
                 const Meaning& meaning = {});

// The parts of the picture, from back to front.
/// `words`: what is written on boxes, above whatever crosses these.
void drawLanes(SceneBuilder& pencil, SceneBuilder& words, const analysis::TracedProgram& program,
               const ProgramTimelineFrame& frame);
/// The row of a metric in `box`. `columns`: the edges of columns of pixels.
void drawMetric(SceneBuilder& pencil, const analysis::TracedProgram& program, const ProgramTimelineFrame& frame,
                const std::vector<engine::Picoseconds>& columns, const ProgramTimelineRow& row, const QRectF& box);
/// The same as a line of pixels, a shade for the most within each column.
void shadeMetric(SceneBuilder& pencil, const analysis::TracedProgram& program, const ProgramTimelineFrame& frame,
                 const std::vector<engine::Picoseconds>& columns, const ProgramTimelineRow& row, QRgb* pixels);
/// What a metric's row shows at `time`.
std::optional<Meaning> metricAt(const analysis::TracedProgram& program, const ProgramTimelineRow& row,
                                engine::Picoseconds time);
/// "12.3 M/s": a value that a metric's row shows.
QString valueInWords(const analysis::TracedProgram& program, std::size_t metric, double value);
/// The values at the lower and the upper edge of rows of a metric: one scale for all, with zero in it.
analysis::Curve::Range scaleOf(const analysis::TracedProgram& program, std::size_t metric);
/// Messages of one iteration that can be distinguished, however close they are.
inline constexpr std::size_t fewMessages = 24;

/// One by one where they can be distinguished. Where not, the sign above the tracks stands for those that make up a
/// pattern, and a shade for others. In the place of iterations, where there are none: messages that crowd together.
void drawTrackMessages(SceneBuilder& pencil, const DrawableRun& subject, const analysis::TracedProgram& program,
                       const ProgramTimelineFrame& frame);
/// The one that the pointer is on, and what its sender sends meanwhile.
void drawLitMessages(SceneBuilder& pencil, const DrawableRun& subject, const ProgramTimelineFrame& frame,
                     std::uint32_t lit);
void drawCollectives(SceneBuilder& pencil, const analysis::TracedProgram& program, const ProgramTimelineFrame& frame);
void drawIterations(SceneBuilder& pencil, const analysis::TracedProgram& program, const ProgramTimelineFrame& frame);

}  // namespace app::gui
