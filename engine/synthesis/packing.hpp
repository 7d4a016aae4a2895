// SPDX-License-Identifier: BSD-3-Clause
// Spanning trees that share the capacities of a network: they meet the bound that cuts set on spreading what ranks have
// to all ranks. After ForestColl (Zhao et al., arXiv:2402.06787), Edmonds' branchings and splitting-off of switches.
#pragma once

#include "engine/synthesis/cnf_formula.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace engine::synthesis {

/// What a network carries from node to node: ranks come first, then switches, which neither have nor need anything.
struct LaneGraph {
    struct Edge {
        std::int32_t from = 0;
        std::int32_t to = 0;
        std::int64_t width = 1;  ///< chunks in a round

        friend bool operator==(const Edge&, const Edge&) = default;
    };

    std::int32_t ranks = 1;
    std::int32_t nodes = 1;
    std::vector<Edge> edges{};
};

/// Every edge of `network` turned round.
LaneGraph reversed(LaneGraph network);

/// Chunks that must leave a set of nodes, and the width of the edges that leave it.
struct Cut {
    std::int64_t chunks = 0;
    std::int64_t width = 1;
};

/// The cut that takes longest, if rank r has weights[r] chunks that all ranks need. Throws Error where some rank cannot
/// be reached.
Cut heaviestCut(const LaneGraph& network, const std::vector<std::int64_t>& weights, const Poll& poll = {});

/// `count` trees from one rank to all others, each of which spreads one chunk.
struct Tree {
    std::int32_t root = 0;
    std::int64_t count = 0;
    std::vector<std::pair<std::int32_t, std::int32_t>> edges{};  ///< from rank to rank, those nearer to the root first
};

/// Trees for all chunks, which together load no edge with more than `rounds` times its width, rounded down.
struct Packing {
    double rounds = 0;
    std::vector<Tree> trees{};
};

/// The packing with the smallest load, which is that of `cut`, the heaviest one, where it divides the capacities, and
/// rounded up otherwise. Throws Error where switches have more ways in than out.
Packing packTrees(const LaneGraph& network, const std::vector<std::int64_t>& weights, const Cut& cut,
                  const Poll& poll = {});

/// The fewest equal parts of a contribution for which trees meet `cut`, the heaviest one for whole contributions.
std::int64_t partsOf(const LaneGraph& network, const Cut& cut);

}  // namespace engine::synthesis
