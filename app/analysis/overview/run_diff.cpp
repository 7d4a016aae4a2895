// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/overview/run_diff.hpp"

#include "app/analysis/format/cell_format.hpp"
#include "app/analysis/overview/program_view.hpp"
#include "app/analysis/overview/run_comparison.hpp"
#include "app/analysis/schedule/schedule_conformance.hpp"
#include "app/analysis/selection/program_time.hpp"
#include "app/analysis/tables/table_helpers.hpp"
#include "engine/base/text.hpp"
#include "traces/recording/vocabulary.hpp"

#include <algorithm>
#include <cstdlib>
#include <tuple>

namespace app::analysis {

using engine::Cell;
using engine::Content;
using engine::Picoseconds;
using engine::Table;
using engine::text;

namespace {

std::string onlyIn(std::int64_t instances, const std::string& label) {
    return text(counted(instances, "instance"), instances == 1 ? " is" : " are", " only in ", label);
}

/// The common value of a column in words.
std::string commonWords(const engine::Column& column, const std::string& words, const Report& report) {
    if (column.name == "problem" && report.plan) return problemWords(report.plan->problem);
    if (column.name == "network" && words == "full") return "fully connected network";
    return column.name + " " + words;
}

/// Columns that repeat the name of the run, or have one value in all rows, are left out for people.
void hideRepetitions(Table& table, std::span<const Contestant> runs) {
    const Report& first = runs.front().trace.report;
    const auto& rows = table.rows;
    if (rows.size() < 2) return;
    table.columns[1].isShown = !std::ranges::all_of(rows, [](const auto& row) { return row[0] == row[1]; });
    std::vector<std::string> common;
    for (engine::Column& column : table.columns) {
        if (column.name != "problem" && column.name != "network") continue;
        const auto c = static_cast<std::size_t>(&column - table.columns.data());
        const auto* const words = std::get_if<std::string>(&rows.front()[c]);
        if (words == nullptr || !std::ranges::all_of(rows, [&](const auto& row) { return row[c] == rows.front()[c]; }))
            continue;
        column.isShown = false;
        common.push_back(commonWords(column, *words, first));
    }
    const engine::Setting& setting = first.run->setting;
    if (!setting.perturbation.empty() && std::ranges::all_of(runs, [&](const Contestant& one) {
            return one.trace.report.run->setting.perturbation == setting.perturbation;
        }))
        common.push_back(perturbationWords(setting));
    if (!common.empty()) table.remarks.push_back("all runs: " + engine::joined(common, "; "));
}

}  // namespace

Picoseconds timeOf(const Trace& trace) {
    if (!isProgram(trace)) return trace.report.run->duration;
    const traces::TimeSpan span = timeOfProgram(*trace.recording);
    return span.end - span.begin;
}

Table compareRuns(std::span<const Contestant> contestants) {
    Table table{.name = "runs",
                .title = "results of all runs",
                .columns = {{"run", Content::words},
                            {"algorithm", Content::words},
                            {"problem", Content::words},
                            {"rounds", Content::count},
                            {"messages", Content::count},
                            {"bytes", Content::bytes, "bytes in total"},
                            {"serialized_bytes", Content::bytes},
                            {"time_s", Content::time},
                            {"times_first", Content::number},
                            {"idle_share", Content::share},
                            {"busiest_link", Content::words, "busiest link in a round"},
                            {"busiest_bytes", Content::bytes, "its bytes in that round"},
                            {"bound_rounds", Content::count},
                            {"bound_time_s", Content::time},
                            {"times_bound", Content::number},
                            {"network", Content::words}},
                .rows = {}};
    std::vector<const Report*> reports;
    for (const Contestant& one : contestants) reports.push_back(&one.trace.report);
    const engine::Blocks common = commonBlocks(reports);
    if (common == engine::Blocks::whole)
        for (engine::Column& column : table.columns) {
            if (column.name == "bound_rounds") column.heading = "one-block bound, rounds";
            if (column.name == "bound_time_s") column.heading = "one-block bound, time";
        }
    const Picoseconds first = contestants.empty() ? Picoseconds{} : timeOf(contestants.front().trace);
    for (const Contestant& one : contestants) {
        const Report& report = one.trace.report;
        const engine::Run& run = *report.run;
        const auto peak = report.peak();
        const Limit* const limit = report.limits ? &report.limits->of(common) : nullptr;
        const std::optional<Picoseconds> bound = limit != nullptr ? limit->time : std::nullopt;
        const bool timed = bound && bound->count() > 0;
        const Picoseconds time = timeOf(one.trace);
        table.rows.push_back(
            {one.label, engine::cell(run.setting.algorithm), engine::cell(run.setting.problem),
             one.trace.isCollscopeRun() ? Cell{run.rounds} : Cell{}, run.messageCount, run.byteCount,
             one.trace.isCollscopeRun() ? Cell{report.serializedBytes()} : Cell{}, time, ratioCell(time, first),
             one.trace.isCollscopeRun() ? Cell{engine::idleShare(run)} : Cell{},
             peak ? Cell{report.network->linkName(peak->link)} : Cell{}, peak ? Cell{peak->bytes} : Cell{},
             limit != nullptr ? Cell{limit->rounds.value} : Cell{}, bound ? Cell{*bound} : Cell{},
             timed ? Cell{ratio(run.duration, *bound)} : Cell{}, engine::cell(run.setting.topology)});
    }
    if (!contestants.empty()) hideRepetitions(table, contestants);
    if (common == engine::Blocks::anyMessages) {
        std::vector<std::string> bounds;
        for (const Contestant& one : contestants)
            if (const auto& limits = one.trace.report.limits;
                limits && limits->blocks == engine::Blocks::whole && limits->whole->time)
                bounds.push_back(text(one.label, ": ", engine::showTime(*limits->whole->time)));
        if (!bounds.empty())
            table.remarks.push_back(
                text("the bounds hold for all schedules; one-block bound on the time of ", listed(bounds)));
    }
    if (std::any_of(contestants.begin(), contestants.end(), [](const Contestant& one) {
            return isProgram(one.trace) && setUpTimes(*one.trace.recording).initialised;
        }))
        table.remarks.emplace_back("times of programs are from MPI_Init to MPI_Finalize");
    for (const Contestant& one : contestants)
        if (const std::string words = clockWords(one.trace); !words.empty())
            table.remarks.push_back(one.label + ": " + words);
    for (std::string& words : sharedProcessorRemarks(contestants)) table.remarks.push_back(std::move(words));
    return table;
}

std::vector<std::string> sharedProcessorRemarks(std::span<const Contestant> contestants) {
    std::vector<std::string> remarks;
    for (const Contestant& one : contestants)
        if (const std::string* const sharing = one.trace.propertyOfProgram(traces::own::sharing))
            remarks.push_back(
                one.trace.isReplay()
                    ? engine::text(one.label,
                                   ": a replay of a recording whose ranks shared processors; its computation "
                                   "includes waiting for a processor")
                    : engine::text(one.label, ": ", engine::joined(engine::split(*sharing, '\n'), "; "),
                                   "; its times include waiting for a processor, and differ from run to run"));
    return remarks;
}

std::optional<Table> messageChanges(const Contestant& first, const Contestant& second) {
    for (const Contestant* one : {&first, &second})
        if (!one->trace.isCollscopeRun() || one->trace.report.run->droppedMessages > 0) return std::nullopt;
    Table table{.name = "messages",
                .title = "messages that differ between the two runs",
                .columns = {{"change", Content::words},
                            {"from", Content::rank},
                            {"to", Content::rank},
                            {"bytes", Content::bytes},
                            {"first_round", Content::round, "round, first run"},
                            {"second_round", Content::round, "round, second run"},
                            {"later_s", Content::time, "receive end, second - first"}},
                .rows = {}};
    for (const ChangeRow& row : changes(*first.trace.report.run, *second.trace.report.run)) {
        const char* change = !row.roundB                ? "only in the first run"
                             : !row.roundA              ? "only in the second run"
                             : row.roundA != row.roundB ? "in another round"
                                                        : "at another time";
        table.rows.push_back({std::string{change}, engine::cell(row.from), engine::cell(row.to), row.bytes,
                              cellOf(row.roundA), cellOf(row.roundB),
                              row.roundA && row.roundB ? Cell{row.later} : Cell{}});
    }
    return table;
}

Table instanceChanges(const Contestant& first, const Contestant& second, const engine::Progress& progress) {
    Table table{.name = "instances",
                .title = "collectives of both traces; difference = second - first, ratio = second / first",
                .columns = {{"communicator", Content::words},
                            {"operation", Content::words},
                            {"occurrence", Content::count},
                            {"ranks", Content::count},
                            {"first_s", Content::time},
                            {"second_s", Content::time},
                            {"longer_s", Content::time, "difference"},
                            {"ratio", Content::number},
                            {"first_messages", Content::count, "messages, first"},
                            {"second_messages", Content::count, "messages, second"},
                            {"first_bytes", Content::bytes, "bytes, first"},
                            {"second_bytes", Content::bytes, "bytes, second"}},
                .rows = {}};
    using Key = std::tuple<std::string, std::string, std::int64_t>;
    const auto keyed = [&](const Contestant& one) {
        TraceAnalysis analysis{one.trace, {}, progress};
        std::map<Key, Instance> instances;
        std::map<std::pair<std::string, std::string>, std::int64_t> seen;
        for (const Instance& instance : analysis.instances()) {
            const std::int64_t occurrence = seen[{instance.communicator, instance.operation}]++;
            instances.emplace(Key{instance.communicator, instance.operation, occurrence}, instance);
        }
        return instances;
    };
    const auto a = keyed(first);
    const auto b = keyed(second);
    std::int64_t onlyA = 0;
    for (const auto& [key, one] : a) {
        const auto partner = b.find(key);
        if (partner == b.end()) {
            ++onlyA;
            continue;
        }
        const Instance& other = partner->second;
        const auto messages = [](const Instance& instance) {
            return instance.hasMessages ? Cell{instance.messageCount} : Cell{};
        };
        table.rows.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key) + 1,
                              static_cast<std::int64_t>(one.ranks.size()), one.duration(), other.duration(),
                              other.duration() - one.duration(), ratioCell(other.duration(), one.duration()),
                              messages(one), messages(other), one.bytes, other.bytes});
    }
    std::stable_sort(table.rows.begin(), table.rows.end(), [](const auto& x, const auto& y) {
        return std::abs(std::get<Picoseconds>(x[6]).count()) > std::abs(std::get<Picoseconds>(y[6]).count());
    });
    const auto onlyB = static_cast<std::int64_t>(b.size() - table.rows.size());
    if (onlyA > 0) table.remarks.push_back(onlyIn(onlyA, first.label));
    if (onlyB > 0) table.remarks.push_back(onlyIn(onlyB, second.label));
    return table;
}

}  // namespace app::analysis
