// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/compare/value_by_value.hpp"

#include "app/analysis/overview/run_comparison.hpp"
#include "app/analysis/selection/partial_runs.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <array>
#include <functional>

namespace app {

using engine::Cell;
using engine::Content;

namespace {

std::optional<double> multiple(std::optional<double> first, std::optional<double> second) {
    if (!first || !second) return std::nullopt;
    if (*first == *second) return 1;
    return *first == 0 ? std::nullopt : std::optional{*second / *first};
}

std::optional<double> numberIn(const Cell& cell) {
    if (const auto* count = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*count);
    if (const auto* time = std::get_if<engine::Picoseconds>(&cell)) return static_cast<double>(time->count());
    if (const auto* number = std::get_if<double>(&cell)) return *number;
    return std::nullopt;
}

Cell peakOf(const Report& report) {
    if (!report.congestion) return {};
    const auto peak = report.peak();
    return peak ? peak->bytes : engine::Bytes{0};
}

}  // namespace

std::optional<double> Compared::times() const { return multiple(numberIn(first), numberIn(second)); }

std::vector<Compared> numberByNumber(const Report& first, const Report& second) {
    std::vector<Compared> all;
    const auto both = [&](std::string what, Content content, const std::function<Cell(const Report&)>& of) {
        all.push_back({std::move(what), content, of(first), of(second)});
    };
    const bool programs = analysis::timesAreCalls(*first.run) || analysis::timesAreCalls(*second.run);
    both("Time", Content::time, [](const Report& r) { return Cell{r.run->duration}; });
    both("Serialized bytes", Content::bytes, [&](const Report& r) { return programs ? Cell{} : r.serializedBytes(); });
    both("Rounds", Content::count, [](const Report& r) { return Cell{r.run->rounds}; });
    both("Messages", Content::count, [](const Report& r) { return Cell{r.run->messageCount}; });
    const auto counts = [&](const Report& r) { return programs ? std::nullopt : analysis::messageCountsOf(r); };
    const auto ofFirst = counts(first), ofSecond = counts(second);
    if (ofFirst && ofSecond && first.plan->problem.groupB > 0 && second.plan->problem.groupB > 0)
        all.push_back({"Messages within group A", Content::count, ofFirst->withinA, ofSecond->withinA});
    if (ofFirst && ofSecond && !engine::isReduction(first.plan->problem.collective))
        all.push_back({"Blocks received twice", Content::count, ofFirst->again, ofSecond->again});
    both("Bytes sent", Content::bytes, [](const Report& r) { return Cell{r.run->byteCount}; });
    const engine::Blocks common = analysis::commonBlocks(std::array{&first, &second});
    both(engine::capitalised(analysis::nameOfBound(common)) + " on time", Content::time, [&](const Report& r) {
        const auto bound = r.limits ? r.limits->of(common).time : std::nullopt;
        return bound ? Cell{*bound} : Cell{};
    });
    // Of a program only its ports are known to be still.
    both(programs ? "Ports idle" : "Ranks idle", Content::share,
         [](const Report& r) { return Cell{engine::idleShare(*r.run)}; });
    both("Most bytes on one link in one round", Content::bytes, peakOf);
    both("Algorithm", Content::words, [](const Report& r) { return engine::cell(r.run->setting.algorithm); });
    both("Network", Content::words, [](const Report& r) { return r.network ? Cell{r.network->name()} : Cell{}; });
    both("Executed in", Content::words, [](const Report& r) {
        const std::string& on = r.run->setting.on;
        return Cell{std::string{on == "virtual" ? "virtual time" : on == "trace" ? "a recorded program" : on}};
    });
    both("Ranks", Content::count, [](const Report& r) { return Cell{std::int64_t{r.run->ranks}}; });
    return all;
}

std::optional<double> ComparedRound::times() const {
    const auto length = [](const std::optional<engine::RoundTimes>& times) {
        return times ? std::optional{static_cast<double>((times->end - times->begin).count())} : std::nullopt;
    };
    return multiple(length(first), length(second));
}

std::vector<ComparedRound> roundByRound(const engine::Run& first, const engine::Run& second, std::int64_t most) {
    const auto of = [](const engine::Run& run, engine::Round round, engine::Picoseconds& over) {
        if (round.index() >= run.perRound.size()) return std::optional<engine::RoundTimes>{};
        engine::RoundTimes times = run.perRound[round.index()];
        times.begin = over;
        over = times.end = std::max(over, times.end);
        return std::optional{times};
    };
    std::vector<ComparedRound> all;
    engine::Picoseconds firstOver{}, secondOver{};  // all rounds before
    for (engine::Round round{0}; round.value < std::min(most, std::max(first.rounds, second.rounds)); ++round)
        all.push_back({round, of(first, round, firstOver), of(second, round, secondOver)});
    return all;
}

}  // namespace app
