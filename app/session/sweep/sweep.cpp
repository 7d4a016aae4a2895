// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/sweep/sweep.hpp"

#include "app/analysis/messages/schedule_totals.hpp"
#include "app/session/options/specification.hpp"
#include "app/session/run/split_phase.hpp"
#include "app/session/sweep/run_in_order.hpp"
#include "emulation/clocks/route_costs.hpp"
#include "engine/base/error.hpp"
#include "engine/base/median.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/algorithm_file.hpp"
#include "engine/proof/verify.hpp"

#include <algorithm>

namespace app {
namespace {

using engine::Progress;

/// Closed forms speak of alpha and beta alone, and of messages that go all their way.
std::optional<engine::Picoseconds> formulaOf(const engine::Plan& plan, const RunWish& wish,
                                             const emulation::Network& network) {
    if (plan.algorithm->predict == nullptr || wish.network.neighboursOnly || wish.model.logGP ||
        !emulation::isUniform(network) || !wish.perturbation.none())
        return std::nullopt;
    const std::optional<engine::Cost> cost = plan.algorithm->predict(plan.problem, plan.options);
    return cost ? std::optional{cost->under(wish.model.combiningBy(plan.problem.operation))} : std::nullopt;
}

/// Which schedules the bound of a run binds: all, or those of its class.
std::string bindingWords(const analysis::Limits& limits) {
    const bool whole = limits.blocks == engine::Blocks::whole;
    if (!limits.neighbours) return whole ? "one-block messages" : "";
    return whole ? "one-block messages, between neighbours" : "between neighbours";
}

/// All of it in one call.
SweepResult atOnce(const RunWish& wish, const Progress& progress, int repeats, SweepScope scope) {
    SweepResult result;
    const engine::Plan plan = makePlan(wish, {.stop = progress.stop});
    // The catalogue is proved by its tests; what users write is not, where it says what messages carry.
    const engine::Facts& facts = plan.schedule->facts();
    if (engine::schedules::isPath(plan.algorithm->id) && (facts.unstated.empty() || !facts.wrong.sentence.empty()))
        if (const engine::Verdict verdict = engine::verify(*plan.schedule, plan.problem, {.stop = progress.stop});
            !verdict.proved)
            throw engine::Error{
                engine::text(plan.algorithm->id, " does not solve its problem: ", verdict.counterExample)};
    const emulation::NetworkPtr network = networkFor(plan, wish.network);
    emulation::Conditions conditions = conditionsOf(wish);
    conditions.budget = 0;
    result.network = network->name();
    result.rounds = plan.schedule->facts().rounds;
    const bool bounded = emulation::isUniform(*network) || scope == SweepScope::all;
    std::optional<analysis::Totals> totals;  // they can take as long as the run
    if (bounded || scope != SweepScope::time) totals = analysis::totalsOf(plan, {.stop = progress.stop});
    std::vector<engine::Picoseconds> times;
    if (scope == SweepScope::time) {
        times.push_back(emulation::makespan(plan, *network, conditions, progress));
    } else {
        const emulation::Emulated emulated = emulation::emulate(plan, *network, conditions, progress);
        times.push_back(emulated.run.duration);
        result.startups = totals && totals->queued ? totals->startups : result.rounds;
        result.messages = emulated.run.messageCount;
        result.bytes = emulated.run.byteCount;
        result.idle = engine::idleShare(emulated.run);
    }
    for (int i = 1; i < repeats; ++i) {
        ++conditions.perturbation.arrival.seed;
        times.push_back(emulation::makespan(plan, *network, conditions, {.stop = progress.stop}));
    }
    std::sort(times.begin(), times.end());
    result.lowest = times.front();
    result.highest = times.back();
    result.time = engine::median(std::move(times));
    result.formula = formulaOf(plan, wish, *network);
    if (!plan.schedule->facts().unstated.empty()) return result;
    if (!bounded) {
        if (scope == SweepScope::time) return result;
        const analysis::Limits limits = analysis::limitsOf(plan, totals, {});
        result.leastRounds = limits.held().rounds.value;
        result.leastVolume = limits.bounds.volume.value;
        return result;
    }
    const analysis::Machine machine = analysis::machineOf(conditions, network.get());
    analysis::Limits limits = analysis::limitsOf(plan, totals, machine);
    limits.compareWith(result.lowest);
    result.leastRounds = limits.held().rounds.value;
    result.leastVolume = limits.bounds.volume.value;
    result.least = limits.held().time;
    result.leastBinds = bindingWords(limits);
    result.leastOfAll = limits.anyMessages.time;
    if (limits.neighbours) {
        analysis::Limits ofAll = analysis::limitsOf(plan.problem, engine::Wiring::any(), machine);
        ofAll.compareWith(result.lowest);
        result.leastOfAll = ofAll.anyMessages.time;
    }
    return result;
}

/// Bounds and formulas speak of ranks that do nothing else.
SweepResult inHalves(const Specification& wish, const Progress& progress) {
    const InHalves measured = measureInHalves(wish, {.stop = progress.stop});
    SweepResult result{.rounds = measured.run.rounds,
                       .startups = measured.run.rounds,
                       .messages = measured.run.messageCount,
                       .bytes = measured.run.byteCount,
                       .time = measured.time(),
                       .lowest = measured.time(),
                       .highest = measured.time(),
                       .idle = engine::idleShare(measured.run),
                       .network = measured.run.setting.topology};
    const engine::Plan plan = makePlan(wish.run, {.stop = progress.stop});
    result.halves =
        SweepResult::Halves{measured.overlap.alone, measured.overlap.hidden(), measured.overlap.calls->mean};
    if (!plan.schedule->facts().unstated.empty()) return result;
    const analysis::Limits limits = analysis::limitsOf(plan, analysis::totalsOf(plan, {.stop = progress.stop}), {});
    result.leastRounds = limits.held().rounds.value;
    result.leastVolume = limits.bounds.volume.value;
    result.leastBinds = bindingWords(limits);
    return result;
}

}  // namespace

SweepResult sweepPoint(const Specification& wish, const Progress& progress, int repeats, SweepScope scope) {
    try {
        return wish.split ? inHalves(wish, progress) : atOnce(wish.run, progress, repeats, scope);
    } catch (const engine::Faulty& fault) {
        throw engine::Faulty{engine::text(fault.words(), "; to repeat this case: collscope run ", lineOf(wish))};
    } catch (const engine::Error& error) {
        return {.refusal = error.words()};
    }
}

std::vector<Specification> wholeRuns(const std::vector<RunWish>& wishes) {
    std::vector<Specification> all;
    for (const RunWish& wish : wishes) all.push_back({.run = wish});
    return all;
}

void sweep(const std::vector<Specification>& points, int threads, const OnSwept& onSwept, const Progress& progress,
           int repeats) {
    runInOrder<SweepResult>(
        points.size(), threads,
        [&](std::size_t point, const Progress& part) { return sweepPoint(points[point], part, repeats); }, onSwept,
        progress);
}

}  // namespace app
