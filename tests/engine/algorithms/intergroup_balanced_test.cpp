// SPDX-License-Identifier: BSD-3-Clause
// The balanced exchange for uneven contributions: proofs, the time of each direction, golden vectors.
#include "engine/stages/intergroup_pieces.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/proofs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace engine {
namespace {

using Sizes = std::vector<Bytes>;

Problem fullDuplex(const Sizes& kA, const Sizes& kB) {
    Sizes sizes = kA;
    sizes.insert(sizes.end(), kB.begin(), kB.end());
    return {.collective = Collective::intergroupAllgatherv,
            .groupA = static_cast<std::int32_t>(kA.size()),
            .groupB = static_cast<std::int32_t>(kB.size()),
            .layout = Layout::irregular(sizes)};
}

Plan planOf(const Problem& problem, const std::string& order) {
    return makePlan(algorithmNamed("intergroup-allgatherv/balanced"), problem, {{"order", order}});
}

/// One direction of the exchange stage.
struct Direction {
    Bytes time = 0;  ///< without startups, when a piece starts as soon as both its ports have done the one before
    std::int64_t pieces = 0;
};

/// What comes to B (or to A) in the exchange of `plan`, taken alone.
Direction exchange(const Plan& plan, bool toB) {
    const Facts& facts = plan.schedule->facts();
    std::vector<Bytes> sendFree(static_cast<std::size_t>(facts.ranks));
    std::vector<Bytes> receiveFree(sendFree);
    Direction direction;
    Turn turn;
    for (Round round{0}; round.value < facts.rounds; ++round) {
        if (facts.stages[static_cast<std::size_t>(plan.schedule->stageOf(round))].name != "exchange") break;
        for (Rank rank{0}; rank.value < facts.ranks; ++rank) {
            plan.schedule->turn(rank, round, turn);
            for (const Message& message : turn.receives()) {
                if ((rank.value >= plan.problem.groupA) != toB) continue;
                Bytes& sender = sendFree[message.peer.index()];
                Bytes& receiver = receiveFree[rank.index()];
                sender = receiver = std::max(sender, receiver) + message.bytes;
                direction.time = std::max(direction.time, receiver);
                ++direction.pieces;
            }
        }
    }
    return direction;
}

Sizes randomSizes(std::mt19937& random, std::int32_t count, Bytes most) {
    Sizes sizes;
    for (std::int32_t i = 0; i < count; ++i)
        sizes.push_back(random() % 4 == 0 ? 0 : static_cast<Bytes>(random() % static_cast<unsigned>(most)));
    return sizes;
}

/// The least time one direction can take: its longest contribution must leave, and a receiver must get its range.
Bytes leastTime(const Sizes& sizes, std::size_t receivers) {
    const Bytes total = std::accumulate(sizes.begin(), sizes.end(), Bytes{0});
    const auto ranges = static_cast<Bytes>(receivers);
    return std::max(*std::max_element(sizes.begin(), sizes.end()), (total + ranges - 1) / ranges);
}

TEST(Balanced, IsProvedForAllGroupSizesAndOrders) {
    std::mt19937 random{7};
    for (const char* order : {"paper", "rank", "greedy"})
        for (std::int32_t p = 1; p <= 24; ++p)
            for (std::int32_t q = 1; q <= 24; ++q) {
                const auto equal = [](std::int32_t n, Bytes k) { return Sizes(static_cast<std::size_t>(n), k); };
                support::proved(planOf(fullDuplex(equal(p, 12), equal(q, 12)), order));
                support::proved(planOf(fullDuplex(equal(p, 5), equal(q, 0)), order));
                support::proved(planOf(fullDuplex(equal(p, 1), equal(q, 120)), order));
                support::proved(planOf(fullDuplex(randomSizes(random, p, 60), randomSizes(random, q, 9)), order));
            }
}

TEST(Balanced, TakesTheLeastTimePerDirectionInThePapersOrder) {
    std::mt19937 random{11};
    for (int i = 0; i < 1000; ++i) {
        const auto p = static_cast<std::int32_t>(1 + random() % 20);
        const auto q = static_cast<std::int32_t>(1 + random() % 20);
        const Sizes kA = randomSizes(random, p, i % 2 == 0 ? 50 : 3);
        const Sizes kB = randomSizes(random, q, 50);
        const Plan plan = planOf(fullDuplex(kA, kB), "paper");
        const Direction toB = exchange(plan, true);
        const Direction toA = exchange(plan, false);
        EXPECT_EQ(toB.time, leastTime(kA, kB.size())) << toText(plan.problem);
        EXPECT_EQ(toA.time, leastTime(kB, kA.size())) << toText(plan.problem);
        EXPECT_LE(std::max(toB.pieces, toA.pieces), p + q - 1) << toText(plan.problem);
    }
}

TEST(Balanced, AgreesWithGoldenVectorsPerDirection) {
    for (const auto& golden : support::goldenCases("golden-intergroup.json", "s0_alg2")) {
        const Problem problem = fullDuplex(golden["params"]["ka"], golden["params"]["kb"]);
        for (const std::string order : {"paper", "rank", "greedy"}) {
            const Plan plan = planOf(problem, order);
            const Verdict verdict = support::proved(plan);
            const Direction toB = exchange(plan, true);
            const Direction toA = exchange(plan, false);
            EXPECT_EQ((std::vector{toB.time, toA.time}),
                      golden["exchange_A_to_B_and_B_to_A"][order].get<std::vector<Bytes>>())
                << order << golden["params"];
            EXPECT_EQ(toB.pieces, golden["pieces_A"]);
            EXPECT_EQ(toA.pieces, golden["pieces_B"]);
            EXPECT_EQ(verdict.bytes, golden["volume"]);
        }
    }
}

TEST(Balanced, AgreesWithGoldenVectorsForEqualSizes) {
    for (const auto& golden : support::goldenCases("golden-intergroup.json", "s0_alg2/uniform")) {
        const auto& params = golden["params"];
        const std::size_t p = params["p"];
        const std::size_t q = params["q"];
        const Plan plan = planOf(fullDuplex(Sizes(p, Bytes{params["ka"]}), Sizes(q, Bytes{params["kb"]})), "paper");
        const Verdict verdict = support::proved(plan);
        EXPECT_EQ(verdict.bytes, golden["volume"]) << params;
        if (std::max(p, q) % std::min(p, q) != 0) continue;
        EXPECT_EQ(verdict.rounds, golden["rounds"]) << params;
        EXPECT_EQ(verdict.lockstep.volume, golden["tw_sync"]) << params;
    }
}

TEST(Balanced, OrdersDifferAsThePaperSays) {
    // Rank order makes a chain of all pieces; the paper's order lets senders overlap.
    const Problem problem = fullDuplex(Sizes(8, 12), Sizes(3, 12));
    EXPECT_EQ(exchange(planOf(problem, "paper"), true).time, 32);
    EXPECT_EQ(exchange(planOf(problem, "greedy"), true).time, 36);
    EXPECT_EQ(exchange(planOf(problem, "rank"), true).time, 96);
}

TEST(IntergroupPieces, FollowTheBordersOfBothGroups) {
    const stages::IntergroupPieces cuts{Layout::irregular({3, 5, 2, 9, 4, 7}), 0, 6, 2, stages::CutOrder::paper};
    std::vector<std::vector<Bytes>> rows;
    for (const stages::Cut& cut : cuts.pieces()) rows.push_back({cut.sender, cut.receiver, cut.bytes.begin, cut.round});
    const std::vector<std::vector<Bytes>> expected{{0, 0, 0, 1},  {1, 0, 3, 2},  {2, 0, 8, 3}, {3, 0, 10, 0},
                                                   {3, 1, 15, 2}, {4, 1, 19, 0}, {5, 1, 23, 1}};
    EXPECT_EQ(rows, expected);
}

}  // namespace
}  // namespace engine
