// SPDX-License-Identifier: BSD-3-Clause
// How much of the time of ranks each activity took, as numbers and in words.
#pragma once

#include "app/analysis/calls/activity.hpp"
#include "app/gui/scenes/run/drawable_run.hpp"

#include <array>
#include <vector>

namespace app::gui {

/// By activity, in picoseconds; Activity::none is what nothing was recorded of.
using Spent = std::array<double, analysis::activities>;

/// The time of a rank that these are about: from MPI_Init to MPI_Finalize where they were recorded.
engine::Picoseconds summedTime(const analysis::TracedProgram& program);
/// "of the time from MPI_Init to MPI_Finalize" or "of total rank time"; null: of a run of Collscope.
QString baseOfShares(const analysis::TracedProgram* program);
/// Of the ranks first..next-1 together.
Spent spentBy(const analysis::TracedProgram& program, std::int64_t first, std::int64_t next);
/// Activities that any rank has, then Activity::none where something was not recorded.
std::vector<analysis::Activity> partsOf(const DrawableRun& subject, const analysis::TracedProgram& program);
/// In the words of the program's users: MPI's, or PyTorch's.
QString nameOfActivity(analysis::Activity activity, const analysis::TracedProgram& program);
/// "iteration"; "step" where iterations are the steps of a training job.
QString iterationWord(const analysis::TracedProgram& program);
/// Counted from 1; steps as the profiler counts them.
QString iterationNumber(const analysis::TracedProgram& program, std::size_t iteration);
/// Waiting time as a share of the time of all ranks, 0..1.
double waitingShare(const DrawableRun& subject, const analysis::TracedProgram& program);
/// "compute 113.2 ms, 31.1%" and the other parts of a rank's time that there are.
QStringList spentInWords(const DrawableRun& subject, const analysis::TracedProgram& program, engine::Rank rank);

}  // namespace app::gui
