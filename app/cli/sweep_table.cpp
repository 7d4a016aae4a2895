// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/sweep_table.hpp"

#include "engine/text.hpp"

#include <charconv>
#include <cstdio>
#include <span>

namespace app::cli {
namespace {

using engine::Picoseconds;
using engine::text;

const std::vector<std::string> resultNames{
    "rounds",         "messages",     "bytes",          "time_s",   "still_share",    "bound_rounds",
    "bound_volume",   "bound_time_s", "refusal",        "startups", "formula_time_s", "lowest_time_s",
    "highest_time_s", "bound_binds",  "bound_of_all_s", "alone_s",  "hidden_share",   "calls"};

constexpr std::size_t refusalCell = 8;

/// Seconds with twelve digits behind the point: no picosecond is lost.
std::string exactly(Picoseconds time) {
    constexpr std::int64_t second = 1'000'000'000'000;
    const std::string digits = std::to_string(time.count() % second);
    return text(time.count() / second, '.', std::string(12 - digits.size(), '0'), digits);
}

std::string decimal(double number) {
    char digits[32];
    return {digits, std::to_chars(digits, digits + sizeof digits, number).ptr};
}

std::string quoted(const std::string& cell) {
    if (cell.find_first_of(",\"\n") == std::string::npos) return cell;
    std::string words = "\"";
    for (const char c : cell) words += c == '"' ? std::string{"\"\""} : std::string{c == '\n' ? ' ' : c};
    return words + '"';
}

/// The cells of a line; nothing when a quotation does not end.
std::optional<std::vector<std::string>> cellsOf(std::string_view line) {
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

template <class Number>
bool read(const std::string& words, Number& out) {
    const auto [end, fault] = std::from_chars(words.data(), words.data() + words.size(), out);
    return fault == std::errc{} && end == words.data() + words.size();
}

bool readExactly(const std::string& words, Picoseconds& out) {
    const auto point = words.find('.');
    std::int64_t whole = 0;
    std::int64_t part = 0;
    if (point == std::string::npos || words.size() != point + 13) return false;
    if (!read(words.substr(0, point), whole) || !read(words.substr(point + 1), part)) return false;
    out = Picoseconds{whole * 1'000'000'000'000 + part};
    return true;
}

std::vector<std::string> resultCells(const SweepResult& result) {
    if (!result.refusal.empty()) {
        std::vector<std::string> cells(resultNames.size());
        cells[refusalCell] = spoken(result.refusal);
        return cells;
    }
    return {std::to_string(result.rounds),
            std::to_string(result.messages),
            std::to_string(result.bytes),
            exactly(result.time),
            decimal(result.still),
            std::to_string(result.leastRounds),
            std::to_string(result.leastVolume),
            result.least ? exactly(*result.least) : "",
            "",
            std::to_string(result.startups),
            result.formula ? exactly(*result.formula) : "",
            exactly(result.lowest),
            exactly(result.highest),
            result.leastBinds,
            result.leastOfAll ? exactly(*result.leastOfAll) : "",
            result.halves ? exactly(result.halves->alone) : "",
            result.halves && result.halves->hidden ? decimal(*result.halves->hidden) : "",
            result.halves ? decimal(result.halves->calls) : ""};
}

/// What resultCells made; nothing where they are something else.
std::optional<SweepResult> resultFrom(std::span<const std::string> cell) {
    SweepResult result;
    result.refusal = cell[refusalCell];
    if (!result.refusal.empty()) return result;
    bool right = read(cell[0], result.rounds) && read(cell[1], result.messages) && read(cell[2], result.bytes) &&
                 readExactly(cell[3], result.time) && read(cell[4], result.still) &&
                 read(cell[5], result.leastRounds) && read(cell[6], result.leastVolume) &&
                 read(cell[9], result.startups);
    if (!cell[7].empty()) right = right && readExactly(cell[7], result.least.emplace());
    if (!cell[10].empty()) right = right && readExactly(cell[10], result.formula.emplace());
    right = right && readExactly(cell[11], result.lowest) && readExactly(cell[12], result.highest);
    result.leastBinds = cell[13];
    if (!cell[14].empty()) right = right && readExactly(cell[14], result.leastOfAll.emplace());
    if (!cell[15].empty()) {
        SweepResult::Halves& halves = result.halves.emplace();
        right = right && readExactly(cell[15], halves.alone) && read(cell[17], halves.calls);
        if (!cell[16].empty()) right = right && read(cell[16], halves.hidden.emplace());
    }
    return right ? std::optional{result} : std::nullopt;
}

/// Places of the coordinates that differ between rows; the algorithm always counts as one.
std::vector<std::size_t> varying(const std::vector<SweepRow>& rows) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < coordinateNames().size(); ++i) {
        const auto differs = [&](const SweepRow& row) { return row.coordinates[i] != rows.front().coordinates[i]; };
        if (i == 0 || std::any_of(rows.begin(), rows.end(), differs)) places.push_back(i);
    }
    return places;
}

}  // namespace

std::string sweepHeader() {
    std::string line;
    for (const auto* names : {&coordinateNames(), &resultNames})
        for (const std::string& name : *names) line += (line.empty() ? "" : ",") + name;
    return line;
}

std::string toCsv(const SweepRow& row) {
    std::string line;
    for (const std::string& cell : row.coordinates) line += quoted(cell) + ',';
    for (const std::string& cell : resultCells(row.result)) line += quoted(cell) + ',';
    line.pop_back();
    return line;
}

std::optional<SweepRow> sweepRowFromCsv(std::string_view line) {
    const std::size_t coordinates = coordinateNames().size();
    const auto cells = cellsOf(line);
    if (!cells || cells->size() != coordinates + resultNames.size()) return std::nullopt;
    auto result = resultFrom(std::span{*cells}.subspan(coordinates));
    if (!result) return std::nullopt;
    return SweepRow{{cells->begin(), cells->begin() + static_cast<std::ptrdiff_t>(coordinates)}, std::move(*result)};
}

std::string resultHeader() {
    std::string line;
    for (const std::string& name : resultNames) line += (line.empty() ? "" : ",") + name;
    return line;
}

std::string toCsv(const std::string& run, const SweepResult& result) {
    std::string line = quoted(run);
    for (const std::string& cell : resultCells(result)) line += ',' + quoted(cell);
    return line;
}

std::optional<std::pair<std::string, SweepResult>> resultFromCsv(std::string_view line) {
    const auto cells = cellsOf(line);
    if (!cells || cells->size() != 1 + resultNames.size()) return std::nullopt;
    auto result = resultFrom(std::span{*cells}.subspan(1));
    if (!result) return std::nullopt;
    return std::pair{cells->front(), std::move(*result)};
}

Json sweepJson(const std::vector<SweepRow>& rows) {
    Json all = Json::array();
    for (const SweepRow& row : rows) {
        Json one = Json::object();
        for (std::size_t i = 0; i < row.coordinates.size(); ++i) {
            std::int64_t number = 0;
            const std::string& word = row.coordinates[i];
            one[coordinateNames()[i]] = word.empty() ? Json{} : read(word, number) ? Json(number) : Json(word);
        }
        const SweepResult& result = row.result;
        const bool ran = result.refusal.empty();
        const auto known = [&](auto value) { return ran ? Json(value) : Json{}; };
        one["rounds"] = known(result.rounds);
        one["messages"] = known(result.messages);
        one["bytes"] = known(result.bytes);
        one["time_s"] = known(engine::seconds(result.time));
        one["still_share"] = known(result.still);
        one["bound_rounds"] = known(result.leastRounds);
        one["bound_volume"] = known(result.leastVolume);
        one["bound_time_s"] = result.least ? Json(engine::seconds(*result.least)) : Json{};
        one["refusal"] = ran ? Json{} : Json(spoken(result.refusal));
        one["startups"] = known(result.startups);
        one["formula_time_s"] = result.formula ? Json(engine::seconds(*result.formula)) : Json{};
        one["lowest_time_s"] = known(engine::seconds(result.lowest));
        one["highest_time_s"] = known(engine::seconds(result.highest));
        one["bound_binds"] = known(result.leastBinds);
        one["bound_of_all_s"] = result.leastOfAll ? Json(engine::seconds(*result.leastOfAll)) : Json{};
        one["alone_s"] = result.halves ? Json(engine::seconds(result.halves->alone)) : Json{};
        one["hidden_share"] = result.halves && result.halves->hidden ? Json(*result.halves->hidden) : Json{};
        one["calls"] = result.halves ? Json(result.halves->calls) : Json{};
        all.push_back(std::move(one));
    }
    return all;
}

void writeSweep(const std::vector<SweepRow>& rows, const Console& console) {
    const std::vector<std::size_t> places = varying(rows);
    const bool spread = std::any_of(rows.begin(), rows.end(),
                                    [](const SweepRow& row) { return row.result.lowest != row.result.highest; });
    std::vector<Align> columns(places.size(), Align::left);
    columns.insert(columns.end(), {Align::right, Align::right, Align::right, Align::right, Align::right, Align::right});
    const bool split = std::ranges::any_of(rows, [](const SweepRow& row) { return row.result.halves.has_value(); });
    if (spread) columns.push_back(Align::right);
    if (split) columns.insert(columns.end(), {Align::right, Align::right, Align::right});
    Table table{columns};
    std::vector<std::string> head;
    for (const std::size_t place : places) head.push_back(coordinateNames()[place]);
    // Messages that wait for each other at a port are startups, however few rounds they are counted in.
    const bool queued =
        std::ranges::any_of(rows, [](const SweepRow& row) { return row.result.startups != row.result.rounds; });
    head.insert(head.end(), {queued ? "startups" : "rounds", "at least", "time", "at least", "x bound", "still"});
    if (spread) head.emplace_back("median of");
    if (split) head.insert(head.end(), {"alone", "hidden", "calls"});
    table.row(head);
    std::vector<std::string> refusals;
    for (const SweepRow& row : rows) {
        std::vector<std::string> cells;
        for (const std::size_t place : places) {
            const std::string& word = row.coordinates[place];
            std::int64_t bytes = 0;
            const bool size = coordinateNames()[place].starts_with("size") && read(word, bytes);
            cells.push_back(size ? engine::showBytes(bytes) : word.empty() ? "-" : word);
        }
        const SweepResult& result = row.result;
        if (!result.refusal.empty()) {
            refusals.push_back(spoken(result.refusal));
            continue;
        }
        char times[32];
        const bool bounded = result.least && result.least->count() > 0;
        std::snprintf(times, sizeof times, "%.3g",
                      bounded ? engine::seconds(result.time) / engine::seconds(*result.least) : 0.0);
        cells.insert(cells.end(), {counted(result.startups), counted(result.leastRounds), engine::showTime(result.time),
                                   result.least ? engine::showTime(*result.least) : "-", bounded ? times : "-",
                                   percent(result.still)});
        if (spread) cells.push_back(text(engine::showTime(result.lowest), " .. ", engine::showTime(result.highest)));
        if (split && !result.halves) cells.insert(cells.end(), {"-", "-", "-"});
        if (result.halves) {
            char calls[32];
            std::snprintf(calls, sizeof calls, "%.3g", result.halves->calls);
            cells.insert(cells.end(), {engine::showTime(result.halves->alone),
                                       result.halves->hidden ? percent(*result.halves->hidden) : "-", calls});
        }
        table.row(std::move(cells));
    }
    if (refusals.size() < rows.size()) table.write(console.out);
    if (!refusals.empty())
        for (const std::string& line : wrapped(
                 text(counted(static_cast<std::int64_t>(refusals.size())), " of ",
                      counted(static_cast<std::int64_t>(rows.size()), "run"), " refused, first: ", refusals.front()),
                 lineWidth))
            console.out << console.paint(Tone::faint, line) << '\n';
}

}  // namespace app::cli
