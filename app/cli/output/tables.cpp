// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/output/tables.hpp"

#include "engine/base/text.hpp"

#include <algorithm>
#include <array>
#include <set>

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

namespace {

/// Where the `count`-th character of `words` begins.
std::size_t offsetOf(std::string_view words, std::size_t count) {
    std::size_t at = 0;
    for (; at < words.size(); ++at)
        if ((static_cast<unsigned char>(words[at]) & 0xC0U) != 0x80U && count-- == 0) break;
    return at;
}

/// `words` with at most `width` characters. Of longer ones the middle is left out; of call paths the outer calls are,
/// and the name of the library behind them, since the innermost call tells rows apart.
std::string shortened(std::string words, std::size_t width) {
    constexpr std::string_view gap = "...", before = "before ", in = " in ";
    std::size_t length = displayWidth(words);
    if (length <= width || width < before.size() + gap.size() + 1) return words;
    const bool isPath = words.find('/') != std::string::npos;
    if (const std::size_t library = words.rfind(in);
        isPath && words.ends_with(')') && library != std::string::npos && words.rfind(" (") < library) {
        words.replace(library, std::string::npos, ")");
        length = displayWidth(words);
        if (length <= width) return words;
    }
    const std::string head = isPath && words.starts_with(before) ? std::string{before} : "";
    const std::size_t kept = width - gap.size() - head.size();
    const std::size_t tail = isPath ? kept : kept / 2;
    return head + words.substr(head.size(), offsetOf(words, kept - tail)) + std::string{gap} +
           words.substr(offsetOf(words, length - tail));
}

/// Names of regions, paths and files; sentences are not shortened.
bool isName(const engine::Column& column) {
    constexpr std::array<std::string_view, 8> names{"executed", "file",  "link",   "mostly_in",
                                                    "path",     "place", "region", "worst"};
    return std::ranges::find(names, column.name) != names.end();
}

using Lines = std::vector<std::vector<std::string>>;

std::size_t widthOf(const Lines& lines, std::size_t column, std::size_t first) {
    std::size_t width = 0;
    for (std::size_t l = first; l < lines.size(); ++l) width = std::max(width, displayWidth(lines[l][column]));
    return width;
}

constexpr std::size_t indent = 2;
constexpr std::size_t columnGap = 2;

/// What a column needs. The last one wraps where it is on the left.
std::size_t roomFor(const Lines& lines, const std::vector<Align>& align, std::size_t column) {
    constexpr std::size_t leastOfLast = 20;
    const bool wraps = column + 1 == align.size() && align[column] == Align::left;
    return wraps ? std::min(widthOf(lines, column, 0), leastOfLast) : widthOf(lines, column, 0);
}

/// By how much the lines are wider than a line of text.
std::size_t excess(const Lines& lines, const std::vector<Align>& align) {
    std::size_t width = indent + columnGap * (align.size() - 1);
    for (std::size_t c = 0; c < align.size(); ++c) width += roomFor(lines, align, c);
    return width > lineWidth ? width - lineWidth : 0;
}

/// Splits headings that are wider than their cells into two lines, the first of which becomes a row above.
void splitHeadings(Lines& lines) {
    std::vector<std::string> above(lines.front().size());
    for (std::size_t c = 0; c < above.size(); ++c) {
        std::string& heading = lines.front()[c];
        const std::size_t cells = widthOf(lines, c, 1);
        std::size_t best = std::string::npos;
        const auto wide = [&](std::size_t space) { return std::max(space, heading.size() - space - 1); };
        for (std::size_t space = heading.find(' '); space != std::string::npos; space = heading.find(' ', space + 1))
            if (best == std::string::npos || wide(space) < wide(best)) best = space;
        if (heading.size() <= cells || best == std::string::npos) continue;
        above[c] = heading.substr(0, best);
        heading.erase(0, best + 1);
    }
    lines.insert(lines.begin(), std::move(above));
}

/// Fits the lines, whose first is the heading, into the width of text as far as headings and names allow.
void fitLines(Lines& lines, const std::vector<Align>& align, const std::vector<bool>& names) {
    constexpr std::size_t leastOfName = 24;
    while (const std::size_t over = excess(lines, align)) {
        std::size_t widest = align.size();
        for (std::size_t c = 0; c < align.size(); ++c) {
            const bool wraps = c + 1 == align.size() && align[c] == Align::left;
            if (!names[c] || wraps || widthOf(lines, c, 0) <= leastOfName) continue;
            if (widest == align.size() || widthOf(lines, c, 0) > widthOf(lines, widest, 0)) widest = c;
        }
        if (widest == align.size()) return;
        const std::size_t width = widthOf(lines, widest, 0);
        const std::size_t kept = std::max(leastOfName, width - std::min(over, width));
        for (std::vector<std::string>& line : lines) line[widest] = shortened(line[widest], kept);
    }
}

void write(const Lines& lines, const std::vector<Align>& align, std::ostream& out) {
    Table table{align, indent};
    for (const std::vector<std::string>& line : lines) table.row(line);
    table.write(out);
}

/// A column for each row, behind one with the headings.
Lines transposed(const Lines& lines) {
    Lines turned(lines.front().size());
    for (const std::vector<std::string>& line : lines)
        for (std::size_t c = 0; c < line.size(); ++c) turned[c].push_back(line[c]);
    return turned;
}

using Block = std::vector<std::size_t>;  // of columns

/// The columns in blocks of at most `most` characters a line where one column fits beside the first, with which each
/// begins.
std::vector<Block> blocksOf(const Lines& lines, const std::vector<Align>& align, std::size_t most) {
    std::vector<Block> blocks;
    std::size_t width = most;
    for (std::size_t c = 1; c < align.size(); ++c) {
        const std::size_t room = columnGap + roomFor(lines, align, c);
        if (width + room > most) {
            blocks.push_back({0});
            width = indent + roomFor(lines, align, 0);
        }
        blocks.back().push_back(c);
        width += room;
    }
    return blocks;
}

/// Numbers the rows if their first cells do not tell them apart.
void numberRows(Lines& lines, std::vector<Align>& align, std::size_t headings) {
    std::set<std::string> first;
    for (std::size_t l = headings; l < lines.size(); ++l) first.insert(lines[l].front());
    if (first.size() + headings == lines.size()) return;
    for (std::size_t l = 0; l < lines.size(); ++l)
        lines[l].insert(lines[l].begin(), l >= headings       ? std::to_string(l - headings + 1)
                                          : l + 1 == headings ? "row"
                                                              : "");
    align.insert(align.begin(), Align::right);
}

/// A table that is too wide, in blocks of columns below each other, of similar widths.
void writeBlocks(const Lines& lines, const std::vector<Align>& align, std::ostream& out) {
    std::vector<Block> blocks = blocksOf(lines, align, lineWidth);
    for (std::size_t most = lineWidth - 1; most > 0; --most) {
        std::vector<Block> narrower = blocksOf(lines, align, most);
        if (narrower.size() > blocks.size()) break;
        blocks = std::move(narrower);
    }
    for (const Block& block : blocks) {
        if (&block != &blocks.front()) out << '\n';
        const auto picked = [&](const auto& of) {
            std::decay_t<decltype(of)> some;
            for (const std::size_t column : block) some.push_back(of[column]);
            return some;
        };
        Lines part;
        for (const std::vector<std::string>& line : lines) part.push_back(picked(line));
        // A heading in two lines may have none above these columns.
        if (std::ranges::all_of(part.front(), &std::string::empty)) part.erase(part.begin());
        write(part, picked(align), out);
    }
}

void writeLines(Lines lines, std::vector<Align> align, const std::vector<bool>& names, std::ostream& out) {
    if (align.empty() || excess(lines, align) == 0) return write(lines, align, out);
    const Lines turned = transposed(lines);
    splitHeadings(lines);
    Lines fitted = lines;
    fitLines(fitted, align, names);
    if (excess(fitted, align) == 0) return write(fitted, align, out);
    constexpr std::size_t fewRows = 3;
    std::vector<Align> columns(turned.front().size(), Align::right);
    columns.front() = Align::left;
    if (turned.front().size() <= fewRows + 1 && excess(turned, columns) == 0) return write(turned, columns, out);
    constexpr std::size_t mostOfName = 60;
    for (std::vector<std::string>& line : lines)
        for (std::size_t c = 0; c < line.size(); ++c)
            if (names[c]) line[c] = shortened(line[c], mostOfName);
    constexpr std::size_t headings = 2;
    numberRows(lines, align, headings);
    // All blocks of some rows, then those of the next ones: otherwise the cells of a row are hundreds of lines apart.
    constexpr std::ptrdiff_t rowsTogether = 20;
    for (auto first = lines.begin() + headings; first != lines.end();) {
        const auto next = first + std::min(rowsTogether, lines.end() - first);
        Lines some{lines.begin(), lines.begin() + headings};
        some.insert(some.end(), first, next);
        if (first != lines.begin() + headings) out << '\n';
        writeBlocks(some, align, out);
        first = next;
    }
}

}  // namespace

void writeText(const engine::Table& table, const Console& console, std::size_t most, std::string_view whole) {
    console.out << console.paint(Tone::strong, table.name);
    const std::size_t titleAt = displayWidth(table.name) + columnGap;
    std::size_t gap = columnGap;
    for (const std::string& line : wrapped(table.title, lineWidth - titleAt)) {
        console.out << std::string(gap, ' ') << console.paint(Tone::faint, line) << '\n';
        gap = titleAt;
    }
    if (!table.rows.empty()) {
        std::vector<Align> align;
        std::vector<std::string> head;
        std::vector<std::size_t> kept;
        std::vector<bool> names;
        for (std::size_t c = 0; c < table.columns.size(); ++c) {
            // A column that says nothing in any row only takes room.
            if (!analysis::says(table, c)) continue;
            kept.push_back(c);
            align.push_back(table.columns[c].content == Content::words ? Align::left : Align::right);
            head.push_back(analysis::heading(table.columns[c]));
            names.push_back(isName(table.columns[c]));
        }
        Lines rows{head};
        for (std::size_t r = 0; r < std::min(most, table.rows.size()); ++r) {
            console.requireOutput();
            std::vector<std::string> cells;
            for (const std::size_t c : kept)
                cells.push_back(analysis::shown(table.rows[r][c], table.columns[c].content));
            rows.push_back(std::move(cells));
        }
        writeLines(std::move(rows), align, names, console.out);
        if (table.rows.size() > most)
            console.out << "  and " << analysis::counted(static_cast<std::int64_t>(table.rows.size() - most))
                        << " more; --format " << whole << " has all\n";
    } else {
        console.out << "  no rows\n";
    }
    for (const std::string& remark : table.remarks) console.write(spoken(remark), Tone::faint, 2);
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
