// SPDX-License-Identifier: BSD-3-Clause
// Networks drawn by others: nodes and edges of a GraphML or DOT file.
#pragma once

#include "emulation/networks/network.hpp"

namespace emulation {

/// What a file says, in its own order.
struct GraphFile {
    struct Node {
        std::string name;  ///< for errors
        std::string rank;  ///< attribute "rank", or empty
    };
    struct Edge {
        std::int32_t from = 0;  ///< index of a node
        std::int32_t to = 0;
        std::string latency;    ///< attribute "latency", or empty
        std::string bandwidth;  ///< attribute "bandwidth" or "capacity", or empty
    };

    std::vector<Node> nodes;  ///< GraphML: as they come; DOT: shorter names first, then by letters
    std::vector<Edge> edges;
    bool directed = false;
};

/// Reads `path`: GraphML where it ends in .graphml or .xml, DOT where it ends in .dot or .gv. `where` begins every
/// Error: a file that cannot be read, of more than 16 MiB or 500 levels, another ending, wrong syntax.
GraphFile readGraphFile(const std::string& path, const std::string& where);

}  // namespace emulation
