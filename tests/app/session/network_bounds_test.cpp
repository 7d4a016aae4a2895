// SPDX-License-Identifier: BSD-3-Clause
// Bounds that know the network, as runs report them: one for a problem and a network, whatever clock ran the algorithm.
#include "app/session/session.hpp"
#include "emulation/networks/rank_placement.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/catalogue.hpp"

#include <gtest/gtest.h>

namespace app {
namespace {

using engine::Picoseconds;

RunWish wish(const std::string& algorithm, std::int64_t ranks, std::int64_t size, const std::string& topology) {
    RunWish one{.algorithm = algorithm, .network = {.topology = topology}};
    one.problem.ranks = ranks;
    one.problem.size = size;
    return one;
}

TEST(NetworkBounds, areOneForAProblemAndANetwork) {
    struct Row {
        std::string algorithm;
        std::int64_t ranks;
        std::int64_t size;
        std::string topology;
        double microseconds;  // of the links alone
    };
    const double block = 65536 * 0.4e-3;
    const std::vector<Row> rows{
        {"alltoallv/pairwise-exchange", 16, 65536, "ring", 32 * block},
        {"alltoallv/pairwise-exchange", 16, 65536, "fat-tree:4x4,taper=4", 48 * block},
        {"alltoallv/pairwise-exchange", 16, 65536, "mesh:4x4", 16 * block},
        {"alltoallv/pairwise-exchange", 12, 65536, "dragonfly:3,2,2", 18 * block},
        {"allgatherv/bruck", 16, 65536, "cluster:4,nics=1,between=1us+4ns/B", 12 * 65536 * 4e-3},
        {"allreduce/ring", 16, 1 << 20, "cluster:4,nics=1,between=1us+4ns/B", 1.5 * (1 << 20) * 4e-3},
    };
    for (const Row& row : rows)
        for (const auto sharing : {emulation::Sharing::bottleneck, emulation::Sharing::fair,
                                   emulation::Sharing::fairWeighted, emulation::Sharing::none})
            for (const auto stepping : {emulation::Stepping::free, emulation::Stepping::lockstep}) {
                RunWish one = wish(row.algorithm, row.ranks, row.size, row.topology);
                one.sharing = sharing;
                one.stepping = stepping;
                const Report report = execute(one);
                const std::string where = engine::text(row.algorithm, " on ", row.topology);
                ASSERT_TRUE(report.timeBound()) << where;
                if (sharing == emulation::Sharing::none) {
                    EXPECT_FALSE(report.limits->network) << where;
                    continue;
                }
                EXPECT_NEAR(static_cast<double>(report.timeBound()->count()) / 1e6, row.microseconds + 1, 0.001)
                    << where;
                EXPECT_FALSE(report.limits->beaten) << where;
                ASSERT_NE(report.binding(), nullptr) << where;
                const auto load = report.bindingLoad();
                ASSERT_TRUE(load) << where;
                EXPECT_GE(static_cast<double>(load->all), report.binding()->bytes / 2) << where;
            }
}

/// Links that are 8 times slower are a part of the network; what they force is unevenness, not congestion.
TEST(NetworkBounds, countLinksThatAreSlow) {
    RunWish one = wish("allgatherv/linear-ring", 8, 65536, "ring");
    one.sharing = emulation::Sharing::fair;
    const Picoseconds even = *execute(one).timeBound();
    one.perturbation = emulation::perturbationFromText("slow-links=3-4:8,5-4:8");
    const Report report = execute(one);
    EXPECT_NEAR(static_cast<double>(report.timeBound()->count()), 1e6 + 7 * 65536 * 400.0 * 8, 2)
        << "seven blocks come to rank 4 over slow links, one at a time";
    EXPECT_GT(*report.timeBound(), even);
    ASSERT_TRUE(report.gap);
    EXPECT_EQ(report.gap->sum(), report.run->duration - *report.timeBound());
    EXPECT_EQ(report.gap->congestion, Picoseconds{}) << "each link carries one message at a time";
}

/// Under the default clock messages of different rounds do not share links. Who is faster for that is not said to have
/// beaten a bound.
TEST(NetworkBounds, areNotHeldAgainstClocksThatCanBeatThem) {
    int beaten = 0;
    for (const engine::Algorithm* algorithm : engine::catalogue()) {
        if (isIntergroup(algorithm->collective)) continue;
        for (const char* topology : {"ring", "mesh:3x4", "fat-tree:4x3,taper=4", "cluster:4,between=1us+4ns/B"})
            for (const char* arrival : {"", "arrival=ramp:900us"}) {
                RunWish one = wish(algorithm->id, 12, 4096, topology);
                one.perturbation = emulation::perturbationFromText(arrival);
                Report report;
                try {
                    report = execute(one);
                } catch (const engine::Error&) {
                    continue;  // not for these ranks or this network
                }
                if (!report.limits || !report.timeBound()) continue;
                EXPECT_GE(report.run->duration, *report.timeBound()) << algorithm->id << " on " << topology;
                if (report.gap) {
                    EXPECT_EQ(report.gap->sum(), report.run->duration - *report.timeBound())
                        << algorithm->id << " on " << topology;
                }
                if (!report.limits->beaten) continue;
                ++beaten;
                EXPECT_EQ(*report.timeBound(), *report.limits->held().fullNetworkTime);
                EXPECT_EQ(report.binding(), nullptr);
            }
    }
    RecordProperty("beaten", beaten);
}

TEST(NetworkBounds, areDroppedForARunThatIsFaster) {
    Report report = execute(wish("alltoallv/pairwise-exchange", 16, 65536, "ring"));
    analysis::Limits limits = *report.limits;
    const Picoseconds full = *limits.held().fullNetworkTime;
    limits.compareWith(*limits.held().time);
    EXPECT_FALSE(limits.beaten);
    limits.compareWith(*limits.held().time - Picoseconds{1});
    EXPECT_TRUE(limits.beaten);
    EXPECT_EQ(*limits.held().time, full);
    EXPECT_EQ(limits.networkForces(), Picoseconds{});
    report.limits = limits;
    EXPECT_EQ(report.binding(), nullptr);
}

/// Where startups between far ranks decide, no cut is named as the reason.
TEST(NetworkBounds, nameNoCutWhereStartupsDecide) {
    const Report report = execute(wish("bcast/binomial-tree", 16, 8, "ring:link=3us+2ns/B"));
    ASSERT_TRUE(report.limits && report.limits->network);
    EXPECT_GT(report.limits->networkForces(), Picoseconds{});
    EXPECT_EQ(report.binding(), nullptr) << report.limits->held().parts.words;
    EXPECT_EQ(*report.timeBound(), Picoseconds{25'000'000}) << "1 us and 8 links of 3 us to the opposite rank";
}

/// A random placement of ranks changes no bound of a problem whose ranks are alike.
TEST(NetworkBounds, doNotDependOnWhoStandsWhere) {
    for (const char* algorithm : {"allgatherv/linear-ring", "allreduce/ring", "alltoallv/pairwise-exchange"})
        for (const char* topology : {"mesh:3x4", "fat-tree:4x3,taper=4", "torus:3x4"}) {
            RunWish one = wish(algorithm, 12, 4096, topology);
            const Report block = execute(one);
            one.network.placement = "random:7";
            const Report random = execute(one);
            ASSERT_TRUE(block.limits->network && random.limits->network) << algorithm << topology;
            EXPECT_EQ(block.limits->network->time(), random.limits->network->time()) << algorithm << topology;
        }
}

}  // namespace
}  // namespace app
