// SPDX-License-Identifier: BSD-3-Clause
#include "engine/proof/bracketing.hpp"

#include "engine/catalogue/catalogue.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>

namespace engine {
namespace {

Bracketing of(const std::string& id, const Problem& problem) {
    return bracketingOf(*makePlan(algorithmNamed(id), problem, {}).schedule, problem);
}

TEST(Bracketing, isThatOfTheTree) {
    const Bracketing tree = of("allreduce/binomial-tree", support::allreduce(5, 8));
    EXPECT_EQ(tree.sameBits, SameBits::always);
    for (const Bracketed& one : tree.results)
        EXPECT_EQ(tree.brackets.words(one.expression), "(((0 1) (2 3)) 4)") << one.rank.value;
}

TEST(Bracketing, ofAnExchangeDiffersInOrderOnly) {
    EXPECT_EQ(of("allreduce/pairwise-exchange", support::allreduce(4, 8)).sameBits, SameBits::always);
    // Ranks 0 and 2 append 4's and 5's vectors before the butterfly.
    EXPECT_NE(of("allreduce/pairwise-exchange", support::allreduce(6, 8)).sameBits, SameBits::notAlways);
}

TEST(Bracketing, ofRunsThatGoRoundIsAnotherOnEachRank) {
    EXPECT_EQ(of("allreduce/bruck", support::allreduce(5, 8)).sameBits, SameBits::notAlways);
}

/// Blocks of a ring are bracketed differently, but each of them alike everywhere.
TEST(Bracketing, ofARingIsThatOfTheBlock) {
    const Bracketing ring = of("allreduce/ring", support::allreduce(3, 12));
    EXPECT_EQ(ring.sameBits, SameBits::always);
    ASSERT_EQ(ring.results.size(), 9U);
    EXPECT_EQ(ring.brackets.words(ring.results[0].expression), "((1 2) 0)");
    EXPECT_EQ(ring.brackets.words(ring.results[1].expression), "((2 0) 1)");
    EXPECT_EQ(ring.results[1].range, (Range{4, 8}));
}

TEST(Brackets, knowWhenOrderAloneDiffers) {
    Brackets brackets{4};
    const auto pair = [&](int a, int b) { return brackets.joined(a, b); };
    const Brackets::Id one = brackets.joined(pair(0, 1), pair(2, 3));
    const Brackets::Id turned = brackets.joined(pair(3, 2), pair(0, 1));
    const Brackets::Id other = brackets.joined(pair(0, 2), pair(1, 3));
    EXPECT_NE(one, turned);
    EXPECT_EQ(brackets.unordered(one), brackets.unordered(turned));
    EXPECT_NE(brackets.unordered(one), brackets.unordered(other));
    EXPECT_EQ(brackets.joined(pair(0, 1), pair(2, 3)), one);
}

TEST(Brackets, areToldInFewLetters) {
    Brackets brackets{8};
    Brackets::Id chain = 0;
    for (int rank = 1; rank < 8; ++rank) chain = brackets.joined(chain, rank);
    EXPECT_EQ(brackets.words(chain, 80), "(((((((0 1) 2) 3) 4) 5) 6) 7)");
    EXPECT_EQ(brackets.words(chain, 16), "(((0..4 5) 6) 7)");
    EXPECT_EQ(brackets.words(chain, 1), "(0..6 7)") << "at least the last of them";
    EXPECT_EQ(brackets.words(5, 1), "5");
    EXPECT_EQ(brackets.leaves(chain), (std::vector<std::int32_t>{0, 1, 2, 3, 4, 5, 6, 7}));
    Brackets::Id even = 6;
    for (const int rank : {4, 2, 0}) even = brackets.joined(rank, even);
    EXPECT_EQ(brackets.words(brackets.joined(even, 7), 1), "([4 ranks] 7)");
}

TEST(Brackets, areTheSameInThoseThatTakeThemOver) {
    Brackets first{4};
    const Brackets::Id one = first.joined(first.joined(0, 1), first.joined(2, 3));
    Brackets second{5};
    const Brackets::Id other = second.joined(second.joined(2, 3), 4);
    Brackets both{5};
    const auto ofFirst = both.takeOver(first);
    const auto ofSecond = both.takeOver(second);
    EXPECT_EQ(both.words(ofFirst[static_cast<std::size_t>(one)]), "((0 1) (2 3))");
    EXPECT_EQ(both.words(ofSecond[static_cast<std::size_t>(other)]), "((2 3) 4)");
    const auto [left, right] = both.sides(ofFirst[static_cast<std::size_t>(one)]);
    EXPECT_EQ(right, both.sides(ofSecond[static_cast<std::size_t>(other)]).first) << "(2 3) is one";
}

/// Every join of the history is one that a rank makes with what it has: the same results, in the same brackets.
TEST(JoinHistory, leadsToTheSameBrackets) {
    for (const Algorithm* algorithm : algorithmsFor(Collective::allreduce))
        for (const std::int32_t ranks : {2, 3, 5, 8}) {
            const Problem problem = support::allreduce(ranks, 4 * ranks);
            const Options options{algorithm->id, algorithm->options, {}};
            if (algorithm->objects && algorithm->objects(problem, options)) continue;
            const SchedulePtr schedule = makePlan(*algorithm, problem, {}).schedule;
            const JoinHistory history = joinsOf(*schedule, problem);
            const Bracketing found = bracketingOf(*schedule, problem);
            const auto words = [&](auto&& self, Brackets::Id id) -> std::string {
                if (history.isLeaf(id)) return std::to_string(id);
                const Join& join = history.join(id);
                return "(" + self(self, join.left) + " " + self(self, join.right) + ")";
            };
            // Parts that are bracketed alike may have been joined in different rounds.
            for (const Bracketed& one : history.results)
                for (const Bracketed& other : found.results)
                    if (one.rank == other.rank && one.range.begin < other.range.end &&
                        other.range.begin < one.range.end) {
                        ASSERT_EQ(words(words, one.expression), found.brackets.words(other.expression))
                            << algorithm->id << " on " << ranks;
                    }
        }
    const JoinHistory ring = joinsOf(
        *makePlan(algorithmNamed("allreduce/ring"), support::allreduce(3, 12), {}).schedule, support::allreduce(3, 12));
    const Join& last = ring.join(ring.results[0].expression);
    EXPECT_EQ(last.round, Round{1});
    EXPECT_EQ(last.rank, Rank{0}) << "(1 2) comes to rank 0, which joins its own";
    EXPECT_EQ(ring.join(last.left), (Join{1, 2, Round{0}, Rank{2}}));
}

/// What the brackets say is what floats do: sums of numbers of very different sizes, bit by bit.
TEST(Bracketing, foretellsTheBitsOfFloatingPointSums) {
    for (const Algorithm* algorithm : algorithmsFor(Collective::allreduce))
        for (const std::int32_t ranks : {3, 4, 5, 7, 8}) {
            const Problem problem = support::allreduce(ranks, 4 * ranks);
            const Options options{algorithm->id, algorithm->options, {}};
            if (algorithm->objects && algorithm->objects(problem, options)) continue;
            const Bracketing found = of(algorithm->id, problem);
            const auto value = [&](auto&& self, Brackets::Id id) -> float {
                if (found.brackets.isLeaf(id)) return 1.0F / static_cast<float>(1 << (7 * (id % 4))) * (id % 2 ? 3 : 7);
                const auto [left, right] = found.brackets.sides(id);
                return self(self, left) + self(self, right);
            };
            if (found.sameBits == SameBits::notAlways) continue;
            for (const Bracketed& one : found.results)
                for (const Bracketed& other : found.results)
                    if (one.range == other.range) {
                        ASSERT_EQ(std::bit_cast<std::uint32_t>(value(value, one.expression)),
                                  std::bit_cast<std::uint32_t>(value(value, other.expression)))
                            << algorithm->id << " on " << ranks;
                    }
        }
}

}  // namespace
}  // namespace engine
