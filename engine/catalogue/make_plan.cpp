// SPDX-License-Identifier: BSD-3-Clause
#include "engine/algorithm/algorithm.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/algorithm_file.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "engine/catalogue/variants.hpp"

namespace engine {
namespace {

/// "; choose one of: reduce/chain, reduce/linear": algorithms for the same collective that keep the order of ranks.
std::string inOrderInstead(const Algorithm& algorithm, const Problem& problem) {
    std::vector<std::string> ids;
    for (const Algorithm* other : algorithmsFor(algorithm.collective)) {
        const Options options{other->id, other->options, {}};
        if (!other->keepsOrder || !other->keepsOrder(problem, options)) continue;
        if (other->objects && other->objects(problem, options)) continue;
        ids.push_back(other->id);
    }
    return ids.empty() ? "" : "; choose one of: " + joined(ids, ", ");
}

/// The plan without its schedule; `objection` becomes what the algorithm has against the problem.
Plan begun(const Algorithm& algorithm, const Problem& problem, const std::map<std::string, std::string>& options,
           const Surroundings& around, Objection& objection) {
    if (problem.collective != algorithm.collective)
        throw Error{text(algorithm.id, " solves ", name(algorithm.collective), ", not ", name(problem.collective))};
    Plan plan{&algorithm, problem, Options{algorithm.id, algorithm.options, options, around}, nullptr, nullptr};
    if (problem.collective == Collective::scan && options.contains("exclusive"))
        plan.problem.exclusive = plan.options.is("exclusive", "yes");
    validate(plan.problem);
    if (algorithm.objects != nullptr) objection = algorithm.objects(plan.problem, plan.options);
    return plan;
}

void schedule(Plan& plan) {
    const Algorithm& algorithm = *plan.algorithm;
    if (plan.problem.operation == Operation::ordered && plan.problem.ranks() > 1 &&
        !(algorithm.keepsOrder && algorithm.keepsOrder(plan.problem, plan.options)))
        throw Error{text(algorithm.id, ": does not combine contributions in the order of ranks, as ", field::operation,
                         " ordered needs", inOrderInstead(algorithm, plan.problem))};
    plan.schedule = algorithm.plan(plan.problem, plan.options);
    plan.source = schedules::sourceOf(algorithm);
}

}  // namespace

Plan makePlan(const Algorithm& algorithm, const Problem& problem, const std::map<std::string, std::string>& options,
              const Surroundings& around) {
    Objection objection;
    Plan plan = begun(algorithm, problem, options, around, objection);
    if (objection) throw Error{text(algorithm.id, ": ", *objection)};
    schedule(plan);
    return plan;
}

std::optional<Plan> planUnlessRefused(const Algorithm& algorithm, const Problem& problem,
                                      const std::map<std::string, std::string>& options, const Surroundings& around) {
    Objection objection;
    Plan plan = begun(algorithm, problem, options, around, objection);
    if (objection) return std::nullopt;
    schedule(plan);
    return plan;
}

Choices choicesOf(const Plan& plan) {
    return plan.algorithm->choose != nullptr ? plan.algorithm->choose(plan.problem, plan.options) : Choices{};
}

}  // namespace engine
