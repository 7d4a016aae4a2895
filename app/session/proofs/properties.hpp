// SPDX-License-Identifier: BSD-3-Clause
// What can be found out about an algorithm by trying it: what `describe` adds to its own words.
#pragma once

#include "app/session/session.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace app {

/// Each answer is a clause or a sentence for people.
struct Explanation {
    std::string wiring;                 ///< "ring: each rank sends to ..."; empty when no problem tried fits
    std::vector<std::string> refusals;  ///< what it needs, by the reasons for which it refuses small problems
    std::vector<std::string> bounds;    ///< lower bounds of `problem`, each with what attains it
    std::optional<engine::Problem> problem{};
};

/// With the bounds of the problem of `asked`; null: of a small one.
Explanation explain(const engine::Algorithm& algorithm, const engine::Plan* asked = nullptr);

/// Why the formula of the plan's algorithm has no value for its problem and options, found by trying others: "6 does
/// not divide the 16,384 elements", "the contributions have unequal sizes"; empty where it has one.
std::string whyNotPredicted(const engine::Plan& plan);

}  // namespace app
