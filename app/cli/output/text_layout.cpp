// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/output/text_layout.hpp"

#include "engine/base/option_placeholders.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <ostream>

namespace app::cli {

std::string Paint::operator()(Tone tone, std::string_view words) const {
    const char* code = "";
    switch (tone) {
        case Tone::plain: return std::string{words};
        case Tone::strong: code = "1"; break;
        case Tone::faint: code = "2"; break;
        case Tone::good: code = "32"; break;
        case Tone::bad: code = "31"; break;
    }
    return on_ ? engine::text("\033[", code, "m", words, "\033[0m") : std::string{words};
}

std::size_t displayWidth(std::string_view words) {
    std::size_t width = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] == '\033') {
            i = std::min(words.find('m', i), words.size());
            continue;
        }
        if ((static_cast<unsigned char>(words[i]) & 0xC0U) != 0x80U) ++width;  // not the rest of a character
    }
    return width;
}

std::string fitted(std::string_view words, std::size_t width) {
    if (displayWidth(words) <= width) return std::string{words};
    const std::size_t kept = width < 3 ? 0 : width - 3;
    std::size_t end = 0;
    for (std::size_t seen = 0; end < words.size(); ++end) {
        if ((static_cast<unsigned char>(words[end]) & 0xC0U) != 0x80U && ++seen > kept) break;
    }
    return std::string{words.substr(0, end)} + "...";
}

std::vector<std::string> wrapped(std::string_view words, std::size_t width) {
    std::vector<std::string> lines{""};
    for (const std::string& word : engine::split(words, ' ')) {
        if (word.empty()) continue;
        if (!lines.back().empty() && displayWidth(lines.back()) + 1 + displayWidth(word) > width) lines.emplace_back();
        if (!lines.back().empty()) lines.back() += ' ';
        lines.back() += word;
    }
    return lines;
}

std::string spoken(std::string_view sentence) {
    return engine::worded(
        sentence, [](const std::string& key) { return "--" + key; },
        [](const std::string& key) {
            return key == "algorithms" ? "'collscope list'"
                   : key == "tuples"   ? "'collscope tuple'"
                                       : "'collscope list " + key + "'";
        });
}

Table::Table(std::vector<Align> columns, std::size_t indent, Long last)
    : columns_{std::move(columns)}, indent_{indent}, long_{last} {}

void Table::write(std::ostream& out) const {
    std::vector<std::size_t> widths(columns_.size());
    for (const auto& row : rows_)
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], displayWidth(row[i]));
    for (const auto& row : rows_) writeRow(out, row, widths);
}

void Table::writeRow(std::ostream& out, const std::vector<std::string>& row,
                     const std::vector<std::size_t>& widths) const {
    std::string line(indent_, ' ');
    std::size_t column = indent_;
    for (std::size_t i = 0; i < row.size(); ++i) {
        const bool last = i + 1 == columns_.size();
        const std::size_t fill = widths[i] - displayWidth(row[i]);
        if (last && columns_[i] == Align::left) {
            const std::size_t room = lineWidth > column + 20 ? lineWidth - column : 20;
            const auto lines = long_ == Long::wrap ? wrapped(row[i], room) : std::vector{fitted(row[i], room)};
            line += lines.front();
            for (std::size_t l = 1; l < lines.size(); ++l) line += "\n" + std::string(column, ' ') + lines[l];
        } else {
            line += columns_[i] == Align::right ? std::string(fill, ' ') + row[i] : row[i] + std::string(fill, ' ');
        }
        if (!last) line += "  ";
        column += widths[i] + 2;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << '\n';
}

std::string escaped(std::string_view words) {
    std::string safe;
    for (const char c : words) {
        if (c == '&') safe += "&amp;";
        else if (c == '<') safe += "&lt;";
        else if (c == '>') safe += "&gt;";
        else if (c == '"') safe += "&quot;";
        else safe += c;
    }
    return safe;
}

}  // namespace app::cli
