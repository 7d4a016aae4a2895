// SPDX-License-Identifier: BSD-3-Clause
// Which (n, P) n-way dissemination can be adapted to: the search against golden tables and closed statements.
#include "engine/shapes/adaptation.hpp"
#include "engine/shapes/powers.hpp"
#include "tests/support/places.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

namespace engine::shapes {
namespace {

nlohmann::json golden() {
    return nlohmann::json::parse(std::ifstream{support::goldenFolder() / "golden-intragroup.json"});
}

std::vector<std::int32_t> notAdaptable(std::int32_t n, std::int32_t last) {
    std::vector<std::int32_t> found;
    for (std::int32_t ranks = 2; ranks <= last; ++ranks)
        if (!bestAdaptation(n, ranks)) found.push_back(ranks);
    return found;
}

TEST(Adaptation, missesTheRanksOfTheGoldenTable) {
    const auto table = golden().at("meta").at("not_adaptable_128");
    for (std::int32_t n = 1; n <= 8; ++n)
        EXPECT_EQ(notAdaptable(n, 128), table.at(std::to_string(n)).get<std::vector<std::int32_t>>()) << "n = " << n;
}

TEST(Adaptation, missesSoManyRanksUpTo1024) {
    const std::vector<std::size_t> counts{848, 681, 540, 460, 309, 300, 252, 151};
    for (std::int32_t n = 1; n <= 8; ++n)
        EXPECT_EQ(notAdaptable(n, 1024).size(), counts[static_cast<std::size_t>(n - 1)]) << "n = " << n;
}

TEST(Adaptation, hasTheSmallestNOfTheGoldenTable) {
    const auto meta = golden().at("meta");
    for (const auto& [ranks, n] : meta.at("smallest_n").items())
        EXPECT_EQ(smallestAdaptable(std::stoi(ranks)), n.get<std::int32_t>()) << "P = " << ranks;
}

TEST(Adaptation, existsUpToTheCubeOfN) {
    for (std::int32_t n = 1; n <= 9; ++n)
        for (std::int32_t ranks = 2; ranks <= power(n + 1, 3); ++ranks)
            ASSERT_TRUE(bestAdaptation(n, ranks)) << "n = " << n << ", P = " << ranks;
}

TEST(Adaptation, hasItsFirstGapAfterTheCube) {
    EXPECT_EQ(notAdaptable(1, 14).front(), 13);
    for (std::int32_t n = 2; n <= 12; ++n) {
        const std::int64_t base = n + 1;
        const auto gap = static_cast<std::int32_t>(base * base * base + base * base + base + 1);
        EXPECT_EQ(notAdaptable(n, gap), std::vector{gap}) << "n = " << n;
    }
}

TEST(Adaptation, choosesTheGoldenTuples) {
    const auto all = golden();
    int compared = 0;
    for (const auto& one : all.at("cases")) {
        if (one.at("alg") != "allreduce.adapted") continue;
        const std::int32_t ranks = one.at("params").at("P");
        const std::int32_t n = one.at("params").at("n");
        EXPECT_EQ(adaptations(n, ranks).size(), one.at("tuples").get<std::size_t>()) << one.at("id");
        const auto best = bestAdaptation(n, ranks);
        ASSERT_EQ(best.has_value(), one.at("adaptable").get<bool>()) << one.at("id");
        if (!best) continue;
        const auto tuple = one.at("tuple").get<std::vector<std::int32_t>>();
        EXPECT_EQ(
            std::vector({best->senders, best->senderRound, best->receiverRound, best->senderPart, best->receiverPart}),
            tuple)
            << one.at("id");
        EXPECT_EQ(ruleText(*best), one.at("case") == "B" ? "base border" : "case " + one.at("case").get<std::string>());
        EXPECT_EQ(best->fullSenders, one.at("full_senders")) << one.at("id");
        EXPECT_EQ(best->prefix, one.at("prefix_sent")) << one.at("id");
        EXPECT_EQ(best->dropped, one.at("prefix_dropped")) << one.at("id");
        ++compared;
    }
    EXPECT_EQ(compared, 13);
}

TEST(Adaptation, isWrittenAsInThePaper) {
    const auto all = adaptations(2, 8);
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(tupleText(all.front()), "(2, 1, -1, 1, 0)");
    EXPECT_EQ(ruleText(all.front()), "base border");
    EXPECT_EQ(tupleText(all.back()), "(2, 1, 0, 2, 0)");
    EXPECT_EQ(ruleText(all.back()), "case 4");
}

TEST(Adaptation, doesNotUseARankAsItsOwnSender) {
    const auto all = adaptations(2, 6);
    const auto self = std::find_if(all.begin(), all.end(), [](const Adaptation& one) { return !one.usable; });
    ASSERT_NE(self, all.end());
    EXPECT_EQ(tupleText(*self), "(2, 1, 1, 1, 1)");
    EXPECT_EQ(ruleText(*bestAdaptation(2, 6)), "case 3");
}

TEST(Powers, goRound) {
    EXPECT_EQ(ceilLog(3, 1), 0);
    EXPECT_EQ(ceilLog(3, 9), 2);
    EXPECT_EQ(ceilLog(3, 10), 3);
    EXPECT_EQ(around(Rank{1}, -3, 5), Rank{3});
    EXPECT_EQ(around(Rank{4}, 11, 5), Rank{0});
}

}  // namespace
}  // namespace engine::shapes
