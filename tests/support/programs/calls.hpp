// SPDX-License-Identifier: BSD-3-Clause
// Vectors for one split-phase allreduce after another: every call brings other numbers, so that data of another call
// show.
#pragma once

#include "engine/live/threads/buffers.hpp"

#include <algorithm>
#include <cstring>

namespace support {

using Numbers = std::vector<std::int64_t>;

/// What `rank` brings to `call`.
inline Numbers numbersOf(int rank, int call, std::size_t count) {
    Numbers numbers(count);
    for (std::size_t i = 0; i < count; ++i) numbers[i] = (rank + 1) * 1000 + call * 7 + static_cast<std::int64_t>(i);
    return numbers;
}

inline Numbers sumOf(int ranks, int call, std::size_t count) {
    Numbers sum(count);
    for (int rank = 0; rank < ranks; ++rank) {
        const Numbers one = numbersOf(rank, call, count);
        for (std::size_t i = 0; i < count; ++i) sum[i] += one[i];
    }
    return sum;
}

inline std::span<const std::byte> bytesOf(const Numbers& numbers) { return std::as_bytes(std::span{numbers}); }

inline Numbers numbersIn(std::span<const std::byte> bytes) {
    Numbers numbers(bytes.size() / sizeof(std::int64_t));
    std::memcpy(numbers.data(), bytes.data(), bytes.size());
    return numbers;
}

/// x -> a x + b for each pair of numbers, first left, then right: associative, and it does not commute.
inline void composeInto(std::span<const std::byte> left, std::span<std::byte> right) {
    const Numbers first = numbersIn(left);
    Numbers both = numbersIn(right);
    constexpr std::int64_t modulus = 1'000'003;
    for (std::size_t i = 0; i + 1 < both.size(); i += 2) {
        const std::int64_t a = both[i];
        const std::int64_t b = both[i + 1];
        both[i] = a * first[i] % modulus;
        both[i + 1] = (a * first[i + 1] + b) % modulus;
    }
    std::memcpy(right.data(), both.data(), right.size());
}

/// The larger number of each two: an operation of a user's own.
inline void largerInto(std::span<const std::byte> left, std::span<std::byte> right) {
    const Numbers one = numbersIn(left);
    Numbers other = numbersIn(right);
    for (std::size_t i = 0; i < other.size(); ++i) other[i] = std::max(one[i], other[i]);
    std::memcpy(right.data(), other.data(), right.size());
}

}  // namespace support
