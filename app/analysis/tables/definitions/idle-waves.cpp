// SPDX-License-Identifier: BSD-3-Clause
// Delays that travelled from rank to rank.
#include "app/analysis/tables/table_helpers.hpp"
#include "app/analysis/wait_states/delay_propagation.hpp"

namespace app::analysis::tables::about_idle_waves {
namespace {

using engine::Content;

void answer(TraceAnalysis& analysis, engine::Table& table) {
    setHeadings(table, {{"ranks", "ranks reached"}, {"hops", "longest chain"}, {"time_s", "waiting caused"}});
    for (const IdleWave& row : idleWaves(analysis.waits(), analysis.keptWaits()->earlier))
        table.rows.push_back(
            {engine::cell(row.origin), row.begin, row.end, row.ranks, std::int64_t{row.hops}, row.time});
    remarkOnClocks(analysis, table);
    remarkOnMessages(analysis, table);
}

}  // namespace

TableDefinition definition() {
    return {
        .name = "idle-waves",
        .page = 110,
        .meaning = "delays that propagated from rank to rank",
        .title = "delays that propagated from rank to rank",
        .how =
            "wait states whose largest part results from one delay; table delays also counts smaller parts of others",
        .columns = {{"origin", Content::rank, "rank that was late first", CellLocation::rank},
                    {"begin_s", Content::time, "start of its first wait state", CellLocation::begin},
                    {"end_s", Content::time, "end of its last wait state", CellLocation::end},
                    {"ranks", Content::count, "number of ranks that waited"},
                    {"hops", Content::count, "number of ranks that propagated the delay, in the longest chain"},
                    {"time_s", Content::time, "total waiting time"}},
        .answer = answer};
}

}  // namespace app::analysis::tables::about_idle_waves
