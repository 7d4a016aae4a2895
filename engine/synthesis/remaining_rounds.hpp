// SPDX-License-Identifier: BSD-3-Clause
// A schedule as the moves of a game: round by round, whether as few rounds as possible can still be reached.
#pragma once

#include "engine/synthesis/sat_search.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace engine::synthesis {

/// The state after a number of rounds.
struct RemainingRounds {
    std::int32_t played = 0;  ///< rounds
    /// Rounds that are needed from here on; nothing: undecided.
    std::optional<std::int32_t> left{};
    std::int32_t lost = 0;  ///< rounds more than with the best moves
    /// Ranks and chunks that can no longer arrive within the optimum; only of the round that loses one.
    std::vector<std::pair<std::int32_t, std::int32_t>> late{};
};

/// The fewest rounds in which all ranks receive what they need, whose messages carry any number of chunks; nothing
/// where that is not decided in time, or never happens.
std::optional<std::int32_t> fewestRoundsFrom(const Fabric& fabric, const std::vector<Chunk>& chunks,
                                             const Patience& patience);

/// The remaining rounds after `played` rounds, where each chunk is held by the ranks that it has reached. `fewest`:
/// rounds in all of the best schedule; `lost`: until the round before.
RemainingRounds remainingRoundsAfter(const Fabric& fabric, const std::vector<Chunk>& chunks, std::int32_t played,
                                     std::optional<std::int32_t> fewest, std::int32_t lost, const Patience& patience);

/// The remaining rounds before the first round and after each round of `sends`, whose steps are rounds. Messages must
/// follow channels, and carry what their sender holds. `fewest`: rounds in all, where they are known.
std::vector<RemainingRounds> remainingRoundsOf(const Fabric& fabric, std::vector<Chunk> chunks,
                                               const std::vector<Send>& sends, const Patience& patience,
                                               std::optional<std::int32_t> fewest = {});

}  // namespace engine::synthesis
