// SPDX-License-Identifier: BSD-3-Clause
// How much earlier a recorded program would end if a rank had not been late: its computation and calls again, with what
// they depend on and the transfer times as recorded (ideal_network.hpp), without the time that made the rank late.
//
// It says what fixing one cause of waiting brings, which is less than the waiting where another rank is late as well.
#pragma once

#include "app/analysis/replay/ideal_network.hpp"
#include "app/analysis/wait_states/root_causes.hpp"

#include <memory>
#include <optional>
#include <span>

namespace app::analysis {

class GainWithoutDelay {
public:
    /// `recording` outlives the object. Throws Cancelled.
    explicit GainWithoutDelay(const traces::Recording& recording, const engine::Progress& progress = {});

    /// The time from the start of the recording until the last rank enters MPI_Finalize, or ends.
    [[nodiscard]] engine::Picoseconds time() const { return time_; }
    /// Whether that is as recorded: else the clocks of ranks contradict each other.
    [[nodiscard]] bool isAsRecorded() const;
    /// How much less that is without these delays; not less than 0.
    engine::Picoseconds without(std::span<const DelaysOfRank> delays, const CallPaths& paths);

private:
    engine::Picoseconds timeWith(const Computation& computation);

    const traces::Recording& recording_;
    RecordedProgram program_;
    IdealNetwork clock_;
    engine::ById<engine::Rank, engine::Picoseconds> ends_;  ///< of the ranks: MPI_Finalize, or their last event
    engine::ById<engine::Rank, engine::Picoseconds> untilFinalize_;  ///< the same; max where that was not recorded
    engine::Picoseconds time_{};
};

/// How much of what a rank computed between two times these delays are.
engine::Picoseconds lateWithin(std::span<const DelaysOfRank> delays, const CallPaths& paths, engine::Rank rank,
                               engine::Picoseconds from, engine::Picoseconds to);

}  // namespace app::analysis
