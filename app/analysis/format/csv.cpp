// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/format/csv.hpp"

#include <array>
#include <charconv>

namespace app::analysis {

std::string csvNumber(double number) {
    std::array<char, 32> buffer;
    const auto [end, code] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number);
    return {buffer.data(), end};
}

std::string csvCell(std::string_view words) {
    if (words.find_first_of(",\"\n") == std::string_view::npos) return std::string{words};
    std::string safe = "\"";
    for (const char c : words) safe += c == '"' ? std::string{"\"\""} : std::string{c};
    return safe + '"';
}

std::optional<std::vector<std::string>> csvCells(std::string_view line) {
    std::vector<std::string> cells{""};
    bool inside = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '"' && inside && i + 1 < line.size() && line[i + 1] == '"') cells.back() += line[i++];
        else if (line[i] == '"') inside = !inside;
        else if (line[i] == ',' && !inside) cells.emplace_back();
        else cells.back() += line[i];
    }
    if (inside) return std::nullopt;
    return cells;
}

}  // namespace app::analysis
