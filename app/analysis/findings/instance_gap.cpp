// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/findings/instance_gap.hpp"

#include "app/analysis/bounds/what_if.hpp"
#include "engine/base/text.hpp"

#include <algorithm>

namespace app::analysis {

using engine::Picoseconds;

namespace {

bool isEmulated(Inquiry& inquiry, const Identified& known) {
    return known.planRecorded && inquiry.trace().report.limits && inquiry.modelOrigin() == "recorded";
}

/// The network on which an instance's bounds stand: that of a run whose plan is recorded, else the one that is asked
/// about, or that of the whole of which it is a part.
emulation::NetworkPtr networkOf(Inquiry& inquiry, const Identified& known) {
    const Report& report = inquiry.trace().report;
    if (isEmulated(inquiry, known) || (known.planRecorded && report.plan)) return report.network;
    const std::string topology = inquiry.topology();
    return topology.empty() ? nullptr : networkNamed(topology, report.run->ranks);
}

}  // namespace

Limits limitsOf(Inquiry& inquiry, const Identified& known) {
    const Report& report = inquiry.trace().report;
    if (isEmulated(inquiry, known)) return *report.limits;
    const emulation::NetworkPtr network = networkOf(inquiry, known);
    const Machine machine{.model = inquiry.model(), .network = network.get()};
    if (known.planRecorded && report.plan) return limitsOf(*report.plan, report.totals, machine);
    if (known.plan) return limitsOf(*known.plan, totalsOf(*known.plan), machine);
    return limitsOf(*known.problem, engine::Wiring::any(), machine);
}

std::string networkForcesInWords(Inquiry& inquiry, const Identified& known) {
    const Limits limits = limitsOf(inquiry, known);
    const emulation::NetworkPtr network = networkOf(inquiry, known);
    if (!limits.held().networkDecides || network == nullptr) return {};
    return engine::text("Shared links raise the bound by ", engine::showTime(limits.networkForces()), ": ",
                        inWords(*limits.network, *network), ".");
}

std::optional<InstanceGap> gapOf(Inquiry& inquiry, std::size_t index) {
    const IdentifiedPtr known = inquiry.identified(index);
    const std::optional<engine::Model> model = inquiry.model();
    if (!known->problem || !model) return std::nullopt;
    const Instance& instance = inquiry.instances()[index];
    const Report& report = inquiry.trace().report;
    const Limits limits = limitsOf(inquiry, *known);
    const std::optional<Picoseconds> bound = limits.held().time;
    if (!bound) return std::nullopt;
    InstanceGap gap{.bound = *bound, .blocks = limits.blocks, .parts = {}};
    const Picoseconds above = instance.duration() - gap.bound;
    if (isEmulated(inquiry, *known)) {
        gap.parts = report.gap;
        if (!gap.parts) return gap;
    } else {
        // The terms of LogGP do not add up along a path.
        if (model->logGP) return gap;
        gap.parts.emplace();
        if (!instance.hasMessages) {
            // Once all have entered, it may take less than the model says.
            gap.parts->waiting = std::clamp(above, Picoseconds{}, arrivalsOf(instance).spread);
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
