// SPDX-License-Identifier: BSD-3-Clause
// SMP nodes behind a core that is never in the way; ../smp_nodes.cpp draws them. Equally many ranks on each of as many
// nodes as there must be, or of 16: cluster:4, cluster:4x16. Or as listed: cluster:1,5,2,1,1,1.
#include "emulation/networks/smp_nodes.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <numeric>

namespace emulation::kinds::of_cluster {
namespace {

/// The nodes that are listed; nothing where one number stands for all.
std::vector<std::int32_t> listed(const Arguments& arguments, std::int32_t& ranks) {
    std::vector<std::int32_t> sizes;
    if (arguments.sizes.size() < 2) return sizes;
    for (const std::string& size : arguments.sizes) sizes.push_back(arguments.number(size));
    const std::int64_t places = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
    if (ranks != everyPlace && places != ranks)
        throw engine::Error{engine::text(arguments.where, " has ", places, " places, but there are ", ranks,
                                         " ranks; the sizes of all nodes add up to them")};
    ranks = requirePlaces(arguments.where, places, ranks, Fill::exactly, "");
    return sizes;
}

/// "4x16": 4 places on each of 16 nodes; nothing where their number is not given.
std::vector<int> counted(const Arguments& arguments, std::int32_t& ranks) {
    if (arguments.sizes.size() > 1 || arguments.sizes[0].find('x') == std::string::npos) return {};
    std::vector<int> sizes = engine::readDimensions(arguments.sizes[0], arguments.where);
    if (sizes.size() != 2)
        throw engine::Error{engine::text(arguments.where,
                                         ": a cluster has places on a node and nodes; write for example cluster:4x16")};
    ranks = requirePlaces(arguments.where, std::int64_t{sizes[0]} * sizes[1], ranks, Fill::atMost,
                          engine::text("cluster:", sizes[0], 'x', (ranks - 1) / sizes[0] + 1));
    return sizes;
}

NetworkPtr make(std::string_view words, std::int32_t ranks) {
    const Arguments arguments =
        readArguments("cluster", words, atLeastOne, "cluster:32", {"inside", "between", "nics", "ports"});
    const std::vector<std::int32_t> sizes = listed(arguments, ranks);
    const std::vector<int> count = counted(arguments, ranks);
    const std::int32_t perNode = !count.empty()  ? count[0]
                                 : sizes.empty() ? arguments.number(arguments.sizes[0])
                                                 : *std::ranges::max_element(sizes);
    if (ranks == everyPlace) return nullptr;
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
