// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/tune/library_map.hpp"

#include "app/analysis/format/cell_format.hpp"
#include "app/analysis/format/csv.hpp"
#include "app/analysis/trace/library_use.hpp"
#include "app/session/replay/rule_words.hpp"
#include "app/session/run/live_order.hpp"
#include "app/session/run/scratch.hpp"
#include "app/session/session.hpp"
#include "app/session/tune/autotuner.hpp"
#include "app/session/tune/measurements.hpp"
#include "app/session/tune/rule_table.hpp"
#include "engine/base/error.hpp"
#include "engine/base/lines.hpp"
#include "engine/base/text.hpp"

#include <unistd.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>

namespace app::tune {
namespace {

using engine::Bytes;
using engine::Error;
using engine::text;
using engine::live::Called;

constexpr std::string_view header = "library,collective,ranks,bytes,executed,catalogue,differs,asked,instead,messages";
constexpr std::string_view unknown = "unknown";
constexpr double shareOfRun = 0.5;  // of the progress; the rest is analysis

/// Bytes of the buffers of all ranks, at most.
double memoryOf(const Cell& cell) {
    const auto ranks = static_cast<double>(cell.ranks);
    const bool hasBlocks = unitOfCollscope(cell.called) == Unit::block;
    return 2 * ranks * (hasBlocks ? ranks : 1) * static_cast<double>(cell.bytes);
}

std::vector<Cell> cellsFor(const LibraryMapWish& wish, std::vector<std::string>& remarks) {
    const double most = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE)) / 4;
    std::vector<Cell> cells = cellsOf(wish.calls, wish.ranks, wish.sizes);
    const auto tooLarge = std::erase_if(cells, [&](const Cell& cell) { return memoryOf(cell) > most; });
    if (tooLarge > 0)
        remarks.push_back(text(analysis::counted(static_cast<std::int64_t>(tooLarge), "case"),
                               " left out: the buffers would take more than a quarter of this machine's memory"));
    return cells;
}

/// "Open MPI v4.1.4" of what the library calls itself, which may be a page.
std::string shortVersion(const std::string& words) {
    std::string version = words.substr(0, words.find_first_of(",\t\n"));
    // MPICH: "MPICH Version: 4.0.2".
    if (const std::size_t colon = version.find(" Version:"); colon != std::string::npos) {
        const std::size_t number = version.find_first_not_of(" \t", colon + std::string_view{" Version:"}.size());
        version = version.substr(0, colon) + (number == std::string::npos ? "" : ' ' + version.substr(number));
    }
    return version;
}

/// The calls on communicators of one size, looked at some at a time: an analysis compares a limited number of different
/// instances with the catalogue.
class CallsOnRanks {
public:
    CallsOnRanks(const Trace& trace, std::int64_t ranks, const engine::Progress& progress)
        : trace_{trace}, name_{communicatorOfCalls(static_cast<std::int32_t>(ranks))}, stop_{progress.stop} {}

    /// The next instance, with the analysis that it belongs to. Throws Error where it is not the call of `cell`.
    std::pair<analysis::TraceAnalysis&, std::size_t> next(const Cell& cell) {
        if (at_ % atOnce == 0)
            analysis_ =
                std::make_unique<analysis::TraceAnalysis>(trace_, analysis::AnalysisOptions{.communicators = {name_}},
                                                          engine::Progress{.report = {}, .stop = stop_});
        const std::vector<analysis::Instance>& all = analysis_->instances();
        std::size_t place = 0;
        for (std::size_t i = 0; i < all.size(); ++i)
            if (all[i].isCollective() && place++ == at_) {
                const std::optional<Called> called = calledNamed(all[i].operation);
                if (called && *called != cell.called)
                    throw Error{text("the recording has ", all[i].operation, " instead of '", titleOf(cell),
                                     "'; leave this collective out")};
                return ++at_, std::pair<analysis::TraceAnalysis&, std::size_t>{*analysis_, i};
            }
        throw Error{text("the recording lacks '", titleOf(cell),
                         "': a process records a limited number of calls; COLLSCOPE_CALLS=N raises the limit")};
    }

private:
    static constexpr std::size_t atOnce = 200;

    const Trace& trace_;
    std::string name_;
    std::stop_token stop_;
    std::size_t at_ = 0;
    std::unique_ptr<analysis::TraceAnalysis> analysis_;
};

LibraryCase caseOf(analysis::TraceAnalysis& analysis, std::size_t instance, const analysis::LibrarySetting& setting,
                   const Cell& cell) {
    const analysis::LibraryUse use = usedIn(analysis, instance, setting);
    return {.collective = std::string{name(cell.called)},
            .ranks = cell.ranks,
            .bytes = cell.bytes,
            .executed = use.executed,
            .catalogue = use.catalogue,
            .differs = use.differs,
            .asked = use.asked,
            .instead = use.instead,
            .messages = analysis.instances()[instance].messageCount};
}

std::string libraryAlone(const LibraryMap& map) { return map.library.substr(0, map.library.find(" v")); }

using Place = std::tuple<std::string, std::int64_t, Bytes>;  // collective, ranks, bytes

std::map<Place, const LibraryCase*> byPlace(const LibraryMap& map) {
    std::map<Place, const LibraryCase*> places;
    for (const LibraryCase& one : map.cases) places.emplace(Place{one.collective, one.ranks, one.bytes}, &one);
    return places;
}

/// Changes of the same sizes on neighbouring numbers of ranks become one.
std::vector<LibraryChange> joinedByRanks(const std::vector<LibraryChange>& changes,
                                         const std::map<std::string, std::set<std::int64_t>>& ranks) {
    std::vector<LibraryChange> joined;
    for (const LibraryChange& one : changes) {
        const auto next = [&](std::int64_t number) {
            const std::set<std::int64_t>& all = ranks.at(one.collective);
            const auto above = all.upper_bound(number);
            return above == all.end() ? number : *above;
        };
        const auto before = std::ranges::find_if(joined, [&](const LibraryChange& other) {
            LibraryChange same = one;
            same.ranksFrom = other.ranksFrom, same.ranksTo = other.ranksTo;
            return same == other && next(other.ranksTo) == one.ranksFrom;
        });
        if (before == joined.end()) joined.push_back(one);
        else before->ranksTo = one.ranksTo;
    }
    return joined;
}

}  // namespace

LibraryMap libraryMap(const LibraryMapWish& wish, const Launch& launch, const engine::Progress& progress) {
    LibraryMap map;
    const std::vector<Cell> cells = cellsFor(wish, map.remarks);
    if (cells.empty())
        throw Error{text("--sizes: ", map.remarks.empty() ? "a reduce_scatter needs at least 4 bytes for each rank"
                                                          : map.remarks.front())};
    const Scratch scratch;
    LiveOrder order{.once = true, .archive = (scratch.folder() / "archive").string()};
    for (const Cell& cell : cells) order.cells.push_back(toText(cell));
    const auto most = static_cast<std::int32_t>(std::ranges::max(cells, {}, &Cell::ranks).ranks);
    const Launched launched = launch(order, scratch.folder(), most, within(progress, 0, shareOfRun));
    if (!launched.trouble.empty()) throw Error{text("the calls stopped: ", launched.trouble)};
    const Trace trace = analysis::openTrace(order.archive, analysis::Clocks::fittedWhereNeeded, {.stop = progress.stop},
                                            {.keep = traces::Keep::nowhere});
    if (const auto why = analysis::whyNothingInside(*trace.recording)) throw Error{*why};
    const analysis::LibrarySetting setting = analysis::librarySettingOf(*trace.recording);
    map.library = shortVersion(setting.version);
    std::map<std::int64_t, CallsOnRanks> calls;
    double done = 0;
    for (const Cell& cell : cells) {
        const auto [analysis, instance] =
            calls.try_emplace(cell.ranks, trace, cell.ranks, progress).first->second.next(cell);
        map.cases.push_back(caseOf(analysis, instance, setting, cell));
        progress.at(shareOfRun + (1 - shareOfRun) * ++done / static_cast<double>(cells.size()));
    }
    std::ranges::stable_sort(map.cases, {}, [&](const LibraryCase& one) {
        return std::ranges::find(wish.calls, one.collective, [](Called called) { return name(called); }) -
               wish.calls.begin();
    });
    return map;
}

Naming namingOf(const LibraryMap& map) {
    return std::ranges::any_of(map.cases, [](const LibraryCase& one) { return !one.executed.empty(); })
               ? Naming::library
               : Naming::catalogue;
}

Naming namingOf(const LibraryMap& a, const LibraryMap& b) {
    return libraryAlone(a) == libraryAlone(b) ? std::max(namingOf(a), namingOf(b)) : Naming::catalogue;
}

std::string algorithmIn(const LibraryCase& one, Naming naming) {
    if (naming == Naming::library && !one.executed.empty()) return one.executed;
    if (one.catalogue.empty()) return std::string{unknown};
    return one.differs.empty() ? one.catalogue : "like " + one.catalogue;
}

std::string toCsv(const LibraryMap& map) {
    std::string words = text(header, '\n');
    for (const LibraryCase& one : map.cases) {
        words += text(analysis::csvCell(map.library), ',', analysis::csvCell(one.collective), ',', one.ranks, ',',
                      one.bytes);
        for (const std::string* const cell : {&one.executed, &one.catalogue, &one.differs, &one.asked, &one.instead})
            words += ',' + analysis::csvCell(*cell);
        words += text(',', one.messages, '\n');
    }
    return words;
}

LibraryMap libraryMapFrom(std::string_view csv, const std::string& file) {
    LibraryMap map;
    std::set<Place> places;
    if (csv.substr(0, csv.find('\n')) != header)
        throw Error{
            text(file, ": not a map that 'collscope library -o FILE.csv' wrote: the first line must be ", header)};
    engine::eachLine(csv, file, engine::Comments::wholeLines, [&](std::string_view line, std::int64_t number) {
        if (number == 1) return;
        const auto cells = analysis::csvCells(line);
        if (!cells || cells->size() != 10) throw Error{"must have 10 cells, as the first line"};
        const auto count = [&](std::size_t cell, std::string_view what) {
            return engine::readInteger((*cells)[cell], what, 0, std::int64_t{1} << 50);
        };
        LibraryCase one{.collective = (*cells)[1],
                        .ranks = count(2, "ranks"),
                        .bytes = count(3, "bytes"),
                        .executed = (*cells)[4],
                        .catalogue = (*cells)[5],
                        .differs = (*cells)[6],
                        .asked = (*cells)[7],
                        .instead = (*cells)[8],
                        .messages = count(9, "messages")};
        if (!places.emplace(one.collective, one.ranks, one.bytes).second)
            throw Error{"the same collective, ranks and bytes as in an earlier line"};
        map.library = (*cells)[0];
        map.cases.push_back(std::move(one));
    });
    if (map.cases.empty()) throw Error{text(file, ": has no case")};
    return map;
}

LibraryComparison compared(const LibraryMap& a, const LibraryMap& b) {
    const Naming naming = namingOf(a, b);
    const auto before = byPlace(a), after = byPlace(b);
    LibraryComparison comparison;
    std::vector<LibraryChange> changes;
    std::set<Place> places;
    std::map<std::string, std::set<std::int64_t>> ranks;  // by collective
    for (const LibraryMap* const map : {&a, &b})
        for (const LibraryCase& one : map->cases) {
            places.emplace(one.collective, one.ranks, one.bytes);
            ranks[one.collective].insert(one.ranks);
        }
    const LibraryCase* last = nullptr;  // the case before, where it is a change
    for (const Place& place : places) {
        const auto old = before.find(place), its = after.find(place);
        if (old == before.end() || its == after.end()) {
            ++comparison.alone;
            last = nullptr;
            continue;
        }
        ++comparison.common;
        const LibraryCase& one = *old->second;
        const LibraryChange change{one.collective,
                                   one.ranks,
                                   one.ranks,
                                   one.bytes,
                                   one.bytes,
                                   algorithmIn(one, naming),
                                   algorithmIn(*its->second, naming)};
        const bool sameColumn = last != nullptr && last->collective == one.collective && last->ranks == one.ranks;
        last = change.before != change.after ? &one : nullptr;
        if (last == nullptr) continue;
        ++comparison.changed;
        if (sameColumn && changes.back().before == change.before && changes.back().after == change.after)
            changes.back().bytesTo = change.bytesTo;
        else changes.push_back(change);
    }
    comparison.changes = joinedByRanks(changes, ranks);
    return comparison;
}

}  // namespace app::tune
