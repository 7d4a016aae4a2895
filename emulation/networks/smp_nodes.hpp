// SPDX-License-Identifier: BSD-3-Clause
// Several ranks on a node: which ones, and the network that they make with what lies between the nodes.
#pragma once

#include "emulation/networks/topology_arguments.hpp"

#include <vector>

namespace emulation {

/// The ranks of every node, which follow each other: equally many, the last node perhaps fewer, or as listed.
class NodeSizes {
public:
    NodeSizes(std::int32_t perNode, std::int32_t ranks);
    /// Each at least 1.
    explicit NodeSizes(const std::vector<std::int32_t>& sizes);

    [[nodiscard]] std::int32_t nodes() const { return static_cast<std::int32_t>(first_.size()) - 1; }
    [[nodiscard]] std::int32_t largest() const { return largest_; }
    [[nodiscard]] std::int32_t of(std::int32_t rank) const {
        return perNode_ > 0 ? rank / perNode_ : nodeOf_[engine::asSize(rank)];
    }
    [[nodiscard]] std::int32_t first(std::int32_t node) const { return first_[engine::asSize(node)]; }
    [[nodiscard]] std::int32_t members(std::int32_t node) const { return first(node + 1) - first(node); }

private:
    std::int32_t perNode_ = 0;  // 0: as listed
    std::int32_t largest_ = 1;
    std::vector<std::int32_t> first_;   // of each node, and the end
    std::vector<std::int32_t> nodeOf_;  // by rank, where they are listed
};

/// What messages within and between nodes cost in place of the model's values, and what cards do.
struct NodeCosts {
    std::optional<LinkQuality> inside{};
    std::optional<LinkQuality> between{};
    /// Of a node. A rank sends and receives through card (its number in the node) mod cards.
    std::int32_t cards = 1;
    bool takeTurns = false;  ///< a card takes one message at a time each way; else messages share it
};

/// What the options inside, between, nics and ports of a network say, for `perNode` ranks on the largest node.
NodeCosts readNodeCosts(const Arguments& arguments, std::int32_t perNode);
/// As they are written: ",inside=0.3us+0.1ns/B,ports=1".
std::string wordsOf(const Arguments& arguments, const NodeCosts& costs);

/// Nodes whose cards lead into `between`, a network with a place for each of them; null: into a core that is never in
/// the way.
NetworkPtr onNodes(std::string name, NodeSizes sizes, NodeCosts costs, NetworkPtr between);

}  // namespace emulation
