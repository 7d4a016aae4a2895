// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/output/tables.hpp"

#include "engine/base/text.hpp"

#include <algorithm>

namespace app::cli {

using engine::Cell;
using engine::Content;

nlohmann::ordered_json cellJson(const Cell& cell) {
    if (const auto* words = std::get_if<std::string>(&cell)) return *words;
    if (const auto* count = std::get_if<std::int64_t>(&cell)) return *count;
    if (const auto* number = std::get_if<double>(&cell)) return *number;
    if (const auto* time = std::get_if<engine::Picoseconds>(&cell)) return engine::seconds(*time);
    return nullptr;
}

void writeText(const engine::Table& table, const Console& console, std::size_t most) {
    console.out << console.paint(Tone::strong, table.name) << "  " << console.paint(Tone::faint, table.title) << '\n';
    if (!table.rows.empty()) {
        std::vector<Align> align;
        std::vector<std::string> head;
        std::vector<std::size_t> kept;
        for (std::size_t c = 0; c < table.columns.size(); ++c) {
            // A column that says nothing in any row only takes room.
            if (!analysis::says(table, c)) continue;
            kept.push_back(c);
            align.push_back(table.columns[c].content == Content::words ? Align::left : Align::right);
            head.push_back(analysis::heading(table.columns[c]));
        }
        Table lines{align, 2};
        lines.row(head);
        for (std::size_t r = 0; r < std::min(most, table.rows.size()); ++r) {
            console.requireOutput();
            std::vector<std::string> cells;
            for (const std::size_t c : kept)
                cells.push_back(analysis::shown(table.rows[r][c], table.columns[c].content));
            lines.row(std::move(cells));
        }
        lines.write(console.out);
        if (table.rows.size() > most)
            console.out << "  and " << analysis::counted(static_cast<std::int64_t>(table.rows.size() - most))
                        << " more; --format csv has all\n";
    } else {
        console.out << "  no rows\n";
    }
    for (const std::string& remark : table.remarks)
        for (const std::string& line : wrapped(spoken(remark), lineWidth - 4))
            console.out << "  " << console.paint(Tone::faint, line) << '\n';
}

nlohmann::ordered_json tableJson(const engine::Table& table) {
    nlohmann::ordered_json columns = nlohmann::ordered_json::array();
    for (const engine::Column& column : table.columns) columns.push_back(column.name);
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const auto& row : table.rows) {
        nlohmann::ordered_json one = nlohmann::ordered_json::object();
        for (std::size_t c = 0; c < row.size(); ++c) one[table.columns[c].name] = cellJson(row[c]);
        rows.push_back(std::move(one));
    }
    nlohmann::ordered_json remarks = nlohmann::ordered_json::array();
    for (const std::string& remark : table.remarks) remarks.push_back(spoken(remark));
    return {{"title", table.title}, {"columns", columns}, {"rows", rows}, {"remarks", remarks}};
}

}  // namespace app::cli
