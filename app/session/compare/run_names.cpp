// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/compare/run_names.hpp"

#include "app/session/options/recorded.hpp"
#include "app/session/options/run_in_brief.hpp"
#include "engine/base/text.hpp"

#include <algorithm>

namespace app {
namespace {

constexpr int mostFields = 2;

/// "p 4" and "p 6"; empty where nothing that both were asked for differs.
std::array<std::string, 2> differingFields(const Report& first, const Report& second) {
    std::array<std::string, 2> names;
    const auto firstWish = wishBehind(first);
    const auto secondWish = wishBehind(second);
    if (!firstWish || !secondWish || !first.plan || !second.plan) return names;
    const std::vector<Chip> others = chipsOf(*secondWish, second.plan->problem.collective);
    int found = 0;
    for (const Chip& chip : chipsOf(*firstWish, first.plan->problem.collective)) {
        const auto other = std::ranges::find(others, chip.field, &Chip::field);
        if (other == others.end() || other->words == chip.words || ++found > mostFields) continue;
        const char* const apart = found > 1 ? ", " : "";
        names[0] += engine::text(apart, chip.label, ' ', chip.words);
        names[1] += engine::text(apart, other->label, ' ', other->words);
    }
    return names;
}

/// "ring-streams" and "ring-belts": without the collective where it is that of both.
std::array<std::string, 2> withoutCollective(const std::string& first, const std::string& second) {
    const std::size_t slash = first.find('/');
    const bool shared = slash != std::string::npos && first.compare(0, slash + 1, second, 0, slash + 1) == 0;
    return shared ? std::array{first.substr(slash + 1), second.substr(slash + 1)} : std::array{first, second};
}

}  // namespace

std::string titleOf(const Side& side) {
    const auto& plan = side.report->plan;
    return plan && plan->algorithm->id == side.name ? plan->algorithm->title : side.name;
}

std::array<std::string, 2> namesOf(const Side& first, const Side& second) {
    if (first.name != second.name) {
        const std::array titles{titleOf(first), titleOf(second)};
        return titles[0] == titles[1] || titles == std::array{first.name, second.name}
                   ? withoutCollective(first.name, second.name)
                   : titles;
    }
    std::array<std::string, 2> names = differingFields(*first.report, *second.report);
    return names[0].empty() ? std::array<std::string, 2>{"the first run", "the second run"} : names;
}

}  // namespace app
