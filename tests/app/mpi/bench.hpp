// SPDX-License-Identifier: BSD-3-Clause
// Calls under libcollscope-pmpi.so (MPI_...) beside the library's own (PMPI_...), in one program.
#pragma once

#include "engine/types.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace support {

/// Messages that the program's processes sent by MPI_Send and MPI_Isend so far; all of them must ask.
std::int64_t messages();

/// The bytes for which the rules of this program name algorithm `index` of the catalogue.
inline std::pair<engine::Bytes, engine::Bytes> bytesFor(std::size_t index) {
    constexpr engine::Bytes each = 4096;
    const auto first = static_cast<engine::Bytes>(index) * each + 1;
    return {first, first + each - 1};
}
/// A number of bytes in the middle of them.
inline engine::Bytes someBytesFor(std::size_t index) {
    return (bytesFor(index).first + bytesFor(index).second) / 2 / 8 * 8;
}

inline int rankIn(MPI_Comm comm) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    return rank;
}
inline int sizeOf(MPI_Comm comm) {
    int size = 0;
    MPI_Comm_size(comm, &size);
    return size;
}

/// Numbers that differ between ranks and places.
inline std::vector<std::int32_t> numbers(std::size_t count, int rank) {
    std::vector<std::int32_t> all(count);
    for (std::size_t i = 0; i < count; ++i)
        all[i] = static_cast<std::int32_t>(i * 7 + static_cast<std::size_t>(rank) * 1000 + 3);
    return all;
}

}  // namespace support
