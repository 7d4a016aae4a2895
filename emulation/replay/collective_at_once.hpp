// SPDX-License-Identifier: BSD-3-Clause
// A collective that no member leaves before all have entered, worked out round by round when the last one comes: as
// long as its members do nothing beside it, nothing else can happen at their ports meanwhile.
#pragma once

#include "emulation/clocks/rank_ports.hpp"
#include "emulation/replay/collective_rounds.hpp"
#include "emulation/replay/replay.hpp"

namespace emulation {

/// `clocks`: by place, when each member comes; then when each leaves. No message is a rendezvous. `factors`: of the
/// ranks of the world, empty: all 1. `observer` may be null.
void goThrough(const CollectiveDone& collective, const CollectiveRounds& collectiveRounds, Ports& ports,
               const engine::ById<Rank, Factor>& factors, std::vector<engine::Picoseconds>& clocks,
               ReplayObserver* observer, std::int64_t number);

}  // namespace emulation
