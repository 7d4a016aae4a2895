// SPDX-License-Identifier: BSD-3-Clause
// Hockney's rule, which every clock under alpha + beta m obeys: a message that takes `cost` keeps its sender's out-port
// busy for so long from when the sender begins the round, and its receiver's in-port for as long from the later of the
// two begins. Time: Picoseconds, a number of them, or several ranks' side by side in a vector.
#pragma once

namespace emulation::hockney {

template <class Time>
[[gnu::always_inline]] constexpr Time larger(Time a, Time b) {
    return a > b ? a : b;
}

template <class Time>
[[gnu::always_inline]] constexpr Time sendEnd(Time sender, Time cost) {
    return sender + cost;
}
template <class Time>
[[gnu::always_inline]] constexpr Time receiveBegin(Time sender, Time receiver) {
    return larger(sender, receiver);
}
template <class Time>
[[gnu::always_inline]] constexpr Time receiveEnd(Time sender, Time receiver, Time cost) {
    return receiveBegin(sender, receiver) + cost;
}

/// A rank that begins at `own`, sends for `out`, and receives for `in` from one that begins at `left`: when it is done
/// with both.
template <class Time>
[[gnu::always_inline]] constexpr Time passOn(Time own, Time left, Time out, Time in) {
    return larger(receiveEnd(left, own, in), sendEnd(own, out));
}

/// The same. It waits, which is added to `wait`, when its own message has left before its sender begins.
template <class Time>
[[gnu::always_inline]] constexpr Time passOn(Time own, Time left, Time out, Time in, Time& wait) {
    const Time sent = sendEnd(own, out);
    wait += larger(receiveBegin(left, own), sent) - sent;
    return passOn(own, left, out, in);
}

}  // namespace emulation::hockney
