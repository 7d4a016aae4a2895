// SPDX-License-Identifier: BSD-3-Clause
// Where in the program the time went: a row for each call path.
#include "app/analysis/program/call_path_profile.hpp"
#include "app/analysis/selection/program_time.hpp"
#include "app/analysis/tables/table_helpers.hpp"
#include "engine/base/text.hpp"

namespace app::analysis::tables::about_calltree {
namespace {

using engine::Content;

void answer(TraceAnalysis& analysis, engine::Table& table) {
    if (analysis.callPaths() == nullptr) return addRemark(table, "no calls were recorded");
    const CallPaths& paths = *analysis.callPaths();
    const CallProfile profile{
        paths, analysis.selection(), analysis.waits(), {.report = {}, .stop = analysis.progress().stop}};
    for (const PathId path : profile.inOrder()) {
        std::vector<engine::Cell> row{paths.name(path)};
        addSpent(row, profile.paths()[path]);
        table.rows.push_back(std::move(row));
    }
    if (const auto gaps = gapsWithin(paths.recording(), analysis.span()); gaps > engine::Picoseconds{})
        addRemark(table,
                  engine::text("gaps in the recording, ", engine::showTime(gaps),
                               " summed over ranks, count as time of the path around them, mostly ", wordsOutside));
    remarkOnCalls(analysis, table);
}

}  // namespace

TableDefinition definition() {
    TableDefinition definition{
        .name = "calltree",
        .page = 131,
        .meaning = "time, visits, waiting time and bytes of every call path",
        .title = "time by call path",
        .how =
            "exclusive time: while the path was the innermost, on all threads; waiting is counted in the call that "
            "blocked, in runs of Collscope in the stage; simultaneous wait states of one rank count once",
        .columns = {{"path", Content::words, "regions, from the outermost to the innermost"}},
        .answer = answer};
    addSpentColumns(definition.columns);
    return definition;
}

}  // namespace app::analysis::tables::about_calltree
