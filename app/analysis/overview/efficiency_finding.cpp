// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/overview/efficiency_finding.hpp"

#include "app/analysis/calls/activity.hpp"
#include "app/analysis/calls/thread_ids.hpp"
#include "app/analysis/format/cell_format.hpp"
#include "app/analysis/program/call_path_profile.hpp"
#include "app/analysis/selection/program_time.hpp"
#include "engine/base/option_placeholders.hpp"
#include "engine/base/text.hpp"
#include "traces/recording/vocabulary.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace app::analysis {

using engine::Picoseconds;
using engine::text;

namespace {

/// The MPI function with the most time that is no waiting, and where it is called; empty where none has a tenth of it.
std::string transferWords(TraceAnalysis& analysis) {
    if (analysis.callPaths() == nullptr) return {};
    const CallPaths& paths = *analysis.callPaths();
    const CallProfile profile{
        paths, analysis.selection(), analysis.waits(), {.report = {}, .stop = analysis.progress().stop}};
    Picoseconds all{};
    struct OfFunction {
        Picoseconds time{};
        std::vector<std::pair<Picoseconds, PathId>> paths{};
    };
    std::map<std::string, OfFunction> functions;
    for (PathId path = 0; path < profile.paths().size(); ++path) {
        const std::int32_t region = path == outsideOfCalls ? traces::noIndex : paths[path].region;
        if (region == traces::noIndex) continue;
        const traces::Region& its = paths.recording().regions[engine::asSize(region)];
        if (!isMpiCall(its) || its.call == traces::Call::setup) continue;
        const Picoseconds time = profile.paths()[path].own - profile.paths()[path].waiting;
        all += time;
        OfFunction& own = functions[its.name];
        own.time += time;
        own.paths.emplace_back(time, path);
    }
    const auto first = std::ranges::max_element(functions, {}, [](const auto& one) { return one.second.time; });
    if (first == functions.end() || 10 * first->second.time < all || first->second.time.count() <= 0) return {};
    const auto& [name, most] = *first;
    const auto& [time, longest] = *std::ranges::max_element(most.paths);
    const bool isOne = most.paths.size() == 1;
    const std::string part = isOne ? ""
                                   : text("; ", percent(ratio(time, most.time)), " of this time is in ",
                                          paths.name(longest), ", one of ", most.paths.size(), " call paths");
    return text(' ', isOne ? paths.name(longest) : name, " accounts for ", percent(ratio(most.time, all)),
                " of the MPI time that is not waiting", part, ".");
}

/// That waiting which was not recorded counts as transfer; empty where all was.
std::string unseenWaitingWords(TraceAnalysis& analysis) {
    std::int64_t calls = 0;
    for (const traces::NotRecorded& one : analysis.trace().recording->absences)
        if (one.what == traces::Absence::collective || one.what == traces::Absence::messages) calls += one.count;
    if (calls == 0) return {};
    return text(" Time in transfer includes waiting that was not recorded: the partners of ", counted(calls, "call"),
                " are unknown (see ", engine::field::tables, " not-recorded).");
}

/// The share of the total rank time in gaps of the recording; empty where that is little.
std::string gapWords(TraceAnalysis& analysis, traces::TimeSpan span) {
    constexpr double little = 0.01;
    const traces::Recording& recording = *analysis.trace().recording;
    const Picoseconds all = (span.end - span.begin) * recording.ranks;
    const double share = all > Picoseconds{} ? ratio(gapsWithin(recording, span), all) : 0;
    if (share < little) return {};
    return text(' ', percent(share), " of the total rank time was not recorded; it counts as time in MPI.");
}

/// " in this part", with times where efficiencies are of less of it than all else: between MPI_Init and MPI_Finalize.
std::string spanWords(TraceAnalysis& analysis, traces::TimeSpan span) {
    const std::string part = analysis.wish().inThisPart();
    const traces::TimeSpan analysed = analysis.analysedSpan();
    const Part& asked = analysis.wish().part;
    const bool isAll = 100 * (span.end - span.begin) >= 99 * (analysed.end - analysed.begin);
    if (isAll || (!asked.from && !asked.to)) return part;
    const SetUpTimes times = setUpTimes(*analysis.trace().recording);
    return text(part, ", from ", engine::showTime(span.begin, engine::ofPoints), " to ",
                engine::showTime(span.end, engine::ofPoints), " of the trace",
                times.initialised || times.finalizes ? " (between MPI_Init and MPI_Finalize)" : "", ",");
}

}  // namespace

std::optional<SerialChain> serializationOf(TraceAnalysis& analysis) {
    const std::optional<Efficiency>& its = analysis.efficiency();
    constexpr double serial = 0.8;
    if (!its || !its->idealTime || its->contradictsItself() || its->serialization() >= serial) return std::nullopt;
    return serialChainOf(criticalPath(*analysis.trace().recording, analysis.blockingCalls(), analysis.analysedSpan()),
                         analysis.trace().recording->ranks);
}

std::optional<Finding> efficiencyFinding(TraceAnalysis& analysis, const std::optional<SerialChain>& chain) {
    const std::optional<Efficiency>& its = analysis.efficiency();
    if (!its) return std::nullopt;
    Finding finding{.kind = FindingKind::efficiency, .place = {.begin = its->span.begin, .end = its->span.end}};
    if (its->contradictsItself()) {
        finding.severity = Severity::caution;
        finding.words = text("Parallel efficiency is not known: the clocks of ranks contradict each other. See ",
                             engine::field::tables, " efficiency.");
        return finding;
    }
    finding.facts = {
        {"parallel_share", its->parallel()},           {"load_balance_share", its->loadBalance()},
        {"communication_share", its->communication()}, {"mean_computation_s", its->meanComputation},
        {"max_computation_s", its->maxComputation},    {"max_computation_rank", engine::cell(its->maxRank)}};
    std::vector<std::string> factors{text("load balance ", percent(its->loadBalance()))};
    if (its->idealTime) {
        factors.push_back(text("serialization efficiency ", percent(its->serialization())));
        factors.push_back(text("transfer efficiency ", percent(its->transfer())));
        finding.facts.push_back({"serialization_share", its->serialization()});
        finding.facts.push_back({"transfer_share", its->transfer()});
    } else {
        factors.push_back(text("communication efficiency ", percent(its->communication())));
    }
    if (its->threads) {
        std::string regions;
        finding.facts.insert(finding.facts.end(), {{"hybrid_share", its->hybrid()}, {"thread_share", its->thread()}});
        if (its->threads->hasParallelRegions) {
            regions = text(" (parallel regions ", percent(its->parallelRegion()), ", serial regions ",
                           percent(its->serialRegion()), ")");
            finding.facts.insert(finding.facts.end(), {{"parallel_region_share", its->parallelRegion()},
                                                       {"serial_region_share", its->serialRegion()}});
        }
        factors.push_back(text("thread efficiency ", percent(its->thread()), regions));
    }
    if (!its->isGood()) finding.facts.push_back({"limited_by", engine::cell(std::string{its->limitedBy()})});
    finding.words = text("Parallel efficiency", its->threads ? " of ranks and threads" : "",
                         spanWords(analysis, its->span), " is ", percent(its->hybrid()),
                         its->isGood() ? "" : text(", limited by ", its->limitedBy()), ": ", listed(factors), ".");
    if (const Threads threads{*analysis.trace().recording}; !its->threads && threads.count() > threads.ranks())
        finding.words += " These are efficiencies of the main threads: what other threads computed was not recorded.";
    finding.words += gapWords(analysis, its->span);
    if (!its->isGood() && its->limitedBy() == "load balance") finding.place.rank = its->maxRank;
    if (chain) {
        finding.words += text(" Serialization: ", inWords(*chain), ".");
        finding.facts.insert(finding.facts.end(),
                             {{"chain_ranks", static_cast<std::int64_t>(chain->ranks.size())},
                              {"chain_first_rank", engine::cell(chain->ranks.front())},
                              {"chain_times", chain->times},
                              {"chain_computation_s", chain->computation},
                              {"chain_by_lock", engine::cell(std::string{chain->isByLock ? "yes" : "no"})}});
    }
    if (!its->isGood() && analysis.trace().sharesProcessors())
        finding.words +=
            " Ranks share processors: computation and calls include waiting for a processor. With a processor for each "
            "rank these factors may be entirely different.";
    // What a rank polled is written when it calls something else.
    if (const std::string* const standing = analysis.trace().propertyOfProgram(traces::own::standing);
        standing != nullptr && standing->find(" polling with ") != std::string::npos)
        finding.words += " A rank that polled when the program ended seems to compute.";
    if (its->isTransferLimited()) finding.words += unseenWaitingWords(analysis) + transferWords(analysis);
    return finding;
}

}  // namespace app::analysis
