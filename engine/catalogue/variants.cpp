// SPDX-License-Identifier: BSD-3-Clause
#include "engine/catalogue/variants.hpp"

#include "engine/base/error.hpp"

#include <algorithm>

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

/// No option changed, then one of them, then two.
std::vector<Values> combinations(const Algorithm& algorithm, const Trial& trial) {
    std::vector<Values> all{{}};
    std::vector<Values> pairs;
    const auto& options = algorithm.options;
    for (std::size_t i = 0; i < options.size(); ++i)
        for (const std::string& value : valuesOf(options[i], trial)) {
            all.push_back({{options[i].name, value}});
            for (std::size_t j = i + 1; j < options.size(); ++j)
                for (const std::string& other : valuesOf(options[j], trial))
                    pairs.push_back({{options[i].name, value}, {options[j].name, other}});
        }
    all.insert(all.end(), pairs.begin(), pairs.end());
    return all;
}

}  // namespace

std::vector<std::int64_t> doublings(std::int64_t most) {
    std::vector<std::int64_t> numbers;
    for (std::int64_t number = 1; number <= most; number *= 2) numbers.push_back(number);
    return numbers;
}

std::vector<Plan> variants(const Algorithm& algorithm, const Problem& problem, const Trial& trial) {
    std::vector<Plan> plans;
    for (const Values& values : combinations(algorithm, trial)) {
        if (plans.size() >= trial.most) break;
        try {
            plans.push_back(makePlan(algorithm, problem, values, trial.around));
        } catch (const Error&) {
            continue;  // refused: this variant does not exist for this problem
        }
    }
    return plans;
}

}  // namespace engine
