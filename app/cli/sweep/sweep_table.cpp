// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/sweep/sweep_table.hpp"

#include "app/analysis/bounds/algorithm_ranking.hpp"
#include "app/analysis/format/csv.hpp"
#include "app/cli/output/run_summary.hpp"
#include "app/cli/output/tables.hpp"
#include "app/cli/sweep/sweep_live.hpp"
#include "app/session/options/costs.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <span>

namespace app::cli {
namespace {

using engine::Picoseconds;
using engine::text;

/// Tells `each` of all that a result has, by the names of its columns and in their order; null where it has no such
/// thing. Those of runs that are refused are the reason and what was measured.
template <class Result, class Each>
void eachValue(Result& result, Each each) {
    using Halves = SweepResult::Halves;
    using Measured = SweepResult::Measured;
    const auto ofRun = [&](auto* value) { return result.refusal.empty() ? value : nullptr; };
    const auto part = [](auto& whole, auto place) { return whole ? &((*whole).*place) : nullptr; };
    each("rounds", ofRun(&result.rounds));
    each("messages", ofRun(&result.messages));
    each("bytes", ofRun(&result.bytes));
    each("time_s", ofRun(&result.time));
    each("idle_share", ofRun(&result.idle));
    each("bound_rounds", ofRun(&result.leastRounds));
    each("bound_volume", ofRun(&result.leastVolume));
    each("bound_time_s", ofRun(&result.least));
    each("refusal", &result.refusal);
    each("startups", ofRun(&result.startups));
    each("formula_time_s", ofRun(&result.formula));
    each("lowest_time_s", ofRun(&result.lowest));
    each("highest_time_s", ofRun(&result.highest));
    each("bound_binds", ofRun(&result.leastBinds));
    each("bound_of_all_s", ofRun(&result.leastOfAll));
    each("alone_s", part(result.halves, &Halves::alone));
    each("hidden_share", part(result.halves, &Halves::hidden));
    each("calls", part(result.halves, &Halves::calls));
    each("measured_s", part(result.measured, &Measured::median));
    each("measured_lowest_s", part(result.measured, &Measured::lowest));
    each("measured_highest_s", part(result.measured, &Measured::highest));
    each("not_measured", &result.unmeasured);
    each("network", &result.network);
}

const std::vector<std::string>& resultNames() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        const SweepResult result;
        eachValue(result, [&](const char* name, const auto*) { all.emplace_back(name); });
        return all;
    }();
    return names;
}

std::size_t placeOf(std::string_view name) {
    return static_cast<std::size_t>(std::ranges::find(resultNames(), name) - resultNames().begin());
}

/// Of times seconds with twelve digits behind the point: no picosecond is lost.
template <class Value>
std::string csvWordsOf(const Value& value) {
    if constexpr (std::is_same_v<Value, Picoseconds>) {
        constexpr std::int64_t second = 1'000'000'000'000;
        const std::string digits = std::to_string(value.count() % second);
        return text(value.count() / second, '.', std::string(12 - digits.size(), '0'), digits);
    } else if constexpr (std::is_same_v<Value, std::string>) {
        return spoken(value);
    } else if constexpr (requires { value.has_value(); }) {
        return value ? csvWordsOf(*value) : "";
    } else if constexpr (std::is_same_v<Value, double>) {
        return analysis::csvNumber(value);
    } else {
        return std::to_string(value);
    }
}

/// Whether `words` are what csvWordsOf makes of a value, which `out` becomes.
template <class Value>
bool readCsvWords(const std::string& words, Value& out) {
    if constexpr (std::is_same_v<Value, std::string>) {
        out = words;
        return true;
    } else if constexpr (requires { out.has_value(); }) {
        return words.empty() || readCsvWords(words, out.emplace());
    } else if constexpr (std::is_same_v<Value, Picoseconds>) {
        const auto point = words.find('.');
        if (point == std::string::npos || words.size() != point + 13) return false;
        const auto whole = numberFrom<std::int64_t>(words.substr(0, point));
        const auto part = numberFrom<std::int64_t>(words.substr(point + 1));
        if (whole && part) out = Picoseconds{*whole * 1'000'000'000'000 + *part};
        return whole && part;
    } else {
        const auto number = numberFrom<Value>(words);
        out = number.value_or(Value{});
        return number.has_value();
    }
}

/// Each row is one line: a sweep that is resumed reads the file line by line.
std::string inOneLine(std::string words) {
    std::replace(words.begin(), words.end(), '\n', ' ');
    return analysis::csvCell(words);
}

std::string lineOf(std::span<const std::string> names, const SweepResult& result) {
    std::string line;
    for (const std::string& name : names) line += inOneLine(name) + ',';
    eachValue(result,
              [&](const char*, const auto* value) { line += (value ? inOneLine(csvWordsOf(*value)) : "") + ','; });
    line.pop_back();
    return line;
}

/// The result behind the names of a line; nothing where it is something else.
std::optional<SweepResult> resultIn(std::span<const std::string> cells) {
    SweepResult result{.refusal = cells[placeOf("refusal")]};
    if (!cells[placeOf("alone_s")].empty()) result.halves.emplace();
    if (!cells[placeOf("measured_s")].empty()) result.measured.emplace();
    bool right = true;
    auto cell = cells.begin();
    eachValue(result, [&](const char*, auto* value) {
        right = right && (value == nullptr || readCsvWords(*cell, *value));
        ++cell;
    });
    return right ? std::optional{result} : std::nullopt;
}

/// The names before the result, and the result.
std::optional<SweepRow> rowIn(std::string_view line, std::size_t names) {
    auto cells = analysis::csvCells(line);
    if (!cells || cells->size() != names + resultNames().size()) return std::nullopt;
    auto result = resultIn(std::span{*cells}.subspan(names));
    if (!result) return std::nullopt;
    cells->resize(names);
    return SweepRow{std::move(*cells), std::move(*result)};
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

std::string timeIn(const std::optional<Picoseconds>& time) { return time ? engine::showTime(*time) : "-"; }

/// Whether the bound of the run holds for some schedules only, and another one for all.
bool isOfSome(const SweepResult& one) { return !one.leastBinds.empty() && one.least != one.leastOfAll; }

/// The bound that holds for all schedules.
std::optional<Picoseconds> boundOfAll(const SweepResult& one) {
    return one.leastBinds.empty() ? one.least : one.leastOfAll;
}

/// The bound of the schedules of the run's class, where that is not all.
std::string boundOfClass(const SweepResult& one) { return one.leastBinds.empty() ? "-" : timeIn(one.least); }

/// The classes whose bound is above that of all schedules, by their names.
std::set<std::string> boundClasses(const std::vector<SweepRow>& rows) {
    std::set<std::string> classes;
    for (const SweepRow& row : rows)
        if (row.result.leastOfAll && isOfSome(row.result)) classes.insert(row.result.leastBinds);
    return classes;
}

/// The heading of the column of their bounds.
std::string headingOf(const std::set<std::string>& classes) {
    return classes.size() == 1 && *classes.begin() == "one-block messages" ? "one-block" : "own bound";
}

/// What the columns of bounds hold for; empty where all hold for any schedule.
std::string aboutBounds(const std::set<std::string>& classes, bool queued) {
    if (classes.empty()) return {};
    std::vector<std::string> schedules;
    for (const std::string& one : classes) schedules.push_back(one.starts_with("between") ? one : "with " + one);
    const std::string own = headingOf(classes);
    return text("'bound time' (in csv bound_of_all_s) holds for any schedule. '", own,
                "' (bound_time_s) holds for schedules ", engine::joined(schedules, " or "), ", and so do bounds of ",
                queued ? "startups" : "rounds", " (bound_rounds) with (", own, ").");
}

/// The coordinates that all rows have in common, as far as they are not the usual ones: "9 ranks, 64 KiB, alpha 1 us,
/// beta 0.4 ns/B, gamma 0 ns/B".
std::string inCommon(const std::vector<SweepRow>& rows, const std::vector<std::size_t>& varying) {
    std::vector<std::string> words;
    for (std::size_t i = 0; !rows.empty() && i < coordinateNames().size(); ++i) {
        const std::string& name = coordinateNames()[i];
        const std::string& word = rows.front().coordinates[i];
        const bool usual = (name == "root" && word == "0") || (name == "ports" && word == "1") || word == "regular";
        if (word.empty() || usual || std::ranges::find(varying, i) != varying.end()) continue;
        const auto bytes = numberFrom<std::int64_t>(word);
        if (name == "ranks") words.push_back(word + " ranks");
        else if (name == "group_a") words.push_back(word + " ranks in A");
        else if (name == "group_b") words.push_back(word + " in B");
        else if (name == "size" && bytes) words.push_back(engine::showBytes(*bytes));
        else if (name == "size_b" && bytes) words.push_back(engine::showBytes(*bytes) + " in B");
        else if (name == "model") words.push_back(modelWords(engine::modelFromText(word)));
        else if (name == "options" || name == "conditions") words.push_back(word);
        else words.push_back(text(name, ' ', word));
    }
    return engine::joined(words, ", ");
}

/// Why alpha and beta alone do not give the cost of a message in a network of the rows; empty where they do in all.
std::string aboutLinks(const std::vector<SweepRow>& rows) {
    std::set<std::string> seen;
    for (const SweepRow& row : rows) {
        if (!row.result.refusal.empty() || row.result.network.empty() || !seen.insert(row.result.network).second)
            continue;
        std::int32_t ranks = 0;
        for (std::size_t i = 0; i < coordinateNames().size(); ++i)
            if (const std::string& name = coordinateNames()[i];
                name == "ranks" || name == "group_a" || name == "group_b")
                ranks += numberFrom<std::int32_t>(row.coordinates[i]).value_or(0);
        if (ranks == 0) continue;  // a file has a problem of its own
        const std::string why = whyNotUniform(*analysis::networkNamed(row.result.network, ranks));
        if (!why.empty()) return text("Alpha and beta alone do not give the cost of a message: ", why, ".");
    }
    return {};
}

/// "More ports do not change the time of allreduce/ring.": algorithms of which all runs that differ in ports alone take
/// the same time. Empty where there are none.
std::string aboutPorts(const std::vector<SweepRow>& rows) {
    const auto place =
        static_cast<std::size_t>(std::ranges::find(coordinateNames(), "ports") - coordinateNames().begin());
    std::map<std::vector<std::string>, std::map<std::string, Picoseconds>>
        times;  // by what else they are, then by ports
    for (const SweepRow& row : rows) {
        if (!row.result.ran() || !row.result.refusal.empty()) continue;
        std::vector<std::string> others = row.coordinates;
        others[place].clear();
        times[others].emplace(row.coordinates[place], row.result.time);
    }
    std::map<std::string, bool> alike;  // by algorithm
    for (const auto& [others, byPorts] : times) {
        if (byPorts.size() < 2) continue;
        const bool same =
            std::ranges::all_of(byPorts, [&](const auto& one) { return one.second == byPorts.begin()->second; });
        bool& all = alike.emplace(others.front(), true).first->second;
        all = all && same;
    }
    std::vector<std::string> names;
    for (const auto& [algorithm, same] : alike)
        if (same) names.push_back(algorithm);
    return names.empty() ? "" : text("More ports do not change the time of ", analysis::listed(names), ".");
}

/// Messages that wait for each other at a port are startups, however few rounds they are counted in.
bool hasQueues(const std::vector<SweepRow>& rows) {
    return std::ranges::any_of(rows, [](const SweepRow& row) { return row.result.startups != row.result.rounds; });
}

/// What every sweep tells, and what this one has besides.
std::vector<Column> columnsFor(const std::vector<SweepRow>& rows) {
    using Result = const SweepResult&;
    const auto any = [&](bool (*has)(Result)) {
        return std::ranges::any_of(rows, [&](const SweepRow& row) { return has(row.result); });
    };
    const bool queued = hasQueues(rows);
    const std::set<std::string> classes = boundClasses(rows);
    std::vector<Column> columns{
        {queued ? "startups" : "rounds", [](Result one) { return analysis::counted(one.startups); }},
        {queued ? "bound startups" : "bound rounds",
         [mark = classes.empty() ? std::string{} : text(" (", headingOf(classes), ')')](Result one) {
             if (!one.least && one.leastRounds == 0) return std::string{"-"};
             return analysis::counted(one.leastRounds) + (one.leastBinds.empty() ? std::string{} : mark);
         }},
        {"time", [](Result one) { return engine::showTime(one.time); }},
        {"bound time", [](Result one) { return timeIn(boundOfAll(one)); }},
        {"time/bound",
         [](Result one) {
             const std::optional<Picoseconds> bound = boundOfAll(one);
             return bound ? ratio(engine::seconds(one.time), engine::seconds(*bound)) : "-";
         }},
        {"idle", [](Result one) { return analysis::percent(one.idle); }}};
    if (!classes.empty()) columns.insert(columns.begin() + 4, {headingOf(classes), boundOfClass});
    // What is faster on another network is not the faster algorithm.
    std::set<std::string> networks;
    for (const SweepRow& row : rows)
        if (!row.result.network.empty()) networks.insert(row.result.network);
    if (networks.size() > 1) columns.push_back({"network", [](Result one) { return one.network; }});
    if (any([](Result one) { return one.lowest != one.highest; }))
        columns.push_back({"range", [](Result one) { return fromTo(one.lowest, one.highest); }});
    if (any([](Result one) { return one.halves.has_value(); })) {
        const auto add = [&](const char* head, std::string (*cell)(const SweepResult::Halves&)) {
            columns.push_back({head, [cell](Result one) { return one.halves ? cell(*one.halves) : "-"; }});
        };
        add("alone", [](const SweepResult::Halves& halves) { return engine::showTime(halves.alone); });
        add("hidden",
            [](const SweepResult::Halves& halves) { return halves.hidden ? analysis::percent(*halves.hidden) : "-"; });
        add("calls", [](const SweepResult::Halves& halves) { return engine::showNumber(halves.calls, 3); });
    }
    if (any([](Result one) { return one.measured.has_value(); })) {
        columns.push_back(
            {"measured", [](Result one) { return one.measured ? engine::showTime(one.measured->median) : "-"; }, true});
        columns.push_back({"x virtual", [](Result one) {
                               return one.measured
                                          ? ratio(engine::seconds(one.measured->median), engine::seconds(one.time))
                                          : "-";
                           }});
        if (any([](Result one) { return one.measured && one.measured->lowest != one.measured->highest; }))
            columns.push_back(
                {"measured range",
                 [](Result one) { return one.measured ? fromTo(one.measured->lowest, one.measured->highest) : "-"; },
                 true});
    }
    return columns;
}

}  // namespace

std::string sweepHeader() { return text(engine::joined(coordinateNames(), ","), ',', resultHeader()); }

std::string toCsv(const SweepRow& row) { return lineOf(row.coordinates, row.result); }

std::optional<SweepRow> sweepRowFromCsv(std::string_view line) { return rowIn(line, coordinateNames().size()); }

std::string resultHeader() { return engine::joined(resultNames(), ","); }

std::string toCsv(const std::string& run, const SweepResult& result) { return lineOf({&run, 1}, result); }

std::optional<std::pair<std::string, SweepResult>> resultFromCsv(std::string_view line) {
    auto row = rowIn(line, 1);
    if (!row) return std::nullopt;
    return std::pair{std::move(row->coordinates.front()), std::move(row->result)};
}

Json sweepJson(const std::vector<SweepRow>& rows) {
    Json all = Json::array();
    for (const SweepRow& row : rows) {
        Json one = Json::object();
        for (std::size_t i = 0; i < row.coordinates.size(); ++i) {
            const std::string& word = row.coordinates[i];
            const auto number = numberFrom<std::int64_t>(word);
            one[coordinateNames()[i]] = number ? Json(*number) : orNull(word);
        }
        const auto json = [](const auto& value) { return cellJson(engine::Cell{value}); };
        eachValue(row.result, [&](const std::string& name, const auto* value) {
            using Value = std::remove_cvref_t<decltype(*value)>;
            Json& to = one[name];
            if (value == nullptr) return;
            if constexpr (std::is_same_v<Value, std::string>)
                to = name == "bound_binds" ? Json(*value) : orNull(spoken(*value));
            else if constexpr (requires { value->has_value(); }) to = *value ? json(**value) : Json{};
            else to = json(*value);
        });
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
            const auto bytes = numberFrom<std::int64_t>(word);
            cells.push_back(bytes && coordinateNames()[place].starts_with("size") ? engine::showBytes(*bytes)
                            : word.empty()                                        ? "-"
                                                                                  : word);
        }
        for (const Column& column : columns)
            cells.push_back(result.refusal.empty() || column.measured ? column.cell(result) : "-");
        table.row(std::move(cells));
    }
    if (refusals.size() < rows.size()) table.write(console.out);
    const auto below = [&](const std::string& words) { console.write(words, Tone::faint); };
    if (const std::string words = inCommon(rows, places); !words.empty()) below(words);
    if (const std::string words = aboutLinks(rows); !words.empty()) below(words);
    if (std::ranges::any_of(rows, [](const SweepRow& row) { return row.result.lowest != row.result.highest; }))
        below("'time' is the median of the repeated runs, and 'range' their shortest and longest time.");
    if (const std::string words = aboutBounds(boundClasses(rows), hasQueues(rows)); !words.empty()) below(words);
    if (const std::string words = aboutPorts(rows); !words.empty()) below(words);
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
