// SPDX-License-Identifier: BSD-3-Clause
// Half-duplex algorithms for fully connected networks and for tori: proofs, predictions, golden vectors, refusals.
#include "engine/base/error.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/proofs.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace engine {
namespace {

using support::halfduplex;
using Settings = std::map<std::string, std::string>;

void proveAll(std::string_view name, const Settings& settings = {}) {
    for (std::int32_t p = 1; p <= 24; ++p)
        for (std::int32_t q = 1; q <= 24; ++q) {
            for (const Bytes each : {12, 7, 1, 0})
                support::proved(support::planOf(name, halfduplex(p, q, each), settings));
            std::vector<Bytes> sizes;
            for (std::int32_t i = 0; i < p; ++i) sizes.push_back((i * 5 + q) % 7);
            Problem uneven = halfduplex(p, q);
            uneven.layout = Layout::irregular(sizes);
            support::proved(support::planOf(name, uneven, settings));
        }
}

void agreeWithGolden(std::string_view algorithm, std::string_view name, const Settings& settings = {}) {
    for (const auto& golden : support::goldenCases("golden-intergroup.json", algorithm)) {
        const auto& params = golden["params"];
        const Verdict verdict =
            support::proved(support::planOf(name, halfduplex(params["p"], params["q"], params["k"]), settings));
        EXPECT_EQ(verdict.rounds, golden["rounds"]) << params;
        EXPECT_EQ(verdict.lockstep.volume, golden["tw_sync"]) << params;
        EXPECT_EQ(verdict.bytes, golden["volume"]) << params;
    }
}

TEST(RootGathering, IsProvedAndAgreesWithGoldenVectors) {
    proveAll("root-gathering");
    agreeWithGolden("s1_fc_root", "root-gathering");
}

TEST(RootGathering, IsPredictedWhereEverythingDivides) {
    const Plan plan = support::planOf("root-gathering", halfduplex(6, 4, 12));
    const auto cost = plan.algorithm->predict(plan.problem, plan.options);
    ASSERT_TRUE(cost);
    EXPECT_EQ(*cost, (Cost{.startups = 3 + 1 + 4, .volume = 5 * 12 + 72 + 2 * 54}));
}

TEST(FullyConnected, IsProvedAndAgreesWithGoldenVectors) {
    for (const std::string broadcast : {"scatter-allgather", "binomial"}) {
        proveAll("fully-connected", {{"broadcast", broadcast}});
        agreeWithGolden("s1_fc/" + broadcast, "fully-connected", {{"broadcast", broadcast}});
    }
}

TEST(FullyConnected, SequentialIsProvedWhereReceiversDivideSenders) {
    const Settings sequential{{"variant", "sequential"}};
    for (std::int32_t q = 1; q <= 9; ++q)
        for (std::int32_t p = q; p <= 40; p += q) {
            support::proved(support::planOf("fully-connected", halfduplex(p, q, 12), sequential));
            support::proved(support::planOf("fully-connected", halfduplex(p, q, 5), sequential));
        }
    agreeWithGolden("s1_fc_sequential", "fully-connected", sequential);
    EXPECT_THROW(support::planOf("fully-connected", halfduplex(8, 3, 12), sequential), Error);
}

TEST(FullyConnected, MeetsTheBoundWithEnoughSenders) {
    for (std::int32_t p = 1; p <= 24; ++p)
        for (std::int32_t q = 1; q <= p; ++q)
            EXPECT_EQ(support::proved(support::planOf("fully-connected", halfduplex(p, q, 12))).lockstep.volume,
                      p * 12);
}

Problem onTorus(const std::vector<int>& lengths, int layersA, Bytes each) {
    int n = 1;
    for (const int length : lengths) n *= length;
    const int p = n / lengths[0] * layersA;
    Problem problem = halfduplex(p, n - p, each);
    problem.torus = lengths;
    return problem;
}

TEST(TorusBelts, AreProvedOnTori) {
    const std::vector<std::vector<int>> tori{{2, 2},    {3, 3},    {5, 4},       {9, 2},       {7, 5},
                                             {4, 1, 3}, {3, 3, 3}, {5, 4, 3},    {7, 2, 3},    {9, 4, 2},
                                             {6},       {6, 1},    {3, 2, 2, 2}, {5, 3, 2, 3}, {9, 2, 1, 2}};
    for (const auto& lengths : tori)
        for (int layersA = 1; layersA < lengths[0]; ++layersA) {
            const int rB = lengths[0] - layersA;
            const Problem problem = onTorus(lengths, layersA, 3);
            const Verdict verdict = support::proved(support::planOf("torus-belts", problem));
            EXPECT_EQ(verdict.lockstep.volume,
                      3 * (problem.groupA - 1 + (rB + 1) / 2 + (layersA == 1 && rB % 2 == 0 ? 1 : 0)));
        }
}

TEST(TorusBelts, AgreeWithGoldenVectors) {
    for (const auto& golden : support::goldenCases("golden-intergroup.json", "torus_slab")) {
        const auto& params = golden["params"];
        const Verdict verdict =
            support::proved(support::planOf("torus-belts", onTorus(params["dims"], params["ra"], 1)));
        EXPECT_EQ(verdict.rounds, golden["rounds"]) << params;
        EXPECT_EQ(verdict.lockstep.volume, golden["tw_sync"]) << params;
        EXPECT_EQ(verdict.bytes, golden["volume"]) << params;
    }
}

TEST(TorusBelts, ChooseANearlySquareTorusOrRefuse) {
    EXPECT_EQ(support::planOf("torus-belts", halfduplex(32, 32, 4)).schedule->facts().wiring, Wiring::torus({8, 8}));
    EXPECT_EQ(support::planOf("torus-belts", halfduplex(6, 9, 4)).schedule->facts().wiring, Wiring::torus({5, 3}));
    for (std::int32_t p = 2; p <= 24; ++p)
        for (std::int32_t q = 2; q <= 24; ++q)
            if (std::gcd(p, q) > 1) support::proved(support::planOf("torus-belts", halfduplex(p, q, 4)));
    EXPECT_THROW(support::planOf("torus-belts", halfduplex(5, 4, 4)), Error);
    Problem crooked = onTorus({4, 4}, 2, 4);
    crooked.groupA = 7;
    crooked.groupB = 9;
    crooked.layout = Layout::regular(7, 4);
    EXPECT_THROW(support::planOf("torus-belts", crooked), Error);
}

}  // namespace
}  // namespace engine
