// SPDX-License-Identifier: BSD-3-Clause
// In which order ranks stand on a ring, when some of them bring nothing. Source: Traff et al. 2010, section 2.3.
#pragma once

#include <cstdint>
#include <vector>

namespace engine::shapes {

/// Ranks as they are. All answer with the rank at each place; `blocks` are by rank, 0 for an empty rank.
std::vector<std::int32_t> orderAsIs(const std::vector<std::int64_t>& blocks);

/// The z empty ranks spread over the p - z others: before each of these stand floor(z/(p-z)) or one more, the larger
/// gaps before those with the most blocks, which have most to send meanwhile. Blocks 3 0 3 0 3 0: order 1 0 3 2 5 4.
std::vector<std::int32_t> orderEquidistant(const std::vector<std::int64_t>& blocks);

/// Ranks of a node stand together, so that one link leads into each node and one out of it; inside a node empty ranks
/// stand first, so that its last rank has something to send to the next node at once. `nodes` says for each rank which
/// one it is on; they follow each other as they first come.
std::vector<std::int32_t> orderWithinNodes(const std::vector<std::int64_t>& blocks,
                                           const std::vector<std::int32_t>& nodes);

/// The same, but nodes follow each other as `way` numbers them, rising.
std::vector<std::int32_t> orderAlong(const std::vector<std::int64_t>& blocks, const std::vector<std::int32_t>& way);

}  // namespace engine::shapes
