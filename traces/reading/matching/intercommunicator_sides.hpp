// SPDX-License-Identifier: BSD-3-Clause
// Intercommunicators that were recorded as two ordinary communicators, one for each side (EZTrace). No record says
// which two belong together: they are joined only where everything fits and nothing else would.
#pragma once

#include "traces/reading/locations/location_events.hpp"
#include "traces/reading/locations/rank_mapping.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace traces::reading {

/// Indices of communicators; `local` was defined first.
struct Sides {
    std::int32_t local = noIndex;
    std::int32_t remote = noIndex;
};

/// Two communicators are sides of one when
///   - their members are disjoint, and every member has called MPI_Intercomm_create before it first used its side,
///   - each has the members of a communicator defined before, of which it was made, or one member alone
///   (MPI_COMM_SELF),
///   - all members of both made the same collective calls in the same order, at least one,
///   - and neither could be a side of another.
///   parts    by rank, in the order of time
///   created  by rank, when its first call of MPI_Intercomm_create ended [ps]; nothing when it made none
std::vector<Sides> findSides(const World& world, const PartsOfRanks& parts,
                             const std::vector<std::optional<std::int64_t>>& created);

/// Whether calls of this region make intercommunicators.
bool makesIntercommunicators(std::string_view region);

/// When the first call of each rank that makes an intercommunicator ended.
std::vector<std::optional<std::int64_t>> createdIn(const Recording& recording, std::size_t ranks);

/// Both sides become one communicator, whose peers are those of the other side. A clause says which were joined.
std::string joinSides(const Sides& sides, World& world, PartsOfRanks& parts, std::vector<LocationEvents>& events);

}  // namespace traces::reading
