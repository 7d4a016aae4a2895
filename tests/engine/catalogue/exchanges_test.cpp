// SPDX-License-Identifier: BSD-3-Clause
// What is said of exchanges in which all ranks take part: rounds, volume, who meets whom, and the order of operands.
#include "engine/base/error.hpp"
#include "engine/shapes/folding.hpp"
#include "engine/shapes/halving.hpp"
#include "engine/shapes/negabinary.hpp"
#include "engine/stages/binomial.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/proofs.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <functional>

namespace engine {
namespace {

using support::planOf;
using support::proved;

Problem vectors(Collective collective, int ranks, Bytes size) {
    return {.collective = collective, .groupA = ranks, .layout = Layout::regular(ranks, size)};
}

Problem alltoall(int ranks, Bytes size, int ports = 1) {
    return {.collective = Collective::alltoallv,
            .groupA = ranks,
            .layout = Layout::regular(ranks * ranks, size),
            .ports = ports};
}

/// Calls `check(from, message)` for all sends.
void onSends(const Plan& plan, const std::function<void(Rank, const Message&)>& check) {
    Turn turn;
    for (Round round{0}; round.value < plan.schedule->facts().rounds; ++round)
        for (Rank rank{0}; rank.value < plan.problem.ranks(); ++rank) {
            plan.schedule->turn(rank, round, turn);
            for (const Message& send : turn.sends()) check(rank, send);
        }
}

TEST(Halving, roundsUp) {
    const std::vector<std::int32_t> of22{22, 11, 6, 3, 2, 1, 1};
    for (std::size_t t = 0; t < of22.size(); ++t) EXPECT_EQ(shapes::halved(22, static_cast<std::int64_t>(t)), of22[t]);
}

TEST(Folding, putsEveryRankInOnePlace) {
    for (std::int32_t ranks = 1; ranks <= 70; ++ranks) {
        const shapes::Folding folding{ranks};
        EXPECT_EQ(folding.first(folding.places()), ranks);
        for (Rank rank{0}; rank.value < ranks; ++rank) {
            const std::int32_t place = folding.placeOf(rank);
            EXPECT_LE(folding.first(place), rank.value);
            EXPECT_GT(folding.first(place + 1), rank.value);
            EXPECT_EQ(folding.paired(rank), folding.first(place + 1) - folding.first(place) == 2);
            EXPECT_TRUE(folding.lower(place) == rank || folding.upper(place) == rank);
        }
    }
}

TEST(Swing, looksToBothSidesOverDistancesThatDouble) {
    const std::vector<std::int64_t> distances{1, -1, 3, -5, 11, -21};
    for (std::size_t s = 0; s < distances.size(); ++s)
        EXPECT_EQ(shapes::swing(static_cast<std::int64_t>(s)), distances[s]);
    for (std::int32_t k = 1; k <= 8; ++k)
        for (Rank rank{0}; rank.value < 1 << k; ++rank) {
            for (std::int32_t step = 0; step < k; ++step) {
                const Rank partner = shapes::swingPartner(rank, step, 1 << k);
                EXPECT_EQ(shapes::swingPartner(partner, step, 1 << k), rank);
            }
            Rank at{0};
            for (std::int32_t step = k - 1; step >= 0; --step)
                if ((shapes::swingSteps(rank.value, 1 << k) >> step & 1) != 0)
                    at = shapes::swingPartner(at, step, 1 << k);
            EXPECT_EQ(at, rank) << "of " << (1 << k);
        }
}

TEST(Circulant, sendsTheLeastInTheFewestRounds) {
    for (int p = 1; p <= 70; ++p) {
        const std::int64_t rounds = stages::ceilLog2(p);
        const Cost half{.startups = rounds, .volume = 8 * (p - 1), .combined = 8 * (p - 1)};
        EXPECT_EQ(proved(planOf("circulant", vectors(Collective::reduceScatter, p, 8 * p))).lockstep, half);
        const Cost both{.startups = 2 * rounds, .volume = 16 * (p - 1), .combined = 8 * (p - 1)};
        EXPECT_EQ(proved(planOf("circulant", vectors(Collective::allreduce, p, 8 * p))).lockstep, both);
    }
}

TEST(Rabenseifner, keepsTheOrderHoweverItFolds) {
    for (int p = 1; p <= 40; ++p)
        for (const char* fold : {"halves", "pairs"})
            for (const Bytes size : {16 * p, 16, 112}) {
                Problem problem = vectors(Collective::allreduce, p, size);
                problem.operation = Operation::ordered;
                proved(planOf("reduce-scatter-allgather", problem, {{"fold", fold}}));
            }
}

TEST(RecursiveDoubling, foldsEndsOrNeighbours) {
    for (int p = 1; p <= 40; ++p) {
        Problem problem = vectors(Collective::allreduce, p, 32);
        problem.operation = Operation::ordered;
        proved(planOf("pairwise-exchange", problem, {{"fold", "pairs"}}));
        const std::int64_t rounds = proved(planOf("butterfly", support::barrier(p), {{"missing", "fold"}})).rounds;
        EXPECT_EQ(rounds, std::bit_width(static_cast<unsigned>(p)) - 1 +
                              (std::has_single_bit(static_cast<unsigned>(p)) ? 0 : 2));
    }
    EXPECT_THROW(planOf("butterfly", support::barrier(5), {{"missing", "fold"}, {"n", "2"}}), Error);
}

TEST(Exchanges, stayBetweenNeighbours) {
    for (int p = 2; p <= 20; ++p) {
        const auto near = [p](Rank from, const Message& send) {
            const int apart = (send.peer.value - from.value + p) % p;
            EXPECT_TRUE(apart == 1 || apart == p - 1) << p;
        };
        onSends(planOf("ring", alltoall(p, 4)), near);
        if (p % 2 == 0)
            onSends(planOf("neighbour-exchange", support::allgatherv(std::vector<Bytes>(asSize(p), 12))), near);
    }
}

TEST(Alltoall, hopsAsOftenAsTheSourceSays) {
    EXPECT_EQ(proved(planOf("bruck", alltoall(5, 1))).lockstep, (Cost{.startups = 3, .volume = 5}));
    EXPECT_EQ(proved(planOf("bruck", alltoall(64, 1))).lockstep, (Cost{.startups = 6, .volume = 192}));
    EXPECT_EQ(proved(planOf("bruck", alltoall(64, 1), {{"radix", "8"}})).lockstep,
              (Cost{.startups = 14, .volume = 112}));
    EXPECT_EQ(proved(planOf("bruck", alltoall(64, 1, 7), {{"radix", "8"}})).lockstep.startups, 2);
    EXPECT_EQ(proved(planOf("flat", alltoall(10, 1, 4))).lockstep, (Cost{.startups = 3, .volume = 3}));
}

}  // namespace
}  // namespace engine
