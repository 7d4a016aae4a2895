// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/graph_layout/graph_layout.hpp"

#include "app/gui/scenes/graph_layout/stress_layout.hpp"

#include <QLineF>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace app::gui {
namespace {

// What is looked at within some milliseconds.
constexpr std::int32_t mostNodes = 160;
constexpr std::size_t mostEdges = 1024;
constexpr std::size_t mostCycles = 4;  // of a turn that is seen at first sight
constexpr std::size_t fewCycles = 2;   // which shows more of a graph than springs do
constexpr double innermost = 0.45;     // radius of the inner one of several cycles
constexpr double onALink = 0.1;        // of the least distance between nodes
constexpr double tooNear = 0.02;       // of two nodes

double cross(QPointF a, QPointF b) { return a.x() * b.y() - a.y() * b.x(); }

double distance(QPointF a, QPointF b) { return std::hypot(a.x() - b.x(), a.y() - b.y()); }

bool cut(QPointF a, QPointF b, QPointF c, QPointF d) {
    const auto apart = [](QPointF from, QPointF to, QPointF one, QPointF other) {
        return cross(to - from, one - from) * cross(to - from, other - from) < 0;
    };
    return apart(a, b, c, d) && apart(c, d, a, b);
}

double fromLine(QPointF at, QPointF from, QPointF to) {
    const QPointF way = to - from;
    const double along = QPointF::dotProduct(at - from, way) / QPointF::dotProduct(way, way);
    return distance(at, from + std::clamp(along, 0.0, 1.0) * way);
}

double leastDistance(const std::vector<QPointF>& spots) {
    double least = 2;
    for (std::size_t a = 0; a < spots.size(); ++a)
        for (std::size_t b = 0; b < a; ++b) least = std::min(least, distance(spots[a], spots[b]));
    return least;
}

QPointF towards(double place, std::size_t count) {
    const double angle = 2 * std::numbers::pi * place / static_cast<double>(count) - std::numbers::pi / 2;
    return {std::cos(angle), std::sin(angle)};
}

std::size_t indexOf(std::int32_t node) { return static_cast<std::size_t>(node); }

/// The middle of a tree: what is left when leaves are taken away again and again.
std::int32_t middleOf(const Graph& tree) {
    std::vector<std::size_t> degree;
    std::vector<std::int32_t> leaves;
    for (std::int32_t node = 0; node < tree.nodes(); ++node) {
        degree.push_back(tree.near(node).size());
        if (degree.back() <= 1) leaves.push_back(node);
    }
    std::int32_t last = 0;
    for (std::size_t next = 0; next < leaves.size(); ++next) {
        last = leaves[next];
        for (const std::int32_t other : tree.near(last))
            if (--degree[indexOf(other)] == 1) leaves.push_back(other);
    }
    return last;
}

/// In rows by how far they are from the middle, parents above the middle of their children; empty: no tree.
GraphLayout asTree(const Graph& graph) {
    const auto count = indexOf(graph.nodes());
    if (graph.edges().size() + 1 != count) return {};
    struct Node {
        std::int32_t parent = -1;
        int level = 0;
        double first = -1;  ///< slots of the children
        double last = -1;
    };
    std::vector<Node> nodes(count);
    const std::int32_t root = middleOf(graph);
    std::vector<std::int32_t> before;  // each behind its parent, subtree by subtree
    std::vector<std::int32_t> open{root};
    while (!open.empty()) {
        const std::int32_t node = open.back();
        open.pop_back();
        before.push_back(node);
        if (before.size() > count) return {};
        const std::vector<std::int32_t>& near = graph.near(node);
        for (auto other = near.rbegin(); other != near.rend(); ++other) {
            if (*other == nodes[indexOf(node)].parent) continue;
            nodes[indexOf(*other)] = {.parent = node, .level = nodes[indexOf(node)].level + 1};
            open.push_back(*other);
        }
    }
    if (before.size() != count) return {};
    double slots = 0;
    for (const std::int32_t node : before)
        if (node == root ? count == 1 : graph.near(node).size() == 1)
            nodes[indexOf(node)].first = nodes[indexOf(node)].last = slots++;
    int deepest = 0;
    for (auto node = before.rbegin(); node != before.rend(); ++node) {
        const Node& own = nodes[indexOf(*node)];
        deepest = std::max(deepest, own.level);
        if (own.parent < 0) continue;
        Node& above = nodes[indexOf(own.parent)];
        const double slot = (own.first + own.last) / 2;
        if (above.last < 0) above.last = slot;
        above.first = slot;
    }
    GraphLayout tree{
        .spots = {}, .apart = {2 / std::max(slots - 1, 1.0), 2.0 / std::max(deepest, 1)}, .stretches = true};
    for (const Node& node : nodes)
        tree.spots.emplace_back((node.first + node.last) / 2 * tree.apart.x() - 1, node.level * tree.apart.y() - 1);
    return tree;
}

/// Cycle within cycle, each turned so that its links are short.
std::vector<QPointF> turned(const Graph& graph, const Rotation& rotation, std::size_t outer) {
    std::vector<QPointF> spots(indexOf(graph.nodes()));
    std::vector<bool> placed(spots.size());
    if (rotation.hub) placed[indexOf(*rotation.hub)] = true;
    std::vector<std::vector<std::int32_t>> left = rotation.cycles;
    std::swap(left.front(), left[outer]);
    const std::size_t cycles = left.size();
    const auto order = left.front().size();
    const auto linksOf = [&](const std::vector<std::int32_t>& cycle) {
        return std::ranges::count_if(graph.near(cycle.front()), [&](std::int32_t one) { return placed[indexOf(one)]; });
    };
    for (std::size_t depth = 0; depth < cycles; ++depth) {
        // The next one has most links to those outside it.
        const auto next = depth == 0 ? left.begin() : std::ranges::max_element(left, {}, linksOf);
        const std::vector<std::int32_t> cycle = *next;
        left.erase(next);
        const double radius =
            cycles == 1 ? 1 : 1 - (1 - innermost) * static_cast<double>(depth) / static_cast<double>(cycles - 1);
        const auto lengthWith = [&](double turn) {
            double length = 0;
            for (const std::int32_t other : graph.near(cycle.front()))
                if (placed[indexOf(other)]) length += distance(radius * towards(turn, order), spots[indexOf(other)]);
            return length;
        };
        double best = 0;
        for (double turn = 0.5; depth > 0 && turn < static_cast<double>(order); turn += 0.5)
            if (lengthWith(turn) < lengthWith(best) - 1e-9) best = turn;
        for (std::size_t i = 0; i < order; ++i) {
            spots[indexOf(cycle[i])] = radius * towards(best + static_cast<double>(i), order);
            placed[indexOf(cycle[i])] = true;
        }
    }
    return spots;
}

/// In the middle, as large as -1 to 1 allows.
std::vector<QPointF> filling(std::vector<QPointF> spots) {
    if (spots.empty()) return spots;
    const auto [left, right] = std::ranges::minmax(spots, {}, &QPointF::x);
    const auto [top, bottom] = std::ranges::minmax(spots, {}, &QPointF::y);
    const QPointF middle{(left.x() + right.x()) / 2, (top.y() + bottom.y()) / 2};
    const double half = std::max({right.x() - left.x(), bottom.y() - top.y(), 1e-9}) / 2;
    for (QPointF& spot : spots) spot = (spot - middle) / half;
    return spots;
}

/// The drawing with the fewest crossings so far.
struct Best {
    std::vector<QPointF> spots;
    int crossings = 0;

    void offer(const Graph& graph, std::vector<QPointF> other) {
        if (other.empty() || leastDistance(other) < tooNear) return;
        const int its = gui::crossings(graph, other);
        if (its >= crossings) return;
        spots = std::move(other);
        crossings = its;
    }
};

void offerTurned(const Graph& graph, std::size_t leastCycles, std::size_t cycles, Best& best) {
    const std::int32_t least = std::max(graph.nodes() / static_cast<std::int32_t>(cycles), 3);
    const std::int32_t most = graph.nodes() / static_cast<std::int32_t>(leastCycles);
    for (std::int32_t order = most; order >= least; --order)
        if (const std::optional<Rotation> rotation = rotationOf(graph, order))
            for (std::size_t outer = 0; outer < rotation->cycles.size(); ++outer)
                best.offer(graph, turned(graph, *rotation, outer));
}

}  // namespace

std::vector<QPointF> onCircle(const std::vector<std::int32_t>& places) {
    std::vector<QPointF> spots;
    for (const std::int32_t place : places) spots.push_back(towards(place, places.size()));
    return spots;
}

int crossings(const Graph& graph, const std::vector<QPointF>& spots) {
    const std::vector<GraphEdge>& edges = graph.edges();
    const double near = onALink * leastDistance(spots);
    int found = 0;
    for (std::size_t i = 0; i < edges.size(); ++i) {
        const auto [a, b] = edges[i];
        for (std::size_t j = 0; j < i; ++j) {
            const auto [c, d] = edges[j];
            const bool meet = a == c || a == d || b == c || b == d;
            if (!meet && cut(spots[indexOf(a)], spots[indexOf(b)], spots[indexOf(c)], spots[indexOf(d)])) ++found;
        }
        for (std::int32_t node = 0; node < graph.nodes(); ++node)
            if (node != a && node != b && fromLine(spots[indexOf(node)], spots[indexOf(a)], spots[indexOf(b)]) < near)
                ++found;
    }
    return found;
}

GraphLayout drawn(const Graph& graph, const std::vector<std::int32_t>& circle) {
    if (graph.nodes() < 4 || graph.nodes() > mostNodes || graph.edges().size() > mostEdges) return {};
    const auto branches = [&](std::int32_t node) { return graph.near(node).size() > 2; };
    if (std::ranges::any_of(circle, branches))
        if (GraphLayout tree = asTree(graph); !tree.spots.empty()) return tree;
    Best best{{}, crossings(graph, onCircle(circle))};
    offerTurned(graph, 1, fewCycles, best);
    if (best.crossings > 0) {
        Best other = best;
        offerTurned(graph, fewCycles + 1, mostCycles, other);
        other.offer(graph, filling(heldBySprings(graph)));
        if (other.crossings == 0 || best.spots.empty()) best = std::move(other);
    }
    if (best.spots.empty()) return {};
    const double apart = leastDistance(best.spots);
    return {.spots = std::move(best.spots), .apart = {apart, apart}};
}

}  // namespace app::gui
