// SPDX-License-Identifier: BSD-3-Clause
// Several ranks on a node, and places without a rank.
#include "emulation/networks/network.hpp"
#include "tests/emulation/ways.hpp"

#include <gtest/gtest.h>

namespace emulation {
namespace {

TEST(Cluster, hasNodesOfAnySizes) {
    const NetworkPtr cluster = makeNetwork("cluster:1,5,2,1,1,1,ports=1", 11);
    EXPECT_EQ(cluster->name(), "cluster:1,5,2,1,1,1,ports=1");
    EXPECT_EQ(cluster->links(), 5 * 4 + 2 * 1 + 2 * 11 + 6 * 2);
    EXPECT_EQ(path(*cluster, 1, 5), "1 -> 5; ");
    EXPECT_EQ(path(*cluster, 6, 7), "6 -> 7; ");
    EXPECT_EQ(path(*cluster, 5, 6), "5 -> switch 2; switch 2 -> switch 0; switch 0 -> switch 3; switch 3 -> 6; ");
    EXPECT_EQ(cluster->rowOf(Rank{7}), 2);
    EXPECT_EQ(nodesOf(*cluster), (std::vector<std::int32_t>{0, 1, 1, 1, 1, 1, 2, 2, 3, 4, 5}));
    EXPECT_EQ(nodesOf(*makeNetwork("cluster:1,5,2,1,1,1,ports=1,link=1us+1ns/B", 11)), nodesOf(*cluster));
    EXPECT_EQ(refusal("cluster:1,5,2", 9),
              "topology cluster:1,5,2 has 8 places, but there are 9 ranks; the sizes of all nodes add up to them");
    EXPECT_EQ(refusal("cluster", 9), "topology cluster needs a size, such as cluster:32");
}

TEST(Cores, putSeveralRanksOnEachPlaceOfAnyNetwork) {
    const NetworkPtr ring = makeNetwork("ring,cores=2,inside=300ns+0.1ns/B,ports=1", 8);
    EXPECT_EQ(ring->name(), "ring:cores=2,inside=300ns+0.1ns/B,ports=1");
    EXPECT_EQ(makeNetwork(ring->name(), 8)->name(), ring->name());
    EXPECT_EQ(ring->links(), 4 * 2 + 2 * 8 + 4 * 2 + 8);
    EXPECT_EQ(path(*ring, 2, 3), "2 -> 3; ");
    EXPECT_EQ(path(*ring, 1, 4),
              "1 -> switch 0; switch 0 -> switch 4; switch 4 -> switch 5; switch 5 -> switch 6; switch 6 -> switch 2; "
              "switch 2 -> 4; ");
    EXPECT_TRUE(ring->oneAtATime(way(*ring, 1, 4)[1]));
    EXPECT_FALSE(ring->oneAtATime(way(*ring, 1, 4)[2]));
    EXPECT_EQ(ring->startup(Rank{2}, Rank{3}), engine::Picoseconds{300'000});
    EXPECT_EQ(ring->startup(Rank{2}, Rank{4}), std::nullopt);
    EXPECT_EQ(ring->rowOf(Rank{5}), 2);

    const NetworkPtr sicortex = makeNetwork("kautz:3,6,link=1us+0.5ns/B,cores=6", 5772);
    EXPECT_EQ(sicortex->ranks(), 5772);
    EXPECT_EQ(sicortex->rowOf(Rank{5771}), 961);
    EXPECT_EQ(sicortex->quality(way(*sicortex, 0, 1000)[2])->beta, engine::Rate{500'000});
    EXPECT_EQ(way(*makeNetwork("full:cores=4", 16), 0, 5).size(), 4U) << "card, core and card, as in a cluster";
    EXPECT_EQ(refusal("cluster:2,cores=2", 8), "topology cluster has its ranks on nodes already; leave cores= out");
    EXPECT_EQ(refusal("torus:2x2,cores=2,card=1", 8),
              "topology torus:2x2: unknown option 'card'; write for example torus:2x2,cores=6");
    EXPECT_EQ(refusal("torus:2x2,cores=2", 9),
              "topology torus:2x2 has 4 places, but there are 5 ranks; torus:5x1 would fit");
}

TEST(Torus, mayBeLargerThanTheJob) {
    const NetworkPtr torus = makeNetwork("torus:4x4", 13);
    EXPECT_EQ(torus->ranks(), 13);
    EXPECT_EQ(torus->links(), 16 * 4);
    EXPECT_EQ(path(*torus, 12, 2), "12 -> free place 13; free place 13 -> free place 14; free place 14 -> 2; ");
    EXPECT_EQ(torus->wiring().kind(), engine::Wiring::Kind::named);
    EXPECT_TRUE(torus->wiring().adjacent(Rank{0}, Rank{12}));
    EXPECT_EQ(path(*makeNetwork("mesh:2x2", 3), 2, 1), "2 -> free place 3; free place 3 -> 1; ");
    EXPECT_EQ(makeNetwork("torus:16x16x24", 5000)->ranks(), 5000);
}

}  // namespace
}  // namespace emulation
