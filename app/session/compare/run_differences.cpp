// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/compare/run_differences.hpp"

#include "app/analysis/format/cell_format.hpp"
#include "app/analysis/overview/run_diff.hpp"
#include "app/session/compare/run_names.hpp"
#include "engine/base/text.hpp"

#include <algorithm>

namespace app {
namespace {

using engine::Cell;
using engine::Content;
using engine::Picoseconds;

constexpr std::int64_t mostRounds = 2000;
constexpr std::int64_t mostPaths = 12;
/// Behind the numbers of rounds of which some overlap: how much later the run ends because of the round.
constexpr std::string_view adds = ", time added";

/// Above the rows of call paths, whose times are other ones than those of the call tree.
constexpr std::string_view pathsHeading = "Exclusive times, MPI_Init to MPI_Finalize, all ranks";

/// "1.25x"; nothing where one of the two is not known.
Cell factorInWords(std::optional<double> times) {
    if (!times) return {};
    return engine::showNumber(*times, 3) + "\u00d7";
}

std::optional<double> quotient(double first, double second) {
    return first == 0 ? std::nullopt : std::optional{second / first};
}

Cell inWords(const Cell& cell, Content content) {
    if (!std::holds_alternative<std::monostate>(cell)) return analysis::shown(cell, content);
    return content == Content::words ? Cell{"not known"} : Cell{};
}

Cell timeOf(const std::optional<engine::RoundTimes>& times) {
    return times ? inWords(times->end - times->begin, Content::time) : Cell{};
}

/// A pair of words; algorithms are called as everywhere in the window.
std::array<Cell, 2> inWords(const Compared& row, const Report& a, const Report& b) {
    const auto* first = std::get_if<std::string>(&row.first);
    const auto* second = std::get_if<std::string>(&row.second);
    if (first != nullptr && second != nullptr) {
        const auto [one, other] = namesOf({&a, *first}, {&b, *second});
        return {one, other};
    }
    return {inWords(row.first, row.content), inWords(row.second, row.content)};
}

/// What was sent in a round of both, where that differs.
void addAmounts(const ComparedRound& row, const std::string& name, engine::Table& table) {
    if (!row.first || !row.second) return;
    const auto add = [&](const char* what, std::int64_t first, std::int64_t second, Content content) {
        if (first == second) return;
        table.rows.push_back({name + what, inWords(first, content), inWords(second, content),
                              factorInWords(quotient(static_cast<double>(first), static_cast<double>(second)))});
    };
    add(", messages", row.first->messages, row.second->messages, Content::count);
    add(", bytes", row.first->bytes, row.second->bytes, Content::bytes);
}

/// Whether any round of the run is in progress during some of the next one.
bool roundsOverlap(const engine::Run& run) {
    const auto meet = [](const engine::RoundTimes& one, const engine::RoundTimes& next) {
        return one.messages > 0 && next.messages > 0 && one.begin < next.end && next.begin < one.end;
    };
    return std::ranges::adjacent_find(run.perRound, meet) != run.perRound.end();
}

/// Known of neither, or about the one round that messages without rounds are in.
bool isNothing(const Compared& row) {
    const auto unknown = [](const Cell& cell) { return std::holds_alternative<std::monostate>(cell); };
    return (unknown(row.first) && unknown(row.second)) || row.what == std::string_view{"Rounds"};
}

/// The factors of the parallel efficiency that differ.
void addEfficiencies(const engine::Table& efficiencies, engine::Table& table) {
    for (const std::vector<Cell>& row : efficiencies.rows)
        if (row[1] != row[2])
            table.rows.push_back({engine::capitalised(std::get<std::string>(row[0])), inWords(row[1], Content::share),
                                  inWords(row[2], Content::share),
                                  factorInWords(quotient(std::get<double>(row[1]), std::get<double>(row[2])))});
}

/// Rows of call paths, of iterations or of steps (analysis::programChanges).
void addChanges(const engine::Table& change, engine::Table& table) {
    const auto column = [&](std::string_view name) {
        return static_cast<std::size_t>(std::ranges::find(change.columns, name, &engine::Column::name) -
                                        change.columns.begin());
    };
    const auto add = [&](const std::string& what, const Cell& first, const Cell& second) {
        const auto* a = std::get_if<Picoseconds>(&first);
        const auto* b = std::get_if<Picoseconds>(&second);
        if (a == nullptr || b == nullptr || *a == *b) return;
        table.rows.push_back(
            {what, inWords(first, Content::time), inWords(second, Content::time),
             factorInWords(quotient(static_cast<double>(a->count()), static_cast<double>(b->count())))});
    };
    std::int64_t rows = 0;
    if (column("path") == 0 && !change.rows.empty()) table.rows.push_back({std::string{pathsHeading}, {}, {}, {}});
    for (const std::vector<Cell>& row : change.rows) {
        const auto* path = std::get_if<std::string>(&row.front());
        if (++rows > (path != nullptr ? mostPaths : mostRounds)) break;
        const std::string name =
            path != nullptr ? *path : engine::text(iterationRow, std::get<std::int64_t>(row.front()));
        add(name, row[column("first_s")], row[column("second_s")]);
        if (path != nullptr && column("first_waiting_s") < row.size())
            add("waiting in " + name, row[column("first_waiting_s")], row[column("second_waiting_s")]);
    }
}

}  // namespace

engine::Table runDifferences(const Report& first, const Report& second, const std::array<std::string, 2>& names,
                             bool rounds, std::span<const engine::Table> changes, std::span<const Compared> times) {
    engine::Table table{.name = "differences",
                        .title = "two runs, number by number",
                        .columns = {{"what"}, {names[0]}, {names[1]}, {"ratio"}},
                        .rows = {}};
    table.remarks.emplace_back("Ratio: second / first. Rows in which both runs are equal are left out.");
    std::vector<Compared> all = numberByNumber(first, second);
    if (!times.empty()) {
        all.erase(all.begin());
        all.insert(all.begin(), times.begin(), times.end());
    }
    for (const Compared& row : all) {
        if (row.first == row.second || (!rounds && isNothing(row))) continue;
        const auto [a, b] = inWords(row, first, second);
        table.rows.push_back({row.what, a, b, factorInWords(row.times())});
    }
    if (!rounds) {
        for (const engine::Table& change : changes) {
            if (change.name == analysis::efficiencyTable) addEfficiencies(change, table);
            else addChanges(change, table);
        }
        return table;
    }
    // Where rounds overlap, what one adds is shorter than the round.
    const bool overlap = roundsOverlap(*first.run) || roundsOverlap(*second.run);
    for (const ComparedRound& row : roundByRound(*first.run, *second.run, mostRounds)) {
        const std::string name = engine::text(roundRow, row.round.value + 1);
        if (row.times() != 1)
            table.rows.push_back({overlap ? engine::text(name, adds) : name, timeOf(row.first), timeOf(row.second),
                                  factorInWords(row.times())});
        addAmounts(row, name, table);
    }
    if (overlap)
        table.remarks.emplace_back("Rounds overlap. Time added: end of a round minus the end of the rounds before it.");
    if (const std::int64_t left = std::max(first.run->rounds, second.run->rounds) - mostRounds; left > 0)
        table.remarks.push_back(analysis::counted(left, "more round") + (left == 1 ? " is" : " are") + " not listed.");
    return table;
}

}  // namespace app
