// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/networks/ring_embedding.hpp"

#include "emulation/networks/grid_link_loads.hpp"
#include "emulation/networks/rank_placement.hpp"

#include <algorithm>
#include <numeric>

namespace emulation {
namespace {

constexpr std::size_t mostNodes = 4096;

/// The node of every rank, numbered as they first come.
std::vector<std::int32_t> numberedNodes(const Network& network) {
    std::vector<std::int32_t> nodes = nodesOf(network);
    if (nodes.empty()) {
        nodes.resize(engine::asSize(network.ranks()));
        std::iota(nodes.begin(), nodes.end(), 0);
        return nodes;
    }
    std::vector<std::int32_t> number(engine::asSize(*std::ranges::max_element(nodes)) + 1, -1);
    std::int32_t next = 0;
    for (std::int32_t& node : nodes) {
        if (number[engine::asSize(node)] < 0) number[engine::asSize(node)] = next++;
        node = number[engine::asSize(node)];
    }
    return nodes;
}

/// Numbers on the way, of nodes by the rank that stands for each.
std::vector<std::int32_t> alwaysToTheNearest(const Network& network, const std::vector<Rank>& nodes) {
    std::vector<std::int32_t> numbers(nodes.size(), -1);
    std::vector<LinkId> links;
    std::size_t at = 0;
    numbers[0] = 0;
    for (std::int32_t number = 1; engine::asSize(number) < nodes.size(); ++number) {
        std::size_t nearest = nodes.size();
        std::size_t hops = 0;
        for (std::size_t other = 0; other < nodes.size(); ++other) {
            if (numbers[other] >= 0) continue;
            links.clear();
            network.route(nodes[at], nodes[other], links);
            if (nearest < nodes.size() && links.size() >= hops) continue;
            nearest = other;
            hops = links.size();
        }
        numbers[nearest] = number;
        at = nearest;
    }
    return numbers;
}

}  // namespace

std::vector<std::int32_t> wayThrough(const Network& network) {
    std::vector<std::int32_t> way(engine::asSize(network.ranks()));
    if (network.lines() != nullptr) {
        const std::vector<std::int32_t> places = placesOf(network, "snake", network.ranks());
        for (std::size_t i = 0; i < places.size(); ++i) way[engine::asSize(places[i])] = static_cast<std::int32_t>(i);
        return way;
    }
    way = numberedNodes(network);
    std::vector<Rank> first;
    for (std::size_t rank = 0; rank < way.size(); ++rank)
        if (engine::asSize(way[rank]) == first.size()) first.emplace_back(static_cast<std::int32_t>(rank));
    if (network.links() == 0 || first.size() > mostNodes) return way;
    const std::vector<std::int32_t> numbers = alwaysToTheNearest(network, first);
    for (std::int32_t& node : way) node = numbers[engine::asSize(node)];
    return way;
}

}  // namespace emulation
