// SPDX-License-Identifier: BSD-3-Clause
// Classes of message sizes.
#pragma once

#include "engine/base/types.hpp"

#include <bit>
#include <cstdint>

namespace app::analysis {

/// The largest size of the class that `bytes` >= 0 lies in: 0, or the power of two that is not smaller.
constexpr engine::Bytes sizeClassOf(engine::Bytes bytes) {
    return bytes == 0 ? 0 : static_cast<engine::Bytes>(std::bit_ceil(static_cast<std::uint64_t>(bytes)));
}

}  // namespace app::analysis
