// SPDX-License-Identifier: BSD-3-Clause
// The call path that a wait stands in: for messages and in collectives, where its rank is in MPI; of threads for each
// other, where the thread that waits is.
#pragma once

#include "app/analysis/calls/call_paths.hpp"
#include "app/analysis/calls/thread_ids.hpp"
#include "app/analysis/wait_states/wait_state.hpp"

#include <map>
#include <utility>

namespace app::analysis {

/// Quick where waits of a thread come in the order of time.
class PathOfWaits {
public:
    /// Both must outlive it, and are of one recording.
    PathOfWaits(const CallPaths& paths, const Threads& threads) : paths_{paths}, threads_{threads} {}

    [[nodiscard]] PathId in(const Wait& wait) { return of(wait.rank, wait.thread, wait.kind).after(wait.begin); }

    /// Where a thread is that waits, or is waited for, in a wait of this kind.
    [[nodiscard]] PathOfRank& of(engine::Rank rank, ThreadNumber thread, WaitKind kind);

private:
    const CallPaths& paths_;
    const Threads& threads_;
    std::map<engine::Rank, PathOfRank> ofRanks_;
    std::map<std::pair<engine::Rank, ThreadNumber>, PathOfRank> ofThreads_;
};

}  // namespace app::analysis
