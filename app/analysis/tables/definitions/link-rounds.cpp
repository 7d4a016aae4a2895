// SPDX-License-Identifier: BSD-3-Clause
// The most loaded link of each round.
#include "app/analysis/network/link_loads.hpp"
#include "app/analysis/tables/table_helpers.hpp"

namespace app::analysis::tables::about_link_rounds {
namespace {

using engine::Content;

void answer(TraceAnalysis& analysis, engine::Table& table) {
    if (const auto network = networkAskedAbout(analysis, table))
        for (const RoundLoad& row : roundLoads(analysis.run(), *network))
            table.rows.push_back(
                {engine::cell(row.round), row.links, network->linkName(row.worst), row.bytes, row.sharing, row.mean});
    if (!analysis.trace().isCollscopeRun())
        addRemark(table, "rounds were recovered from the order of messages on each rank");
    remarkOnMessages(analysis, table);
}

}  // namespace

TableDefinition definition() {
    return {.name = "link-rounds",
            .page = 160,
            .meaning = "the busiest link of each round",
            .title = "the busiest link of each round",
            .columns = {{"round", Content::round, "of the run", CellLocation::round},
                        {"links", Content::count, "links that carried bytes in the round"},
                        {"worst", Content::words, "link with the most bytes"},
                        {"worst_bytes", Content::bytes, "bytes over that link"},
                        {"sharing", Content::count, "messages over that link"},
                        {"mean_bytes", Content::bytes, "mean bytes of the links that carried any"}},
            .answer = answer};
}

}  // namespace app::analysis::tables::about_link_rounds
