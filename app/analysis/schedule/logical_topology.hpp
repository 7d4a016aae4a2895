// SPDX-License-Identifier: BSD-3-Clause
// How ranks stand to each other, found from who sends to whom alone: never from the name of an algorithm.
//
// | formation | found where                                                                | e.g.                  |
// |-----------|----------------------------------------------------------------------------|-----------------------|
// | groups    | in one stage ranks talk in several groups apart, in others between them    | two levels of leaders |
// | tree      | every rank but one has one sender, or one receiver, and some rank has      | binomial broadcast,   |
// |           | more; what comes back the same way afterwards belongs to it                | reduce and broadcast  |
// | cube      | 2^d ranks, and all pairs whose numbers differ in one bit talk, no others   | recursive doubling    |
//
// The first that fits; a star, a chain and a ring are none of them.
#pragma once

#include "engine/run/run.hpp"

#include <cstdint>
#include <vector>

namespace app::analysis {

struct LogicalTopology {
    enum class Kind : std::uint8_t { none, tree, cube, groups };

    Kind kind = Kind::none;
    std::vector<std::int32_t> parents{};  ///< tree: of each rank; -1: the root
    /// Tree: of each rank, the root on 0, parents above their children. Ranks that get their first message in the same
    /// round (or, towards the root, send their last one) share a level; the levels of depth where there were too many.
    std::vector<std::int32_t> levels{};
    std::vector<std::int32_t> groups{};   ///< groups: of each rank, numbered by their lowest ranks
    std::vector<std::int32_t> leaders{};  ///< groups: of each, who talks with other groups most; else the first
};

/// None for a run that has not kept all its messages, of fewer than 4 ranks or more than 1024, or of more than
/// 200,000 messages.
LogicalTopology formationOf(const engine::Run& run);

}  // namespace app::analysis
