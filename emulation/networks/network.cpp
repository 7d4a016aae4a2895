// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/networks/network.hpp"

#include "emulation/networks/rank_placement.hpp"
#include "emulation/networks/smp_nodes.hpp"
#include "emulation/networks/topology_arguments.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>

// Written by the build: #define EACH_TOPOLOGY(X) X(full) X(ring) ...
#include "topologies.inc"

namespace emulation {

namespace kinds {
#define DECLARE(file)        \
    namespace of_##file {    \
        Topology topology(); \
    }
EACH_TOPOLOGY(DECLARE)
#undef DECLARE
}  // namespace kinds

std::vector<std::int32_t> nodesOf(const Network& network) {
    std::vector<std::int32_t> nodes;
    if (network.shape().size() < 2) return nodes;
    for (Rank rank{0}; rank.value < network.ranks(); ++rank) nodes.push_back(network.rowOf(rank));
    return nodes;
}

std::string Network::linkName(LinkId link) const {
    const LinkEnds end = ends(link);
    return engine::text(nodeName(end.from), " -> ", nodeName(end.to));
}

std::string Network::nodeName(std::int32_t node) const {
    if (node < ranks()) return engine::text(node);
    return node < places() ? engine::text("free place ", placeOf(node)) : engine::text("switch ", node - places());
}

LinkQuality Network::least(LinkQuality ofModel) const {
    LinkQuality least = ofModel;
    for (LinkId link{0}; link.value < links(); ++link) {
        const engine::Rate beta = quality(link).value_or(ofModel).beta;
        least.beta = link.value == 0 ? beta : std::min(least.beta, beta);
    }
    return least;
}

std::span<const Topology> topologies() {
#define CALL(file) kinds::of_##file::topology(),
    static const std::vector<Topology> all{EACH_TOPOLOGY(CALL)};
#undef CALL
    return all;
}

namespace {

NetworkPtr makeKind(std::string_view specification, std::int32_t ranks) {
    const auto colon = specification.find(':');
    const std::string_view kind = specification.substr(0, colon);
    const std::string_view arguments = colon == std::string_view::npos ? "" : specification.substr(colon + 1);
    std::vector<std::string> names;
    for (const Topology& topology : topologies()) {
        if (topology.name == kind) {
            // One that needs sizes says so itself.
            if (colon != std::string_view::npos && arguments.empty() && topology.usage == kind)
                throw engine::Error{engine::text(engine::field::topology, " ", kind,
                                                 ": nothing follows its colon; write ", engine::field::topology, " ",
                                                 kind)};
            return topology.make(arguments, ranks);
        }
        names.push_back(topology.name);
    }
    const std::string hint = engine::didYouMean(kind, names);
    throw engine::Error{
        engine::text(engine::field::topology, ": unknown network '", kind, "'",
                     hint.empty() ? engine::text("; ", engine::listing::topologies, " lists them all") : hint)};
}

/// Where ",cores=6,ports=1" begins, by which a network has several ranks on each place; npos: it has not.
std::size_t coresIn(std::string_view specification) {
    constexpr std::string_view cores = "cores=";
    const auto at = specification.rfind(cores);
    if (at == std::string_view::npos || at == 0) return std::string_view::npos;
    return specification[at - 1] == ',' || specification[at - 1] == ':' ? at - 1 : std::string_view::npos;
}

/// `words`: "cores=6,inside=0.3us+0.1ns/B".
NetworkPtr withCores(std::string_view network, std::string_view words, std::int32_t ranks) {
    const std::string_view kind = network.substr(0, network.find(':'));
    if (kind == "cluster")
        throw engine::Error{
            engine::text(engine::field::topology, " cluster has its ranks on nodes already; leave cores= out")};
    const Arguments arguments = readArguments(network, words, 0, engine::text(network, ",cores=6"),
                                              {"cores", "inside", "between", "nics", "ports"});
    const std::int32_t cores = arguments.number(*arguments.option("cores"));
    const auto places = static_cast<std::int32_t>((static_cast<std::int64_t>(ranks) + cores - 1) / cores);
    NetworkPtr between = makeNetwork(network, places);  // of everyPlace again for everyPlace
    if (between == nullptr) return nullptr;
    if (ranks == everyPlace) {
        const std::int64_t all = static_cast<std::int64_t>(between->ranks()) * cores;
        requireLinks(engine::text(engine::field::topology, " ", network, ",cores=", cores), all);
        ranks = static_cast<std::int32_t>(all);
    }
    const std::int32_t perNode = std::min(cores, ranks);
    NodeCosts costs = readNodeCosts(arguments, cores);
    std::string name = between->name();
    name += engine::text(name.find(':') == std::string::npos ? ':' : ',', "cores=", cores, wordsOf(arguments, costs));
    costs.cards = std::min(costs.cards, perNode);
    // A network without links is a core that is never in the way.
    if (between->links() == 0) between = nullptr;
    return onNodes(std::move(name), NodeSizes{perNode, ranks}, costs, std::move(between));
}

}  // namespace

NetworkPtr makeNetwork(std::string_view specification, std::int32_t ranks) {
    if (const PlacedName name = placedNameFrom(specification); !name.placement.empty()) return placed(name, ranks);
    if (const auto at = coresIn(specification); at != std::string_view::npos)
        return withCores(specification.substr(0, at), specification.substr(at + 1), ranks);
    constexpr std::string_view link = "link=";
    const auto at = specification.rfind(link);
    if (at == std::string_view::npos || at == 0 || (specification[at - 1] != ',' && specification[at - 1] != ':'))
        return makeKind(specification, ranks);
    const std::string words{specification.substr(at + link.size())};
    const LinkQuality quality = readQuality(words, engine::text(engine::field::topology, ": link"));
    NetworkPtr network = makeKind(specification.substr(0, at - 1), ranks);
    return network == nullptr ? nullptr : withLinks(std::move(network), quality, words);
}

}  // namespace emulation
