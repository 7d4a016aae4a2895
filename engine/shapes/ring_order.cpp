// SPDX-License-Identifier: BSD-3-Clause
#include "engine/shapes/ring_order.hpp"

#include "engine/types.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace engine::shapes {
namespace {

std::size_t at(std::int32_t rank) { return asSize(rank); }

}  // namespace

std::vector<std::int32_t> orderAsIs(const std::vector<std::int64_t>& blocks) {
    std::vector<std::int32_t> order(blocks.size());
    std::iota(order.begin(), order.end(), 0);
    return order;
}

std::vector<std::int32_t> orderEquidistant(const std::vector<std::int64_t>& blocks) {
    std::vector<std::int32_t> full = orderAsIs(blocks);
    const auto split = std::stable_partition(full.begin(), full.end(), [&](auto rank) { return blocks[at(rank)] > 0; });
    const std::vector<std::int32_t> empty(split, full.end());
    full.erase(split, full.end());
    if (full.empty()) return empty;

    std::vector<std::int32_t> busiest = full;
    std::stable_sort(busiest.begin(), busiest.end(), [&](auto a, auto b) { return blocks[at(a)] > blocks[at(b)]; });
    std::vector<std::size_t> gap(blocks.size(), empty.size() / full.size());
    for (std::size_t i = 0; i < empty.size() % full.size(); ++i) ++gap[at(busiest[i])];

    std::vector<std::int32_t> order;
    order.reserve(blocks.size());
    auto next = empty.begin();
    for (const std::int32_t rank : full) {
        const auto end = next + static_cast<std::ptrdiff_t>(gap[at(rank)]);
        order.insert(order.end(), next, end);
        order.push_back(rank);
        next = end;
    }
    return order;
}

std::vector<std::int32_t> orderWithinNodes(const std::vector<std::int64_t>& blocks, std::int64_t perNode) {
    std::vector<std::int32_t> order = orderAsIs(blocks);
    const auto ranks = static_cast<std::int64_t>(order.size());
    for (std::int64_t first = 0; first < ranks; first += perNode)
        std::stable_partition(order.begin() + first, order.begin() + std::min(first + perNode, ranks),
                              [&](auto rank) { return blocks[at(rank)] == 0; });
    return order;
}

}  // namespace engine::shapes
