// SPDX-License-Identifier: BSD-3-Clause
// A network as a graph with a capacity on every link.
#pragma once

#include "emulation/networks/network.hpp"
#include "emulation/perturbation.hpp"

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace emulation::bounds {

/// Nodes 0..ranks-1 are the ranks, the others switches.
struct Capacities {
    struct Edge {
        std::int32_t from = 0;
        std::int32_t to = 0;
        double speed = 0;  ///< bytes per femtosecond; infinite for a link that takes no time per byte

        friend bool operator==(const Edge&, const Edge&) = default;
    };

    Capacities() = default;
    /// `beta` holds for links without a quality of their own. Throws Error for a slow link that the network does not
    /// have.
    Capacities(const Network& network, engine::Rate beta, std::span<const SlowLink> slow = {});

    std::int32_t ranks = 0;
    std::int32_t nodes = 0;
    std::vector<Edge> edges;  ///< by LinkId

    static constexpr double unlimited = std::numeric_limits<double>::infinity();

    /// Bytes per femtosecond over all links that leave a group of nodes, and over those that enter it.
    struct Border {
        double leaving = 0;
        double entering = 0;
    };
    /// Of each of the groups 0 .. groups-1, where `groupOf` has that of each node.
    [[nodiscard]] std::vector<Border> borders(const std::vector<std::int32_t>& groupOf, std::int32_t groups) const;
    /// The links that leave the set of nodes.
    [[nodiscard]] std::vector<LinkId> linksLeaving(const std::vector<bool>& inside) const;
    /// The same with every link the other way round.
    [[nodiscard]] Capacities reversed() const;

    /// Groups of nodes that are worth a look as sides of a cut, from small to large: per level the group of each node,
    /// which is the least number of its nodes. First nodes joined by unlimited links, then those with the switches they
    /// are linked to, then with the next switches, and so on.
    [[nodiscard]] std::vector<std::vector<std::int32_t>> levels() const;

    friend bool operator==(const Capacities&, const Capacities&) = default;
};

}  // namespace emulation::bounds
