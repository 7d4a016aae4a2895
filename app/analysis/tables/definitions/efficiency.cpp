// SPDX-License-Identifier: BSD-3-Clause
// Parallel efficiency of the program, of its regions and of its iterations.
#include "app/analysis/efficiency/efficiency.hpp"
#include "app/analysis/format/cell_format.hpp"
#include "app/analysis/overview/program_view.hpp"
#include "app/analysis/program/iterations.hpp"
#include "app/analysis/selection/program_time.hpp"
#include "app/analysis/tables/table_helpers.hpp"
#include "engine/base/text.hpp"
#include "traces/recording/training.hpp"

namespace app::analysis::tables::about_efficiency {
namespace {

using engine::cell;
using engine::Cell;
using engine::Content;
using engine::showTime;
using engine::text;

void addRow(engine::Table& table, Cell part, Cell begin, const Efficiency& its) {
    // A share of nothing is unknown.
    const auto of = [](engine::Picoseconds whole, double share) {
        return whole > engine::Picoseconds{} ? Cell{share} : Cell{};
    };
    const bool hasIdeal = its.idealTime.has_value();
    const bool hasRegions = its.threads && its.threads->hasParallelRegions;
    table.rows.push_back({std::move(part), std::move(begin), its.time(), of(its.time(), its.parallel()),
                          of(its.maxComputation, its.loadBalance()), of(its.time(), its.communication()),
                          hasIdeal ? of(*its.idealTime, its.serialization()) : Cell{},
                          hasIdeal ? of(its.time(), its.transfer()) : Cell{}, its.meanComputation, its.maxComputation,
                          cell(its.maxRank), hasIdeal ? Cell{*its.idealTime} : Cell{},
                          its.threads ? Cell{its.threads->count} : Cell{},
                          its.threads ? of(its.time(), its.hybrid()) : Cell{},
                          its.threads ? of(its.meanComputation, its.thread()) : Cell{},
                          hasRegions ? of(its.meanComputation, its.parallelRegion()) : Cell{},
                          hasRegions ? of(its.meanComputation, its.serialRegion()) : Cell{},
                          its.threads ? Cell{its.threads->mean.all} : Cell{}});
}

/// Smaller shares of the time are left out, and regions beyond so many.
constexpr double leastOfRegion = 0.01;
constexpr std::size_t mostRegions = 20;

/// By region, how many of the ranks enter it.
std::vector<std::int64_t> ranksInRegions(const traces::Recording& recording, const Part& part) {
    std::vector<std::int64_t> ranks(recording.regions.size());
    for (engine::Rank rank{0}; rank.value < recording.ranks; ++rank) {
        const std::int32_t location = part.has(rank) ? recording.locationOf(rank) : traces::noIndex;
        if (location == traces::noIndex) continue;
        std::vector<bool> entered(ranks.size());
        for (const std::int32_t region : recording.states[engine::asSize(location)].region)
            entered[engine::asSize(region)] = true;
        for (std::size_t region = 0; region < ranks.size(); ++region) ranks[region] += entered[region] ? 1 : 0;
    }
    return ranks;
}

void addRegions(engine::Table& table, TraceAnalysis& analysis, const engine::Progress& progress) {
    std::vector<RegionEfficiency> regions = efficienciesOfRegions(*analysis.callPaths(), analysis.span(),
                                                                  analysis.wish().part.ranks, leastOfRegion, progress);
    // What one rank does alone has no balance; it lowers that of the region around it.
    const std::vector<std::int64_t> ranks = ranksInRegions(*analysis.trace().recording, analysis.wish().part);
    const bool areSeveral = std::ranges::any_of(ranks, [](std::int64_t count) { return count > 1; });
    const auto isAlone = [&](const RegionEfficiency& one) {
        return areSeveral && ranks[engine::asSize(one.region)] == 1;
    };
    if (const auto alone = std::erase_if(regions, isAlone); alone > 0)
        addRemark(table, text(counted(static_cast<std::int64_t>(alone), "region"), alone == 1 ? " is" : " are",
                              " left out because one rank alone enters ", alone == 1 ? "it" : "them"));
    for (const auto& [region, its] : std::span{regions}.first(std::min(mostRegions, regions.size())))
        addRow(table, cell(text("region ", analysis.trace().recording->regions[engine::asSize(region)].title())),
               Cell{}, its);
    if (regions.size() > mostRegions)
        addRemark(table, text("the ", mostRegions, " regions with the most time are listed, of ", regions.size(),
                              " with 1% of the time or more"));
}

/// Leaves computation and times alone, from which the contradiction follows.
void clearShares(engine::Table& table) {
    for (std::size_t column = 0; column < table.columns.size(); ++column)
        if (table.columns[column].content == Content::share)
            for (std::vector<Cell>& row : table.rows) row[column] = Cell{};
}

void answer(TraceAnalysis& analysis, engine::Table& table) {
    if (!isProgram(analysis.trace())) return addRemark(table, "no calls of a program were recorded");
    const traces::Recording& recording = *analysis.trace().recording;
    if (traces::isTraining(recording))
        return addRemark(table,
                         "kernels of communication do not block the ranks of a training job; see the table steps");
    const Part& part = analysis.wish().part;
    const engine::Progress within{.report = {}, .stop = analysis.progress().stop};
    Efficiencies efficiencies{recording, within};
    const Efficiency whole = efficiencies.of(analysis.span(), part.ranks);
    addRow(table, cell(analysis.wish().asksForAll() ? "whole program" : "selected part"), whole.span.begin, whole);
    std::vector<engine::Rank> ranks;
    for (engine::Rank rank{0}; rank.value < recording.ranks; ++rank)
        if (part.has(rank)) ranks.push_back(rank);
    if (analysis.callPaths() != nullptr) {
        addRegions(table, analysis, within);
        const Iterations found = iterationsOf(*analysis.callPaths(), ranks, {}, within, part);
        // Ranks are in different iterations at one time: each counts from its own start to its own end.
        bool isAnyCut = false, isAnyEarlier = false;
        for (std::size_t k = 0; k < found.all.size(); ++k) {
            const Iteration& one = found.all[k];
            if (one.isOutside || one.duration <= engine::Picoseconds{}) continue;
            std::vector<traces::TimeSpan> windows;
            for (const auto& spans : found.spans) windows.push_back(spans[k]);
            isAnyCut = isAnyCut || one.isCut;
            isAnyEarlier = isAnyEarlier || windows.front().begin < whole.span.begin;
            const Efficiency its = efficiencies.ofIteration(found.ranks, windows);
            addRow(table,
                   cell(text(one.name.empty() ? text("iteration ", k + 1) : one.name, one.isCut ? " " : "",
                             one.isCut ? cutMark : "")),
                   its.span.begin, its);
        }
        if (!found.all.empty())
            addRemark(
                table,
                "of an iteration each rank counts from its own start to its own end: the start is that of the first "
                "rank, the duration that of the rank that took longest, as in table iterations; iterations overlap, so "
                "that their durations may add up to more than the program takes");
        if (isAnyEarlier)
            addRemark(table,
                      "an iteration can start before the program, which is measured from the last exit from MPI_Init");
        if (isAnyCut) addRemark(table, std::string{cutRemark});
    }
    if (const engine::Picoseconds gaps = gapsWithin(recording, whole.span); gaps > engine::Picoseconds{})
        addRemark(table, text("gaps in the recording, ", showTime(gaps),
                              " summed over ranks, count neither as computation nor as transfer on the ideal network"));
    if (whole.contradictsItself()) {
        clearShares(table);
        addRemark(
            table,
            text(
                "the clocks of ranks contradict each other, so efficiencies are unknown: on an ideal network the program would take ",
                showTime(*whole.idealTime), ", more than the ", showTime(whole.time()), " recorded"));
    }
    if (whole.threads && whole.thread() > 1)
        addRemark(table, "threads compute while their ranks are in MPI, so the thread efficiency exceeds 1");
    if (const Threads threads{recording}; !whole.threads && threads.count() > threads.ranks())
        addRemark(table, "what threads do outside of MPI was not recorded, so the efficiency of threads is unknown");
    remarkOnClocks(analysis, table);
}

}  // namespace

TableDefinition definition() {
    return {
        .name = "efficiency",
        .page = 5,
        .meaning = "parallel efficiency of the program, its regions and iterations, and its factors, by POP's model",
        .title = "parallel efficiency and its factors",
        .how =
            "parallel = load balance x communication; communication = serialization x transfer; on the ideal network messages "
            "take no time; regions with 1% of the time or more that several ranks enter are listed; the program is measured from the last exit from MPI_Init to the last entry into MPI_Finalize",
        .columns =
            {{"part", Content::words, "whole program, selected part, region, or iteration"},
             {"begin_s", Content::time, "start", CellLocation::begin},
             {"duration_s", Content::time,
              "length; of an iteration or a region the time of the rank with the longest one", CellLocation::duration},
             {"parallel_share", Content::share, "parallel efficiency: mean computation / time"},
             {"load_balance_share", Content::share, "mean computation / maximum computation"},
             {"communication_share", Content::share, "communication efficiency: maximum computation / time"},
             {"serialization_share", Content::share,
              "serialization efficiency: maximum computation / time on an ideal network"},
             {"transfer_share", Content::share, "transfer efficiency: time on an ideal network / time"},
             {"mean_computation_s", Content::time, "time outside of MPI, mean over ranks"},
             {"max_computation_s", Content::time, "time outside of MPI of the rank with the most"},
             {"max_computation_rank", Content::rank, "that rank", CellLocation::rank},
             {"ideal_network_s", Content::time, "duration on an ideal network, on which messages take no time"},
             {"threads", Content::count, "number of threads, summed over ranks; empty if no rank has more than one"},
             {"hybrid_share", Content::share,
              "efficiency of ranks and threads: parallel efficiency x thread efficiency"},
             {"thread_share", Content::share,
              "thread efficiency: mean computation of threads / mean computation; parallel regions x serial regions"},
             {"parallel_region_share", Content::share,
              "parallel region efficiency: low if threads wait in barriers, locks or the runtime of parallel regions"},
             {"serial_region_share", Content::share,
              "serial region efficiency: low if other threads are idle while the rank's own thread computes"},
             {"mean_thread_computation_s", Content::time,
              "computation of a thread, mean over the threads of a rank, then over ranks"}},
        .answer = answer};
}

}  // namespace app::analysis::tables::about_efficiency
