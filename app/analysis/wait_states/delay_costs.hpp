// SPDX-License-Identifier: BSD-3-Clause
// What delays cost, by the call paths that they come from (root_causes.hpp says how a delay is attributed to these).
#pragma once

#include "app/analysis/wait_states/root_causes.hpp"

#include <map>
#include <tuple>
#include <vector>

namespace app::analysis {

/// Waits of one kind that one path of one thread made.
struct DelayCost {
    double time = 0;
    std::vector<LateOnce> late;
    bool isInferred = false;

    /// What came later than what is here.
    void add(DelayCost&& later) {
        time += later.time;
        isInferred = isInferred || later.isInferred;
        late.insert(late.end(), later.late.begin(), later.late.end());
    }
};
using DelayCosts = std::map<std::tuple<WaitKind, engine::Rank, ThreadNumber, PathId, PathId>, DelayCost>;
/// All delays. Throws Cancelled.
DelayCosts delayCosts(const TracedWaits& waits, const CallPaths& paths, const engine::Progress& progress);

/// A delay of one cause.
struct DelayOfCause {
    std::uint32_t number = 0;        ///< of the delay, among those that were given
    traces::TimeSpan span{};         ///< in which the path made the rank late
    engine::Picoseconds later{};     ///< LateOnce::later
    engine::Picoseconds computed{};  ///< in the path within the span
};
/// Of `delays`, which are those of `waits` or hidden ones: those of the rank, call path and thread of each of the
/// causes, whatever wait they led to. Throws Cancelled.
std::vector<std::vector<DelayOfCause>> delaysByCause(std::span<const Cause> causes, std::span<const Delay> delays,
                                                     const TracedWaits& waits, const CallPaths& paths,
                                                     const engine::Progress& progress);

/// Delays of ranks that came late to a call to which another rank came even later, so that nobody waited for them.
/// `behind`: the numbers of the delays of those other ranks. Only ranks that came at least half as late have one;
/// `waiter` and `since` are those of the delay that hides it. Sorted by `until`. Calls in which a late member keeps
/// nobody waiting, such as MPI_Bcast except for its root, have none.
std::vector<Delay> hiddenDelays(std::span<const std::uint32_t> behind, const TracedWaits& waits,
                                const traces::Recording& recording);
/// How long the `waiter` of each hidden delay would wait if nobody came later, by call path.
DelayCosts costsOfHidden(std::span<const Delay> hidden, const TracedWaits& waits, const CallPaths& paths,
                         const engine::Progress& progress);

}  // namespace app::analysis
