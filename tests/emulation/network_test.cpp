// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/network.hpp"

#include "engine/error.hpp"

#include <gtest/gtest.h>

#include <set>

namespace emulation {
namespace {

std::string path(const Network& network, int from, int to) {
    std::vector<LinkId> links;
    network.route(Rank{from}, Rank{to}, links);
    std::string words;
    for (const LinkId link : links) words += network.linkName(link) + "; ";
    return words;
}

TEST(Network, aRingTakesTheShorterWayAndRisesOnTies) {
    const NetworkPtr ring = makeNetwork("ring", 6);
    EXPECT_EQ(path(*ring, 1, 2), "1 -> 2; ");
    EXPECT_EQ(path(*ring, 0, 5), "0 -> 5; ");
    EXPECT_EQ(path(*ring, 4, 1), "4 -> 5; 5 -> 0; 0 -> 1; ");
    EXPECT_EQ(path(*ring, 3, 3), "");
}

TEST(Network, aTorusRoutesTheLastDimensionFirst) {
    const NetworkPtr torus = makeNetwork("torus:3x4", 12);
    EXPECT_EQ(path(*torus, 0, 6), "0 -> 1; 1 -> 2; 2 -> 6; ");
    EXPECT_EQ(path(*torus, 0, 11), "0 -> 3; 3 -> 11; ");
    EXPECT_EQ(torus->name(), "torus:3x4");
}

TEST(Network, everyRouteLeadsFromItsBeginToItsEndOverNeighbours) {
    for (const auto& [name, ranks] : std::vector<std::pair<std::string, int>>{
             {"ring", 1}, {"ring", 2}, {"ring", 7}, {"torus:2x2", 4}, {"torus:4x3x2", 24}, {"torus:1x5", 5}}) {
        const NetworkPtr network = makeNetwork(name, ranks);
        std::vector<LinkId> links;
        for (int from = 0; from < ranks; ++from)
            for (int to = 0; to < ranks; ++to) {
                links.clear();
                network->route(Rank{from}, Rank{to}, links);
                int at = from;
                for (const LinkId link : links) {
                    ASSERT_LT(link.value, network->links());
                    const LinkEnds ends = network->ends(link);
                    ASSERT_EQ(ends.from, at) << name;
                    ASSERT_TRUE(network->wiring().adjacent(Rank{ends.from}, Rank{ends.to})) << name;
                    at = ends.to;
                }
                ASSERT_EQ(at, to) << name;
            }
    }
}

std::string refusal(const std::string& name, int ranks) {
    try {
        (void)makeNetwork(name, ranks);
    } catch (const engine::Error& error) {
        return error.what();
    }
    return "";
}

TEST(Network, refusesWhatItDoesNotKnowOrCannotFit) {
    EXPECT_EQ(refusal("tours:4x4", 16), "--topology: unknown network 'tours'; did you mean torus?");
    EXPECT_EQ(refusal("torus:4x4", 15), "--topology torus:4x4 has 16 places, but there are 15 ranks");
    EXPECT_EQ(refusal("torus", 16), "--topology torus needs its sizes, for example --topology torus:4x4");
    EXPECT_EQ(refusal("torus:4x-4", 16), "--topology torus: -4 is too small; the least value is 1");
    EXPECT_EQ(refusal("ring:8", 8), "--topology ring takes no sizes; write --topology ring");
}

}  // namespace
}  // namespace emulation
