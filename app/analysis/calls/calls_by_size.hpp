// SPDX-License-Identifier: BSD-3-Clause
// Calls of MPI by operation, communicator size and message size: which calls a program spends its time in.
#pragma once

#include "app/analysis/selection/trace_selection.hpp"
#include "engine/run/executor.hpp"

#include <optional>
#include <string>
#include <vector>

namespace app::analysis {

/// Calls of one operation on communicators of one size with messages of one size class.
struct CallGroup {
    std::string operation{};  ///< "MPI_Allreduce"
    /// In the communicator, both groups of an intercommunicator; empty where no communicator is known.
    std::optional<std::int64_t> ranks{};
    /// The larger of what a call sends and receives lies in (upTo / 2, upTo], a power of two, or is 0; empty for calls
    /// that move nothing themselves, such as MPI_Wait.
    std::optional<engine::Bytes> upTo{};
    // Sums over all calls of all ranks; bytes as recorded.
    std::int64_t calls = 0;
    engine::Bytes sent = 0;
    engine::Bytes received = 0;
    engine::Picoseconds time{};
    // The longest call; of none where the recorder keeps sums alone.
    engine::Picoseconds longest{};
    engine::Rank slowest = traces::noRank;  ///< its rank
    engine::Picoseconds begin{};            ///< its start

    friend bool operator==(const CallGroup&, const CallGroup&) = default;
};

/// Sorted by total time, largest first. Counts MPI calls of all threads that overlap the selected time and are not
/// nested in another MPI call, without MPI_Init and MPI_Finalize. If the selection names communicators, only calls on
/// these. Throws Cancelled.
std::vector<CallGroup> callGroups(const traces::Recording& recording, const Selection& selection,
                                  const engine::Progress& progress = {});

}  // namespace app::analysis
