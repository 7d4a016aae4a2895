// SPDX-License-Identifier: BSD-3-Clause
// The program's data as bytes that can travel in any pieces.
#pragma once

#include "engine/live/mpi/library.hpp"

#include <span>

namespace engine::mpi::dropin {

/// Bytes of `count` elements. `type` must be valid.
Bytes bytesOf(std::int64_t count, MPI_Datatype type);

/// Elements of a type of the library's own without gaps: memory and message are the same bytes.
bool isPlain(MPI_Datatype type);

/// Elements lie without gaps: the same memory means the same elements on all processes that use this one type.
bool isDense(MPI_Datatype type);

/// The address `elements` extents after `buffer`.
void* at(void* buffer, std::int64_t elements, MPI_Datatype type);

/// Elements to bytes and back; `bytes` is as long as they are.
void pack(const void* from, int count, MPI_Datatype type, std::span<std::byte> bytes, MPI_Comm comm);
void unpack(std::span<const std::byte> bytes, void* to, int count, MPI_Datatype type, MPI_Comm comm);

}  // namespace engine::mpi::dropin
