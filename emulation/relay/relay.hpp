// SPDX-License-Identifier: BSD-3-Clause
// A schedule turned into one whose messages are all between neighbours: store and forward.
//
// Every round becomes as many steps as its messages need. A message goes along its route, in a step to the next rank on
// it, which keeps it whole and sends it on in a later step. A place without a rank keeps nothing: it is crossed at
// once. In every step each rank sends and receives at most as many messages as it has ports; where more want to, those
// with most links left go first, then those of lower senders. A round whose messages are all between neighbours stays
// one step, one without messages vanishes.
//
//   shift by 2 on a ring of 4, one port:   round 1   0 -> 2   1 -> 3   2 -> 0   3 -> 1
//                                          step 1    0 -> 1   1 -> 2   2 -> 3   3 -> 0
//                                          step 2    1 -> 2   2 -> 3   3 -> 0   0 -> 1    passing on what came
//
// Gathered bytes are simply held by relays; what then comes a second time is declared (Facts::repeats). A partial
// result in transit lies in a slot of its own, above those of the algorithm. Because a rank's sends read what it had
// before the round, a partial result is delivered to a rank only once that rank's own ones are on their way.
#pragma once

#include "emulation/networks/network.hpp"
#include "engine/problem/problem.hpp"
#include "engine/run/executor.hpp"
#include "engine/schedule/schedule.hpp"

namespace emulation {

/// `schedule` as one between neighbours of `network`; `schedule` itself where it is one already. Its facts carry the
/// network's wiring, so that engine::verify proves it. Walks all rounds once to count steps, and keeps 16 bytes for
/// each; the steps of a round are planned again when they are asked for, the latest few are remembered.
/// Throws Error when the network has switches between its ranks or another number of ranks, and for a reduction that
/// has too many partial results in transit, or whose order of combining cannot be kept where that matters; Cancelled.
engine::SchedulePtr neighboursOnly(engine::SchedulePtr schedule, const engine::Problem& problem, NetworkPtr network,
                                   const engine::Progress& progress = {});

}  // namespace emulation
