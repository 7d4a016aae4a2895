// SPDX-License-Identifier: BSD-3-Clause
// Virtual time when messages flow at max-min fair rates: `--sharing fair` and `fair-weighted`.
//
// Event driven: every rank goes through its turns by itself. A message is in flight from the moment at which both of
// its ends have begun their turns; for alpha plus the latency of its links it needs no link, then its bytes flow at a
// rate that is max-min fair among all messages in flight at that moment, whatever their round; both ends are done when
// the last byte has come. With Protocol::detached a small message is off its sender's hands when the sender's turn
// begins.
//   fair           messages on one link have equal shares, as far as they can use them
//   fair-weighted  shares are in inverse proportion to alpha plus latency, as in SimGrid's CM02 model
//
// Integers throughout. Time is counted in picoseconds; what is left of a message in 2^-56 of what the fastest link
// moves in a femtosecond. Rounded are: shares, down to a multiple of 2^-56 of the fastest link; the end of a message,
// to the nearest picosecond; weights, to 2^-40 of the largest.
#pragma once

#include "emulation/clocks/virtual_clock.hpp"

namespace emulation {

/// What emulate() answers under fair sharing. Throws Error when a link is over 10^9 times slower than another, or time
/// overflows; Cancelled.
Emulated emulateFair(const engine::Plan& plan, const Network& network, const Conditions& conditions,
                     const engine::Progress& progress);

/// What makespan() answers.
engine::Picoseconds fairMakespan(const engine::Plan& plan, const Network& network, const Conditions& conditions,
                                 const engine::Progress& progress);

}  // namespace emulation
