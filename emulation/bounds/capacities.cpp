// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/bounds/capacities.hpp"

#include "emulation/clocks/route_costs.hpp"

#include <algorithm>
#include <numeric>

namespace emulation::bounds {
namespace {

/// Disjoint sets of nodes.
class Sets {
public:
    explicit Sets(std::int32_t nodes) : leader_(engine::asSize(nodes)) { std::iota(leader_.begin(), leader_.end(), 0); }
    std::int32_t of(std::int32_t node) {
        while (leader_[engine::asSize(node)] != node) {
            leader_[engine::asSize(node)] = leader_[engine::asSize(leader_[engine::asSize(node)])];
            node = leader_[engine::asSize(node)];
        }
        return node;
    }
    void join(std::int32_t a, std::int32_t b) {
        a = of(a), b = of(b);
        leader_[engine::asSize(std::max(a, b))] = std::min(a, b);
    }
    std::vector<std::int32_t> all() {
        std::vector<std::int32_t> leaders(leader_.size());
        for (std::size_t node = 0; node < leaders.size(); ++node) leaders[node] = of(static_cast<std::int32_t>(node));
        return leaders;
    }

private:
    std::vector<std::int32_t> leader_;
};

}  // namespace

Capacities::Capacities(const Network& network, engine::Rate beta, std::span<const SlowLink> slow)
    : ranks{network.ranks()}, nodes{network.ranks()} {
    edges.reserve(engine::asSize(network.links()));
    for (LinkId link{0}; link.value < network.links(); ++link) {
        const LinkEnds ends = network.ends(link);
        const auto quality = network.quality(link);
        const auto perByte = static_cast<double>((quality ? quality->beta : beta).femtosecondsPerByte);
        edges.push_back({ends.from, ends.to, perByte > 0 ? 1 / perByte : unlimited});
        nodes = std::max({nodes, ends.from + 1, ends.to + 1});
    }
    for (const SlowLink& one : slow)
        for (const LinkId link : linksOf(network, one))
            edges[link.index()].speed *= 1000.0 / static_cast<double>(one.factor.thousandths);
}

std::vector<Capacities::Border> Capacities::borders(const std::vector<std::int32_t>& groupOf,
                                                    std::int32_t groups) const {
    std::vector<Border> all(engine::asSize(groups));
    for (const Edge& edge : edges) {
        const std::int32_t from = groupOf[engine::asSize(edge.from)], to = groupOf[engine::asSize(edge.to)];
        if (from == to) continue;
        all[engine::asSize(from)].leaving += edge.speed;
        all[engine::asSize(to)].entering += edge.speed;
    }
    return all;
}

Capacities Capacities::reversed() const {
    Capacities other = *this;
    for (Edge& edge : other.edges) std::swap(edge.from, edge.to);
    return other;
}

std::vector<LinkId> Capacities::linksLeaving(const std::vector<bool>& inside) const {
    std::vector<LinkId> links;
    for (std::size_t i = 0; i < edges.size(); ++i)
        if (inside[engine::asSize(edges[i].from)] && !inside[engine::asSize(edges[i].to)])
            links.emplace_back(static_cast<std::int32_t>(i));
    return links;
}

std::vector<std::vector<std::int32_t>> Capacities::levels() const {
    Sets sets{nodes};
    for (const Edge& edge : edges)
        if (edge.speed == unlimited) sets.join(edge.from, edge.to);
    std::vector<std::vector<std::int32_t>> all{sets.all()};
    for (;;) {
        const std::vector<std::int32_t>& last = all.back();
        std::vector<bool> hasRanks(engine::asSize(nodes));
        for (std::int32_t rank = 0; rank < ranks; ++rank) hasRanks[engine::asSize(last[engine::asSize(rank)])] = true;
        bool joined = false;
        for (const Edge& edge : edges) {
            const std::int32_t from = last[engine::asSize(edge.from)], to = last[engine::asSize(edge.to)];
            if (from == to || (!hasRanks[engine::asSize(from)] && !hasRanks[engine::asSize(to)])) continue;
            sets.join(from, to);
            joined = true;
        }
        if (!joined) return all;
        all.push_back(sets.all());
    }
}

}  // namespace emulation::bounds
