// SPDX-License-Identifier: BSD-3-Clause
// The searches that a network bound is the best of. Each returns its largest bound, at least as large as the one it is
// given, which it starts from.
#pragma once

#include "emulation/bounds/demands.hpp"
#include "emulation/bounds/network_bound.hpp"

namespace emulation::bounds {

/// What all searches need. All outlive it.
struct Asked {
    const Network& network;
    const Capacities& capacities;
    const Demands& demands;
    std::stop_token stop{};

    /// Throws Cancelled when that is asked for.
    void check() const;
};

/// Nothing known yet: below every bound.
inline NetworkBound noBound() { return {.bytes = 0, .speed = 1}; }

/// The bound of the cut whose sending side is `inside`, by node; nothing where no byte must leave it, or any number of
/// bytes can.
std::optional<NetworkBound> boundOfCut(const Asked& asked, const std::vector<bool>& inside);

/// Of the sets that single ranks, switches and slabs of grids make.
NetworkBound plainCuts(const Asked& asked, NetworkBound best);
/// Of all cuts, by maximum flows; `best` itself where they would take too long, or for alltoall.
NetworkBound allCuts(const Asked& asked, NetworkBound best);
/// Allreduce: of groups of nodes; of all groups of ranks if `all` and there are not too many.
NetworkBound allGroups(const Asked& asked, NetworkBound best, bool all);
/// Alltoall: better cuts near `best`, distances, and the linear program where it is small.
NetworkBound personalBounds(const Asked& asked, NetworkBound best);

}  // namespace emulation::bounds
