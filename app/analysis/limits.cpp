// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/limits.hpp"

#include "app/analysis/cuts.hpp"

#include <algorithm>

namespace app::analysis {

using engine::Blocks;
using engine::Bounds;
using engine::Picoseconds;
using engine::Wiring;

namespace {

/// Startups and bytes of the fastest link stand for all.
engine::Model fastestOf(engine::Model model, const emulation::Network& network) {
    Picoseconds& startup = model.logGP ? model.logGP->latency : model.alpha;
    engine::Rate& perByte = model.logGP ? model.logGP->gapPerByte : model.beta;
    const emulation::LinkQuality least = network.least({startup, perByte});
    startup = least.latency;
    perByte = least.beta;
    return model;
}

/// The time that no schedule of the class can beat; nothing where it is not known. Late, slow and waiting parts only
/// add to it.
std::optional<Picoseconds> leastTime(const Bounds& bounds, Blocks blocks, const engine::Problem& problem,
                                     const Machine& machine) {
    if (!machine.model) return std::nullopt;
    const engine::Model model = machine.model->combiningBy(problem.operation);
    if (machine.network == nullptr) return engine::timeBound(bounds, blocks, model);
    const engine::Model fastest = fastestOf(model, *machine.network);
    const std::optional<Picoseconds> time = engine::timeBound(bounds, blocks, fastest);
    if (!time || !machine.linksAreShared || model.logGP) return time;
    const Picoseconds cut = timeThroughCuts(problem, *machine.network, model.beta);
    return cut > Picoseconds{} ? std::max(*time, fastest.alpha + cut) : *time;
}

Limit wholeLimit(const Bounds& bounds, const engine::Problem& problem, const Machine& machine) {
    Limit limit{*bounds.unitRounds, 0, leastTime(bounds, Blocks::whole, problem, machine)};
    for (const engine::Cost& cost : bounds.whole) limit.inARow = std::max(limit.inARow, cost.volume);
    return limit;
}

Limits limitsOf(const engine::Problem& problem, const Wiring& wiring, bool wholeBlocks, const Machine& machine) {
    Limits limits{.bounds = engine::boundsOf(problem, wiring, machine.sends), .atWill = {}};
    const Bounds& known = limits.bounds;
    limits.atWill = {known.startups, known.volume.value, leastTime(known, Blocks::cutAtWill, problem, machine)};
    if (known.unitRounds && !known.whole.empty()) limits.whole = wholeLimit(known, problem, machine);
    // A class without a bound on time would leave rows of two classes side by side.
    const bool timed = limits.whole && limits.whole->time.has_value() == limits.atWill.time.has_value();
    if (wholeBlocks && timed) limits.blocks = Blocks::whole;
    return limits;
}

/// The wiring that binds the plan.
const Wiring& bindingOf(const engine::Plan& plan, const Machine& machine) {
    static const Wiring any = Wiring::any();
    const engine::Facts& facts = plan.schedule->facts();
    // Dummies are on a ring and on a torus where everybody expects them; elsewhere they may be shortcuts.
    const bool known = facts.wiring.kind() != Wiring::Kind::named || facts.ranks == plan.problem.ranks();
    const bool binds = machine.network != nullptr && machine.network->wiring() == facts.wiring;
    return known && binds ? facts.wiring : any;
}

}  // namespace

std::optional<double> Limits::cuttingSaves() const {
    if (blocks != Blocks::whole || !whole->time || !atWill.time || *atWill.time >= *whole->time) return std::nullopt;
    return 1 - static_cast<double>(atWill.time->count()) / static_cast<double>(whole->time->count());
}

Limits limitsOf(const engine::Problem& problem, const Wiring& wiring, const Machine& machine) {
    return limitsOf(problem, wiring, false, machine);
}

Limits limitsOf(const engine::Plan& plan, const std::optional<Totals>& totals, const Machine& machine) {
    const Wiring& binding = bindingOf(plan, machine);
    Limits limits = limitsOf(plan.problem, binding, totals && totals->wholeContributions, machine);
    limits.neighbours = binding.kind() != Wiring::Kind::any;
    return limits;
}

}  // namespace app::analysis
