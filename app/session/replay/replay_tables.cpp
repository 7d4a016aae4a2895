// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/replay/replay_tables.hpp"

#include "app/analysis/trace/trace_analysis.hpp"
#include "engine/base/text.hpp"
#include "engine/cost/bounds.hpp"
#include "traces/recording/training.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <set>
#include <span>
#include <tuple>

namespace app {

using emulation::TimeSpent;
using engine::Content;
using engine::Picoseconds;
using engine::Rank;
using engine::Table;

namespace {

/// A kind of time that a rank spends, with how much of it.
struct ReplayActivity {
    const char* name;
    Picoseconds (*of)(const TimeSpent& spent, Picoseconds duration);
};

constexpr const char* keptCalls = "other MPI calls, as recorded";

constexpr std::array<ReplayActivity, 7> replayActivities{{
    {"computation", [](const TimeSpent& spent, Picoseconds) { return spent.computing; }},
    {"waiting for messages", [](const TimeSpent& spent, Picoseconds) { return spent.waiting; }},
    {"message transfer", [](const TimeSpent& spent, Picoseconds) { return spent.moving; }},
    {"waiting in collectives and other synchronising calls",
     [](const TimeSpent& spent, Picoseconds) { return spent.waitingInCollectives; }},
    {"other time in these calls",
     [](const TimeSpent& spent, Picoseconds) { return spent.inCollectives - spent.waitingInCollectives; }},
    {keptCalls, [](const TimeSpent& spent, Picoseconds) { return spent.inMpi; }},
    {"finished early", [](const TimeSpent& spent, Picoseconds duration) { return duration - spent.end; }},
}};

/// Those whose times are not simply kept.
std::span<const ReplayActivity> communicationActivities() { return std::span{replayActivities}.subspan(1, 4); }

Picoseconds mean(const engine::ById<Rank, TimeSpent>& ranks, Picoseconds duration, const ReplayActivity& activity) {
    __int128 sum = 0;
    for (const TimeSpent& spent : ranks) sum += activity.of(spent, duration).count();
    return Picoseconds{
        static_cast<std::int64_t>(sum / std::max<std::int64_t>(1, static_cast<std::int64_t>(ranks.size())))};
}

/// The same without start-up, which counts as computation in TimeSpent.
Picoseconds meanWithoutStartUp(const engine::ById<Rank, TimeSpent>& ranks, Picoseconds duration,
                               const analysis::SetUp& setUp, const ReplayActivity& activity) {
    const bool computes = &activity == replayActivities.data();
    return mean(ranks, duration, activity) - (computes ? setUp.mean() : Picoseconds{});
}

}  // namespace

std::optional<double> ReplayTables::errorBesideComputing() const {
    double recorded = 0, replayed = 0;
    for (const TimeSpent& spent : recorded_.spent)
        recorded += static_cast<double>((spent.end - spent.computing - spent.inMpi).count());
    for (const TimeSpent& spent : made_.asRecorded.result.ranks)
        replayed += static_cast<double>((spent.end - spent.computing - spent.inMpi).count());
    if (recorded == 0) return std::nullopt;
    return replayed / recorded - 1;
}

std::vector<ActivityDifference> ReplayTables::differences() const {
    constexpr double least = 0.05;
    std::vector<ActivityDifference> found;
    const emulation::Replayed& first = made_.asRecorded.result;
    double all = 0;
    for (const ReplayActivity& activity : communicationActivities()) {
        const Picoseconds recorded = mean(recorded_.spent, recorded_.duration, activity);
        found.push_back({activity.name, mean(first.ranks, first.duration, activity) - recorded, 0});
        all += engine::seconds(recorded);
    }
    if (all <= 0) return {};
    for (ActivityDifference& one : found) one.share = engine::seconds(one.time) / all;
    std::erase_if(found, [](const ActivityDifference& one) { return std::abs(one.share) < least; });
    std::ranges::stable_sort(found, std::ranges::greater{},
                             [](const ActivityDifference& one) { return std::abs(one.share); });
    return found;
}

double ReplayTables::keptInMpi() const {
    Picoseconds sum{};
    for (const TimeSpent& spent : recorded_.spent) sum += spent.inMpi;
    for (const Picoseconds gap : kept_.gaps) sum -= gap;
    const double all = engine::seconds(made_.recordedProgramTime()) *
                       static_cast<double>(std::max<std::size_t>(1, recorded_.spent.size()));
    return all > 0 ? engine::seconds(sum) / all : 0;
}

Picoseconds ReplayTables::meanGaps() const {
    Picoseconds sum{};
    for (const Picoseconds gap : kept_.gaps) sum += gap;
    return sum / std::max<std::int64_t>(1, static_cast<std::int64_t>(kept_.gaps.size()));
}

Table ReplayTables::steps() const {
    Table table{.name = std::string{replayTable::activities},
                .title = engine::text("step of a rank, by activity of its accelerator; difference = ",
                                      made_.changed ? "changed - replayed" : "replayed - recorded"),
                .columns = {{"activity", Content::words}, {"recorded_s", Content::time}, {"replayed_s", Content::time}},
                .rows = {}};
    if (made_.changed) table.columns.push_back({"changed_s", Content::time});
    table.columns.push_back({"difference_s", Content::time});
    // A replay that comes to no end has none.
    const auto& first = made_.asRecorded.job;
    const auto& last = made_.last().job;
    const auto row = [&](std::string name, auto of) {
        std::vector<engine::Cell> cells{std::move(name), of(*made_.job),
                                        first ? engine::Cell{of(*first)} : engine::Cell{}};
        if (made_.changed) cells.push_back(last ? engine::Cell{of(*last)} : engine::Cell{});
        const auto& from = made_.changed ? first : made_.job;
        cells.push_back(from && last ? engine::Cell{of(*last) - of(*from)} : engine::Cell{});
        table.rows.push_back(std::move(cells));
    };
    const auto mean = [](Picoseconds analysis::StepSums::*part) {
        return [part](const analysis::JobSummary& job) {
            return job.sums.*part / std::max<std::int64_t>(1, job.sums.steps);
        };
    };
    row("compute", mean(&analysis::StepSums::compute));
    row("exposed communication", mean(&analysis::StepSums::exposed));
    row("idle", mean(&analysis::StepSums::idle));
    row("step (mean)", mean(&analysis::StepSums::duration));
    row("step (median)", [](const analysis::JobSummary& job) { return job.medianStep; });
    row("hidden communication", mean(&analysis::StepSums::hidden));
    return table;
}

Table ReplayTables::activities() const {
    if (made_.job && !made_.job->steps.empty()) return steps();
    Table table{.name = std::string{replayTable::activities},
                .title = engine::text("mean time per rank by activity; difference = ",
                                      made_.changed ? "changed - replayed" : "replayed - recorded"),
                .columns = {{"activity", Content::words}, {"recorded_s", Content::time}, {"replayed_s", Content::time}},
                .rows = {}};
    if (made_.changed) table.columns.push_back({"changed_s", Content::time});
    table.columns.push_back({"difference_s", Content::time});
    const auto row = [&](std::string name, Picoseconds recorded, Picoseconds replayed, Picoseconds changed) {
        std::vector<engine::Cell> cells{std::move(name), recorded, replayed};
        if (made_.changed) cells.emplace_back(changed);
        cells.emplace_back(made_.changed ? changed - replayed : replayed - recorded);
        table.rows.push_back(std::move(cells));
    };
    const emulation::Replayed& first = made_.asRecorded.result;
    const emulation::Replayed& last = made_.last().result;
    const analysis::SetUp& firstSetUp = made_.asRecorded.setUp;
    const analysis::SetUp& lastSetUp = made_.last().setUp;
    if (recorded_.setUp.mean() > Picoseconds{} || lastSetUp.mean() > Picoseconds{})
        row("before the end of MPI_Init", recorded_.setUp.mean(), firstSetUp.mean(), lastSetUp.mean());
    const Picoseconds gaps = meanGaps();
    for (const ReplayActivity& activity : replayActivities) {
        const bool isKept = activity.name == std::string_view{keptCalls};
        const auto without = [&](Picoseconds time) { return isKept ? time - std::min(time, gaps) : time; };
        const Picoseconds recorded = without(
                              meanWithoutStartUp(recorded_.spent, recorded_.duration, recorded_.setUp, activity)),
                          replayed = without(meanWithoutStartUp(first.ranks, first.duration, firstSetUp, activity)),
                          changed = without(meanWithoutStartUp(last.ranks, last.duration, lastSetUp, activity));
        // What was never recorded has none.
        if (!isKept || !made_.isOfGoal) row(activity.name, recorded, replayed, changed);
        if (isKept && gaps > Picoseconds{}) row("not recorded", gaps, gaps, gaps);
    }
    row("total", recorded_.duration, first.duration, last.duration);
    std::vector<std::pair<Picoseconds, std::string>> calls;
    for (const auto& [call, time] : kept_.calls)
        calls.emplace_back(time / static_cast<std::int64_t>(recorded_.spent.size()), call);
    std::ranges::sort(calls, std::greater{});
    constexpr std::size_t mostNamed = 4;
    std::vector<std::string> named;
    for (const auto& [time, call] : std::span{calls}.first(std::min(mostNamed, calls.size())))
        named.push_back(engine::text(call, ' ', engine::showTime(time)));
    if (calls.size() > mostNamed)
        named.push_back(analysis::counted(static_cast<std::int64_t>(calls.size() - mostNamed), "other function"));
    if (!named.empty()) table.remarks.push_back(engine::text(keptCalls, ": ", analysis::listed(named)));
    return table;
}

Table ReplayTables::perRank() const {
    Table table{.name = std::string{replayTable::ranks},
                .title = engine::text("end of each rank, and its time in the replay ",
                                      made_.changed ? "with changes " : "", "by activity"),
                .columns = {{"rank", Content::rank}, {"recorded_s", Content::time}, {"replayed_s", Content::time}},
                .rows = {}};
    if (made_.changed) table.columns.push_back({"changed_s", Content::time});
    for (const char* const name :
         {"computing_s", "waiting_s", "moving_s", "collectives_s", "waiting_in_collectives_s", "other_mpi_s"})
        table.columns.push_back({name, Content::time});
    const bool hasGaps = meanGaps() > Picoseconds{};
    if (hasGaps) table.columns.push_back({"not_recorded_s", Content::time, "not recorded"});
    for (const Rank rank : recorded_.spent.ids()) {
        const TimeSpent& spent = made_.last().result.ranks[rank];
        std::vector<engine::Cell> cells{engine::cell(rank), recorded_.spent[rank].end,
                                        made_.asRecorded.result.ranks[rank].end};
        if (made_.changed) cells.emplace_back(spent.end);
        const Picoseconds gaps = hasGaps ? std::min(kept_.gaps[rank], spent.inMpi) : Picoseconds{};
        for (const Picoseconds time : {spent.computing, spent.waiting, spent.moving, spent.inCollectives,
                                       spent.waitingInCollectives, spent.inMpi - gaps})
            cells.emplace_back(time);
        if (hasGaps) cells.emplace_back(gaps);
        table.rows.push_back(std::move(cells));
    }
    if (made_.last().setUp.last() > Picoseconds{})
        table.remarks.emplace_back("computation: includes the time before the end of MPI_Init");
    table.remarks.emplace_back(
        "collectives: time in collectives and other synchronising calls, with the waiting in them");
    return table;
}

Table ReplayTables::algorithms(const std::vector<std::vector<CollectiveWay>>& ways) const {
    Table table{.name = std::string{replayTable::collectives},
                .title = "collectives and other calls in which ranks wait, with the algorithms of the replay",
                .columns = {{"collective", Content::words},
                            {"ranks", Content::count},
                            {"received_bytes", Content::bytes, "buffers of all ranks"},
                            {"times", Content::count, "calls"},
                            {"algorithm", Content::words},
                            {"source", Content::words},
                            {"recorded_s", Content::time},
                            {"replayed_s", Content::time},
                            {"least_s", Content::time, "lower bound"}},
                .rows = {}};
    if (made_.changed) {
        table.columns.push_back({"changed_to", Content::words, "new algorithm"});
        table.columns.push_back({"changed_s", Content::time});
    }
    struct Alike {
        std::int64_t times = 0;
        Picoseconds recorded{};
        Picoseconds replayed{};
        Picoseconds changed{};
        std::optional<Picoseconds> least{};  ///< that any algorithm takes, where the algorithm is unknown
    };
    const engine::Model model = engine::modelFromText(made_.asRecorded.model);
    std::map<std::string, Picoseconds> bounds;  // by problem
    const auto leastOf = [&](const engine::Problem& problem) {
        const auto [bound, isNew] = bounds.try_emplace(engine::toText(problem));
        if (isNew) bound->second = engine::timeBound(engine::boundsOf(problem, {}), model);
        return bound->second;
    };
    // Also by where the algorithm is known from: what took least_s or more is all of such a row.
    std::map<std::tuple<std::string, std::int64_t, engine::Bytes, std::string, std::string, std::string_view>, Alike>
        all;
    std::map<const engine::Plan*, std::string> known;
    const auto words = [&](const engine::Plan* plan) -> const std::string& {
        const auto [its, isNew] = known.try_emplace(plan);
        if (isNew && plan != nullptr) its->second = analysis::wordsOf(*plan);
        return its->second;
    };
    const std::string asRecorded = "as recorded";
    const auto wordsOfWay = [&](const CollectiveWay& way) -> const std::string& {
        return way.kept ? asRecorded : way.sequence != nullptr ? way.sequence->words : words(way.plan);
    };
    // A rank that waits twice in one call at a window, for different ranks, spends the longer one of both waits there.
    std::map<std::pair<Rank, Picoseconds>, std::size_t> atWindow;
    for (std::size_t i = 0; i < recorded_.collectives.size(); ++i)
        if (const analysis::RecordedCollective& one = recorded_.collectives[i]; one.forOne)
            for (const traces::Participant& part : one.parts)
                if (!part.nonBlocking) {
                    const auto [its, isFirst] = atWindow.try_emplace({part.rank, part.begin}, i);
                    if (!isFirst && recorded_.collectives[its->second].lasted.end <= one.lasted.end) its->second = i;
                }
    std::set<std::size_t> counted;  // of these
    for (const auto& [call, i] : atWindow) counted.insert(i);
    std::set<std::string> unknown;
    const auto length = [](const emulation::Lasting& lasts) {
        return std::max(Picoseconds{}, lasts.end - lasts.begin);
    };
    // A call that is kept ends in the emulation with its last entry; ranks then spend the rest as recorded.
    const auto behindLastEntry = [&](const analysis::RecordedCollective& one, const CollectiveWay& way) {
        if (!way.kept || made_.job || !one.isSynchronisation()) return Picoseconds{};
        const Picoseconds entered = std::ranges::max(one.parts, {}, &traces::Participant::begin).begin;
        return std::max(Picoseconds{}, one.lasted.end - entered);
    };
    for (std::size_t i = 0; i < recorded_.collectives.size(); ++i) {
        const analysis::RecordedCollective& one = recorded_.collectives[i];
        if (one.forOne && !counted.contains(i)) continue;
        const auto members = static_cast<std::int64_t>(recorded_.program.collectives[i].members->size());
        Alike& alike = all[{one.operation, one.forOne ? 0 : members, one.bytes, wordsOfWay(ways.front()[i]),
                            wordsOfWay(ways.back()[i]), ways.front()[i].source}];
        const auto lacks = [](const CollectiveWay& way) { return !way.hasSchedule() && !way.kept; };
        if (lacks(ways.front()[i]) || lacks(ways.back()[i]))
            unknown.insert(engine::text("no algorithm for ", one.operation, ": ",
                                        one.problem ? "none of the catalogue fits" : one.whyNoProblem));
        if (!ways.front()[i].named && !ways.front()[i].kept && one.problem)
            alike.least = alike.least.value_or(Picoseconds{}) + leastOf(*one.problem);
        ++alike.times;
        alike.recorded += length(one.lasted);
        alike.replayed += length(made_.asRecorded.result.collectives[i]) + behindLastEntry(one, ways.front()[i]);
        alike.changed += length(made_.last().result.collectives[i]) + behindLastEntry(one, ways.back()[i]);
    }
    bool beaten = false;
    for (const auto& [what, alike] : all) {
        const auto& [operation, ranks, bytes, first, last, source] = what;
        // The replay has no time at which a rank enters a call at a window that no longer waits.
        const auto windowOr = [isAtWindow = ranks == 0](Picoseconds time) {
            return isAtWindow ? engine::Cell{} : engine::Cell{time};
        };
        beaten = beaten || (alike.least && alike.recorded < *alike.least);
        std::vector<engine::Cell> cells{made_.job ? traces::torchName(operation) : operation,
                                        ranks > 0 ? engine::Cell{ranks} : engine::Cell{},
                                        bytes,
                                        ranks > 0 ? alike.times : recorded_.callsAtWindows.at(operation),
                                        engine::cell(first),
                                        engine::cell(std::string{source}),
                                        alike.recorded,
                                        windowOr(alike.replayed),
                                        alike.least ? engine::Cell{*alike.least} : engine::Cell{}};
        if (made_.changed) {
            cells.push_back(engine::cell(last));
            cells.push_back(windowOr(alike.changed));
        }
        table.rows.push_back(std::move(cells));
    }
    table.remarks.assign(unknown.begin(), unknown.end());
    table.remarks.emplace_back("times: from the first entry to the last exit, added up over the calls");
    const auto has = [&](std::string_view source) {
        return std::ranges::any_of(ways.front(), [&](const CollectiveWay& way) { return way.source == source; });
    };
    if (has(name(analysis::AlgorithmSource::recognised)))
        table.remarks.emplace_back("recognised: the messages inside match the algorithm");
    if (has(name(analysis::AlgorithmSource::closest)))
        table.remarks.emplace_back(
            "closest: of all algorithms this one has the most messages in common with those inside");
    if (has(assumedSource))
        table.remarks.emplace_back("assumed: the library's algorithm is unknown, and the replay uses the fastest one");
    if (beaten)
        table.remarks.emplace_back(
            "if the recorded time is below the lower bound, alpha and beta are too large for that collective, and its "
            "replay is too slow");
    if (std::ranges::any_of(recorded_.collectives, &analysis::RecordedCollective::nonBlocking))
        table.remarks.emplace_back(
            "nonblocking collectives progress during computation (assumed): a rank that completes one late delays no "
            "other rank there, and waiting moves to the next call; in a library that progresses only in MPI calls they "
            "take longer");
    if (!unknown.empty())
        table.remarks.emplace_back("collectives without an algorithm keep their recorded time after the last entry");
    return table;
}

Table activitiesBeside(const Replaying& predicted, const analysis::RecordedProgram& measured) {
    Table table{.name = std::string{replayTable::checkActivities},
                .title = "mean time per rank by activity after MPI_Init; difference = measured - predicted",
                .columns = {{"activity", Content::words},
                            {"predicted_s", Content::time},
                            {"measured_s", Content::time},
                            {"difference_s", Content::time}},
                .rows = {}};
    const ReplayedRun& last = predicted.last();
    for (const ReplayActivity& activity : replayActivities) {
        const Picoseconds foreseen = meanWithoutStartUp(last.result.ranks, last.result.duration, last.setUp, activity);
        const Picoseconds found = meanWithoutStartUp(measured.spent, measured.duration, measured.setUp, activity);
        table.rows.push_back({std::string{activity.name}, foreseen, found, found - foreseen});
    }
    return table;
}

}  // namespace app
