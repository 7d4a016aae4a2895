// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QTableView>

namespace app::gui {

/// A table is never lower than its heading and `rows` of its rows: what it stands on scrolls instead.
void keepRows(QTableView& table, int rows = 4);

}  // namespace app::gui
