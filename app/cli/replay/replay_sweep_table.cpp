// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/replay/replay_sweep_table.hpp"

#include "app/analysis/format/cell_format.hpp"
#include "app/analysis/format/csv.hpp"
#include "app/cli/output/run_summary.hpp"
#include "app/cli/replay/replay_points.hpp"
#include "app/cli/sweep/sweep_table.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

namespace app::cli {
namespace {

/// Behind the coordinates.
const std::array<engine::Column, 17> results{{{"conditions", engine::Content::words},
                                              {"recorded_s", engine::Content::time},
                                              {"replayed_s", engine::Content::time},
                                              {"error_share", engine::Content::share},
                                              {"error_beside_computing_share", engine::Content::share},
                                              {"time_s", engine::Content::time},
                                              {"program_time_s", engine::Content::time, "after MPI_Init"},
                                              {"gain_share", engine::Content::share},
                                              {"messages", engine::Content::count},
                                              {"bytes", engine::Content::bytes},
                                              {"computing_s", engine::Content::time},
                                              {"waiting_s", engine::Content::time},
                                              {"moving_s", engine::Content::time},
                                              {"collectives_s", engine::Content::time},
                                              {"done_early_s", engine::Content::time},
                                              {"stuck", engine::Content::count},
                                              {"refusal", engine::Content::words}}};

std::vector<engine::Column> columnsOfAll() {
    std::vector<engine::Column> columns;
    for (const std::string& name : replayCoordinates()) columns.push_back({name, engine::Content::words});
    columns.insert(columns.end(), results.begin(), results.end());
    return columns;
}

std::vector<engine::Cell> cellsOfResult(const SweptReplay& result) {
    if (!result.refusal.empty()) {
        std::vector<engine::Cell> cells(results.size());
        cells.back() = spoken(result.refusal);
        return cells;
    }
    const bool ended = result.stuck == 0;
    const auto atEnd = [&](engine::Cell cell) { return ended ? std::move(cell) : engine::Cell{}; };
    const double before = engine::seconds(result.asRecorded);
    return {result.conditions,
            result.recorded,
            result.asRecorded,
            result.error,
            result.errorBesideComputing ? engine::Cell{*result.errorBesideComputing} : engine::Cell{},
            atEnd(result.time),
            atEnd(result.programTime),
            before > 0 ? atEnd(result.gain) : engine::Cell{},
            result.messages,
            result.bytes,
            atEnd(result.mean.computing),
            atEnd(result.mean.waiting),
            atEnd(result.mean.moving),
            atEnd(result.mean.inCollectives),
            atEnd(result.time - result.mean.end),
            result.stuck,
            engine::Cell{}};
}

std::string csvLine(std::vector<engine::Cell> cells) {
    std::ostringstream out;
    analysis::writeCsvRows({.name = {}, .title = {}, .columns = {}, .rows = {std::move(cells)}}, out);
    std::string line = std::move(out).str();
    line.pop_back();
    return line;
}

/// What csv says of such a cell; nothing where it is something else.
std::optional<engine::Cell> cellFrom(const std::string& word, engine::Content content) {
    if (word.empty()) return engine::Cell{};
    if (content == engine::Content::words) return engine::Cell{word};
    if (content == engine::Content::count || content == engine::Content::bytes) {
        const auto count = numberFrom<std::int64_t>(word);
        return count ? std::optional<engine::Cell>{*count} : std::nullopt;
    }
    const auto number = numberFrom<double>(word);
    if (!number) return std::nullopt;
    if (content == engine::Content::time) return engine::Cell{engine::Picoseconds{std::llround(*number * 1e12)}};
    return engine::Cell{*number};
}

std::size_t columnNamed(const engine::Table& table, std::string_view name) {
    const auto found = std::ranges::find(table.columns, name, &engine::Column::name);
    ENSURE(found != table.columns.end(), "a column of a sweep of replays is missing");
    return static_cast<std::size_t>(found - table.columns.begin());
}

}  // namespace

std::string replaySweepHeader() {
    std::string line;
    for (const engine::Column& column : columnsOfAll()) line += (line.empty() ? "" : ",") + column.name;
    return line;
}

std::string replaySweepRow(const std::vector<std::string>& coordinates, const SweptReplay& result) {
    std::vector<engine::Cell> cells;
    for (const std::string& word : coordinates) cells.push_back(engine::cell(word));
    std::ranges::move(cellsOfResult(result), std::back_inserter(cells));
    return csvLine(std::move(cells));
}

std::optional<std::vector<engine::Cell>> replaySweepCells(std::string_view line) {
    static const std::vector<engine::Column> columns = columnsOfAll();
    const auto words = analysis::csvCells(line);
    if (!words || words->size() != columns.size()) return std::nullopt;
    std::vector<engine::Cell> cells;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        auto cell = cellFrom((*words)[i], columns[i].content);
        if (!cell) return std::nullopt;
        cells.push_back(std::move(*cell));
    }
    return cells;
}

engine::Table replaySweepTable(const std::vector<std::string>& rows) {
    engine::Table table{.name = "replays", .title = "replays of the program", .columns = columnsOfAll(), .rows = {}};
    for (const std::string& row : rows) {
        auto cells = replaySweepCells(row);
        ENSURE(cells.has_value(), "a row of a sweep of replays is damaged");
        table.rows.push_back(std::move(*cells));
    }
    return table;
}

engine::Table replaySweepSummary(const engine::Table& all) {
    engine::Table table{.name = all.name, .title = all.title, .columns = {}, .rows = {}};
    std::vector<std::size_t> places;
    const std::size_t stuck = columnNamed(all, "stuck");
    const std::size_t refusal = columnNamed(all, "refusal");
    for (std::size_t c = 0; c < replayCoordinates().size(); ++c)
        if (std::ranges::any_of(all.rows, [&](const auto& row) { return row[c] != all.rows.front()[c]; }))
            places.push_back(c);
    for (const char* name :
         {"time_s", "program_time_s", "gain_share", "computing_s", "waiting_s", "moving_s", "collectives_s"})
        places.push_back(columnNamed(all, name));
    for (const std::size_t place : places) table.columns.push_back(all.columns[place]);
    std::int64_t refused = 0;
    std::int64_t stuckOnes = 0;
    std::string first;
    for (const auto& row : all.rows) {
        if (const auto* why = std::get_if<std::string>(&row[refusal])) {
            if (refused++ == 0) first = *why;
            continue;
        }
        if (row[stuck] != engine::Cell{std::int64_t{0}}) ++stuckOnes;
        std::vector<engine::Cell> cells;
        for (const std::size_t place : places) cells.push_back(row[place]);
        table.rows.push_back(std::move(cells));
    }
    const auto ofAll = engine::text(" of ", analysis::counted(static_cast<std::int64_t>(all.rows.size()), "replay"));
    if (stuckOnes > 0)
        table.remarks.push_back(engine::text("in ", analysis::counted(stuckOnes), ofAll, " ranks are in a deadlock"));
    if (refused > 0)
        table.remarks.push_back(engine::text(analysis::counted(refused), ofAll, " refused, first: ", first));
    const auto isInAny = [&](std::string_view column, const engine::Cell& cell) {
        return std::ranges::any_of(
            all.rows, [&, place = columnNamed(all, column)](const auto& row) { return row[place] == cell; });
    };
    table.remarks.push_back(engine::text("gain: share of the time after MPI_Init of the replay without changes",
                                         isInAny("conditions", engine::cell("given"))
                                             ? ", under the same alpha and beta: the trace does not determine them"
                                             : ""));
    const std::size_t time = columnNamed(all, "time_s"), program = columnNamed(all, "program_time_s");
    if (std::ranges::any_of(all.rows, [&](const auto& row) { return row[time] != row[program]; }))
        table.remarks.emplace_back("computation: includes the time before the end of MPI_Init");
    return table;
}

}  // namespace app::cli
