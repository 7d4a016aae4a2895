// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/tables/table_definition.hpp"

#include "app/analysis/tables/table_helpers.hpp"
#include "engine/base/error.hpp"
#include "engine/base/option_placeholders.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <tuple>

// Written by the build:
//   #define EACH_TABLE(X) X(algorithms) X(bounds) ...
#include "table_definitions.inc"

namespace app::analysis {

namespace tables {
#define DECLARE(file)                 \
    namespace about_##file {          \
        TableDefinition definition(); \
    }
EACH_TABLE(DECLARE)
#undef DECLARE
}  // namespace tables

std::span<const TableDefinition> tableDefinitions() {
    static const std::vector<TableDefinition> all = [] {
#define CALL(file) tables::about_##file::definition(),
        std::vector<TableDefinition> found{EACH_TABLE(CALL)};
#undef CALL
        std::sort(found.begin(), found.end(), [](const TableDefinition& a, const TableDefinition& b) {
            return std::tie(a.page, a.name) < std::tie(b.page, b.name);
        });
        return found;
    }();
    return all;
}

const TableDefinition& tableNamed(std::string_view name) {
    std::vector<std::string> names;
    for (const TableDefinition& definition : tableDefinitions()) {
        if (definition.name == name) return definition;
        names.emplace_back(definition.name);
    }
    const std::string hint = engine::didYouMean(name, names);
    throw engine::Error{
        engine::text(engine::field::tables, ": unknown table '", name, "'",
                     hint.empty() ? engine::text("; ", engine::listing::questions, " lists them all") : hint)};
}

engine::Table computeTable(const TableDefinition& definition, TraceAnalysis& analysis) {
    analysis.progress().at(0);
    engine::Table table{
        .name = std::string{definition.name}, .title = std::string{definition.title}, .columns = {}, .rows = {}};
    for (const ColumnDefinition& column : definition.columns)
        table.columns.push_back({std::string{column.name}, column.content});
    definition.answer(analysis, table);
    if (std::any_of(definition.columns.begin(), definition.columns.end(),
                    [](const ColumnDefinition& column) { return column.leads == CellLocation::instance; }))
        remarkOnCut(analysis, table);
    for (const auto& row : table.rows)
        ENSURE(row.size() == table.columns.size(), "a row of an answer has another number of cells than columns");
    return table;
}

}  // namespace app::analysis
