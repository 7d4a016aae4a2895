// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/findings/collective_gap.hpp"

#include "app/analysis/bounds/algorithm_ranking.hpp"
#include "engine/base/text.hpp"

#include <algorithm>

namespace app::analysis {

using engine::Picoseconds;

namespace {

bool isEmulated(TraceAnalysis& analysis, const Identified& known) {
    return known.planRecorded && analysis.trace().report.limits && analysis.modelOrigin() == "recorded";
}

/// The network on which an instance's bounds stand: that of a run whose plan is recorded, else the one that is asked
/// about, or that of the whole of which it is a part.
emulation::NetworkPtr networkOf(TraceAnalysis& analysis, const Identified& known) {
    const Report& report = analysis.trace().report;
    if (isEmulated(analysis, known) || (known.planRecorded && report.plan)) return report.network;
    const std::string topology = analysis.topology();
    return topology.empty() ? nullptr : networkNamed(topology, report.run->ranks);
}

}  // namespace

Limits limitsOf(TraceAnalysis& analysis, const Identified& known) {
    const Report& report = analysis.trace().report;
    if (isEmulated(analysis, known)) return *report.limits;
    const emulation::NetworkPtr network = networkOf(analysis, known);
    const Machine machine{.model = analysis.model(), .network = network.get()};
    if (known.planRecorded && report.plan) return limitsOf(*report.plan, report.totals, machine);
    if (known.plan) return limitsOf(*known.plan, totalsOf(*known.plan), machine);
    return limitsOf(*known.problem, engine::Wiring::any(), machine);
}

std::string networkForcesInWords(TraceAnalysis& analysis, const Identified& known) {
    const Limits limits = limitsOf(analysis, known);
    const emulation::NetworkPtr network = networkOf(analysis, known);
    if (!limits.held().networkDecides || network == nullptr) return {};
    return engine::text("Shared links raise the bound by ", engine::showTime(limits.networkForces()), ": ",
                        inWords(*limits.network, *network), ".");
}

bool InstanceGap::isSplit(bool ofCollscope) const {
    return parts && (ofCollscope || std::ranges::all_of(gapCauses, [&](const GapCause& cause) {
                         return (*parts).*cause.time >= Picoseconds{};
                     }));
}

std::optional<InstanceGap> gapOf(TraceAnalysis& analysis, std::size_t index) {
    const IdentifiedPtr known = analysis.identified(index);
    const std::optional<engine::Model> model = analysis.model();
    if (!known->problem || !model) return std::nullopt;
    const Instance& instance = analysis.instances()[index];
    const Report& report = analysis.trace().report;
    const Limits limits = limitsOf(analysis, *known);
    const std::optional<Picoseconds> bound = limits.held().time;
    if (!bound) return std::nullopt;
    InstanceGap gap{.bound = *bound, .blocks = limits.blocks, .parts = {}};
    const Picoseconds above = instance.duration() - gap.bound;
    if (isEmulated(analysis, *known)) {
        gap.parts = report.gap;
        if (!gap.parts) return gap;
    } else {
        // The terms of LogGP do not add up along a path.
        if (model->logGP) return gap;
        gap.parts.emplace();
        if (!instance.hasMessages) {
            // Once all have entered, it may take less than the model says.
            gap.parts->waiting = std::clamp(above, Picoseconds{}, arrivalsOf(instance).spread.value_or(Picoseconds{}));
            gap.parts->unexplained = above - gap.parts->waiting;
            return gap;
        }
        const engine::Model own = model->combiningBy(known->problem->operation);
        gap.parts = gapAlong(criticalPath(*instance.run), *engine::leastCost(limits.bounds, limits.blocks, own),
                             *engine::timeBound(limits.bounds, limits.blocks, own), own);
    }
    gap.parts->waiting = {};
    gap.parts->waiting = above - gap.parts->sum();
    return gap;
}

}  // namespace app::analysis
