// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/output/files.hpp"
#include "app/cli/output/growing_file.hpp"
#include "app/cli/output/in_turn.hpp"
#include "app/cli/replay/replay_sweep.hpp"
#include "app/cli/sweep/sweep_chart.hpp"
#include "app/cli/sweep/sweep_live.hpp"
#include "app/cli/sweep/sweep_results.hpp"
#include "app/cli/verbs.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <filesystem>

namespace app::cli {
namespace {

namespace fs = std::filesystem;
using engine::Error;
using engine::text;

std::string rowOf(const Point& point, int repeats) {
    return toCsv({point.coordinates, sweepPoint(point.specification(), {}, repeats)});
}

SweepRow readRow(const std::string& words) {
    auto row = sweepRowFromCsv(words);
    ENSURE(row.has_value(), "a row of a sweep is damaged");
    return std::move(*row);
}

/// Runs `points` in virtual time, then measures them, so that nothing else computes meanwhile.
void runAndMeasure(const std::vector<Point>& points, int threads, const LiveWish& live, const Console& console,
                   const std::function<void(SweepRow)>& add) {
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

/// Runs all points but those in `growing`, in their order. Rows of both.
std::vector<SweepRow> runAll(std::vector<Point> points, int threads, int repeats, const LiveWish* live,
                             const SweepResults* results, GrowingFile* growing, const Console& console) {
    std::vector<SweepRow> rows;
    rows.reserve(points.size());
    if (growing != nullptr) {
        std::map<std::vector<std::string>, SweepRow> found;
        for (const std::string& words : growing->found()) {
            SweepRow row = readRow(words);
            found.emplace(row.coordinates, row);
        }
        std::size_t kept = 0;
        while (kept < points.size() && found.contains(points[kept].coordinates))
            rows.push_back(found.at(points[kept++].coordinates));
        if (kept != growing->found().size())
            throw Error{
                "--resume: the rows that are there are of another sweep; repeat its command or start again with --force"};
        points.erase(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(kept));
    }
    const auto add = [&](SweepRow row) {
        if (results != nullptr) results->attach(row);
        rows.push_back(std::move(row));
        if (growing != nullptr) growing->add(toCsv(rows.back()));
    };
    if (live != nullptr) {
        runAndMeasure(points, threads, *live, console, add);
        return rows;
    }
    ProgressLine line{console, "sweeping"};
    if (console.around.crew != nullptr) {
        // What the processes number as jobs are the points of the whole sweep.
        const std::size_t before = rows.size();
        leadInTurn(
            *console.around.crew, before, before + points.size(),
            [&](std::size_t job) { return rowOf(points[job - before], repeats); },
            [&](const std::string& words) { add(readRow(words)); }, line.progress());
        return rows;
    }
    std::vector<Specification> wishes;
    for (const Point& point : points) wishes.push_back(point.specification());
    sweep(
        wishes, threads,
        [&](std::size_t i, const SweepResult& result) {
            add({points[i].coordinates, result});
        },
        line.progress(), repeats);
    return rows;
}

void requireNoReplayFlags(const Arguments& arguments) {
    for (const auto& [given, flag] :
         {std::pair{&arguments.with, "--with"}, {&arguments.without, "--without"}, {&arguments.even, "--even"}})
        if (!given->empty())
            throw Error{text(flag, " is about replays; name a trace that is there in place of algorithms")};
    if (arguments.overlap) throw Error{"--overlap is about replays; name a trace that is there in place of algorithms"};
}

}  // namespace

int sweepMany(const Arguments& given, const Console& console) {
    if (!given.words.empty() && isTrace(given.words.front())) {
        if (given.measured) throw Error{"--measured is about algorithms; leave it out with a trace"};
        return sweepReplays(given, console);
    }
    requireNoReplayFlags(given);
    Arguments arguments = given;
    std::optional<LiveWish> live = takeLive(arguments);
    if (live && arguments.measured) throw Error{"--measured takes times of a file; leave out --on mpi, which measures"};
    const auto& ids = wordsOf(arguments, 1, 64, "sweep ID... PROBLEM-RANGES");
    const std::string format = chosenFormat(arguments, {"text", "csv", "json"});
    const fs::path file = arguments.output.value_or("");
    const std::string ending = file.extension().string();
    const bool table = ending == ".csv" || ending == ".json";
    if (arguments.output && !table && !console.around.chart)
        throw Error{text("--output: ", file.string(), " must end in .csv or .json here")};
    if (arguments.resume && ending != ".csv") throw Error{"--resume continues a .csv file; add --output FILE.csv"};
    std::optional<GrowingFile> growing;
    std::optional<SweepResults> results;
    if (arguments.measured) results.emplace(*arguments.measured, ids);
    if (results) results->complete(arguments.asked);
    std::vector<Point> points = readPoints(arguments, ids, live ? Native::taken : Native::refused);
    if (live) {
        requireLive(console);
        decideGrants(points, *live);
        sayHowMeasured(points, *live);
    }
    const int repeats = repeatsOf(arguments, points);
    ChartWish chart = readChartWish(arguments);
    if (results) chart.measuredAs = "nccl-tests";
    if (console.around.crew != nullptr && !console.around.crew->leads()) {
        serveWhole(*console.around.crew, [&](std::size_t job) { return rowOf(points[job], repeats); });
        return app::cli::done;
    }
    if (ending == ".csv" && !arguments.resume) requireFree(file, arguments.force);
    if (ending == ".csv")
        growing.emplace(
            file, existing(arguments.force),
            arguments.resume ? GrowingFile::Begin::whereItStopped : GrowingFile::Begin::anew,
            RowForm{sweepHeader(), [](const std::string& line) { return sweepRowFromCsv(line).has_value(); }});
    if (arguments.output && ending != ".csv") requireFree(file, arguments.force);
    const std::vector<SweepRow> rows = runAll(points, threadsOf(arguments), repeats, live ? &*live : nullptr,
                                              results ? &*results : nullptr, growing ? &*growing : nullptr, console);
    if (std::all_of(rows.begin(), rows.end(), [](const SweepRow& row) { return !row.result.ran(); }))
        throw Error{rows.empty() ? "sweep: the ranges make no run" : rows.front().result.refusal};
    if (results) results->requireUsed(rows);
    if (results && results->wrong() > 0) console.err << "collscope: " << wrongResults(results->wrong()) << '\n';
    if (growing) growing->finish();
    if (ending == ".json")
        writeFile(file, existing(arguments.force), console.around.stop,
                  [&](std::ostream& out) { out << sweepJson(rows).dump(2, ' ', false, lenient) << '\n'; });
    if (arguments.output && !table)
        console.around.chart({.charts = {chartOf(rows, points, chart)}}, file, readPicture(arguments));
    if (format == "json") {
        console.out << sweepJson(rows).dump(2, ' ', false, lenient) << '\n';
    } else if (format == "csv") {
        console.out << sweepHeader() << '\n';
        for (const SweepRow& row : rows) console.out << toCsv(row) << '\n';
    } else {
        writeSweep(rows, console, results ? "by nccl-tests" : "over MPI");
    }
    return done;
}

}  // namespace app::cli
