// SPDX-License-Identifier: BSD-3-Clause
// Each building block is proved inside a small collective: gather + broadcast is an allgather, scatter + allgather is
// a broadcast.
#include "engine/proof/verify.hpp"
#include "engine/stages/allgather.hpp"
#include "engine/stages/binomial.hpp"
#include "engine/stages/member_mapping.hpp"

#include <gtest/gtest.h>

namespace engine::stages {
namespace {

Problem allgatherOf(const std::vector<Bytes>& sizes) {
    return {.collective = Collective::allgatherv,
            .groupA = static_cast<std::int32_t>(sizes.size()),
            .layout = Layout::irregular(sizes)};
}

std::vector<Bytes> oddSizes(std::int32_t ranks) {
    std::vector<Bytes> sizes;
    for (std::int32_t r = 0; r < ranks; ++r) sizes.push_back((r * 7 + 3) % 5);
    return sizes;
}

Problem broadcastOf(std::int32_t ranks, Rank root, Bytes bytes) {
    return {.collective = Collective::bcast, .groupA = ranks, .layout = Layout::regular(1, bytes), .root = root};
}

class Stages : public testing::TestWithParam<std::int32_t> {
protected:
    std::int32_t n = GetParam();
    Group all{0, n};
    Facts facts{.ranks = n};
};

TEST_P(Stages, BinomialGatherThenBroadcastIsAnAllgather) {
    const Problem problem = allgatherOf(oddSizes(n));
    facts.repeats = "everything comes back from the root";
    const auto schedule = then(facts, on(all, "gather", BinomialGather{blocks(problem.layout, 0, n)}),
                               on(all, "broadcast", BinomialBroadcast{n, problem.layout.whole()}));
    const Verdict verdict = verify(*schedule, problem);
    EXPECT_TRUE(verdict.proved) << verdict.counterExample;
    EXPECT_EQ(verdict.rounds, 2 * ceilLog2(n));
}

TEST_P(Stages, RingAllgather) {
    const Problem problem = allgatherOf(oddSizes(n));
    facts.wiring = Wiring::ring(n);
    const Verdict verdict = verify(*then(facts, on(all, "ring", RingAllgather{blocks(problem.layout, 0, n)})), problem);
    EXPECT_TRUE(verdict.proved) << verdict.counterExample;
    EXPECT_EQ(verdict.rounds, n - 1);
    EXPECT_EQ(verdict.bytes, (n - 1) * problem.layout.total());
}

TEST_P(Stages, BruckAllgather) {
    const Problem problem = allgatherOf(oddSizes(n));
    const auto schedule = then(facts, on(all, "bruck", BruckAllgather{blocks(problem.layout, 0, n)}));
    const Verdict verdict = verify(*schedule, problem);
    EXPECT_TRUE(verdict.proved) << verdict.counterExample;
    EXPECT_EQ(verdict.rounds, ceilLog2(n));
    EXPECT_EQ(verdict.bytes, (n - 1) * problem.layout.total());
}

TEST_P(Stages, ScatterThenRingFromAnyRootIsABroadcast) {
    for (const Bytes bytes : {0, 1, 29, 1000})
        for (const Rank root : {Rank{0}, Rank{n - 1}, Rank{n / 2}}) {
            const Problem problem = broadcastOf(n, root, bytes);
            Facts repeating = facts;
            repeating.repeats = "the root and inner nodes of the tree get their bytes again";
            const auto shares = pieces(problem.layout.whole(), n);
            const Verdict verdict = verify(*then(repeating, onAllFrom(n, root, "scatter", BinomialScatter{shares}),
                                                 onAllFrom(n, root, "ring", RingAllgather{shares})),
                                           problem);
            EXPECT_TRUE(verdict.proved) << verdict.counterExample;
        }
}

TEST_P(Stages, SharesOfSeveralRanges) {
    const Problem problem = broadcastOf(n, Rank{0}, 6 * n + 5);
    facts.repeats = "as above";
    const auto line = pieces(problem.layout.whole(), 2 * n);
    const auto each = [line, count = n](std::int32_t i, auto&& take) {  // share i: pieces i and count + i
        take(line.cyclic(i, 1)[0]);
        take(line.cyclic(count + i, 1)[0]);
    };
    const Scattered shares{n, each};
    const Verdict verdict = verify(
        *then(facts, on(all, "scatter", BinomialScatter{shares}), on(all, "bruck", BruckAllgather{shares})), problem);
    EXPECT_TRUE(verdict.proved) << verdict.counterExample;
}

INSTANTIATE_TEST_SUITE_P(Members, Stages, testing::Values(1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 16, 17, 31, 32, 33));

}  // namespace
}  // namespace engine::stages
