// SPDX-License-Identifier: BSD-3-Clause
// Data that is missing from the trace.
#include "app/analysis/overview/missing_data.hpp"
#include "app/analysis/tables/table_helpers.hpp"

namespace app::analysis::tables::about_not_recorded {
namespace {

using engine::Cell;
using engine::Content;

void answer(TraceAnalysis& analysis, engine::Table& table) {
    for (const traces::NotRecorded& absence : notRecordedOf(analysis.trace()))
        table.rows.push_back({absence.words, absence.count > 0 ? Cell{absence.count} : Cell{}});
}

}  // namespace

TableDefinition definition() {
    return {.name = "not-recorded",
            .page = 190,
            .meaning = "data that is missing from the trace",
            .title = "data that is missing from the trace",
            .columns = {{"what", Content::words, "what is missing"}, {"count", Content::count, "number of cases"}},
            .answer = answer};
}

}  // namespace app::analysis::tables::about_not_recorded
