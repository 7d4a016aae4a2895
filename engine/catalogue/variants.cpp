// SPDX-License-Identifier: BSD-3-Clause
#include "engine/catalogue/variants.hpp"

#include "engine/base/error.hpp"
#include "engine/catalogue/compose.hpp"

#include <algorithm>
#include <set>

namespace engine {
namespace {

using Values = std::map<std::string, std::string>;

/// The values of `option` beside its fallback that are worth a try.
std::vector<std::string> valuesOf(const Option& option, const Trial& trial) {
    std::vector<std::string> values;
    const auto add = [&](const std::string& value) {
        if (value != option.fallback && value != option.broken &&
            std::find(values.begin(), values.end(), value) == values.end())
            values.push_back(value);
    };
    if (option.kind == Option::Kind::text) return values;
    for (const std::string& choice : option.choices) add(choice);
    if (option.kind == Option::Kind::choice) return values;
    for (const std::int64_t number : option.kind == Option::Kind::bytes ? trial.blocks : trial.numbers)
        if (number >= option.low && number <= option.high) add(std::to_string(number));
    return values;
}

/// Calls `tryOut` with no option changed, then with one of them, then with two, until it returns false.
template <class TryOut>
void eachCombination(const Algorithm& algorithm, const Trial& trial, TryOut tryOut) {
    if (!tryOut(Values{})) return;
    const auto& options = algorithm.options;
    std::vector<std::vector<std::string>> values;
    for (const Option& option : options) values.push_back(valuesOf(option, trial));
    for (std::size_t i = 0; i < options.size(); ++i)
        for (const std::string& value : values[i])
            if (!tryOut(Values{{options[i].name, value}})) return;
    for (std::size_t i = 0; i < options.size(); ++i)
        for (const std::string& value : values[i])
            for (std::size_t j = i + 1; j < options.size(); ++j)
                for (const std::string& other : values[j])
                    if (!tryOut(Values{{options[i].name, value}, {options[j].name, other}})) return;
}

}  // namespace

std::vector<std::int64_t> doublings(std::int64_t most) {
    std::vector<std::int64_t> numbers;
    for (std::int64_t number = 1; number <= most; number *= 2) numbers.push_back(number);
    return numbers;
}

void eachVariant(const Algorithm& algorithm, const Problem& problem, const Trial& trial,
                 const std::function<bool(Plan&&)>& take) {
    std::size_t plans = 0;
    // A variant that is refused takes as long as one that is planned.
    constexpr std::size_t refusedPerPlan = 4;
    std::size_t left = (1 + refusedPerPlan) * trial.most;
    std::set<Values> refused;
    eachCombination(algorithm, trial, [&](const Values& values) {
        if (hasInsideOfOneGroup(values)) {
            // The same plan was handed over before.
            Values others = values;
            others.erase("inside");
            if (!refused.contains(others)) ++plans;
            return plans < trial.most && --left > 0;
        }
        std::optional<Plan> plan;
        try {
            plan = planUnlessRefused(algorithm, problem, values, trial.around);
        } catch (const Error&) {
            // This variant does not exist for this problem.
        }
        if (plan) ++plans;
        else refused.insert(values);
        if (plan && !take(std::move(*plan))) return false;
        return plans < trial.most && --left > 0;
    });
}

std::vector<Plan> variants(const Algorithm& algorithm, const Problem& problem, const Trial& trial) {
    std::vector<Plan> plans;
    eachVariant(algorithm, problem, trial, [&](Plan&& plan) {
        plans.push_back(std::move(plan));
        return true;
    });
    return plans;
}

}  // namespace engine
