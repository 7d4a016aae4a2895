// SPDX-License-Identifier: BSD-3-Clause
#include "engine/shapes/ring_order.hpp"

#include "engine/base/types.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <utility>

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

std::vector<std::int32_t> orderWithinNodes(const std::vector<std::int64_t>& blocks,
                                           const std::vector<std::int32_t>& nodes) {
    std::map<std::int32_t, std::int32_t> firstOf;  // rank of a node
    for (std::int32_t rank = 0; at(rank) < nodes.size(); ++rank) firstOf.emplace(nodes[at(rank)], rank);
    std::vector<std::int32_t> order = orderAsIs(blocks);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) {
        return std::pair{firstOf.at(nodes[at(a)]), blocks[at(a)] > 0} <
               std::pair{firstOf.at(nodes[at(b)]), blocks[at(b)] > 0};
    });
    return order;
}

std::vector<std::int32_t> orderAlong(const std::vector<std::int64_t>& blocks, const std::vector<std::int32_t>& way) {
    std::vector<std::int32_t> order = orderAsIs(blocks);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) {
        return std::pair{way[at(a)], blocks[at(a)] > 0} < std::pair{way[at(b)], blocks[at(b)] > 0};
    });
    return order;
}

}  // namespace engine::shapes
