// SPDX-License-Identifier: BSD-3-Clause
// Runs and traces side by side.
#pragma once

#include "app/analysis/calls/call_paths.hpp"
#include "app/analysis/trace/trace.hpp"
#include "engine/base/table.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace app::analysis {

/// One of those compared.
struct Contestant {
    std::string label;  ///< as the user named it
    Trace trace;
};

/// How long a run took; a program, from the last exit from MPI_Init to the last entry into MPI_Finalize.
engine::Picoseconds timeOf(const Trace& trace);

/// Which of them ran with fewer processors than ranks, a sentence each.
std::vector<std::string> sharedProcessorRemarks(std::span<const Contestant> contestants);

/// Rounds, messages, bytes, time, idle share, busiest link and bound of each, and its time as a multiple of the
/// first's.
engine::Table compareRuns(std::span<const Contestant> contestants);

/// What differs message by message between two runs of one instance each; nothing where one of them has several, or
/// kept no messages.
std::optional<engine::Table> messageChanges(const Contestant& first, const Contestant& second);

/// Instances of two traces, aligned by communicator, operation and order, the largest difference first.
engine::Table instanceChanges(const Contestant& first, const Contestant& second, const engine::Progress& progress = {});

/// Of two training jobs how a rank spends a step. Of two traces of programs the factors of the parallel efficiency, or
/// of the hybrid one where both show threads (`efficiencyTable`); call paths, aligned by name, the largest difference
/// of their exclusive times at the top; and iterations, aligned by number, where both repeat something. Nothing where
/// calls were not recorded. Throws Cancelled.
std::vector<engine::Table> programChanges(const Contestant& first, const Contestant& second,
                                          const engine::Progress& progress = {});
inline constexpr std::string_view efficiencyTable = "efficiency";

/// False if both have calls of MPI apart from MPI_Init and MPI_Finalize, which all programs have, but no call path of
/// these in common. Files and lines are not compared.
bool areOfOneProgram(const CallPaths& first, const CallPaths& second);

/// "The main reason is load balance: 99% instead of 41% in the slower trace.": the factor of the parallel efficiency,
/// or the computation, to which most of the ratio of the times is due. `changes` are those of programChanges; empty
/// where they name none, as for traces of different programs.
std::string mainReason(std::span<const engine::Table> changes);

}  // namespace app::analysis
