// SPDX-License-Identifier: BSD-3-Clause
// How long the threads of ranks compute: the time in which a thread is neither in MPI nor in a call or construct by
// which threads wait for or manage each other.
#pragma once

#include "app/analysis/calls/interval_sums.hpp"
#include "app/analysis/calls/thread_ids.hpp"
#include "traces/recording/recording.hpp"

#include <vector>

namespace app::analysis {

/// Computation of the threads of a recording, summed up once. Other threads than those that speak for ranks compute
/// between their first and last event, in programs of OpenMP only while they are in a parallel region.
class ThreadComputation {
public:
    /// Reads states only where a rank has several threads. `recording` is not kept.
    explicit ThreadComputation(const traces::Recording& recording);

    /// Whether any rank has more than one thread, and calls and constructs by which threads wait for or manage each
    /// other were recorded: where only calls of MPI were, what else a thread does is not known.
    [[nodiscard]] bool hasThreads() const { return !ranks_.empty(); }
    /// Whether the trace tells where parallel regions of OpenMP begin and end.
    [[nodiscard]] bool hasParallelRegions() const { return hasParallelRegions_; }
    [[nodiscard]] const Threads& threads() const { return threads_; }

    /// Mean over the threads of a rank between two times.
    struct Mean {
        engine::Picoseconds inParallel{};  ///< in parallel regions; of a trace without them by all other threads
        engine::Picoseconds serial{};      ///< by the rank's own thread otherwise, not divided by the number of threads
        engine::Picoseconds all{};

        Mean& operator+=(const Mean& other);
        friend bool operator==(const Mean&, const Mean&) = default;
    };
    [[nodiscard]] Mean of(engine::Rank rank, engine::Picoseconds from, engine::Picoseconds to) const;

private:
    struct OfRank {
        IntervalSums own{};  ///< of the thread that speaks for the rank
        IntervalSums ownInParallel{};
        std::vector<IntervalSums> others{};
    };

    Threads threads_;
    bool hasParallelRegions_ = false;
    std::vector<OfRank> ranks_;  ///< empty without threads
};

}  // namespace app::analysis
