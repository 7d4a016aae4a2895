// SPDX-License-Identifier: BSD-3-Clause
// Orders of ranks on hosts: what crosses the network before and after. Expected bytes are counted by hand.
#include "app/session/tune/placement.hpp"
#include "engine/base/error.hpp"

#include <gtest/gtest.h>

namespace app::tune {
namespace {

TEST(Hosts, areReadAsLaunchersWriteThem) {
    const auto hosts =
        hostsFrom("# two\nnode1 slots=4 switch=a/b\nnode2:3 switch=a/c # three\n\nnode3 switch=b/d\n", "hosts");
    ASSERT_EQ(hosts.size(), 3U);
    EXPECT_EQ(hosts[0].slots, 4);
    EXPECT_EQ(hosts[0].switches, (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(hosts[1].slots, 3);
    EXPECT_EQ(hosts[2].slots, 1);
    for (const char* words : {"", "node1 switch=a\nnode2", "node1 slots=0", "node1 cores=2", "node1\nnode1:2"})
        EXPECT_THROW(hostsFrom(words, "hosts"), engine::Error) << words;
}

TEST(Hosts, haveLevelsBetweenThem) {
    const auto hosts = hostsFrom("a switch=x/1\nb switch=x/1\nc switch=x/2\nd switch=y/1\n", "hosts");
    EXPECT_EQ(levelBetween(hosts[0], hosts[1]), 1);
    EXPECT_EQ(levelBetween(hosts[0], hosts[2]), 2);
    EXPECT_EQ(levelBetween(hosts[0], hosts[3]), 3);
    EXPECT_EQ(levelNames(hosts).size(), 4U);
}

TEST(RankOrders, keepPartnersTogether) {
    // Ranks r and r + 4 exchange 100 bytes, neighbours 1.
    PairTraffic traffic;
    for (std::int32_t r = 0; r < 4; ++r) traffic[{r, r + 4}] = 100;
    for (std::int32_t r = 0; r < 7; ++r) traffic[{r, r + 1}] += 1;
    const auto hosts = hostsFrom("a:2\nb:2\nc:2\nd:2\n", "hosts");
    const RankOrder before = filledInOrder(hosts, 8);
    EXPECT_EQ(before, (RankOrder{0, 0, 1, 1, 2, 2, 3, 3}));
    EXPECT_EQ(bytesByLevel(hosts, before, traffic), (std::vector<engine::Bytes>{4, 403}));
    const RankOrder after = betterOrder(hosts, before, traffic);
    EXPECT_EQ(bytesByLevel(hosts, after, traffic), (std::vector<engine::Bytes>{400, 7}));
    for (std::int32_t r = 0; r < 4; ++r)
        EXPECT_EQ(after[static_cast<std::size_t>(r)], after[static_cast<std::size_t>(r) + 4]);
    EXPECT_THROW(filledInOrder(hosts, 9), engine::Error);
}

TEST(RankOrders, keepPartnersBelowOneSwitch) {
    PairTraffic traffic{{{0, 2}, 100}, {{1, 3}, 100}};
    const auto hosts = hostsFrom("a switch=x\nb switch=x\nc switch=y\nd switch=y\n", "hosts");
    const RankOrder before = filledInOrder(hosts, 4);
    EXPECT_EQ(bytesByLevel(hosts, before, traffic), (std::vector<engine::Bytes>{0, 0, 200}));
    EXPECT_EQ(bytesByLevel(hosts, betterOrder(hosts, before, traffic), traffic),
              (std::vector<engine::Bytes>{0, 200, 0}));
}

TEST(RankOrders, stayWhereNothingIsGained) {
    PairTraffic all;
    for (std::int32_t a = 0; a < 6; ++a)
        for (std::int32_t b = a + 1; b < 6; ++b) all[{a, b}] = 5;
    const auto hosts = hostsFrom("a:3\nb:3\n", "hosts");
    const RankOrder before = filledInOrder(hosts, 6);
    EXPECT_EQ(betterOrder(hosts, before, all), before);
}

TEST(RankOrders, becomeFilesOfLaunchers) {
    const auto hosts = hostsFrom("a:2\nb:2\n", "hosts");
    const RankOrder order{0, 1, 0, 1};
    EXPECT_EQ(asRankfile(hosts, order), "rank 0=a slot=*\nrank 1=b slot=*\nrank 2=a slot=*\nrank 3=b slot=*\n");
    EXPECT_EQ(asHostList(hosts, order), "a\nb\na\nb\n");
}

}  // namespace
}  // namespace app::tune
