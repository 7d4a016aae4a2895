// SPDX-License-Identifier: BSD-3-Clause
// How the network view is divided. The same for both of its layers.
#pragma once

#include "app/gui/scenes/drawing/legend.hpp"
#include "app/gui/scenes/layout/layout.hpp"

namespace app::gui {

/// Ranks of a smaller radius carry no number.
constexpr double smallestNumbered = 6;

/// Above the scale of loads.
inline QString loadHeading(engine::Round round) {
    return QStringLiteral("Load of a link in round %1").arg(round.value + 1);
}
/// Of that scale, with two lines of words below.
constexpr double loadScaleHeight = 80;
/// Of the scale in one line; 0 where links carry nothing.
double loadLineHeight(const DrawableRun& subject);

struct NetworkFrame {
    QRectF network;  ///< what is seen of it
    QRectF whole;    ///< all of it, as large as the lens makes it
    double zoom = 1;
    QRectF legend;       ///< empty where there is no room for it
    bool column = true;  ///< the legend stands beside the network, else below
};

/// The lens with all of the network as many times as large, and the point `at` of the picture where it was.
Lens zoomedAt(Lens lens, double factor, QPointF at, const NetworkFrame& frame);
/// What is seen, moved by so much of its own size.
Lens moved(Lens lens, QPointF by);

/// Takes away what of the shapes from number `first` on lies beyond what is seen.
void cutToFrame(Scene& scene, std::size_t first, const NetworkFrame& frame);

NetworkFrame networkFrame(const DrawableRun& subject, const ViewState& state, QSizeF size);
/// The layout within the frame; two facing groups leave room for their names, small ranks below switches
/// for their numbers.
NetworkLayout layoutIn(const DrawableRun& subject, const NetworkFrame& frame);
Legend networkLegend(const DrawableRun& subject, const ViewState& state);

/// Whether numbers stand below the ranks of a switch, as these are too small for theirs; and the room they take.
bool numbersLeaves(const NetworkShape& print, const NetworkLayout& layout);
double leafNumbersHeight();

/// What a switch is called in the picture: as --slow-links calls it, "s3".
QString nameOfSwitch(const NetworkShape& print, std::int32_t node);
/// All switches carry their name, where there is room, or none.
bool namesSwitches(const NetworkShape& print, const NetworkLayout& layout);

/// More messages than anybody can follow: what is on each link, or between bundles of ranks of a full network, as one
/// line each.
void drawFlows(SceneBuilder& pencil, const DrawableRun& subject, const ViewState& state, const NetworkLayout& layout,
               const std::vector<std::size_t>& moving);

/// How far a message has come, 0..1: from the start of its sending to the end of its receiving. One that its receiver
/// is not ready for flies as fast as any other, and stands at `door` until it is taken in.
double shareOfWay(const DrawableRun& subject, std::size_t message, const ViewState& state);
constexpr double door = 0.8;
/// Whether it stands there at `time`: it was sent, and its receiver has not begun, or is busy with others.
bool waitsAtDoor(const DrawableRun& subject, std::size_t message, engine::Picoseconds time);

}  // namespace app::gui
