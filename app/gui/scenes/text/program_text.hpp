// SPDX-License-Identifier: BSD-3-Clause
// What pictures of a traced program say in words.
#pragma once

#include "app/gui/scenes/run/drawable_run.hpp"

namespace app::gui {

/// The program that a subject is, waiting until it is known; null where it is none.
const analysis::TracedProgram* programOf(const DrawableRun& subject);
/// The same without waiting: null also while it is not known.
const analysis::TracedProgram* knownProgramOf(const DrawableRun& subject);
/// Then why, as a sentence.
QString whyNoProgram(const DrawableRun& subject);

/// Whether there is such a call, wait, ... in the program that a subject is.
bool isOfProgram(const DrawableRun& subject, const Meaning& meaning);

/// What of a program is meant, in a line: "MPI_Allreduce on rank 3, 281 ms to 300 ms (19 ms), in main/norm". Empty for
/// what is of no program.
QString programWords(const DrawableRun& subject, const Meaning& meaning);

/// "OMP thread 2"; empty of the thread that is the rank itself.
QString threadWords(const analysis::TracedProgram& program, engine::Rank rank, analysis::ThreadNumber thread);

/// Whose call, wait, computation or cell of a call path is meant; nothing of all else, and of what no rank did.
std::optional<engine::Rank> rankOfStretch(const DrawableRun& subject, const Meaning& meaning);

/// The part of the time that a click on it shows: an iteration, or the longest call of a path on a rank; nothing of
/// all else.
std::optional<traces::TimeSpan> placeOf(const DrawableRun& subject, const Meaning& meaning);

/// "main/norm/MPI_Allreduce": of a call, of the call that a wait lies in, or "" of computation.
QString pathOfStretch(const analysis::TracedProgram& program, const Meaning& meaning);

}  // namespace app::gui
