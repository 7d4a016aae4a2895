// SPDX-License-Identifier: BSD-3-Clause
// How much of each nonblocking collective is hidden behind computation.
#include "app/analysis/collectives/overlap.hpp"
#include "app/analysis/format/cell_format.hpp"
#include "app/analysis/tables/table_helpers.hpp"
#include "engine/base/text.hpp"

#include <algorithm>

namespace app::analysis::tables::about_overlap {
namespace {

using engine::Cell;
using engine::Content;

void answer(TraceAnalysis& analysis, engine::Table& table) {
    const Trace& trace = analysis.trace();
    if (!trace.recording || trace.isCollscopeRun()) return;
    setHeadings(table, {{"start_s", "in starting call"},
                        {"between_s", "time between"},
                        {"complete_s", "in completing call"},
                        {"calls_s", "in both calls"}});
    const std::vector<Overlap> overlaps = overlapsOf(*trace.recording, analysis.instances());
    for (const Overlap& overlap : overlaps) {
        const Instance& instance = analysis.instances()[overlap.instance];
        const auto share = overlap.share();
        RowsOf{table, overlap.instance}.add({instance.operation, instance.begin, std::int64_t{instance.rankCount()},
                                             instance.bytes, overlap.started, overlap.between, overlap.completed,
                                             overlap.alone ? Cell{*overlap.alone} : Cell{},
                                             share ? Cell{*share} : Cell{}, overlap.inCalls, overlap.waiting});
    }
    if (std::ranges::any_of(overlaps, [](const Overlap& one) { return !one.alone; }))
        addRemark(table,
                  "the hidden share is unknown without a call of the same operation, bytes and ranks that was blocking "
                  "or completed at once");
    if (!overlaps.empty())
        addRemark(
            table,
            "in starting call, in completing call: the part after the last rank had entered; time between, in both "
            "calls: all of it; waiting: the wait states in both calls, which also end when the last rank completes a "
            "collective that made no progress before");
    if (const OverlapSum sum = sumOf(overlaps); sum.calls > 0)
        addRemark(table, engine::text("work between start and completion hid ", engine::showTime(sum.hidden), " of ",
                                      engine::showTime(sum.alone), " in ", counted(sum.calls, "call")));
    remarkOnCut(analysis, table);
    remarkOnClocks(analysis, table);
}

}  // namespace

TableDefinition definition() {
    return {
        .name = "overlap",
        .page = 98,
        .meaning = "how much of nonblocking collectives is hidden behind computation",
        .title = "nonblocking collectives, and how much of each is hidden behind computation",
        .how =
            "means over the ranks; of the two calls the part after the last rank had entered; overlap is 1 - (start + complete) / alone "
            "and at most between / alone, where alone is the median of calls of the same operation, bytes and number of ranks that were blocking "
            "or completed at once",
        .columns = {{"instance", Content::count, "number of the instance, from 1", CellLocation::instance},
                    {"operation", Content::words, "operation of the collective"},
                    {"begin_s", Content::time, "first entry", CellLocation::begin},
                    {"ranks", Content::count, "ranks of the communicator"},
                    {"bytes", Content::bytes, "bytes that its ranks received"},
                    {"start_s", Content::time, "time in the call that starts it"},
                    {"between_s", Content::time, "time between that call and the one that completes it"},
                    {"complete_s", Content::time, "time in the call that completes it"},
                    {"alone_s", Content::time, "time of such a call without computation in between"},
                    {"overlap", Content::share, "share of alone_s that is hidden"},
                    {"calls_s", Content::time, "time in both calls"},
                    {"waiting_s", Content::time, "part of calls_s that is waiting time, as in table waits"}},
        .answer = answer};
}

}  // namespace app::analysis::tables::about_overlap
