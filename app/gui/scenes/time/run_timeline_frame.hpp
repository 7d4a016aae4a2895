// SPDX-License-Identifier: BSD-3-Clause
// How the space-time diagram is divided, and which rank lies where. The same for both of its layers.
#pragma once

#include "app/gui/scenes/common/rank_states.hpp"
#include "app/gui/scenes/drawing/legend.hpp"
#include "app/gui/scenes/drawing/rows_frame.hpp"
#include "app/gui/scenes/run/drawable_run.hpp"

namespace app::gui {

struct RunTimelineFrame : RowsFrame {
    QRectF legend;      ///< empty where there is no room
    double stages = 0;  ///< top of the band of stage names; its height is 0 where there are none
    double stageHeight = 0;
    double rounds = 0;   ///< middle of the line of round numbers
    double letters = 0;  ///< middle of the letters of the sides
    TimeAxis axis{{}, {}, 0, 1};
    double bar = 1;  ///< height of the bar in a row
    std::size_t rowCount = 0;
    std::vector<std::int32_t> rankIn;  ///< by row, -1 of a folded group; empty: each row has the rank of its number

    [[nodiscard]] double middleOf(engine::Rank rank) const { return topOf(rowOfRank(rank)) + pitch / 2; }
    /// The rank of a row, -1 of a folded group.
    [[nodiscard]] std::int32_t rankOf(std::size_t row) const {
        return rankIn.empty() ? static_cast<std::int32_t>(row) : rankIn[row];
    }
    /// The group of a row, which must have one.
    [[nodiscard]] std::size_t groupOf(std::size_t row) const;
    /// Behind the last row in sight.
    [[nodiscard]] std::size_t endRow() const;
    [[nodiscard]] bool isInSight(engine::Rank rank) const {
        const std::size_t row = rowOfRank(rank);
        return row >= firstRow() && row < endRow();
    }
    /// By rank.
    [[nodiscard]] std::vector<bool> ranksInSight() const;
    /// What of a box is in the plot, from above to below.
    [[nodiscard]] QRectF cut(const QRectF& box) const;
};

RunTimelineFrame runTimelineFrame(const DrawableRun& subject, const ViewState& state, QSizeF size);
/// Messages that are in flight in the visible span and that ranks in sight send or get, by index; nothing where there
/// are more than can be distinguished.
std::optional<std::vector<std::uint32_t>> messagesInSight(const DrawableRun& subject, const RunTimelineFrame& frame);
/// Where there are more, their density is drawn.
bool drawsDensity(const DrawableRun& subject, const RunTimelineFrame& frame);
/// Else, whether rows are so low that lines of all messages between them would only make patterns: then bars alone are
/// drawn, as high as their rows.
bool isCrowded(const DrawableRun& subject, const RunTimelineFrame& frame);
/// What is drawn in the rows.
enum class RowsDrawn : std::uint8_t { messages, bars, density };
/// What the row of a folded group is called: "64 ranks".
QString nameOfFolded(const RowGroup& group);
Legend runTimelineLegend(const DrawableRun& subject, const ViewState& state, RowsDrawn drawn);

/// What the ranks of a group do together while it is folded.
StateColumns statesOfGroup(const RunTimelineFrame& frame, const RankStretches& stretches, std::size_t group);

/// Lines of all messages and bars of all ranks in sight.
void drawMessages(SceneBuilder& pencil, const DrawableRun& subject, const ViewState& state,
                  const RunTimelineFrame& frame);
void drawBars(SceneBuilder& pencil, const DrawableRun& subject, const ViewState& state, const RunTimelineFrame& frame);
/// The line of one message, from where it leaves its sender to where it reaches its receiver, cut to what is seen.
void drawMessage(SceneBuilder& pencil, const DrawableRun& subject, const RunTimelineFrame& frame, std::size_t i,
                 const QColor& colour, double width, bool arrow);
/// Over all: which ranks get the followed block last, and when.
void drawLast(SceneBuilder& pencil, const DrawableRun& subject, const ViewState& state, const RunTimelineFrame& frame);
/// Over all: the messages of the lit chain (layout/dependency_highlight.hpp), and between them the time in which ranks
/// do nothing.
void drawLitChain(SceneBuilder& pencil, const DrawableRun& subject, const ViewState& state,
                  const RunTimelineFrame& frame);
/// Instead of both: cells of some rows and some time, darker the more of their ports are busy.
void drawDensity(SceneBuilder& pencil, const DrawableRun& subject, const RunTimelineFrame& frame);

/// Marks what a refuted schedule is refuted by; nothing where it is not.
void drawFault(SceneBuilder& pencil, const DrawableRun& subject, const RunTimelineFrame& frame);

/// Over density or bars alone: the messages of the selected rank, and the selected one.
void drawChosen(SceneBuilder& pencil, const DrawableRun& subject, const ViewState& state,
                const RunTimelineFrame& frame);

}  // namespace app::gui
