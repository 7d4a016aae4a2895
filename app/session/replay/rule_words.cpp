// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/replay/rule_words.hpp"

#include "engine/base/text.hpp"

#include <algorithm>

namespace app {

using engine::text;

engine::Bytes bytesInRules(const engine::Problem& problem) {
    return combinesVectors(problem.collective) ? problem.layout.largest() : problem.layout.total();
}

std::string wayInRules(const std::string& id, const std::map<std::string, std::string>& options,
                       const engine::Plan& plan) {
    std::string words = id;
    const engine::Choices chosen = engine::choicesOf(plan);
    for (const auto& [name, value] : options) {
        const bool isPolicy = std::ranges::find(policies, value) != policies.end();
        const auto choice = std::ranges::find(chosen, name, &engine::Choice::option);
        words += text(':', name, '=', isPolicy && choice != chosen.end() ? choice->value : value);
    }
    // As many as a rank has ports here need not be as many as it has where the rule holds.
    for (const engine::Option& option : plan.algorithm->options)
        if (option.fallback == "ports" && !options.contains(option.name) && plan.problem.ports > 1)
            words += text(':', option.name, '=', std::min<std::int64_t>(plan.problem.ports, option.high));
    return words;
}

std::optional<engine::live::Called> calledNamed(std::string operation) {
    std::ranges::replace(operation, '-', '_');
    const auto found = std::ranges::find(engine::live::everyCalled, operation,
                                         [](engine::live::Called called) { return engine::live::name(called); });
    return found == engine::live::everyCalled.end() ? std::nullopt : std::optional{*found};
}

std::optional<engine::live::Called> calledAs(const analysis::RecordedCollective& collective) {
    return calledNamed(collective.nonBlocking ? "i" + collective.operation : collective.operation);
}

bool isBetweenGroups(const engine::Problem& problem) { return problem.groupB > 0; }

bool fits(const engine::live::Rule& rule, const analysis::RecordedCollective& collective) {
    if (!collective.problem || calledAs(collective) != rule.called) return false;
    const engine::Problem& problem = *collective.problem;
    return (isBetweenGroups(problem) ? rule.inter : rule.intra) && rule.ranks.has(problem.ranks()) &&
           rule.bytes.has(bytesInRules(problem));
}

}  // namespace app
