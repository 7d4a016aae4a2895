// SPDX-License-Identifier: BSD-3-Clause
// The library's own collectives: made with buffers of their own, and tested for correct results. For files of this
// folder only.
#pragma once

#include "engine/live/mpi/mpi_library.hpp"
#include "engine/live/records/collective_records.hpp"

#include <memory>

namespace engine::mpi {

/// A call with its buffers, of MPI_INT where it reduces, else of bytes.
class LibraryCall {
public:
    virtual ~LibraryCall() = default;
    virtual void execute() = 0;
};

/// `bytes` as Trial counts them. Throws Error for a call that is not measured.
std::unique_ptr<LibraryCall> libraryCall(live::Called called, Bytes bytes, MPI_Comm comm);

/// Why a call gives wrong results on this rank; empty where it does not.
struct Faults {
    std::string always{};
    std::string ofOrder{};  ///< with operations that do not commute only
};

/// Tests the call on `comm`, and on part of it, so that one number of ranks is no power of two: with no data and with
/// more, in place, with a derived type, from the first and the last root. Every rank of `comm` calls it. An error
/// that the library returns is a fault. On all of `comm` also with `bytes` (as Trial counts them), as far as memory
/// permits; 0: none.
Faults faultsOf(live::Called called, MPI_Comm comm, Bytes bytes);

}  // namespace engine::mpi
