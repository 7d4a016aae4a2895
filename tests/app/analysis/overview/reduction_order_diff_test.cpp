// SPDX-License-Identifier: BSD-3-Clause
// Why does the same input give another result: sizes, ranks and roots that change the order of reduction, and those
// that do not.
#include "app/analysis/overview/reduction_order_diff.hpp"

#include "engine/catalogue/catalogue.hpp"
#include "engine/proof/bracketing.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/small_runs.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace app::analysis {
namespace {

using samples::rowsOf;

Contestant of(const std::string& id, const engine::Problem& problem,
              const std::map<std::string, std::string>& options = {}) {
    Contestant one{.label = id, .trace = {}};
    one.trace.report.plan = makePlan(engine::algorithmNamed(id), problem, options);
    one.trace.report.run = std::make_shared<const engine::Run>();
    return one;
}

engine::Problem reduction(engine::Collective collective, int ranks, engine::Bytes size, int root = 0) {
    engine::Problem problem = support::allreduce(ranks, size);
    problem.collective = collective;
    problem.root = engine::Rank{root};
    return problem;
}

TEST(BracketChanges, ofATreeNeedMoreThanAnotherSize) {
    const auto table = bracketChanges(of("allreduce/binomial-tree", support::allreduce(5, 8)),
                                      of("allreduce/binomial-tree", support::allreduce(5, 4000)));
    EXPECT_EQ(rowsOf(table.value()), "");
    EXPECT_EQ(table->remarks,
              std::vector<std::string>{"all 2 elements are reduced in the same order: the same input gives the same "
                                       "bits"});
}

/// Blocks of 4 and of 5 elements: the fifth is in the first block, or in the second.
TEST(BracketChanges, ofARingComeWithTheSize) {
    const auto table = bracketChanges(of("allreduce/ring", support::allreduce(3, 60)),
                                      of("allreduce/ring", support::allreduce(3, 48)));
    EXPECT_EQ(rowsOf(table.value()), "4 0 - brackets ((1 2) 0) ((2 0) 1)\n");
    EXPECT_EQ(table->remarks[0].substr(0, 51), "3 of 12 elements are reduced in different orders in");
    EXPECT_EQ(table->remarks[1], "the two differ in the size (60 B and 48 B)");
}

TEST(BracketChanges, findTheRankThatHasTheResultInTheOther) {
    const auto table = bracketChanges(of("reduce/flat", reduction(engine::Collective::reduce, 4, 8, 0)),
                                      of("reduce/flat", reduction(engine::Collective::reduce, 4, 8, 2)));
    ASSERT_EQ(table.value().rows.size(), 1U);
    EXPECT_EQ(std::get<std::int64_t>(table->rows[0][1]), 0);
    EXPECT_EQ(std::get<std::int64_t>(table->rows[0][2]), 2);
    EXPECT_EQ(table->remarks[1], "the two differ in the root (0 and 2)");
}

TEST(BracketChanges, areOfOtherOperandsWithOtherRanks) {
    const auto table = bracketChanges(of("allreduce/binomial-tree", support::allreduce(4, 8)),
                                      of("allreduce/binomial-tree", support::allreduce(5, 8)));
    EXPECT_EQ(rowsOf(table.value()), "0 0 - operands ((0 1) (2 3)) (((0 1) (2 3)) 4)\n");
    EXPECT_EQ(table->remarks[0],
              "2 of 2 elements are reduced in different orders in the two runs: these are not results of the "
              "same vectors");
}

TEST(BracketChanges, leaveOutWhatIsAlike) {
    const engine::Problem problem = reduction(engine::Collective::reduce, 5, 8);
    const auto table =
        bracketChanges(of("reduce/flat", problem, {{"groups", "2"}}), of("reduce/chain", problem, {{"groups", "2"}}));
    EXPECT_EQ(rowsOf(table.value()), "0 0 - brackets ... ((0 1) 2) ... ... (0 (1 2)) ...\n") << "(3 4) is in both";
}

/// Rank 2 gets ((0 1) 2) from both, rank 3 not the same.
TEST(BracketChanges, ofPrefixesBeginWhereTheyDiffer) {
    const auto table = bracketChanges(of("scan/linear", reduction(engine::Collective::scan, 6, 8)),
                                      of("scan/recursive-doubling", reduction(engine::Collective::scan, 6, 8)));
    EXPECT_EQ(rowsOf(table.value()), "0 3 - brackets (((0 1) 2) 3) ((0 1) (2 3))\n");
}

TEST(BracketChanges, areNoneOfWhatIsNotReduced) {
    EXPECT_FALSE(bracketChanges(of("bcast/flat", support::bcast(4)), of("bcast/chain", support::bcast(4))));
    Contestant foreign{.label = "trace", .trace = {}};
    foreign.trace.report.run = std::make_shared<const engine::Run>();
    EXPECT_FALSE(bracketChanges(foreign, of("allreduce/ring", support::allreduce(4))));
}

/// Against element by element, rank by rank, in words: every pair of algorithms on several sizes.
TEST(BracketChanges, areTheFirstOfAllElements) {
    std::vector<Contestant> all;
    for (const char* id : {"allreduce/ring", "allreduce/reduce-scatter-allgather", "allreduce/pairwise-exchange",
                           "allreduce/binomial-tree", "allreduce/circulant"})
        for (const engine::Bytes size : {20, 32, 36}) all.push_back(of(id, support::allreduce(5, size)));
    int different = 0;
    for (const Contestant& one : all)
        for (const Contestant& other : all) {
            const auto inWords = [](const Contestant& of, engine::Bytes at, engine::Rank rank) -> std::string {
                const engine::Plan& plan = *of.trace.report.plan;
                const engine::Bracketing found = bracketingOf(*plan.schedule, plan.problem);
                for (const engine::Bracketed& result : found.results)
                    if (result.rank == rank && result.range.begin <= at && at < result.range.end)
                        return found.brackets.words(result.expression);
                return {};
            };
            std::string wanted;
            const engine::Bytes common = std::min(one.trace.report.plan->problem.layout.largest(),
                                                  other.trace.report.plan->problem.layout.largest());
            for (engine::Bytes at = 0; at < common && wanted.empty(); at += 4)
                for (engine::Rank rank{0}; rank.value < 5 && wanted.empty(); ++rank)
                    if (inWords(one, at, rank) != inWords(other, at, rank))
                        wanted = engine::text(at / 4, ' ', rank, ' ');
            const auto table = bracketChanges(one, other);
            EXPECT_EQ(rowsOf(table.value()).substr(0, wanted.size()), wanted) << one.label << ' ' << other.label;
            EXPECT_EQ(table->rows.empty(), wanted.empty());
            different += wanted.empty() ? 0 : 1;
        }
    EXPECT_GT(different, 100);
}

}  // namespace
}  // namespace app::analysis
