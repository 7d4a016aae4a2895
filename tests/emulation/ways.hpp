// SPDX-License-Identifier: BSD-3-Clause
// Asking a network for its ways, for tests.
#pragma once

#include "emulation/networks/network.hpp"
#include "emulation/perturbation.hpp"
#include "engine/base/error.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace emulation {

inline std::vector<LinkId> way(const Network& network, int from, int to) {
    std::vector<LinkId> links;
    network.route(Rank{from}, Rank{to}, links);
    return links;
}

/// "0 -> 1; 1 -> 5; "
inline std::string path(const Network& network, int from, int to) {
    std::string words;
    for (const LinkId link : way(network, from, to)) words += network.linkName(link) + "; ";
    return words;
}

/// As people name the node in conditions.
inline NodeName nameOf(const Network& network, std::int32_t node) {
    if (node < network.ranks()) return {NodeName::Kind::rank, node};
    if (node < network.places()) return {NodeName::Kind::place, network.placeOf(node)};
    return {NodeName::Kind::networkSwitch, node - network.places()};
}

/// What makeNetwork says against it; empty when it does not object.
inline std::string refusal(const std::string& name, int ranks) {
    try {
        (void)makeNetwork(name, ranks);
    } catch (const engine::Error& error) {
        return error.what();
    }
    return "";
}

/// Hops from `from` to every node, found by walking all links; -1 where none lead.
inline std::vector<int> distances(const Network& network, int from) {
    std::vector<std::vector<int>> next;
    for (int link = 0; link < network.links(); ++link) {
        const LinkEnds ends = network.ends(LinkId{link});
        const auto nodes = static_cast<std::size_t>(std::max(ends.from, ends.to)) + 1;
        if (next.size() < nodes) next.resize(nodes);
        next[static_cast<std::size_t>(ends.from)].push_back(ends.to);
    }
    std::vector<int> far(std::max(next.size(), static_cast<std::size_t>(network.ranks())), -1);
    std::vector<int> open{from};
    far[static_cast<std::size_t>(from)] = 0;
    for (std::size_t i = 0; i < open.size(); ++i) {
        const auto at = static_cast<std::size_t>(open[i]);
        if (at >= next.size()) continue;
        for (const int node : next[at])
            if (far[static_cast<std::size_t>(node)] < 0) {
                far[static_cast<std::size_t>(node)] = far[at] + 1;
                open.push_back(node);
            }
    }
    return far;
}

}  // namespace emulation
