// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/halves.hpp"

#include "emulation/splitphase/split_clock.hpp"
#include "engine/live/splitphase/route.hpp"

#include <algorithm>

namespace app {
namespace {

using engine::Picoseconds;

/// From its own start, for the rank that takes longest.
Picoseconds slowest(const emulation::SplitEmulated& run) {
    Picoseconds longest{};
    for (const engine::Rank rank : run.ranks.ids())
        longest = std::max(longest, run.ranks[rank].end - run.ranks[rank].begin);
    return longest;
}

Overlap::Calls callsOf(const emulation::SplitEmulated& run) {
    Overlap::Calls calls;
    for (const engine::Rank rank : run.ranks.ids()) {
        calls.most = std::max(calls.most, run.ranks[rank].calls);
        calls.mean += static_cast<double>(run.ranks[rank].calls);
    }
    calls.mean /= static_cast<double>(run.ranks.size());
    return calls;
}

/// The computation by itself: that of the slowest rank.
Picoseconds computationOf(const Specification& wish) {
    emulation::Factor factor;
    for (const emulation::SlowRank& slow : wish.run.perturbation.slowRanks) factor = std::max(factor, slow.factor);
    return factor * Picoseconds{wish.split->compute.count() * 1000};
}

}  // namespace

SplitReport executeInHalves(const Specification& wish, const engine::Progress& progress) {
    const engine::splitphase::Settings& settings = *wish.split;
    engine::Plan plan = makePlan(wish.run, {.stop = progress.stop});
    engine::splitphase::requireHalves(plan);
    emulation::NetworkPtr network = networkFor(plan, wish.run.network);
    const emulation::Conditions conditions = conditionsOf(wish.run);
    emulation::SplitEmulated together =
        emulation::emulateSplit(plan, *network, conditions, settings, analysis::within(progress, 0, 0.4));

    SplitReport result;
    result.overlap = {.settings = settings, .alone = slowest(together), .calls = callsOf(together)};
    if (settings.compute.count() > 0) {
        engine::splitphase::Settings silent = settings;
        silent.compute = {};
        emulation::Conditions summary = conditions;
        summary.budget = 0;
        result.overlap.together = slowest(together);
        result.overlap.computation = computationOf(wish);
        result.overlap.alone =
            slowest(emulation::emulateSplit(plan, *network, summary, silent, analysis::within(progress, 0.4, 0.5)));
    }
    together.run.remarks.insert(together.run.remarks.begin(), splitRemark(settings));
    Report& report = result.report;
    report.run = std::make_shared<const engine::Run>(std::move(together.run));
    report.congestion = std::move(together.congestion);
    report.plan = std::move(plan);
    report.network = std::move(network);
    analysis::conclude(report, analysis::within(progress, 0.5, 1));
    report.model = wish.run.model;
    return result;
}

}  // namespace app
