// SPDX-License-Identifier: BSD-3-Clause
#include "engine/synthesis/packing.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <optional>

namespace engine::synthesis {
namespace {

constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max() / 4;

/// Maximum flow by Dinic's algorithm.
class Flow {
public:
    explicit Flow(std::int32_t nodes) : next_(asSize(nodes)) {}

    void add(std::int32_t from, std::int32_t to, std::int64_t width) {
        if (width <= 0 || from == to) return;
        next_[asSize(from)].push_back(static_cast<std::int32_t>(arcs_.size()));
        arcs_.push_back({to, width});
        next_[asSize(to)].push_back(static_cast<std::int32_t>(arcs_.size()));
        arcs_.push_back({from, 0});
    }

    /// At most `enough`.
    std::int64_t from(std::int32_t source, std::int32_t sink, std::int64_t enough) {
        std::int64_t all = 0;
        while (all < enough && levels(source, sink)) {
            at_.assign(next_.size(), 0);
            while (all < enough)
                if (const std::int64_t more = push(source, sink, enough - all); more > 0) all += more;
                else break;
        }
        return all;
    }
    /// The source's side of a smallest cut, after a maximum flow.
    [[nodiscard]] std::vector<bool> side() const {
        std::vector<bool> side;
        for (const std::int32_t level : level_) side.push_back(level >= 0);
        return side;
    }

private:
    struct Arc {
        std::int32_t to = 0;
        std::int64_t left = 0;
    };

    bool levels(std::int32_t source, std::int32_t sink) {
        level_.assign(next_.size(), -1);
        level_[asSize(source)] = 0;
        std::vector<std::int32_t> reached{source};
        for (std::size_t i = 0; i < reached.size(); ++i)
            for (const std::int32_t arc : next_[asSize(reached[i])])
                if (const Arc& one = arcs_[asSize(arc)]; one.left > 0 && level_[asSize(one.to)] < 0) {
                    level_[asSize(one.to)] = level_[asSize(reached[i])] + 1;
                    reached.push_back(one.to);
                }
        return level_[asSize(sink)] >= 0;
    }
    std::int64_t push(std::int32_t node, std::int32_t sink, std::int64_t most) {
        if (node == sink) return most;
        for (std::size_t& at = at_[asSize(node)]; at < next_[asSize(node)].size(); ++at) {
            const std::int32_t arc = next_[asSize(node)][at];
            const Arc& one = arcs_[asSize(arc)];
            if (one.left <= 0 || level_[asSize(one.to)] != level_[asSize(node)] + 1) continue;
            const std::int64_t through = push(one.to, sink, std::min(most, one.left));
            if (through == 0) continue;
            arcs_[asSize(arc)].left -= through;
            arcs_[asSize(arc ^ 1)].left += through;
            return through;
        }
        return 0;
    }

    std::vector<std::vector<std::int32_t>> next_;
    std::vector<Arc> arcs_;
    std::vector<std::int32_t> level_;
    std::vector<std::size_t> at_;
};

/// Widths of edges by their ends.
using Widths = std::map<std::pair<std::int32_t, std::int32_t>, std::int64_t>;

/// A network with a source that gives each rank its chunks; the last node is the source.
Flow withSource(const LaneGraph& network, const Widths& widths, const std::vector<std::int64_t>& weights,
                std::int64_t times) {
    Flow flow{network.nodes + 1};
    for (const auto& [ends, width] : widths) flow.add(ends.first, ends.second, width);
    for (std::int32_t rank = 0; rank < network.ranks; ++rank)
        flow.add(network.nodes, rank, weights[asSize(rank)] * times);
    return flow;
}

Widths widthsOf(const LaneGraph& network, std::int64_t numerator, std::int64_t denominator) {
    Widths widths;
    for (const LaneGraph::Edge& edge : network.edges) widths[{edge.from, edge.to}] += edge.width;
    for (auto& [ends, width] : widths) width = width * numerator / denominator;
    return widths;
}

std::int64_t sumOf(const std::vector<std::int64_t>& weights) {
    return std::accumulate(weights.begin(), weights.end(), std::int64_t{0});
}

/// Whether all chunks can get to every rank.
bool suffices(const LaneGraph& network, const Widths& widths, const std::vector<std::int64_t>& weights,
              const Poll& poll) {
    const std::int64_t all = sumOf(weights);
    for (std::int32_t rank = 0; rank < network.ranks; ++rank) {
        if (poll) poll();
        if (withSource(network, widths, weights, 1).from(network.nodes, rank, all) < all) return false;
    }
    return true;
}

/// Replaces the ways through one switch by edges past it, without a cut between ranks becoming too small.
void splitOff(const LaneGraph& network, std::int32_t node, Widths& widths, const std::vector<std::int64_t>& weights,
              const Poll& poll) {
    const std::int64_t all = sumOf(weights);
    /// What can be taken from all cuts that have `inside` on the source's side and `outside` and a rank on the other.
    const auto spare = [&](const std::vector<std::int32_t>& inside, const std::vector<std::int32_t>& outside,
                           std::int64_t most) {
        for (std::int32_t rank = 0; rank < network.ranks && most > 0; ++rank) {
            if (std::find(inside.begin(), inside.end(), rank) != inside.end()) continue;
            if (poll) poll();
            Flow flow = withSource(network, widths, weights, 1);
            for (const std::int32_t one : inside) flow.add(network.nodes, one, unlimited);
            for (const std::int32_t one : outside) flow.add(one, rank, unlimited);
            most = std::min(most, flow.from(network.nodes, rank, all + most) - all);
        }
        return std::max<std::int64_t>(most, 0);
    };
    // A way back to where it came from is a loop, which only gives up capacity: those last.
    for (const bool loops : {false, true})
        for (std::int32_t to = 0; to < network.nodes; ++to)
            for (std::int32_t from = 0; from < network.nodes; ++from) {
                if ((from == to) != loops) continue;
                const auto in = widths.find({from, node});
                const auto out = widths.find({node, to});
                if (in == widths.end() || out == widths.end()) continue;
                std::int64_t most = std::min(in->second, out->second);
                if (most > 0) most = spare({from, to}, {node}, most);
                if (most > 0) most = spare({node}, {from, to}, most);
                if (most == 0) continue;
                in->second -= most;
                out->second -= most;
                if (!loops) widths[{from, to}] += most;
            }
    std::erase_if(widths, [&](const auto& one) { return one.first.first == node || one.first.second == node; });
}

/// Grows trees edge by edge; an edge is taken only as often as the other trees can do without it.
std::vector<Tree> grow(const LaneGraph& network, Widths left, const std::vector<std::int64_t>& weights,
                       const Poll& poll) {
    struct Growing {
        Tree tree;
        std::vector<bool> has;
        std::int32_t size = 1;
    };
    std::vector<Growing> all;
    for (std::int32_t rank = 0; rank < network.ranks; ++rank) {
        if (weights[asSize(rank)] == 0) continue;
        Growing one{.tree = {.root = rank, .count = weights[asSize(rank)]},
                    .has = std::vector<bool>(asSize(network.ranks))};
        one.has[asSize(rank)] = true;
        all.push_back(std::move(one));
    }
    /// How many of tree `own` may take the edge.
    const auto spare = [&](std::size_t own, std::pair<std::int32_t, std::int32_t> ends) {
        const std::int64_t most = std::min(left.at(ends), all[own].tree.count);
        if (most == 0) return most;
        if (poll) poll();
        Flow flow{network.ranks + static_cast<std::int32_t>(all.size())};
        for (const auto& [other, width] : left) flow.add(other.first, other.second, width);
        std::int64_t others = 0;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (i == own || all[i].size == network.ranks) continue;
            const auto node = network.ranks + static_cast<std::int32_t>(i);
            others += all[i].tree.count;
            flow.add(ends.first, node, all[i].tree.count);
            for (std::int32_t rank = 0; rank < network.ranks; ++rank)
                if (all[i].has[asSize(rank)]) flow.add(node, rank, unlimited);
        }
        return std::clamp<std::int64_t>(flow.from(ends.first, ends.second, others + most) - others, 0, most);
    };
    for (std::size_t i = 0; i < all.size(); ++i)
        while (all[i].size < network.ranks) {
            std::int64_t taken = 0;
            std::pair<std::int32_t, std::int32_t> ends;
            // From the nearest to the root on, so that trees stay flat.
            std::vector<std::int32_t> reached{all[i].tree.root};
            for (const auto& edge : all[i].tree.edges) reached.push_back(edge.second);
            for (std::size_t r = 0; r < reached.size() && taken == 0; ++r)
                for (std::int32_t to = 0; to < network.ranks && taken == 0; ++to) {
                    ends = {reached[r], to};
                    const auto edge = left.find(ends);
                    if (all[i].has[asSize(to)] || edge == left.end() || edge->second == 0) continue;
                    taken = spare(i, ends);
                }
            if (taken == 0) throw Error{"the trees do not fit into the network"};
            if (taken < all[i].tree.count) {  // the others of them go on without it
                all.push_back(all[i]);
                all.back().tree.count -= taken;
                all[i].tree.count = taken;
            }
            left[ends] -= taken;
            all[i].tree.edges.push_back(ends);
            all[i].has[asSize(ends.second)] = true;
            ++all[i].size;
        }
    std::vector<Tree> trees;
    for (Growing& one : all) trees.push_back(std::move(one.tree));
    return trees;
}

/// The trees for capacities that suffice; nothing where switches give too little on.
std::optional<std::vector<Tree>> treesIn(const LaneGraph& network, Widths widths,
                                         const std::vector<std::int64_t>& weights, const Poll& poll) {
    for (std::int32_t node = network.ranks; node < network.nodes; ++node)
        splitOff(network, node, widths, weights, poll);
    if (!suffices(network, widths, weights, poll)) return std::nullopt;
    return grow(network, std::move(widths), weights, poll);
}

}  // namespace

LaneGraph reversed(LaneGraph network) {
    for (LaneGraph::Edge& edge : network.edges) std::swap(edge.from, edge.to);
    return network;
}

Cut heaviestCut(const LaneGraph& network, const std::vector<std::int64_t>& weights, const Poll& poll) {
    const std::int64_t all = sumOf(weights);
    const auto ofSide = [&](const std::vector<bool>& side) {
        Cut cut{.chunks = 0, .width = 0};
        for (std::int32_t rank = 0; rank < network.ranks; ++rank)
            if (side[asSize(rank)]) cut.chunks += weights[asSize(rank)];
        for (const LaneGraph::Edge& edge : network.edges)
            if (side[asSize(edge.from)] && !side[asSize(edge.to)]) cut.width += edge.width;
        if (cut.width == 0 && cut.chunks > 0) throw Error{"some rank has no way to another one that needs its data"};
        return cut;
    };
    Cut most{.chunks = 0, .width = 1};
    for (std::int32_t rank = 0; rank < network.ranks; ++rank) {
        std::vector<bool> others(asSize(network.nodes), true);
        others[asSize(rank)] = false;
        const Cut cut = ofSide(others);
        if (cut.chunks * most.width > most.chunks * cut.width) most = cut;
    }
    // Newton's method: where a cut is smaller than it must be, its ratio is the next guess.
    while (most.chunks > 0) {
        std::optional<Cut> heavier;
        for (std::int32_t rank = 0; rank < network.ranks && !heavier; ++rank) {
            if (poll) poll();
            Flow flow = withSource(network, widthsOf(network, most.chunks, 1), weights, most.width);
            const std::int64_t needed = all * most.width;
            if (flow.from(network.nodes, rank, unlimited) >= needed) continue;
            heavier = ofSide(flow.side());
        }
        if (!heavier || heavier->chunks * most.width <= most.chunks * heavier->width) break;
        most = *heavier;
    }
    return most;
}

std::int64_t partsOf(const LaneGraph& network, const Cut& cut) {
    std::int64_t common = cut.width;
    for (const LaneGraph::Edge& edge : network.edges) common = std::gcd(common, edge.width * cut.chunks);
    return std::max<std::int64_t>(cut.width / std::max<std::int64_t>(common, 1), 1);
}

Packing packTrees(const LaneGraph& network, const std::vector<std::int64_t>& weights, const Cut& cut,
                  const Poll& poll) {
    if (cut.chunks == 0) return {};
    // The load is a number that fills some edge: the smallest of them that suffices.
    const std::int64_t whole = (cut.chunks + cut.width - 1) / cut.width;
    std::vector<std::pair<std::int64_t, std::int64_t>> loads;
    std::vector<std::int64_t> widths;
    for (const auto& [ends, width] : widthsOf(network, 1, 1)) widths.push_back(width);
    std::sort(widths.begin(), widths.end());
    widths.erase(std::unique(widths.begin(), widths.end()), widths.end());
    for (const std::int64_t width : widths)
        for (std::int64_t fill = (cut.chunks * width + cut.width - 1) / cut.width; fill < whole * width; ++fill)
            loads.emplace_back(fill, width);
    loads.emplace_back(whole, 1);
    std::sort(loads.begin(), loads.end(),
              [](const auto& a, const auto& b) { return a.first * b.second < b.first * a.second; });
    const auto fits = [&](const auto& load) {
        return suffices(network, widthsOf(network, load.first, load.second), weights, poll);
    };
    const auto first = std::partition_point(loads.begin(), loads.end(), [&](const auto& load) { return !fits(load); });
    if (first == loads.end()) throw Error{"the trees do not fit into the network"};
    for (const auto& load : {*first, loads.back()})
        if (auto trees = treesIn(network, widthsOf(network, load.first, load.second), weights, poll))
            return {static_cast<double>(load.first) / static_cast<double>(load.second), std::move(*trees)};
    throw Error{"some switch of the network has more ways in than out; use the method greedy"};
}

}  // namespace engine::synthesis
