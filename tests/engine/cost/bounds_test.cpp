// SPDX-License-Identifier: BSD-3-Clause
#include "engine/cost/bounds.hpp"

#include "tests/support/problems.hpp"

#include <gtest/gtest.h>

namespace engine {
namespace {

using namespace support;

std::int64_t unitRounds(const Problem& problem, const Wiring& wiring) {
    return boundsOf(problem, wiring).unitRounds.value().value;
}

TEST(Bounds, onARingTheFarthestReceiverWaitsForItsFirstMessage) {
    EXPECT_EQ(unitRounds(halfduplex(4, 6), Wiring::ring(10)), 4 - 1 + 3);
    EXPECT_EQ(unitRounds(halfduplex(3, 5), Wiring::ring(8)), 3 - 1 + 3);
    EXPECT_EQ(unitRounds(halfduplex(1, 4), Wiring::ring(5)), 1 - 1 + 2 + 1) << "one sender starts one way only";
    EXPECT_EQ(unitRounds(halfduplex(3, 5), Wiring::ring(10)), 5) << "dummies do not change the problem's bound";
}

TEST(Bounds, fullyConnectedReceiversAreReachedInRoundsThatDouble) {
    EXPECT_EQ(unitRounds(halfduplex(8, 8), Wiring::any()), 8);
    EXPECT_EQ(unitRounds(halfduplex(2, 7), Wiring::any()), 2 - 1 + 3);
    EXPECT_EQ(boundsOf(halfduplex(6, 2), Wiring::any()).startups.value, 3);
    EXPECT_EQ(boundsOf(halfduplex(6, 2, 10), Wiring::any()).volume.value, 60);
}

TEST(Bounds, onATorusWhoseSendersAreASlab) {
    EXPECT_EQ(unitRounds(halfduplex(8, 24), Wiring::torus({8, 4})), 8 - 1 + 3);
}

TEST(Bounds, ofABroadcastGrowWithTheLogarithmOfTheRanks) {
    const Bounds bounds = boundsOf(bcast(9, 0, 1000), Wiring::any());
    EXPECT_EQ(bounds.startups.value, 4);
    EXPECT_EQ(bounds.volume.value, 1000);
    const Model model{.alpha = Picoseconds{10}, .beta = Rate{1000}};
    EXPECT_EQ(timeBound(bounds, model), Picoseconds{40 + 1000});
    Problem ported = bcast(9, 0, 1000);
    ported.ports = 2;
    EXPECT_EQ(boundsOf(ported, Wiring::any()).startups.value, 2);
    EXPECT_EQ(boundsOf(ported, Wiring::any()).volume.value, 500);
    EXPECT_EQ(boundsOf(bcast(1), Wiring::any()).startups.value, 0);
    EXPECT_EQ(boundsOf(bcast(1), Wiring::any()).volume.value, 0);
}

TEST(Bounds, ofAnAllgatherCountTheBytesThatAreNotOnesOwn) {
    const Bounds bounds = boundsOf(allgatherv({5, 0, 7}), Wiring::any());
    EXPECT_EQ(bounds.volume.value, 12);
    EXPECT_EQ(bounds.unitRounds.value().value, 2) << "who has nothing takes in two contributions";
    EXPECT_EQ(leastCost(bounds, Blocks::whole, {}).value(), (Cost{.startups = 2, .volume = 12}));
    EXPECT_EQ(unitRounds(allgatherv({4, 4, 4}), Wiring::any()), 2);
}

TEST(Bounds, onTimeAreTheLargerOfStartupsAndOfBytesAfterTheFirst) {
    Bounds bounds;
    bounds.anyMessages = {{.startups = 3}, {.startups = 1, .volume = 100}};
    const auto time = [&](std::int64_t alpha, std::int64_t beta) {
        return timeBound(bounds, {.alpha = Picoseconds{alpha}, .beta = Rate{1000 * beta}}).count();
    };
    EXPECT_EQ(time(10, 2), 10 + 200);
    EXPECT_EQ(time(100, 2), 300) << "startups 300, bytes 100 + 200";
    EXPECT_EQ(time(101, 2), 303);
    EXPECT_EQ(time(99, 2), 299);
}

TEST(Bounds, ofReductions) {
    EXPECT_EQ(boundsOf(allreduce(5, 20), Wiring::any()).startups.value, 3);
    EXPECT_EQ(boundsOf(allreduce(5, 20), Wiring::any()).volume.value, 32);
    EXPECT_EQ(boundsOf(barrier(8), Wiring::any()).volume.value, 0);
}

Problem onVectors(Collective collective, int p, int q, Bytes vector) {
    return {.collective = collective, .groupA = p, .groupB = q, .layout = Layout::regular(p + q, vector)};
}

TEST(Bounds, ofAReduceArriveAsABroadcastLeaves) {
    const Problem reduce = onVectors(Collective::reduce, 5, 0, 20);
    const Bounds bounds = boundsOf(reduce, Wiring::any());
    EXPECT_EQ(bounds.startups.value, 3);
    EXPECT_EQ(bounds.volume.value, 20);
    EXPECT_EQ(bounds.firstByte, 3);
    EXPECT_EQ(boundsOf(reduce, Wiring::any(), Sends::areFree).firstByte, 1);
}

TEST(Bounds, ofAReduceScatterSpareTheSmallestBlock) {
    EXPECT_EQ(boundsOf(onVectors(Collective::reduceScatter, 4, 0, 16), Wiring::any()).volume.value, 12);
    EXPECT_EQ(boundsOf(onVectors(Collective::reduceScatter, 4, 0, 20), Wiring::any()).volume.value, 16)
        << "five elements in blocks of 1, 1, 1 and 2";
}

TEST(Bounds, betweenGroupsWaitForTheFirstByte) {
    const Bounds all = boundsOf(onVectors(Collective::intergroupAllreduce, 4, 2, 8), Wiring::any());
    EXPECT_EQ(all.startups.value, 3) << "a rank of B hears of four";
    EXPECT_EQ(all.volume.value, 8);
    EXPECT_EQ(all.firstByte, 3) << "a result at that rank is a broadcast backwards";
    const Bounds one = boundsOf(onVectors(Collective::intergroupReduce, 4, 2, 8), Wiring::any());
    EXPECT_EQ(one.startups.value, 2) << "the root, of A, hears of two";
    EXPECT_EQ(one.firstByte, 2);
}

TEST(Bounds, ofPersonalBytesLeaveOutWhatARankKeeps) {
    const Problem problem{.collective = Collective::alltoallv,
                          .groupA = 3,
                          .layout = Layout::irregular({100, 1, 2, 3, 100, 4, 5, 6, 100})};
    EXPECT_EQ(boundsOf(problem, Wiring::any()).volume.value, 5 + 6) << "rank 2 hands out more than anybody takes in";
    EXPECT_EQ(boundsOf(problem, Wiring::any(), Sends::areFree).volume.value, 3 + 5) << "of rank 0";
}

TEST(Bounds, onUnequalBlocksCountTheSmallestBeforeTheFirst) {
    // The last of B hears of A's 10 bytes in round 3; before that, each round has some block, of 2 bytes at least.
    const Problem problem{.collective = Collective::intergroupAllgatherv,
                          .groupA = 1,
                          .groupB = 4,
                          .layout = Layout::irregular({10, 2, 2, 2, 2})};
    const Model bytesOnly{.alpha = {}, .beta = Rate{1000}};
    EXPECT_EQ(timeBound(boundsOf(problem, Wiring::any()), Blocks::whole, bytesOnly), Picoseconds{10 + 2 * 2});
}

TEST(Bounds, underLogGPLetASenderGoOnAfterTheGap) {
    Model model;
    model.logGP = LogGP{.latency = Picoseconds{5000},
                        .overhead = Picoseconds{1000},
                        .gap = Picoseconds{3000},
                        .gapPerByte = Rate{1000},
                        .overheadPerByte = {}};
    // A message takes 7000, the next follows after 3000. Told are: 7000, 10000, and from 6000 and 7000 on 13000, 14000.
    EXPECT_EQ(timeBound(boundsOf(bcast(2, 0, 1), Wiring::any()), model), Picoseconds{7000});
    EXPECT_EQ(timeBound(boundsOf(bcast(3, 0, 1), Wiring::any()), model), Picoseconds{10000});
    EXPECT_EQ(timeBound(boundsOf(bcast(5, 0, 1), Wiring::any()), model), Picoseconds{14000});
    EXPECT_EQ(timeBound(boundsOf(allgatherv({100, 100}), Wiring::any()), Blocks::whole, model), Picoseconds{7099})
        << "one block, of 99 bytes more";
}

}  // namespace
}  // namespace engine
