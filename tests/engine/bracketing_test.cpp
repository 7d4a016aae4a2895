// SPDX-License-Identifier: BSD-3-Clause
#include "engine/bracketing.hpp"

#include "engine/catalogue.hpp"
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
