// SPDX-License-Identifier: BSD-3-Clause
// The hot loop of the ring shifts: a few rounds of many neighbouring places at once, several places in one instruction.
#pragma once

#include <array>
#include <cstdint>

namespace emulation {

/// Rounds that are moved together, in registers: each saves a way through memory.
inline constexpr int togetherRounds = 2;

/// A value for each of these rounds.
using OfRounds = std::array<double, togetherRounds>;

/// Consecutive places of one range. Times are picoseconds, all below 2^53, where a double is a whole number still.
struct ShiftedPlaces {
    double* clock = nullptr;       ///< by place: when its next round begins
    double* wait = nullptr;        ///< by place: for how long it has waited for senders, so far; null: not asked for
    const double* cost = nullptr;  ///< by place: its message of the first round; one place before for each round later
    std::int64_t count = 0;        ///< places; cost[-togetherRounds] .. cost[count - 1] exist
};

/// Moves all places through `togetherRounds` rounds, in each of which place i sends to place i + 1 and receives from
/// place i - 1. `left`: clock of the place before the first one, before each round; comes back as that of the last one.
/// `first` and `last` become the earliest and the latest clock, before and behind each round, if they are so far not;
/// they stay as they are if waits are not asked for.
void movePlaces(const ShiftedPlaces& places, OfRounds& left, OfRounds& first, OfRounds& last);

}  // namespace emulation
