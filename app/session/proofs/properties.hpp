// SPDX-License-Identifier: BSD-3-Clause
// What can be found out about an algorithm by trying it: what `describe` adds to its own words.
#pragma once

#include "app/session/session.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace app {

/// Each answer is a clause or a sentence for people.
struct Explanation {
    std::string wiring;                 ///< "ring: each rank sends to ..."; empty when no problem tried fits
    std::vector<std::string> refusals;  ///< what it needs, by the reasons for which it refuses small problems
    std::vector<std::string> bounds;    ///< lower bounds of the problem, each with what attains it
};

/// With the bounds of the problem of `asked`; null: of a small one.
Explanation explain(const engine::Algorithm& algorithm, const engine::Plan* asked = nullptr);

}  // namespace app
