// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/replay/replay_sweep.hpp"

#include "app/analysis/format/csv.hpp"
#include "app/cli/output/files.hpp"
#include "app/cli/output/growing_file.hpp"
#include "app/cli/output/in_turn.hpp"
#include "app/cli/output/json.hpp"
#include "app/cli/output/tables.hpp"
#include "app/cli/replay/replay_points.hpp"
#include "app/cli/replay/replay_sweep_chart.hpp"
#include "app/cli/replay/replay_sweep_table.hpp"
#include "app/cli/sweep/sweep_points.hpp"
#include "app/cli/sweep/sweep_table.hpp"
#include "app/cli/verbs.hpp"
#include "app/session/replay/replay_words.hpp"
#include "app/session/sweep/side_by_side.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <filesystem>
#include <span>

namespace app::cli {
namespace {

namespace fs = std::filesystem;
using engine::Error;
using engine::text;

RowForm formOfRows() {
    return {.header = replaySweepHeader(),
            .isRow = [](const std::string& line) { return replaySweepCells(line).has_value(); }};
}

/// The rows that are there already, which are those of the first points.
std::vector<std::string> rowsSoFar(const std::vector<ReplayPoint>& points, const GrowingFile* growing) {
    if (growing == nullptr) return {};
    const std::vector<std::string>& found = growing->found();
    const std::size_t coordinates = replayCoordinates().size();
    const auto isOf = [&](std::size_t i) {
        const auto words = analysis::csvCells(found[i]);
        return words && i < points.size() &&
               std::ranges::equal(points[i].coordinates, std::span{*words}.first(coordinates));
    };
    for (std::size_t i = 0; i < found.size(); ++i)
        if (!isOf(i))
            throw Error{
                "--resume: the rows that are there are of another sweep; repeat its command or start again with --force"};
    return found;
}

/// Rows of all points, in their order.
std::vector<std::string> replayAll(const ReplaySweep& sweep, const std::vector<ReplayPoint>& points, int threads,
                                   GrowingFile* growing, const Console& console) {
    std::vector<std::string> rows = rowsSoFar(points, growing);
    const std::size_t before = rows.size();
    const auto rowOf = [&](std::size_t point, const engine::Progress& progress) {
        return replaySweepRow(points[point].coordinates, sweep.at(points[point].wish, progress));
    };
    const auto add = [&](const std::string& row) {
        rows.push_back(row);
        if (growing != nullptr) growing->add(row);
    };
    ProgressLine line{console, "replaying"};
    if (engine::live::WorkerProcesses* const crew = console.around.crew) {
        leadInTurn(
            *crew, before, points.size(), [&](std::size_t point) { return rowOf(point, {}); }, add, line.progress());
        return rows;
    }
    sideBySide<std::string>(
        points.size() - before, threads,
        [&](std::size_t job, const engine::Progress& progress) { return rowOf(before + job, progress); },
        [&](std::size_t, const std::string& row) { add(row); }, line.progress());
    return rows;
}

void writeSummary(const engine::Table& all, const Console& console) {
    const auto cell = [&](std::string_view name) {
        for (const auto& row : all.rows)
            for (std::size_t c = 0; c < all.columns.size(); ++c)
                if (all.columns[c].name == name && row[c] != engine::Cell{}) return row[c];
        return engine::Cell{};
    };
    const auto time = [&](std::string_view name) {
        const engine::Cell found = cell(name);
        const auto* known = std::get_if<engine::Picoseconds>(&found);
        return known != nullptr ? *known : engine::Picoseconds{};
    };
    console.out << console.paint(Tone::strong,
                                 text("recorded ", engine::showTime(time("recorded_s")), "; replayed ",
                                      engine::showTime(time("replayed_s")), "; error of the time after MPI_Init: ",
                                      off(std::get<double>(cell("error_share")))))
                << "\n\n";
    writeText(replaySweepSummary(all), console, all.rows.size());
}

}  // namespace

int sweepReplays(const Arguments& arguments, const Console& console) {
    const std::string& path = wordsOf(arguments, 1, 1, "sweep TRACE")[0];
    const std::string format = chosenFormat(arguments, {"text", "csv", "json"});
    const fs::path file = arguments.output.value_or("");
    const std::string ending = file.extension().string();
    const bool isTable = ending == ".csv" || ending == ".json";
    if (arguments.output && !isTable && !console.around.chart)
        throw Error{text("--output: ", file.string(), " must end in .csv or .json here")};
    if (arguments.resume && ending != ".csv") throw Error{"--resume continues a .csv file; add --output FILE.csv"};
    const std::vector<ReplayPoint> points = replayPoints(arguments);
    const int threads = threadsOf(arguments);
    const ReplayChartWish chart = readReplayChartWish(arguments);
    const bool leads = console.around.crew == nullptr || console.around.crew->leads();
    std::optional<GrowingFile> growing;
    if (leads && arguments.output && !arguments.resume) requireFree(file, arguments.force);
    if (leads && ending == ".csv")
        growing.emplace(file, existing(arguments.force),
                        arguments.resume ? GrowingFile::Begin::whereItStopped : GrowingFile::Begin::anew, formOfRows());
    const Trace trace = [&] {
        ProgressLine line{console, "reading"};
        return analysis::openTrace(path, readClocks(arguments), line.progress(), readOpening(arguments));
    }();
    const ReplaySweep sweep = [&] {
        ProgressLine line{console, "replaying"};
        return ReplaySweep{trace, line.progress()};
    }();
    if (!leads) {
        serveWhole(*console.around.crew, [&](std::size_t point) {
            return replaySweepRow(points[point].coordinates, sweep.at(points[point].wish));
        });
        return done;
    }
    const std::vector<std::string> rows = replayAll(sweep, points, threads, growing ? &*growing : nullptr, console);
    const engine::Table all = replaySweepTable(rows);
    const auto refusal = [](const auto& row) { return std::get_if<std::string>(&row.back()); };
    if (std::ranges::all_of(all.rows, [&](const auto& row) { return refusal(row) != nullptr; }))
        throw Error{*refusal(all.rows.front())};
    if (growing) growing->finish();
    const Json json = tableJson(all)["rows"];
    if (ending == ".json")
        writeFile(file, existing(arguments.force), console.around.stop,
                  [&](std::ostream& out) { out << json.dump(2, ' ', false, lenient) << '\n'; });
    if (arguments.output && !isTable)
        console.around.chart({.charts = {replayChart(all, chart)}}, file, readPicture(arguments));
    if (format == "json") console.out << json.dump(2, ' ', false, lenient) << '\n';
    else if (format == "csv") analysis::writeCsv(all, console.out);
    else writeSummary(all, console);
    return done;
}

}  // namespace app::cli
