// SPDX-License-Identifier: BSD-3-Clause
// Trees meet the bound of the cuts, which all cuts say one by one; schedules along them, and greedy ones, are proved.
#include "engine/synthesis/packing.hpp"
#include "engine/base/error.hpp"
#include "engine/proof/verify.hpp"
#include "engine/synthesis/spreading.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <random>

namespace engine::synthesis {
namespace {

void join(LaneGraph& network, std::int32_t a, std::int32_t b, std::int64_t width) {
    network.edges.push_back({a, b, width});
    network.edges.push_back({b, a, width});
}

Packing packed(const LaneGraph& network, const std::vector<std::int64_t>& weights, const Poll& poll = {}) {
    return packTrees(network, weights, heaviestCut(network, weights, poll), poll);
}

/// Connected, and with as much into each node as out of it.
LaneGraph randomNetwork(std::mt19937& random, std::int32_t switches) {
    const auto number = [&](int low, int high) { return std::uniform_int_distribution{low, high}(random); };
    LaneGraph network{.ranks = number(2, 5)};
    network.nodes = network.ranks + switches;
    for (std::int32_t node = 1; node < network.nodes; ++node) join(network, number(0, node - 1), node, number(1, 4));
    for (int more = number(0, 4); more > 0; --more) {
        const std::int32_t a = number(0, network.nodes - 1);
        const std::int32_t b = number(0, network.nodes - 1);
        if (a != b) join(network, a, b, number(1, 4));
    }
    return network;
}

/// Over all sets of nodes that lack a rank.
Cut heaviestOfAll(const LaneGraph& network, const std::vector<std::int64_t>& weights) {
    Cut most{.chunks = 0, .width = 1};
    const std::uint32_t ranks = (1U << network.ranks) - 1;
    for (std::uint32_t set = 1; set < 1U << network.nodes; ++set) {
        if ((set & ranks) == ranks) continue;
        Cut cut{.chunks = 0, .width = 0};
        for (std::int32_t r = 0; r < network.ranks; ++r)
            if ((set >> r & 1) != 0) cut.chunks += weights[asSize(r)];
        for (const LaneGraph::Edge& edge : network.edges)
            if ((set >> edge.from & 1) != 0 && (set >> edge.to & 1) == 0) cut.width += edge.width;
        if (cut.chunks * most.width > most.chunks * cut.width) most = cut;
    }
    return most;
}

double ratio(const Cut& cut) { return static_cast<double>(cut.chunks) / static_cast<double>(cut.width); }

TEST(Packing, meetsTheBoundOfAllCuts) {
    std::mt19937 random{7};
    for (int i = 0; i < 300; ++i) {
        const LaneGraph network = randomNetwork(random, i % 3);
        const auto ranks = asSize(network.ranks);
        const std::int64_t parts = partsOf(network, heaviestCut(network, std::vector<std::int64_t>(ranks, 1)));
        const std::vector<std::int64_t> weights(ranks, parts);
        const double bound = ratio(heaviestOfAll(network, weights));
        ASSERT_DOUBLE_EQ(ratio(heaviestCut(network, weights)), bound) << i;
        const Packing packing = packed(network, weights);
        ASSERT_DOUBLE_EQ(packing.rounds, bound) << i;
        std::map<std::int32_t, std::int64_t> counts;
        std::map<std::pair<std::int32_t, std::int32_t>, std::int64_t> load;
        std::vector<std::int64_t> into(ranks);
        for (const Tree& tree : packing.trees) {
            counts[tree.root] += tree.count;
            std::vector<bool> reached(ranks);
            reached[asSize(tree.root)] = true;
            for (const auto& [from, to] : tree.edges) {
                ASSERT_TRUE(reached[asSize(from)] && !reached[asSize(to)]) << i;
                reached[asSize(to)] = true;
                load[{from, to}] += tree.count;
                into[asSize(to)] += tree.count;
            }
            ASSERT_EQ(tree.edges.size() + 1, ranks) << i;
        }
        for (std::int32_t r = 0; r < network.ranks; ++r) ASSERT_EQ(counts[r], parts) << i;
        std::map<std::pair<std::int32_t, std::int32_t>, std::int64_t> widths;
        std::vector<std::int64_t> widthInto(asSize(network.nodes));
        for (const LaneGraph::Edge& edge : network.edges) {
            widths[{edge.from, edge.to}] += edge.width;
            widthInto[asSize(edge.to)] += edge.width;
        }
        for (std::size_t r = 0; r < ranks; ++r)
            ASSERT_LE(static_cast<double>(into[r]), bound * static_cast<double>(widthInto[r]) + 1e-9) << i;
        for (const auto& [ends, chunks] : load) {
            if (network.nodes == network.ranks) {
                ASSERT_LE(static_cast<double>(chunks), bound * static_cast<double>(widths[ends]) + 1e-9) << i;
            }
        }
    }
}

// Edmonds: as many disjoint branchings from one root as the smallest flow from it to any other rank.
TEST(Packing, isOfOneRootWhereOthersHaveNothing) {
    std::mt19937 random{11};
    for (int i = 0; i < 100; ++i) {
        const LaneGraph network = randomNetwork(random, 0);
        std::vector<std::int64_t> weights(asSize(network.ranks));
        weights[0] = 5;
        const Packing packing = packed(network, weights);
        EXPECT_GE(packing.rounds + 1e-9, ratio(heaviestOfAll(network, weights)));
        EXPECT_LT(packing.rounds, ratio(heaviestOfAll(network, weights)) + 1) << i;
        for (const Tree& tree : packing.trees) EXPECT_EQ(tree.root, 0);
    }
}

TEST(Packing, refusesARankThatCannotBeReached) {
    LaneGraph network{.ranks = 3, .nodes = 3};
    join(network, 0, 1, 1);
    EXPECT_THROW(packed(network, {1, 1, 1}), Error);
}

/// A mesh of n x n ranks whose links carry one chunk a round.
struct Mesh {
    Fabric fabric{};
    LaneGraph graph{};

    explicit Mesh(std::int32_t n) {
        fabric.ranks = graph.ranks = graph.nodes = n * n;
        const auto add = [&](std::int32_t a, std::int32_t b) {
            for (const auto& [from, to] : {std::pair{a, b}, std::pair{b, a}}) {
                fabric.channels.push_back({from, to, {static_cast<std::int32_t>(fabric.lanes.size())}});
                fabric.lanes.push_back(1);
            }
            join(graph, a, b, 1);
        };
        for (std::int32_t y = 0; y < n; ++y)
            for (std::int32_t x = 0; x < n; ++x) {
                if (x + 1 < n) add(y * n + x, y * n + x + 1);
                if (y + 1 < n) add(y * n + x, (y + 1) * n + x);
            }
    }
};

Problem allgather(std::int32_t ranks) {
    Problem problem{.collective = Collective::allgatherv, .groupA = ranks};
    problem.layout = Layout::regular(ranks, 64);
    return problem;
}

void expectProved(const Fabric& fabric, const Problem& problem, const SearchProblem& question, const Found& found) {
    for (const std::int32_t rounds : roundsOf(fabric, found.sends, found.rounds)) EXPECT_EQ(rounds, 1);
    const schedules::Stored stored = storedOf(problem, question, found.rounds, found.sends);
    EXPECT_TRUE(verify(*scheduleOf(stored), stored.problem).proved);
}

// A corner receives 24 contributions through 2 links: 12 rounds.
TEST(Spreading, meetsTheBoundOfACornerOfAMesh) {
    const Mesh mesh{5};
    const Problem problem = allgather(25);
    const SearchProblem question = searchProblemOf(problem, 1);
    const auto found = greedily(mesh.fabric, question.chunks, 0, 100);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->rounds, 12);
    expectProved(mesh.fabric, problem, question, *found);
    EXPECT_FALSE(greedily(mesh.fabric, question.chunks, 0, 11));
}

// With more chunks, the rounds until trees are full weigh less.
TEST(Spreading, comesNearerToTheBoundAlongTreesWithMoreChunks) {
    const Mesh mesh{4};
    const Problem problem = allgather(16);
    for (const std::int32_t chunks : {2, 8}) {
        const SearchProblem question = searchProblemOf(problem, chunks);
        const Packing packing = packed(mesh.graph, std::vector<std::int64_t>(16, chunks));
        EXPECT_DOUBLE_EQ(packing.rounds, 7.5 * chunks);
        const std::optional<Found> found = alongTrees(mesh.fabric, question.chunks, packing.trees);
        ASSERT_TRUE(found);
        EXPECT_LE(found->rounds, 7.5 * chunks + 8);
        expectProved(mesh.fabric, problem, question, *found);
    }
}

// A tree that takes a way which no channel is: those of the channels alone do not.
TEST(Spreading, refusesTreesWithoutChannels) {
    const Mesh mesh{3};
    const SearchProblem question = searchProblemOf(allgather(9), 1);
    std::vector<Tree> trees;
    for (std::int32_t root = 0; root < 9; ++root) {
        trees.push_back({.root = root, .count = 1});
        for (std::int32_t to = 0; to < 9; ++to)
            if (to != root) trees.back().edges.emplace_back(root, to);
    }
    EXPECT_FALSE(alongTrees(mesh.fabric, question.chunks, trees));
    EXPECT_TRUE(
        alongTrees(mesh.fabric, question.chunks, packed(directOf(mesh.fabric), std::vector<std::int64_t>(9, 1)).trees));
}

// Each of them asks often enough to be stopped at once.
TEST(Spreading, isStopped) {
    struct Stopped {};
    const Mesh mesh{4};
    const std::vector<std::int64_t> weights(16, 1);
    const SearchProblem question = searchProblemOf(allgather(16), 1);
    const std::vector<Tree> trees = packed(mesh.graph, weights).trees;
    const Poll stop = [] { throw Stopped{}; };
    EXPECT_THROW(heaviestCut(mesh.graph, weights, stop), Stopped);
    EXPECT_THROW(alongTrees(mesh.fabric, question.chunks, trees, stop), Stopped);
    EXPECT_THROW(greedily(mesh.fabric, question.chunks, 0, 100, stop), Stopped);
    int asked = 0;
    packed(mesh.graph, weights, [&] { ++asked; });
    EXPECT_GT(asked, 100);
}

// A gather on a line: rank 0 receives all contributions through one link, which others relay.
TEST(Spreading, relaysWhatOthersNeed) {
    Fabric line{.ranks = 5};
    for (std::int32_t r = 0; r + 1 < 5; ++r)
        for (const auto& [from, to] : {std::pair{r, r + 1}, std::pair{r + 1, r}}) {
            line.channels.push_back({from, to, {static_cast<std::int32_t>(line.lanes.size())}});
            line.lanes.push_back(1);
        }
    Problem problem{.collective = Collective::gatherv, .groupA = 5};
    problem.layout = Layout::regular(5, 64);
    const SearchProblem question = searchProblemOf(problem, 1);
    const auto found = greedily(line, question.chunks, 0, 100);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->rounds, 4);
    expectProved(line, problem, question, *found);
}

}  // namespace
}  // namespace engine::synthesis
