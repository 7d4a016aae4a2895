// SPDX-License-Identifier: BSD-3-Clause
// Serialization: ranks that compute one after the other, each with what it got from the one before.
//
// On the critical path such ranks follow each other, message by message. The path is cut where a collective
// synchronises all ranks, and where a rank comes for the second time, as in a ring; of the pieces, those with the same
// ranks in the same order are one chain. Ranks that wait for the lock of a window get it in any order: of pieces in
// which each rank takes it over from the one before, the order does not matter.
#pragma once

#include "app/analysis/critical_path/critical_path.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace app::analysis {

struct SerialChain {
    std::vector<engine::Rank> ranks;  ///< in their order, at least two
    std::int64_t times = 0;
    engine::Picoseconds begin{};        ///< of the first time
    engine::Picoseconds computation{};  ///< of these ranks in all of them
    bool isByLock = false;              ///< each rank took over a lock from the one before

    friend bool operator==(const SerialChain&, const SerialChain&) = default;
};

/// The chain with the most computation; nothing where it has less than half of the path's, or no more than half of the
/// `ranks`: then others wait for the same rank together; nor where less than four ranks follow each other once.
std::optional<SerialChain> serialChainOf(std::span<const PathStep> path, std::int32_t ranks);

/// "ranks 0, 1, 2 and 3 compute one after the other, 10 times, first from 593.4 ms on"; "ranks 1, 2 and 3 hold the lock
/// of a window one after the other, 6 times, first from 1 s on".
std::string inWords(const SerialChain& chain);

}  // namespace app::analysis
