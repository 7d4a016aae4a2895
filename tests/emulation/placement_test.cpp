// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/networks/rank_placement.hpp"
#include "emulation/networks/ring_embedding.hpp"
#include "tests/emulation/ways.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace emulation {
namespace {

using Places = std::vector<std::int32_t>;

std::string refusalOf(const std::string& placement, int ranks) {
    try {
        (void)placed({"ring", placement}, ranks);
    } catch (const engine::Error& error) {
        return error.what();
    }
    return "";
}

TEST(PlacedName, isReadBack) {
    for (const PlacedName name : {PlacedName{"fat-tree:4x4", "snake"}, PlacedName{"graph:my file=1.dot", "@my places"},
                                  PlacedName{"ring", ""}}) {
        const std::string words = toText(name);
        EXPECT_EQ(placedNameFrom(words).network, name.network);
        EXPECT_EQ(placedNameFrom(words).placement, name.placement);
    }
    EXPECT_EQ(toText(PlacedName{"fat-tree:4x4", "snake"}), "fat-tree:4x4 placement=snake");
    EXPECT_EQ(toText(PlacedName{"ring", ""}), "ring");
}

std::string fileWith(const std::string& words) {
    const auto path =
        std::filesystem::temp_directory_path() / testing::UnitTest::GetInstance()->current_test_info()->name();
    std::ofstream{path} << words;
    return path.string();
}

TEST(Placement, dealsRanksOutToNodesInTurn) {
    EXPECT_EQ(placesOf(*makeNetwork("cluster:3", 8), "round-robin", 8), (Places{0, 3, 6, 1, 4, 7, 2, 5}));
    EXPECT_EQ(placesOf(*makeNetwork("fat-tree:2x3", 6), "round-robin", 6), (Places{0, 2, 4, 1, 3, 5}));
}

TEST(Placement, knowsUnevenNodes) {
    const NetworkPtr cluster = makeNetwork("cluster:1,3,2", 6);
    EXPECT_EQ(placesOf(*cluster, "round-robin", 6), (Places{0, 1, 4, 2, 5, 3}));
    EXPECT_EQ(placesOf(*cluster, "snake", 6), (Places{0, 3, 2, 1, 4, 5}));
}

TEST(Way, goesToTheNearest) {
    EXPECT_EQ(wayThrough(*makeNetwork("torus:3x3", 9)), (Places{0, 1, 2, 5, 4, 3, 6, 7, 8}));
    EXPECT_EQ(wayThrough(*placed({"ring", "round-robin"}, 6)), (Places{0, 1, 2, 3, 4, 5}));
    // Ranks 0..5 stand on places 4 0 2 1 5 3 of a ring: along it from place 4 they are 0 4 1 3 2 5.
    const std::string file = "@" + fileWith("4 0 2 1 5 3");
    EXPECT_EQ(wayThrough(*placed({"ring", file}, 6)), (Places{0, 2, 4, 3, 1, 5}));
    // Nodes count once, in the order of their first ranks.
    const NetworkPtr cores = makeNetwork("ring:cores=2", 8);
    EXPECT_EQ(wayThrough(*cores), (Places{0, 0, 1, 1, 2, 2, 3, 3}));
    EXPECT_EQ(wayThrough(*makeNetwork("cluster:1,2,1", 4)), (Places{0, 1, 1, 2}));
    std::int64_t hops = 0;
    const NetworkPtr kautz = makeNetwork("kautz:3,3", 36);
    const std::vector<std::int32_t> way36 = wayThrough(*kautz);
    std::vector<int> at(36);
    for (int rank = 0; rank < 36; ++rank) at[static_cast<std::size_t>(way36[static_cast<std::size_t>(rank)])] = rank;
    for (std::size_t i = 0; i + 1 < at.size(); ++i)
        hops += static_cast<std::int64_t>(way(*kautz, at[i], at[i + 1]).size());
    EXPECT_LT(hops, 60) << "by rank it is more than 80";
}

TEST(Placement, goesAlongRowsAndBack) {
    EXPECT_EQ(placesOf(*makeNetwork("mesh:3x3", 9), "snake", 9), (Places{0, 1, 2, 5, 4, 3, 6, 7, 8}));
    EXPECT_EQ(placesOf(*makeNetwork("hypercube:3", 8), "snake", 8), (Places{0, 1, 3, 2, 6, 7, 5, 4}));
}

TEST(Placement, letsASnakeRunOverNeighboursOnly) {
    for (const auto& [name, ranks] :
         std::vector<std::pair<std::string, int>>{{"mesh:3x4x5", 60}, {"torus:2x3x2x3", 36}, {"hypercube:6", 64}}) {
        const NetworkPtr network = placed({name, "snake"}, ranks);
        for (int rank = 0; rank + 1 < ranks; ++rank) {
            ASSERT_EQ(way(*network, rank, rank + 1).size(), 1U) << name << " " << rank;
            ASSERT_TRUE(network->wiring().adjacent(Rank{rank}, Rank{rank + 1})) << name << " " << rank;
        }
    }
}

TEST(Placement, isTheSameForTheSameSeedOnEveryMachine) {
    EXPECT_EQ(placesOf(*makeNetwork("ring", 8), "random:1", 8), (Places{4, 6, 3, 5, 1, 7, 2, 0}));
    Places places = placesOf(*makeNetwork("ring", 1000), "random:7", 1000);
    EXPECT_FALSE(std::is_sorted(places.begin(), places.end()));
    std::sort(places.begin(), places.end());
    for (int place = 0; place < 1000; ++place) EXPECT_EQ(places[static_cast<std::size_t>(place)], place);
}

TEST(Placement, keepsANetworkThatItDoesNotChange) {
    EXPECT_EQ(placed({"ring", "block"}, 5)->name(), "ring");
    EXPECT_EQ(placed({"ring", "snake"}, 5)->name(), "ring");
}

TEST(Placement, readsAFile) {
    const NetworkPtr ring = placed({"ring", "@" + fileWith("0 2 # two\n3\n1\n")}, 4);
    EXPECT_EQ(path(*ring, 0, 1), "0 -> 3; 3 -> 1; ");  // places 0, 1, 2
    EXPECT_TRUE(ring->wiring().adjacent(Rank{1}, Rank{2}));
    EXPECT_FALSE(ring->wiring().adjacent(Rank{0}, Rank{1}));
    EXPECT_EQ(makeNetwork(ring->name(), 4)->name(), ring->name());
}

TEST(Placement, refusesInSentences) {
    EXPECT_EQ(refusalOf("snaky", 4), "placement: unknown placement 'snaky'; did you mean snake?");
    EXPECT_EQ(
        refusalOf("everywhere", 4),
        "placement: unknown placement 'everywhere'; it is block, round-robin, snake, spread, random:SEED or @FILE");
    EXPECT_EQ(refusalOf("random", 4), "placement random needs a seed, for example placement random:1");
    EXPECT_EQ(refusalOf("@nowhere", 4), "placement @nowhere: cannot read the file: it does not exist");
    const std::string file = fileWith("0 1 1 2");
    EXPECT_EQ(refusalOf("@" + file, 4), "placement @" + file + ":1: place 1 is given to two ranks");
    EXPECT_EQ(refusalOf("@" + file, 2), "placement @" + file + ":1: place 1 is given to two ranks");
    (void)fileWith("0 1 2");
    EXPECT_EQ(refusalOf("@" + file, 4), "placement @" + file + " names 3 places, but there are 4 ranks");
    EXPECT_EQ(refusalOf("@" + file, 2), "placement @" + file + " names 3 places, but there are 2 ranks");
    (void)fileWith("0 # the first\n\n3 x\n");
    EXPECT_EQ(refusalOf("@" + file, 3), "placement @" + file + ":3: place: 'x' is not a whole number");
    (void)fileWith("0\n1\n2 0\n");
    EXPECT_EQ(refusalOf("@" + file, 4), "placement @" + file + ":3: place 0 is given to two ranks");
    (void)fileWith("0 1\n2000000000\n");
    EXPECT_EQ(refusalOf("@" + file, 3), "placement @" + file +
                                            ":2: place 2000000000 is too large; the largest place of a network of open "
                                            "size is 1048575");
    EXPECT_EQ(refusalOf("spread placement=snake", 4),
              "topology ring placement=spread has a placement; leave placement snake out");
}

}  // namespace
}  // namespace emulation
