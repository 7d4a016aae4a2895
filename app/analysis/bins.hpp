// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace app::analysis {

/// `count` things in order, taken together as at most `shown` bins of neighbours.
struct Bins {
    std::int64_t count = 0;
    std::int32_t shown = 0;

    Bins() = default;
    Bins(std::int64_t things, std::int64_t most)
        : count{things}, shown{static_cast<std::int32_t>(things < most ? things : most)} {}

    [[nodiscard]] bool together() const { return shown < count; }
    /// Bin of a thing, and the first thing of a bin; first(shown) == count.
    [[nodiscard]] std::int32_t binOf(std::int64_t thing) const {
        return static_cast<std::int32_t>(thing * shown / (count > 0 ? count : 1));
    }
    [[nodiscard]] std::int64_t first(std::int32_t bin) const {
        return (bin * count + shown - 1) / (shown > 0 ? shown : 1);
    }
};

}  // namespace app::analysis
