// SPDX-License-Identifier: BSD-3-Clause
// Which algorithms the MPI library ran, for which sizes, and how far they are from the best of the catalogue.
#include "app/analysis/findings/algorithm_advice.hpp"
#include "app/analysis/findings/collective_gap.hpp"
#include "app/analysis/format/cell_format.hpp"
#include "app/analysis/tables/table_helpers.hpp"
#include "app/analysis/trace/library_use.hpp"
#include "engine/base/option_placeholders.hpp"
#include "engine/base/text.hpp"
#include "traces/recording/byte_counting.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace app::analysis::tables::about_library {
namespace {

using engine::Bytes;
using engine::Cell;
using engine::Content;
using engine::Picoseconds;
using engine::text;

/// Calls of one collective on as many ranks that ran the same.
struct Row {
    std::size_t largest = 0;  ///< the instance of the most bytes
    Bytes from = 0;
    Bytes to = 0;
    std::int64_t calls = 0;
    std::int64_t messages = 0;
    Picoseconds time{};
    Picoseconds bound{};
    bool isBound = true;  ///< the bound of each call is known
};

/// The smallest and the largest contribution of a rank; of all-to-all to one other rank.
struct Contributions {
    Bytes least = 0;
    Bytes most = 0;
};

Contributions contributionsTo(const engine::Problem& problem) {
    const engine::Layout& layout = problem.layout;
    if (problem.collective != engine::Collective::alltoallv || layout.isRegular() || problem.ranks() < 2)
        return {layout.smallest(), layout.largest()};
    // What a rank keeps for itself is no part of it.
    const std::int32_t ranks = problem.ranks();
    Contributions found{layout.largest(), 0};
    for (std::int32_t block = 0; block < layout.count(); ++block) {
        if (block / ranks == block % ranks) continue;
        found = {std::min(found.least, layout.size(block)), std::max(found.most, layout.size(block))};
    }
    return found;
}

/// Where no problem is known, by the bytes that the ranks pass; of all-to-all the mean over other ranks.
Contributions contributionsOf(const traces::Recording& recording, const Instance& instance) {
    const auto ranks = static_cast<Bytes>(std::max(1, instance.rankCount()));
    const auto parts = recording.collectives.of(recording.collectives.instances[instance.collective]);
    if (parts.empty() || countingOf(recording) != traces::Counting::arguments)
        return {instance.bytes / ranks, instance.bytes / ranks};
    const auto [least, most] = std::ranges::minmax(parts, {}, &traces::Participant::sent);
    const Bytes receivers = instance.operation.starts_with("alltoall") ? ranks : 1;
    return {least.sent / receivers, most.sent / receivers};
}

std::string keyOf(const Identified& known) {
    if (known.sequence)
        return text(known.sequence->first.algorithm->id, " then ", known.sequence->second.algorithm->id);
    const engine::Plan* const plan = known.likeliest();
    return plan == nullptr ? "" : text(plan->algorithm->id, ' ', known.confidence() >= 1 ? "same" : "");
}

/// By kind of instance.
using AdvisedKinds = std::map<std::size_t, Advice>;

void addRow(TraceAnalysis& analysis, engine::Table& table, const Row& row, const LibrarySetting& setting,
            const AdvisedKinds& advised) {
    const Instance& instance = analysis.instances()[row.largest];
    const IdentifiedPtr known = analysis.identified(row.largest);
    const LibraryUse use = usedIn(analysis, row.largest, setting);
    const bool isCompared = instance.rankCount() > 1;
    const AlgorithmRanking* const others = isCompared ? analysis.whatIf(row.largest) : nullptr;
    const Alternative* const best = others != nullptr && !others->ranked.empty() ? &others->ranked.front() : nullptr;
    // Where the messages match no algorithm, the emulated time of the call is unknown.
    const std::optional<Faster> faster =
        isCompared && (known->plan || known->sequence) ? fasterThan(analysis, row.largest, use) : std::nullopt;
    // As on the first page: an emulation that is far from the measured time shows nothing.
    const auto kind = advised.find(analysis.kindOf(row.largest));
    const bool isExplained = kind == advised.end() || kind->second.isExplained() || !kind->second.again;
    if (faster && !isExplained)
        addRemark(table, text("no best algorithm where the emulation of the executed one differs by more than half "
                              "from the measured time: the model does not explain these calls"));
    const auto isWorthNaming = [&] {
        if (faster) return faster->factor >= gainfulFactor;
        const auto factor = kind == advised.end() ? std::nullopt : kind->second.factor(best->time);
        return !factor || *factor >= gainfulFactor;
    };
    const auto part = [&](double Faster::*which) { return faster && isExplained ? Cell{(*faster).*which} : Cell{}; };
    const auto words = [](std::string value) { return value.empty() ? Cell{} : Cell{std::move(value)}; };
    table.rows.push_back(
        {static_cast<std::int64_t>(row.largest) + 1, instance.operation,
         instance.groupB > 0 ? text(instance.groupA, '+', instance.groupB) : std::to_string(instance.rankCount()),
         row.from, row.to, words(use.executed), words(use.catalogue), words(engine::plain(use.differs)),
         words(use.asked), words(use.instead), row.calls, instance.hasMessages ? Cell{row.messages} : Cell{}, row.time,
         row.isBound ? ratioCell(row.time, row.bound) : Cell{},
         best != nullptr && isExplained && isWorthNaming() ? Cell{wordsOf(best->plan)} : Cell{}, part(&Faster::factor),
         part(&Faster::low), part(&Faster::high)});
}

/// Calls of one function that are no collectives, and the messages that the library sent within them.
struct OtherCalls {
    std::map<engine::Rank, std::int64_t> ofRank{};  ///< calls
    std::int64_t messages = 0;
};

/// The call of a location that contains `time`, the innermost one; nothing outside of calls.
std::optional<std::size_t> callAt(const traces::States& states, Picoseconds time) {
    const auto after = std::upper_bound(states.begin.begin(), states.begin.end(), time) - states.begin.begin();
    for (auto i = static_cast<std::size_t>(after); i-- > 0;) {
        if (states.end[i] >= time) return i;
        if (states.depth[i] == 0) break;
    }
    return std::nullopt;
}

void addOtherCalls(const traces::Recording& recording, engine::Table& table) {
    std::map<engine::Rank, std::size_t> locations;
    for (std::size_t i = 0; i < recording.locations.size(); ++i)
        if (recording.locations[i].speaksForRank) locations.emplace(recording.locations[i].rank, i);
    std::map<std::string, OtherCalls> calls;
    std::set<std::pair<std::size_t, std::size_t>> counted;
    const traces::Library& library = recording.library;
    for (std::size_t i = 0; i < library.messages.size(); ++i) {
        const std::int32_t within = library.collective[i];
        if (within != traces::noIndex &&
            isCommunication(recording.collectives.instances[engine::asSize(within)].operation))
            continue;
        const engine::Rank rank = library.messages.from[i];
        const auto location = locations.find(rank);
        if (location == locations.end()) continue;
        const traces::States& states = recording.states[location->second];
        auto call = callAt(states, library.messages.sendBegin[i]);
        if (call && recording.regions[engine::asSize(states.region[*call])].call == traces::Call::none) call.reset();
        OtherCalls& its =
            calls[call ? recording.regions[engine::asSize(states.region[*call])].name : "(between calls)"];
        ++its.messages;
        std::int64_t& number = its.ofRank[rank];
        if (call && counted.emplace(location->second, *call).second) ++number;
    }
    for (const auto& [name, its] : calls) {
        std::int64_t number = 0;
        for (const auto& [rank, own] : its.ofRank) number = std::max(number, own);
        std::vector<Cell> row(table.columns.size());
        const auto set = [&](std::string_view column, Cell cell) {
            row[static_cast<std::size_t>(std::ranges::find(table.columns, column, &engine::Column::name) -
                                         table.columns.begin())] = std::move(cell);
        };
        set("operation", name);
        set("ranks", std::to_string(its.ofRank.size()));
        set("calls", number);
        set("messages", its.messages);
        table.rows.push_back(std::move(row));
    }
    if (!calls.empty())
        addRemark(table,
                  "rows without an example are calls other than collectives, with the messages that the library "
                  "sent in them; the number of calls is the maximum over ranks. Table calls has their time");
}

void answer(TraceAnalysis& analysis, engine::Table& table) {
    const Trace& trace = analysis.trace();
    if (!trace.recording || trace.isCollscopeRun())
        return addRemark(table,
                         "only traces of programs show the algorithms of a "
                         "library");
    if (const std::optional<std::string> why = whyNothingInside(*trace.recording)) return addRemark(table, *why);
    setHeadings(table, {{"instance", "example"},
                        {"bytes_from", "smallest contribution"},
                        {"bytes_to", "largest contribution"},
                        {"time_s", "from last entry"},
                        {"times_bound", "from last entry/bound"}});
    using Key = std::tuple<std::string, std::int32_t, std::int32_t, std::string, std::string, std::string>;
    std::map<Key, Row> rows;
    std::map<const Identified*, std::optional<Picoseconds>> bounds;
    std::map<std::pair<const Identified*, std::size_t>, Contributions>
        sizes;  // by instance too where no problem is known
    for (std::size_t i = 0; i < analysis.instances().size(); ++i) {
        const Instance& instance = analysis.instances()[i];
        if (!instance.isCollective()) continue;
        const IdentifiedPtr known = analysis.identified(i);
        Row& row = rows[{instance.operation, instance.rankCount(), instance.groupB, instance.ofLibrary,
                         instance.component, keyOf(*known)}];
        const auto [size, isNewSize] = sizes.try_emplace({known.get(), known->problem ? 0 : i + 1});
        if (isNewSize)
            size->second =
                known->problem ? contributionsTo(*known->problem) : contributionsOf(*trace.recording, instance);
        const Contributions& its = size->second;
        if (row.calls == 0 || its.most > row.to) row.largest = i, row.to = its.most;
        row.from = row.calls == 0 ? its.least : std::min(row.from, its.least);
        ++row.calls;
        row.messages += instance.messageCount;
        row.time += timeFromLastEntry(instance);
        const auto [bound, isNew] = bounds.try_emplace(known.get());
        if (isNew && known->problem && analysis.model()) bound->second = limitsOf(analysis, *known).held().time;
        row.isBound = row.isBound && bound->second;
        row.bound += bound->second.value_or(Picoseconds{});
    }
    std::vector<const Row*> sorted;
    for (const auto& [key, row] : rows) sorted.push_back(&row);
    std::ranges::stable_sort(sorted, std::ranges::greater{}, &Row::time);
    const LibrarySetting setting = librarySettingOf(*trace.recording);
    std::set<std::size_t> kinds;
    for (const Row* const row : sorted) kinds.insert(analysis.kindOf(row->largest));
    AdvisedKinds advised;
    if (!kinds.empty())
        for (Advice& one : advice(analysis, kinds)) advised.emplace(analysis.kindOf(one.first), std::move(one));
    for (const Row* const row : sorted) addRow(analysis, table, *row, setting, advised);
    if (!setting.version.empty()) addRemark(table, text("library: ", setting.version));
    if (analysis.wish().asksForAll()) addOtherCalls(*trace.recording, table);
    if (const std::optional<engine::Model> model = analysis.model()) addRemark(table, modelWords(analysis, *model));
    else
        addRemark(table, text("no bounds and no best algorithm: ", analysis.whyNoModel(), "; give ",
                              engine::field::alpha, " and ", engine::field::beta));
    remarkOnClocks(analysis, table);
}

}  // namespace

TableDefinition definition() {
    return {
        .name = "library",
        .page = 25,
        .meaning = "algorithms that the MPI library used, by size, those requested, and the best of the catalogue",
        .title = "algorithms that the MPI library used in its collectives",
        .how =
            "the names are the library's own, where it has any; `catalogue` is recognised from the messages inside: the order in which each rank posted its sends and its receives. Times are from the last entry to the last exit; `best` is emulated, for the call with the most bytes, as what-if does",
        .columns =
            {{"instance", Content::count, "number of the call with the most bytes, from 1", CellLocation::instance},
             {"operation", Content::words, "the collective"},
             {"ranks", Content::words, "in the communicator; of an intercommunicator in A and in B"},
             {"bytes_from", Content::bytes,
              "smallest contribution of a rank: its block, of a reduction its vector, of an alltoall to one other rank, of a broadcast or scatter what a rank receives"},
             {"bytes_to", Content::bytes, "largest contribution of a rank, likewise"},
             {"executed", Content::words, "name that the library gives; else its component"},
             {"catalogue", Content::words, "algorithm of the catalogue whose messages match best"},
             {"differs", Content::words,
              "how the messages differ, such as missing and extra ones or another order; empty if they are the same, or if none were recorded"},
             {"asked", Content::words, "parameter that selects an algorithm"},
             {"instead", Content::words, "algorithm that ran instead, with the reason if known"},
             {"calls", Content::count, "calls that ran the same algorithm"},
             {"messages", Content::count, "messages inside these calls"},
             {"time_s", Content::time, "from the last entry to the last exit, added up over these calls"},
             {"times_bound", Content::number, "time_s divided by the sum of the lower bounds"},
             {"best", Content::words,
              "fastest algorithm of the catalogue for the call with the most bytes, emulated; empty where none is faster, or the emulation of the executed one is far from the measured time"},
             {"factor", Content::number, "speed-up of best over the executed algorithm, both emulated"},
             {"factor_low", Content::number, "least of the factor under the 95% intervals of alpha and beta"},
             {"factor_high", Content::number, "largest of the factor under these intervals"}},
        .answer = answer};
}

}  // namespace app::analysis::tables::about_library
