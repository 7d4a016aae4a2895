// SPDX-License-Identifier: BSD-3-Clause
// What the ranks did together, one instance after the other.
#include "app/analysis/tables/table_helpers.hpp"
#include "app/analysis/wait_states/blocking_calls.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <map>

namespace app::analysis::tables::about_collectives {
namespace {

using engine::Cell;
using engine::Content;

/// Whether clocks hide which of its ranks came last.
bool isUnordered(const Instance& instance, const Arrivals& arrivals) {
    if (arrivals.last || !instance.isCollective() || instance.clocks == nullptr) return false;
    const auto isThere = [](const auto& stay) { return stay.has_value(); };
    return std::ranges::count_if(instance.stays, isThere) > 1 && (!arrivals.spread || arrivals.spread->count() > 0);
}

void answer(TraceAnalysis& analysis, engine::Table& table) {
    setHeadings(table, {{"bytes", "bytes, all ranks"}, {"waiting_s", "waiting, all ranks"}});
    bool outside = false;
    bool partial = false;
    bool unordered = false;
    for (std::size_t i = 0; i < analysis.instances().size(); ++i) {
        const Instance& instance = analysis.instances()[i];
        const Arrivals arrivals = arrivalsOf(instance);
        const auto world = [&](std::optional<engine::Rank> rank) {
            return rank ? engine::cell(instance.ranks[static_cast<std::size_t>(rank->value)]) : Cell{};
        };
        // All wait states of the instance; the one with the most time is named.
        std::map<WaitKind, engine::Picoseconds> byState;
        engine::Picoseconds waiting{};
        for (const BlockingCall& call : blockingCalls(instance, static_cast<std::uint32_t>(i))) {
            if (!call.waited() || !analysis.wish().part.has(call.rank)) continue;
            byState[call.kind] += call.until() - call.begin;
            waiting += call.until() - call.begin;
        }
        const auto largest = std::ranges::max_element(byState, {}, [](const auto& one) { return one.second; });
        const bool waits = largest != byState.end();
        const bool ofOneRank = instance.ranks.size() <= 1;  // sends no messages
        outside = outside || (!instance.hasMessages && !ofOneRank && (instance.bytes > 0 || instance.isBarrier()));
        partial = partial || !instance.complete;
        const Cell messages =
            instance.hasMessages || (ofOneRank && instance.isCollective()) ? Cell{instance.messageCount} : Cell{};
        unordered = unordered || isUnordered(instance, arrivals);
        RowsOf{table, i}.add(
            {instance.communicator, instance.operation, static_cast<std::int64_t>(instance.ranks.size()),
             instance.groupB > 0 ? Cell{engine::text(instance.groupA, '+', instance.groupB)} : Cell{},
             world(instance.root), instance.bytes, messages, instance.begin, instance.duration(),
             arrivals.spread ? Cell{*arrivals.spread} : Cell{}, world(arrivals.last),
             waits ? Cell{std::string{name(largest->first)}} : Cell{}, waits ? Cell{waiting} : Cell{}});
    }
    if (outside) addRemark(table, "no number of messages: the messages inside were not recorded");
    remarkOnClocks(analysis, table);
    if (unordered)
        addRemark(table,
                  "no arrival skew, or no last rank, where the clocks do not show in which order the ranks entered");
    if (partial)
        addRemark(table,
                  "some instances lack the records of some ranks; the arrival skew of one recorded rank is unknown");
}

}  // namespace

TableDefinition definition() {
    return {
        .name = "collectives",
        .page = 10,
        .meaning = "every collective and every exchange of messages: bytes, arrival skew, waiting time, last rank",
        .title = "collectives and point-to-point exchanges, in order",
        .how =
            "`waiting_s` is the sum of all wait states of the instance, as in table waits; `wait` is the one with the most "
            "time",
        .columns = {{"instance", Content::count, "number of the instance, from 1", CellLocation::instance},
                    {"communicator", Content::words, "name of the communicator"},
                    {"operation", Content::words, "the collective, or messages"},
                    {"ranks", Content::count, "number of ranks in the communicator"},
                    {"groups", Content::words, "of an intercommunicator: number of ranks in groups A and B"},
                    {"root", Content::rank, "root, as a rank of MPI_COMM_WORLD"},
                    {"bytes", Content::bytes,
                     "of messages: bytes sent; of a collective: bytes that its ranks received, own blocks included"},
                    {"messages", Content::count, "recorded messages inside the instance"},
                    {"begin_s", Content::time, "first entry, since the start of the trace"},
                    {"duration_s", Content::time, "from the first entry to the last exit"},
                    {"arrival_spread_s", Content::time,
                     "arrival skew: last entry - first entry; nothing below the uncertainty of clocks"},
                    {"last", Content::rank, "rank of MPI_COMM_WORLD that entered last, if clocks show it",
                     CellLocation::rankOfWorld},
                    {"wait", Content::words, "wait state with the most time"},
                    {"waiting_s", Content::time, "waiting time in all wait states, summed over ranks"}},
        .answer = answer};
}

}  // namespace app::analysis::tables::about_collectives
