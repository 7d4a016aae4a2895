// SPDX-License-Identifier: BSD-3-Clause
// A table as the window shows it.
#pragma once

#include "app/gui/scenes/drawing/number_text.hpp"
#include "app/gui/scenes/drawing/scene_table.hpp"
#include "app/gui/scenes/drawing/to_qt.hpp"

#include <QStringList>

#include <vector>

namespace app::gui {

/// Headings and cells in words.
struct ShownTable {
    explicit ShownTable(const Table& table) {
        for (const engine::Column& column : table.columns) columns << toQt(analysis::heading(column));
        for (const std::vector<engine::Cell>& row : table.rows) {
            QStringList words;
            for (std::size_t i = 0; i < row.size(); ++i)
                words << withMu(toQt(analysis::shown(row[i], table.columns[i].content)));
            rows.push_back(words);
        }
    }

    QStringList columns;
    std::vector<QStringList> rows;
};

}  // namespace app::gui
