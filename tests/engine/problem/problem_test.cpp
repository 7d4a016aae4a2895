// SPDX-License-Identifier: BSD-3-Clause
#include "engine/problem/problem.hpp"

#include "engine/base/error.hpp"
#include "engine/problem/contract.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>

namespace engine {
namespace {

using namespace support;

TEST(Problem, survivesBeingWrittenAndRead) {
    Problem torus = halfduplex(4, 12);
    torus.torus = {4, 4};
    Problem reduce = allreduce(7, 16);
    reduce.operation = Operation::max;
    reduce.element = Element::float64;
    reduce.ports = 3;
    for (const Problem& problem :
         {halfduplex(4, 6), torus, reduce, bcast(9, 3), barrier(5), allgatherv({3, 0, 0, 7, 7, 7}), allgatherv({1})})
        EXPECT_EQ(problemFromText(toText(problem)), problem) << toText(problem);
    EXPECT_EQ(toText(allgatherv({3, 0, 0, 7})), "allgatherv n=4 sizes=3,2x0,7");
}

std::string objection(const Problem& problem) {
    try {
        validate(problem);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(Problem, refusesNumbersThatDoNotFit) {
    EXPECT_EQ(objection(halfduplex(4, 6)), "");
    EXPECT_EQ(objection(halfduplex(4, 0)), "group B has 0 ranks; it needs at least 1");
    EXPECT_EQ(objection(bcast(4, 4)), "root 4 is outside 0..3");
    EXPECT_EQ(objection(bcast(4, -1)), "root -1 is outside 0..3");
    EXPECT_EQ(objection(allreduce(4, 13)),
              "size: 13 B is not a multiple of an element of type int32 (4 B); write for example 16");
    Problem torus = halfduplex(4, 6);
    torus.torus = {3, 3};
    EXPECT_EQ(objection(torus), "torus:3x3 has 9 places for 10 ranks");
    EXPECT_EQ(objection(halfduplex(2147483647, 2147483647, 0)),
              "4294967294 ranks are too many; at most 2147483639 can be numbered");
}

TEST(Contract, saysWhoHoldsWhatBeforeAndAfter) {
    const Problem half = halfduplex(2, 3, 10);
    EXPECT_EQ(Contract{half}.before(Rank{1}), (Range{10, 20}));
    EXPECT_TRUE(Contract{half}.before(Rank{2}).empty());
    EXPECT_TRUE(Contract{half}.after(Rank{1}).empty());
    EXPECT_EQ(Contract{half}.after(Rank{4}), (std::vector<Range>{{0, 20}}));
    EXPECT_TRUE(Contract{half}.after(Rank{5}).empty()) << "a dummy needs nothing";

    const Problem full{.collective = Collective::intergroupAllgatherv,
                       .groupA = 2,
                       .groupB = 1,
                       .layout = Layout::irregular({4, 6, 5})};
    EXPECT_EQ(Contract{full}.after(Rank{0}), (std::vector<Range>{{10, 15}}));
    EXPECT_EQ(Contract{full}.after(Rank{2}), (std::vector<Range>{{0, 10}}));

    const Problem one = bcast(3, 2, 7);
    EXPECT_EQ(Contract{one}.before(Rank{2}), (Range{0, 7}));
    EXPECT_TRUE(Contract{one}.before(Rank{0}).empty());
}

TEST(Problem, namesTheContributionOfAPairAndItsEnds) {
    for (const Problem& problem :
         {Problem{.collective = Collective::alltoallv, .groupA = 5, .layout = Layout::regular(25, 4)},
          Problem{.collective = Collective::intergroupAlltoallv,
          .groupA = 3,
          .groupB = 2,
          .layout = Layout::regular(12, 4)}}) {
        validate(problem);
        EXPECT_EQ(problemFromText(toText(problem)), problem);
        for (Block block{0}; block.value < problem.layout.count(); ++block) {
            const Rank from = ownerOf(problem, block);
            const Rank to = *receiverOf(problem, block);
            EXPECT_EQ(blockBetween(problem, from, to), block);
            // What one rank brings lies end to end.
            const Range own = Contract{problem}.before(from);
            EXPECT_LE(own.begin, problem.layout.offset(block.value));
            EXPECT_GE(own.end, problem.layout.offset(block.value + 1));
        }
    }
    Problem tooMany{.collective = Collective::alltoallv, .groupA = 50'000};
    EXPECT_THROW(validate(tooMany), Error);
}

TEST(Problem, cutsVectorsOnlyBetweenElements) {
    for (const Element element : {Element::int32, Element::float64})
        for (const std::int32_t ranks : {1, 2, 3, 7, 16})
            for (const Bytes elements : {0, 1, 2, 13, 160}) {
                const Problem problem{.collective = Collective::reduceScatter,
                                      .groupA = ranks,
                                      .layout = Layout::regular(ranks, elements * sizeOf(element)),
                                      .element = element};
                const VectorCut blocks = blocksOf(problem);
                ASSERT_EQ(blocks.count(), ranks);
                for (std::int32_t i = 0; i < ranks; ++i) {
                    EXPECT_EQ(blocks[i].begin, i * elements / ranks * sizeOf(element));
                    EXPECT_EQ(blocks[i].end, (i + 1) * elements / ranks * sizeOf(element));
                    EXPECT_LE(blocks[i].size(), blocks.largest());
                    EXPECT_GE(blocks[i].size(), blocks.smallest());
                    EXPECT_EQ(blocks.bytes(i, ranks), elements * sizeOf(element));
                }
            }
}

TEST(Problem, takesOrderedOperationsOnWholeMatricesOnly) {
    Problem problem{.collective = Collective::scan,
                    .groupA = 3,
                    .layout = Layout::regular(3, 32),
                    .operation = Operation::ordered,
                    .exclusive = true};
    validate(problem);
    EXPECT_EQ(problemFromText(toText(problem)), problem);
    problem.layout = Layout::regular(3, 24);
    EXPECT_THROW(validate(problem), Error);
    problem.layout = Layout::regular(3, 32);
    problem.element = Element::float32;
    EXPECT_THROW(validate(problem), Error);
}

}  // namespace
}  // namespace engine
