// SPDX-License-Identifier: BSD-3-Clause
// Max-min fairness as mathematics: capacities and routes, and the rates that follow.
#include "emulation/fair/fair_shares.hpp"

#include "tests/support/reference/slow_fair.hpp"

#include <gtest/gtest.h>

#include <random>

namespace emulation {
namespace {

using engine::LinkId;

constexpr FairShares::Rate one = FairShares::mostCapacity;

/// Links 0, 1, ... with capacities in sixteenths of `one`.
FairShares links(const std::vector<int>& sixteenths) {
    std::vector<FairShares::Rate> capacities;
    for (const int each : sixteenths) capacities.push_back(one / 16 * static_cast<FairShares::Rate>(each));
    return FairShares{std::move(capacities)};
}

void add(FairShares& shares, int flow, const std::vector<int>& route, FairShares::Weight weight = 1) {
    std::vector<LinkId> ids;
    for (const int link : route) ids.emplace_back(link);
    shares.add(flow, ids, weight);
}

/// The rate in sixteenths of `one`.
double sixteenths(const FairShares& shares, int flow) {
    return static_cast<double>(shares.rate(flow)) / static_cast<double>(one) * 16;
}

TEST(FairShares, oneFlowHasItsNarrowestLink) {
    FairShares shares = links({8, 2, 16});
    add(shares, 0, {0, 1, 2});
    shares.settle();
    EXPECT_EQ(sixteenths(shares, 0), 2);
}

TEST(FairShares, equalFlowsHaveEqualShares) {
    FairShares shares = links({16});
    for (int flow = 0; flow < 4; ++flow) add(shares, flow, {0});
    shares.settle();
    for (int flow = 0; flow < 4; ++flow) EXPECT_EQ(sixteenths(shares, flow), 4);
}

TEST(FairShares, whatOneFlowCannotUseTheOthersHave) {
    // Flow 0 crosses both links, 1 the first, 2 and 3 the second: link 1 gives 4 each, link 0 leaves 12 to flow 1.
    FairShares shares = links({16, 12});
    add(shares, 0, {0, 1});
    add(shares, 1, {0});
    add(shares, 2, {1});
    add(shares, 3, {1});
    shares.settle();
    EXPECT_EQ(sixteenths(shares, 0), 4);
    EXPECT_EQ(sixteenths(shares, 1), 12);
    EXPECT_EQ(sixteenths(shares, 2), 4);
    EXPECT_EQ(sixteenths(shares, 3), 4);
}

TEST(FairShares, aParkingLotIsFairToTheLongFlow) {
    // One flow over all links, one over each: everyone has half, as the books say (Bertsekas and Gallager).
    FairShares shares = links({16, 16, 16});
    add(shares, 0, {0, 1, 2});
    for (int link = 0; link < 3; ++link) add(shares, link + 1, {link});
    shares.settle();
    for (int flow = 0; flow < 4; ++flow) EXPECT_EQ(sixteenths(shares, flow), 8);
}

TEST(FairShares, weightsAreProportions) {
    FairShares shares = links({16});
    add(shares, 0, {0}, 1);
    add(shares, 1, {0}, 3);
    shares.settle();
    EXPECT_EQ(sixteenths(shares, 0), 4);
    EXPECT_EQ(sixteenths(shares, 1), 12);
}

TEST(FairShares, tellsOnlyWhoseRateChanged) {
    FairShares shares = links({16, 16, 16});
    add(shares, 0, {0});
    add(shares, 1, {1});
    EXPECT_EQ(shares.settle().size(), 2);
    add(shares, 2, {1, 2});
    const auto changed = shares.settle();
    EXPECT_EQ(std::vector<int>(changed.begin(), changed.end()).size(), 2) << "1 and 2, not 0";
    EXPECT_TRUE(shares.settle().empty()) << "nothing happened";
    shares.remove(1);
    EXPECT_EQ(shares.settle().size(), 1);
    EXPECT_EQ(sixteenths(shares, 2), 16);
    EXPECT_EQ(sixteenths(shares, 0), 16);
}

/// Flows come and go at random; after each settling every rate must be that of the slow solver, and no link overfull.
TEST(FairShares, agreesWithTheSlowSolverWhileFlowsComeAndGo) {
    std::mt19937 random{20261121};
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    for (int trial = 0; trial < 300; ++trial) {
        const int count = 1 + below(8);
        std::vector<int> capacity;
        std::vector<double> capacities;
        for (int l = 0; l < count; ++l) capacity.push_back(trial % 2 == 0 ? 16 : 1 + below(16));
        for (const int each : capacity) capacities.push_back(each);
        FairShares shares = links(capacity);
        std::map<int, support::SlowFlow> here;
        for (int step = 0; step < 20; ++step) {
            for (int change = 1 + below(3); change > 0; --change) {
                const int flow = below(10);
                if (here.erase(flow) > 0) {
                    shares.remove(flow);
                    continue;
                }
                std::vector<int> route;
                for (int l = 0; l < count; ++l)
                    if (below(2) == 0) route.push_back(l);
                if (route.empty()) route.push_back(below(count));
                const int weight = trial % 3 == 0 ? 1 + below(5) : 1;
                add(shares, flow, route, static_cast<FairShares::Weight>(weight));
                here[flow] = {route, static_cast<double>(weight)};
            }
            shares.settle();
            std::vector<support::SlowFlow> flows;
            for (const auto& [flow, way] : here) flows.push_back(way);
            const std::vector<double> expected = support::fairRates(capacities, flows);
            std::size_t i = 0;
            std::vector<unsigned __int128> used(static_cast<std::size_t>(count));
            for (const auto& [flow, way] : here) {
                ASSERT_NEAR(sixteenths(shares, flow), expected[i++], 1e-9) << "trial " << trial << ", step " << step;
                for (const int link : way.links) used[static_cast<std::size_t>(link)] += shares.rate(flow);
            }
            for (int l = 0; l < count; ++l)
                ASSERT_LE(used[static_cast<std::size_t>(l)],
                          one / 16 * static_cast<FairShares::Rate>(capacity[static_cast<std::size_t>(l)]));
        }
    }
}

}  // namespace
}  // namespace emulation
