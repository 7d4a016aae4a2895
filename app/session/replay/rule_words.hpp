// SPDX-License-Identifier: BSD-3-Clause
// Problems and plans in the words of rules for the drop-in library (engine/live/replacement_rules.hpp).
#pragma once

#include "app/analysis/replay/recorded_program.hpp"
#include "engine/algorithm/algorithm.hpp"
#include "engine/live/replacement_rules.hpp"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace app {

/// What rules count as the bytes of a call: the message of a broadcast, the vector of a reduction, else all
/// contributions together.
engine::Bytes bytesInRules(const engine::Problem& problem);

/// "allreduce/bruck:n=3": the algorithm `id` with `options` as `plan` has them. Options that a policy chooses are
/// numbers in a rule: processes have no cost model.
std::string wayInRules(const std::string& id, const std::map<std::string, std::string>& options,
                       const engine::Plan& plan);

/// Values of options that leave them to the algorithm.
inline constexpr std::array<std::string_view, 2> policies{engine::automatic, "best"};

/// The call of that name, as traces and --with write it: "reduce-scatter"; nothing where rules have no such call.
std::optional<engine::live::Called> calledNamed(std::string operation);

/// The call that the collective was; nothing where rules have no such call.
std::optional<engine::live::Called> calledAs(const analysis::RecordedCollective& collective);

/// Whether the communicator has two groups.
bool isBetweenGroups(const engine::Problem& problem);

/// Whether the rule is about such a call, whose problem is known.
bool fits(const engine::live::Rule& rule, const analysis::RecordedCollective& collective);

}  // namespace app
