// SPDX-License-Identifier: BSD-3-Clause
// Arithmetic of virtual time that refuses instead of overflowing.
#pragma once

#include "emulation/perturbation.hpp"
#include "engine/error.hpp"

namespace emulation {

/// Virtual time stays below 2^62 ps, so that adding two times never overflows.
inline constexpr engine::Picoseconds endOfTime{std::int64_t{1} << 62};

[[noreturn]] inline void refuseTime() {
    throw engine::Error{"the run lasts longer than 53 days of virtual time; choose smaller sizes or a faster model"};
}

/// a + b; throws Error when that is behind the end of time. Both >= 0.
inline engine::Picoseconds later(engine::Picoseconds a, engine::Picoseconds b) {
    if (a >= endOfTime || b >= endOfTime - a) refuseTime();
    return a + b;
}

/// rate x bytes, rounded to the nearest picosecond; throws Error as later() does.
inline engine::Picoseconds lasting(engine::Rate rate, engine::Bytes bytes) {
    if (static_cast<__int128>(rate.femtosecondsPerByte) * bytes >= static_cast<__int128>(endOfTime.count()) * 1000)
        refuseTime();
    return rate * bytes;
}

/// factor x time; throws Error as later() does.
inline engine::Picoseconds lasting(Factor factor, engine::Picoseconds time) {
    if (static_cast<__int128>(factor.thousandths) * time.count() >= static_cast<__int128>(endOfTime.count()) * 1000)
        refuseTime();
    return factor * time;
}

/// number x time; throws Error as later() does.
inline engine::Picoseconds lasting(std::int64_t number, engine::Picoseconds time) {
    if (static_cast<__int128>(number) * time.count() >= endOfTime.count()) refuseTime();
    return time * number;
}

}  // namespace emulation
