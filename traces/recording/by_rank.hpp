// SPDX-License-Identifier: BSD-3-Clause
// Indices of things by the rank they belong to.
#pragma once

#include "engine/base/types.hpp"
#include "traces/storage/large_pages.hpp"

#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace traces {

/// Indices below 2^32, rank by rank, in their order: 4 bytes each.
class Grouped {
public:
    /// `rankOf`: by index, 0..ranks-1.
    Grouped(std::span<const engine::Rank> rankOf, std::int32_t ranks) : first_(engine::asSize(ranks) + 2) {
        indices_.resize(rankOf.size());
        for (const engine::Rank rank : rankOf) ++first_[rank.index() + 2];
        std::partial_sum(first_.begin(), first_.end(), first_.begin());
        for (std::uint32_t i = 0; i < rankOf.size(); ++i) indices_[first_[rankOf[i].index() + 1]++] = i;
    }

    /// Those of `rank`; whoever asks may put them into another order.
    [[nodiscard]] std::span<std::uint32_t> of(engine::Rank rank) {
        const auto at = rank.index();
        return std::span{indices_}.subspan(first_[at], first_[at + 1] - first_[at]);
    }

    [[nodiscard]] std::span<const std::uint32_t> of(engine::Rank rank) const {
        const auto at = rank.index();
        return std::span{indices_}.subspan(first_[at], first_[at + 1] - first_[at]);
    }

private:
    std::vector<std::size_t> first_;  ///< of the indices of a rank, and behind the last one
    std::vector<std::uint32_t, LargePageAllocator<std::uint32_t>> indices_;
};

}  // namespace traces
