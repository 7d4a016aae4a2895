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

}  // namespace app::analysis
