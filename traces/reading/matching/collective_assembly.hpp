// SPDX-License-Identifier: BSD-3-Clause
// Parts of ranks become collectives: the k-th of a communicator at one member belongs to the k-th at every other.
#pragma once

#include "traces/reading/locations/location_events.hpp"
#include "traces/recording/recording.hpp"

#include <cstdint>
#include <limits>
#include <vector>

namespace traces::reading {

struct Collected {
    Collectives collectives;
    std::vector<Ref> algorithms;  ///< words that name them, by the indices that `collectives` have of them
    std::vector<Ref> reductions;  ///< likewise
    std::vector<Ref> ofLibrary;   ///< what the library ran
    std::vector<Ref> components;  ///< and which of its components
};

/// What could not be joined is kept, one instance for each part, marked as not ordered.
///   parts  by rank, in the order in which the rank's calls are counted
///   firstGaps  by rank, when it first stopped recording, or noGap: its count cannot be trusted from then on
///   storage  where what grows with them lies when memory cannot hold it; null for memory alone
Collected collect(const PartsOfRanks& parts, const std::vector<std::int64_t>& firstGaps, const World& world,
                  Storage* storage = nullptr);
inline constexpr std::int64_t noGap = std::numeric_limits<std::int64_t>::max();

}  // namespace traces::reading
