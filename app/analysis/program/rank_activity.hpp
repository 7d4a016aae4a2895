// SPDX-License-Identifier: BSD-3-Clause
// How the ranks of a traced program spent a time, by the calls that their own locations were in.
#pragma once

#include "app/analysis/wait_states/wait_state_sums.hpp"
#include "traces/recording/recording.hpp"

#include <vector>

namespace app::analysis {

/// The parts add up to the time asked about.
struct RankActivity {
    engine::Picoseconds computing{};  ///< as ComputationTimes has it
    engine::Picoseconds inMpi{};      ///< but not waiting; of a job with streams in exposed communication
    engine::Picoseconds waiting{};    ///< of this thread in MPI, or in exposed communication, for other ranks
    /// Nothing was recorded: before the first event, in pauses, and after the last one. In a job with streams: idle.
    engine::Picoseconds nothing{};

    friend bool operator==(const RankActivity&, const RankActivity&) = default;
};

/// In calls of the regions that are marked, within `span`; calls within others of them count once.
engine::Picoseconds timeInMpi(const traces::States& states, const std::vector<bool>& isMpiRegion,
                              traces::TimeSpan span);

/// By rank; `waits` are those within `span`.
std::vector<RankActivity> programTimes(const traces::Recording& recording, const WaitSums& waits,
                                       traces::TimeSpan span);

}  // namespace app::analysis
