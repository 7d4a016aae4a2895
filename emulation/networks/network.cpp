// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/networks/network.hpp"

#include "emulation/networks/arguments.hpp"
#include "emulation/networks/placement.hpp"
#include "engine/error.hpp"
#include "engine/text.hpp"

#include <algorithm>

// Written by the build: #define EACH_TOPOLOGY(X) X(full) X(ring) ...
#include "topologies.inc"

namespace emulation {

namespace kinds {
#define DECLARE(function) Topology function();
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
    const auto node = [&](std::int32_t id) {
        return id < ranks() ? engine::text(id) : engine::text("switch ", id - ranks());
    };
    return engine::text(node(end.from), " -> ", node(end.to));
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
#define CALL(function) kinds::function(),
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
        if (topology.name == kind) return topology.make(arguments, ranks);
        names.push_back(topology.name);
    }
    const std::string hint = engine::didYouMean(kind, names);
    throw engine::Error{engine::text(engine::field::topology, ": unknown network '", kind, "'",
                                     hint.empty() ? "; 'collscope list topologies' names them all" : hint)};
}

}  // namespace

NetworkPtr makeNetwork(std::string_view specification, std::int32_t ranks) {
    if (const PlacedName name = placedNameFrom(specification); name.network != specification)
        return placed(makeNetwork(name.network, ranks), name.placement);
    constexpr std::string_view link = "link=";
    const auto at = specification.rfind(link);
    if (at == std::string_view::npos || at == 0 || (specification[at - 1] != ',' && specification[at - 1] != ':'))
        return makeKind(specification, ranks);
    const std::string words{specification.substr(at + link.size())};
    const LinkQuality quality = readQuality(words, engine::text(engine::field::topology, ": link"));
    return withLinks(makeKind(specification.substr(0, at - 1), ranks), quality, words);
}

}  // namespace emulation
