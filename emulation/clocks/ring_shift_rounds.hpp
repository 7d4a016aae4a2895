// SPDX-License-Identifier: BSD-3-Clause
// How a RingShift lies on its places: what the clocks of ring shifts share.
#pragma once

#include "engine/run/executor.hpp"
#include "engine/run/run.hpp"
#include "engine/schedule/ring_shift.hpp"

#include <vector>

namespace emulation {

/// Places that send consecutive blocks: first[i + 1] = first[i] + 1 within a range.
struct PlaceRange {
    std::int64_t begin = 0;
    std::int64_t end = 0;
};

/// All places, range by range.
std::vector<PlaceRange> placeRangesOf(const engine::RingShift& ringShift);

/// Rounds, from the first on, in which every place sends and that are worth to be looked at by ranges: none where
/// those are short.
std::int64_t fullRounds(const engine::RingShift& ringShift, const std::vector<PlaceRange>& ranges);

/// Messages, bytes and largest message of each round; begin and end stay 0. Throws Cancelled.
std::vector<engine::RoundTimes> countRounds(const engine::RingShift& ringShift, const engine::Progress& progress);

}  // namespace emulation
