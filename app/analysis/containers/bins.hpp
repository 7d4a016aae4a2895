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

    /// Things of the largest bin.
    [[nodiscard]] std::int64_t each() const { return shown > 0 ? (count + shown - 1) / shown : 0; }
    [[nodiscard]] bool together() const { return shown < count; }
    /// Bin of a thing, and the first thing of a bin; first(shown) == count.
    [[nodiscard]] std::int32_t binOf(std::int64_t thing) const {
        return static_cast<std::int32_t>(thing * shown / (count > 0 ? count : 1));
    }
    [[nodiscard]] std::int64_t first(std::int32_t bin) const {
        return (bin * count + shown - 1) / (shown > 0 ? shown : 1);
    }
};

/// `count` things in at most `most` bins of 2, 4, 8, ... neighbours, as many algorithms group ranks: bins of 2 and 3 in
/// turn would show a pattern that ranks have not. Where `count` is no multiple of that, of nearly as many.
inline Bins evenBins(std::int64_t count, std::int64_t most) {
    std::int64_t each = 1;
    while (each * most < count) each *= 2;
    return {count, (count + each - 1) / each};
}

}  // namespace app::analysis
