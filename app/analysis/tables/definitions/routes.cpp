// SPDX-License-Identifier: BSD-3-Clause
// The way of every block: who got it last, and what it waited for on the way there.
#include "app/analysis/dataflow/block_route.hpp"
#include "app/analysis/tables/table_helpers.hpp"
#include "engine/base/text.hpp"

namespace app::analysis::tables::about_routes {
namespace {

using engine::Content;
using engine::Picoseconds;
using engine::text;

constexpr std::int32_t mostRows = 512;           // of an instance; of more blocks several share a row
constexpr std::int64_t mostLooked = 50'000'000;  // blocks times messages

/// "0 -> 1 in round 3, 1 -> 2 in round 4".
std::string inWords(const engine::Messages& messages, const std::vector<Leg>& chain) {
    std::string words;
    for (const Leg& leg : chain)
        words += text(words.empty() ? "" : ", ", messages.from()[leg.message].value, " -> ",
                      messages.to()[leg.message].value, " in round ", messages.round()[leg.message].value + 1);
    return words;
}

void addRows(TraceAnalysis& analysis, engine::Table& table, std::size_t i, const Identified& known) {
    const engine::Run& run = *analysis.instances()[i].run;
    const engine::Plan* plan = known.plan ? &*known.plan : nullptr;
    const Columns columns{*known.problem, plan, run, mostRows};
    const BlockOwnership holdings{*known.problem, plan, nullptr, run, columns};
    if (columns.count() == 0) return addRemark(table, "contents of messages were not recorded");
    if (!holdings.unknown().empty()) return addRemark(table, holdings.unknown());
    if (columns.count() * static_cast<std::int64_t>(run.messages.size()) > mostLooked)
        return addRemark(table, text("instance ", i + 1, " has too many blocks and messages"));
    for (std::int32_t column = 0; column < columns.count(); ++column) {
        const Route route = routeOf(run, columns, holdings, column);
        std::int64_t again = 0;
        for (const Hop& hop : route.hops) again += hop.again ? 1 : 0;
        Picoseconds lay{};
        for (const Leg& leg : route.chain) lay += leg.timeAtSender();
        const bool arrived = !route.last.empty();
        RowsOf{table, i}.add({columns.name(column), static_cast<std::int64_t>(route.hops.size()), again,
                              arrived ? engine::cell(route.last.front()) : engine::Cell{},
                              arrived ? engine::Cell{route.complete} : engine::Cell{},
                              arrived ? engine::Cell{lay} : engine::Cell{}, inWords(run.messages, route.chain)});
    }
}

void answer(TraceAnalysis& analysis, engine::Table& table) {
    for (std::size_t i = 0; i < analysis.instances().size(); ++i) {
        const Instance& instance = analysis.instances()[i];
        const IdentifiedPtr known = instance.hasMessages ? analysis.identified(i) : nullptr;
        if (known && known->problem) addRows(analysis, table, i, *known);
        else addRemark(table, whyLeftOut(instance));
    }
}

}  // namespace

TableDefinition definition() {
    return {.name = "routes",
            .page = 82,
            .meaning = "route of every block: its hops, and the rank that received it last",
            .title = "route of every block",
            .how =
                "over all messages that carried a part of the block; the chain leads to the rank that received it "
                "last",
            .columns = {{"instance", Content::count, "number of the instance, from 1", CellLocation::instance},
                        {"block", Content::words, "block, segment or contribution"},
                        {"hops", Content::count, "messages that carried a part of it"},
                        {"again", Content::count, "messages whose receiver already had the whole block"},
                        {"last_rank", Content::rank, "rank that needed the block and completed it last",
                         CellLocation::rank},
                        {"complete_s", Content::time, "time at which that rank completed it", CellLocation::begin},
                        {"lay_s", Content::time, "time on this route in which the block was not in transfer"},
                        {"chain", Content::words, "hops that brought the block to that rank"}},
            .answer = answer};
}

}  // namespace app::analysis::tables::about_routes
