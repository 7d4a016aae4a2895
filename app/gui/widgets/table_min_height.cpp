// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/widgets/table_min_height.hpp"

#include <QHeaderView>
#include <QScrollBar>

namespace app::gui {

void keepRows(QTableView& table, int rows) {
    // A heading without columns has no height yet; it is about a row.
    const int row = table.verticalHeader()->defaultSectionSize();
    const int heading = row + 4;
    table.setMinimumHeight(heading + rows * row + table.horizontalScrollBar()->sizeHint().height());
}

}  // namespace app::gui
