// SPDX-License-Identifier: BSD-3-Clause
// The transports of split-phase allreduces over MPI.
#pragma once

#include "engine/live/mpi/mpi_library.hpp"
#include "engine/live/splitphase/route.hpp"
#include "engine/live/splitphase/transport.hpp"

#include <memory>

namespace engine::mpi {

/// Writes straight into the receiver's window: MPI_Put, flush, then the notification. `route` must outlive it; every
/// rank of `comm` makes one, and lets go of it, together. Throws Error where the library's windows are not of the
/// unified model.
std::unique_ptr<splitphase::Transport> oneSided(MPI_Comm comm, const splitphase::Route& route);

/// Sends and receives; receives are posted for both sets of slots ahead of time, as persistent requests. `route` must
/// outlive it.
std::unique_ptr<splitphase::Transport> twoSided(MPI_Comm comm, const splitphase::Route& route);

}  // namespace engine::mpi
