// SPDX-License-Identifier: BSD-3-Clause
// The cut that decides the lower bound on time, drawn into the network.
#pragma once

#include "app/gui/scenes/drawing/legend.hpp"
#include "app/gui/scenes/layout/layout.hpp"

namespace app::gui {

/// Tints the nodes on the smaller side of the cut, or those of every other group; below everything else.
void drawSideOfCut(SceneBuilder& pencil, const DrawableRun& subject, const NetworkLayout& layout);
/// Marks the links of the cut, unless they are most of all links.
void drawLinksOfCut(SceneBuilder& pencil, const DrawableRun& subject, const NetworkLayout& layout);
/// What both mean; nothing where no cut decides the bound.
void addCutTo(Legend& legend, const DrawableRun& subject);
/// "Shared links raise the lower bound by 431.6 us: ranks 0-7 send 4 MiB over 2 links of 2.5 GB/s."; empty where it
/// does not.
QString cutInWords(const DrawableRun& subject);

}  // namespace app::gui
