// SPDX-License-Identifier: BSD-3-Clause
// Answers about the whole trace: waiting, the critical path, the model, the network.
#include "app/session/answers_of.hpp"

#include "app/analysis/link_loads.hpp"
#include "app/analysis/tables.hpp"
#include "engine/text.hpp"
#include "traces/clocks.hpp"

#include <algorithm>

namespace app::answers {

using engine::Cell;
using engine::Content;
using engine::Picoseconds;
using engine::Table;
using engine::text;

namespace {

/// What a table over all messages has to say when there are none, or when some are missing.
Table overMessages(Inquiry& inquiry, Table table) {
    const Report& report = inquiry.trace().report;
    if (inquiry.run().messages.empty()) addRemark(table, "no message between two ranks was recorded in this part");
    if (inquiry.run().droppedMessages > 0)
        addRemark(table, text(inquiry.run().droppedMessages, " messages were counted, not kept: they are not in here"));
    if (inquiry.isCut())
        addRemark(table, text("of the first ", inquiry.trace().most, " messages; choose others with ",
                              engine::Field{"from"}, " and ", engine::Field{"to"}));
    if (report.run->setting.on == "virtual" && report.run->setting.progress == "lockstep")
        addRemark(table, "ranks marched in step: a wait may be for the slowest rank of all");
    return table;
}

/// Waits in recorded collectives, summed per kind and rank of the world.
void addCollectiveWaits(Inquiry& inquiry, std::vector<std::vector<Cell>>& rows) {
    struct Sum {
        std::int64_t waits = 0;
        Picoseconds time{};
        Picoseconds longest{};
        std::map<engine::Rank, Picoseconds> late;
    };
    std::map<std::pair<std::string, engine::Rank>, Sum> sums;
    for (const traces::Instance& instance : inquiry.instances()) {
        if (inquiry.trace().own()) continue;  // its messages tell already
        const traces::Arrivals arrivals = traces::arrivalsOf(instance);
        for (std::size_t rank = 0; rank < arrivals.perRank.size(); ++rank) {
            const Picoseconds time = arrivals.perRank[rank];
            if (time.count() <= 0 || !inquiry.wish().part.has(instance.ranks[rank])) continue;
            Sum& sum = sums[{std::string{traces::name(arrivals.kind)}, instance.ranks[rank]}];
            ++sum.waits;
            sum.time += time;
            sum.longest = std::max(sum.longest, time);
            if (arrivals.last) sum.late[instance.ranks[static_cast<std::size_t>(arrivals.last->value)]] += time;
        }
    }
    for (const auto& [who, sum] : sums) {
        const auto most = std::max_element(sum.late.begin(), sum.late.end(),
                                           [](const auto& a, const auto& b) { return a.second < b.second; });
        rows.push_back({who.first, engine::cell(who.second), sum.waits, sum.time, sum.longest,
                        most == sum.late.end() ? Cell{} : engine::cell(most->first)});
    }
}

/// The network asked about; null, and a remark in `table`, without one.
emulation::NetworkPtr networkOf(Inquiry& inquiry, Table& table) {
    const std::string topology = inquiry.topology();
    if (topology.empty()) {
        addRemark(table, text("the network was not recorded; name one with ", engine::field::topology, ", and ",
                              engine::field::placement, " if ranks do not stand on it in order"));
        return nullptr;
    }
    auto network = emulation::networkNamed(topology, inquiry.trace().report.run->ranks);
    addRemark(table, text("network ", topology, ", ", inquiry.topologyOrigin()));
    if (network->links() == 0) addRemark(table, "its messages never share a link");
    return network;
}

}  // namespace

Table waits(Inquiry& inquiry) {
    Table table = overMessages(inquiry, traces::tableOf(traces::waitsPerRank(traces::waits(inquiry.run()))));
    if (!inquiry.run().messages.empty() || !inquiry.instances().empty()) addCollectiveWaits(inquiry, table.rows);
    std::stable_sort(table.rows.begin(), table.rows.end(), [](const auto& a, const auto& b) {
        return std::get<Picoseconds>(a[3]) > std::get<Picoseconds>(b[3]);
    });
    return table;
}

Table delays(Inquiry& inquiry) {
    return overMessages(inquiry, traces::tableOf(traces::delays(traces::waits(inquiry.run()))));
}

Table idleWaves(Inquiry& inquiry) {
    return overMessages(inquiry, traces::tableOf(traces::idleWaves(traces::waits(inquiry.run()))));
}

Table criticalPath(Inquiry& inquiry) {
    return overMessages(inquiry, traces::tableOf(traces::criticalPath(inquiry.run())));
}

Table ranks(Inquiry& inquiry) {
    Table table = overMessages(inquiry, traces::ranksTable(inquiry.run()));
    const traces::Imbalance busy = traces::busyImbalance(inquiry.run());
    if (busy.mean.count() > 0)
        addRemark(table, text("busy time: ", engine::showTime(busy.mean), " in the mean, most on rank ", busy.who, ", ",
                              engine::showNumber(100 * busy.share(), 3), " % above it"));
    return table;
}

Table model(Inquiry& inquiry) {
    Table table = traces::tableOf(traces::Fit{});
    table.rows.clear();
    if (inquiry.fit()) table.rows = traces::tableOf(*inquiry.fit()).rows;
    else addRemark(table, text("no fit: ", inquiry.whyNoFit()));
    if (const auto used = inquiry.model())
        addRemark(table, text("answers use alpha ", engine::showTime(used->alpha), ", beta ",
                              engine::showRate(used->beta), ", ", inquiry.modelOrigin()));
    else
        addRemark(table,
                  text("give ", engine::Field{"alpha"}, " and ", engine::Field{"beta"}, " for bounds and what-if"));
    if (inquiry.run().messages.size() > 0 && traces::timesAreCalls(inquiry.run()))
        addRemark(table, "only messages whose receiver was there in time tell how long they took");
    return table;
}

Table links(Inquiry& inquiry) {
    const auto full = emulation::networkNamed("", 1);
    Table table = emulation::tableOf(std::vector<emulation::LinkLoad>{}, *full);
    if (const auto network = networkOf(inquiry, table))
        table.rows = emulation::tableOf(emulation::linkLoads(inquiry.run(), *network), *network).rows;
    return overMessages(inquiry, table);
}

Table linkRounds(Inquiry& inquiry) {
    const auto full = emulation::networkNamed("", 1);
    Table table = emulation::tableOf(std::vector<emulation::RoundLoad>{}, *full);
    if (const auto network = networkOf(inquiry, table))
        table.rows = emulation::tableOf(emulation::roundLoads(inquiry.run(), *network), *network).rows;
    if (!inquiry.trace().own()) addRemark(table, "rounds were recovered from the order of messages on each rank");
    return overMessages(inquiry, table);
}

Table linkWindows(Inquiry& inquiry) {
    const auto full = emulation::networkNamed("", 1);
    Table table = emulation::tableOf(std::vector<emulation::WindowLoad>{}, *full);
    const auto used = inquiry.model();
    if (const auto network = networkOf(inquiry, table))
        table.rows = emulation::tableOf(emulation::windowLoads(inquiry.run(), *network, inquiry.wish().windows,
                                                               used ? std::optional{used->beta} : std::nullopt),
                                        *network)
                         .rows;
    if (!used) addRemark(table, "without beta the use of a link is not known");
    return overMessages(inquiry, table);
}

Table clocks(Inquiry& inquiry) {
    Table table{.name = {},
                .title = "whether the clocks of ranks agree, and what would make them",
                .columns = {{"rank", Content::rank},
                            {"contradictions", Content::count},
                            {"offset_s", Content::time},
                            {"drift_share", Content::share},
                            {"tied", Content::words}},
                .rows = {}};
    const Trace& trace = inquiry.trace();
    if (!trace.recording || trace.own()) {
        addRemark(table, "all ranks of this run had one clock");
        return table;
    }
    const traces::ClockCheck check = traces::checkClocks(*trace.recording);
    addRemark(table, check.violations() == 0 ? text("no contradiction among ", check.messages, " messages and ",
                                                    check.collectives, " collectives")
                                             : traces::describe(check));
    if (trace.recording->corrected) addRemark(table, "clocks are fitted already");
    const traces::ClockFit fit = traces::fitClocks(*trace.recording);
    for (std::size_t rank = 0; rank < fit.byRank.size(); ++rank)
        table.rows.push_back({static_cast<std::int64_t>(rank),
                              rank < check.byRank.size() ? Cell{check.byRank[rank]} : Cell{}, fit.byRank[rank].offset,
                              fit.byRank[rank].drift, Cell{std::string{fit.tied[rank] ? "yes" : "no"}}});
    if (!fit.consistent) addRemark(table, "no offsets and drifts make everything possible; these come nearest");
    return table;
}

Table notRecorded(Inquiry& inquiry) {
    Table table{.name = {},
                .title = "what the trace does not say",
                .columns = {{"what", Content::words}, {"count", Content::count}},
                .rows = {}};
    const Trace& trace = inquiry.trace();
    std::vector<std::string> said;
    if (trace.recording && !trace.own())
        for (const traces::NotRecorded& absence : trace.recording->absences) {
            table.rows.push_back({absence.words, absence.count > 0 ? Cell{absence.count} : Cell{}});
            said.push_back(absence.words);
        }
    for (const std::string& remark : trace.report.run->remarks)
        if (std::find(said.begin(), said.end(), remark) == said.end()) table.rows.push_back({remark, Cell{}});
    return table;
}

}  // namespace app::answers
