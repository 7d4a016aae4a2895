// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QTableView>

namespace app::gui {

/// What every table calls. Lets one that is wider than its place show no half numbers: a cell at its edge has the room
/// that is seen of it, and ends in dots where that is too little; the tip says all. Its heading does the same. To be
/// called first, for it has a heading of its own from then on.
void keepCellsWhole(QTableView& table);

}  // namespace app::gui
