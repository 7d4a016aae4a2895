// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/schedule/logical_topology.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>
#include <ranges>
#include <utility>

namespace app::analysis {
namespace {

constexpr std::int32_t fewestRanks = 4;
constexpr std::int32_t mostRanks = 1024;
constexpr std::size_t mostMessages = 200'000;
constexpr std::int32_t mostLevels = 12;

using Ranks = std::vector<std::int32_t>;

/// Somebody sends to somebody, first and last in these rounds.
struct Edge {
    std::int32_t from = 0;
    std::int32_t to = 0;
    std::int64_t first = 0;
    std::int64_t last = 0;
};

/// One for each pair, by sender and receiver.
std::vector<Edge> edgesOf(const engine::Run& run) {
    std::vector<Edge> edges;
    // Most ranks send to one receiver for a while: that is one edge already.
    std::vector<std::size_t> latest(static_cast<std::size_t>(run.ranks), run.messages.size());
    for (std::size_t i = 0; i < run.messages.size(); ++i) {
        const std::int64_t round = run.messages.round()[i].value;
        const std::int32_t to = run.messages.to()[i].value;
        std::size_t& last = latest[run.messages.from()[i].index()];
        if (last < edges.size() && edges[last].to == to) {
            edges[last].last = round;
            continue;
        }
        last = edges.size();
        edges.push_back({run.messages.from()[i].value, to, round, round});
    }
    std::erase_if(edges, [](const Edge& edge) { return edge.from == edge.to; });
    std::ranges::sort(edges, {}, [](const Edge& edge) { return std::pair{edge.from, edge.to}; });
    std::size_t kept = 0;
    for (const Edge& edge : edges) {
        if (kept > 0 && edges[kept - 1].from == edge.from && edges[kept - 1].to == edge.to) {
            edges[kept - 1].first = std::min(edges[kept - 1].first, edge.first);
            edges[kept - 1].last = std::max(edges[kept - 1].last, edge.last);
        } else {
            edges[kept++] = edge;
        }
    }
    edges.resize(kept);
    return edges;
}

/// Of each pair that sends both ways, who was first: children do, where results come back down a tree.
std::vector<Edge> firstWays(const std::vector<Edge>& edges) {
    const auto ends = [](const Edge& edge) { return std::pair{edge.from, edge.to}; };
    std::vector<Edge> first;
    for (const Edge& edge : edges) {
        const auto back = std::ranges::lower_bound(edges, std::pair{edge.to, edge.from}, {}, ends);
        const bool answered = back != edges.end() && ends(*back) == std::pair{edge.to, edge.from};
        if (!answered || std::pair{edge.first, edge.from} < std::pair{back->first, back->from}) first.push_back(edge);
    }
    return first;
}

/// How far below the root; nothing where the way up goes round in a circle.
std::optional<Ranks> depthsOf(const Ranks& parents) {
    Ranks depths(parents.size(), -1);
    for (std::size_t start = 0; start < parents.size(); ++start) {
        std::vector<std::size_t> way;
        std::int32_t at = static_cast<std::int32_t>(start);
        while (at >= 0 && depths[static_cast<std::size_t>(at)] < 0) {
            if (way.size() == parents.size()) return {};
            way.push_back(static_cast<std::size_t>(at));
            at = parents[static_cast<std::size_t>(at)];
        }
        std::int32_t depth = at < 0 ? -1 : depths[static_cast<std::size_t>(at)];
        for (std::size_t i = way.size(); i-- > 0;) depths[way[i]] = ++depth;
    }
    return depths;
}

/// Rounds as levels 1, 2, ...; the root's is 0.
Ranks levelsOf(const std::vector<std::int64_t>& rounds, const Ranks& parents) {
    std::vector<std::int64_t> distinct;
    for (std::size_t rank = 0; rank < rounds.size(); ++rank)
        if (parents[rank] >= 0) distinct.push_back(rounds[rank]);
    std::ranges::sort(distinct);
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    Ranks levels(rounds.size(), 0);
    for (std::size_t rank = 0; rank < rounds.size(); ++rank)
        if (parents[rank] >= 0)
            levels[rank] =
                1 + static_cast<std::int32_t>(std::ranges::lower_bound(distinct, rounds[rank]) - distinct.begin());
    return levels;
}

/// `upwards`: messages go from the leaves to the root.
std::optional<LogicalTopology> treeOf(const std::vector<Edge>& edges, std::int32_t ranks, bool upwards) {
    if (edges.size() + 1 != static_cast<std::size_t>(ranks)) return {};
    LogicalTopology found{.kind = LogicalTopology::Kind::tree, .parents = Ranks(static_cast<std::size_t>(ranks), -1)};
    std::vector<std::int64_t> rounds(found.parents.size());
    Ranks children(found.parents.size());
    for (const Edge& edge : edges) {
        const auto child = static_cast<std::size_t>(upwards ? edge.from : edge.to);
        const std::int32_t parent = upwards ? edge.to : edge.from;
        if (found.parents[child] >= 0) return {};
        found.parents[child] = parent;
        rounds[child] = upwards ? -edge.last : edge.first;
        ++children[static_cast<std::size_t>(parent)];
    }
    const std::optional<Ranks> depths = depthsOf(found.parents);
    if (!depths) return {};
    const std::int32_t depth = *std::ranges::max_element(*depths);
    // A star says more as a circle, and so does a chain.
    if (depth < 2 || std::ranges::max(children) < 2) return {};
    found.levels = levelsOf(rounds, found.parents);
    const bool falls =
        std::ranges::all_of(std::views::iota(std::size_t{0}, found.levels.size()), [&](std::size_t rank) {
            const std::int32_t parent = found.parents[rank];
            return parent < 0 || found.levels[rank] > found.levels[static_cast<std::size_t>(parent)];
        });
    if (falls && std::ranges::max(found.levels) <= mostLevels) return found;
    if (depth > mostLevels) return {};
    found.levels = *depths;
    return found;
}

std::optional<LogicalTopology> cubeOf(const std::vector<Edge>& edges, std::int32_t ranks) {
    if (!std::has_single_bit(static_cast<std::uint32_t>(ranks))) return {};
    std::vector<std::pair<std::int32_t, std::int32_t>> pairs;
    for (const Edge& edge : edges) {
        if (!std::has_single_bit(static_cast<std::uint32_t>(edge.from ^ edge.to))) return {};
        pairs.emplace_back(std::minmax(edge.from, edge.to));
    }
    std::ranges::sort(pairs);
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    const auto dimensions = static_cast<std::size_t>(std::countr_zero(static_cast<std::uint32_t>(ranks)));
    if (pairs.size() != static_cast<std::size_t>(ranks) / 2 * dimensions) return {};
    return LogicalTopology{.kind = LogicalTopology::Kind::cube};
}

/// Ranks that reach each other by messages of rounds from `first` to before `end`, numbered by their lowest ranks.
Ranks connectedIn(const engine::Run& run, engine::Round first, engine::Round end) {
    Ranks over(static_cast<std::size_t>(run.ranks));
    std::iota(over.begin(), over.end(), 0);
    const auto top = [&](std::int32_t rank) {
        while (over[static_cast<std::size_t>(rank)] != rank) {
            std::int32_t& above = over[static_cast<std::size_t>(rank)];
            above = over[static_cast<std::size_t>(above)];
            rank = above;
        }
        return rank;
    };
    for (std::size_t i = 0; i < run.messages.size(); ++i) {
        const engine::Round round = run.messages.round()[i];
        if (round < first || round >= end) continue;
        const auto [low, high] = std::minmax({top(run.messages.from()[i].value), top(run.messages.to()[i].value)});
        over[static_cast<std::size_t>(high)] = low;
    }
    Ranks groups(over.size());
    std::int32_t next = 0;
    for (std::int32_t rank = 0; rank < run.ranks; ++rank) {
        const std::int32_t lowest = top(rank);
        groups[static_cast<std::size_t>(rank)] = lowest == rank ? next++ : groups[static_cast<std::size_t>(lowest)];
    }
    return groups;
}

std::optional<LogicalTopology> groupsOf(const engine::Run& run, const std::vector<Edge>& edges) {
    for (const engine::Stage& stage : run.stages) {
        const Ranks groups = connectedIn(run, stage.first, stage.first + stage.rounds);
        const std::int32_t count = std::ranges::max(groups) + 1;
        if (count < 2 || count > run.ranks / 2) continue;
        LogicalTopology found{.kind = LogicalTopology::Kind::groups,
                              .groups = groups,
                              .leaders = Ranks(static_cast<std::size_t>(count), -1)};
        Ranks abroad(groups.size());
        for (const Edge& edge : edges) {
            const auto from = static_cast<std::size_t>(edge.from);
            const auto to = static_cast<std::size_t>(edge.to);
            if (groups[from] == groups[to]) continue;
            ++abroad[from];
            ++abroad[to];
        }
        for (std::size_t rank = 0; rank < groups.size(); ++rank) {
            std::int32_t& leader = found.leaders[static_cast<std::size_t>(groups[rank])];
            if (leader < 0 || abroad[rank] > abroad[static_cast<std::size_t>(leader)])
                leader = static_cast<std::int32_t>(rank);
        }
        return found;
    }
    return {};
}

}  // namespace

LogicalTopology formationOf(const engine::Run& run) {
    if (run.ranks < fewestRanks || run.ranks > mostRanks || run.messages.size() > mostMessages ||
        run.messages.size() != static_cast<std::size_t>(run.messageCount))
        return {};
    const std::vector<Edge> edges = edgesOf(run);
    if (std::optional<LogicalTopology> groups = groupsOf(run, edges)) return *std::move(groups);
    const std::vector<Edge> first = firstWays(edges);
    // All answer, or nobody does.
    if (first.size() == edges.size() || 2 * first.size() == edges.size())
        for (const bool upwards : {false, true})
            if (std::optional<LogicalTopology> tree = treeOf(first, run.ranks, upwards)) return *std::move(tree);
    return cubeOf(edges, run.ranks).value_or(LogicalTopology{});
}

}  // namespace app::analysis
