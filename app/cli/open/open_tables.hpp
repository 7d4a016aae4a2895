// SPDX-License-Identifier: BSD-3-Clause
// open --tables and --sql.
#pragma once

#include "app/analysis/tables/table_definition.hpp"
#include "app/cli/arguments/arguments.hpp"
#include "app/cli/output/console.hpp"

#include <string>
#include <vector>

namespace app::cli {

/// The tables that --tables names. Throws Error.
std::vector<const analysis::TableDefinition*> chosenTables(const std::string& words);

void writeTables(analysis::TraceAnalysis& analysis, const std::vector<const analysis::TableDefinition*>& list,
                 const std::string& format, const Console& console);

/// The answer to --sql. Rows of csv are written as they are found.
void writeSelected(analysis::TraceAnalysis& analysis, const Arguments& arguments, const std::string& format,
                   const Console& console);

}  // namespace app::cli
