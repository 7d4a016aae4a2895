// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/bounds/limits.hpp"

#include "app/analysis/bounds/cuts.hpp"
#include "app/analysis/format/table_words.hpp"
#include "engine/text.hpp"

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

/// "3 startups, 256 KiB in a row and 64 KiB combined".
std::string inWords(const engine::Cost& cost, const engine::Model& model) {
    std::vector<std::string> terms;
    if (cost.startups > 0 && model.alpha.count() > 0) terms.push_back(counted(cost.startups, "startup"));
    if (cost.volume > 0 && model.beta.femtosecondsPerByte > 0)
        terms.push_back(engine::showBytes(cost.volume) + " in a row");
    if (cost.combined > 0 && model.gamma.femtosecondsPerByte > 0)
        terms.push_back(engine::showBytes(cost.combined) + " combined");
    return listed(terms);
}

/// Sets the time that no schedule of the class can beat, where it is known, and what it is of. Late, slow and waiting
/// parts only add to it.
void setTime(Limit& limit, const Bounds& bounds, Blocks blocks, const engine::Problem& problem,
             const Machine& machine) {
    if (!machine.model) return;
    const engine::Model own = machine.model->combiningBy(problem.operation);
    const engine::Model model = machine.network == nullptr ? own : fastestOf(own, *machine.network);
    limit.time = engine::timeBound(bounds, blocks, model);
    if (!limit.time) return;
    if (model.logGP) {
        limit.timeIsOf = "L, o, g and G until the last rank is served";
        return;
    }
    const engine::Cost least = *engine::leastCost(bounds, blocks, model);
    const engine::Cost told{.startups = limit.rounds.value, .volume = limit.inARow};
    const bool isFast = model.alpha != own.alpha || model.beta != own.beta;
    if (least.weighed(model) != told.weighed(own))
        limit.timeIsOf = inWords(least, model) + (isFast ? " on the fastest links" : "");
    if (machine.network == nullptr || !machine.linksAreShared) return;
    const Picoseconds cut = timeThroughCuts(problem, *machine.network, own.beta);
    if (cut == Picoseconds{} || model.alpha + cut <= *limit.time) return;
    limit.time = model.alpha + cut;
    limit.timeIsOf = "1 startup and what must come through links that are shared";
}

Limit wholeLimit(const Bounds& bounds, const engine::Problem& problem, const Machine& machine) {
    Limit limit{*bounds.unitRounds};
    for (const engine::Cost& cost : bounds.whole) limit.inARow = std::max(limit.inARow, cost.volume);
    setTime(limit, bounds, Blocks::whole, problem, machine);
    return limit;
}

Limits limitsOf(const engine::Problem& problem, const Wiring& wiring, bool wholeBlocks, const Machine& machine) {
    Limits limits{.bounds = engine::boundsOf(problem, wiring, machine.sends), .atWill = {}};
    const Bounds& known = limits.bounds;
    limits.atWill = {known.startups, known.volume.value};
    setTime(limits.atWill, known, Blocks::cutAtWill, problem, machine);
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

std::string nameOfBound(Blocks blocks) {
    return blocks == Blocks::whole ? "lower bound with whole blocks" : "lower bound";
}

std::string partsOfTime(const Limit& limit) {
    if (!limit.time || limit.timeIsOf.empty()) return {};
    return engine::text("each bound holds by itself; ", engine::showTime(*limit.time), " is ", limit.timeIsOf);
}

std::string cuttingInWords(const Limits& limits) {
    const std::optional<double> saves = limits.cuttingSaves();
    if (!saves) return {};
    return engine::text("with blocks cut at will the lower bound is ", engine::showTime(*limits.atWill.time), ", ",
                        percent(*saves), " below that with whole blocks");
}

}  // namespace app::analysis
