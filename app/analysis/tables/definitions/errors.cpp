// SPDX-License-Identifier: BSD-3-Clause
// Calls of MPI that returned an error.
#include "app/analysis/calls/errors.hpp"
#include "app/analysis/tables/table_helpers.hpp"

namespace app::analysis::tables::about_errors {
namespace {

using engine::cell;
using engine::Content;

void answer(TraceAnalysis& analysis, engine::Table& table) {
    const Trace& trace = analysis.trace();
    if (!trace.recording || trace.isCollscopeRun()) return;
    for (const CallError& error : callErrors(*trace.recording, analysis.selection())) {
        const traces::Region& region = trace.recording->regions[engine::asSize(error.region)];
        table.rows.push_back({cell(error.rank), cell(region.name), cell(region.place), error.begin,
                              error.end - error.begin, error.errorClass});
    }
    remarkOnCut(analysis, table);
}

}  // namespace

TableDefinition definition() {
    return {.name = "errors",
            .page = 96,
            .meaning = "MPI calls that returned an error",
            .title = "MPI calls that returned an error, and its error class",
            .how =
                "recorded by Collscope's recorder where the program's error handler returns; a call that completes "
                "several requests has a row for each that failed",
            .columns = {{"rank", Content::rank, "rank of the call", CellLocation::rank},
                        {"call", Content::words, "the MPI function"},
                        {"place", Content::words, "place of the call in the program"},
                        {"begin_s", Content::time, "entry into the call", CellLocation::begin},
                        {"duration_s", Content::time, "duration of the call", CellLocation::duration},
                        {"error", Content::words, "the error class, as the MPI standard names it"}},
            .answer = answer};
}

}  // namespace app::analysis::tables::about_errors
