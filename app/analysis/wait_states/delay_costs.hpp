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

/// Delays that nobody waited for, since one of the delays with these numbers kept the same ranks longer: of ranks that
/// came at least half as late to the same call, by their ends. `waiter` is who waits longest for that one. Of calls
/// that others leave whenever such a rank comes, such as MPI_Bcast but for its root, there are none.
std::vector<Delay> hiddenDelays(std::span<const std::uint32_t> behind, const TracedWaits& waits,
                                const traces::Recording& recording);
/// What hidden delays would cost the rank that would wait longest for each.
DelayCosts costsOfHidden(std::span<const Delay> hidden, const TracedWaits& waits, const CallPaths& paths,
                         const engine::Progress& progress);

}  // namespace app::analysis
