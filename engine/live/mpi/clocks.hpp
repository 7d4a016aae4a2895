// SPDX-License-Identifier: BSD-3-Clause
// How far the clocks of the processes of a job are apart.
#pragma once

#include "engine/live/mpi/library.hpp"
#include "engine/live/records/round_records.hpp"

namespace engine::mpi {

/// Whether all processes of `comm` run under one kernel and so share one monotonic clock.
bool shareClock(MPI_Comm comm);

/// How much more this process' clock shows than that of process 0; every process of `comm` calls it. Process 0 sends
/// its time there and back several times; the fastest round trip bounds the error by half its length.
live::ClockSample compareClocks(MPI_Comm comm);

/// Returns on all processes of `comm` at the same time. They leave a barrier one after the other, each when its turn
/// comes on a busy machine or network; the time between would count as that of what is measured. So they agree on a
/// time when all will have left the agreement, and sleep until then. `offset` is this clock minus that of process 0,
/// `leaving` the longest agreement so far, 0 at first.
void startTogether(MPI_Comm comm, std::int64_t offset, std::int64_t& leaving);

}  // namespace engine::mpi
