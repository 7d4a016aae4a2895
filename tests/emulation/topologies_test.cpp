// SPDX-License-Identifier: BSD-3-Clause
// Each kind of network by its own numbers: links, diameters, rules of its routing, words of its refusals.
#include "emulation/networks/ring_embedding.hpp"
#include "emulation/networks/topology_arguments.hpp"
#include "tests/emulation/ways.hpp"

#include <gtest/gtest.h>

#include <set>

namespace emulation {
namespace {

int diameter(const Network& network) {
    std::size_t most = 0;
    for (int from = 0; from < network.ranks(); ++from)
        for (int to = 0; to < network.ranks(); ++to) most = std::max(most, way(network, from, to).size());
    return static_cast<int>(most);
}

TEST(RequirePlaces, namesWhatWouldFitWhereAnythingWould) {
    const auto refusal = [](const std::string& fitting) {
        try {
            requirePlaces("petersen", 10, 11, Fill::atMost, fitting);
        } catch (const engine::Error& error) {
            return std::string{error.what()};
        }
        return std::string{};
    };
    EXPECT_EQ(refusal("kautz:3,2"), "petersen has 10 places, but there are 11 ranks; kautz:3,2 would fit");
    EXPECT_EQ(refusal(""), "petersen has 10 places, but there are 11 ranks");
    EXPECT_NO_THROW(requirePlaces("petersen", 10, 9, Fill::atMost, ""));
}

TEST(Ring, takesTheShorterWayAndRisesOnTies) {
    const NetworkPtr ring = makeNetwork("ring", 6);
    EXPECT_EQ(path(*ring, 1, 2), "1 -> 2; ");
    EXPECT_EQ(path(*ring, 0, 5), "0 -> 5; ");
    EXPECT_EQ(path(*ring, 4, 1), "4 -> 5; 5 -> 0; 0 -> 1; ");
    EXPECT_EQ(path(*ring, 3, 3), "");
}

TEST(Topologies, takeNoColonWithNothingBehindIt) {
    for (const Topology& kind : topologies())
        EXPECT_THROW(makeNetwork(kind.name + ":", 16), engine::Error) << kind.name;
    EXPECT_EQ(refusal("ring:", 16), "topology ring: nothing follows its colon; write topology ring");
}

// Belts and snakes run along the lines of a grid: a quality of its links must not turn them another way.
TEST(Topologies, areTheSameNetworksWithAQualityOfTheirLinks) {
    for (const Topology& kind : topologies()) {
        const std::string plain = kind.forRanks != nullptr ? kind.forRanks(16) : std::string{};
        if (plain.empty()) continue;
        SCOPED_TRACE(plain);
        const NetworkPtr network = makeNetwork(plain, 16);
        NetworkPtr withQuality;
        try {
            withQuality =
                makeNetwork(plain + (plain.find(':') == std::string::npos ? ":" : ",") + "link=1us+2ns/B", 16);
        } catch (const engine::Error&) {
            continue;  // its links have their own, or it has none
        }
        EXPECT_EQ(network->lines() == nullptr, withQuality->lines() == nullptr);
        EXPECT_EQ(wayThrough(*network), wayThrough(*withQuality));
        EXPECT_EQ(network->shape(), withQuality->shape());
        for (int from = 0; from < 16; ++from)
            for (int to = 0; to < 16; ++to) EXPECT_EQ(path(*network, from, to), path(*withQuality, from, to));
    }
}

TEST(Torus, routesTheLastDimensionFirst) {
    const NetworkPtr torus = makeNetwork("torus:3x4", 12);
    EXPECT_EQ(path(*torus, 0, 6), "0 -> 1; 1 -> 2; 2 -> 6; ");
    EXPECT_EQ(path(*torus, 0, 11), "0 -> 3; 3 -> 11; ");
    EXPECT_EQ(torus->name(), "torus:3x4");
}

TEST(Torus, fallsFromTheMiddleToZeroWhenItBreaksTiesAsSimGridDoes) {
    const NetworkPtr rising = makeNetwork("torus:6,ties=rising", 6);
    const NetworkPtr simgrid = makeNetwork("torus:6,ties=simgrid", 6);
    EXPECT_EQ(rising->name(), "torus:6");
    EXPECT_EQ(path(*rising, 3, 0), "3 -> 4; 4 -> 5; 5 -> 0; ");
    EXPECT_EQ(path(*simgrid, 3, 0), "3 -> 2; 2 -> 1; 1 -> 0; ");
    for (int from = 0; from < 6; ++from)
        for (int to = 0; to < 6; ++to)
            if (from != 3 || to != 0) {
                EXPECT_EQ(path(*rising, from, to), path(*simgrid, from, to));
            }
}

TEST(Torus, namesAFittingSize) {
    EXPECT_EQ(refusal("torus:4x4", 21),
              "topology torus:4x4 has 16 places, but there are 21 ranks; torus:7x3 would fit");
    EXPECT_EQ(refusal("torus:4x4x2", 64),
              "topology torus:4x4x2 has 32 places, but there are 64 ranks; torus:4x4x4 would fit");
    EXPECT_EQ(refusal("torus", 16), "topology torus needs a size, such as torus:4x4");
    EXPECT_EQ(refusal("torus:4x-4", 16), "topology torus: -4 is too small; it must be at least 1");
    EXPECT_EQ(refusal("torus:4x4,ties=up", 16), "topology torus: ties=up is not known; it is rising or simgrid");
}

TEST(Mesh, doesNotClose) {
    const NetworkPtr mesh = makeNetwork("mesh:3x4", 12);
    EXPECT_EQ(path(*mesh, 0, 3), "0 -> 1; 1 -> 2; 2 -> 3; ");
    EXPECT_EQ(path(*mesh, 11, 4), "11 -> 10; 10 -> 9; 9 -> 8; 8 -> 4; ");
    EXPECT_EQ(mesh->links(), 2 * (3 * 3 + 2 * 4));
    EXPECT_EQ(diameter(*mesh), 5);
    EXPECT_FALSE(mesh->wiring().adjacent(Rank{3}, Rank{4}));  // a row ends between them
    EXPECT_EQ(refusal("mesh:3x4", 13), "topology mesh:3x4 has 12 places, but there are 13 ranks; mesh:13x1 would fit");
}

TEST(Hypercube, crossesTheLowestBitFirst) {
    const NetworkPtr cube = makeNetwork("hypercube:4", 16);
    EXPECT_EQ(path(*cube, 0, 11), "0 -> 1; 1 -> 3; 3 -> 11; ");
    EXPECT_EQ(path(*cube, 11, 0), "11 -> 10; 10 -> 8; 8 -> 0; ");
    EXPECT_EQ(cube->links(), 16 * 4);
    EXPECT_EQ(diameter(*cube), 4);
    EXPECT_EQ(refusal("hypercube:4", 32),
              "topology hypercube:4 has 16 places, but there are 32 ranks; hypercube:5 would fit");
    EXPECT_EQ(refusal("hypercube:4", 17),
              "topology hypercube:4 has 16 places, but there are 17 ranks; hypercube:5 with 32 ranks would fit");
}

TEST(FatTree, goesUpByDestinationAndDownTheOnlyWay) {
    const NetworkPtr tree = makeNetwork("fat-tree:4x3,up=1x2", 12);
    EXPECT_EQ(tree->links(), 2 * (12 + 3 * 2));
    EXPECT_EQ(path(*tree, 0, 3), "0 -> switch 0; switch 0 -> 3; ");
    EXPECT_EQ(path(*tree, 0, 6), "0 -> switch 0; switch 0 -> switch 3; switch 3 -> switch 1; switch 1 -> 6; ");
    EXPECT_EQ(path(*tree, 0, 7), "0 -> switch 0; switch 0 -> switch 4; switch 4 -> switch 1; switch 1 -> 7; ");
    EXPECT_EQ(path(*tree, 11, 0), "11 -> switch 2; switch 2 -> switch 3; switch 3 -> switch 0; switch 0 -> 0; ");
}

/// Levels of a fat tree, from the number of hops to the nearest rank.
std::vector<int> levelsOf(const Network& tree) {
    std::vector<int> level;
    for (int rank = 0; rank < tree.ranks(); ++rank) {
        const std::vector<int> far = distances(tree, rank);
        level.resize(far.size(), 1 << 30);
        for (std::size_t node = 0; node < far.size(); ++node)
            if (far[node] >= 0) level[node] = std::min(level[node], far[node]);
    }
    return level;
}

TEST(FatTree, neverTurnsUpAgain) {
    for (const auto& [name, ranks] : std::vector<std::pair<std::string, int>>{
             {"fat-tree:4x4x4,taper=2", 64}, {"fat-tree:3x2x2,up=2x3x2", 12}, {"fat-tree:2x2x2x2", 16}}) {
        const NetworkPtr tree = makeNetwork(name, ranks);
        const std::vector<int> level = levelsOf(*tree);
        for (int from = 0; from < ranks; ++from)
            for (int to = 0; to < ranks; ++to) {
                bool fell = false;
                for (const LinkId link : way(*tree, from, to)) {
                    const LinkEnds ends = tree->ends(link);
                    const int step =
                        level[static_cast<std::size_t>(ends.to)] - level[static_cast<std::size_t>(ends.from)];
                    ASSERT_EQ(std::abs(step), 1) << name;
                    ASSERT_FALSE(fell && step > 0) << name << ": " << path(*tree, from, to);
                    fell = step < 0;
                }
            }
    }
}

TEST(FatTree, hasAsManyLinksUpAsDownUnlessTapered) {
    EXPECT_EQ(makeNetwork("fat-tree:16x16", 256)->links(), 2 * (256 + 16 * 16));
    EXPECT_EQ(makeNetwork("fat-tree:16x16,taper=4", 256)->links(), 2 * (256 + 16 * 4));
    EXPECT_EQ(makeNetwork("fat-tree:16x16,taper=4", 256)->name(), "fat-tree:16x16,taper=4");
    EXPECT_EQ(makeNetwork("fat-tree:4x4x4", 64)->links(), 2 * (64 + 64 + 64));
    EXPECT_EQ(makeNetwork("fat-tree:4x4x4", 50)->links(), 2 * (50 + 64 + 64));
}

TEST(FatTree, spreadsAShiftOverAllTopSwitches) {
    // With full bisection the messages of a shift by one leaf switch never share a link upwards.
    const NetworkPtr tree = makeNetwork("fat-tree:8x8", 64);
    std::set<int> used;
    for (int from = 0; from < 64; ++from)
        for (const LinkId link : way(*tree, from, (from + 8) % 64)) EXPECT_TRUE(used.insert(link.value).second);
}

TEST(FatTree, refusesInSentences) {
    EXPECT_EQ(refusal("fat-tree:4x4", 17),
              "topology fat-tree:4x4 has 16 places, but there are 17 ranks; fat-tree:4x5 would fit");
    EXPECT_EQ(refusal("fat-tree:4x4,taper=3", 16),
              "topology fat-tree:4x4,taper=3: a switch with 4 links down cannot "
              "have 3 times fewer up; choose a taper that divides 4");
    EXPECT_EQ(refusal("fat-tree:4x4,up=1", 16), "topology fat-tree:4x4,up=1: up has 1 levels, but the tree has 2");
    EXPECT_EQ(refusal("fat-tree:4x4,up=1x4,taper=1", 16),
              "topology fat-tree:4x4,up=1x4,taper=1: up and taper set the same value; give one of them");
    EXPECT_EQ(refusal("fat-tree:65536x16384", 8),
              "topology fat-tree:65536x16384 has more than 2^31-1 links; choose a "
              "smaller network");
}

TEST(Dragonfly, takesOneHopInEachGroupAndOneBetween) {
    const NetworkPtr dragonfly = makeNetwork("dragonfly:9,4,2", 72);
    EXPECT_EQ(dragonfly->links(), 2 * 72 + 9 * 4 * 3 + 9 * 8);
    EXPECT_EQ(diameter(*dragonfly), 5);
    EXPECT_EQ(path(*dragonfly, 0, 1), "0 -> switch 0; switch 0 -> 1; ");
    EXPECT_EQ(path(*dragonfly, 0, 7), "0 -> switch 0; switch 0 -> switch 3; switch 3 -> 7; ");
    // Group 0 reaches group 2 from its router 1, which arrives at router 0 of group 2.
    EXPECT_EQ(path(*dragonfly, 0, 22),
              "0 -> switch 0; switch 0 -> switch 1; switch 1 -> switch 8; switch 8 -> switch 11; "
              "switch 11 -> 22; ");
}

TEST(Dragonfly, givesEveryRouterEquallyManyLinksToOtherGroups) {
    const NetworkPtr dragonfly = makeNetwork("dragonfly:9,4,2", 72);
    std::vector<int> global(36);
    for (int link = 2 * 72 + 9 * 4 * 3; link < dragonfly->links(); ++link)
        ++global[static_cast<std::size_t>(dragonfly->ends(LinkId{link}).from - 72)];
    EXPECT_EQ(global, std::vector<int>(36, 2));
}

TEST(Dragonfly, walksRowsFirstInGroupsOfRows) {
    const NetworkPtr dragonfly = makeNetwork("dragonfly:2,3x4,1", 24);
    EXPECT_EQ(dragonfly->links(), 2 * 24 + 24 * 3 + 24 * 2 + 2);
    EXPECT_EQ(path(*dragonfly, 1, 11), "1 -> switch 1; switch 1 -> switch 3; switch 3 -> switch 11; switch 11 -> 11; ");
    for (int from = 0; from < 24; ++from)
        for (int to = 0; to < 24; ++to) {
            int at = from;
            for (const LinkId link : way(*dragonfly, from, to)) {
                ASSERT_EQ(dragonfly->ends(link).from, at) << path(*dragonfly, from, to);
                at = dragonfly->ends(link).to;
            }
            ASSERT_EQ(at, to);
        }
}

TEST(Dragonfly, losesTheChassisWhenItRoutesAsSimGridDoes) {
    const NetworkPtr dragonfly = makeNetwork("dragonfly:4,4x4,4,routing=simgrid", 256);
    EXPECT_EQ(dragonfly->name(), "dragonfly:4,4x4,4,routing=simgrid");
    // Within chassis 1 a hop too many, from there to chassis 0 one too few; chassis 0 is right.
    EXPECT_EQ(path(*dragonfly, 16, 20), "16 -> switch 4; switch 4 -> switch 5; switch 1 -> switch 5; switch 5 -> 20; ");
    EXPECT_EQ(path(*dragonfly, 16, 4), "16 -> switch 4; switch 4 -> switch 5; switch 1 -> 4; ");
    EXPECT_EQ(path(*dragonfly, 0, 20), "0 -> switch 0; switch 0 -> switch 1; switch 1 -> switch 5; switch 5 -> 20; ");
    EXPECT_EQ(path(*dragonfly, 60, 64),
              "60 -> switch 15; switch 15 -> switch 13; switch 13 -> switch 1; "
              "switch 1 -> switch 16; switch 16 -> 64; ");
}

TEST(Dragonfly, refusesInSentences) {
    EXPECT_EQ(refusal("dragonfly:2,4,2", 17),
              "topology dragonfly:2,4,2 has 16 places, but there are 17 ranks; dragonfly:3,4,2 would fit");
    EXPECT_EQ(refusal("dragonfly:4,2", 8), "topology dragonfly needs 3 numbers, such as dragonfly:9,4,2; '4,2' has 2");
    EXPECT_EQ(refusal("dragonfly:4,2x2x2,2", 8),
              "topology dragonfly:4,2x2x2,2: a group is R routers or CxB routers in C chassis");
    EXPECT_EQ(
        refusal("dragonfly:5,4,1,routing=simgrid", 8),
        "topology dragonfly:5,4,1,routing=simgrid: SimGrid joins at most as many groups as a chassis has routers; "
        "give at least 5 routers");
    EXPECT_EQ(refusal("dragonfly:2,4,2,routing=valiant", 8),
              "topology dragonfly:2,4,2,routing=valiant: routing=valiant is not known; it is minimal or simgrid");
}

TEST(Kautz, dropsTheFirstLetterAndTakesANewLastOne) {
    const NetworkPtr kautz = makeNetwork("kautz:2,2", 6);  // 01 02 10 12 20 21
    EXPECT_EQ(path(*kautz, 0, 2), "0 -> 2; ");
    EXPECT_EQ(path(*kautz, 0, 3), "0 -> 3; ");
    EXPECT_EQ(path(*kautz, 2, 0), "2 -> 0; ");
    EXPECT_EQ(path(*kautz, 0, 5), "0 -> 3; 3 -> 5; ");
    EXPECT_TRUE(kautz->wiring().adjacent(Rank{1}, Rank{5}));
    EXPECT_FALSE(kautz->wiring().adjacent(Rank{5}, Rank{1}));  // links lead one way
}

TEST(Kautz, isTheSiCortex) {
    const NetworkPtr sicortex = makeNetwork("kautz:3,6", 972);
    EXPECT_EQ(sicortex->links(), 3 * 972);
    std::size_t most = 0;
    for (int to = 0; to < 972; ++to) most = std::max(most, way(*sicortex, 17, to).size());
    EXPECT_EQ(most, 6U);
    EXPECT_EQ(refusal("kautz:3,6", 973),
              "topology kautz:3,6 has 972 places, but there are 973 ranks; kautz:3,7 would fit");
    EXPECT_EQ(makeNetwork("kautz:3,6", 36)->ranks(), 36);
    EXPECT_EQ(refusal("kautz:1,3", 5), "topology kautz:1,3 has 2 places, but there are 5 ranks; kautz:4,1 would fit");
    EXPECT_EQ(refusal("kautz:9,30", 5), "topology kautz:9,30 has more than 2^31-1 links; choose a smaller network");
}

TEST(Cluster, hasMemoryInsideAndCardsBetween) {
    const NetworkPtr cluster = makeNetwork("cluster:4,inside=300ns+0.1ns/B,between=2us+0.8ns/B,nics=2", 10);
    EXPECT_EQ(cluster->name(), "cluster:4,inside=300ns+0.1ns/B,between=2us+0.8ns/B,nics=2");
    EXPECT_EQ(cluster->links(), 4 * 3 + 4 * 3 + 2 * 1 + 2 * 10 + 3 * 2 * 2);
    EXPECT_EQ(path(*cluster, 5, 6), "5 -> 6; ");
    EXPECT_EQ(path(*cluster, 1, 8), "1 -> switch 2; switch 2 -> switch 0; switch 0 -> switch 5; switch 5 -> 8; ");
    EXPECT_EQ(cluster->startup(Rank{8}, Rank{9}), engine::Picoseconds{300'000});
    EXPECT_EQ(cluster->startup(Rank{9}, Rank{0}), engine::Picoseconds{2'000'000});
    EXPECT_EQ(makeNetwork("cluster:4", 10)->startup(Rank{9}, Rank{0}), std::nullopt) << "as the model says";
    EXPECT_EQ(cluster->quality(way(*cluster, 8, 9)[0])->beta, engine::Rate{100'000});
    EXPECT_EQ(cluster->quality(way(*cluster, 9, 0)[0]), LinkQuality{});
    EXPECT_EQ(cluster->quality(way(*cluster, 9, 0)[2]), (LinkQuality{engine::Picoseconds{0}, engine::Rate{800'000}}));
    EXPECT_EQ(makeNetwork("cluster:4,ports=2", 10)->name(), "cluster:4,ports=2");
    EXPECT_EQ(refusal("cluster:4,ports=1,nics=1", 10),
              "topology cluster:4,ports=1,nics=1: nics= shares cards, ports= makes messages take turns; give one of "
              "them");
}

TEST(Cluster, leavesSpeedsToTheModelUnlessTold) {
    const NetworkPtr cluster = makeNetwork("cluster:4", 8);
    EXPECT_EQ(cluster->quality(way(*cluster, 0, 1)[0]), std::nullopt);
    EXPECT_EQ(cluster->quality(way(*cluster, 0, 4)[1]), std::nullopt);
    EXPECT_EQ(refusal("cluster:4,nics=5", 8), "topology cluster:4,nics=5: 5 is too large; the largest value is 4");
    EXPECT_EQ(refusal("cluster:4,insides=1us+1ns/B", 8),
              "topology cluster: unknown option 'insides'; did you mean inside?");
}

/// Most messages on one link when every rank sends to the rank `by` further on.
int crowd(const Network& network, int by) {
    std::vector<int> flows(static_cast<std::size_t>(network.links()));
    for (int from = 0; from < network.ranks(); ++from)
        for (const LinkId link : way(network, from, (from + by) % network.ranks())) ++flows[link.index()];
    return *std::max_element(flows.begin(), flows.end());
}

TEST(SimGrid, crowdsTheSameLinks) {
    // Slowest rank of SimGrid 3.32 without latency, in units of one message alone on its way.
    const struct {
        const char* topology;
        int ranks;
        int by;
        int crowd;
    } measured[] = {
        {"torus:16,ties=simgrid", 16, 4, 4},
        {"torus:16,ties=simgrid", 16, 8, 8},
        {"torus:256,ties=simgrid", 256, 128, 128},
        {"torus:4x4,ties=simgrid", 16, 2, 2},
        {"torus:4x4,ties=simgrid", 16, 8, 2},
        {"torus:4x4x4,ties=simgrid", 64, 32, 2},
        {"torus:4x8x8,ties=simgrid", 256, 16, 2},
        {"torus:4x8x8,ties=simgrid", 256, 128, 2},
        {"fat-tree:16x16,taper=4", 256, 1, 1},
        {"fat-tree:16x16,taper=4", 256, 16, 4},
        {"fat-tree:16x16,taper=4", 256, 128, 4},
        {"dragonfly:4,4x4,4,routing=simgrid", 256, 1, 2},
        {"dragonfly:4,4x4,4,routing=simgrid", 256, 16, 16},
        {"dragonfly:4,4x4,4,routing=simgrid", 256, 128, 64},
        {"cluster:1", 256, 128, 1},
    };
    for (const auto& [topology, ranks, by, expected] : measured)
        EXPECT_EQ(crowd(*makeNetwork(topology, ranks), by), expected) << topology << " shifted by " << by;
}

TEST(SimGrid, leavesOneMessageAloneInTheMiddleOfARing) {
    // Its shift by 128 on 256 ranks ends after 1.024 ms, but for the message of rank 128 after 8 us.
    const NetworkPtr ring = makeNetwork("torus:256,ties=simgrid", 256);
    std::set<int> others;
    for (int from = 0; from < 256; ++from)
        if (from != 128)
            for (const LinkId link : way(*ring, from, (from + 128) % 256)) others.insert(link.value);
    for (const LinkId link : way(*ring, 128, 0)) EXPECT_FALSE(others.contains(link.value));
}

TEST(Dgx1, hasSixNvlinksForEachGpu) {
    const NetworkPtr dgx1 = makeNetwork("dgx1", 8);
    EXPECT_EQ(dgx1->links(), 32);
    EXPECT_EQ(diameter(*dgx1), 2);
    std::vector<int> nvlinks(8);
    for (std::int32_t link = 0; link < dgx1->links(); ++link)  // 40,000 fs/B are 25 GB/s
        nvlinks[engine::asSize(dgx1->ends(engine::LinkId{link}).from)] +=
            static_cast<int>(40'000 / dgx1->quality(engine::LinkId{link})->beta.femtosecondsPerByte);
    EXPECT_EQ(nvlinks, (std::vector<int>{6, 6, 6, 6, 6, 6, 6, 6}));
    EXPECT_EQ(path(*dgx1, 0, 4), "0 -> 4; ");
    EXPECT_EQ(path(*dgx1, 0, 7), "0 -> 3; 3 -> 7; ");
    EXPECT_EQ(path(*dgx1, 5, 3), "5 -> 1; 1 -> 3; ");
    EXPECT_EQ(refusal("dgx1", 7).substr(0, 36), "topology dgx1 has 8 places, but ther");
}

}  // namespace
}  // namespace emulation
