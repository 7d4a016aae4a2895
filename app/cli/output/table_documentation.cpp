// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/output/table_documentation.hpp"

#include "app/analysis/tables/table_definition.hpp"

#include <ostream>

namespace app::cli {
namespace {

std::string_view unitOf(engine::Content content) {
    switch (content) {
        case engine::Content::words: return "words";
        case engine::Content::rank: return "rank";
        case engine::Content::round: return "round";
        case engine::Content::count: return "number";
        case engine::Content::bytes: return "bytes";
        case engine::Content::time: return "s";
        case engine::Content::rate: return "s/byte";
        case engine::Content::share: return "0..1";
        case engine::Content::number: return "factor";
    }
    return {};
}

}  // namespace

Json questionsJson() {
    Json all = Json::array();
    for (const analysis::TableDefinition& definition : analysis::tableDefinitions()) {
        Json columns = Json::array();
        for (const analysis::ColumnDefinition& column : definition.columns)
            columns.push_back({{"name", column.name}, {"unit", unitOf(column.content)}, {"meaning", column.meaning}});
        all.push_back({{"name", definition.name},
                       {"meaning", definition.meaning},
                       {"how", definition.how},
                       {"columns", columns}});
    }
    return all;
}

void writeQuestionsMarkdown(std::ostream& out) {
    out << "| table | columns | how it is found |\n|---|---|---|\n";
    for (const analysis::TableDefinition& definition : analysis::tableDefinitions()) {
        out << "| " << definition.name << " |";
        for (const analysis::ColumnDefinition& column : definition.columns) out << ' ' << column.name;
        out << " | " << definition.how << (definition.how.empty() ? "|\n" : " |\n");
    }
    out << "\n| table | column | unit | meaning |\n|---|---|---|---|\n";
    for (const analysis::TableDefinition& definition : analysis::tableDefinitions()) {
        std::string_view table = definition.name;
        for (const analysis::ColumnDefinition& column : definition.columns) {
            out << "| " << table << (table.empty() ? "| " : " | ") << column.name << " | " << unitOf(column.content)
                << " | " << column.meaning << " |\n";
            table = {};
        }
    }
}

}  // namespace app::cli
