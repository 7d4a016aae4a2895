// SPDX-License-Identifier: BSD-3-Clause
// The algorithms of a replay as rules for the drop-in library: the program itself, run with them, does what the replay
// did.
#pragma once

#include "app/analysis/replay/recorded_program.hpp"
#include "app/session/replay/replay_algorithms.hpp"

#include <string>
#include <vector>

namespace app {

/// A file of rules (engine/live/replacement_rules.hpp) that say the same as `ways`, one of each collective; the library
/// keeps those that nobody named an algorithm for. Empty: it keeps all. Throws Error where rules cannot say it: they
/// tell calls apart by operation, ranks and bytes alone.
std::string rulesOf(const std::vector<analysis::RecordedCollective>& collectives,
                    const std::vector<CollectiveWay>& ways);

}  // namespace app
