// SPDX-License-Identifier: BSD-3-Clause
// LogGP's costs of one message, which every clock under it obeys (detailed_clock.hpp says how they follow each other).
// m' is the number of bytes behind the first one.
#pragma once

#include "emulation/clocks/bounded_time.hpp"
#include "engine/cost/model.hpp"

#include <algorithm>

namespace emulation::loggp {

/// How long a processor of this slowness works to send or to receive a message: o + O m'.
inline engine::Picoseconds work(const engine::LogGP& letters, Factor slowness, engine::Bytes bytes) {
    const engine::Bytes behindTheFirst = std::max<engine::Bytes>(0, bytes - 1);
    return lasting(slowness, later(letters.overhead, letters.overheadPerByte * behindTheFirst));
}

/// How long a message keeps a port of a rank of this slowness: g + G m', the latter of which is `moving`.
inline engine::Picoseconds occupation(const engine::LogGP& letters, Factor slowness, engine::Picoseconds moving) {
    return later(lasting(slowness, letters.gap), moving);
}

/// When the first byte of a message that is sent from `begin` on comes to its receiver: o + L later, the latter of
/// which is `startup`.
inline engine::Picoseconds arrival(const engine::LogGP& letters, Factor slowness, engine::Picoseconds begin,
                                   engine::Picoseconds startup) {
    return later(later(begin, lasting(slowness, letters.overhead)), startup);
}

}  // namespace emulation::loggp
