// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/open/open_tables.hpp"

#include "app/analysis/tables/sql.hpp"
#include "app/cli/output/json.hpp"
#include "app/cli/output/tables.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <limits>

namespace app::cli {

using engine::Error;
using engine::text;

namespace {

/// Rows of a table that people see when it is all they asked for.
constexpr std::int64_t rowsOfOne = 1000;

void writeJson(const analysis::TraceAnalysis& analysis, const Json& tables, const Console& console) {
    const Json json{{"trace", analysis.trace().recording ? analysis.trace().recording->name : ""}, {"tables", tables}};
    console.out << json.dump(2, ' ', false, lenient) << '\n';
}

}  // namespace

std::vector<const analysis::TableDefinition*> chosenTables(const std::string& words) {
    std::vector<const analysis::TableDefinition*> list;
    for (const std::string& word : engine::split(words, ',')) {
        if (word == "all") {
            for (const analysis::TableDefinition& definition : analysis::tableDefinitions())
                list.push_back(&definition);
            continue;
        }
        list.push_back(&analysis::tableNamed(word));
    }
    return list;
}

void writeTables(analysis::TraceAnalysis& analysis, const std::vector<const analysis::TableDefinition*>& list,
                 const std::string& format, const Console& console) {
    if (format == "csv" && list.size() != 1)
        throw Error{text("--format csv writes one table, not ", list.size(), "; name one with --tables")};
    if (format == "json") {
        Json tables = Json::object();
        for (const analysis::TableDefinition* definition : list)
            tables[std::string{definition->name}] = tableJson(computeTable(*definition, analysis));
        return writeJson(analysis, tables, console);
    }
    // One table is asked for its rows, all of them for an overview.
    const std::size_t most = list.size() == 1 ? rowsOfOne : 20;
    for (const analysis::TableDefinition* definition : list) {
        const engine::Table table = computeTable(*definition, analysis);
        if (format == "csv") return analysis::writeCsv(table, console.out);
        if (definition != list.front()) console.out << '\n';
        writeText(table, console, most);
    }
}

void writeSelected(analysis::TraceAnalysis& analysis, const Arguments& arguments, const std::string& format,
                   const Console& console) {
    constexpr std::int64_t all = std::numeric_limits<std::int64_t>::max(), atOnce = 10'000;
    const std::int64_t most = arguments.limit    ? engine::readInteger(*arguments.limit, "--limit", 1, all)
                              : format == "text" ? rowsOfOne
                                                 : all;
    const auto statement = analysis::selected(analysis, *arguments.sql);
    if (format == "csv") {
        engine::Table table = statement->next(std::min(most, atOnce));
        analysis::writeCsv(table, console.out);
        for (std::int64_t left = most - atOnce; left > 0 && table.rows.size() == atOnce; left -= atOnce) {
            console.requireOutput();
            table = statement->next(std::min(left, atOnce));
            analysis::writeCsvRows(table, console.out);
        }
        return;
    }
    engine::Table table = statement->next(most);
    if (statement->next(1).rows.size() == 1)
        table.remarks.push_back(text("more rows than ", most, "; --limit sets the number of rows shown"));
    if (format == "json") return writeJson(analysis, {{table.name, tableJson(table)}}, console);
    writeText(table, console, engine::asSize(most));
}

}  // namespace app::cli
