// SPDX-License-Identifier: BSD-3-Clause
// Tables as text, csv and json. Columns and units are those that the table names; people see rounds from 1.
#pragma once

#include "app/cli/console.hpp"
#include "engine/table.hpp"

#include <nlohmann/json.hpp>

#include <span>

namespace app::cli {

/// `most` rows, then how many there are; remarks below.
void writeText(const engine::Table& table, const Console& console, std::size_t most);

/// A header line and one line per row; what is not known stays empty.
void writeCsv(const engine::Table& table, std::ostream& out);

/// {"title", "columns": [...], "rows": [{column: value}], "remarks": [...]}; what is not known is null.
nlohmann::ordered_json tableJson(const engine::Table& table);

}  // namespace app::cli
