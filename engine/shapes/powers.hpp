// SPDX-License-Identifier: BSD-3-Clause
// Whole powers and logarithms of small bases, and ranks that go round.
#pragma once

#include "engine/base/types.hpp"

#include <cstdint>

namespace engine::shapes {

/// base^exponent; the result must fit.
constexpr std::int64_t power(std::int64_t base, std::int64_t exponent) {
    std::int64_t result = 1;
    for (std::int64_t i = 0; i < exponent; ++i) result *= base;
    return result;
}

/// ceil(log_base n): the least k with base^k >= n; base >= 2, n >= 1.
constexpr std::int32_t ceilLog(std::int64_t base, std::int64_t n) {
    std::int32_t k = 0;
    for (std::int64_t reach = 1; reach < n; reach *= base) ++k;
    return k;
}

/// The rank `steps` (of any sign) after `rank` among `ranks` that go round.
constexpr Rank around(Rank rank, std::int64_t steps, std::int32_t ranks) {
    std::int64_t place = rank.value + steps;
    if (place < -ranks || place >= 2 * std::int64_t{ranks}) place %= ranks;  // rarely more than once round
    return Rank{static_cast<std::int32_t>(place < 0 ? place + ranks : place < ranks ? place : place - ranks)};
}

}  // namespace engine::shapes
