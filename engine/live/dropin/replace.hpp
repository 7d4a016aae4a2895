// SPDX-License-Identifier: BSD-3-Clause
// Calls carried out by algorithms of the catalogue, as the standard says they must behave. Each function answers null
// when the library's own collective has to do it: no rule, arguments that it does not take (judge.hpp), more than 2
// GiB, operations that may not change places. All processes of the communicator answer alike unless the program made a
// mistake, because they look only at what the standard makes equal on all of them.
#pragma once

#include "engine/live/dropin/communicator.hpp"
#include "engine/live/dropin/places.hpp"

#include <mpi.h>

namespace engine::mpi::dropin {

/// The number of the rule that replaced the call. Throws Error when messages fail.
using Replaced = std::optional<std::uint8_t>;

Replaced bcast(Communicator& comm, void* buffer, int count, MPI_Datatype type, int root);
Replaced allgather(Communicator& comm, live::Called called, const Brought& brought, const Places& places);
Replaced allreduce(Communicator& comm, const void* from, void* to, int count, MPI_Datatype type, MPI_Op operation);
Replaced barrier(Communicator& comm);

}  // namespace engine::mpi::dropin
