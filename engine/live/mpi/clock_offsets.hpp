// SPDX-License-Identifier: BSD-3-Clause
// How far the clocks of the processes of a job are apart.
#pragma once

#include "engine/live/mpi/mpi_library.hpp"
#include "engine/live/records/round_records.hpp"

namespace engine::mpi {

/// Whether all processes of `comm` run under one kernel and so share one monotonic clock.
bool shareClock(MPI_Comm comm);

/// How much more this process' clock shows than that of process 0; every process of `comm` calls it. Process 0 sends
/// its time there and back several times; the fastest round trip bounds the error by half its length.
live::ClockSample compareClocks(MPI_Comm comm);

/// Comes back on all processes of `comm` at the same time. Processes leave a barrier at different times, which would be
/// measured as part of the call. So they agree on a start time and sleep until it. `offset` is this clock minus that of
/// process 0; `leaving` is how long agreements took of late, 0 at first. Returns the start time on this clock.
std::int64_t startTogether(MPI_Comm comm, std::int64_t offset, std::int64_t& leaving);

/// Sleeps until a time of this clock.
void sleepUntil(std::int64_t time);

}  // namespace engine::mpi
