// SPDX-License-Identifier: BSD-3-Clause
// The recorded calls of a program as an OTF2 archive, as other tools write them too: one location per process (and per
// further thread that called), ENTER and LEAVE of each call of MPI, and between them MPI_SEND, MPI_IRECV_REQUEST and
// the corresponding records for messages and requests, and MPI_COLLECTIVE_BEGIN and MPI_COLLECTIVE_END with
// communicator, root and bytes, or NON_BLOCKING_COLLECTIVE_REQUEST and _COMPLETE; bytes are what the arguments say, the
// own share included. A call is a region for each place of the program that makes it, which its description and its
// source name. A call that an algorithm of ours replaced names it in the attribute "algorithm". Times are nanoseconds
// on the clock of process 0. Where a process had no room for more calls, MEASUREMENT_ON_OFF says from when on.
#pragma once

#include "engine/live/records/collective_records.hpp"

#include <filesystem>

namespace traces {

/// What was written.
struct CallsWritten {
    std::int32_t processes = 0;
    bool hasRules = false;  ///< some calls were to be replaced
    std::int64_t calls = 0;
    std::int64_t replaced = 0;
    std::int64_t dropped = 0;  ///< for which there was no room when they happened
};

/// Writes the archive `folder`/traces.otf2, whole or not at all. Throws Error when `folder` cannot be written or holds
/// anything already, and when a record is damaged.
CallsWritten writeCalls(const engine::live::Calls& calls, const std::filesystem::path& folder);

/// The same of the records in `records`, which a program left; addresses become lines of its source where that is
/// known. Throws Error when it holds no whole set of records as well.
CallsWritten writeRecords(const std::filesystem::path& records, const std::filesystem::path& folder);

/// "425110 calls of 4 processes recorded in FOLDER", and how many were replaced and dropped.
std::string inWords(const CallsWritten& written, const std::filesystem::path& folder);

}  // namespace traces
