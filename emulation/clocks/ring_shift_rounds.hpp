// SPDX-License-Identifier: BSD-3-Clause
// How a Conveyor lies on its places: what the clocks of conveyors share.
#pragma once

#include "engine/run/executor.hpp"
#include "engine/run/run.hpp"
#include "engine/schedule/ring_shift.hpp"

#include <vector>

namespace emulation {

/// Places that send consecutive blocks: first[i + 1] = first[i] + 1 within a stretch.
struct Stretch {
    std::int64_t begin = 0;
    std::int64_t end = 0;
};

/// All places, stretch by stretch.
std::vector<Stretch> stretchesOf(const engine::Conveyor& conveyor);

/// Rounds, from the first on, in which every place sends and that are worth to be looked at by stretches: none where
/// those are short.
std::int64_t fullRounds(const engine::Conveyor& conveyor, const std::vector<Stretch>& stretches);

/// Messages, bytes and largest message of each round; begin and end stay 0. Throws Cancelled.
std::vector<engine::RoundTimes> countRounds(const engine::Conveyor& conveyor, const engine::Progress& progress);

}  // namespace emulation
