// SPDX-License-Identifier: BSD-3-Clause
// SMP nodes behind a core that is never in the way; ../smp_nodes.cpp draws them. Equally many ranks on each, or as
// listed: cluster:1,5,2,1,1,1.
#include "emulation/networks/smp_nodes.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <numeric>

namespace emulation::kinds::of_cluster {
namespace {

/// The nodes that are listed; nothing where one number stands for all.
std::vector<std::int32_t> listed(const Arguments& arguments, std::int32_t ranks) {
    std::vector<std::int32_t> sizes;
    if (arguments.sizes.size() < 2) return sizes;
    for (const std::string& size : arguments.sizes) sizes.push_back(arguments.number(size));
    const std::int64_t places = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
    if (places != ranks)
        throw engine::Error{engine::text(arguments.where, " has ", places, " places, but there are ", ranks,
                                         " ranks; the sizes of all nodes add up to them")};
    return sizes;
}

NetworkPtr make(std::string_view words, std::int32_t ranks) {
    const Arguments arguments =
        readArguments("cluster", words, atLeastOne, "cluster:32", {"inside", "between", "nics", "ports"});
    const std::vector<std::int32_t> sizes = listed(arguments, ranks);
    const std::int32_t perNode =
        sizes.empty() ? arguments.number(arguments.sizes[0]) : *std::ranges::max_element(sizes);
    NodeCosts costs = readNodeCosts(arguments, perNode);
    std::string name = "cluster:";
    for (const std::string& size : arguments.sizes) name += (name.back() == ':' ? "" : ",") + size;
    name += wordsOf(arguments, costs);
    costs.cards = std::min(costs.cards, ranks);
    return onNodes(std::move(name), sizes.empty() ? NodeSizes{std::min(perNode, ranks), ranks} : NodeSizes{sizes},
                   costs, nullptr);
}

}  // namespace

Topology topology() {
    return {.name = "cluster",
            .usage = "cluster:RANKS_PER_NODE",
            .meaning = "SMP nodes: memory within a node, shared network cards between nodes, each with its own speed",
            .make = make,
            .forRanks = [](std::int32_t ranks) { return engine::text("cluster:", balanced(ranks, 2).front()); }};
}

}  // namespace emulation::kinds::of_cluster
