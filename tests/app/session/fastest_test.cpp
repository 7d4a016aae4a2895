// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/sweep/fastest.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/live/replacement_rules.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace app {
namespace {

using engine::Collective;
using engine::Picoseconds;

TEST(Rules, holdFromOneSizeToTheNext) {
    const std::vector<Fastest> all{{2, 8, "allreduce/bruck:n=1", {}},      {2, 64, "allreduce/bruck:n=1", {}},
                                   {2, 512, "allreduce/ring", {}},         {4, 8, "allreduce/bruck:n=1", {}},
                                   {4, 64, "allreduce/bruck:n=1", {}},     {4, 512, "allreduce/ring", {}},
                                   {6, 8, "allreduce/binomial-tree", {}},  {6, 64, "allreduce/binomial-tree", {}},
                                   {6, 512, "allreduce/binomial-tree", {}}};
    const std::string words = rulesOf(Collective::allreduce, all);
    EXPECT_EQ(words,
              "allreduce intra 2..5 512..512 allreduce/ring\n"
              "allreduce intra 2..5 8..511 allreduce/bruck:n=1\n"
              "allreduce intra 6..6 8..512 allreduce/binomial-tree\n");
    EXPECT_EQ(
        triedIn(all),
        "# tried on 2 ranks, bytes: 8, 64, 512\n# tried on 4 ranks, bytes: 8, 64, 512\n# tried on 6 ranks, bytes: 8, 64, 512\n");
    EXPECT_EQ(engine::live::rulesFromText(words, "here").size(), 3U);
}

std::vector<RunWish> wishes(const std::vector<std::string>& ids, const std::vector<std::int64_t>& ranks,
                            const std::vector<engine::Bytes>& sizes) {
    std::vector<RunWish> all;
    for (const std::string& id : ids)
        for (const std::int64_t n : ranks)
            for (const engine::Bytes size : sizes)
                all.push_back({.algorithm = id, .problem = {.ranks = n, .size = size}});
    return all;
}

TEST(Rules, takeTheFastestOfThoseThatFit) {
    // pairwise-exchange on three ranks folds one in: bruck is faster there; where vectors are large, the ring is.
    const auto all = fastestOf(
        wishes({"allreduce/pairwise-exchange", "allreduce/bruck", "allreduce/ring"}, {3, 4}, {8, 1 << 20}), 2, {});
    ASSERT_EQ(all.size(), 4U);
    EXPECT_EQ(all[0].way, "allreduce/bruck");
    EXPECT_EQ(all[1].way, "allreduce/ring");
    EXPECT_EQ(all[2].way, "allreduce/pairwise-exchange") << "as fast as bruck, and first";
    EXPECT_EQ(all[2].bytes, 8);
    EXPECT_EQ(all[3].way, "allreduce/ring");
    auto twice = wishes({"allreduce/ring", "allreduce/ring"}, {3}, {8});
    EXPECT_THROW(fastestOf(twice, 1, {}), engine::Error);
    auto refused = wishes({"allreduce/dissemination"}, {5}, {8});
    const auto refusal = [](const auto& act) {
        try {
            act();
        } catch (const engine::Error& error) {
            return std::string{error.what()};
        }
        return std::string{};
    };
    const std::string why = refusal([&] { (void)makePlan(refused.front()); });
    EXPECT_NE(why, "");
    EXPECT_EQ(refusal([&] { (void)fastestOf(refused, 1, {}); }), why) << "nobody fits: the reason of the first";
}

TEST(Rules, areWrittenForEveryCollective) {
    for (const engine::Collective collective : engine::collectives()) {
        const engine::Algorithm& first = *engine::algorithmsFor(collective).front();
        RunWish wish{.algorithm = first.id, .problem = {.size = 8}};
        if (engine::isIntergroup(collective)) wish.problem.groupA = wish.problem.groupB = 4;
        else wish.problem.ranks = 8;
        if (collective == engine::Collective::barrier) wish.problem.size = 0;
        const auto all = fastestOf({wish}, 1, {});
        ASSERT_EQ(all.size(), 1U) << first.id;
        const auto rules = engine::live::rulesFromText(rulesOf(collective, all), "rules");
        ASSERT_GE(rules.size(), 1U) << first.id;
        for (const engine::live::Rule& rule : rules) {
            EXPECT_EQ(rule.algorithm->id, first.id);
            EXPECT_EQ(rule.inter, engine::isIntergroup(collective)) << first.id;
        }
    }
    // A program calls MPI_Allgather or MPI_Allgatherv, and both are that collective.
    EXPECT_EQ(rulesOf(Collective::allgatherv, {{4, 8, "allgatherv/bruck", {}}}),
              "allgather intra 4..4 8..8 allgatherv/bruck\nallgatherv intra 4..4 8..8 allgatherv/bruck\n");
    RunWish exchange{.algorithm = "alltoallv/flat", .problem = {.ranks = 4, .size = 100}};
    EXPECT_EQ(fastestOf({exchange}, 1, {}).at(0).bytes, 1600) << "of all ranks for all";
}

/// Whatever was tried, no rule says anything of other ranks or sizes, and each decides as the trial did.
TEST(Rules, coverNothingThatWasNotTried) {
    std::mt19937 random{8};
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    for (int trial = 0; trial < 500; ++trial) {
        std::vector<Fastest> all;
        std::int64_t ranks = 1 + below(4);
        for (int r = 0; r < 1 + below(5); ++r, ranks += 1 + below(6)) {
            engine::Bytes bytes = below(3) == 0 ? 0 : 1 + below(1000);
            for (int b = 0; b < 1 + below(5); ++b, bytes += 1 + below(100'000))
                all.push_back({ranks, bytes, below(2) == 0 ? "allreduce/ring" : "allreduce/bruck", {}});
        }
        const auto rules = engine::live::rulesFromText(rulesOf(Collective::allreduce, all), "rules");
        const auto wayFor = [&](const Fastest& one) -> std::string {
            for (const engine::live::Rule& rule : rules)
                if (rule.ranks.has(one.ranks) && rule.bytes.has(one.bytes)) return rule.words;
            return "";
        };
        for (const Fastest& one : all) ASSERT_EQ(wayFor(one), one.way) << "trial " << trial;
        engine::Bytes least = all.front().bytes, most = 0;
        for (const Fastest& one : all) {
            least = std::min(least, one.bytes);
            most = std::max(most, one.bytes);
        }
        for (const engine::live::Rule& rule : rules) {
            ASSERT_GE(rule.ranks.low, all.front().ranks);
            ASSERT_LE(rule.ranks.high, all.back().ranks);
            ASSERT_GE(rule.bytes.low, least);
            ASSERT_LE(rule.bytes.high, most);
        }
    }
}

TEST(Rules, nameWhatWasChosen) {
    RunWish wish{.algorithm = "allreduce/bruck", .problem = {.ranks = 96, .size = 8, .ports = 8}};
    wish.options = {{"n", "best"}};
    EXPECT_EQ(fastestOf({wish}, 1, {}).at(0).way, "allreduce/bruck:n=4");
    wish.options.clear();
    EXPECT_EQ(fastestOf({wish}, 1, {}).at(0).way, "allreduce/bruck:n=8");
    const auto ways = waysOf(engine::algorithmNamed("allreduce/bruck"));
    EXPECT_EQ(ways,
              (std::vector<std::string>{"allreduce/bruck", "allreduce/bruck:n=best", "allreduce/bruck:groups=auto"}));
    RunWish gather{.algorithm = "allgatherv/bruck", .problem = {.ranks = 4, .size = 100}};
    EXPECT_EQ(fastestOf({gather}, 1, {}).at(0).bytes, 400);
}

}  // namespace
}  // namespace app
