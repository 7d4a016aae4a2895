// SPDX-License-Identifier: BSD-3-Clause
// The way of one block (segment, contribution) through a run: which messages carried it, who got it last, and what kept
// it on the way there.
#pragma once

#include "app/analysis/dataflow/block_columns.hpp"
#include "app/analysis/dataflow/block_ownership.hpp"

#include <vector>

namespace app::analysis {

/// A message that carried some of the block.
struct Hop {
    std::uint32_t message = 0;  ///< index into Run::messages
    bool again = false;         ///< its receiver held all of the block before it came

    friend bool operator==(const Hop&, const Hop&) = default;
};

/// A hop of the chain that brought the block to the last rank, and what it had to wait for.
struct Leg {
    std::uint32_t message = 0;
    engine::Picoseconds there{};              ///< since when the sender held what it sends; 0
                                              ///< where it had it at first
    engine::Picoseconds left{};               ///< when it left
    std::vector<std::uint32_t> fromSender{};  ///< other messages through the sender's ports in between
    std::vector<std::uint32_t> toReceiver{};  ///< and through the receiver's

    /// How long the block lay at the sender.
    [[nodiscard]] engine::Picoseconds timeAtSender() const { return left - there; }
};

struct Route {
    std::vector<Hop> hops;           ///< by when they arrive; of several at once, the first
                                     ///< in the run first
    std::vector<engine::Rank> last;  ///< who needed the block and had all of it
                                     ///< last; empty: nobody had to get it
    engine::Picoseconds complete{};  ///< when they had it
    std::vector<Leg> chain;          ///< the hops that brought it to the first of `last`,
                                     ///< the first one first
    std::int64_t needed = 0;         ///< ranks that need it and did not have it at first
    std::int64_t served = 0;         ///< those of them that had all of it in the end
};

/// Whether message `message` carried some of `column`; false where it is not known what it carried.
bool carries(const engine::Run& run, const Columns& columns, std::size_t message, std::int32_t column);

/// The route of `column`. Looks at all messages once; without holdings only the hops are known.
Route routeOf(const engine::Run& run, const Columns& columns, const BlockOwnership& holdings, std::int32_t column);

}  // namespace app::analysis
