// SPDX-License-Identifier: BSD-3-Clause
// What a picture shows, as a table: for screen readers, for the clipboard, for whoever wants the numbers.
#pragma once

#include "app/analysis/format/cell_format.hpp"
#include "engine/base/table.hpp"

#include <QString>

namespace app::gui {

using engine::Content;
using engine::Table;

inline constexpr std::size_t mostTableRows = 20'000;  ///< that are kept

inline Table tableWith(std::vector<engine::Column> columns) { return {{}, {}, std::move(columns), {}}; }

inline engine::Cell cellOf(const QString& words) { return engine::cell(words.toStdString()); }

/// Notes how many rows have no room in it.
inline void leaveOut(Table& table, std::int64_t rows) {
    if (rows > 0)
        table.remarks.push_back(analysis::counted(rows, "more row") + (rows == 1 ? " is" : " are") + " not listed.");
}

}  // namespace app::gui
