// SPDX-License-Identifier: BSD-3-Clause
// A number halved again and again, rounding up: the distances of circulant graphs and of what is built like them.
//
//   p = 22:   22  11  6  3  2  1          p = 8:   8  4  2  1
#pragma once

#include <cstdint>

namespace engine::shapes {

/// p halved t times, rounding up each time: ceil(p / 2^t); p >= 1.
constexpr std::int32_t halved(std::int32_t p, std::int64_t t) {
    return static_cast<std::int32_t>((p + (std::int64_t{1} << t) - 1) >> t);
}

}  // namespace engine::shapes
