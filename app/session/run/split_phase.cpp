// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/run/split_phase.hpp"

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

/// What of the communication was hidden in `together`: it is run once more with nothing between its halves.
Overlap overlapOf(const Specification& wish, const engine::Plan& plan, const emulation::Network& network,
                  emulation::Conditions conditions, const emulation::SplitEmulated& together,
                  const engine::Progress& progress) {
    Overlap overlap{.settings = *wish.split, .alone = slowest(together), .calls = callsOf(together)};
    if (wish.split->compute.count() == 0) return overlap;
    engine::splitphase::Settings silent = *wish.split;
    silent.compute = {};
    conditions.budget = 0;
    overlap.together = slowest(together);
    overlap.computation = computationOf(wish);
    overlap.alone = slowest(emulation::emulateSplit(plan, network, conditions, silent, progress));
    return overlap;
}

}  // namespace

InHalves measureInHalves(const Specification& wish, const engine::Progress& progress) {
    const engine::Plan plan = makePlan(wish.run, {.stop = progress.stop});
    engine::splitphase::requireHalves(plan);
    const emulation::NetworkPtr network = networkFor(plan, wish.run.network);
    emulation::Conditions conditions = conditionsOf(wish.run);
    conditions.budget = 0;
    emulation::SplitEmulated together =
        emulation::emulateSplit(plan, *network, conditions, *wish.split, analysis::within(progress, 0, 0.5));
    Overlap overlap = overlapOf(wish, plan, *network, conditions, together, analysis::within(progress, 0.5, 1));
    return {std::move(together.run), std::move(overlap)};
}

SplitReport executeInHalves(const Specification& wish, const engine::Progress& progress) {
    const engine::splitphase::Settings& settings = *wish.split;
    engine::Plan plan = makePlan(wish.run, {.stop = progress.stop});
    engine::splitphase::requireHalves(plan);
    emulation::NetworkPtr network = networkFor(plan, wish.run.network);
    const emulation::Conditions conditions = conditionsOf(wish.run);
    emulation::SplitEmulated together =
        emulation::emulateSplit(plan, *network, conditions, settings, analysis::within(progress, 0, 0.4));

    SplitReport result;
    result.overlap = overlapOf(wish, plan, *network, conditions, together, analysis::within(progress, 0.4, 0.5));
    together.run.remarks.insert(together.run.remarks.begin(), splitRemark(settings));
    Report& report = result.report;
    report.run = std::make_shared<const engine::Run>(std::move(together.run));
    report.congestion = std::move(together.congestion);
    report.plan = std::move(plan);
    report.network = std::move(network);
    analysis::addDerivedResults(report, analysis::within(progress, 0.5, 1));
    report.model = wish.run.model;
    return result;
}

}  // namespace app
