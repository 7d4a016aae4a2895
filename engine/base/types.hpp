// SPDX-License-Identifier: BSD-3-Clause
// Ids and quantities as types. Mixing a rank with a round, or bytes with time, does not compile.
//
// | type          | meaning                                             | unit, range                   |
// |---------------|-----------------------------------------------------|-------------------------------|
// | Rank          | a process; group A is 0..p-1, group B p..p+q-1      | 0..2^31-1                     |
// | Round         | one step of a schedule                              | counted from 0                |
// | Block         | a contribution, in the order of the byte line       | counted from 0                |
// | LinkId        | one direction of a link of a network                | counted from 0                |
// | Bytes         | a count of bytes, or a place on the byte line       | 0..2^62                       |
// | Picoseconds   | virtual or measured time since the start of the run | about +-106 days              |
// | Rate          | time per byte (beta, gamma)                         | femtoseconds per byte, >= 0   |
#pragma once

#include <cassert>
#include <chrono>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace engine {

/// A number of entries of a container, or the number of one of them, as containers want it; must be >= 0.
[[nodiscard]] constexpr std::size_t asSize(std::integral auto number) {
    if constexpr (std::signed_integral<decltype(number)>) assert(number >= 0);
    return static_cast<std::size_t>(number);
}

/// A whole number that counts one kind of thing only. `value` is open for arithmetic inside an algorithm.
template <class Tag, class Rep>
struct Id {
    Rep value{};

    constexpr Id() = default;
    constexpr explicit Id(Rep number) : value{number} {}

    /// The place of this thing in a container that has one entry for each; value must be >= 0.
    [[nodiscard]] constexpr std::size_t index() const { return asSize(value); }

    friend constexpr auto operator<=>(Id, Id) = default;
    friend constexpr Id operator+(Id id, Rep step) { return Id{static_cast<Rep>(id.value + step)}; }
    friend constexpr Id operator-(Id id, Rep step) { return Id{static_cast<Rep>(id.value - step)}; }
    friend constexpr Rep operator-(Id a, Id b) { return static_cast<Rep>(a.value - b.value); }
    constexpr Id& operator++() {
        ++value;
        return *this;
    }
};

using Rank = Id<struct RankTag, std::int32_t>;
using Round = Id<struct RoundTag, std::int64_t>;
using Block = Id<struct BlockTag, std::int32_t>;
using LinkId = Id<struct LinkTag, std::int32_t>;

using Bytes = std::int64_t;
using Picoseconds = std::chrono::duration<std::int64_t, std::pico>;

/// Throws Error: something takes 2^62 ps or longer (bounded.hpp).
[[noreturn]] void refuseTime();

/// Time per byte. Femtoseconds keep every rate exact that a bandwidth in whole kB/s up to GB/s can ask for within
/// 1e-6, without floating point in virtual time.
struct Rate {
    std::int64_t femtosecondsPerByte = 0;

    friend constexpr auto operator<=>(Rate, Rate) = default;

    /// The time `bytes` take at this rate, rounded to the nearest picosecond. Throws Error behind the end of time.
    friend constexpr Picoseconds operator*(Rate rate, Bytes bytes) {
        std::int64_t small = 0;  // the usual case, in which no slow division of 128 bits is needed
        if (!__builtin_mul_overflow(rate.femtosecondsPerByte, bytes, &small) && small < (std::int64_t{1} << 62))
            return Picoseconds{(small + 500) / 1000};
        const __int128 femto = static_cast<__int128>(rate.femtosecondsPerByte) * bytes;
        if (femto >= (static_cast<__int128>(1000) << 62)) refuseTime();
        return Picoseconds{static_cast<std::int64_t>((femto + 500) / 1000)};
    }
};

/// Half-open interval [begin, end) of the global byte line: all contributions of a problem end to end, in block order.
struct Range {
    Bytes begin = 0;
    Bytes end = 0;

    friend constexpr auto operator<=>(const Range&, const Range&) = default;
    [[nodiscard]] constexpr Bytes size() const { return end - begin; }
    [[nodiscard]] constexpr bool empty() const { return end <= begin; }
};

}  // namespace engine

template <class Tag, class Rep>
struct std::hash<engine::Id<Tag, Rep>> {
    std::size_t operator()(engine::Id<Tag, Rep> id) const noexcept { return std::hash<Rep>{}(id.value); }
};
