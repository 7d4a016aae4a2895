// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/bounds/algorithm_ranking.hpp"

#include "app/analysis/network/link_loads.hpp"
#include "emulation/clocks/virtual_clock.hpp"
#include "engine/base/error.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "engine/problem/sizes.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>

namespace app::analysis {
namespace {

using engine::Picoseconds;
using engine::Rank;
using engine::Round;

/// Träff et al. 2010, figure 4: one rank has all 30 x 32 MB.
engine::Problem broadcastSizes(std::int32_t ranks, engine::Bytes base) {
    return {.collective = engine::Collective::allgatherv,
            .groupA = ranks,
            .layout = engine::distributionNamed("broadcast").sizes(ranks, base)};
}

TEST(AlgorithmRanking, recommendsThePipelinedRingForBroadcastSizes) {
    const engine::Problem problem = broadcastSizes(16, 1 << 24);
    const AlgorithmRanking answer = whatIf(problem, {}, "ring");
    ASSERT_FALSE(answer.ranked.empty());
    EXPECT_EQ(answer.ranked.front().id(), "allgatherv/pipelined-ring");
    const engine::Plan linear = engine::makePlan(engine::algorithmNamed("allgatherv/linear-ring"), problem, {});
    const double factor = static_cast<double>(emulatedTime(linear, {}, "ring").count()) /
                          static_cast<double>(answer.ranked.front().time.count());
    EXPECT_GT(factor, 12) << "the limit for large sizes is p - 1 = 15";
    EXPECT_LE(factor, 15);
}

TEST(AlgorithmRanking, isSortedAndNamesEachAlgorithmOnce) {
    const AlgorithmRanking answer = whatIf(support::bcast(12, 3, 100'000), {}, "");
    EXPECT_GT(answer.ranked.size(), 4U);
    std::vector<std::string> ids;
    for (std::size_t i = 0; i < answer.ranked.size(); ++i) {
        EXPECT_LE(answer.ranked[i == 0 ? 0 : i - 1].time, answer.ranked[i].time);
        ids.push_back(answer.ranked[i].id());
        EXPECT_EQ(emulatedTime(answer.ranked[i].plan, {}, ""), answer.ranked[i].time) << ids.back();
        EXPECT_LE(answer.ranked[i].plan.schedule->facts().ports, 1) << ids.back();
    }
    std::sort(ids.begin(), ids.end());
    EXPECT_EQ(std::adjacent_find(ids.begin(), ids.end()), ids.end());
}

TEST(AlgorithmRanking, saysWhatItLeftOut) {
    const AlgorithmRanking answer =
        whatIf({.collective = engine::Collective::reduceScatter, .groupA = 3, .layout = engine::Layout::regular(3, 24)},
               {}, "");
    EXPECT_TRUE(std::any_of(answer.left.begin(), answer.left.end(), [](const std::string& words) {
        return words.rfind("reduce-scatter/bine", 0) == 0;
    })) << testing::PrintToString(answer.left);
    EXPECT_THROW(whatIf(support::allgatherv({8, 8, 8}), {}, "rung"), engine::Error);
}

/// Two messages that share 0 -> 1 on a ring of four, then one alone.
engine::Run sharedRing() {
    engine::RunBuilder builder{4, 2, {}};
    const auto add = [&](int from, int to, int round, engine::Bytes bytes, int begin, int end) {
        builder.message({Rank{from}, Rank{to}, Round{round}, bytes, Picoseconds{begin}, Picoseconds{end},
                         Picoseconds{begin}, Picoseconds{end}},
                        {});
    };
    add(0, 1, 0, 100, 0, 100);
    add(3, 1, 0, 300, 0, 100);
    add(2, 3, 1, 50, 150, 200);
    return builder.finish();
}

TEST(LinkLoads, areCountedPerLinkRoundAndWindow) {
    const engine::Run run = sharedRing();
    const emulation::NetworkPtr ring = emulation::makeNetwork("ring", 4);
    const auto links = linkLoads(run, *ring);
    ASSERT_EQ(links.size(), 3U);
    EXPECT_EQ(ring->linkName(links[0].link), "0 -> 1");
    EXPECT_EQ(links[0].bytes, 400);
    EXPECT_EQ(links[0].messages, 2);
    const auto rounds = roundLoads(run, *ring);
    ASSERT_EQ(rounds.size(), 2U);
    EXPECT_EQ(rounds[0].sharing, 2);
    EXPECT_EQ(rounds[0].bytes, 400);
    EXPECT_EQ(rounds[0].mean, 350);
    EXPECT_EQ(ring->linkName(rounds[1].worst), "2 -> 3");
    const auto windows = windowLoads(run, {{}, run.duration}, *ring, 4, engine::Rate{100});
    ASSERT_EQ(windows.size(), 3U) << "nothing moves between 100 and 150";
    EXPECT_EQ(windows[0].bytes, 200);
    EXPECT_TRUE(windows[0].hot && windows[1].hot && !windows[2].hot);
    EXPECT_DOUBLE_EQ(*windows[0].use, 0.4);
    EXPECT_EQ(windows[2].begin, Picoseconds{150});
    EXPECT_TRUE(linkLoads(run, *emulation::makeNetwork("full", 4)).empty());
}

}  // namespace
}  // namespace app::analysis
