// SPDX-License-Identifier: BSD-3-Clause
// Calls carried out by algorithms of the catalogue, as the standard says they must behave. Each function answers null
// when the library's own collective has to do it: no rule, arguments that only it can judge, more than 2 GiB,
// operations that may not change places. All processes of the communicator answer alike, because they look only at what
// the standard makes equal on all of them.
#pragma once

#include "engine/live/dropin/communicator.hpp"

#include <mpi.h>

namespace engine::mpi::dropin {

/// Where the contributions of an allgather(v) lie at a receiver.
struct Places {
    void* buffer = nullptr;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    int each = 0;  ///< elements of every contribution, one after the other, where `counts` is null
    const int* counts = nullptr;
    const int* displacements = nullptr;

    [[nodiscard]] int count(std::int32_t source) const { return counts != nullptr ? counts[source] : each; }
    /// In extents of the type.
    [[nodiscard]] std::int64_t displacement(std::int32_t source) const {
        return counts != nullptr ? displacements[source] : std::int64_t{each} * source;
    }
};

/// What a process brings.
struct Brought {
    const void* buffer = nullptr;  ///< MPI_IN_PLACE: its place at the receiver
    int count = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;
};

/// The number of the rule that replaced the call. Throws Error when messages fail.
using Replaced = std::optional<std::uint8_t>;

Replaced bcast(Communicator& comm, void* buffer, int count, MPI_Datatype type, int root);
Replaced allgather(Communicator& comm, live::Called called, const Brought& brought, const Places& places);
Replaced allreduce(Communicator& comm, const void* from, void* to, int count, MPI_Datatype type, MPI_Op operation);
Replaced barrier(Communicator& comm);

}  // namespace engine::mpi::dropin
