// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/sweep/sweep_table.hpp"

#include "app/analysis/format/csv.hpp"
#include "app/cli/sweep/sweep_live.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <set>
#include <span>

namespace app::cli {
namespace {

using engine::Picoseconds;
using engine::text;

const std::vector<std::string> resultNames{"rounds",
                                           "messages",
                                           "bytes",
                                           "time_s",
                                           "idle_share",
                                           "bound_rounds",
                                           "bound_volume",
                                           "bound_time_s",
                                           "refusal",
                                           "startups",
                                           "formula_time_s",
                                           "lowest_time_s",
                                           "highest_time_s",
                                           "bound_binds",
                                           "bound_of_all_s",
                                           "alone_s",
                                           "hidden_share",
                                           "calls",
                                           "measured_s",
                                           "measured_lowest_s",
                                           "measured_highest_s",
                                           "not_measured",
                                           "network"};

constexpr std::size_t refusalCell = 8;
constexpr std::size_t measuredCell = 18;  // and what follows: also of runs that are refused in virtual time

/// Seconds with twelve digits behind the point: no picosecond is lost.
std::string exactly(Picoseconds time) {
    constexpr std::int64_t second = 1'000'000'000'000;
    const std::string digits = std::to_string(time.count() % second);
    return text(time.count() / second, '.', std::string(12 - digits.size(), '0'), digits);
}

/// A row is a line: whoever resumes reads them one by one.
std::string inOneLine(std::string words) {
    std::replace(words.begin(), words.end(), '\n', ' ');
    return analysis::csvCell(words);
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
    std::vector<std::string> cells(resultNames.size());
    cells[refusalCell] = spoken(result.refusal);
    if (result.refusal.empty())
        cells = {std::to_string(result.rounds),
                 std::to_string(result.messages),
                 std::to_string(result.bytes),
                 exactly(result.time),
                 analysis::csvNumber(result.idle),
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
                 result.halves && result.halves->hidden ? analysis::csvNumber(*result.halves->hidden) : "",
                 result.halves ? analysis::csvNumber(result.halves->calls) : ""};
    cells.resize(measuredCell);
    for (const auto time :
         {&SweepResult::Measured::median, &SweepResult::Measured::lowest, &SweepResult::Measured::highest})
        cells.push_back(result.measured ? exactly((*result.measured).*time) : "");
    cells.push_back(result.unmeasured);
    cells.push_back(result.network);
    return cells;
}

/// What resultCells made; nothing where they are something else.
std::optional<SweepResult> resultFrom(std::span<const std::string> cell) {
    SweepResult result;
    bool right = true;
    if (!cell[measuredCell].empty()) {
        SweepResult::Measured& measured = result.measured.emplace();
        right = readExactly(cell[18], measured.median) && readExactly(cell[19], measured.lowest) &&
                readExactly(cell[20], measured.highest);
    }
    result.unmeasured = cell[21];
    result.network = cell[22];
    result.refusal = cell[refusalCell];
    if (!result.refusal.empty()) return right ? std::optional{result} : std::nullopt;
    right = right && read(cell[0], result.rounds) && read(cell[1], result.messages) && read(cell[2], result.bytes) &&
            readExactly(cell[3], result.time) && read(cell[4], result.idle) && read(cell[5], result.leastRounds) &&
            read(cell[6], result.leastVolume) && read(cell[9], result.startups);
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

/// A column of the table for people.
struct Column {
    std::string head;
    std::function<std::string(const SweepResult&)> cell;
    bool measured = false;  ///< also of runs that are refused in virtual time
};

std::string ratio(double number, double to) { return to > 0 ? engine::showNumber(number / to, 3) : "-"; }

std::string fromTo(Picoseconds lowest, Picoseconds highest) {
    return text(engine::showTime(lowest), " .. ", engine::showTime(highest));
}

/// What every sweep tells, and what this one has besides.
std::vector<Column> columnsFor(const std::vector<SweepRow>& rows) {
    const auto any = [&](auto&& has) {
        return std::ranges::any_of(rows, [&](const SweepRow& row) { return has(row.result); });
    };
    // Messages that wait for each other at a port are startups, however few rounds they are counted in.
    const bool queued = any([](const SweepResult& result) { return result.startups != result.rounds; });
    std::vector<Column> columns{
        {queued ? "startups" : "rounds", [](const SweepResult& result) { return analysis::counted(result.startups); }},
        {"at least",
         [](const SweepResult& result) {
             return result.least || result.leastRounds > 0 ? analysis::counted(result.leastRounds) : "-";
         }},
        {"time", [](const SweepResult& result) { return engine::showTime(result.time); }},
        {"at least", [](const SweepResult& result) { return result.least ? engine::showTime(*result.least) : "-"; }},
        {"time/bound",
         [](const SweepResult& result) {
             return result.least ? ratio(engine::seconds(result.time), engine::seconds(*result.least)) : "-";
         }},
        {"idle", [](const SweepResult& result) { return analysis::percent(result.idle); }}};
    // What is faster on another network is not the faster algorithm.
    std::set<std::string> networks;
    for (const SweepRow& row : rows)
        if (!row.result.network.empty()) networks.insert(row.result.network);
    if (networks.size() > 1) columns.push_back({"network", [](const SweepResult& result) { return result.network; }});
    if (any([](const SweepResult& result) { return result.lowest != result.highest; }))
        columns.push_back(
            {"median of", [](const SweepResult& result) { return fromTo(result.lowest, result.highest); }});
    if (any([](const SweepResult& result) { return result.halves.has_value(); })) {
        columns.push_back({"alone", [](const SweepResult& result) {
                               return result.halves ? engine::showTime(result.halves->alone) : "-";
                           }});
        columns.push_back({"hidden", [](const SweepResult& result) {
                               return result.halves && result.halves->hidden ? analysis::percent(*result.halves->hidden)
                                                                             : "-";
                           }});
        columns.push_back({"calls", [](const SweepResult& result) {
                               return result.halves ? engine::showNumber(result.halves->calls, 3) : "-";
                           }});
    }
    if (any([](const SweepResult& result) { return result.measured.has_value(); })) {
        columns.push_back({"measured",
                           [](const SweepResult& result) {
                               return result.measured ? engine::showTime(result.measured->median) : "-";
                           },
                           true});
        columns.push_back({"x virtual", [](const SweepResult& result) {
                               return result.measured ? ratio(engine::seconds(result.measured->median),
                                                              engine::seconds(result.time))
                                                      : "-";
                           }});
        if (any([](const SweepResult& result) {
                return result.measured && result.measured->lowest != result.measured->highest;
            }))
            columns.push_back({"median of",
                               [](const SweepResult& result) {
                                   return result.measured ? fromTo(result.measured->lowest, result.measured->highest)
                                                          : "-";
                               },
                               true});
    }
    return columns;
}

}  // namespace

std::string sweepHeader() { return text(engine::joined(coordinateNames(), ","), ',', resultHeader()); }

std::string toCsv(const SweepRow& row) {
    std::string line;
    for (const std::string& cell : row.coordinates) line += inOneLine(cell) + ',';
    for (const std::string& cell : resultCells(row.result)) line += inOneLine(cell) + ',';
    line.pop_back();
    return line;
}

std::optional<SweepRow> sweepRowFromCsv(std::string_view line) {
    const std::size_t coordinates = coordinateNames().size();
    const auto cells = analysis::csvCells(line);
    if (!cells || cells->size() != coordinates + resultNames.size()) return std::nullopt;
    auto result = resultFrom(std::span{*cells}.subspan(coordinates));
    if (!result) return std::nullopt;
    return SweepRow{{cells->begin(), cells->begin() + static_cast<std::ptrdiff_t>(coordinates)}, std::move(*result)};
}

std::string resultHeader() { return engine::joined(resultNames, ","); }

std::string toCsv(const std::string& run, const SweepResult& result) {
    std::string line = inOneLine(run);
    for (const std::string& cell : resultCells(result)) line += ',' + inOneLine(cell);
    return line;
}

std::optional<std::pair<std::string, SweepResult>> resultFromCsv(std::string_view line) {
    const auto cells = analysis::csvCells(line);
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
        one["idle_share"] = known(result.idle);
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
        const auto measured = [&](auto time) {
            return result.measured ? Json(engine::seconds((*result.measured).*time)) : Json{};
        };
        one["measured_s"] = measured(&SweepResult::Measured::median);
        one["measured_lowest_s"] = measured(&SweepResult::Measured::lowest);
        one["measured_highest_s"] = measured(&SweepResult::Measured::highest);
        one["not_measured"] = result.unmeasured.empty() ? Json{} : Json(result.unmeasured);
        one["network"] = result.network.empty() ? Json{} : Json(result.network);
        all.push_back(std::move(one));
    }
    return all;
}

void writeSweep(const std::vector<SweepRow>& rows, const Console& console, std::string_view how) {
    const std::vector<std::size_t> places = varying(rows);
    const std::vector<Column> columns = columnsFor(rows);
    std::vector<Align> align(places.size(), Align::left);
    align.insert(align.end(), columns.size(), Align::right);
    Table table{align};
    std::vector<std::string> head;
    for (const std::size_t place : places) head.push_back(coordinateNames()[place]);
    for (const Column& column : columns) head.push_back(column.head);
    table.row(head);
    std::vector<std::string> refusals;
    for (const SweepRow& row : rows) {
        const SweepResult& result = row.result;
        if (!result.ran()) {
            refusals.push_back(spoken(result.refusal));
            continue;
        }
        std::vector<std::string> cells;
        for (const std::size_t place : places) {
            const std::string& word = row.coordinates[place];
            std::int64_t bytes = 0;
            const bool size = coordinateNames()[place].starts_with("size") && read(word, bytes);
            cells.push_back(size ? engine::showBytes(bytes) : word.empty() ? "-" : word);
        }
        for (const Column& column : columns)
            cells.push_back(result.refusal.empty() || column.measured ? column.cell(result) : "-");
        table.row(std::move(cells));
    }
    if (refusals.size() < rows.size()) table.write(console.out);
    const auto below = [&](const std::string& words) {
        for (const std::string& line : wrapped(words, lineWidth))
            console.out << console.paint(Tone::faint, line) << '\n';
    };
    if (const std::string words = measuredWords(rows, how); !words.empty()) below(words);
    for (const SweepRow& row : rows)
        if (!row.result.unmeasured.empty()) {
            below(text("Not measured, first: ", row.result.unmeasured));
            break;
        }
    if (!refusals.empty())
        below(text(analysis::counted(static_cast<std::int64_t>(refusals.size())), " of ",
                   analysis::counted(static_cast<std::int64_t>(rows.size()), "run"),
                   " refused, first: ", refusals.front()));
}

}  // namespace app::cli
