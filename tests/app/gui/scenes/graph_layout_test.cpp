// SPDX-License-Identifier: BSD-3-Clause
// Networks that say nothing of their shape are drawn so that it is seen.
#include "app/gui/scenes/graph_layout/graph_layout.hpp"

#include "app/gui/scenes/graph_layout/stress_layout.hpp"
#include "app/gui/scenes/layout/layout.hpp"
#include "tests/app/gui/scenes/scenes_support.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace app::gui {
namespace {

std::vector<std::int32_t> inOrder(std::int32_t nodes) {
    std::vector<std::int32_t> places(static_cast<std::size_t>(nodes));
    std::iota(places.begin(), places.end(), 0);
    return places;
}

/// A rim of n, a star within that joins each node to the k-th next, and spokes between: Petersen's with 5 and 2.
Graph petersen(std::int32_t n, std::int32_t k) {
    std::vector<GraphEdge> edges;
    for (std::int32_t i = 0; i < n; ++i) {
        edges.emplace_back(i, (i + 1) % n);
        edges.emplace_back(i, n + i);
        edges.emplace_back(n + i, n + (i + k) % n);
    }
    return {2 * n, edges};
}

Graph cube() {
    std::vector<GraphEdge> edges;
    for (std::int32_t node = 0; node < 8; ++node)
        for (const std::int32_t bit : {1, 2, 4}) edges.emplace_back(node, node ^ bit);
    return {8, edges};
}

/// Each has two children, as long as there are nodes.
Graph tree(std::int32_t nodes) {
    std::vector<GraphEdge> edges;
    for (std::int32_t node = 1; node < nodes; ++node) edges.emplace_back((node - 1) / 2, node);
    return {nodes, edges};
}

Graph grid(std::int32_t side) {
    std::vector<GraphEdge> edges;
    for (std::int32_t i = 0; i < side * side; ++i) {
        if (i % side + 1 < side) edges.emplace_back(i, i + 1);
        if (i / side + 1 < side) edges.emplace_back(i, i + side);
    }
    return {side * side, edges};
}

/// The same graph, with its nodes numbered anyhow.
Graph shuffled(const Graph& graph, unsigned seed) {
    std::vector<std::int32_t> number = inOrder(graph.nodes());
    std::shuffle(number.begin(), number.end(), std::mt19937{seed});
    std::vector<GraphEdge> edges;
    for (const auto& [a, b] : graph.edges())
        edges.emplace_back(number[static_cast<std::size_t>(a)], number[static_cast<std::size_t>(b)]);
    return {graph.nodes(), edges};
}

std::vector<QPointF> spotsOf(const Graph& graph) {
    std::vector<QPointF> spots = drawn(graph, inOrder(graph.nodes())).spots;
    return spots.empty() ? onCircle(inOrder(graph.nodes())) : spots;
}

int crossingsOf(const Graph& graph) { return crossings(graph, spotsOf(graph)); }

/// On a circle, in order: 0-2 and 1-3 cross; a chord through a node counts, too.
TEST(GraphLayout, countsCrossingsByHand) {
    EXPECT_EQ(crossings({4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}}, onCircle(inOrder(4))), 0);
    EXPECT_EQ(crossings({4, {{0, 2}, {1, 3}}}, onCircle(inOrder(4))), 1);
    EXPECT_EQ(crossings({3, {{0, 2}}}, {{-1, 0}, {0, 0}, {1, 0}}), 1);
    // Of a hexagon all three long diagonals.
    EXPECT_EQ(crossings({6, {{0, 3}, {1, 4}, {2, 5}}}, onCircle(inOrder(6))), 3);
}

/// Of the star within, each chord meets 2 (k - 1) others: n (k - 1) in all. Cubes and trees need none.
TEST(GraphLayout, hasFewCrossingsWhateverTheNumbers) {
    struct Known {
        Graph graph;
        int most;
    };
    for (unsigned seed = 0; seed < 12; ++seed)
        for (const Known& known : {Known{petersen(5, 2), 5},
                                   {petersen(8, 3), 16},
                                   {petersen(5, 1), 0},
                                   {cube(), 0},
                                   {tree(15), 0},
                                   {tree(40), 0},
                                   {grid(3), 0},
                                   {grid(5), 0}}) {
            const Graph graph = seed == 0 ? known.graph : shuffled(known.graph, seed);
            EXPECT_LE(crossingsOf(graph), known.most) << graph.nodes() << " nodes, seed " << seed;
            EXPECT_LE(crossingsOf(graph), crossings(graph, onCircle(inOrder(graph.nodes()))));
        }
}

TEST(GraphLayout, showsTheTurnOfAGraph) {
    for (unsigned seed = 1; seed < 6; ++seed) {
        // Whatever the numbers, five lie on the rim and five on a smaller circle.
        const Graph graph = shuffled(petersen(5, 2), seed);
        int rim = 0;
        for (const QPointF& spot : spotsOf(graph)) rim += std::hypot(spot.x(), spot.y()) > 0.99 ? 1 : 0;
        EXPECT_EQ(rim, 5) << seed;
        // A ring whose ranks are numbered anyhow is a ring.
        std::vector<GraphEdge> ring;
        for (std::int32_t i = 0; i < 12; ++i) ring.emplace_back(i, (i + 1) % 12);
        EXPECT_EQ(crossingsOf(shuffled({12, ring}, seed)), 0) << seed;
    }
    EXPECT_TRUE(drawn({5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}}}, inOrder(5)).spots.empty()) << "it is the circle";
    // A wheel turns about its hub.
    const std::optional<Rotation> wheel =
        rotationOf({5, {{0, 2}, {1, 2}, {2, 3}, {2, 4}, {0, 1}, {1, 3}, {3, 4}, {4, 0}}}, 4);
    ASSERT_TRUE(wheel);
    EXPECT_EQ(wheel->hub, 2);
    EXPECT_FALSE(rotationOf(tree(7), 6)) << "its leaves and branches are not alike";
}

/// Three links at each node, drawn at random.
Graph cubic(std::int32_t nodes, unsigned seed) {
    std::mt19937 random{seed};
    std::vector<std::int32_t> pairs = inOrder(nodes);
    std::vector<GraphEdge> edges;
    for (int matching = 0; matching < 3; ++matching) {
        std::ranges::shuffle(pairs, random);
        for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) edges.emplace_back(pairs[i], pairs[i + 1]);
    }
    return {nodes, edges};
}

/// A turn takes links to links, slow and plain; returns how many turns there are.
int turnsIn(const Graph& graph) {
    int found = 0;
    for (std::int32_t order = 2; order <= graph.nodes(); ++order) {
        const std::optional<Rotation> rotation = rotationOf(graph, order);
        if (!rotation) continue;
        ++found;
        std::vector<std::int32_t> next = inOrder(graph.nodes());
        for (const std::vector<std::int32_t>& cycle : rotation->cycles) {
            EXPECT_EQ(cycle.size(), static_cast<std::size_t>(order));
            for (std::size_t i = 0; i < cycle.size(); ++i)
                next[static_cast<std::size_t>(cycle[i])] = cycle[(i + 1) % cycle.size()];
        }
        for (const auto& [a, b] : graph.edges())
            EXPECT_TRUE(graph.joined(next[static_cast<std::size_t>(a)], next[static_cast<std::size_t>(b)])) << order;
    }
    return found;
}

TEST(GraphLayout, findsTurnsThatAreOnes) {
    int found = 0;
    for (int repeat = 0; repeat < 60; ++repeat)
        found += turnsIn(shuffled(petersen(4 + repeat % 7, 1 + repeat % 3), static_cast<unsigned>(repeat)));
    EXPECT_GT(found, 60);
    for (unsigned seed = 0; seed < 200; ++seed) (void)turnsIn(cubic(4 + 2 * static_cast<std::int32_t>(seed % 4), seed));
}

TEST(GraphLayout, holdsNodesAsFarApartAsTheyAreInLinks) {
    const std::vector<QPointF> path = heldBySprings({5, {{3, 1}, {1, 4}, {4, 0}, {0, 2}}});
    const auto far = [](QPointF a, QPointF b) { return QLineF{a, b}.length(); };
    EXPECT_NEAR(far(path[3], path[1]), 1, 0.05);
    EXPECT_NEAR(far(path[3], path[2]), 4, 0.05);
    EXPECT_NEAR(far(path[1], path[2]), 3, 0.05);
    // A ring of four: sides s want 1, diagonals 2, a quarter as strongly. 4 (s - 1)^2 + 2/4 (sqrt(2) s - 2)^2 is least
    // where 10 s = 8 + 2 sqrt(2).
    const std::vector<QPointF> ring = heldBySprings({4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}});
    const double side = (4 + std::sqrt(2.0)) / 5;
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(far(ring[i], ring[(i + 1) % 4]), side, 0.01);
    EXPECT_TRUE(heldBySprings({4, {{0, 1}, {2, 3}}}).empty()) << "it falls apart";
}

TEST(GraphLayout, isTheSameEveryTimeAndKeepsNodesApart) {
    for (const Graph& graph : {petersen(7, 2), tree(31), grid(6), shuffled(petersen(12, 5), 3)}) {
        const GraphLayout one = drawn(graph, inOrder(graph.nodes()));
        EXPECT_EQ(one.spots, drawn(graph, inOrder(graph.nodes())).spots);
        for (std::size_t a = 0; a < one.spots.size(); ++a) {
            EXPECT_LE(std::max(std::abs(one.spots[a].x()), std::abs(one.spots[a].y())), 1.0001);
            for (std::size_t b = 0; b < a; ++b) {
                const QPointF apart = one.spots[a] - one.spots[b];
                EXPECT_TRUE(std::abs(apart.x()) >= one.apart.x() - 1e-9 ||
                            std::abs(apart.y()) >= one.apart.y() - 1e-9 ||
                            std::hypot(apart.x(), apart.y()) >= one.apart.x() - 1e-9)
                    << a << ' ' << b;
            }
        }
    }
}

TEST(GraphLayout, standsWhereTheNetworkIsDrawn) {
    const DrawableRun subject = subjectOf(wishFor("bcast/flat", 12, "kautz:2,3"));
    ASSERT_EQ(subject.blueprint().arrangement, NetworkShape::Arrangement::drawn);
    const QRectF area{0, 0, 420, 300};
    const NetworkLayout layout{subject, area};
    for (std::int32_t a = 0; a < 12; ++a) {
        EXPECT_TRUE(area.contains(layout.middleOf(a)));
        for (std::int32_t b = 0; b < a; ++b)
            EXPECT_GT(QLineF(layout.middleOf(a), layout.middleOf(b)).length(), 2 * layout.radius());
    }
}

}  // namespace
}  // namespace app::gui
