// SPDX-License-Identifier: BSD-3-Clause
// The shapes that broadcasts and reductions share: trees of neighbours, two trees at once, blocks on circulant graphs.
#include "engine/shapes/circulant.hpp"
#include "engine/shapes/double_tree.hpp"
#include "engine/shapes/in_order.hpp"
#include "engine/stages/rising_segments.hpp"

#include <gtest/gtest.h>

#include <set>

namespace engine {
namespace {

using shapes::SecondTree;

/// The first of the nodes below `top`, and it; every node of a run hangs there once.
std::int32_t firstBelow(const shapes::InOrderTree& tree, std::int32_t top) {
    std::int32_t next = top;  // the first of what is known to stand right before `top`
    for (const std::int32_t side : {1, 0})
        if (const std::int32_t child = tree.child(top, side); child >= 0) {
            EXPECT_EQ(child, next - 1);
            EXPECT_EQ(tree.parent(child), top);
            EXPECT_EQ(tree.arrival(child), tree.arrival(top) + 1 + side);
            next = firstBelow(tree, child);
        }
    return next;
}

TEST(InOrderTree, HangsRunsOfNeighboursRightBeforeANode) {
    for (std::int32_t count = 1; count <= 300; ++count) {
        const shapes::InOrderTree tree{count};
        EXPECT_EQ(firstBelow(tree, count - 1), 0) << count;
        EXPECT_EQ(tree.parent(count - 1), -1);
    }
    EXPECT_EQ(shapes::InOrderTree{7}.latest(), 4);
}

std::int32_t ceilLog2(std::int32_t n) {
    std::int32_t log = 0;
    while ((std::int64_t{1} << log) < n) ++log;
    return log;
}

TEST(DoubleTree, GivesEveryoneOneMessageAtATime) {
    for (const SecondTree second : {SecondTree::flattest, SecondTree::inOrder})
        for (std::int32_t nodes = 2; nodes <= 600; ++nodes) {
            const shapes::DoubleTree trees{nodes, second};
            std::int32_t edges = 0;
            for (std::int32_t v = 0; v < nodes; ++v) {
                std::set<std::int32_t> into;
                for (const std::int64_t colour : {0, 1}) {
                    if (const auto in = trees.receiveOf(v, colour); in.peer >= 0) {
                        EXPECT_EQ(trees.sendOf(in.peer, colour).peer, v);
                        EXPECT_EQ(trees.sendOf(in.peer, colour).tree, in.tree);
                        EXPECT_EQ(trees.arrival(v, in.tree) % 2, colour);
                        if (in.peer > 0) {
                            EXPECT_LT(trees.arrival(in.peer, in.tree), trees.arrival(v, in.tree));
                        }
                        into.insert(in.tree);
                    }
                    if (trees.sendOf(v, colour).peer >= 0) ++edges;
                }
                EXPECT_EQ(into.size(), v == 0 ? 0U : 2U) << nodes << " nodes, node " << v;
            }
            EXPECT_EQ(edges, 2 * (nodes - 1));
            EXPECT_LE(trees.latest(), 2 * ceilLog2(nodes) + (second == SecondTree::inOrder ? 1 : 0)) << nodes;
        }
}

/// What hangs below `v` in a tree, as the first and the last node; counts them.
std::pair<std::int32_t, std::int32_t> below(const shapes::DoubleTree& trees, std::int32_t v, std::int32_t tree,
                                            std::int32_t& count) {
    std::pair run{v, v};
    ++count;
    for (const std::int64_t colour : {0, 1})
        if (const auto out = trees.sendOf(v, colour); out.peer >= 0 && out.tree == tree) {
            const auto [first, last] = below(trees, out.peer, tree, count);
            EXPECT_TRUE(last < v || first > v);
            run = {std::min(run.first, first), std::max(run.second, last)};
        }
    return run;
}

TEST(DoubleTree, HangsRunsOfNeighboursBelowANodeWhereTheOrderIsKept) {
    for (std::int32_t nodes = 2; nodes <= 200; ++nodes) {
        const shapes::DoubleTree trees{nodes, SecondTree::inOrder};
        for (std::int32_t v = 1; v < nodes; ++v)
            for (const std::int32_t tree : {0, 1}) {
                std::int32_t count = 0;
                const auto [first, last] = below(trees, v, tree, count);
                EXPECT_EQ(last - first + 1, count) << nodes << " nodes, below " << v;
            }
    }
}

TEST(CirculantBlocks, PassOnOnlyWhatIsThereAndBringEveryBlockOnce) {
    for (std::int32_t nodes = 1; nodes <= 1100; ++nodes) {
        const shapes::CirculantBlocks graph{nodes};
        const std::int32_t q = graph.period();
        EXPECT_EQ(q, ceilLog2(nodes));
        for (std::int32_t r = 1; r < nodes; ++r) {
            std::set<std::int32_t> blocks;
            std::int32_t fresh = 0;
            for (std::int32_t round = 0; round < q; ++round) {
                const std::int32_t block = graph.received(r, round);
                blocks.insert((block + q) % q);
                fresh += block >= 0 ? 1 : 0;
                const std::int32_t from = (r - graph.distance(round) + nodes) % nodes;
                bool held = from == 0 && block == round;
                for (std::int32_t earlier = 0; earlier < q && from > 0; ++earlier) {
                    const std::int32_t there = graph.received(from, earlier);
                    held = held || (there == block && earlier < round) || there - q == block;
                }
                ASSERT_TRUE(held) << nodes << " nodes, node " << r << ", round " << round;
            }
            ASSERT_EQ(blocks.size(), asSize(q)) << nodes << " nodes, node " << r;
            ASSERT_EQ(fresh, 1) << nodes << " nodes, node " << r;
        }
    }
}

TEST(RisingSegments, CutsShorterPiecesFirst) {
    const stages::RisingSegments cut{{3, 14}, 4, 2};  // 11 units of 2 bytes: 2 3 3 3
    EXPECT_EQ(cut[0], (Range{6, 10}));
    EXPECT_EQ(cut[1], (Range{10, 16}));
    EXPECT_EQ(cut[3], (Range{22, 28}));
}

}  // namespace
}  // namespace engine
