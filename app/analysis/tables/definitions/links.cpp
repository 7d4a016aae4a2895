// SPDX-License-Identifier: BSD-3-Clause
// What every link of the network carried.
#include "app/analysis/network/link_loads.hpp"
#include "app/analysis/tables/table_helpers.hpp"

namespace app::analysis::tables::about_links {
namespace {

using engine::Content;

void answer(TraceAnalysis& analysis, engine::Table& table) {
    if (const auto network = networkAskedAbout(analysis, table))
        for (const LinkLoad& row : linkLoads(analysis.run(), *network))
            table.rows.push_back(
                {network->linkName(row.link), row.bytes, row.messages, row.peakBytes, engine::cell(row.peakRound)});
    remarkOnMessages(analysis, table);
}

}  // namespace

TableDefinition definition() {
    return {.name = "links",
            .page = 150,
            .meaning = "load of every link of the network",
            .title = "load of each link",
            .how = "messages routed over the network",
            .columns = {{"link", Content::words, "name of the link"},
                        {"bytes", Content::bytes, "total bytes over the link"},
                        {"messages", Content::count, "messages over the link"},
                        {"peak_bytes", Content::bytes, "most bytes in one round"},
                        {"peak_round", Content::round, "round of peak_bytes", CellLocation::round}},
            .answer = answer};
}

}  // namespace app::analysis::tables::about_links
