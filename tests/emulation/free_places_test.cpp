// SPDX-License-Identifier: BSD-3-Clause
// Networks with more places than ranks.
#include "emulation/bounds/network_bound.hpp"
#include "emulation/clocks/route_costs.hpp"
#include "emulation/clocks/virtual_clock.hpp"
#include "emulation/networks/rank_placement.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "tests/emulation/ways.hpp"
#include "tests/support/catalogue_grid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <utility>

namespace emulation {
namespace {

using Places = std::vector<std::int32_t>;

std::string placementOn(const Places& places) {
    const auto path =
        std::filesystem::temp_directory_path() / testing::UnitTest::GetInstance()->current_test_info()->name();
    std::ofstream file{path};
    for (const std::int32_t place : places) file << place << '\n';
    return "@" + path.string();
}

/// The places of a grid of rows x columns in the corner of one with `width` places in a row.
Places corner(int rows, int columns, int width) {
    Places places;
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column) places.push_back(row * width + column);
    return places;
}

Places first(int count) { return corner(1, count, count); }

/// Part of a network whose links between the ranks are those of a network of its own.
struct Part {
    std::string whole;
    std::string part;
    Places places;  ///< of the ranks, on the whole
};

std::vector<Part> parts() {
    return {
        {"mesh:8x8", "mesh:3x4", corner(3, 4, 8)},
        // No way within less than half of a ring goes round it.
        {"torus:8x8", "mesh:3x4", corner(3, 4, 8)},
        {"torus:32", "mesh:12", first(12)},
        {"torus:6x3x4", "torus:1x3x4", first(12)},
        {"hypercube:6", "hypercube:3", first(8)},
        {"fat-tree:4x8", "fat-tree:4x3", first(12)},
        {"fat-tree:4x4x3", "fat-tree:4x3", first(12)},
        {"dragonfly:9,4,2", "dragonfly:1,4,2", first(8)},
        {"cluster:4x16", "cluster:4", first(12)},
        {"cluster:4,4,4,4,1", "cluster:4", first(12)},
        {"mesh:8x8,cores=2", "mesh:2x3,cores=2", {0, 1, 2, 3, 4, 5, 16, 17, 18, 19, 20, 21}},
    };
}

std::vector<engine::Plan> plansFor(int ranks) {
    std::vector<engine::Plan> plans;
    for (const engine::Algorithm* each : engine::catalogue()) {
        const engine::Algorithm& algorithm = *each;
        for (const engine::Problem& problem : support::problemsFor(algorithm.collective, ranks)) {
            if (problem.ranks() != ranks || problem.layout.total() == 0) continue;
            try {
                plans.push_back(engine::makePlan(algorithm, problem, {}));
            } catch (const engine::Error&) {
                continue;
            }
            if (plans.back().schedule->facts().ranks != ranks) plans.pop_back();
            else break;
        }
    }
    return plans;
}

TEST(FreePlaces, changeNoTimeWhereTheRanksHaveTheSameLinks) {
    for (const Part& part : parts()) {
        const auto ranks = static_cast<std::int32_t>(part.places.size());
        const NetworkPtr whole = makeNetwork(toText({part.whole, placementOn(part.places)}), ranks);
        const NetworkPtr alone = makeNetwork(part.part, ranks);
        ASSERT_GT(whole->places(), whole->ranks()) << part.whole;
        const std::vector<engine::Plan> plans = plansFor(ranks);
        ASSERT_GT(plans.size(), 40U);
        for (const engine::Plan& plan : plans)
            for (const Sharing sharing : {Sharing::bottleneck, Sharing::fair}) {
                const Conditions conditions{.sharing = sharing};
                const Emulated large = emulate(plan, *whole, conditions);
                const Emulated small = emulate(plan, *alone, conditions);
                ASSERT_EQ(large.run.messages.size(), small.run.messages.size());
                for (std::size_t i = 0; i < large.run.messages.size(); ++i)
                    ASSERT_TRUE(large.run.messages[i] == small.run.messages[i])
                        << plan.algorithm->id << " on " << part.whole << " and " << part.part << ", message " << i;
                ASSERT_EQ(large.congestion.perRound.size(), small.congestion.perRound.size());
                for (std::size_t round = 0; round < large.congestion.perRound.size(); ++round)
                    ASSERT_EQ(large.congestion.perRound[round].bytes, small.congestion.perRound[round].bytes);
            }
    }
}

TEST(FreePlaces, areNamedAsEndsOfSlowLinks) {
    for (const Part& part : parts()) {
        const auto ranks = static_cast<std::int32_t>(part.places.size());
        const NetworkPtr network = makeNetwork(toText({part.whole, placementOn(part.places)}), ranks);
        for (LinkId link{0}; link.value < network->links(); ++link) {
            const LinkEnds ends = network->ends(link);
            const SlowLink slow{nameOf(*network, ends.from), nameOf(*network, ends.to), {}};
            const std::vector<LinkId> found =
                linksOf(*network, readSlowLinks(toText(slow.from) + "-" + toText(slow.to) + ":2").front());
            EXPECT_NE(std::ranges::find(found, link), found.end()) << network->linkName(link) << " of " << part.whole;
            for (const LinkId one : found) EXPECT_EQ(network->linkName(one), network->linkName(link));
        }
        for (const char* none : {"0-p99999:2", "p0-s2147483647:2", "0-1000:2"})
            EXPECT_THROW((void)linksOf(*network, readSlowLinks(none).front()), engine::Error) << none;
    }
}

/// Every `step`-th place of every `step`-th row.
Places apart(int rows, int columns, int width, int step) {
    Places places;
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column) places.push_back((row * width + column) * step);
    return places;
}

/// Of a large network only the links on routes are searched, and those that follow one another are as one.
TEST(FreePlaces, changeNoBoundOfALargeNetworkWhereRoutesAreThoseOfAPart) {
    const engine::Rate beta{1'000'000};
    const std::vector<Part> large{{"mesh:40x40", "mesh:3x4", corner(3, 4, 40)},
                                  {"mesh:40x40", "mesh:3x4", apart(3, 4, 40, 8)},
                                  {"mesh:3000", "mesh:12", apart(1, 12, 12, 150)},
                                  {"torus:3000", "mesh:12", apart(1, 12, 12, 80)}};
    int cuts = 0;
    for (const Part& part : large) {
        const auto ranks = static_cast<std::int32_t>(part.places.size());
        const NetworkPtr whole = makeNetwork(toText({part.whole, placementOn(part.places)}), ranks);
        const NetworkPtr alone = makeNetwork(part.part, ranks);
        for (const engine::Plan& plan : plansFor(ranks)) {
            const auto found = bounds::networkBound(plan.problem, *whole, beta);
            const auto expected = bounds::networkBound(plan.problem, *alone, beta);
            ASSERT_EQ(found.has_value(), expected.has_value()) << plan.algorithm->id << " on " << part.whole;
            if (!found) continue;
            EXPECT_EQ(found->time(), expected->time()) << plan.algorithm->id << " on " << part.whole;
            if (found->kind != bounds::NetworkBound::Kind::cut) continue;
            ++cuts;
            for (const LinkId link : found->links) {
                const LinkEnds ends = whole->ends(link);
                EXPECT_EQ(found->side[engine::asSize(ends.from)], 1) << plan.algorithm->id << whole->linkName(link);
                EXPECT_EQ(found->side[engine::asSize(ends.to)], 0) << plan.algorithm->id << whole->linkName(link);
            }
        }
    }
    EXPECT_GT(cuts, 100);
}

TEST(FreePlaces, haveBoundsThatHoldOnLargeNetworks) {
    const engine::Rate beta{1'000'000};
    int compared = 0;
    for (const char* name : {"torus:64x64", "hypercube:11", "fat-tree:32x64x2", "dragonfly:33,32,1"}) {
        const NetworkPtr network = makeNetwork(std::string{name} + " placement=random:5", 12);
        ASSERT_GT(network->links(), 4096) << name;
        const Conditions conditions{.model = {.alpha = {}, .beta = beta}};
        for (const engine::Plan& plan : plansFor(12))
            for (const auto& bound :
                 {bounds::networkBound(plan.problem, *network, beta), bounds::portBound(plan.problem, *network, beta)})
                if (bound && plan.problem.ports == 1) {
                    ++compared;
                    EXPECT_LE(bound->time(), makespan(plan, *network, conditions)) << plan.algorithm->id << name;
                }
    }
    EXPECT_GT(compared, 10);
}

/// A bound takes every way through the whole network, so that more of it never forces more.
TEST(FreePlaces, raiseNoBound) {
    int compared = 0;
    const engine::Rate beta{1'000'000};
    for (const Part& part : parts()) {
        const auto ranks = static_cast<std::int32_t>(part.places.size());
        const NetworkPtr whole = makeNetwork(toText({part.whole, placementOn(part.places)}), ranks);
        const NetworkPtr alone = makeNetwork(part.part, ranks);
        for (const engine::Plan& plan : plansFor(ranks)) {
            const auto large = bounds::networkBound(plan.problem, *whole, beta);
            const auto small = bounds::networkBound(plan.problem, *alone, beta);
            if (large && small) {
                ++compared;
                EXPECT_LE(large->time(), small->time()) << plan.algorithm->id << " on " << part.whole;
            }
            const Conditions conditions{.model = {.alpha = {}, .beta = beta}};
            if (large) {
                EXPECT_LE(large->time(), makespan(plan, *whole, conditions)) << plan.algorithm->id << part.whole;
            }
        }
    }
    EXPECT_GT(compared, 10);
}

/// Row-major, the last dimension fastest.
std::vector<int> coordinates(const std::vector<int>& lengths, std::int32_t place) {
    std::vector<int> at(lengths.size());
    for (std::size_t d = lengths.size(); d-- > 0; place /= lengths[d]) at[d] = place % lengths[d];
    return at;
}

std::int32_t placeAt(const std::vector<int>& lengths, const std::vector<int>& at) {
    std::int32_t place = 0;
    for (std::size_t d = 0; d < lengths.size(); ++d) place = place * lengths[d] + at[d];
    return place;
}

/// The places from one to the other, step by step: the last dimension first, in each the shorter way, or the only one.
Places walked(const std::vector<int>& lengths, bool closes, std::int32_t from, std::int32_t to) {
    std::vector<int> at = coordinates(lengths, from);
    const std::vector<int> goal = coordinates(lengths, to);
    Places passed{from};
    for (std::size_t d = lengths.size(); d-- > 0;) {
        const bool rising = closes ? 2 * ((goal[d] - at[d] + lengths[d]) % lengths[d]) <= lengths[d] : goal[d] > at[d];
        while (at[d] != goal[d]) {
            at[d] = (at[d] + (rising ? 1 : lengths[d] - 1)) % lengths[d];
            passed.push_back(placeAt(lengths, at));
        }
    }
    return passed;
}

TEST(FreePlaces, carryWhatASlowWalkSays) {
    struct Grid {
        std::string name;
        std::vector<int> lengths;
        bool closes;
    };
    int free = 0;
    for (const Grid& grid :
         {Grid{"torus:5x4", {5, 4}, true}, Grid{"mesh:4x5", {4, 5}, false}, Grid{"torus:3x3x3", {3, 3, 3}, true},
          Grid{"hypercube:4", {2, 2, 2, 2}, true}, Grid{"mesh:23", {23}, false}})
        for (const std::string how : {"random:1", "random:2", "spread", "snake", "round-robin", "block"})
            for (const char* id : {"alltoallv/pairwise-exchange", "allgatherv/bruck"}) {
                const NetworkPtr network = makeNetwork(toText({grid.name, how}), 7);
                const engine::Algorithm& algorithm = engine::algorithmNamed(id);
                engine::Problem problem = support::problemsFor(algorithm.collective, 7).back();
                ASSERT_EQ(problem.ranks(), 7);
                const Emulated emulated = emulate(engine::makePlan(algorithm, problem, {}), *network, {});
                std::map<std::pair<std::int32_t, std::int32_t>, engine::Bytes> expected, found;
                for (std::size_t i = 0; i < emulated.run.messages.size(); ++i) {
                    const engine::MessageRecord message = emulated.run.messages[i];
                    const Places way = walked(grid.lengths, grid.closes, network->placeOf(message.from.value),
                                              network->placeOf(message.to.value));
                    for (std::size_t step = 1; step < way.size(); ++step)
                        expected[{way[step - 1], way[step]}] += message.bytes;
                }
                for (LinkId link{0}; link.value < network->links(); ++link) {
                    const engine::Bytes bytes = emulated.congestion.perLink[link.index()];
                    const LinkEnds ends = network->ends(link);
                    if (bytes == 0) continue;
                    found[{network->placeOf(ends.from), network->placeOf(ends.to)}] = bytes;
                    free += ends.to >= network->ranks() ? 1 : 0;
                }
                std::erase_if(expected, [](const auto& load) { return load.second == 0; });
                EXPECT_EQ(found, expected) << id << " on " << network->name();
            }
    EXPECT_GT(free, 100) << "links to free places, without which this tests little";
}

Places placesIn(const Network& network) {
    Places places;
    for (std::int32_t rank = 0; rank < network.ranks(); ++rank) places.push_back(network.placeOf(rank));
    return places;
}

TEST(FreePlaces, areWhereThePlacementLeavesThem) {
    EXPECT_EQ(placesIn(*makeNetwork("torus:3x4 placement=spread", 5)), (Places{0, 2, 4, 7, 9}));
    EXPECT_EQ(placesIn(*makeNetwork("torus:3x4 placement=snake", 6)), (Places{0, 1, 2, 3, 7, 6}));
    EXPECT_EQ(placesIn(*makeNetwork("fat-tree:4x3 placement=round-robin", 5)), (Places{0, 4, 8, 1, 5}));
    EXPECT_EQ(placesIn(*makeNetwork("hypercube:4 placement=block", 3)), (Places{0, 1, 2}));
    EXPECT_EQ(placesIn(*makeNetwork("cluster:4x3 placement=spread", 3)), (Places{0, 4, 8}));
    EXPECT_EQ(placesIn(*makeNetwork("torus:2x2,cores=2 placement=spread", 4)), (Places{0, 2, 4, 6}));
    // As of all ranks, the first of them: the same on every machine.
    EXPECT_EQ(placesIn(*makeNetwork("torus:8 placement=random:1", 4)), (Places{4, 6, 3, 5}));
}

TEST(FreePlaces, haveNamesAndNumbersBehindThoseOfTheRanks) {
    const NetworkPtr torus = makeNetwork("torus:2x4 placement=spread", 4);  // on places 0, 2, 4 and 6
    EXPECT_EQ(torus->places(), 8);
    std::string names;
    for (std::int32_t node = 0; node < 8; ++node) names += torus->nodeName(node) + "; ";
    EXPECT_EQ(names, "0; 1; 2; 3; free place 1; free place 3; free place 5; free place 7; ");
    const NetworkPtr tree = makeNetwork("fat-tree:2x2 placement=spread", 2);
    EXPECT_EQ(path(*tree, 0, 1), "0 -> switch 0; switch 0 -> switch 2; switch 2 -> switch 1; switch 1 -> 1; ");
    EXPECT_EQ(tree->nodeName(2), "free place 1");
    EXPECT_FALSE(torus->wiring().adjacent(Rank{0}, Rank{1}));
    const NetworkPtr again = makeNetwork(torus->name(), 4);
    EXPECT_EQ(again->name(), "torus:2x4 placement=spread");
    EXPECT_EQ(placesIn(*again), placesIn(*torus));
}

TEST(FreePlaces, areAsManyAsTheFileNeedsWhereTheNetworkLeavesTheirNumberOpen) {
    const std::string file = placementOn({0, 5, 9});
    EXPECT_EQ(makeNetwork(toText({"ring", file}), 3)->places(), 10);
    EXPECT_EQ(makeNetwork(toText({"cluster:4", file}), 3)->places(), 10);
    EXPECT_EQ(makeNetwork(toText({"cluster:4", file}), 3)->rowOf(Rank{2}), 2);
    EXPECT_EQ(makeNetwork("cluster:4 placement=spread", 3)->places(), 3);
}

TEST(FreePlaces, areRefusedInOneSentence) {
    const std::string file = placementOn({0, 5, 12});
    EXPECT_EQ(refusal(toText({"torus:3x4", file}), 3),
              "placement " + file + ":3: place 12 is too large; the largest place is 11");
    EXPECT_EQ(refusal(toText({"torus:4x4", file}), 4), "placement " + file + " names 3 places, but there are 4 ranks");
    EXPECT_EQ(refusal("torus:3x4 placement=spread", 13),
              "topology torus:3x4 has 12 places, but there are 13 ranks; torus:13x1 would fit");
    EXPECT_EQ(refusal("hypercube:4", 3),
              "topology hypercube:4 has 16 places, but there are 3 ranks; hypercube:2 with 4 ranks would fit; "
              "placement block leaves places free");
    EXPECT_EQ(refusal("dgx1", 4),
              "topology dgx1 has 8 places, but there are 4 ranks; placement block leaves places free");
    EXPECT_EQ(refusal("cluster:4x3", 13),
              "topology cluster:4x3 has 12 places, but there are 13 ranks; cluster:4x4 would fit");
    EXPECT_EQ(refusal("cluster:4x3x2", 13),
              "topology cluster:4x3x2: a cluster has places on a node and nodes; write for example cluster:4x16");
    EXPECT_EQ(refusal("torus:65536x65536 placement=spread", 4),
              "topology torus: 65536x65536 has more than 2^31-1 ranks");
}

}  // namespace
}  // namespace emulation
