// SPDX-License-Identifier: BSD-3-Clause
// What sequences of messages have in common.
#include "app/analysis/schedule/message_signature.hpp"

#include "engine/catalogue/catalogue.hpp"
#include "engine/catalogue/variants.hpp"
#include "tests/support/planned_sequences.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace app::analysis {
namespace {

/// The length of a longest common subsequence, cell by cell.
std::size_t common(const std::vector<Token>& a, const std::vector<Token>& b) {
    std::vector<std::vector<std::size_t>> longest(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 1; i <= a.size(); ++i)
        for (std::size_t j = 1; j <= b.size(); ++j)
            longest[i][j] =
                a[i - 1] == b[j - 1] ? longest[i - 1][j - 1] + 1 : std::max(longest[i - 1][j], longest[i][j - 1]);
    return longest[a.size()][b.size()];
}

/// What likeness() says in words, looked up in all of both.
double slowLikeness(const Sequences& a, const Sequences& b) {
    std::size_t ends = 0, both = 0;
    for (std::size_t rank = 0; rank < a.perRank.size(); ++rank) {
        ends += a.perRank[rank].size() + b.perRank[rank].size();
        both += 2 * common(a.perRank[rank], b.perRank[rank]);
    }
    return ends == 0 ? 1 : 1 - static_cast<double>(ends - both) / static_cast<double>(ends);
}

TEST(Likeness, isWhatAllRanksHaveInCommon) {
    int enough = 0, tooFew = 0;
    for (const engine::Problem& problem : {support::bcast(8, 0, 4096), support::allreduce(9, 72)}) {
        std::vector<engine::Plan> plans;
        for (const engine::Algorithm* algorithm : engine::algorithmsFor(problem.collective))
            for (engine::Plan& plan : engine::variants(*algorithm, problem, {.numbers = {2, 3}, .most = 6}))
                plans.push_back(std::move(plan));
        std::vector<Sequences> sequences;
        for (const engine::Plan& plan : plans) sequences.push_back(support::planned(*plan.schedule));
        // Whether tokens are sorted beforehand makes no difference.
        for (std::size_t i = 0; i < sequences.size(); i += 2) sortTokens(sequences[i]);
        for (std::size_t i = 0; i < plans.size(); ++i)
            for (std::size_t j = 0; j < plans.size(); ++j) {
                if (sequences[i].perRank.size() != sequences[j].perRank.size()) continue;
                const double wanted = slowLikeness(sequences[i], sequences[j]);
                for (const double least : {0.0, 0.3, 0.8, 1.0}) {
                    PlannedTokens planned{*plans[j].schedule};
                    ASSERT_DOUBLE_EQ(likeness(sequences[i], planned, least), wanted + 1e-9 < least ? 0 : wanted)
                        << plans[i].algorithm->id << ' ' << plans[j].algorithm->id << " at least " << least;
                    ++(wanted < least ? tooFew : enough);
                }
            }
    }
    EXPECT_GT(enough, 1000);
    EXPECT_GT(tooFew, 1000);
}

TEST(Likeness, looksNoFartherThanItMust) {
    const engine::Problem problem = support::bcast(64, 0, 4096);
    const engine::Plan chain = engine::makePlan(engine::algorithmNamed("bcast/chain"), problem, {});
    const engine::Plan flat = engine::makePlan(engine::algorithmNamed("bcast/flat"), problem, {});
    PlannedTokens planned{*chain.schedule};
    EXPECT_EQ(likeness(support::planned(*flat.schedule), planned, 0.8), 0);
    EXPECT_EQ(planned.looked(), chain.schedule->facts().rounds) << "the root alone tells";
}

TEST(Likeness, isThereWhenItIsJustEnough) {
    // A chain of six, and one of which the last hop goes elsewhere: four of five messages, and (1 - 0.8) * 20 is a
    // little less than 4.
    const engine::Plan chain = engine::makePlan(engine::algorithmNamed("bcast/chain"), support::bcast(6, 0, 64), {});
    Sequences seen = support::planned(*chain.schedule);
    ASSERT_EQ(seen.perRank[5].size(), 1U);
    seen.perRank[5][0] += 1, seen.perRank[4].back() += 1;
    PlannedTokens planned{*chain.schedule};
    EXPECT_DOUBLE_EQ(likeness(seen, planned, 0.8), 0.8);
    EXPECT_DOUBLE_EQ(likeness(seen, planned, 0.81), 0);
    EXPECT_DOUBLE_EQ(likeness(seen, planned), 0.8);
}

}  // namespace
}  // namespace app::analysis
