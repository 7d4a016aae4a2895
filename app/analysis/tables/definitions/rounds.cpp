// SPDX-License-Identifier: BSD-3-Clause
// Rounds of each instance, as recorded or recovered.
#include "app/analysis/schedule/logical_rounds.hpp"
#include "app/analysis/tables/table_helpers.hpp"
#include "engine/base/text.hpp"

namespace app::analysis::tables::about_rounds {
namespace {

using engine::Cell;
using engine::Content;

void answer(TraceAnalysis& analysis, engine::Table& table) {
    setHeadings(table, {{"begin_s", "start in the instance"}, {"idle_share", "no message in flight"}});
    for (std::size_t i = 0; i < analysis.instances().size(); ++i) {
        const Instance& instance = analysis.instances()[i];
        if (!instance.hasMessages) {
            addRemark(table,
                      engine::text("rounds inside recorded collectives (", instance.operation, ") were not recorded"));
            continue;
        }
        if (instance.isNative) (void)analysis.identified(i);  // whose rounds it then has
        for (const RoundRow& row : analysis::rounds(*instance.run))
            RowsOf{table, i}.add({engine::cell(row.round), row.messages, row.bytes, row.largest, row.begin,
                                  row.end - row.begin, row.idleShare ? Cell{*row.idleShare} : Cell{}});
        if (instance.isNative && instance.hasRounds)
            addRemark(table, "rounds of recognised collectives are those of their schedules");
        if (!instance.hasRounds)
            addRemark(
                table,
                "rounds outside of recognised schedules were reconstructed from the order of messages on each rank");
    }
}

}  // namespace

TableDefinition definition() {
    return {
        .name = "rounds",
        .page = 30,
        .meaning = "rounds of each instance: messages, bytes, duration, share without messages",
        .title = "rounds, and the share of time without communication",
        .how =
            "recorded, or the longest chain of messages before each message (logical time); inside a collective, a "
            "send is assumed to depend on an earlier receive of its rank only if the receive comes first on all ranks "
            "with the same sequence of sends and receives",
        .columns = {{"instance", Content::count, "number of the instance, from 1", CellLocation::instance},
                    {"round", Content::round, "round of the instance", CellLocation::round},
                    {"messages", Content::count, "messages in the round"},
                    {"bytes", Content::bytes, "bytes of all messages of the round"},
                    {"largest_bytes", Content::bytes, "bytes of the largest message"},
                    {"begin_s", Content::time, "start of the first message, since the start of the instance",
                     CellLocation::begin},
                    {"duration_s", Content::time, "until the last message of the round ended", CellLocation::duration},
                    {"idle_share", Content::share,
                     "share of rank time in the round in which the rank had no message of the round in transfer"}},
        .answer = answer};
}

}  // namespace app::analysis::tables::about_rounds
