// SPDX-License-Identifier: BSD-3-Clause
// Bounds of alltoall, where each contribution has one receiver: a multicommodity flow. With a length l of every link,
//
//     time >= sum of bytes times least distance / sum of l times speed
//
// and the lengths with the largest quotient give the time of the best flow (duality of linear programming). Where the
// program is small it is solved; elsewhere lengths grow step by step on links that shortest ways use most. Where a cut
// bounds as much as lengths, the bound is reported as the cut.
#include "emulation/bounds/bound_searches.hpp"
#include "emulation/bounds/linear_program.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>

namespace emulation::bounds {
namespace {

constexpr double mostMeasured = 2e7;        // links looked at to measure all distances once
constexpr double mostStepping = 1e5;        // the same, where lengths grow step by step
constexpr double mostFlips = 4e6;           // steps to look at every node of a cut once
constexpr std::int64_t mostProgram = 2500;  // flows of the linear program: sources times links
constexpr int growths = 16;
constexpr double slack = 1 + 1e-9;

/// The network seen from its nodes.
struct Neighbours {
    explicit Neighbours(const Capacities& graph) : leaving(engine::asSize(graph.nodes)) {
        for (std::size_t link = 0; link < graph.edges.size(); ++link)
            leaving[engine::asSize(graph.edges[link].from)].push_back(link);
    }
    std::vector<std::vector<std::size_t>> leaving;  ///< links, by node
};

/// Shortest ways from one node.
struct Ways {
    std::vector<double> far;          ///< by node
    std::vector<std::size_t> by;      ///< by node: the last link of the way to it
    std::vector<std::int32_t> order;  ///< nodes from near to far
};

Ways waysFrom(std::int32_t source, const Capacities& graph, const Neighbours& neighbours,
              const std::vector<double>& length) {
    Ways ways{std::vector<double>(engine::asSize(graph.nodes), Capacities::unlimited),
              std::vector<std::size_t>(engine::asSize(graph.nodes)),
              {}};
    using Entry = std::pair<double, std::int32_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> next;
    ways.far[engine::asSize(source)] = 0;
    next.emplace(0, source);
    while (!next.empty()) {
        const auto [far, node] = next.top();
        next.pop();
        if (far > ways.far[engine::asSize(node)]) continue;
        ways.order.push_back(node);
        for (const std::size_t link : neighbours.leaving[engine::asSize(node)]) {
            const std::int32_t to = graph.edges[link].to;
            const double there = far + length[link];
            if (there >= ways.far[engine::asSize(to)]) continue;
            ways.far[engine::asSize(to)] = there;
            ways.by[engine::asSize(to)] = link;
            next.emplace(there, to);
        }
    }
    return ways;
}

class Distances {
public:
    explicit Distances(const Asked& asked) : asked_{asked}, graph_{asked.capacities}, neighbours_{graph_} {}

    /// The bound that the lengths give. `loads`: filled with the bytes that shortest ways bring over each link.
    NetworkBound boundOf(const std::vector<double>& length, std::vector<double>* loads = nullptr) {
        NetworkBound bound{.kind = NetworkBound::Kind::distances};
        const double longest = *std::max_element(length.begin(), length.end());
        if (longest <= 0) return noBound();
        if (loads != nullptr) loads->assign(length.size(), 0);
        // Where every rank sees the same lengths, and has as much for each, one of them stands for all.
        const bool alike = isSymmetric() && std::ranges::all_of(length, [&](double of) { return of == longest; });
        for (Rank from{0}; from.value < (alike ? 1 : graph_.ranks); ++from) {
            asked_.check();
            const Ways ways = waysFrom(from.value, graph_, neighbours_, length);
            std::vector<double> through(ways.far.size());
            for (Rank to{0}; to.value < graph_.ranks; ++to) {
                const auto bytes = static_cast<double>(asked_.demands.between(from, to));
                if (bytes == 0) continue;
                through[to.index()] = bytes;
                bound.bytes += bytes * ways.far[to.index()] / longest;
            }
            if (loads == nullptr) continue;
            for (std::size_t i = ways.order.size(); i-- > 1;) {
                const auto node = engine::asSize(ways.order[i]);
                if (through[node] == 0) continue;
                const std::size_t link = ways.by[node];
                (*loads)[link] += through[node];
                through[engine::asSize(graph_.edges[link].from)] += through[node];
            }
        }
        if (alike) bound.bytes *= graph_.ranks;
        for (std::size_t link = 0; link < length.size(); ++link) {
            if (length[link] <= 0) continue;
            bound.speed += graph_.edges[link].speed * length[link] / longest;
            bound.links.emplace_back(static_cast<std::int32_t>(link));
        }
        return std::isfinite(bound.bytes) && bound.bytes > 0 ? bound : noBound();
    }

    [[nodiscard]] bool isSymmetric() const {
        const auto kind = asked_.network.wiring().kind();
        return asked_.demands.isRegular() &&
               (kind == engine::Wiring::Kind::ring || kind == engine::Wiring::Kind::torus);
    }

    /// Length 1 for every link that takes time.
    [[nodiscard]] std::vector<double> hops() const {
        std::vector<double> length;
        for (const Capacities::Edge& edge : graph_.edges) length.push_back(edge.speed == Capacities::unlimited ? 0 : 1);
        return length;
    }
    /// The time of a byte.
    [[nodiscard]] std::vector<double> times() const {
        std::vector<double> length;
        for (const Capacities::Edge& edge : graph_.edges) length.push_back(1 / edge.speed);
        return length;
    }

private:
    const Asked& asked_;
    const Capacities& graph_;
    Neighbours neighbours_;
};

/// Moves single nodes to the other side as long as that makes the cut a better bound.
NetworkBound climb(const Asked& asked, NetworkBound best) {
    const Capacities& graph = asked.capacities;
    const double work = static_cast<double>(asked.demands.work()) + static_cast<double>(graph.edges.size());
    if (best.kind != NetworkBound::Kind::cut || best.bytes == 0 || work * graph.nodes > mostFlips) return best;
    for (bool better = true; better;) {
        better = false;
        asked.check();
        std::vector<bool> inside(best.side.begin(), best.side.end());
        for (std::size_t node = 0; node < inside.size(); ++node) {
            inside[node] = !inside[node];
            const auto bound = boundOfCut(asked, inside);
            const bool gains = bound && bound->bytes * best.speed > best.bytes * bound->speed * slack;
            if (gains) best = *bound;
            else inside[node] = !inside[node];
            better = better || gains;
        }
    }
    return best;
}

/// `best`, or a cut that bounds as much: of the nodes that are within some distance of a node.
NetworkBound asCut(const Asked& asked, NetworkBound best, const std::vector<double>& length) {
    const Capacities& graph = asked.capacities;
    const Neighbours neighbours{graph};
    for (std::int32_t source = 0; source < graph.ranks; ++source) {
        const Ways ways = waysFrom(source, graph, neighbours, length);
        std::vector<bool> inside(engine::asSize(graph.nodes));
        for (std::size_t i = 0; i + 1 < ways.order.size(); ++i) {
            inside[engine::asSize(ways.order[i])] = true;
            const double far = ways.far[engine::asSize(ways.order[i])];
            if (ways.far[engine::asSize(ways.order[i + 1])] <= far * slack) continue;
            const auto bound = boundOfCut(asked, inside);
            if (bound && bound->bytes * best.speed * slack >= best.bytes * bound->speed) return *bound;
        }
    }
    return best;
}

/// The program's lengths: of the flow that takes the least time.
std::vector<double> bestLengths(const Asked& asked) {
    const Capacities& graph = asked.capacities;
    double most = 0, fastest = 0;
    for (Rank from{0}; from.value < graph.ranks; ++from)
        for (Rank to{0}; to.value < graph.ranks; ++to)
            most = std::max(most, static_cast<double>(asked.demands.between(from, to)));
    for (const Capacities::Edge& edge : graph.edges)
        if (edge.speed != Capacities::unlimited) fastest = std::max(fastest, edge.speed);
    // Column 0 is the time; then the flow of each source over each link. A row for each source and other node: what
    // comes in and stays; then one for each link that takes time: its flows fit into the time.
    LinearProgram program;
    const std::int32_t time = program.addColumn(1);
    std::vector<std::vector<LinearProgram::Entry>> onLink(graph.edges.size());
    for (Rank from{0}; from.value < graph.ranks; ++from) {
        std::vector<std::vector<LinearProgram::Entry>> atNode(engine::asSize(graph.nodes));
        for (std::size_t link = 0; link < graph.edges.size(); ++link) {
            const std::int32_t flow = program.addColumn(0);
            onLink[link].push_back({flow, 1});
            atNode[engine::asSize(graph.edges[link].from)].push_back({flow, -1});
            atNode[engine::asSize(graph.edges[link].to)].push_back({flow, 1});
        }
        for (std::int32_t node = 0; node < graph.nodes; ++node) {
            if (node == from.value) continue;
            const double stays =
                node < graph.ranks ? static_cast<double>(asked.demands.between(from, Rank{node})) / most : 0;
            program.addRow(atNode[engine::asSize(node)], stays, stays);
        }
    }
    std::vector<std::int32_t> rows(graph.edges.size(), -1);
    for (std::size_t link = 0; link < graph.edges.size(); ++link) {
        if (graph.edges[link].speed == Capacities::unlimited) continue;
        onLink[link].push_back({time, -graph.edges[link].speed / fastest});
        rows[link] = program.addRow(onLink[link], -Capacities::unlimited, 0);
    }
    const std::vector<double> prices = program.prices();
    std::vector<double> length(graph.edges.size());
    for (std::size_t link = 0; link < length.size(); ++link)
        if (rows[link] >= 0 && !prices.empty()) length[link] = std::abs(prices[engine::asSize(rows[link])]);
    // What is left of rounding.
    const double longest = *std::max_element(length.begin(), length.end());
    for (double& of : length)
        if (of < longest * 1e-9) of = 0;
    return length;
}

}  // namespace

NetworkBound personalBounds(const Asked& asked, NetworkBound best) {
    best = climb(asked, std::move(best));
    Distances distances{asked};
    const Capacities& graph = asked.capacities;
    const auto links = static_cast<double>(graph.edges.size());
    const double work = distances.isSymmetric() ? links : links * graph.ranks;
    const auto take = [&](const NetworkBound& bound) {
        if (bound.bytes * best.speed > best.bytes * bound.speed * slack) best = bound;
    };
    if (work > mostMeasured) return best;
    take(distances.boundOf(distances.hops()));
    take(distances.boundOf(distances.times()));
    if (static_cast<std::int64_t>(graph.edges.size()) * graph.ranks <= mostProgram) {
        const std::vector<double> length = bestLengths(asked);
        take(distances.boundOf(length));
        return best.kind == NetworkBound::Kind::distances ? asCut(asked, std::move(best), length) : best;
    }
    if (work > mostStepping) return best;
    std::vector<double> length = distances.times();
    std::vector<double> loads;
    for (int i = 0; i < growths; ++i) {
        take(distances.boundOf(length, &loads));
        double most = 0;
        for (std::size_t link = 0; link < loads.size(); ++link)
            most = std::max(most, loads[link] / graph.edges[link].speed);
        if (most == 0) break;
        for (std::size_t link = 0; link < loads.size(); ++link)
            length[link] *= 1 + loads[link] / graph.edges[link].speed / most / (1 + 0.2 * i);
    }
    return best;
}

}  // namespace emulation::bounds
