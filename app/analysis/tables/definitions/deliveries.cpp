// SPDX-License-Identifier: BSD-3-Clause
// Contributions that arrived twice, or never.
#include "app/analysis/schedule/schedule_conformance.hpp"
#include "app/analysis/tables/table_helpers.hpp"
#include "engine/base/text.hpp"

namespace app::analysis::tables::about_deliveries {
namespace {

using engine::Content;

void addRows(TraceAnalysis& analysis, engine::Table& table, RemarksOnInstances& assumed, std::size_t i) {
    const IdentifiedPtr known = analysis.identified(i);
    const auto found =
        analysis::deliveries(*analysis.instances()[i].run, *known->problem,
                             known->plan ? known->plan->schedule.get() : nullptr, {.stop = analysis.progress().stop});
    if (!found)
        return addRemark(table, engine::isReduction(known->problem->collective)
                                    ? "reductions are left out: their contributions are combined on the way"
                                    : "contents of messages were not recorded");
    for (const DeliveryRow& row : found->rows)
        RowsOf{table, i}.add({engine::cell(row.rank), std::int64_t{row.block.value}, row.twice, row.never});
    if (found->inferred)
        assumed.add(engine::text("contents were not recorded; assumed are those of ", wordsOf(*known->plan)), i);
}

void answer(TraceAnalysis& analysis, engine::Table& table) {
    RemarksOnInstances assumed;
    for (std::size_t i = 0; i < analysis.instances().size(); ++i) {
        const Instance& instance = analysis.instances()[i];
        if (instance.hasMessages && analysis.identified(i)->problem) addRows(analysis, table, assumed, i);
        else addRemark(table, whyLeftOut(instance));
    }
    assumed.write(table);
}

}  // namespace

TableDefinition definition() {
    return {.name = "deliveries",
            .page = 80,
            .meaning = "contributions that arrived twice or never",
            .title = "bytes that arrived twice or never",
            .how = "contents as recorded, else those of the recognised schedule, with a remark",
            .columns = {{"instance", Content::count, "number of the instance, from 1", CellLocation::instance},
                        {"rank", Content::rank, "rank of the instance", CellLocation::rank},
                        {"block", Content::count, "rank of the contribution, from 0"},
                        {"twice_bytes", Content::bytes, "bytes that arrived again"},
                        {"never_bytes", Content::bytes, "bytes that the rank needs at the end and lacks"}},
            .answer = answer};
}

}  // namespace app::analysis::tables::about_deliveries
