// SPDX-License-Identifier: BSD-3-Clause
// Ranks with more messages in flight than they have ports.
#include "app/analysis/format/cell_format.hpp"
#include "app/analysis/schedule/schedule_conformance.hpp"
#include "app/analysis/tables/table_helpers.hpp"
#include "engine/base/text.hpp"

namespace app::analysis::tables::about_ports {
namespace {

using engine::Content;

void answer(TraceAnalysis& analysis, engine::Table& table) {
    RemarksOnInstances ports;
    for (std::size_t i = 0; i < analysis.instances().size(); ++i) {
        const Instance& instance = analysis.instances()[i];
        if (!instance.hasMessages) {
            addRemark(table, whyLeftOut(instance));
            continue;
        }
        const IdentifiedPtr known = analysis.identified(i);
        const int allowed = known->plan ? known->plan->schedule->facts().ports : 1;
        for (const PortRow& row : portViolations(*instance.run, allowed))
            RowsOf{table, i}.add({engine::cell(row.rank), std::string{row.sending ? "sends" : "receives"}, row.atOnce,
                                  row.times, row.first});
        ports.add(
            engine::text(counted(allowed, "port"), " per rank, ", known->plan ? "as the schedule has" : "assumed"), i);
    }
    ports.write(table);
}

}  // namespace

TableDefinition definition() {
    return {.name = "ports",
            .page = 70,
            .meaning = "ranks with more messages in flight than ports",
            .title = "ranks with more messages in flight than they have ports",
            .how = "messages in flight are compared with the ports of the schedule (1 if the schedule is unknown)",
            .columns = {{"instance", Content::count, "number of the instance, from 1", CellLocation::instance},
                        {"rank", Content::rank, "rank of the instance", CellLocation::rank},
                        {"side", Content::words, "sends or receives"},
                        {"at_once", Content::count, "maximum number of messages in flight"},
                        {"times", Content::count, "how often more messages than ports were in flight"},
                        {"first_s", Content::time, "time of the first such case, since the start of the instance",
                         CellLocation::begin}},
            .answer = answer};
}

}  // namespace app::analysis::tables::about_ports
