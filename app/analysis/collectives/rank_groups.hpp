// SPDX-License-Identifier: BSD-3-Clause
// Ranks that belong together: on one node, or in one communicator.
#pragma once

#include "traces/recording/recording.hpp"

#include <string>
#include <vector>

namespace app::analysis {

struct RankGroup {
    std::string name;
    std::vector<engine::Rank> ranks;  ///< rising

    friend bool operator==(const RankGroup&, const RankGroup&) = default;
};

/// Ranks by the node of the system tree that their own locations lie on, in the order of their first ranks. A rank
/// whose node was not recorded is in a group without a name.
std::vector<RankGroup> byNode(const traces::Recording& recording);

/// Ranks by communicators that share none: of those of two ranks or more, but not of all, each that has no rank of one
/// before it. Ranks that are in none of them come last, in a group without a name. Empty where there are none.
std::vector<RankGroup> byCommunicator(const traces::Recording& recording);

}  // namespace app::analysis
