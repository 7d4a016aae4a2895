// SPDX-License-Identifier: BSD-3-Clause
// What made ranks wait, by rank and call path.
#include "app/analysis/format/cell_format.hpp"
#include "app/analysis/tables/table_helpers.hpp"
#include "app/analysis/wait_states/root_causes.hpp"

namespace app::analysis::tables::about_causes {
namespace {

using engine::Content;

void answer(TraceAnalysis& analysis, engine::Table& table) {
    if (analysis.callPaths() == nullptr) return addRemark(table, "no calls were recorded");
    const CallPaths& paths = *analysis.callPaths();
    engine::Picoseconds all{};
    for (const Wait& wait : analysis.waits()) all += wait.time;
    for (const Cause& cause : analysis.causes()) {
        const auto late = [&](engine::Picoseconds time) {
            return cause.delays > 0 ? engine::Cell{time} : engine::Cell{};
        };
        table.rows.push_back({std::string{name(cause.kind)}, engine::cell(cause.rank), nameOf(cause, paths), cause.time,
                              ratio(cause.time, all), cause.delays, late(cause.typical), late(cause.longest),
                              late(cause.begin), threadCell(analysis, cause.rank, cause.thread),
                              engine::cell(std::string{nameOf(cause.trend.trend)})});
    }
    if (std::ranges::any_of(analysis.causes(), [](const Cause& cause) { return cause.delays == 0; }))
        addRemark(table,
                  "rows with 0 delays: the rank spent less than a tenth of each of its delays in this call path");
    remarkOnCalls(analysis, table);
    remarkOnInference(analysis, table);
    remarkOnClocks(analysis, table);
    remarkOnMessages(analysis, table);
}

}  // namespace

TableDefinition definition() {
    return {
        .name = "causes",
        .page = 101,
        .meaning = "root causes of waiting time: the late rank, and the call path in which it spent the time",
        .title = "root causes of waiting time, by rank and call path",
        .how =
            "a delay causes waiting time directly or by propagation. This time is assigned to call paths of the "
            "late rank. They are those in which it spent more time than the rank that waited longest for it, "
            "since both last synchronised. In a wavefront, they are those in which the late rank was during the "
            "wait. Time outside of calls is compared by the call that follows. Waiting time of the late rank is "
            "left out. Waiting for a lock is assigned to the call paths of its holder",
        .columns = {{"wait", Content::words, "wait state that resulted"},
                    {"origin", Content::rank, "rank that was late first", CellLocation::rank},
                    {"path", Content::words,
                     "call path in which it spent the time; 'before' a call: outside of all "
                     "calls"},
                    {"time_s", Content::time, "waiting time that it caused"},
                    {"part_share", Content::share, "share of all waiting time"},
                    {"delays", Content::count,
                     "number of delays, without those below a tenth of the longest unless they have a trend"},
                    {"typical_s", Content::time, "median delay of the rank"},
                    {"longest_s", Content::time, "longest delay"},
                    {"begin_s", Content::time, "time at which others began to wait for the longest delay",
                     CellLocation::begin},
                    {"thread", Content::words, "thread that was late; empty for the main thread"},
                    {"trend", Content::words, "trend of the delays over time: grows, shrinks, alternates; else empty"}},
        .answer = answer};
}

}  // namespace app::analysis::tables::about_causes
