// SPDX-License-Identifier: BSD-3-Clause
// What no schedule can beat, by counting alone: pigeonhole arguments, at which SAT solvers are bad.
#pragma once

#include "engine/synthesis/search_problem.hpp"

#include <optional>

namespace engine::synthesis {

/// Channels from each rank to each other one on a shortest way, [from][to]; -1 where no way leads.
std::vector<std::vector<std::int32_t>> distances(const Fabric& fabric);

/// Steps until the chunk can be at the rank, from the nearest rank that holds it, in the `distances` of the fabric; -1:
/// no way leads there.
std::int32_t fewestStepsTo(const std::vector<std::vector<std::int32_t>>& distances, const Chunk& chunk,
                           std::int32_t rank);

/// Steps that no schedule can do without: the farthest way that a chunk must go, and the number of ranks that can hold
/// a chunk after so many steps. Nothing where a chunk cannot reach a rank that needs it.
std::optional<std::int32_t> fewestSteps(const Fabric& fabric, const std::vector<Chunk>& chunks);

/// Rounds that no schedule of at least fewestSteps() `steps` can do without, by the number of ranks that can hold one
/// chunk after each step: a rank that holds it passes it to as many as its links have lanes, in every round.
std::int32_t fewestRounds(const Fabric& fabric, const std::vector<Chunk>& chunks, std::int32_t steps);

/// Chunks that must enter a set of ranks, and how many of them can do so in a round.
struct Load {
    std::int64_t chunks = 0;
    std::int64_t width = 1;

    /// Rounds that no schedule can do without.
    [[nodiscard]] std::int32_t rounds() const { return static_cast<std::int32_t>((chunks + width - 1) / width); }
};

/// The load that takes longest, of all sets of ranks (of more than 14 ranks: each single rank, and all but it).
Load heaviestLoad(const Fabric& fabric, const std::vector<Chunk>& chunks);

}  // namespace engine::synthesis
