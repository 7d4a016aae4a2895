// SPDX-License-Identifier: BSD-3-Clause
// Where threads of one rank wait for each other, by Scalasca's rules.
//
//   barriers   of a team of OpenMP, explicit or implicit: a thread waits in it until the last one has entered. Teams
//              follow from records of threads: the k-th barrier of one thread in a team is the k-th of every other.
//              Where no such record is, all threads of the rank are one team.
//   locks      critical sections of OpenMP, locks of OpenMP and of other threads: a thread waits, from when it has
//              entered the call that acquires one, until the thread that held it last has released it
//   idle       a thread of OpenMP that is in no team waits for the thread that forks the next one, between MPI_Init
//              and MPI_Finalize of its rank
#pragma once

#include "app/analysis/calls/thread_ids.hpp"
#include "app/analysis/wait_states/blocking_calls.hpp"
#include "engine/run/executor.hpp"
#include "traces/recording/recording.hpp"

#include <cstdint>
#include <vector>

namespace app::analysis {

/// A thread leaves a barrier of its team.
struct LeavesBarrier {
    std::int32_t place = 0;  ///< of the thread, as Threads counts them
    engine::Picoseconds end{};

    friend bool operator==(const LeavesBarrier&, const LeavesBarrier&) = default;
};

/// What threads of ranks did together.
struct ThreadCalls {
    std::vector<BlockingCall> calls;  ///< rank by rank, by their begins
    /// Barriers of teams with all that met there, rising by place.
    std::vector<std::vector<LeavesBarrier>> barriers;
};

/// Those of the part's ranks; nothing where messages or communicators are chosen, which threads have none of. `threads`
/// are those of the recording. Throws Cancelled.
ThreadCalls threadCalls(const traces::Recording& recording, const Threads& threads, const Selection& selection,
                        const engine::Progress& progress = {});

}  // namespace app::analysis
