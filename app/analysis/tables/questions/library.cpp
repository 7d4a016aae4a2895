// SPDX-License-Identifier: BSD-3-Clause
// Which algorithms the MPI library ran, for which sizes, and how far they are from the best of the catalogue.
#include "app/analysis/collectives/library.hpp"
#include "app/analysis/findings/collective_gap.hpp"
#include "app/analysis/format/cell_format.hpp"
#include "app/analysis/schedule/schedule_conformance.hpp"
#include "app/analysis/tables/table_helpers.hpp"
#include "engine/base/field.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace app::analysis::questions::about_library {
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

/// What one rank contributes; of all-to-all to one other rank.
Bytes sizeOf(const Instance& instance) {
    if (instance.problem) return instance.problem->layout.largest();
    return instance.bytes / std::max(1, instance.rankCount());
}

std::string keyOf(const Identified& known) {
    const engine::Plan* const plan = known.likest();
    return plan == nullptr ? "" : text(plan->algorithm->id, ' ', known.confidence() >= 1 ? "same" : "");
}

/// "3 messages are missing, 3 extra".
std::string differenceWords(TraceAnalysis& analysis, std::size_t i, const engine::Plan* plan) {
    const IdentifiedPtr known = analysis.identified(i);
    if (!analysis.instances()[i].hasMessages || known->confidence() >= 1) return {};
    if (plan == nullptr)
        return known->lookedAt && known->problem
                   ? "fewer than half of the messages match any algorithm of the catalogue"
                   : text("not compared: ", known->whyNoProblem);
    analysis.bringMessages({i});
    std::int64_t missing = 0, extra = 0;
    for (const DifferenceRow& row :
         differences(*analysis.instances()[i].run, *plan->schedule, {}, {.stop = analysis.progress().stop})) {
        missing += row.what == Difference::missing ? 1 : 0;
        extra += row.what == Difference::extra ? 1 : 0;
    }
    if (missing + extra == 0) return "the same messages in another order";
    return text(counted(missing, "message"), " missing, ", extra, " extra");
}

struct Asked {
    std::string words;
    std::string why;
};

bool isKnownAs(const engine::Plan& plan, const engine::KnownAs& known) {
    return std::ranges::any_of(plan.algorithm->knownAs, [&](const engine::KnownAs& one) {
        return one.library == known.library && one.call == known.call && one.name == known.name;
    });
}

/// The likest; of several that are equally like, or where none is the same, the one that is what the library ran, or
/// was asked for.
const engine::Plan* likest(const LibrarySetting& setting, const Instance& instance, const Identified& known) {
    std::optional<engine::KnownAs> preferred = ranAs(instance.ofLibrary, instance.operation);
    if (!preferred)
        if (const auto wanted = askedFor(setting, instance)) preferred = wanted->known;
    for (const Recognition& one : known.found)
        if (preferred && (one.confidence == known.found.front().confidence || known.confidence() < 1) &&
            isKnownAs(one.plan, *preferred))
            return &one.plan;
    return known.likest();
}

Asked asked(const LibrarySetting& setting, const Instance& instance, const Identified& known) {
    const std::optional<AskedFor> wanted = askedFor(setting, instance);
    if (!wanted) return {};
    const std::string words = wanted->known.name.empty() || wanted->known.number < 0
                                  ? wanted->parameter
                                  : text(wanted->parameter, " (", wanted->known.name, ')');
    if (const auto ran = ranAs(instance.ofLibrary, instance.operation)) {
        if (ran->number == wanted->known.number) return {words, {}};
        const std::string why = whyInstead(*wanted, *ran, instance.rankCount());
        return {words, text(ran->name, " ran", why.empty() ? "" : ": ", why)};
    }
    if (!instance.component.empty() && instance.component != "tuned")
        return {words, text("component ", instance.component, " ran, to which the parameter does not apply")};
    // Where the library names nothing, the messages show what ran.
    const engine::Plan* const plan = likest(setting, instance, known);
    if (plan == nullptr || known.confidence() < 1 || wanted->known.number >= 0) return {words, {}};
    return {words, isKnownAs(*plan, wanted->known) ? "" : text(plan->algorithm->id, " ran")};
}

/// What the library ran: its name, or that which the messages have.
std::string executed(const Instance& instance) {
    if (!instance.ofLibrary.empty()) return instance.ofLibrary;
    return instance.component.empty() ? "" : text("(component ", instance.component, ')');
}

void addRow(TraceAnalysis& analysis, engine::Table& table, const Row& row, const LibrarySetting& setting) {
    const Instance& instance = analysis.instances()[row.largest];
    const IdentifiedPtr known = analysis.identified(row.largest);
    const engine::Plan* const plan = likest(setting, instance, *known);
    const Asked wanted = asked(setting, instance, *known);
    const WhatIf* const others = analysis.whatIf(row.largest);
    const bool isCompared = others != nullptr && !others->ranked.empty() && instance.rankCount() > 1;
    const Alternative* const best = isCompared ? &others->ranked.front() : nullptr;
    // The emulation is that of the likest algorithm, which need not be the one that is shown.
    const std::optional<Picoseconds> again = plan != nullptr && known->plan && wordsOf(*plan) == wordsOf(*known->plan)
                                                 ? analysis.again(row.largest)
                                                 : std::nullopt;
    const auto words = [](std::string value) { return value.empty() ? Cell{} : Cell{std::move(value)}; };
    table.rows.push_back(
        {static_cast<std::int64_t>(row.largest) + 1, instance.operation,
         instance.groupB > 0 ? text(instance.groupA, '+', instance.groupB) : std::to_string(instance.rankCount()),
         row.from, row.to, words(executed(instance)), words(plan != nullptr ? wordsOf(*plan) : ""),
         words(differenceWords(analysis, row.largest, plan)), words(wanted.words), words(wanted.why), row.calls,
         instance.hasMessages ? Cell{row.messages} : Cell{}, row.time,
         row.isBound && row.bound > Picoseconds{}
             ? Cell{static_cast<double>(row.time.count()) / static_cast<double>(row.bound.count())}
             : Cell{},
         best != nullptr ? Cell{wordsOf(best->plan)} : Cell{},
         best != nullptr && again && best->time > Picoseconds{}
             ? Cell{static_cast<double>(again->count()) / static_cast<double>(best->time.count())}
             : Cell{}});
}

void answer(TraceAnalysis& analysis, engine::Table& table) {
    const Trace& trace = analysis.trace();
    if (!trace.recording || trace.own()) return addRemark(table, "only traces of programs show what a library ran");
    if (const std::optional<std::string> why = whyNothingInside(*trace.recording)) return addRemark(table, *why);
    using Key = std::tuple<std::string, std::int32_t, std::int32_t, std::string, std::string, std::string>;
    std::map<Key, Row> rows;
    std::map<const Identified*, std::optional<Picoseconds>> bounds;
    for (std::size_t i = 0; i < analysis.instances().size(); ++i) {
        const Instance& instance = analysis.instances()[i];
        if (!instance.isCollective()) continue;
        const IdentifiedPtr known = analysis.identified(i);
        Row& row = rows[{instance.operation, instance.rankCount(), instance.groupB, instance.ofLibrary,
                         instance.component, keyOf(*known)}];
        const Bytes size = sizeOf(instance);
        if (row.calls == 0 || size > row.to) row.largest = i, row.to = size;
        row.from = row.calls == 0 ? size : std::min(row.from, size);
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
    for (const Row* const row : sorted) addRow(analysis, table, *row, setting);
    if (!setting.version.empty()) addRemark(table, text("library: ", setting.version));
    const auto others =
        !analysis.wish().asksForAll()
            ? 0
            : std::ranges::count_if(trace.recording->library.collective, [&](std::int32_t within) {
                  return within == traces::noIndex ||
                         !isCommunication(trace.recording->collectives.instances[engine::asSize(within)].operation);
              });
    if (others > 0)
        addRemark(table, text(counted(others, "message"), others == 1 ? " of the library was" : " of the library were",
                              " sent in calls that are not collectives, such as MPI_Comm_split"));
    if (const std::optional<engine::Model> model = analysis.model()) addRemark(table, modelWords(analysis, *model));
    else
        addRemark(table, text("no bounds and no best algorithm: ", analysis.whyNoModel(), "; give ",
                              engine::field::alpha, " and ", engine::field::beta));
    remarkOnClocks(analysis, table);
}

}  // namespace

Question question() {
    return {
        .name = "library",
        .page = 25,
        .meaning =
            "which algorithms the MPI library ran for which sizes, what it was asked for, and the best of the catalogue",
        .title = "what the MPI library ran in its collectives",
        .how =
            "the names are the library's own, where it has any; `catalogue` is recognised from the messages inside: the order in which each rank posted its sends and its receives. Times are from the last entry to the last exit; `best` is emulated, for the call with the most bytes, as what-if does",
        .columns = {{"instance", Content::count, "number of the call with the most bytes, from 1", Leads::instance},
                    {"operation", Content::words, "the collective"},
                    {"ranks", Content::words, "in the communicator; of an intercommunicator in A and in B"},
                    {"bytes_from", Content::bytes, "smallest contribution of a rank; of an alltoall to one other rank"},
                    {"bytes_to", Content::bytes, "largest contribution of a rank"},
                    {"executed", Content::words, "name that the library gives; else its component"},
                    {"catalogue", Content::words, "algorithm of the catalogue whose messages match best"},
                    {"differs", Content::words,
                     "missing and extra messages; empty if they are the same or not recorded"},
                    {"asked", Content::words, "parameter that selects an algorithm"},
                    {"instead", Content::words, "what ran instead, with the reason if known"},
                    {"calls", Content::count, "calls that ran the same algorithm"},
                    {"messages", Content::count, "messages inside these calls"},
                    {"time_s", Content::time, "from the last entry to the last exit, added up over these calls"},
                    {"times_bound", Content::number, "time_s divided by the sum of the lower bounds"},
                    {"best", Content::words,
                     "fastest algorithm of the catalogue for the call with the most bytes, emulated"},
                    {"factor", Content::number, "speed-up of best over the executed algorithm, both emulated"}},
        .answer = answer};
}

}  // namespace app::analysis::questions::about_library
