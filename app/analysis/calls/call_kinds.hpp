// SPDX-License-Identifier: BSD-3-Clause
// Calls of MPI by operation, communicator size and message size: which calls a program spends its time in.
#pragma once

#include "app/analysis/selection/selection.hpp"
#include "engine/executor.hpp"

#include <optional>
#include <string>
#include <vector>

namespace app::analysis {

/// Calls of one operation on communicators of one size with messages of one size class.
struct CallKind {
    std::string operation{};  ///< "MPI_Allreduce"
    std::optional<std::int64_t>
        ranks{};  ///< of the communicator, both groups of an intercommunicator; empty: not known
    /// The larger of what a call sends and receives lies in (upTo / 2, upTo], a power of two, or is 0; empty for calls
    /// that move nothing themselves, such as MPI_Wait.
    std::optional<engine::Bytes> upTo{};
    std::int64_t calls = 0;  ///< of all ranks
    engine::Bytes sent = 0;  ///< as recorded, of all calls
    engine::Bytes received = 0;
    engine::Picoseconds time{};  ///< in them, of all ranks
    engine::Picoseconds longest{};
    engine::Rank slowest = traces::noRank;  ///< whose the longest is
    engine::Picoseconds begin{};            ///< of the longest

    friend bool operator==(const CallKind&, const CallKind&) = default;
};

/// Longest time first. The ranks' own calls, but MPI_Init and MPI_Finalize, that are in no other call of MPI, as far as
/// they lie in the selection's time; where it chooses communicators, only calls on these. Throws Cancelled.
std::vector<CallKind> callKinds(const traces::Recording& recording, const Selection& selection,
                                const engine::Progress& progress = {});

}  // namespace app::analysis
