// SPDX-License-Identifier: BSD-3-Clause
// Two runs number by number and round by round, as one table of words.
#pragma once

#include "app/session/compare/value_by_value.hpp"

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace app {

/// Two runs number by number where they differ: what, the first, the second, and the ratio second / first; `names` are
/// what the runs are called. Then, where both have rounds, round by round, for as many rounds as the longer one has:
/// how long it lasts, or what it adds to the time where rounds overlap, and what was sent in it. Else `changes` of
/// their programs (analysis::programChanges) follow: efficiencies, call paths, the largest difference first, and
/// iterations. `times`, if any, are the first rows, in place of the durations of the runs.
engine::Table runDifferences(const Report& first, const Report& second, const std::array<std::string, 2>& names,
                             bool rounds, std::span<const engine::Table> changes = {},
                             std::span<const Compared> times = {});

/// What the row of an iteration is called, before its number; and that of a round, of whose number a comma or a
/// blank parts what is said of it.
inline constexpr std::string_view iterationRow = "Iteration ";
inline constexpr std::string_view roundRow = "Round ";

}  // namespace app
