// SPDX-License-Identifier: BSD-3-Clause
// How the efficiencies of a program change with its number of ranks: the table of analysis::scalingTable() as a heat
// table, a column for each trace.
#pragma once

#include "app/gui/scenes/drawing/scene.hpp"
#include "engine/base/table.hpp"

#include <QSizeF>

namespace app::gui {

/// Efficiencies of 100% or more are blank, those of 50% or less darkest. Notes are below, as many as fit.
Scene scalingScene(const engine::Table& table, bool dark, QSizeF size);

}  // namespace app::gui
