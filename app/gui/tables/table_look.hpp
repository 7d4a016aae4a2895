// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QTableView>

namespace app::gui {

/// What every table calls. Lets one that is wider than its place show no half numbers: a cell at its edge has the room
/// that is seen of it, and ends in dots where that is too little; the tip says all. Its heading does the same. To be
/// called first, for it has a heading of its own from then on.
void keepCellsWhole(QTableView& table);

/// What most tables have besides: rows of `model` that nobody edits, without numbers beside them.
void showRows(QTableView& table, QAbstractItemModel& model, const QString& name);

/// Its rows are chosen as a whole, and are distinguished by their ground instead of lines.
void chooseRows(QTableView& table);

/// Leaves room for so many rows.
void keepRows(QTableView& table, int rows = 4);

}  // namespace app::gui
