// SPDX-License-Identifier: BSD-3-Clause
// Of an allreduce every element crosses between k groups of ranks at least 2 (k - 1) times: it takes so many messages,
// each from one group to another, until every group has heard of all others. Each of these messages leaves a group. So
//
//     time >= size 2 (k - 1) / sum over groups G of s(G)
//
// where s(G) is the speed over a minimum cut between the ranks in G and all others. s is submodular; the groups with
// the least sum of s(G) - t over all numbers of groups come from the greedy algorithm for Dilworth's truncation, one
// minimum cut a rank (Cunningham 1985; the argument for a tree of ranks: Patarasuk and Yuan 2009).
#include "emulation/bounds/bound_searches.hpp"
#include "emulation/bounds/max_flow.hpp"

#include <algorithm>
#include <map>

namespace emulation::bounds {
namespace {

constexpr std::int32_t mostRanks = 128;   // for the greedy algorithm
constexpr std::int32_t mostNodes = 8192;  // whose groups are looked at, one set of nodes each

/// The set of nodes of every group.
using Groups = std::vector<std::vector<bool>>;

std::optional<NetworkBound> boundOf(const Capacities& graph, double size, const Groups& groups) {
    if (groups.size() < 2) return std::nullopt;
    NetworkBound bound{.kind = NetworkBound::Kind::groups,
                       .bytes = 2 * static_cast<double>(groups.size() - 1) * size,
                       .groups = static_cast<std::int32_t>(groups.size())};
    bound.side.assign(engine::asSize(graph.nodes), -1);
    for (std::size_t group = 0; group < groups.size(); ++group) {
        for (std::size_t node = 0; node < bound.side.size(); ++node)
            if (groups[group][node]) bound.side[node] = static_cast<std::int32_t>(group);
        const std::vector<LinkId> links = graph.linksLeaving(groups[group]);
        for (const LinkId link : links) bound.speed += graph.edges[link.index()].speed;
        bound.links.insert(bound.links.end(), links.begin(), links.end());
    }
    std::sort(bound.links.begin(), bound.links.end());
    bound.links.erase(std::unique(bound.links.begin(), bound.links.end()), bound.links.end());
    if (bound.speed == Capacities::unlimited || bound.speed == 0) return std::nullopt;
    return bound;
}

/// The groups of a level that have ranks.
Groups groupsOf(const Capacities& graph, const std::vector<std::int32_t>& level) {
    std::map<std::int32_t, std::vector<bool>> groups;
    for (std::int32_t rank = 0; rank < graph.ranks; ++rank)
        groups.try_emplace(level[engine::asSize(rank)], engine::asSize(graph.nodes));
    for (std::size_t node = 0; node < level.size(); ++node)
        if (const auto group = groups.find(level[node]); group != groups.end()) group->second[node] = true;
    Groups all;
    for (auto& [leader, nodes] : groups) all.push_back(std::move(nodes));
    return all;
}

/// The greedy algorithm for one t.
class Strength {
public:
    explicit Strength(const Capacities& graph) : graph_{graph}, flow_{graph.nodes + 2} {
        double all = 0;
        for (const Capacities::Edge& edge : graph.edges)
            if (edge.speed != Capacities::unlimited) all += edge.speed;
        unlimited_ = 4 * all;
        for (const Capacities::Edge& edge : graph.edges)
            flow_.add(edge.from, edge.to, std::min(edge.speed, unlimited_));
        for (std::int32_t rank = 0; rank < graph.ranks; ++rank) {
            in_.push_back(flow_.add(graph.nodes, rank));
            out_.push_back(flow_.add(rank, graph.nodes + 1));
        }
    }

    /// Groups with the least sum of s(G) - t; fewer than two where no groups have a sum below that of all together.
    Groups groupsFor(double t, const Asked& asked) {
        std::vector<double> value(engine::asSize(graph_.ranks));  // of each rank, of the truncation
        std::vector<std::vector<std::int32_t>> groups;
        for (std::int32_t rank = 0; rank < graph_.ranks; ++rank) {
            asked.check();
            double rewards = 0;
            for (std::int32_t other = 0; other < graph_.ranks; ++other) {
                const double of = other < rank ? value[engine::asSize(other)] : 0;
                flow_.setCapacity(in_[engine::asSize(other)], other == rank ? unlimited_ : std::max(of, 0.0));
                flow_.setCapacity(out_[engine::asSize(other)], other > rank ? unlimited_ : std::max(-of, 0.0));
                rewards += std::max(of, 0.0);
            }
            const double cut = flow_.flow(graph_.nodes, graph_.nodes + 1);
            value[engine::asSize(rank)] = cut - rewards - t;
            const std::vector<bool> inside = flow_.sourceSide();
            join(groups, rank, inside);
        }
        Groups all;
        for (const std::vector<std::int32_t>& group : groups) all.push_back(nodesOf(group));
        return all;
    }

private:
    /// One group of `rank` and all groups that the set has ranks of.
    static void join(std::vector<std::vector<std::int32_t>>& groups, std::int32_t rank,
                     const std::vector<bool>& inside) {
        std::vector<std::int32_t> joined{rank};
        std::erase_if(groups, [&](const std::vector<std::int32_t>& group) {
            const bool meets =
                std::ranges::any_of(group, [&](std::int32_t other) { return inside[engine::asSize(other)]; });
            if (meets) joined.insert(joined.end(), group.begin(), group.end());
            return meets;
        });
        groups.push_back(std::move(joined));
    }

    /// The sending side of a minimum cut between the ranks of the group and all others.
    std::vector<bool> nodesOf(const std::vector<std::int32_t>& group) {
        for (std::int32_t rank = 0; rank < graph_.ranks; ++rank) {
            flow_.setCapacity(in_[engine::asSize(rank)], 0);
            flow_.setCapacity(out_[engine::asSize(rank)], unlimited_);
        }
        for (const std::int32_t rank : group) {
            flow_.setCapacity(in_[engine::asSize(rank)], unlimited_);
            flow_.setCapacity(out_[engine::asSize(rank)], 0);
        }
        flow_.flow(graph_.nodes, graph_.nodes + 1);
        std::vector<bool> side = flow_.sourceSide();
        side.resize(engine::asSize(graph_.nodes));
        return side;
    }

    const Capacities& graph_;
    double unlimited_ = 0;
    MaxFlow flow_;
    std::vector<std::int32_t> in_, out_;
};

}  // namespace

NetworkBound allGroups(const Asked& asked, NetworkBound best, bool all) {
    const double size = static_cast<double>(asked.demands.list().front().size);
    // What enters the groups is bound in the same way as what leaves them.
    for (const Capacities& graph : {asked.capacities, asked.capacities.reversed()}) {
        const auto take = [&](const Groups& groups) {
            const auto bound = boundOf(graph, size, groups);
            const bool better = bound && bound->bytes * best.speed > best.bytes * bound->speed * (1 + 1e-12);
            if (better) best = *bound;
            return better;
        };
        // Where groups bound no more than a cut, the bound stays a cut.
        for (const std::vector<std::int32_t>& level : graph.levels())
            if (level.size() <= engine::asSize(mostNodes)) take(groupsOf(graph, level));
        if (!all || graph.ranks > mostRanks || best.bytes == 0) continue;
        Strength strength{graph};
        while (take(strength.groupsFor(2 * size * best.speed / best.bytes, asked))) {
        }
    }
    return best;
}

}  // namespace emulation::bounds
