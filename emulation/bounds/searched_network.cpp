// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/bounds/searched_network.hpp"

#include "emulation/clocks/route_costs.hpp"

#include <algorithm>
#include <unordered_map>

namespace emulation::bounds {
namespace {

constexpr std::int32_t mostLinksOfWhole = 4096;
constexpr std::int32_t mostRanksOfPart = 512;

bool isSearchedWhole(const Network& network) {
    return network.places() == network.ranks() || network.links() <= mostLinksOfWhole ||
           network.ranks() > mostRanksOfPart;
}

std::vector<LinkId> usedLinks(const Network& network) {
    std::vector<bool> seen(engine::asSize(network.links()));
    std::vector<LinkId> used, route;
    for (Rank from{0}; from.value < network.ranks(); ++from)
        for (Rank to{0}; to.value < network.ranks(); ++to) {
            route.clear();
            network.route(from, to, route);
            for (const LinkId link : route)
                if (!seen[link.index()]) {
                    seen[link.index()] = true;
                    used.push_back(link);
                }
        }
    std::ranges::sort(used);
    return used;
}

/// A link and its ends, nodes counted as they are found behind the ranks.
struct Hop {
    LinkId link;
    std::int32_t from = 0;
    std::int32_t to = 0;
    double speed = 0;
};

/// The links that enter and leave a node.
struct Around {
    std::vector<std::size_t> in, out;
};

/// The link by which everything goes on that has come by `hop`; nothing where its end is a rank or a crossing.
std::optional<std::size_t> nextOf(const Hop& hop, const std::vector<Hop>& hops, const std::vector<Around>& around,
                                  std::int32_t ranks) {
    const Around& here = around[engine::asSize(hop.to)];
    if (hop.to < ranks || here.in.size() != here.out.size() || here.in.size() > 2) return std::nullopt;
    const auto onward = [&](std::int32_t from) {
        std::optional<std::size_t> next;
        for (const std::size_t out : here.out)
            if (hops[out].to != from) next = next ? std::nullopt : std::optional{out};
        return next;
    };
    if (here.in.size() == 1) return onward(hop.from);
    const std::int32_t a = hops[here.in[0]].from, b = hops[here.in[1]].from;
    const std::optional<std::size_t> ofA = onward(a), ofB = onward(b);
    if (a == b || !ofA || !ofB || hops[*ofA].to != b || hops[*ofB].to != a) return std::nullopt;
    return hop.from == a ? ofA : ofB;
}

}  // namespace

Searched::Searched(const Network& network, engine::Rate beta, std::span<const SlowLink> slow)
    : graph_{isSearchedWhole(network) ? Capacities{network, beta, slow} : Capacities{}} {
    if (isSearchedWhole(network)) return;
    std::unordered_map<std::int32_t, double> factors;
    for (const SlowLink& one : slow)
        for (const LinkId link : linksOf(network, one))
            factors.try_emplace(link.value, 1).first->second *= 1000.0 / static_cast<double>(one.factor.thousandths);

    for (std::int32_t rank = 0; rank < network.ranks(); ++rank) nodes_.push_back(rank);
    std::unordered_map<std::int32_t, std::int32_t> numbers;
    std::vector<Around> around(nodes_.size());
    const auto numberOf = [&](std::int32_t node) {
        if (node < network.ranks()) return node;
        const auto [found, isNew] = numbers.try_emplace(node, static_cast<std::int32_t>(nodes_.size()));
        if (isNew) nodes_.push_back(node), around.emplace_back();
        return found->second;
    };
    std::vector<Hop> hops;
    for (const LinkId link : usedLinks(network)) {
        const LinkEnds ends = network.ends(link);
        const auto quality = network.quality(link);
        const auto perByte = static_cast<double>((quality ? quality->beta : beta).femtosecondsPerByte);
        double speed = perByte > 0 ? 1 / perByte : Capacities::unlimited;
        if (const auto factor = factors.find(link.value); factor != factors.end()) speed *= factor->second;
        const std::int32_t from = numberOf(ends.from), to = numberOf(ends.to);
        around[engine::asSize(from)].out.push_back(hops.size());
        around[engine::asSize(to)].in.push_back(hops.size());
        hops.push_back({link, from, to, speed});
    }

    std::vector<bool> isInner(nodes_.size());
    for (const Hop& hop : hops)
        if (nextOf(hop, hops, around, network.ranks())) isInner[engine::asSize(hop.to)] = true;
    const std::vector<std::int32_t> all = std::move(nodes_);
    std::vector<std::int32_t> number(all.size(), -1);
    nodes_.clear();
    for (std::size_t node = 0; node < all.size(); ++node)
        if (!isInner[node]) {
            number[node] = static_cast<std::int32_t>(nodes_.size());
            nodes_.push_back(all[node]);
        }
    graph_.ranks = network.ranks();
    graph_.nodes = static_cast<std::int32_t>(nodes_.size());
    for (const Hop& first : hops) {
        if (isInner[engine::asSize(first.from)]) continue;
        Chain chain{{}, first.link};
        const Hop* last = &first;
        double speed = first.speed;
        for (auto next = nextOf(first, hops, around, graph_.ranks); next;
             next = nextOf(*last, hops, around, graph_.ranks)) {
            chain.between.push_back(all[engine::asSize(last->to)]);
            last = &hops[*next];
            if (last->speed >= speed) continue;
            speed = last->speed;
            chain.slowest = last->link;
            chain.before = chain.between.size();
        }
        if (last->to == first.from) continue;
        graph_.edges.push_back({number[engine::asSize(first.from)], number[engine::asSize(last->to)], speed});
        chains_.push_back(std::move(chain));
    }
}

std::optional<NetworkBound> Searched::inNetwork(std::optional<NetworkBound> bound) const {
    if (!bound || chains_.empty()) return bound;
    for (LinkId& link : bound->links) link = chains_[link.index()].slowest;
    if (bound->side.empty()) return bound;
    const bool isCut = bound->kind == NetworkBound::Kind::cut;
    std::int32_t last = *std::ranges::max_element(nodes_);
    for (const Chain& chain : chains_)
        for (const std::int32_t node : chain.between) last = std::max(last, node);
    std::vector<std::int32_t> side(engine::asSize(last) + 1, isCut ? 0 : -1);
    for (std::size_t node = 0; node < nodes_.size(); ++node) side[engine::asSize(nodes_[node])] = bound->side[node];
    for (std::size_t edge = 0; edge < chains_.size(); ++edge) {
        const std::int32_t from = bound->side[engine::asSize(graph_.edges[edge].from)];
        const std::int32_t to = bound->side[engine::asSize(graph_.edges[edge].to)];
        const Chain& chain = chains_[edge];
        const std::size_t before = from == to ? chain.between.size() : isCut && from == 1 ? chain.before : 0;
        for (std::size_t i = 0; i < before; ++i) side[engine::asSize(chain.between[i])] = from;
    }
    bound->side = std::move(side);
    return bound;
}

}  // namespace emulation::bounds
