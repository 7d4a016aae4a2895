// SPDX-License-Identifier: BSD-3-Clause
// One layer of a three-dimensional grid among the others, which fade.
#pragma once

#include "app/gui/scenes/network/network_frame.hpp"

namespace app::gui {

/// Fades what lies in other layers than the chosen one: ranks, links that leave it, messages between others. It comes
/// to lie behind what does not fade.
void fadeOtherLayers(Scene& scene, const DrawableRun& subject, const ViewState& state);
/// Names the layer; nothing where none is chosen.
void nameLayer(SceneBuilder& pencil, const DrawableRun& subject, const ViewState& state, const NetworkFrame& frame);

}  // namespace app::gui
