// SPDX-License-Identifier: BSD-3-Clause
// The program's data as bytes that can travel in any pieces.
#pragma once

#include "engine/live/mpi/mpi_library.hpp"
#include "engine/live/pmpi/replacement/collective_arguments.hpp"

#include <span>

namespace engine::mpi::pmpi {

/// Bytes of `count` elements. `type` must be valid.
Bytes bytesOf(std::int64_t count, MPI_Datatype type);
inline Bytes bytesOf(const Elements& elements) { return bytesOf(elements.count, elements.type); }

/// Elements of a type of the library's own without gaps: memory and message are the same bytes.
bool isPlain(MPI_Datatype type);

/// Elements lie without gaps: the same memory means the same elements on all processes that use this one type.
bool isDense(MPI_Datatype type);

/// The address `elements` extents after `buffer`.
void* at(void* buffer, std::int64_t elements, MPI_Datatype type);

/// Elements to bytes and back. Either may be shorter than the other is long: what is left stays as it is. Throws Failed
/// where `bytes` are too few for what is sent, or too many for where it goes.
void pack(const Elements& from, std::span<std::byte> bytes, MPI_Comm comm);
void unpack(std::span<const std::byte> bytes, const Elements& to, MPI_Comm comm);

}  // namespace engine::mpi::pmpi
