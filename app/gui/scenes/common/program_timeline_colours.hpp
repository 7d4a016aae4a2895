// SPDX-License-Identifier: BSD-3-Clause
// The colours of what a program does: one family for each group of functions, and the warm hatch of waiting.
#pragma once

#include "app/analysis/calls/activity.hpp"
#include "app/gui/scenes/drawing/scene_builder.hpp"

namespace app::gui {

/// Of calls; texts on it are readable. Of nothing the paper.
QColor activityColour(analysis::Activity activity, bool dark);
/// The same, stronger: bytes that move, what is to blame, lines, the hatch of waiting.
QColor strongColour(analysis::Activity activity, bool dark);

/// Of its share of a pixel: a hatch has no room there, and waiting is strong.
QColor sharedColour(analysis::Activity activity, bool dark);

/// A box in that colour; waiting is hatched.
Shape& drawActivity(SceneBuilder& pencil, const QRectF& box, analysis::Activity activity, bool dark);

}  // namespace app::gui
