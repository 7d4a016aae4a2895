// SPDX-License-Identifier: BSD-3-Clause
// The arguments of an allgather(v), as both groups of them.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <optional>

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

}  // namespace engine::mpi::dropin
