// SPDX-License-Identifier: BSD-3-Clause
// Clocks of the ranks of a training job, fitted by the ends of their collectives: a kernel of an all_reduce ends on all
// ranks within microseconds, however late one of them entered.
#pragma once

#include "traces/clocks/clocks.hpp"

namespace traces {

/// The offset of two ranks is the median of the differences of their ends over the collectives in which every rank
/// needs every other one. Ranks without such a collective in common are connected through other ranks. Two clocks also
/// get a drift if it halves the spread of the differences and is larger than noise explains. `slack` of a rank is four
/// standard deviations of the offset and of the drift over the time of the recording, as the remaining differences show
/// them, added up on the way to the reference rank. It does not contain what all collectives have in common: a rank
/// that always leaves later than others.
ClockFit fitClocksByEnds(const Recording& recording);

/// As the kind of the recording asks: by ends for a training job, else by messages and collectives.
ClockFit fitClocksOf(const Recording& recording, const MemoryBudget& memory = {});

/// Notes the fit by ends as the clocks of a training job whose times stay as recorded. Returns what `describe` does.
std::string noteClocksByEnds(Recording& recording);

/// "clocks of ranks do not agree: collectives end up to 3 ms apart"; empty where the offsets are within 20 us, or
/// within their slack, from the first to the last end of a collective; outside of that no collective shows
/// them.
std::string describe(const ClockFit& fit, const Recording& recording);

}  // namespace traces
