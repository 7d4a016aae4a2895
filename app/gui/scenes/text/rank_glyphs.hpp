// SPDX-License-Identifier: BSD-3-Clause
// Ranks and messages as the network view draws them, in the picture and in its legend.
#pragma once

#include "app/gui/scenes/drawing/scene_builder.hpp"
#include "app/gui/scenes/run/drawable_run.hpp"

namespace app::gui {

/// `absent`: it has not come to the collective yet. `outside`: of a trace, in no message; it is unknown whether it
/// waits or computes.
enum class RankState : std::uint8_t { absent, waiting, outside, sending, receiving, both, combining, computing, done };

/// Of a rank that combines what it received: at work, but on no message.
QColor combiningColour(const Palette& palette);
/// Of a state where there is no room for a hatch or an outline.
QColor colourOf(RankState state, const Palette& palette);
/// A thin line around what only is there; it is seen, and does not draw the eye.
QColor quietLine(const Palette& palette);
/// Gives `shape` the sign of waiting: a hatch on its ground.
void hatchAsWaiting(Shape& shape, const Palette& palette);
/// The time in which a rank is in no message, in diagrams, charts and legends alike; `roomy`: its sign has room.
Shape& drawStill(SceneBuilder& pencil, const QRectF& box, RankState state, bool roomy = true);
/// What betweenWords calls the time between two messages.
RankState betweenState(const DrawableRun& subject);

/// Circle for group A and where there is one group, ellipse for leaders of groups (as Hasanov et al. 2014 draw them),
/// rounded square for group B, dashed for dummies; the state shows in fill and outline. The number is left out where it
/// would not fit.
void drawRank(SceneBuilder& pencil, QPointF middle, double radius, Side side, RankState state, const QString& number,
              const Meaning& meaning = {});

/// A message: a pill with its cargo, or a dot when `cargo` is empty. Returns its box.
QRectF drawMessage(SceneBuilder& pencil, QPointF middle, double radius, const QColor& colour, const QString& cargo,
                   const Meaning& meaning = {});
/// Around a rank, in its shape.
void drawRing(SceneBuilder& pencil, QPointF middle, double radius, Side side, const QColor& colour, double width);
/// Around a message in `box` that stands at its receiver, who is not ready for it.
void drawWaiting(SceneBuilder& pencil, const QRectF& box);

/// A place of the network without a rank, smaller than a rank of this radius.
void drawFreePlace(SceneBuilder& pencil, QPointF middle, double radius, const QString& tip);
/// A switch of the network, as wide as its name, which may be empty and is written by drawSwitchName.
void drawSwitch(SceneBuilder& pencil, QPointF middle, double radius, const QString& name, const QString& tip);
void drawSwitchName(SceneBuilder& pencil, QPointF middle, const QString& name);

QString nameOf(RankState state);

/// Of the arrow of a message: `usual` where all are of one size, else by its bytes.
double arrowWidth(const DrawableRun& subject, std::size_t message, double usual);

}  // namespace app::gui
