// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/instance_gap.hpp"

namespace app::analysis {

using engine::Picoseconds;

engine::Bounds boundsOf(Inquiry& inquiry, const Identified& known) {
    const Report& report = inquiry.trace().report;
    if (known.planRecorded && report.bounds) return *report.bounds;
    if (known.plan) return boundsFor(*known.plan, engine::Wiring::any());
    return engine::boundsOf(*known.problem, engine::Wiring::any());
}

std::optional<InstanceGap> gapOf(Inquiry& inquiry, std::size_t index) {
    const IdentifiedPtr known = inquiry.identified(index);
    const std::optional<engine::Model> model = inquiry.model();
    // Bounds speak of alpha and beta; LogGP gives their terms no time.
    if (!known->problem || !model || model->logGP) return std::nullopt;
    const Instance& instance = inquiry.instances()[index];
    const Report& report = inquiry.trace().report;
    const engine::Bounds bounds = boundsOf(inquiry, *known);
    InstanceGap gap{.bound = engine::timeBound(bounds, *model), .parts = {}};
    Gap& parts = gap.parts;
    const Picoseconds above = instance.duration() - gap.bound;
    const bool emulated = known->planRecorded && report.gap && inquiry.modelOrigin() == "recorded";
    if (!emulated && !instance.hasMessages) {
        parts.waiting = arrivalsOf(instance).spread;
        parts.unexplained = above - parts.waiting;
        return gap;
    }
    parts = emulated ? *report.gap : gapOf(criticalPath(instance.run), bounds, *model);
    parts.waiting = {};
    parts.waiting = above - parts.sum();
    return gap;
}

}  // namespace app::analysis
