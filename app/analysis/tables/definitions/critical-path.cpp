// SPDX-License-Identifier: BSD-3-Clause
// The messages, collectives and local activities that determine the end time.
#include "app/analysis/critical_path/critical_path.hpp"
#include "app/analysis/critical_path/critical_path_profile.hpp"
#include "app/analysis/tables/table_helpers.hpp"
#include "traces/recording/training.hpp"

#include <algorithm>
#include <map>

namespace app::analysis::tables::about_critical_path {
namespace {

using engine::Cell;
using engine::cell;
using engine::Content;

/// Where the rank or its thread spent most of the step; of a message and a collective in which call.
std::string pathOf(const CallPaths& paths, const Threads& threads, const PathStep& step) {
    if (step.isMessage || step.instance != Wait::none)
        return paths.name(PathOfRank{paths, step.rank}.after(step.begin));
    const std::int32_t location = threads.locationOf(step.rank, step.thread);
    if (location == traces::noIndex) return {};
    PathOfRank behind = step.thread == 0 ? PathOfRank{paths, step.rank} : PathOfRank{paths, step.rank, location};
    std::map<CallPlace, engine::Picoseconds> own;
    paths.eachStretch(engine::asSize(location), step.begin, step.end,
                      [&](PathId path, engine::Picoseconds from, engine::Picoseconds to) {
                          own[{path, path == outsideOfCalls ? behind.after(to) : outsideOfCalls}] += to - from;
                      });
    const auto most = std::ranges::max_element(own, {}, [](const auto& one) { return one.second; });
    if (most != own.end()) return nameOf(most->first, paths);
    const PathId next = behind.after(step.end);
    return next == outsideOfCalls ? paths.name(next) : "before " + paths.name(next);
}

/// The step in PyTorch's words: a collective on the path is exposed, and without a kernel the accelerator is idle.
std::string stepOfJob(TraceAnalysis& analysis, const PathStep& step, const std::string& path) {
    if (step.instance != Wait::none) return traces::torchName(analysis.instances()[step.instance].operation);
    return path.starts_with("before ") || path == wordsOutside ? "idle" : "compute";
}

void answer(TraceAnalysis& analysis, engine::Table& table) {
    const Trace& trace = analysis.trace();
    const bool foreign = trace.recording && !trace.isCollscopeRun();
    const CallPaths* paths = trace.isCollscopeRun() ? nullptr : analysis.callPaths();
    const bool job = trace.recording && traces::isTraining(*trace.recording);
    const Threads threads = foreign ? Threads{*trace.recording} : Threads{analysis.run().ranks};
    for (const PathStep& step : foreign
                                    ? criticalPath(*trace.recording, analysis.blockingCalls(), spanAskedAbout(analysis))
                                    : criticalPath(analysis.run())) {
        const auto of = [&](Cell value) { return step.isMessage ? value : Cell{}; };
        std::string path = paths ? pathOf(*paths, threads, step) : std::string{};
        const std::string what = job                           ? stepOfJob(analysis, step, path)
                                 : step.isMessage              ? "message"
                                 : step.instance == Wait::none ? "local"
                                                               : analysis.instances()[step.instance].operation;
        if (job && step.instance != Wait::none)
            path = "exposed communication in " + analysis.instances()[step.instance].communicator;
        table.rows.push_back({what, cell(step.rank), of(cell(step.to)), foreign ? Cell{} : of(cell(step.round)),
                              of(step.bytes), step.begin, step.end - step.begin, paths ? cell(std::move(path)) : Cell{},
                              threadCell(analysis, step.rank, step.thread)});
    }
    remarkOnClocks(analysis, table);
    remarkOnMessages(analysis, table);
}

}  // namespace

TableDefinition definition() {
    return {
        .name = "critical-path",
        .page = 120,
        .meaning = "the messages, collectives and local activities that determine the end time",
        .title = "the messages, collectives and local activities that determine the end time",
        .how =
            "followed back from the last event: on a rank to its preceding event, and from a wait state to the rank, "
            "or thread, that was late; the durations of all steps add up to that of the run",
        .columns = {{"step", Content::words,
                     "message, local (activity of one rank between messages), or the name of a "
                     "collective; of training jobs compute, idle, or a collective as PyTorch names it"},
                    {"from", Content::rank, "rank that sends, is active locally, or leaves the collective",
                     CellLocation::rank},
                    {"to", Content::rank, "rank that receives the message"},
                    {"round", Content::round, "round of the message", CellLocation::round},
                    {"bytes", Content::bytes, "bytes of the message"},
                    {"begin_s", Content::time, "start, since the start of the run", CellLocation::begin},
                    {"duration_s", Content::time, "time until the next step begins", CellLocation::duration},
                    {"path", Content::words,
                     "call path of the rank; for a local activity the one with the most time; 'before' a call: outside "
                     "of all calls"},
                    {"thread", Content::words, "thread of the rank; empty for its main thread"}},
        .answer = answer};
}

}  // namespace app::analysis::tables::about_critical_path
