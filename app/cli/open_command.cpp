// SPDX-License-Identifier: BSD-3-Clause
// open: the first page and the tables of a trace.
#include "app/analysis/overview/first_page.hpp"
#include "app/analysis/overview/program_view.hpp"
#include "app/analysis/program/rank_activity.hpp"
#include "app/analysis/schedule/logical_rounds.hpp"
#include "app/analysis/selection/partial_runs.hpp"
#include "app/analysis/selection/program_time.hpp"
#include "app/analysis/tables/sql.hpp"
#include "app/analysis/tables/table_definition.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/nccl_log.hpp"
#include "app/cli/output/json.hpp"
#include "app/cli/output/summary.hpp"
#include "app/cli/output/tables.hpp"
#include "engine/base/processors.hpp"
#include "engine/base/text.hpp"
#include "traces/flight/dump.hpp"
#include "traces/recording/archive.hpp"
#include "traces/recording/training.hpp"
#include "traces/recording/vocabulary.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <utility>

#include <malloc.h>

namespace app::cli {
namespace {

using engine::Error;
using engine::Picoseconds;
using engine::text;

/// Rows of a table that people see when it is all they asked for.
constexpr std::int64_t rowsOfOne = 1000;

/// The tables that --tables names.
std::vector<const analysis::TableDefinition*> chosen(const std::string& words) {
    std::vector<const analysis::TableDefinition*> list;
    for (const std::string& word : engine::split(words, ',')) {
        if (word == "all") {
            for (const analysis::TableDefinition& definition : analysis::tableDefinitions())
                list.push_back(&definition);
            continue;
        }
        list.push_back(&analysis::tableNamed(word));
    }
    return list;
}

void writeJson(const analysis::TraceAnalysis& analysis, const Json& tables, const Console& console) {
    const Json json{{"trace", analysis.trace().recording ? analysis.trace().recording->name : ""}, {"tables", tables}};
    console.out << json.dump(2, ' ', false, lenient) << '\n';
}

void writeTables(analysis::TraceAnalysis& analysis, const std::vector<const analysis::TableDefinition*>& list,
                 const std::string& format, const Console& console) {
    if (format == "csv" && list.size() != 1)
        throw Error{text("--format csv writes one table, not ", list.size(), "; name one with --tables")};
    if (format == "json") {
        Json tables = Json::object();
        for (const analysis::TableDefinition* definition : list)
            tables[std::string{definition->name}] = tableJson(computeTable(*definition, analysis));
        return writeJson(analysis, tables, console);
    }
    // One table is asked for its rows, all of them for an overview.
    const std::size_t most = list.size() == 1 ? rowsOfOne : 20;
    for (const analysis::TableDefinition* definition : list) {
        const engine::Table table = computeTable(*definition, analysis);
        if (format == "csv") return analysis::writeCsv(table, console.out);
        if (definition != list.front()) console.out << '\n';
        writeText(table, console, most);
    }
}

/// The answer to --sql. Rows of csv are written as they are found.
void writeSelected(analysis::TraceAnalysis& analysis, const Arguments& arguments, const std::string& format,
                   const Console& console) {
    constexpr std::int64_t all = std::numeric_limits<std::int64_t>::max(), atOnce = 10'000;
    const std::int64_t most = arguments.limit    ? engine::readInteger(*arguments.limit, "--limit", 1, all)
                              : format == "text" ? rowsOfOne
                                                 : all;
    const auto statement = analysis::selected(analysis, *arguments.sql);
    if (format == "csv") {
        engine::Table table = statement->next(std::min(most, atOnce));
        analysis::writeCsv(table, console.out);
        for (std::int64_t left = most - atOnce; left > 0 && table.rows.size() == atOnce; left -= atOnce) {
            console.requireOutput();
            table = statement->next(std::min(left, atOnce));
            analysis::writeCsvRows(table, console.out);
        }
        return;
    }
    engine::Table table = statement->next(most);
    if (statement->next(1).rows.size() == 1)
        table.remarks.push_back(text("more rows than ", most, "; --limit sets the number of rows shown"));
    if (format == "json") return writeJson(analysis, {{table.name, tableJson(table)}}, console);
    writeText(table, console, engine::asSize(most));
}

/// The numbers of the part that is asked about; times of its ranks are those within it. What is known of a whole run
/// alone, such as its bounds, is not there.
Report reportOnPart(analysis::TraceAnalysis& analysis) {
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

/// The page of a trace of another tool has no title of its own.
void writeHead(const Trace& trace, const Console& console) {
    const engine::Run& run = *trace.report.run;
    std::int64_t messages = run.messageCount;
    if (trace.recording) messages -= ofNeighbours(*trace.recording);
    std::string words = ranksOf(trace, run.ranks, {});
    // The profiler records no messages.
    if (!trace.recording || !traces::isTraining(*trace.recording))
        words += ", " + analysis::counted(messages, "point-to-point message");
    if (trace.recording) {
        const auto& instances = trace.recording->collectives.instances;
        words += text(", ", analysis::counted(std::count_if(instances.begin(), instances.end(),
                                                            [](const traces::Collective& instance) {
                                                                return isCommunication(instance.operation);
                                                            }),
                                              "collective"));
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
                words += text(", ", engine::showTime(span.end - span.begin), " of it analysed");
        }
    }
    console.write(words, Tone::strong);
}

/// Before a trace is read that takes more than a moment: how much it is, and what it takes.
void announce(const traces::Expected& expected, const traces::Opening& opening, const Console& console) {
    constexpr double moment = 0.3;
    if (expected.coreSeconds < moment) return;
    const auto shown = [](std::uint64_t bytes) { return engine::showBytes(static_cast<engine::Bytes>(bytes)); };
    // One figure of it: it is a guess.
    const int cores = std::min(expected.cores, engine::processors());
    const double seconds = expected.coreSeconds / cores;
    const double ten = std::pow(10.0, std::floor(std::log10(std::max(seconds, 1e-3))));
    console.err << "collscope: reading ";
    if (expected.events > 0)
        console.err << analysis::counted(static_cast<std::int64_t>(expected.events), "event") << ", ";
    const bool spills = expected.inFiles && expected.memory > opening.memory.bytes;
    console.err << shown(expected.eventBytes) << ": some " << engine::showNumber(std::round(seconds / ten) * ten, 4)
                << (cores == engine::processors() ? std::string{" s on all cores"}
                                                  : text(" s on ", cores, cores == 1 ? " core" : " cores"))
                << ", and " << shown(spills ? opening.memory.bytes : expected.memory) << " of memory"
                << (spills ? " with what is beyond it in files (--memory)" : "") << '\n';
}

/// Blocks of some megabytes go back to the system when they are freed. Else the allocator learns from the first of them
/// to keep such blocks for others, which are rarely of their size: an eighth more memory for a trace of 10^7 events.
void keepNoLargeBlocks() {
    ::mallopt(M_MMAP_THRESHOLD, 4 << 20);
    ::mallopt(M_TRIM_THRESHOLD, 64 << 20);
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
                << console.paint(Tone::faint, text("--tables ",
                                                   trace.recording && traces::isTraining(*trace.recording)
                                                       ? "steps,stragglers,bandwidth"
                                                       : "rounds,waits",
                                                   " shows more; open --help lists all tables"))
                << '\n';
}

/// What --require asks of an efficiency.
struct Requirement {
    struct Metric {
        std::string_view name;
        double (analysis::Efficiency::*value)() const;
        bool needsIdeal;
        bool needsThreads;
    };
    static constexpr std::array<Metric, 7> metrics{{
        {"parallel-efficiency", &analysis::Efficiency::parallel, false, false},
        {"load-balance", &analysis::Efficiency::loadBalance, false, false},
        {"communication-efficiency", &analysis::Efficiency::communication, false, false},
        {"serialization-efficiency", &analysis::Efficiency::serialization, true, false},
        {"transfer-efficiency", &analysis::Efficiency::transfer, true, false},
        {"hybrid-efficiency", &analysis::Efficiency::hybrid, false, true},
        {"thread-efficiency", &analysis::Efficiency::thread, false, true},
    }};

    const Metric* metric = nullptr;
    double least = 0;
    std::string words;
};

/// "parallel-efficiency>=0.8", or ">=80%". Throws Error.
Requirement readRequirement(const std::string& words) {
    const std::size_t sign = words.find(">=");
    if (sign == std::string::npos)
        throw Error{text("--require ", words, ": must be METRIC>=VALUE, such as 'parallel-efficiency>=0.8' in quotes")};
    Requirement its{.words = words};
    const std::string name = words.substr(0, sign);
    std::vector<std::string> names;
    for (const Requirement::Metric& metric : Requirement::metrics) {
        names.emplace_back(metric.name);
        if (metric.name == name) its.metric = &metric;
    }
    if (its.metric == nullptr) {
        const std::string hint = engine::didYouMean(name, names);
        throw Error{text("--require ", words, ": unknown metric '", name, "'",
                         hint.empty() ? text("; choose from ", engine::joined(names, ", ")) : hint)};
    }
    std::string_view value = std::string_view{words}.substr(sign + 2);
    const bool percent = value.ends_with('%');
    if (percent) value.remove_suffix(1);
    its.least = numberFrom<double>(value).value_or(-1) / (percent ? 100 : 1);
    if (!(its.least >= 0 && its.least <= 1))
        throw Error{text("--require ", words, ": the value must be between 0 and 1, or 0% and 100%")};
    return its;
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

/// Complains about those that do not hold, on stderr. Throws Error where the trace does not tell.
int require(const std::vector<Requirement>& requirements, analysis::TraceAnalysis& analysis, const Console& console) {
    int result = done;
    std::optional<analysis::Efficiency> its;
    if (!requirements.empty() && analysis.trace().propertyOfProgram(traces::own::standing) != nullptr) {
        console.err << "collscope: the program did not finish, so that --require is not met\n";
        result = checkFailed;
    }
    for (const Requirement& one : requirements) {
        if (!its) its = analysis.efficiency();
        if (!its)
            throw Error{text("--require ", one.words,
                             analysis.trace().recording && traces::isTraining(*analysis.trace().recording)
                                 ? ": a training job has no parallel efficiency; see --tables steps"
                                 : ": the trace has no calls of MPI, so no efficiency")};
        if (one.metric->needsIdeal && !its->idealTime)
            its = analysis::Efficiencies{*analysis.trace().recording, analysis.progress()}.of(
                analysis.span(), analysis.wish().part.ranks);
        if (its->contradictsItself())
            throw Error{text("--require ", one.words,
                             ": the clocks of ranks contradict each other, so the efficiency is unknown")};
        if (one.metric->needsThreads && !its->threads)
            throw Error{text("--require ", one.words, ": the trace does not tell what several threads of a rank do")};
        const double value = ((*its).*one.metric->value)();
        if (value >= one.least) continue;
        console.err << "collscope: " << one.metric->name << " is " << engine::showNumber(value, 3)
                    << ", required >= " << engine::showNumber(one.least, 3) << '\n';
        result = checkFailed;
    }
    return result;
}

}  // namespace

int openTrace(const Arguments& arguments, const Console& console) {
    const std::string& path = wordsOf(arguments, 1, 1, "open TRACE")[0];
    const std::string format = chosenFormat(arguments, {"text", "json", "csv"});
    const bool isDump = traces::flight::isDumps(path);
    if (isDump || nccl::isLog(path)) {
        if (arguments.tables || arguments.sql || !arguments.require.empty() || !readAnswerWish(arguments).asksForAll())
            throw Error{text(path, isDump ? " contains Flight Recorder dumps" : " is a debug log of NCCL",
                             ", which has no tables and no parts; leave out all options but --format")};
        return isDump ? openDumps(path, format, console) : nccl::openLog(path, format, console);
    }
    const std::vector<const analysis::TableDefinition*> list =
        arguments.tables ? chosen(*arguments.tables) : std::vector<const analysis::TableDefinition*>{};
    if (arguments.sql && arguments.tables) throw Error{"--sql selects from all tables; leave out --tables"};
    if (arguments.limit && !arguments.sql)
        throw Error{"--limit sets the number of rows of --sql; leave it out without --sql"};
    std::vector<Requirement> requirements;
    for (const std::string& words : arguments.require) requirements.push_back(readRequirement(words));
    const analysis::AnalysisOptions wish = readAnswerWish(arguments);
    const analysis::Clocks clocks = readClocks(arguments);
    if (console.around.crew != nullptr && !console.around.crew->leads()) {
        traces::helpReading(path, *console.around.crew, readOpening(arguments).memory);
        return done;
    }
    keepNoLargeBlocks();
    traces::Opening opening = readOpening(arguments);
    opening.crew = console.around.crew;
    opening.before = [&](const traces::Expected& expected) { announce(expected, opening, console); };
    const Trace trace = [&] {
        ProgressLine line{console, "reading"};
        // Tables look at the recording's messages: of another tool's trace the run is for its sums, unless it is
        // written itself.
        const bool writesRun = list.empty() && !arguments.sql && format != "text";
        const auto most = static_cast<std::int64_t>(analysis::roomWithin(opening.memory.bytes, 0).messages);
        const bool page = list.empty() && !arguments.sql && format == "text";
        Trace read = analysis::openTrace(path, clocks, line.progress(), opening,
                                         writesRun ? std::min(most, engine::RunBuilder::defaultBudget) : 0,
                                         page ? traces::BusyRanks::leftOut : traces::BusyRanks::told);
        if (list.empty() && !arguments.sql)
            read.most = analysis::roomWithin(opening.memory.bytes, read.recording->collectives.participants.size(),
                                             analysis::sizeOfPage);
        return read;
    }();
    analysis::TraceAnalysis analysis{trace, wish, {.stop = console.around.stop}};
    // Refused before anything is written.
    if (!wish.topology.empty()) (void)analysis::networkNamed(analysis.topology(), trace.report.run->ranks);
    const auto shown = [&] { return wish.asksForAll() ? trace.report : reportOnPart(analysis); };
    if (arguments.sql) {
        writeSelected(analysis, arguments, format, console);
    } else if (!list.empty()) {
        writeTables(analysis, list, format, console);
    } else if (format == "json") {
        Json json = reportJson(shown());
        if (analysis::isProgram(trace)) addProgramTimes(json["per_rank"], analysis);
        if (!wish.asksForAll()) json["part"] = partJson(analysis);
        const std::vector<analysis::Finding> findings = pageOf(analysis);
        json["says"] = analysis::inWords(findings);
        json["findings"] = Json::array();
        for (const analysis::Finding& finding : findings) json["findings"].push_back(findingJson(finding));
        if (analysis.efficiency() && !analysis.efficiency()->contradictsItself())
            json["efficiency"] = efficiencyJson(*analysis.efficiency());
        console.out << json.dump(2, ' ', false, lenient) << '\n';
    } else if (format == "csv") {
        writeCsv(shown(), console);
    } else {
        writePage(analysis, console);
    }
    return std::max(concluded(trace.report, console), require(requirements, analysis, console));
}

}  // namespace app::cli
