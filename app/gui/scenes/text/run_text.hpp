// SPDX-License-Identifier: BSD-3-Clause
// What pictures say in words: titles, captions, descriptions for screen readers.
#pragma once

#include "app/gui/scenes/run/drawable_run.hpp"

namespace app::gui {

/// "Half-duplex allgather on a ring: 4 senders, 6 receivers".
QString titleOf(const DrawableRun& subject);
/// "Ring allgather over both groups - 64 KiB per contribution - alpha 1 us, beta 0.4 ns/B".
QString subtitleOf(const DrawableRun& subject);
/// Of emulation::toText(): "rank 3 starts 1 ms late, link 3 → 4 takes 8 times as long per byte".
QString perturbationInWords(const std::string& perturbation);
/// Where its times come from, by what a run was made on: "virtual time", "measured with MPI", "recorded".
QString howTimed(const std::string& on);
/// Why a picture of rounds shows none of a trace without them, and where some are.
QString noRoundsInWords();
/// Why a run has no rounds at all, a sentence.
QString whyNoRounds(const DrawableRun& subject);
/// That the schedule of a run is proved, a sentence; of a recorded run whose schedule that is. Empty where it is not.
QString proofInWords(const Report& report);
/// "Round 3 of 9", or "Rounds 3 to 5 of 9" where ranks are in several without lockstep.
QString roundsOf(const DrawableRun& subject, engine::Picoseconds time);
/// "Round 3 of 9, 54.2 us of 245 us"; the time alone where no rounds were recorded.
QString momentOf(const DrawableRun& subject, engine::Picoseconds time);
/// "Under way: block 0 from 3 to 4, ...": what goes on at `time`.
QString eventsOf(const DrawableRun& subject, engine::Picoseconds time);
/// The same of the messages that are in flight then.
QString eventsOf(const DrawableRun& subject, const std::vector<std::size_t>& moving);

/// What a rank does that is in no message and has not ended: it waits; but a program that was traced may compute.
QString betweenWords(const DrawableRun& subject);
/// The time after the last message of a rank: "finished early"; "idle" in a schedule that is still played by hand.
QString afterwardsWords(const DrawableRun& subject);
/// Whether busy and idle times of the run are those of processors, as under LogGP, and not of ports.
bool hasProcessorTime(const DrawableRun& subject);
/// "ranks are idle"; under LogGP "processors are idle", of a program "ranks wait", and of a run of which only calls are
/// known "ports are idle".
QString stillName(const DrawableRun& subject);
/// What share of the time that is.
QString stillInWords(const DrawableRun& subject);
double stillShareOf(const DrawableRun& subject);
/// What there is to say of a run and its bounds below their bars, the most important first.
QStringList boundsInWords(const DrawableRun& subject);

/// What stands in the place of what an open question is about.
QString hiddenWords();

/// "0 \u2192 1".
QString linkName(const emulation::Network& network, engine::LinkId link);

/// "64 KiB", "27.2 us": the engine's spelling, with a real mu.
QString bytesInWords(engine::Bytes bytes);
QString timeInWords(engine::Picoseconds time);
/// With the figures of sentences, fewer than in tables.
QString timeInSentence(engine::Picoseconds time);
/// Formulas with Greek letters, brackets for ceil() and a real minus.
QString greek(const std::string& words);

}  // namespace app::gui
