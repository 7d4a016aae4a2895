// SPDX-License-Identifier: BSD-3-Clause
// Tables as text and json; as csv: app/analysis/format/cell_format.hpp. Columns and units are those that the table
// names; people see rounds from 1.
#pragma once

#include "app/analysis/format/cell_format.hpp"
#include "app/cli/output/console.hpp"
#include "engine/base/table.hpp"

#include <nlohmann/json.hpp>

#include <span>

namespace app::cli {

/// `most` rows, then how many there are; remarks below.
void writeText(const engine::Table& table, const Console& console, std::size_t most, std::string_view whole = "csv");

/// Times in seconds; what is not known is null.
nlohmann::ordered_json cellJson(const engine::Cell& cell);

/// {"title", "columns": [...], "rows": [{column: value}], "remarks": [...]}; what is not known is null.
nlohmann::ordered_json tableJson(const engine::Table& table);

}  // namespace app::cli
