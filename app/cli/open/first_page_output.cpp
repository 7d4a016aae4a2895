// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/open/first_page_output.hpp"

#include "app/analysis/collectives/amounts.hpp"
#include "app/analysis/efficiency/efficiency.hpp"
#include "app/analysis/overview/first_page.hpp"
#include "app/analysis/overview/program_view.hpp"
#include "app/analysis/program/rank_activity.hpp"
#include "app/analysis/schedule/logical_rounds.hpp"
#include "app/analysis/selection/program_time.hpp"
#include "app/cli/output/json.hpp"
#include "app/cli/output/run_summary.hpp"
#include "app/cli/output/tables.hpp"
#include "engine/base/text.hpp"
#include "traces/recording/training.hpp"
#include "traces/recording/vocabulary.hpp"

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace app::cli {

using engine::Picoseconds;
using engine::text;

namespace {

/// Which part that is.
Json partJson(analysis::TraceAnalysis& analysis) {
    const traces::TimeSpan span = analysis.span();
    Json ranks = Json::array();
    for (const engine::Rank rank : analysis.wish().part.ranks) ranks.push_back(rank.value);
    return {{"from_s", engine::seconds(span.begin)},
            {"to_s", engine::seconds(span.end)},
            {"ranks", analysis.wish().part.ranks.empty() ? Json{} : ranks}};
}

/// "2 of 128 ranks recorded": how many of `all` ranks of the part were.
std::string ranksOf(const Trace& trace, std::int64_t all, const analysis::Part& part) {
    std::int64_t recorded = all;
    if (trace.recording && !trace.isCollscopeRun()) {
        const std::vector<bool> its = traces::recordedRanks(*trace.recording);
        for (engine::Rank rank{0}; rank.index() < its.size(); ++rank)
            if (part.has(rank) && !its[rank.index()]) --recorded;
    }
    return analysis::countedRanks(recorded, all);
}

/// What a page of a part is about.
void writePartHead(analysis::TraceAnalysis& analysis, const Console& console) {
    std::int64_t messages = 0, collectives = 0;
    for (const analysis::Instance& instance : analysis.instances()) {
        if (instance.isNative || instance.isAmongNeighbours() || !instance.hasMessages)
            collectives += instance.isCollective() ? 1 : 0;
        else messages += instance.messageCount;
    }
    const analysis::Part& part = analysis.wish().part;
    const traces::TimeSpan span = analysis.span();
    const std::int64_t all =
        part.ranks.empty() ? analysis.trace().report.run->ranks : static_cast<std::int64_t>(part.ranks.size());
    const std::string words =
        text("In this part: ", ranksOf(analysis.trace(), all, part), ", ", analysis::counted(messages, "message"),
             analysis.trace().isCollscopeRun() ? "" : text(", ", analysis::counted(collectives, "collective")), "; ",
             engine::showTime(span.end - span.begin));
    console.write(words, Tone::strong);
}

/// Messages that belong to collectives.
std::int64_t ofNeighbours(const traces::Recording& recording) {
    const auto& instances = recording.collectives.instances;
    if (std::none_of(instances.begin(), instances.end(),
                     [](const traces::Collective& one) { return isAmongNeighbours(one.operation); }))
        return 0;
    return std::ranges::count_if(recording.messages.tag,
                                 [](std::uint32_t tag) { return (tag & traces::own::tagOfNeighbours) != 0; });
}

/// ", 32 one-sided operations with 250 KiB"; empty where there are none.
std::string oneSidedWords(const traces::Recording& recording) {
    std::int64_t operations = 0;
    engine::Bytes bytes = 0;
    for (const analysis::OneSidedAmounts& one : analysis::oneSidedAmountsOf(recording, {}))
        for (const analysis::RankAmount& its : one.ranks) operations += its.calls, bytes += its.sent;
    if (operations == 0) return {};
    return text(", ", analysis::counted(operations, "one-sided operation"), " with ", engine::showBytes(bytes));
}

/// The page of a trace of another tool has no title of its own.
void writeHead(const Trace& trace, const Console& console) {
    const engine::Run& run = *trace.report.run;
    std::int64_t messages = run.messageCount;
    if (trace.recording) messages -= ofNeighbours(*trace.recording);
    std::string words = (trace.isReplay() ? "Replay: " : "") + ranksOf(trace, run.ranks, {});
    // The profiler records no messages.
    if (!trace.recording || !traces::isTraining(*trace.recording))
        words += ", " + analysis::counted(messages, "point-to-point message");
    if (trace.recording) {
        const auto& instances = trace.recording->collectives.instances;
        words += text(", ",
                      analysis::counted(std::count_if(instances.begin(), instances.end(),
                                                      [](const traces::Collective& instance) {
                                                          return isCommunication(instance.operation);
                                                      }),
                                        "collective"),
                      oneSidedWords(*trace.recording));
    }
    words += text("; ", engine::showTime(run.duration));
    if (trace.recording) {
        if (const analysis::SetUpTimes its = analysis::setUpTimes(*trace.recording); its.initialised && its.finalizes) {
            words += text(", ", engine::showTime(*its.finalizes - *its.initialised),
                          " of it between MPI_Init and MPI_Finalize");
        } else {
            // Ranks may record a small part of the time alone.
            constexpr double most = 0.99;
            const traces::TimeSpan span = analysis::timeOfProgram(*trace.recording);
            if (static_cast<double>((span.end - span.begin).count()) < most * static_cast<double>(run.duration.count()))
                words += text(", ", engine::showTime(span.end - span.begin),
                              its.initialised ? " of it after MPI_Init (MPI_Finalize was not recorded)"
                              : its.finalizes ? " of it before MPI_Finalize (MPI_Init was not recorded)"
                                              : " of it analysed");
        }
    }
    console.write(words, Tone::strong);
}

/// The findings in the words of the command line.
std::vector<analysis::Finding> pageOf(analysis::TraceAnalysis& analysis) {
    std::vector<analysis::Finding> findings = analysis::firstPage(analysis, analysis::AnalysisUse::pageOnly);
    for (analysis::Finding& finding : findings) finding.words = spoken(finding.words);
    return findings;
}

Json findingJson(const analysis::Finding& finding) {
    Json json{{"kind", analysis::nameOf(finding.kind)}, {"severity", analysis::nameOf(finding.severity)}};
    const analysis::Place& place = finding.place;
    if (place.rank) json["rank"] = place.rank->value;
    if (place.instance) json["instance"] = *place.instance;
    if (place.begin) json["begin_s"] = engine::seconds(*place.begin);
    if (place.end) json["end_s"] = engine::seconds(*place.end);
    if (!finding.callPath.empty()) json["call_path"] = finding.callPath;
    Json values = Json::object();
    for (const analysis::Fact& fact : finding.facts) values[fact.name] = cellJson(fact.value);
    json["values"] = std::move(values);
    json["says"] = finding.words;
    return json;
}

Json efficiencyJson(const analysis::Efficiency& its) {
    const bool hasRegions = its.threads && its.threads->hasParallelRegions;
    return {{"from_s", engine::seconds(its.span.begin)},
            {"to_s", engine::seconds(its.span.end)},
            {"parallel", its.parallel()},
            {"load_balance", its.loadBalance()},
            {"communication", its.communication()},
            {"serialization", its.idealTime ? Json(its.serialization()) : Json()},
            {"transfer", its.idealTime ? Json(its.transfer()) : Json()},
            {"hybrid", its.threads ? Json(its.hybrid()) : Json()},
            {"thread", its.threads ? Json(its.thread()) : Json()},
            {"parallel_region", hasRegions ? Json(its.parallelRegion()) : Json()},
            {"serial_region", hasRegions ? Json(its.serialRegion()) : Json()}};
}

/// Adds what ranks of a program did, by rank, as in table ranks; null of ranks that were not recorded.
void addProgramTimes(Json& perRank, analysis::TraceAnalysis& analysis) {
    const std::vector<analysis::RankActivity> all =
        analysis::programTimes(*analysis.trace().recording, analysis.waitSumsOfTime(), analysis.span());
    const std::vector<bool> recorded = traces::recordedRanks(*analysis.trace().recording);
    for (const auto& [name, its] :
         std::initializer_list<std::pair<const char*, engine::Picoseconds analysis::RankActivity::*>>{
             {"computing_s", &analysis::RankActivity::computing},
             {"mpi_waiting_s", &analysis::RankActivity::waiting},
             {"in_mpi_s", &analysis::RankActivity::inMpi},
             {"nothing_recorded_s", &analysis::RankActivity::nothing}}) {
        Json& values = perRank[name] = Json::array();
        for (std::size_t rank = 0; rank < all.size(); ++rank)
            values.push_back(recorded[rank] ? Json(engine::seconds(all[rank].*its)) : Json());
    }
}

}  // namespace

Report shownReport(analysis::TraceAnalysis& analysis) {
    if (analysis.wish().asksForAll()) return analysis.trace().report;
    const traces::TimeSpan span = analysis.span();
    const std::vector<engine::RankTimes> times = analysis.rankTimes();
    engine::Run run = analysis.run();
    const std::vector<Picoseconds> came = analysis::arrivalTimes(run);
    run.rounds = static_cast<std::int64_t>(analysis::rounds(run).size());
    run.duration = span.end - span.begin;
    run.perRank.clear();
    run.entered.clear();
    for (engine::Rank rank{0}; rank.value < run.ranks; ++rank) {
        if (!analysis.wish().part.has(rank)) continue;
        run.perRank.push_back(times[rank.index()]);
        run.entered.push_back(std::clamp(came[rank.index()] - span.begin, Picoseconds{}, run.duration));
    }
    Report report;
    report.run = std::make_shared<const engine::Run>(std::move(run));
    report.model = analysis.trace().report.model;
    return report;
}

void writePage(analysis::TraceAnalysis& analysis, const Console& console) {
    const Trace& trace = analysis.trace();
    // Before all else: whoever wants nothing but a page is spared what others ask for.
    const std::vector<analysis::Finding> findings = pageOf(analysis);
    if (trace.isCollscopeRun()) console.write(titleOf(trace.report), Tone::strong);
    else if (analysis.wish().asksForAll() || analysis.isCut()) writeHead(trace, console);
    if (!analysis.wish().asksForAll()) writePartHead(analysis, console);
    for (const analysis::Finding& finding : findings) {
        console.out << '\n';
        for (const std::string& line : wrapped(finding.words, lineWidth)) console.out << line << '\n';
    }
    if (trace.isCollscopeRun() && analysis.wish().part.whole()) {
        console.out << '\n';
        writeFacts(trace.report, console);
    }
    console.out << '\n'
                << console.paint(
                       Tone::faint,
                       text("--tables ",
                            trace.recording && traces::isTraining(*trace.recording) ? "steps,stragglers,bandwidth"
                            : trace.recording && analysis::hasMpiCalls(*trace.recording) && !trace.isCollscopeRun()
                                ? "efficiency,causes,delays"
                                : "rounds,waits",
                            " shows more; open --help lists all tables"))
                << '\n';
}

void writePageJson(analysis::TraceAnalysis& analysis, const Console& console) {
    Json json = reportJson(shownReport(analysis));
    if (analysis::isProgram(analysis.trace())) addProgramTimes(json["per_rank"], analysis);
    if (!analysis.wish().asksForAll()) json["part"] = partJson(analysis);
    const std::vector<analysis::Finding> findings = pageOf(analysis);
    json["says"] = analysis::inWords(findings);
    json["findings"] = Json::array();
    for (const analysis::Finding& finding : findings) json["findings"].push_back(findingJson(finding));
    if (const std::optional<analysis::Efficiency>& its = analysis.efficiency(); analysis::isProgram(analysis.trace()))
        json["efficiency"] = its && !its->contradictsItself() ? efficiencyJson(*its) : Json();
    console.out << json.dump(2, ' ', false, lenient) << '\n';
}

}  // namespace app::cli
