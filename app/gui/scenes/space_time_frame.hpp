// SPDX-License-Identifier: BSD-3-Clause
// How the space-time diagram is divided, and which rank lies where. The same for both of its layers.
#pragma once

#include "app/gui/scenes/legend.hpp"
#include "app/gui/scenes/subject.hpp"

namespace app::gui {

struct SpaceTimeFrame {
    QRectF plot;
    QRectF legend;      ///< empty where there is no room
    double stages = 0;  ///< top of the band of stage names; its height is 0 where there are none
    double stageHeight = 0;
    double rounds = 0;  ///< middle of the line of round numbers
    double labels = 0;  ///< right end of the rank numbers
    double groups = 0;  ///< middle of the letters of the groups
    TimeAxis axis{{}, {}, 0, 1};
    double pitch = 1;  ///< height of a rank's row
    double bar = 1;    ///< height of its bar

    [[nodiscard]] double middleOf(engine::Rank rank) const { return plot.top() + (rank.value + 0.5) * pitch; }
};

SpaceTimeFrame spaceTimeFrame(const Subject& subject, const ViewState& state, QSizeF size);
/// More messages in sight than can be told apart: their density is drawn.
bool drawsDensity(const Subject& subject, const SpaceTimeFrame& frame);
Legend spaceTimeLegend(const Subject& subject, const ViewState& state, bool density);

/// Bars of all ranks and lines of all messages in sight.
void drawMessages(Pencil& pencil, const Subject& subject, const ViewState& state, const SpaceTimeFrame& frame);
void drawBars(Pencil& pencil, const Subject& subject, const ViewState& state, const SpaceTimeFrame& frame);
/// Over all: which ranks get the followed block last, and when.
void drawLast(Pencil& pencil, const Subject& subject, const ViewState& state, const SpaceTimeFrame& frame);
/// Instead of both: cells of some ranks and some time, darker the more of their ports are busy.
void drawDensity(Pencil& pencil, const Subject& subject, const SpaceTimeFrame& frame);

/// Marks what a refuted schedule is refuted by; nothing where it is not.
void drawFault(Pencil& pencil, const Subject& subject, const SpaceTimeFrame& frame);

/// Over the density: the messages of the selected rank, and the selected one.
void drawChosen(Pencil& pencil, const Subject& subject, const ViewState& state, const SpaceTimeFrame& frame);

}  // namespace app::gui
