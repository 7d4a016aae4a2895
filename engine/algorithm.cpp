// SPDX-License-Identifier: BSD-3-Clause
#include "engine/algorithm.hpp"

#include "engine/error.hpp"
#include "engine/text.hpp"

namespace engine {

Plan makePlan(const Algorithm& algorithm, const Problem& problem, const std::map<std::string, std::string>& options,
              const Surroundings& around) {
    if (problem.collective != algorithm.collective)
        throw Error{text(algorithm.id, " solves ", name(algorithm.collective), ", not ", name(problem.collective))};
    validate(problem);
    Plan plan{&algorithm, problem, Options{algorithm.id, algorithm.options, options, around}, nullptr};
    if (algorithm.objects != nullptr)
        if (const Objection objection = algorithm.objects(plan.problem, plan.options))
            throw Error{text(algorithm.id, ": ", *objection)};
    plan.schedule = algorithm.plan(plan.problem, plan.options);
    return plan;
}

Choices choicesOf(const Plan& plan) {
    return plan.algorithm->choose != nullptr ? plan.algorithm->choose(plan.problem, plan.options) : Choices{};
}

}  // namespace engine
