// SPDX-License-Identifier: BSD-3-Clause
// How long ranks compute: the time outside of MPI on their main threads, as far as it was recorded. A rank of a
// training job whose accelerator was recorded computes while one of its streams does.
#pragma once

#include "app/analysis/calls/interval_sums.hpp"
#include "engine/base/types.hpp"
#include "traces/recording/recording.hpp"

#include <vector>

namespace app::analysis {

/// Computation of the ranks of a recording, summed up once.
class ComputationTimes {
public:
    /// `recording` outlives the object.
    explicit ComputationTimes(const traces::Recording& recording);
    /// Of these ranks alone: 24 bytes for each of their calls.
    ComputationTimes(const traces::Recording& recording, const std::vector<engine::Rank>& ranks);

    [[nodiscard]] bool isRecorded(engine::Rank rank) const { return ranks_[rank.index()].last > engine::Picoseconds{}; }
    /// Outside of MPI between two times, from the first event of the rank until its last one, without pauses of the
    /// recording.
    [[nodiscard]] engine::Picoseconds of(engine::Rank rank, engine::Picoseconds from, engine::Picoseconds to) const;

private:
    struct OfRank {
        engine::Picoseconds first{}, last{};
        IntervalSums otherwise{};  ///< calls of MPI and pauses; of a job, streams have no kernel that computes
    };
    static OfRank ofStreams(const std::vector<traces::TimeSpan>& kernels);

    std::vector<OfRank> ranks_;
};

}  // namespace app::analysis
