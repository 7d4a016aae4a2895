// SPDX-License-Identifier: BSD-3-Clause
// Ranks folded to a power of two: neighbours 2i and 2i + 1 become one as long as there are too many.
//
//   p = 7, 4 places:   0 1 | 2 3 | 4 5 | 6        at the front: 1, 3, 5, 6
//
// A place stands for consecutive ranks, and places are in the order of ranks: what keeps the order of places keeps that
// of ranks.
#pragma once

#include "engine/base/types.hpp"

#include <bit>
#include <cstdint>

namespace engine::shapes {

/// Every answer is O(1).
class Folding {
public:
    constexpr explicit Folding(std::int32_t ranks)
        : places_{static_cast<std::int32_t>(std::bit_floor(static_cast<std::uint32_t>(ranks)))},
          pairs_{ranks - places_} {}

    [[nodiscard]] constexpr std::int32_t places() const { return places_; }
    /// Places that two ranks share.
    [[nodiscard]] constexpr std::int32_t pairs() const { return pairs_; }
    [[nodiscard]] constexpr bool paired(Rank rank) const { return rank.value < 2 * pairs_; }
    /// The other one of a pair.
    [[nodiscard]] constexpr Rank partner(Rank rank) const { return Rank{rank.value ^ 1}; }
    [[nodiscard]] constexpr std::int32_t placeOf(Rank rank) const {
        return paired(rank) ? rank.value / 2 : rank.value - pairs_;
    }
    /// The lowest rank of a place; `place` may be places(): the number of ranks.
    [[nodiscard]] constexpr std::int32_t first(std::int32_t place) const {
        return place < pairs_ ? 2 * place : place + pairs_;
    }
    /// The rank that acts for a place: of a pair the upper one, or the lower one.
    [[nodiscard]] constexpr Rank upper(std::int32_t place) const {
        return Rank{first(place) + (place < pairs_ ? 1 : 0)};
    }
    [[nodiscard]] constexpr Rank lower(std::int32_t place) const { return Rank{first(place)}; }

private:
    std::int32_t places_;
    std::int32_t pairs_;
};

}  // namespace engine::shapes
