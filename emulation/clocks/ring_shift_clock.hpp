// SPDX-License-Identifier: BSD-3-Clause
// Virtual time of a RingShift on a network without shared links: every message of every round, in plain loops over
// columns, tile by tile so that the columns stay in the cache. The answer is that of the general clock, to the bit.
#pragma once

#include "engine/cost/model.hpp"
#include "engine/run/executor.hpp"
#include "engine/run/run.hpp"
#include "engine/schedule/ring_shift.hpp"

#include <vector>

namespace emulation {

/// What the ring shift's places did; index = place.
struct RingShiftTimes {
    std::vector<engine::Picoseconds> busy;
    std::vector<engine::Picoseconds> first;  ///< when the place started
    std::vector<engine::Picoseconds> last;   ///< end of the place's latest message
    std::vector<engine::Picoseconds> done;   ///< end of its latest turn
    std::vector<engine::RoundTimes> perRound;
};

/// How the work is cut; the answer does not depend on it.
struct RingShiftTiles {
    std::int64_t width = 4096;  ///< places of a tile: its columns stay in the processor's nearest caches; >= 1
    std::int64_t depth = 512;   ///< rounds of a tile; >= 1
    int threads = 1;
};

/// Free progress under alpha + beta m. `costs`: duration of each block, by its number; `starts`: when each place
/// starts. Every place must send or receive something. Throws Cancelled.
RingShiftTimes runRingShift(const engine::RingShift& ringShift, const std::vector<engine::Picoseconds>& costs,
                            const std::vector<engine::Picoseconds>& starts, const RingShiftTiles& tiles,
                            const engine::Progress& progress);

/// When the last place is done: the same clocks, but neither waits nor rounds are counted beside them, which takes less
/// time.
engine::Picoseconds makespanOf(const engine::RingShift& ringShift, const std::vector<engine::Picoseconds>& costs,
                               const std::vector<engine::Picoseconds>& starts, const RingShiftTiles& tiles,
                               const engine::Progress& progress);

/// The same in lockstep; all start at `start`.
RingShiftTimes runRingShiftInLockstep(const engine::RingShift& ringShift, const std::vector<engine::Picoseconds>& costs,
                                      engine::Picoseconds start, const engine::Progress& progress);

}  // namespace emulation
