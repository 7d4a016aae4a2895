// SPDX-License-Identifier: BSD-3-Clause
// The full-duplex algorithms: proofs, predictions, golden vectors, refusals.
#include "engine/base/error.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/proofs.hpp"

#include <gtest/gtest.h>

#include <map>

namespace engine {
namespace {

using Settings = std::map<std::string, std::string>;

Problem fullDuplex(std::int32_t p, std::int32_t q, const std::vector<Bytes>& sizes) {
    return {
        .collective = Collective::intergroupAllgatherv, .groupA = p, .groupB = q, .layout = Layout::irregular(sizes)};
}

Problem fullDuplex(std::int32_t p, std::int32_t q, Bytes kA, Bytes kB) {
    std::vector<Bytes> sizes(static_cast<std::size_t>(p), kA);
    sizes.resize(static_cast<std::size_t>(p + q), kB);
    return fullDuplex(p, q, sizes);
}

bool fits(std::string_view name, const Problem& problem, const Settings& settings) {
    const Algorithm& algorithm = algorithmNamed("intergroup-allgatherv/" + std::string{name});
    return algorithm.objects == nullptr ||
           !algorithm.objects(problem, Options{algorithm.id, algorithm.options, settings});
}

/// Proves on all group sizes to 24, with equal, odd, unequal and empty contributions, where the algorithm fits.
void proveAll(std::string_view name, const Settings& settings = {}) {
    int plans = 0;
    for (std::int32_t p = 1; p <= 24; ++p)
        for (std::int32_t q = 1; q <= 24; ++q) {
            std::vector<Problem> problems{fullDuplex(p, q, 12, 12), fullDuplex(p, q, 7, 5), fullDuplex(p, q, 0, 24),
                                          fullDuplex(p, q, 24, 0), fullDuplex(p, q, 1, 120)};
            std::vector<Bytes> sizes;
            for (std::int32_t r = 0; r < p + q; ++r) sizes.push_back(r % 4 == 1 ? 0 : (r * 5 + q) % 11);
            problems.push_back(fullDuplex(p, q, sizes));
            for (const Problem& problem : problems)
                if (fits(name, problem, settings)) {
                    support::proved(support::planOf(name, problem, settings));
                    ++plans;
                }
        }
    EXPECT_GT(plans, 100);
}

/// The paper's sum: per stage each direction's largest messages of every round added up, then the larger direction.
Bytes laneByLane(const Plan& plan) {
    const Facts& facts = plan.schedule->facts();
    std::map<std::pair<int, bool>, Bytes> sums;  // of a stage, for what comes to A and to B
    Turn turn;
    for (Round round{0}; round.value < facts.rounds; ++round) {
        Bytes most[2] = {0, 0};
        for (Rank rank{0}; rank.value < facts.ranks; ++rank) {
            plan.schedule->turn(rank, round, turn);
            for (const Message& message : turn.receives()) {
                Bytes& lane = most[rank.value < plan.problem.groupA ? 0 : 1];
                lane = std::max(lane, message.bytes);
            }
        }
        for (const bool toB : {false, true}) sums[{plan.schedule->stageOf(round), toB}] += most[toB ? 1 : 0];
    }
    Bytes total = 0;
    for (std::size_t stage = 0; stage < facts.stages.size(); ++stage)
        total += std::max(sums[{static_cast<int>(stage), false}], sums[{static_cast<int>(stage), true}]);
    return total;
}

void agreeWithGolden(const std::string& algorithm, std::string_view name,
                     Settings (*settingsOf)(const nlohmann::json& params)) {
    for (const auto& golden : support::goldenCases("golden-intergroup.json", algorithm)) {
        const auto& params = golden["params"];
        const Plan plan = support::planOf(
            name, fullDuplex(params["p"], params["q"], Bytes{params["ka"]}, Bytes{params["kb"]}), settingsOf(params));
        const Verdict verdict = support::proved(plan);
        EXPECT_EQ(verdict.rounds, golden["rounds"]) << params;
        EXPECT_EQ(laneByLane(plan), golden["tw_paper"]) << params;
        EXPECT_EQ(verdict.lockstep.volume, golden["tw_sync"]) << params;
        EXPECT_EQ(verdict.bytes, golden["volume"]) << params;
    }
}

TEST(IntergroupRootGathering, IsProvedAndAgreesWithGoldenVectors) {
    for (const char* segments : {"1", "4", "auto"}) proveAll("root-gathering", {{"segments", segments}});
    agreeWithGolden("s0_root_best/chain", "root-gathering", [](const auto& params) {
        return Settings{{"segments", params["g"].dump()}};
    });
}

TEST(IntergroupRootGatheringProduction, IsProvedAndAgreesWithGoldenVectors) {
    proveAll("root-gathering-production");
    for (const char* gather : {"bruck", "ring", "recursive-doubling"}) {
        proveAll("root-gathering", {{"gather", gather}});
        proveAll("root-gathering-production", {{"gather", gather}, {"allgather", gather}});
    }
    agreeWithGolden("s0_root_production", "root-gathering-production", [](const auto&) { return Settings{}; });
}

TEST(Segmented, IsProvedAndAgreesWithGoldenVectors) {
    for (const char* gather : {"bruck", "ring", "recursive-doubling"})
        for (const char* pad : {"no", "yes"}) proveAll("segmented", {{"gather", gather}, {"pad", pad}});
    agreeWithGolden("s0_alg1/bruck", "segmented", [](const auto&) { return Settings{{"gather", "bruck"}}; });
    agreeWithGolden("s0_alg1/ring", "segmented", [](const auto&) { return Settings{{"gather", "ring"}}; });
}

TEST(Segmented, KeepsTheoremOneWhereTheSmallerGroupDivides) {
    for (std::int32_t q = 1; q <= 6; ++q)
        for (std::int32_t c = 1; c <= 6; ++c)
            for (const auto& [kA, kB] : {std::pair{12, 12}, {12, 120}, {120, 60}}) {
                const std::int32_t p = c * q;
                EXPECT_LE(laneByLane(support::planOf("segmented", fullDuplex(p, q, kA, kB / c * c))),
                          std::max(p * kA, q * kB) + kB);
            }
}

TEST(Segmented, PaddingCostsAsMuchAsThePaperOverlooked) {
    // Towards q ceil(p/q) / p times the bound when A is large: p = 21, q = 20.
    const Problem problem = fullDuplex(21, 20, 1000, 1000);
    const Bytes padded = laneByLane(support::planOf("segmented", problem, {{"pad", "yes"}}));
    const Bytes bare = laneByLane(support::planOf("segmented", problem));
    EXPECT_EQ(padded, 2 * 1000 + 19 * 2000);
    EXPECT_EQ(bare, 26 * 1000);
    EXPECT_THROW(support::planOf("segmented", fullDuplex(2, 1, {1, 2, 3}), {{"pad", "yes"}}), Error);
}

TEST(TwoStage, IsProvedAndAgreesWithGoldenVectors) {
    for (const char* order : {"inside-first", "across-first"}) proveAll("two-stage", {{"order", order}});
    proveAll("two-stage", {{"segmented", "no"}});
    agreeWithGolden("s0_two-stage", "two-stage", [](const auto& params) {
        return Settings{{"order", params["order"] == "inner-first" ? "inside-first" : "across-first"}};
    });
    agreeWithGolden("s0_no-segmentation", "two-stage", [](const auto&) { return Settings{{"segmented", "no"}}; });
}

TEST(TwoStage, takesGroupsOfAnySizesAndAnyGather) {
    for (const char* gather : {"ring", "recursive-doubling"}) {
        for (const char* order : {"inside-first", "across-first"})
            proveAll("two-stage", {{"order", order}, {"gather", gather}});
        proveAll("two-stage", {{"segmented", "no"}, {"gather", gather}});
    }
    for (const char* gather : {"bruck", "ring", "recursive-doubling"}) proveAll("balanced", {{"gather", gather}});
    // Nobody but those without a column gets anything twice, and no rank more than its own bytes once more.
    const Problem problem = fullDuplex(25, 7, 28, 100);
    for (const char* order : {"inside-first", "across-first"}) {
        const Plan plan = support::planOf("two-stage", problem, {{"order", order}});
        EXPECT_LE(laneByLane(plan), laneByLane(support::planOf("segmented", problem)) + 2 * 100) << order;
    }
}

TEST(Gathers, areRefusedWhereTheyNeedPowersOfTwo) {
    try {
        (void)support::planOf("segmented", fullDuplex(6, 2, 12, 12), {{"gather", "recursive-doubling"}});
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(std::string{error.what()}.find("gather=recursive-doubling needs a power of two of members, not 6; "
                                                 "gather=bruck supports any number"),
                  std::string::npos)
            << error.what();
    }
}

}  // namespace
}  // namespace engine
