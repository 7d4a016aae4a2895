// SPDX-License-Identifier: BSD-3-Clause
// Sweeps of algorithms, and of replays of a trace.
#include "app/analysis/format/csv.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/output/files.hpp"
#include "app/cli/output/growing_file.hpp"
#include "app/cli/output/ordered_jobs.hpp"
#include "app/cli/output/tables.hpp"
#include "app/cli/replay/replay_points.hpp"
#include "app/cli/replay/replay_sweep_chart.hpp"
#include "app/cli/replay/replay_sweep_table.hpp"
#include "app/cli/sweep/sweep_chart.hpp"
#include "app/cli/sweep/sweep_live.hpp"
#include "app/cli/sweep/sweep_results.hpp"
#include "app/session/replay/replay_words.hpp"
#include "app/session/sweep/run_in_order.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <span>

namespace app::cli {
namespace {

namespace fs = std::filesystem;
using engine::Error;
using engine::Progress;
using engine::text;

/// Where the rows of a sweep go: to the terminal in a format, and to a table or a chart.
struct Destination {
    std::string format;
    fs::path file;
    std::string ending;
    bool isTable = false;

    Destination(const Arguments& arguments, const Console& console)
        : format{chosenFormat(arguments, {"text", "csv", "json"})},
          file{arguments.output.value_or("")},
          ending{file.extension().string()},
          isTable{ending == ".csv" || ending == ".json"} {
        if (arguments.output && !isTable && !console.around.chart)
            throw Error{text("--output: ", file.string(), " must end in .csv or .json here")};
        if (arguments.output && !isTable && console.around.requireChart) console.around.requireChart(file);
        if (arguments.resume && ending != ".csv") throw Error{"--resume continues a .csv file; add --output FILE.csv"};
    }

    /// The table that grows with the sweep, if it goes to one. Throws Error where the file is there.
    [[nodiscard]] std::unique_ptr<GrowingFile> begin(const Arguments& arguments, RowForm form) const {
        if (arguments.output && !arguments.resume) requireFree(file, arguments.force);
        if (ending != ".csv") return nullptr;
        return std::make_unique<GrowingFile>(
            file, existing(arguments.force),
            arguments.resume ? GrowingFile::Begin::whereItStopped : GrowingFile::Begin::anew, std::move(form));
    }

    template <class Csv, class Text>
    void write(const Arguments& arguments, const Console& console, const Json& rows,
               const std::function<Chart()>& chart, const Csv& csv, const Text& forPeople) const {
        const auto json = [&](std::ostream& out) { out << rows.dump(2, ' ', false, lenient) << '\n'; };
        if (ending == ".json") writeFile(file, existing(arguments.force), console.around.stop, json);
        if (arguments.output && !isTable) console.around.chart({.charts = {chart()}}, file, readPicture(arguments));
        if (format == "json") json(console.out);
        else if (format == "csv") csv();
        else forPeople();
        if (arguments.output && format == "text") {
            console.out << '\n';
            sayWritten(file, console);
        }
    }
};

/// The rows that are there already, which are those of the first points.
template <class Point>
std::vector<std::string> rowsSoFar(const std::vector<Point>& points, const GrowingFile* growing) {
    if (growing == nullptr) return {};
    const std::vector<std::string>& found = growing->found();
    for (std::size_t i = 0; i < found.size(); ++i) {
        const auto words = i < points.size() ? analysis::csvCells(found[i]) : std::nullopt;
        if (!words || !std::ranges::equal(points[i].coordinates, std::span{*words}.first(points[i].coordinates.size())))
            throw Error{
                "--resume: the rows that are there are of another sweep; repeat its command or start again with --force"};
    }
    return found;
}

/// Has `rowOf` make the rows of all points from `first` on, side by side, and tells `add` of each in its turn.
template <class Point>
void addRows(const std::vector<Point>& points, std::size_t first, int threads, const Console& console, const char* what,
             const std::function<std::string(const Point&, const Progress&)>& rowOf,
             const std::function<void(const std::string&)>& add) {
    ProgressLine line{console, what};
    // What the processes number as jobs are the points of the whole sweep.
    if (engine::live::WorkerProcesses* const crew = console.around.crew)
        return leadInTurn(
            *crew, first, points.size(), [&](std::size_t point) { return rowOf(points[point], {}); }, add,
            line.progress());
    runInOrder<std::string>(
        points.size() - first, threads,
        [&](std::size_t job, const Progress& progress) { return rowOf(points[first + job], progress); },
        [&](std::size_t, const std::string& row) { add(row); }, line.progress());
}

/// Runs `points` in virtual time, then measures them, so that nothing else computes meanwhile.
void runAndMeasure(const std::vector<Point>& points, int threads, const LiveWish& live, const Console& console,
                   const std::function<void(const SweepRow&)>& add) {
    std::vector<Specification> wishes;
    for (const Point& point : points) wishes.push_back(point.specification());
    std::vector<SweepResult> results(points.size());
    {
        ProgressLine line{console, "sweeping"};
        sweep(
            wishes, threads, [&](std::size_t i, const SweepResult& result) { results[i] = result; }, line.progress());
    }
    ProgressLine line{console, "measuring"};
    measureAll(points, std::move(results), live, console, line.progress(), [&](std::size_t i, SweepResult result) {
        add({points[i].coordinates, std::move(result)});
    });
}

void requireNoReplayFlags(const Arguments& arguments) {
    for (const auto& [given, flag] :
         {std::pair{&arguments.with, "--with"}, {&arguments.without, "--without"}, {&arguments.even, "--even"}})
        if (!given->empty())
            throw Error{text(flag, " is about replays; name a trace that is there in place of algorithms")};
    if (arguments.overlap) throw Error{"--overlap is about replays; name a trace that is there in place of algorithms"};
}

template <class Value>
std::set<Value> valuesOf(const engine::Table& all, std::string_view column) {
    std::set<Value> values;
    for (const auto& row : all.rows)
        for (std::size_t c = 0; c < all.columns.size(); ++c)
            if (const auto* value = std::get_if<Value>(&row[c]); value != nullptr && all.columns[c].name == column)
                values.insert(*value);
    return values;
}

void writeSummary(const engine::Table& all, const Console& console) {
    // Under an alpha and beta of its own, each row has an error of its own.
    const auto range = [](const auto& values, auto inWords) {
        const std::string first = inWords(*values.begin()), last = inWords(*values.rbegin());
        return first == last ? first : text(first, " to ", last);
    };
    const auto timesOf = [&](std::string_view column) {
        return range(valuesOf<engine::Picoseconds>(all, column),
                     [](engine::Picoseconds one) { return engine::showTime(one); });
    };
    console.out << console.paint(Tone::strong, text("recorded ", timesOf("recorded_s"), "; replayed without changes ",
                                                    timesOf("replayed_s"), "; error of the time after MPI_Init: ",
                                                    range(valuesOf<double>(all, "error_share"), off)))
                << "\n\n";
    writeText(replaySweepSummary(all), console, all.rows.size());
}

int sweepReplays(const Arguments& arguments, const Console& console) {
    const std::string& path = wordsOf(arguments, 1, 1, "sweep TRACE")[0];
    const Destination to{arguments, console};
    const std::vector<ReplayPoint> points = replayPoints(arguments);
    const int threads = threadsOf(arguments);
    const ChartWish chart = readChartWish(arguments);
    const bool leads = console.around.crew == nullptr || console.around.crew->leads();
    const auto isRow = [](const std::string& line) { return replaySweepCells(line).has_value(); };
    const auto growing = leads ? to.begin(arguments, {replaySweepHeader(), isRow}) : nullptr;
    const Trace trace = [&] {
        ProgressLine line{console, "reading"};
        return analysis::openTrace(path, readClocks(arguments), line.progress(), readOpening(arguments));
    }();
    const ReplaySweep sweep = [&] {
        ProgressLine line{console, "replaying"};
        return ReplaySweep{trace, line.progress()};
    }();
    const auto rowOf = [&](const ReplayPoint& point, const Progress& progress) {
        return replaySweepRow(point.coordinates, sweep.at(point.wish, progress));
    };
    if (!leads) {
        serveWhole(*console.around.crew, [&](std::size_t point) { return rowOf(points[point], {}); });
        return done;
    }
    std::vector<std::string> rows = rowsSoFar(points, growing.get());
    addRows<ReplayPoint>(points, rows.size(), threads, console, "replaying", rowOf, [&](const std::string& row) {
        rows.push_back(row);
        if (growing) growing->add(row);
    });
    const engine::Table all = replaySweepTable(rows);
    const auto refusal = [](const auto& row) { return std::get_if<std::string>(&row.back()); };
    if (std::ranges::all_of(all.rows, [&](const auto& row) { return refusal(row) != nullptr; }))
        throw Error{*refusal(all.rows.front())};
    if (growing) growing->finish();
    to.write(
        arguments, console, tableJson(all)["rows"], [&] { return replayChart(all, chart); },
        [&] { analysis::writeCsv(all, console.out); }, [&] { writeSummary(all, console); });
    return done;
}

/// Throws Error for flags of a chart that is not drawn.
void requireChart(const Arguments& given) {
    if (given.output) return;
    const std::pair<bool, const char*> flags[] = {
        {given.across.has_value(), "--x"},      {given.up.has_value(), "--y"},
        {given.series.has_value(), "--series"}, {given.baseline.has_value(), "--baseline"},
        {given.formula, "--formula"},           {!given.lines.empty(), "--line"},
        {given.linear.has_value(), "--linear"}, {given.title.has_value(), "--title"}};
    for (const auto& [isGiven, flag] : flags)
        if (isGiven) throw Error{text(flag, " is about a chart; add --output FILE.svg, .png or .pdf")};
}

}  // namespace

int sweepMany(const Arguments& given, const Console& console) {
    if (!given.words.empty() && isTrace(given.words.front())) {
        if (given.measured) throw Error{"--measured is about algorithms; leave it out with a trace"};
        return sweepReplays(given, console);
    }
    requireNoReplayFlags(given);
    requireChart(given);
    Arguments arguments = given;
    std::optional<LiveWish> live = takeLive(arguments);
    if (live && arguments.measured) throw Error{"--measured takes times of a file; leave out --on mpi, which measures"};
    const auto& ids = wordsOf(arguments, 1, 64, "sweep ID... PROBLEM-RANGES");
    const Destination to{arguments, console};
    std::optional<SweepResults> results;
    if (arguments.measured) results.emplace(*arguments.measured, ids);
    if (results) results->complete(arguments.asked);
    std::string leftOut;
    std::vector<Point> points = readPoints(arguments, ids, live ? Native::taken : Native::refused, &leftOut);
    if (!leftOut.empty()) console.err << "collscope: " << leftOut << '\n';
    if (live) {
        requireLive(console);
        decideGrants(points, *live);
        sayHowMeasured(points, *live);
    }
    const int repeats = repeatsOf(arguments, points);
    ChartWish chart = readChartWish(arguments);
    if (results) chart.measuredAs = "nccl-tests";
    const auto rowOf = [&](const Point& point, const Progress& progress) {
        SweepRow row{point.coordinates, sweepPoint(point.specification(), progress, repeats)};
        if (results) results->attach(row);
        return toCsv(row);
    };
    if (console.around.crew != nullptr && !console.around.crew->leads()) {
        serveWhole(*console.around.crew, [&](std::size_t job) { return rowOf(points[job], {}); });
        return app::cli::done;
    }
    const auto growing =
        to.begin(arguments, {sweepHeader(), [](const std::string& line) { return sweepRowFromCsv(line).has_value(); }});
    const int threads = threadsOf(arguments);
    const std::vector<std::string> before = rowsSoFar(points, growing.get());
    std::vector<SweepRow> rows;
    rows.reserve(points.size());
    const auto take = [&](const std::string& words) {
        auto row = sweepRowFromCsv(words);
        ENSURE(row.has_value(), "a row of a sweep is damaged");
        rows.push_back(std::move(*row));
    };
    const auto add = [&](const std::string& words) {
        take(words);
        if (growing) growing->add(words);
    };
    for (const std::string& words : before) take(words);
    if (live)
        runAndMeasure({points.begin() + static_cast<std::ptrdiff_t>(rows.size()), points.end()}, threads, *live,
                      console, [&](const SweepRow& row) { add(toCsv(row)); });
    else addRows<Point>(points, rows.size(), threads, console, "sweeping", rowOf, add);
    if (std::all_of(rows.begin(), rows.end(), [](const SweepRow& row) { return !row.result.ran(); }))
        throw Error{rows.empty() ? "sweep: the ranges make no run" : rows.front().result.refusal};
    if (results) results->requireUsed(rows);
    if (results && results->wrong() > 0) console.err << "collscope: " << wrongResults(results->wrong()) << '\n';
    if (growing) growing->finish();
    const auto csv = [&] {
        console.out << sweepHeader() << '\n';
        for (const SweepRow& row : rows) console.out << toCsv(row) << '\n';
    };
    to.write(
        arguments, console, sweepJson(rows), [&] { return chartOf(rows, points, chart); }, csv,
        [&] { writeSweep(rows, console, results ? "by nccl-tests" : "over MPI"); });
    return done;
}

}  // namespace app::cli
