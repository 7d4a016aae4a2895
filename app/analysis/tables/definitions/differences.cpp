// SPDX-License-Identifier: BSD-3-Clause
// The messages of each instance beside the schedule that it followed.
#include "app/analysis/schedule/schedule_conformance.hpp"
#include "app/analysis/tables/table_helpers.hpp"
#include "engine/base/text.hpp"

namespace app::analysis::tables::about_differences {
namespace {

using engine::Cell;
using engine::cell;
using engine::Content;
using engine::text;

void answer(TraceAnalysis& analysis, engine::Table& table) {
    RemarksOnInstances beside;
    for (std::size_t i = 0; i < analysis.instances().size(); ++i) {
        const Instance& instance = analysis.instances()[i];
        const IdentifiedPtr known = analysis.identified(i);
        if (known->likeliest() == nullptr || !instance.hasMessages) {
            addRemark(table, whyLeftOut(instance));
            continue;
        }
        for (const DifferenceRow& row : analysis::differences(*instance.run, *known->likeliest()->schedule, {},
                                                              {.stop = analysis.progress().stop}))
            RowsOf{table, i}.add({std::string{name(row.what)}, cell(row.from), cell(row.to), row.bytes,
                                  cellOf(row.planned), cellOf(row.happened),
                                  row.what == Difference::late ? Cell{row.by} : Cell{}});
        beside.add(text("beside ", wordsOf(*known->likeliest()),
                        known->planRecorded ? ", as recorded"
                                            : text(", ", engine::showNumber(100 * known->confidence(), 3),
                                                   "% of the messages in the same order")),
                   i);
    }
    beside.write(table);
}

}  // namespace

TableDefinition definition() {
    return {
        .name = "differences",
        .page = 60,
        .meaning = "messages that are missing, extra or late in comparison with the schedule",
        .title = "missing, extra and late messages of each instance",
        .how =
            "the messages are compared with the recorded or recognised schedule; late: by more than the median time of "
            "a message after the sender could have sent it",
        .columns = {{"instance", Content::count, "number of the instance, from 1", CellLocation::instance},
                    {"message", Content::words, "missing, extra or late"},
                    {"from", Content::rank, "sender, as a rank of the instance", CellLocation::rank},
                    {"to", Content::rank, "receiver, as a rank of the instance"},
                    {"bytes", Content::bytes, "bytes of the message"},
                    {"planned_round", Content::round, "round of the message in the schedule",
                     CellLocation::plannedRound},
                    {"round", Content::round, "round in which it was sent", CellLocation::round},
                    {"late_s", Content::time, "time between when its sender could have sent it and when it did"}},
        .answer = answer};
}

}  // namespace app::analysis::tables::about_differences
