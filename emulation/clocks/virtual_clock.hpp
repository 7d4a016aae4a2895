// SPDX-License-Identifier: BSD-3-Clause
// The virtual-time executor. Integer picoseconds; the answer depends on nothing but its arguments.
//
// Hockney: a message of m bytes keeps its sender's out-port busy for alpha + beta m from the sender's start of the
// round, and its receiver's in-port for as long from the later of the two starts. Both directions run at once.
//   free      a rank starts a round when its own previous one is done
//             (each of its two strands, where they do not join: engine/schedule/schedule.hpp)
//   lockstep  all ranks start a round together, when the longest message of the previous one is done: the papers' sum
// Messages of a round beyond Conditions::ports follow each other: detailed_clock.hpp says how.
// With `bottleneck` sharing a message moves as if it were as large as the load of the busiest link on its route in that
// round; with `none` links never slow anyone down. `fair` and `fair-weighted` are computed in another way:
// fair/fair_clock.hpp. Models and conditions beyond alpha and beta: detailed_clock.hpp.
#pragma once

#include "emulation/conditions.hpp"
#include "emulation/networks/congestion.hpp"
#include "emulation/networks/network.hpp"
#include "engine/run/executor.hpp"

namespace emulation {

struct Emulated {
    engine::Run run;
    Congestion congestion;
};

/// Runs `plan` in virtual time. Throws Error when the time overflows 2^63 ps, Cancelled when asked to stop.
Emulated emulate(const engine::Plan& plan, const Network& network, const Conditions& conditions,
                 const engine::Progress& progress = {});

/// Only the makespan, keeping nothing: for comparisons.
engine::Picoseconds makespan(const engine::Plan& plan, const Network& network, const Conditions& conditions,
                             const engine::Progress& progress = {});

}  // namespace emulation
