// SPDX-License-Identifier: BSD-3-Clause
// Symmetries of a question: renumberings of ranks that leave the network and what ranks have and need as they are. Of
// schedules that differ by one, a search needs only one.
#pragma once

#include "engine/synthesis/cnf_formula.hpp"
#include "engine/synthesis/search_problem.hpp"

#include <vector>

namespace engine::synthesis {

struct Symmetry {
    std::vector<std::int32_t> rank{};   ///< the new number of each rank
    std::vector<std::int32_t> chunk{};  ///< and of each chunk
};

/// Some of the symmetries, at most a few hundred: exchanges of two ranks, and rotations and reflections. None where
/// chunks of one block are interchangeable, which the search puts into an order itself. `poll` is
/// called meanwhile.
std::vector<Symmetry> symmetriesOf(const Fabric& fabric, const std::vector<Chunk>& chunks, const Poll& poll = {});

/// The same where blocks have several chunks: those of a block keep their order. Symmetries that move most ranks in the
/// longest cycles come first.
std::vector<Symmetry> symmetriesOfBlocks(const Fabric& fabric, const std::vector<Chunk>& chunks, const Poll& poll = {});

}  // namespace engine::synthesis
