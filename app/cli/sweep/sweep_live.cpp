// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/sweep/sweep_live.hpp"

#include "app/analysis/containers/sub_progress.hpp"
#include "app/cli/commands.hpp"
#include "app/session/options/run_options.hpp"
#include "app/session/run/live.hpp"
#include "app/session/sweep/chart.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/native_collectives.hpp"

#include <algorithm>

namespace app::cli {
namespace {

using engine::Error;
using engine::text;

SweepResult::Measured measuredIn(const Measurement& measurement) {
    ENSURE(!measurement.methods.empty(), "a run over MPI ended well and measured nothing");
    const Measured& method = measurement.methods.front();
    SweepResult::Measured measured{.median = method.median, .lowest = method.minimum, .highest = method.median};
    for (const engine::live::Sample& sample : method.samples)
        measured.highest = std::max(measured.highest, sample.slowest);
    return measured;
}

}  // namespace

bool isOfProcesses(const fields::Entry& entry) {
    // --repeat has a word of its own in a sweep, whose algorithms are measured against each other anyway.
    return entry.part == fields::Part::launch ||
           (entry.part == fields::Part::measuring && entry.key != "repeat" && entry.key != "against");
}

std::optional<LiveWish> takeLive(Arguments& arguments) {
    const std::string on = arguments.asked.word("on").value_or("virtual");
    if (on == "threads")
        throw Error{
            "--on: a sweep runs in virtual time, and with mpi over MPI too; run --on threads has one run on threads"};
    fields::chosen(on, "--on", {"virtual", "mpi"});
    arguments.asked.drop("on");
    Asked asked;
    for (const fields::Entry& entry : fields::all()) {
        if (!isOfProcesses(entry) || !arguments.asked.has(entry.key)) continue;
        if (on != "mpi") throw Error{text(entry.field(), " is about runs over MPI; add --on mpi")};
        for (std::string& words : arguments.asked.all(entry.key)) asked.add(entry.key, std::move(words));
        arguments.asked.drop(entry.key);
    }
    if (on != "mpi") return std::nullopt;
    if (arguments.asked.has("split-phase"))
        throw Error{
            "--on mpi: a sweep measures whole runs; leave --split-phase out, or measure one with run --split-phase"};
    if (arguments.repeats) asked.add("repeat", *std::exchange(arguments.repeats, std::nullopt));
    asked.add("on", "mpi");
    LiveWish live;
    live.how.run.on = "mpi";
    take(live.how, asked);
    live.words = "--on mpi";
    for (const fields::Entry& entry : fields::all())
        if (entry.key != "on" && asked.has(entry.key))
            for (const std::string& words : entry.print(live.how))
                live.words += text(" --", entry.key, words.empty() ? "" : " ", words);
    return live;
}

void requireLive(const Console& console) {
    if (console.around.crew != nullptr || console.around.live)
        throw Error{"--on mpi: a sweep starts processes for each of its points; call collscope itself, without mpirun"};
}

void decideGrants(const std::vector<Point>& points, LiveWish& live) {
    std::optional<double> most;
    for (const Point& point : points) try {
            if (const std::optional<double> added = addedByGrants(liveRun(point, live)))
                most = std::max(most.value_or(0), *added);
        } catch (const Error&) {
            // The point itself reports what is wrong with it.
        }
    if (!most) return;
    live.how.grants = *most <= littleAdded ? Grants::always : Grants::never;
    live.words += live.how.grants == Grants::always ? " --granted" : " --no-grants";
}

void sayHowMeasured(std::vector<Point>& points, const LiveWish& live) {
    for (Point& point : points) {
        std::string& conditions = point.coordinates.back();
        conditions += (conditions.empty() ? "" : " ") + live.words;
    }
}

Specification liveRun(const Point& point, const LiveWish& live) {
    Specification run = live.how;
    run.run = point.wish;
    run.run.on = "mpi";
    // Read again, so that nothing is asked of processes that means nothing to them.
    return specified(lineOf(run));
}

void measureAll(const std::vector<Point>& points, std::vector<SweepResult> results, const LiveWish& live,
                const Console& console, const engine::Progress& progress,
                const std::function<void(std::size_t, SweepResult)>& add) {
    std::size_t contended = 0;
    std::size_t measured = 0;
    const auto size = static_cast<double>(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        SweepResult& result = results[i];
        const auto first = static_cast<double>(i);
        // The library's own collectives are refused in virtual time, and measured.
        const bool native = engine::live::nativeNamed(points[i].wish.algorithm) != nullptr;
        if (result.refusal.empty() || native) try {
                const LiveReport report = executeLive(liveRun(points[i], live), launchFor(live.how.launcher, console),
                                                      analysis::within(progress, first / size, (first + 1) / size));
                if (!report.report.correct) throw Error{report.report.fault};
                result.measured = measuredIn(report.measurement);
                ++measured;
                contended += report.measurement.contended() ? 1 : 0;
            } catch (const Error& error) {
                // What hinders the first one hinders most: the user learns of it at once, not after hours.
                if (measured == 0) throw;
                result.unmeasured = spoken(error.words());
            }
        add(i, std::move(result));
    }
    if (contended > 0)
        console.err << "collscope: other programs kept the processors busy while " << contended << " of "
                    << analysis::counted(static_cast<std::int64_t>(measured), "point") << " were measured\n";
}

std::string measuredWords(const std::vector<SweepRow>& rows, std::string_view how) {
    std::vector<double> ratios;
    std::size_t failed = 0;
    for (const SweepRow& row : rows) {
        if (!row.result.unmeasured.empty()) ++failed;
        if (row.result.measured && row.result.time.count() > 0)
            ratios.push_back(engine::seconds(row.result.measured->median) / engine::seconds(row.result.time));
    }
    return app::measuredWords(ratios, failed, how);
}

}  // namespace app::cli
