// SPDX-License-Identifier: BSD-3-Clause
// A collective in two halves in virtual time: every rank starts it, computes, and waits for it; meanwhile the messages
// move as far as the ranks look, or by themselves.
//
// Source: End et al. 2016, section I: split-phase collectives need progress from outside or calls of those that
// compute, so that few rounds mean few calls.
//
// Messages. Each has a place of its own in its receiver's memory and asks nobody. It takes c = alpha + beta m, or what
// its route says, times the larger factor of its two ranks. It waits for one of its sender's out-ports, in the order in
// which messages were posted, and keeps it for c; and from then on for one of its receiver's in-ports, in the order in
// which the sends begin (of those that begin together: by sender, then as they were posted), and keeps that for c. Then
// it is there. On shared links a message moves as if it were as large as the load of its busiest link in the round.
//
// Ranks. A rank has one processor, which computes, looks and combines. `start` posts the messages of the first round
// and looks. A look goes through every round whose messages are all there: it combines them, gamma per byte, and posts
// those of the next one. A look with a timeout then waits for the next round until the time is over. `wait` is a look
// without end. What a look costs by itself comes first, but for that of `start`.
//
// By themselves: something beside the processor does what a look without end would do, from `start` on.
//
// Ranks that wait from the start (no computation) and go in step take as long as under clocks/virtual_clock.hpp. A
// message that comes before its receiver has begun the round has the receiver's port still to pass there; here it has
// passed, and may have held up another that is waited for.
#pragma once

#include "emulation/conditions.hpp"
#include "emulation/networks/congestion.hpp"
#include "emulation/networks/network.hpp"
#include "engine/base/by_id.hpp"
#include "engine/live/splitphase/overlapped_computation.hpp"
#include "engine/run/executor.hpp"

namespace emulation {

/// What one rank did.
struct SplitPhaseTimes {
    engine::Picoseconds begin{};     ///< it calls `start`
    engine::Picoseconds started{};   ///< that returns
    engine::Picoseconds computed{};  ///< the computation is over, with all looks and what they combined
    engine::Picoseconds done{};      ///< the result is there
    engine::Picoseconds end{};       ///< it has the result and has computed
    std::int64_t calls = 0;          ///< until one of them brought the result: of start, looks and wait

    friend bool operator==(const SplitPhaseTimes&, const SplitPhaseTimes&) = default;
};

struct SplitEmulated {
    engine::Run run;
    Congestion congestion;
    engine::ById<Rank, SplitPhaseTimes> ranks;
};

/// Runs `plan`, whose strands always join, split-phase in virtual time. Throws Error for conditions that this clock
/// does not know, when time runs out, and for more than 20 million messages; Cancelled.
SplitEmulated emulateSplit(const engine::Plan& plan, const Network& network, const Conditions& conditions,
                           const engine::splitphase::Settings& settings, const engine::Progress& progress = {});

}  // namespace emulation
