// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/bounds/startups.hpp"

#include "emulation/bounds/demands.hpp"

#include <algorithm>

namespace emulation::bounds {
namespace {

using engine::Picoseconds;

constexpr std::int64_t mostPairs = 1 << 16;
constexpr std::int64_t mostSteps = 1 << 24;

Picoseconds startupOf(const Network& network, Picoseconds alpha, Rank from, Rank to, std::vector<LinkId>& route) {
    Picoseconds startup = network.startup(from, to).value_or(alpha);
    route.clear();
    network.route(from, to, route);
    for (const LinkId link : route)
        if (const auto quality = network.quality(link)) startup += quality->latency;
    return startup;
}

/// Whether the network has startups or latencies of its own.
bool hasOwn(const Network& network) {
    if (network.ranks() > 1 && network.startup(Rank{0}, Rank{1})) return true;
    if (network.ranks() > 1 && network.startup(Rank{0}, Rank{network.ranks() - 1})) return true;
    for (LinkId link{0}; link.value < network.links(); ++link)
        if (const auto quality = network.quality(link); quality && quality->latency.count() > 0) return true;
    return false;
}

/// Whether `to` must have what `from` brings.
bool needs(const Demands& demands, Rank from, Rank to) {
    if (demands.isPersonal()) return demands.between(from, to) > 0;
    return std::ranges::any_of(demands.list(), [&](const Demand& demand) {
        switch (demand.kind) {
            case Demand::Kind::spread: return demand.bytes[from.index()] > 0 && demand.takes[to.index()];
            case Demand::Kind::collect: return demand.brings[from.index()] && demand.bytes[to.index()] > 0;
            case Demand::Kind::vector:
                return demand.size > 0 && demand.brings[from.index()] && demand.takes[to.index()];
            case Demand::Kind::chain: return demand.size > 0 && from < to;
        }
        return false;
    });
}

}  // namespace

Picoseconds startupAcross(const NetworkBound& bound, const Network& network, Picoseconds alpha) {
    const Picoseconds least = network.least({alpha, {}}).latency;
    const std::int64_t ranks = network.ranks();
    if (bound.kind == NetworkBound::Kind::distances || ranks * ranks > mostPairs || !hasOwn(network)) return least;
    std::optional<Picoseconds> across;
    std::vector<LinkId> route;
    for (Rank from{0}; from.value < ranks; ++from)
        for (Rank to{0}; to.value < ranks; ++to) {
            const std::int32_t here = bound.side[from.index()], there = bound.side[to.index()];
            if (here == there || (bound.kind == NetworkBound::Kind::cut && here == 0)) continue;
            const Picoseconds startup = startupOf(network, alpha, from, to, route);
            if (!across || startup < *across) across = startup;
        }
    return across.value_or(least);
}

std::optional<Farthest> farthest(const engine::Problem& problem, const Network& network, Picoseconds alpha) {
    const Demands demands{problem};
    const std::int64_t ranks = network.ranks();
    if (ranks != problem.ranks() || ranks * ranks > mostPairs || !hasOwn(network)) return std::nullopt;
    std::vector<Picoseconds> startup;
    std::vector<LinkId> route;
    for (Rank from{0}; from.value < ranks; ++from)
        for (Rank to{0}; to.value < ranks; ++to)
            startup.push_back(from == to ? Picoseconds{} : startupOf(network, alpha, from, to, route));
    std::optional<Farthest> most;
    std::int64_t steps = mostSteps;
    for (Rank from{0}; from.value < ranks && (steps -= ranks * ranks) > 0; ++from) {
        // Dijkstra's algorithm where everybody is everybody's neighbour.
        std::vector<Picoseconds> far(engine::asSize(ranks), Picoseconds::max());
        std::vector<bool> done(far.size());
        far[from.index()] = {};
        for (std::int64_t round = 0; round < ranks; ++round) {
            Rank next{-1};
            for (Rank rank{0}; rank.value < ranks; ++rank)
                if (!done[rank.index()] && (next.value < 0 || far[rank.index()] < far[next.index()])) next = rank;
            done[next.index()] = true;
            for (Rank rank{0}; rank.value < ranks; ++rank)
                far[rank.index()] =
                    std::min(far[rank.index()],
                             far[next.index()] + startup[next.index() * engine::asSize(ranks) + rank.index()]);
        }
        for (Rank to{0}; to.value < ranks; ++to)
            if (from != to && needs(demands, from, to) && (!most || far[to.index()] > most->time))
                most = {far[to.index()], from, to};
    }
    return most;
}

}  // namespace emulation::bounds
