// SPDX-License-Identifier: BSD-3-Clause
// The time in which a recorded program does its work: between MPI_Init and MPI_Finalize.
//
// Starting and ending a program are set apart: what passes before the last rank has left MPI_Init, or after the last
// one has entered MPI_Finalize, is no wait state, has no root cause and is in no percentage, unless a user chooses that
// time.
#pragma once

#include "app/analysis/selection/partial_runs.hpp"
#include "traces/recording/recording.hpp"

#include <optional>

namespace app::analysis {

/// Empty where the calls were not recorded of all ranks.
struct SetUpTimes {
    std::optional<engine::Picoseconds> initialised{};  ///< the last rank has left MPI_Init
    std::optional<engine::Picoseconds> finalizes{};    ///< the last rank enters MPI_Finalize, later than that

    friend bool operator==(const SetUpTimes&, const SetUpTimes&) = default;
};
SetUpTimes setUpTimes(const traces::Recording& recording);

/// From when on a rank recorded no calls of the program any more although it went on: its records were full, or
/// recording was switched off. Empty where all ranks recorded until they ended.
std::optional<engine::Picoseconds> recordedUntil(const traces::Recording& recording);

/// Gaps in the recordings of ranks within the time, added up.
engine::Picoseconds gapsWithin(const traces::Recording& recording, traces::TimeSpan time);

/// From MPI_Init to MPI_Finalize; where these were not recorded, from the first event of a rank to the last; at most
/// recordedUntil().
traces::TimeSpan timeOfProgram(const traces::Recording& recording);

/// The time whose wait states are analysed: as the part says; what it leaves open, from MPI_Init to MPI_Finalize, or
/// the end of the recording where these were not recorded, at most recordedUntil().
traces::TimeSpan analysedTime(const traces::Recording& recording, const Part& part);

}  // namespace app::analysis
