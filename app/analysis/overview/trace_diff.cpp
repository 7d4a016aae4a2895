// SPDX-License-Identifier: BSD-3-Clause
// Two traces of programs side by side: their call paths and iterations.
#include "app/analysis/format/cell_format.hpp"
#include "app/analysis/overview/run_diff.hpp"
#include "app/analysis/program/call_path_profile.hpp"
#include "app/analysis/program/iterations.hpp"
#include "app/analysis/selection/program_time.hpp"
#include "app/analysis/tables/table_helpers.hpp"
#include "app/analysis/training/job_summary.hpp"
#include "engine/base/text.hpp"
#include "traces/recording/training.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>

namespace app::analysis {

using engine::Cell;
using engine::Content;
using engine::Picoseconds;
using engine::showTime;
using engine::Table;
using engine::text;

namespace {

traces::Call callOf(const CallPaths& paths, PathId path) {
    const std::int32_t region = path == outsideOfCalls ? traces::noIndex : paths[path].region;
    return region == traces::noIndex ? traces::Call::none : paths.recording().regions[engine::asSize(region)].call;
}

/// Whether the path is a call of MPI_Init, MPI_Finalize or a variant of them.
bool isSetUp(const CallPaths& paths, PathId path) { return callOf(paths, path) == traces::Call::setup; }
bool isMpi(const CallPaths& paths, PathId path) { return callOf(paths, path) != traces::Call::none; }

/// How often all locations took each path, at whatever time.
std::vector<std::int64_t> visitsOf(const CallPaths& paths) {
    std::vector<std::int64_t> visits(paths.size());
    const auto& states = paths.recording().states;
    for (std::size_t location = 0; location < states.size(); ++location)
        for (std::size_t s = 0; s < states[location].size(); ++s) ++visits[paths.of(location, s)];
    return visits;
}

/// Call paths of a trace by their names; those that processes took by several regions of one name together.
struct NamedPaths {
    std::map<std::string, Spent> spent{};  ///< what they took themselves
    std::int64_t leftOut = 0;              ///< calls of MPI outside of the analysed time
};

NamedPaths pathsOf(TraceAnalysis& analysis, const engine::Progress& progress) {
    const CallPaths& paths = *analysis.callPaths();
    const CallProfile profile{paths, analysis.selection(), analysis.waits(), progress};
    const std::vector<std::int64_t> visits = visitsOf(paths);
    std::vector<Picoseconds> waiting(paths.size());
    for (PathId path = 0; path < paths.size(); ++path) {
        waiting[path] += profile.paths()[path].waiting;
        if (paths[path].parent != outsideOfCalls) waiting[paths[path].parent] -= profile.paths()[path].waiting;
    }
    NamedPaths named;
    for (const PathId path : profile.inOrder()) {
        const Spent& its = profile.paths()[path];
        if (its.own.count() == 0 && its.waiting.count() == 0 && isSetUp(paths, path)) continue;
        Spent& sum = named.spent[paths.name(path)];
        // The time between the last exit from MPI_Init and the last entry into MPI_Finalize cuts these calls.
        sum.visits += isSetUp(paths, path) ? visits[path] : its.visits;
        sum.own += its.own;
        sum.waiting += waiting[path];
    }
    for (PathId path = 0; path < paths.size(); ++path)
        if (!isSetUp(paths, path) && isMpi(paths, path)) named.leftOut += visits[path] - profile.paths()[path].visits;
    return named;
}

Table pathChanges(const Contestant& first, const Contestant& second, TraceAnalysis& a, TraceAnalysis& b,
                  const engine::Progress& progress) {
    Table table{
        .name = "paths",
        .title =
            "call paths of both traces from MPI_Init to MPI_Finalize, exclusive times summed over ranks; difference = "
            "second - first, ratio = second / first",
        .columns = {{"path", Content::words},
                    {"first_s", Content::time},
                    {"second_s", Content::time},
                    {"longer_s", Content::time, "difference"},
                    {"ratio", Content::number},
                    {"first_visits", Content::count, "visits, first"},
                    {"second_visits", Content::count, "visits, second"},
                    {"first_waiting_s", Content::time, "waiting, first"},
                    {"second_waiting_s", Content::time, "waiting, second"}},
        .rows = {}};
    const NamedPaths ofFirst = pathsOf(a, progress), ofSecond = pathsOf(b, progress);
    const std::map<std::string, Spent>&before = ofFirst.spent, &after = ofSecond.spent;
    const auto namesOf = [](const std::map<std::string, Spent>& all) {
        std::set<std::string> names;
        for (const auto& [name, spent] : all) names.insert(name);
        return names;
    };
    const std::map<std::string, std::string> same = samePaths(namesOf(before), namesOf(after));
    std::set<std::string> matched;  // of the second trace
    bool moved = false;
    for (const auto& [name, partner] : same) {
        const Spent& one = before.at(name);
        const Spent& other = after.at(partner);
        matched.insert(partner);
        moved = moved || partner != name;
        table.rows.push_back({name, one.own, other.own, other.own - one.own, ratioCell(other.own, one.own), one.visits,
                              other.visits, one.waiting, other.waiting});
    }
    std::stable_sort(table.rows.begin(), table.rows.end(), [](const auto& x, const auto& y) {
        return std::abs(std::get<Picoseconds>(x[3]).count()) > std::abs(std::get<Picoseconds>(y[3]).count());
    });
    if (moved)
        table.remarks.emplace_back(
            "files and lines are those of the first trace; calls on other lines of the second one are matched in their order");
    const auto onlyIn = [&](std::size_t alone, const Contestant& one) {
        if (alone > 0)
            table.remarks.push_back(
                text(alone, alone == 1 ? " call path is" : " call paths are", " only in ", one.label));
    };
    onlyIn(before.size() - same.size(), first);
    onlyIn(after.size() - matched.size(), second);
    const auto leftOut = [&](std::int64_t calls, const Contestant& one) {
        if (calls > 0)
            table.remarks.push_back(text(one.label, ": without ", counted(calls, "MPI call"),
                                         " before the last exit from MPI_Init or after the last entry into "
                                         "MPI_Finalize"));
    };
    leftOut(ofFirst.leftOut, first);
    leftOut(ofSecond.leftOut, second);
    return table;
}

/// Of two training jobs: how a rank spends a step.
std::optional<Table> stepChanges(TraceAnalysis& a, TraceAnalysis& b) {
    if (!traces::isTraining(*a.trace().recording) || !traces::isTraining(*b.trace().recording)) return std::nullopt;
    const JobSummary before = jobSummaryOf(*a.trace().recording, a.span());
    const JobSummary after = jobSummaryOf(*b.trace().recording, b.span());
    if (before.sums.steps == 0 || after.sums.steps == 0) return std::nullopt;
    Table table{
        .name = "steps",
        .title =
            "a step of a rank, by activity of its accelerator; difference = second - first, ratio = second / first",
        .columns = {{"activity", Content::words},
                    {"first_s", Content::time},
                    {"second_s", Content::time},
                    {"longer_s", Content::time, "difference"},
                    {"ratio", Content::number}},
        .rows = {}};
    const auto add = [&](const char* name, Picoseconds one, Picoseconds other) {
        table.rows.push_back({engine::cell(name), one, other, other - one, ratioCell(other, one)});
    };
    const auto addMean = [&](const char* name, Picoseconds StepSums::*its) {
        add(name, before.sums.*its / before.sums.steps, after.sums.*its / after.sums.steps);
    };
    add("step (median)", before.medianStep, after.medianStep);
    addMean("compute", &StepSums::compute);
    addMean("exposed communication", &StepSums::exposed);
    addMean("idle", &StepSums::idle);
    addMean("hidden communication", &StepSums::hidden);
    if (!before.marked || !after.marked) table.remarks.emplace_back("without marked steps a trace counts as one step");
    return table;
}

Iterations iterationsIn(TraceAnalysis& analysis, const engine::Progress& progress) {
    std::vector<engine::Rank> ranks;
    for (engine::Rank rank{0}; rank.value < analysis.callPaths()->recording().ranks; ++rank) ranks.push_back(rank);
    return iterationsOf(*analysis.callPaths(), ranks, analysis.waits(), progress);
}

/// What every iteration has once.
std::string markOf(const Iterations& iterations, const CallPaths& paths) {
    return iterations.toldBy.empty() ? "a call of " + paths.name(iterations.call) : iterations.toldBy;
}

/// Whether the call that marks `iterations`, of `theirs`, comes once in each of `others`, too, but for one that is cut.
bool isOnceIn(const Iterations& iterations, const CallPaths& theirs, const Iterations& others, const CallPaths& paths) {
    if (!iterations.toldBy.empty()) return iterations.toldBy == others.toldBy;
    const std::int32_t location = paths.recording().locationOf(engine::Rank{0});
    if (location == traces::noIndex) return false;
    // The line may have moved.
    const std::string mark = nameWithoutFile(theirs.name(iterations.call));
    std::vector<bool> isMark(paths.size());
    for (PathId path = 0; path < paths.size(); ++path) isMark[path] = nameWithoutFile(paths.name(path)) == mark;
    std::int64_t calls = 0;
    for (std::size_t s = 0; s < paths.recording().states[engine::asSize(location)].size(); ++s)
        calls += isMark[paths.of(engine::asSize(location), static_cast<std::uint32_t>(s))] ? 1 : 0;
    return std::abs(calls - static_cast<std::int64_t>(others.all.size())) <= 1;
}

std::optional<Table> iterationChanges(TraceAnalysis& a, TraceAnalysis& b, const engine::Progress& progress) {
    const Iterations ofFirst = iterationsIn(a, progress), ofSecond = iterationsIn(b, progress);
    const std::vector<Iteration>&before = ofFirst.all, &after = ofSecond.all;
    if (before.empty() || after.empty()) return std::nullopt;
    Table table{.name = "iterations",
                .title = "iterations of both traces; difference = second - first, ratio = second / first",
                .columns = {{"iteration", Content::count},
                            {"first_s", Content::time},
                            {"second_s", Content::time},
                            {"longer_s", Content::time, "difference"},
                            {"ratio", Content::number},
                            {"first_slowest", Content::rank, "slowest rank, first"},
                            {"second_slowest", Content::rank, "slowest rank, second"},
                            {"first_waiting_s", Content::time, "waiting, first"},
                            {"second_waiting_s", Content::time, "waiting, second"}},
                .rows = {}};
    const CallPaths &paths = *a.callPaths(), &others = *b.callPaths();
    if (!isOnceIn(ofFirst, paths, ofSecond, others) && !isOnceIn(ofSecond, others, ofFirst, paths)) {
        table.remarks.push_back(text("not side by side: in the first trace each has ", markOf(ofFirst, paths),
                                     ", in the second one ", markOf(ofSecond, others)));
        return table;
    }
    for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i) {
        const Iteration& one = before[i];
        const Iteration& other = after[i];
        table.rows.push_back({static_cast<std::int64_t>(i) + 1, one.duration, other.duration,
                              other.duration - one.duration, ratioCell(other.duration, one.duration),
                              engine::cell(one.slowest), engine::cell(other.slowest), one.waiting, other.waiting});
    }
    if (before.size() != after.size())
        table.remarks.push_back(text("the first trace has ",
                                     counted(static_cast<std::int64_t>(before.size()), "iteration"),
                                     ", the second one ", counted(static_cast<std::int64_t>(after.size()))));
    return table;
}

/// Something that a program's time depends on: the time is the computation divided by the factors of the parallel
/// efficiency.
struct TimeFactor {
    double gain = 1;  ///< ratio of the times, first / second, if nothing else differed
    std::string sentence{};
};

/// The sentence on the factor to which at least half of the ratio of the times is due, in logarithms; empty for none.
std::string mainFactor(const std::vector<TimeFactor>& factors) {
    double gain = 1;
    for (const TimeFactor& one : factors) gain *= one.gain;
    if (gain <= 0 || gain == 1) return {};
    const auto part = [gain](const TimeFactor& one) { return std::log(one.gain) / std::log(gain); };
    const auto most = std::ranges::max_element(factors, {}, part);
    return part(*most) >= 0.5 ? most->sentence : std::string{};
}

/// The parallel efficiency of both and its factors, whose product it is; of threads the hybrid efficiency. The first
/// remark is mainReason if it begins so.
std::optional<Table> efficiencyChanges(TraceAnalysis& a, TraceAnalysis& b) {
    const std::optional<Efficiency>&before = a.efficiency(), &after = b.efficiency();
    if (!before || !after) return std::nullopt;
    Table table{.name = std::string{efficiencyTable},
                .title = "parallel efficiency of both traces, and its factors; ratio = second / first",
                .columns = {{"metric", Content::words},
                            {"first", Content::share},
                            {"second", Content::share},
                            {"ratio", Content::number}},
                .rows = {}};
    for (const auto& [its, words] : {std::pair{&*before, "first"}, std::pair{&*after, "second"}})
        if (its->contradictsItself())
            table.remarks.push_back(text("the clocks of ranks in the ", words,
                                         " trace contradict each other, so its efficiency is unknown"));
    if (!table.remarks.empty()) return table;
    const std::string times = text(showTime(before->meanComputation), " in the first trace, ",
                                   showTime(after->meanComputation), " in the second");
    const bool ofThreads = before->threads && after->threads;
    const auto computation = [ofThreads](const Efficiency& its) {
        return ofThreads ? its.threads->mean.all : its.meanComputation;
    };
    // The time is the mean computation divided by this efficiency.
    const auto product = ofThreads ? &Efficiency::hybrid : &Efficiency::parallel;
    const bool isFirstFaster = before->time() < after->time();
    const Efficiency &fast = isFirstFaster ? *before : *after, &slow = isFirstFaster ? *after : *before;
    const auto less = [](Picoseconds ofFast, Picoseconds ofSlow) { return percent(1 - ratio(ofFast, ofSlow)); };
    const std::string ofFast = percent((fast.*product)()), ofSlow = percent((slow.*product)());
    std::vector<TimeFactor> factors{
        {ratio(computation(*before), computation(*after)),
         text("The main reason is computation: its mean over ", ofThreads ? "threads" : "ranks", " is ",
              less(computation(fast), computation(slow)), " less (", showTime(computation(fast)), " instead of ",
              showTime(computation(slow)), " in the slower trace), the time ", less(fast.time(), slow.time()), " less.",
              ofFast == ofSlow ? ""
                               : text(' ', ofThreads ? "Hybrid" : "Parallel", " efficiency is ", ofFast, " instead of ",
                                      ofSlow, "."))}};
    const auto addRow = [&](const std::string& name, double (Efficiency::*efficiency)() const) {
        const double first = (*before.*efficiency)(), second = (*after.*efficiency)();
        const bool isKnown = first > 0 && second > 0;
        table.rows.push_back({engine::cell(name), first, second, isKnown ? Cell{second / first} : Cell{}});
        return isKnown ? std::optional{second / first} : std::nullopt;
    };
    const auto addFactor = [&](const std::string& name, double (Efficiency::*efficiency)() const) {
        if (const auto gain = addRow(name, efficiency))
            factors.push_back({*gain, text("The main reason is ", name, ": ", percent((fast.*efficiency)()),
                                           " instead of ", percent((slow.*efficiency)()), " in the slower trace.")});
    };
    if (ofThreads) addRow("hybrid efficiency", &Efficiency::hybrid);
    addRow("parallel efficiency", &Efficiency::parallel);
    addFactor("load balance", &Efficiency::loadBalance);
    if (before->idealTime && after->idealTime) {
        addFactor("serialization efficiency", &Efficiency::serialization);
        addFactor("transfer efficiency", &Efficiency::transfer);
    } else {
        addFactor("communication efficiency", &Efficiency::communication);
    }
    if (ofThreads && before->threads->hasParallelRegions && after->threads->hasParallelRegions) {
        addRow("thread efficiency", &Efficiency::thread);
        addFactor("parallel region efficiency", &Efficiency::parallelRegion);
        addFactor("serial region efficiency", &Efficiency::serialRegion);
    } else if (ofThreads) {
        addFactor("thread efficiency", &Efficiency::thread);
    }
    // Runs of one program differ by so much without a reason.
    const double least = a.trace().sharesProcessors() || b.trace().sharesProcessors() ? 0.05 : 0.02;
    const bool differ = std::abs(ratio(after->time(), before->time()) - 1) >= least;
    if (std::string main = mainFactor(factors);
        differ && !main.empty() && areOfOneProgram(*a.callPaths(), *b.callPaths()))
        table.remarks.push_back(std::move(main));
    table.remarks.push_back(text("computation, mean of the ranks: ", times));
    if (ofThreads)
        table.remarks.push_back(text("computation, mean of the threads: ", showTime(before->threads->mean.all),
                                     " in the first trace, ", showTime(after->threads->mean.all), " in the second"));
    else if (before->threads || after->threads)
        table.remarks.push_back(text("only the main threads are compared: the ", before->threads ? "second" : "first",
                                     " trace does not show the computation of several threads"));
    return table;
}

}  // namespace

std::vector<Table> programChanges(const Contestant& first, const Contestant& second, const engine::Progress& progress) {
    if (first.trace.isCollscopeRun() || second.trace.isCollscopeRun()) return {};
    // Starting and ending the programs is left out.
    const auto ofProgram = [](const Contestant& one) -> AnalysisOptions {
        const traces::TimeSpan span = analysedTime(*one.trace.recording, {});
        return {.part = {.from = span.begin, .to = span.end}};
    };
    TraceAnalysis a{first.trace, ofProgram(first), progress};
    TraceAnalysis b{second.trace, ofProgram(second), progress};
    if (a.callPaths() == nullptr || b.callPaths() == nullptr) return {};
    std::vector<Table> tables;
    if (auto steps = stepChanges(a, b)) tables.push_back(std::move(*steps));
    if (auto efficiency = efficiencyChanges(a, b)) tables.push_back(std::move(*efficiency));
    tables.push_back(pathChanges(first, second, a, b, progress));
    if (auto iterations = iterationChanges(a, b, progress)) tables.push_back(std::move(*iterations));
    return tables;
}

bool areOfOneProgram(const CallPaths& first, const CallPaths& second) {
    const auto namesOf = [](const CallPaths& paths) {
        std::set<std::string> names;
        for (PathId path = 0; path < paths.size(); ++path)
            if (isMpi(paths, path) && !isSetUp(paths, path)) names.insert(nameWithoutFile(paths.name(path)));
        return names;
    };
    const std::set<std::string> names = namesOf(first), others = namesOf(second);
    return names.empty() || others.empty() ||
           std::ranges::any_of(others, [&](const std::string& name) { return names.contains(name); });
}

std::string mainReason(std::span<const Table> changes) {
    const auto its = std::ranges::find(changes, efficiencyTable, &Table::name);
    return its != changes.end() && !its->remarks.empty() && its->remarks.front().starts_with("The main reason")
               ? its->remarks.front()
               : std::string{};
}

}  // namespace app::analysis
