// SPDX-License-Identifier: BSD-3-Clause
// Arithmetic of times and bytes that refuses instead of overflowing.
#pragma once

#include "engine/base/types.hpp"

namespace engine {

/// Virtual time stays below 2^62 ps, so that adding two times never overflows.
inline constexpr Picoseconds endOfTime{std::int64_t{1} << 62};

/// Throws Error: messages have more than 2^62 bytes in all.
[[noreturn]] void refuseBytes();

/// a + b; throws Error when that is behind the end of time. Both >= 0.
inline Picoseconds later(Picoseconds a, Picoseconds b) {
    if (a >= endOfTime || b >= endOfTime - a) refuseTime();
    return a + b;
}

/// number x time; throws Error as later() does.
inline Picoseconds lasting(std::int64_t number, Picoseconds time) {
    if (static_cast<__int128>(number) * time.count() >= endOfTime.count()) refuseTime();
    return time * number;
}

/// Adds the bytes of messages. Throws Error where they are more than can be counted.
inline void addBytes(Bytes& sum, Bytes more) {
    if (__builtin_add_overflow(sum, more, &sum) || sum > Bytes{1} << 62) refuseBytes();
}

}  // namespace engine
