// SPDX-License-Identifier: BSD-3-Clause
// What the program repeated, one iteration after the other, and which ones are odd.
#include "app/analysis/program/iterations.hpp"
#include "app/analysis/tables/table_helpers.hpp"
#include "engine/base/text.hpp"

namespace app::analysis::tables::about_iterations {
namespace {

using engine::Cell;
using engine::cell;
using engine::Content;
using engine::showTime;
using engine::text;

void answer(TraceAnalysis& analysis, engine::Table& table) {
    if (analysis.callPaths() == nullptr) return addRemark(table, "no calls were recorded");
    const CallPaths& paths = *analysis.callPaths();
    const Part& part = analysis.wish().part;
    std::vector<engine::Rank> ranks;
    for (engine::Rank rank{0}; rank.value < paths.recording().ranks; ++rank)
        if (part.has(rank)) ranks.push_back(rank);
    const Iterations found =
        iterationsOf(paths, ranks, analysis.waits(), {.report = {}, .stop = analysis.progress().stop}, part);
    if (found.all.empty())
        return addRemark(table,
                         "no iterations: no call repeats equally often on all ranks over "
                         "most of the time");
    setHeadings(table, {{"duration_s", "longest duration"},
                        {"mean_s", "mean duration"},
                        {"slowest", "slowest rank"},
                        {"slowest_computation_s", "computation of the slowest rank"},
                        {"waiting_s", "waiting, all ranks"}});
    bool isAnyCut = false;
    for (std::size_t k = 0; k < found.all.size(); ++k) {
        const Iteration& one = found.all[k];
        if (one.isOutside) continue;
        isAnyCut = isAnyCut || one.isCut;
        const bool explained = one.late != traces::noRank;
        table.rows.push_back(
            {static_cast<std::int64_t>(k) + 1, one.isCut ? Cell{std::string{cutMark}} : Cell{}, one.begin, one.duration,
             one.mean, cell(one.slowest), one.computation, one.meanComputation, one.waiting,
             one.odd ? Cell{text(showTime(one.duration), " instead of ", showTime(found.median))} : Cell{},
             explained ? cell(one.late) : Cell{}, explained ? Cell{paths.name(one.path)} : Cell{},
             explained ? Cell{one.longer} : Cell{}, one.name.empty() ? Cell{} : Cell{one.name}});
    }
    const std::string durations = text(
        found.durationsInWords(),
        part.from || part.to
            ? text(", of ", counted(static_cast<std::int64_t>(found.all.size()), "iteration"), " of the whole trace")
            : "");
    addRemark(table,
              found.toldBy.empty()
                  ? text("the ", found.endsWithIt ? "last" : "first",
                         " call of every iteration that all ranks make is ", paths.name(found.call), "; ", durations)
                  : text("iterations are marked in the trace by ", found.toldBy, "; ", durations));
    if (2 * found.beforeFirst > found.median)
        addRemark(table, text("iteration 1 may have begun up to ", showTime(found.beforeFirst),
                              " earlier: all ranks computed so much longer before it, which counts as set-up"));
    if (found.caller != traces::noRank)
        addRemark(table,
                  text("ranks have only their collectives in common: the call path is that of rank ", found.caller));
    if (isAnyCut) addRemark(table, std::string{cutRemark});
    remarkOnClocks(analysis, table);
    remarkOnCalls(analysis, table);
}

}  // namespace

TableDefinition definition() {
    return {
        .name = "iterations",
        .page = 95,
        .meaning = "iterations of the program, and those with an unusual duration",
        .title = "iterations of the program",
        .how =
            "iterations are marked by markers or a parameter of the trace; else by an outermost call that all ranks "
            "make equally often over most of the time; else by a collective of all ranks; odd: the duration differs "
            "from the median by a fifth and by six standard deviations, estimated from the median absolute deviation",
        .columns = {{"iteration", Content::count, "number of the iteration, from 1"},
                    {"part", Content::words,
                     "(part) if the selected time contains only a part of the iteration on some ranks: all times are "
                     "of this part"},
                    {"begin_s", Content::time,
                     "start on the first rank, since the start of the trace; other ranks may start, and end, later",
                     CellLocation::begin},
                    {"duration_s", Content::time,
                     "duration on the rank that took longest, from its own start to its own end",
                     CellLocation::duration},
                    {"mean_s", Content::time, "mean duration over ranks"},
                    {"slowest", Content::rank, "rank that computed longest", CellLocation::rank},
                    {"slowest_computation_s", Content::time, "computation of this rank: time outside of MPI"},
                    {"mean_computation_s", Content::time, "mean computation over ranks"},
                    {"waiting_s", Content::time,
                     "waiting time within the iteration, summed over all threads of all ranks"},
                    {"odd", Content::words, "duration and median duration, if the iteration is an outlier"},
                    {"late", Content::rank,
                     "of an outlier: rank that took longer than in other iterations, waiting time excluded",
                     CellLocation::rank},
                    {"path", Content::words, "call path of the excess time"},
                    {"longer_s", Content::time, "excess time of that rank"},
                    {"name", Content::words, "name in the trace, from a marker or a parameter"}},
        .answer = answer};
}

}  // namespace app::analysis::tables::about_iterations
