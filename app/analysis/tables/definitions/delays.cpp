// SPDX-License-Identifier: BSD-3-Clause
// Which ranks the waiting came from.
#include "app/analysis/tables/table_helpers.hpp"
#include "app/analysis/wait_states/wait_state_sums.hpp"

#include <map>

namespace app::analysis::tables::about_delays {
namespace {

using engine::Content;

void answer(TraceAnalysis& analysis, engine::Table& table) {
    std::map<engine::Rank, std::string> mostly;  // causes come costliest first
    if (const CallPaths* paths = analysis.callPaths())
        for (const Cause& cause : analysis.causes()) mostly.try_emplace(cause.rank, nameOf(cause, *paths));
    for (const DelayRow& row : analysis::delays(analysis.keptWaits()->all, analysis.keptWaits()->shares))
        table.rows.push_back(
            {engine::cell(row.origin), row.waits, row.direct, row.passedOn, engine::cell(mostly[row.origin])});
    remarkOnInference(analysis, table);
    remarkOnClocks(analysis, table);
    remarkOnMessages(analysis, table);
}

}  // namespace

TableDefinition definition() {
    return {
        .name = "delays",
        .page = 100,
        .meaning = "ranks that caused waiting time, directly or by propagation",
        .title = "ranks that caused waiting time, directly or by propagation",
        .how =
            "the part of a wait state that counts as propagated from an earlier delay is at most the time that the "
            "late rank lost to this delay in excess of what the waiting rank lost to it; the time of a wait "
            "state is divided among the delays that caused it, and the wait state is counted for each of their ranks",
        .columns = {{"origin", Content::rank, "rank that was late first", CellLocation::rank},
                    {"waits", Content::count, "number of wait states that it caused"},
                    {"direct_s", Content::time, "time that others waited for this rank itself"},
                    {"passed_on_s", Content::time, "time that others waited for ranks that propagated its delay"},
                    {"mostly_in", Content::words, "call path with the most of this time"}},
        .answer = answer};
}

}  // namespace app::analysis::tables::about_delays
