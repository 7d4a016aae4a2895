// SPDX-License-Identifier: BSD-3-Clause
// The search for schedules of one problem on one network: by a solver, along trees or greedily.
#pragma once

#include "app/session/synthesis/synthesis.hpp"

#include <chrono>

namespace app {

/// Lower bounds of all schedules on the network, including those in which ranks that are not neighbours exchange
/// messages.
struct ScheduleBounds {
    engine::Picoseconds time{};
    engine::Picoseconds startup{};  ///< of a step
    engine::Picoseconds bytes{};    ///< without startups
    std::int64_t steps = 0;
};

/// Writes the rows, sorted by steps and chunks, and what is known of the search besides into `synthesis`, whose problem
/// and catalogue are set. After `end` nothing more is tried. Throws Error for what cannot be searched; Cancelled.
void searchSchedules(const SynthesisWish& wish, const emulation::Network& network, const NetworkFabric& fabric,
                     const ScheduleBounds& bounds, std::chrono::steady_clock::time_point end,
                     const engine::Progress& progress, Synthesis& synthesis);

}  // namespace app
