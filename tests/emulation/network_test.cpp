// SPDX-License-Identifier: BSD-3-Clause
// What holds for every network; each kind's own numbers are in topologies_test.cpp.
#include "emulation/networks/network.hpp"
#include "tests/emulation/ways.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <map>

namespace emulation {
namespace {

struct Case {
    std::string name;
    int ranks;
    bool fewestLinks = true;  ///< a dragonfly's ways cross one link between groups, even where crossing two is shorter
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name << " of " << c.ranks; }

class EveryNetwork : public testing::TestWithParam<Case> {
protected:
    NetworkPtr network = makeNetwork(GetParam().name, GetParam().ranks);
};

TEST_P(EveryNetwork, leadsFromBeginToEnd) {
    for (int from = 0; from < network->ranks(); ++from) {
        const std::vector<int> far = distances(*network, from);
        for (int to = 0; to < network->ranks(); ++to) {
            const std::vector<LinkId> links = way(*network, from, to);
            if (GetParam().fewestLinks) {
                ASSERT_EQ(static_cast<int>(links.size()), far[static_cast<std::size_t>(to)]) << from << " to " << to;
            }
            int at = from;
            for (const LinkId link : links) {
                ASSERT_GE(link.value, 0);
                ASSERT_LT(link.value, network->links());
                ASSERT_EQ(network->ends(link).from, at) << from << " to " << to << ": " << network->linkName(link);
                at = network->ends(link).to;
            }
            ASSERT_EQ(at, to);
            ASSERT_EQ(network->wiring().adjacent(Rank{from}, Rank{to}), links.size() == 1) << from << " to " << to;
        }
    }
}

TEST_P(EveryNetwork, usesEveryNumberForOneLinkOnly) {
    // A ring of two has two links each way.
    const std::vector<int> lengths = network->wiring().dimensions();
    const int most = std::ranges::count(lengths, 2) > 0 ? 2 : 1;
    std::map<std::pair<int, int>, int> seen;
    for (int link = 0; link < network->links(); ++link) {
        const LinkEnds ends = network->ends(LinkId{link});
        EXPECT_NE(ends.from, ends.to) << network->linkName(LinkId{link});
        EXPECT_LE(++seen[std::pair(ends.from, ends.to)], most) << network->linkName(LinkId{link});
    }
}

TEST_P(EveryNetwork, isBuiltAgainFromItsName) {
    const NetworkPtr again = makeNetwork(network->name(), network->ranks());
    EXPECT_EQ(again->name(), network->name());
    EXPECT_EQ(again->links(), network->links());
    EXPECT_EQ(path(*again, 0, again->ranks() - 1), path(*network, 0, network->ranks() - 1));
}

TEST_P(EveryNetwork, hasAShapeThatHoldsItsRanks) {
    std::int64_t places = 1;
    for (const int length : network->shape()) places *= length;
    EXPECT_GE(places, network->ranks());
}

/// Of each kind, the next one too, what it offers for some numbers of ranks.
std::vector<Case> ofEveryKind() {
    std::vector<Case> all;
    for (const Topology& kind : topologies()) {
        if (kind.forRanks == nullptr) continue;
        for (const int ranks : {3, 8, 9, 10, 12, 16, 30}) {
            const std::string name = kind.forRanks(ranks);
            if (!name.empty() && makeNetwork(name, ranks)->links() > 0) all.push_back({name, ranks, kind.fewestLinks});
        }
    }
    return all;
}

INSTANTIATE_TEST_SUITE_P(OfEveryKind, EveryNetwork, testing::ValuesIn(ofEveryKind()));

INSTANTIATE_TEST_SUITE_P(
    OfParticularSizes, EveryNetwork,
    testing::Values(
        Case{"ring", 3}, Case{"ring", 8}, Case{"torus:4x3x5", 60}, Case{"torus:3x3", 9},
        Case{"torus:4x4,ties=simgrid", 16}, Case{"torus:5x6,ties=simgrid", 30}, Case{"mesh:1", 1}, Case{"mesh:7", 7},
        Case{"mesh:4x3", 12}, Case{"mesh:2x1x3x2", 12}, Case{"hypercube:0", 1}, Case{"hypercube:1", 2},
        Case{"hypercube:5", 32}, Case{"fat-tree:5", 5}, Case{"fat-tree:4x3", 12}, Case{"fat-tree:4x4,taper=4", 16},
        Case{"fat-tree:4x3x2", 24}, Case{"fat-tree:4x4x2,taper=2", 29}, Case{"fat-tree:3x2x2,up=2x3x2", 12},
        Case{"fat-tree:2x3x4,up=1x2x1", 20}, Case{"dragonfly:1,4,2", 8}, Case{"dragonfly:9,4,2", 72, false},
        Case{"dragonfly:5,2x3,2", 57, false}, Case{"dragonfly:3,1,2", 5}, Case{"kautz:2,1", 3}, Case{"kautz:2,3", 12},
        Case{"kautz:3,3", 36}, Case{"kautz:4,2", 20}, Case{"kautz:1,1", 2}, Case{"cluster:4", 12},
        Case{"cluster:4", 10}, Case{"cluster:4", 9}, Case{"cluster:1", 4}, Case{"cluster:8", 3},
        Case{"cluster:1,5,2,1,1,1", 11}, Case{"cluster:3,1,4,nics=2", 8}, Case{"torus:3x3,cores=3", 27},
        Case{"kautz:2,2,cores=4,ports=1", 22}, Case{"ring:cores=2 placement=round-robin", 10},
        Case{"cluster:1,5,2 placement=snake", 8}, Case{"torus:4x4", 13}, Case{"mesh:3x4", 10},
        Case{"cluster:6,nics=4", 17}, Case{"torus:3x4 placement=random:3", 12}, Case{"mesh:3x4 placement=snake", 12},
        Case{"cluster:3 placement=round-robin", 8}, Case{"torus:4x5 placement=random:3", 7},
        Case{"hypercube:4 placement=spread", 5}, Case{"fat-tree:4x4,taper=2 placement=random:1", 9},
        Case{"kautz:2,3 placement=spread", 5}, Case{"dragonfly:5,2x3,2 placement=random:2", 20, false},
        Case{"dgx1 placement=random:4", 5}, Case{"cluster:4x5,nics=2 placement=spread", 7},
        Case{"torus:3x3,cores=2 placement=random:5", 7}, Case{"cluster:4x5", 9}, Case{"mesh:3x3,link=1us+0.8ns/B", 9}));

TEST(EveryKind, offersOneOfItsOwnUnlessItNeedsAFile) {
    for (const Topology& kind : topologies()) {
        if (kind.forRanks == nullptr) {
            EXPECT_TRUE(kind.usage.ends_with(":FILE")) << kind.name << " offers none (Topology::forRanks)";
            continue;
        }
        int offered = 0;
        for (int ranks = 1; ranks <= 40; ++ranks) {
            const std::string name = kind.forRanks(ranks);
            if (name.empty()) continue;
            ++offered;
            EXPECT_EQ(name.substr(0, name.find(':')), kind.name);
            EXPECT_EQ(refusal(name, ranks), "") << name << " for " << ranks;
        }
        EXPECT_GT(offered, 0) << kind.name;
    }
}

/// Of every number that a network can be told one that is left out and one that is none, as they are typed by slip.
TEST(EveryKind, saysWhatWouldBeRightWhereANumberIsNone) {
    std::vector<std::string> names{"fat-tree:4x4,up=1x2", "fat-tree:4x4,taper=2", "cluster:4,nics=2",
                                   "cluster:4,ports=2",   "dragonfly:4,2x2,1",    "torus:4x4,cores=1"};
    for (const Topology& kind : topologies())
        if (kind.forRanks != nullptr) names.push_back(kind.forRanks(16));
    int spoilt = 0;
    for (const std::string& name : names)
        for (std::size_t at = name.find(':'); at < name.size(); ++at) {
            if (name[at] < '0' || name[at] > '9') continue;
            for (const char* instead : {"", "y", "1.5", "x"}) {
                const std::string wrong = std::string{name}.replace(at, 1, instead);
                const std::string said = refusal(wrong, 16);
                const auto says = [&](const char* words) { return said.find(words) != std::string::npos; };
                // Of 16 a digit can be left out, and a number is left.
                const bool number = *instead == '\0' && (std::isdigit(name[at - 1]) || std::isdigit(name[at + 1]));
                if (number) continue;
                EXPECT_TRUE(says("; write ") || says("for example ") || says("such as ")) << wrong << ": " << said;
                EXPECT_TRUE(said.starts_with("topology " + name.substr(0, name.find(':')))) << wrong << ": " << said;
                ++spoilt;
            }
        }
    EXPECT_GT(spoilt, 60);
}

TEST(Network, aTorusOfLengthTwoHasTwoLinksBetweenTwoRanks) {
    const NetworkPtr torus = makeNetwork("torus:2x2", 4);
    EXPECT_EQ(torus->links(), 16);
    EXPECT_EQ(path(*torus, 0, 3), "0 -> 1; 1 -> 3; ");
}

TEST(Network, everyLinkCanBeGivenOneQuality) {
    const NetworkPtr torus = makeNetwork("torus:4x4,ties=simgrid,link=1us+0.8ns/B", 16);
    EXPECT_EQ(torus->name(), "torus:4x4,ties=simgrid,link=1us+0.8ns/B");
    EXPECT_EQ(torus->quality(LinkId{5}), (LinkQuality{std::chrono::microseconds{1}, engine::Rate{800'000}}));
    const NetworkPtr ring = makeNetwork("ring:link=0us+1ns/B", 4);
    EXPECT_EQ(ring->name(), "ring:link=0us+1ns/B");
    EXPECT_EQ(ring->wiring(), engine::Wiring::ring(4));
    EXPECT_EQ(makeNetwork("ring", 4)->quality(LinkId{0}), std::nullopt);
}

TEST(Network, refusesWhatItDoesNotKnow) {
    EXPECT_EQ(refusal("tours:4x4", 16), "topology: unknown network 'tours'; did you mean torus?");
    EXPECT_EQ(refusal("ring:8", 8), "topology ring takes no sizes; write topology ring");
    EXPECT_EQ(refusal("full:8", 8), "topology full takes no sizes; write topology full");
    EXPECT_EQ(refusal("torus:4x4,tie=simgrid", 16), "topology torus: unknown option 'tie'; did you mean ties?");
    EXPECT_EQ(refusal("mesh:4x4,taper=4", 16), "topology mesh: unknown option 'taper'; write for example mesh:4x4");
    EXPECT_EQ(refusal("torus:4x4,ties=simgrid,ties=rising", 16), "topology torus: option 'ties' is given twice");
    EXPECT_EQ(refusal("full:link=1us+1ns/B", 4), "topology full has no links to share; leave link= out");
    EXPECT_EQ(refusal("ring:link=1us", 4),
              "topology: link: '1us' is no startup and time per byte; write for example "
              "1us+0.8ns/B");
}

}  // namespace
}  // namespace emulation
