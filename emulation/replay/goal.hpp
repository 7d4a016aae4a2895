// SPDX-License-Identifier: BSD-3-Clause
// A program as GOAL text (Hoefler et al. 2009), which LogGOPSim replays: for each rank a graph of computing, sends and
// receives, and who requires whom.
#pragma once

#include "emulation/replay/program.hpp"
#include "engine/run/executor.hpp"

#include <ostream>

namespace emulation {

/// What a rank does next requires what it has awaited; what is posted is required where it is awaited. Every message
/// has a tag of its own; those of one round of a collective between two ranks share one, in their order. Computing is
/// written in whole nanoseconds, as GOAL has them; what is left over counts with what follows. A collective without a
/// schedule is a dissemination of empty messages. Messages to oneself, which GOAL does not know, take no time. Throws
/// Error where there are more tags than GOAL has (2^32); Cancelled.
void writeGoal(const Program& program, std::ostream& out, const engine::Progress& progress = {});

}  // namespace emulation
