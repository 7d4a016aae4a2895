// SPDX-License-Identifier: BSD-3-Clause
// The part of a network in which bounds are searched.
#pragma once

#include "emulation/bounds/network_bound.hpp"

namespace emulation::bounds {

/// The whole network; or, where it has more than 4096 links and free places, and no more than 512 ranks, only the links
/// on routes between these. No message crosses any other link, so that bounds of this part hold for the network. Places
/// through which all messages go straight on are left out: one link stands for all those between two other places.
class Searched {
public:
    /// As Capacities.
    Searched(const Network& network, engine::Rate beta, std::span<const SlowLink> slow = {});

    [[nodiscard]] const Capacities& graph() const { return graph_; }
    /// A bound of graph(), with the nodes and links of the network. Nodes that no message reaches send nothing.
    [[nodiscard]] std::optional<NetworkBound> inNetwork(std::optional<NetworkBound> bound) const;

private:
    /// What an edge of the graph stands for.
    struct Chain {
        std::vector<std::int32_t> between;  ///< nodes of the network, in order
        LinkId slowest;
        std::size_t before = 0;  ///< how many of `between` stand before the slowest link
    };

    Capacities graph_;
    std::vector<Chain> chains_;        // by edge; none: the graph is the network
    std::vector<std::int32_t> nodes_;  // of the network, by node of the graph
};

}  // namespace emulation::bounds
