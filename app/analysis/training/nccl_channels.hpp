// SPDX-License-Identifier: BSD-3-Clause
// Rings and trees in a debug log of NCCL: whether they include all ranks, and the network that they run on.
#pragma once

#include "traces/nccl/log.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace app::analysis::nccl {

/// Channels with the same ring.
struct Ring {
    std::vector<std::int32_t> channels;
    std::vector<std::int32_t> order;  ///< from rank 0
    bool whole = false;               ///< the log has all of it
};

/// Channels with the same tree.
struct Tree {
    std::vector<std::int32_t> channels;
    std::map<std::int32_t, traces::nccl::TreeNode> nodes;  ///< by rank
    std::int32_t root = traces::nccl::nobody;              ///< nobody: not exactly one
    std::int32_t depth = 0;                                ///< edges from the root to the farthest rank
};

/// A statement about rings or trees.
struct Check {
    enum class Result : std::uint8_t { holds, fails, unknown };

    Result result = Result::holds;
    std::string words;

    friend bool operator==(const Check&, const Check&) = default;
};

struct Channels {
    std::vector<Ring> rings;
    std::vector<Tree> trees;
    std::vector<Check> checks;
};

/// Checks that each ring passes each rank once, that each tree spans all ranks, and, where ranks are on several hosts,
/// that two trees are complementary: a host that forwards in one of them is a leaf of the other. Of an odd number of
/// hosts one host may forward in both (NCCL's double binary trees).
Channels channelsOf(const traces::nccl::Communicator& its);

/// As a DOT file for --topology graph:FILE: the topology of the hosts with its bandwidths, where it was logged; else
/// the pairs of ranks that rings and trees connect, without bandwidths. Throws Error where ranks are not connected.
std::string networkOf(const traces::nccl::Communicator& its);

/// As a file for --placement @FILE: rank r at the place of the r-th rank of the ring, so that a ring over ranks 0, 1,
/// ... runs like NCCL's. Throws Error where no ring is whole.
std::string placementOf(const traces::nccl::Communicator& its);

}  // namespace app::analysis::nccl
