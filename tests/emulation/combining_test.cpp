// SPDX-License-Identifier: BSD-3-Clause
// What a rank combines is work: it neither waits nor is it done meanwhile, whatever clock told the time.
#include "emulation/clocks/virtual_clock.hpp"
#include "emulation/networks/network.hpp"
#include "engine/base/error.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "tests/support/catalogue_grid.hpp"
#include "tests/support/reference/slow_books.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace emulation {
namespace {

using engine::Algorithm;
using engine::Bytes;
using engine::Picoseconds;
using engine::Rate;

/// Bytes that each rank combines, by the schedule.
std::vector<Bytes> combinedBy(const engine::Plan& plan) {
    const engine::Facts& facts = plan.schedule->facts();
    std::vector<Bytes> sums(engine::asSize(facts.ranks));
    engine::Batch batch;
    for (engine::Round round{0}; round.value < facts.rounds; ++round) {
        batch.reset(sums.size());
        plan.schedule->batch(round, engine::Rank{0}, engine::Rank{facts.ranks}, batch);
        for (const auto& [rank, bytes] : batch.combining()) sums[rank.index()] += bytes;
    }
    return sums;
}

std::vector<Conditions> allClocks() {
    const engine::Model model{.alpha = Picoseconds{50}, .beta = Rate{2000}, .gamma = Rate{3000}};
    std::vector<Conditions> all{{.model = model}, {.model = model, .stepping = Stepping::lockstep}};
    all.push_back({.model = model, .sharing = Sharing::fair});
    all.push_back({.model = model, .ports = 1});
    engine::Model logGP = model;
    logGP.logGP = engine::LogGP{
        .latency = Picoseconds{20}, .overhead = Picoseconds{3}, .gap = Picoseconds{5}, .gapPerByte = Rate{1000}};
    all.push_back({.model = logGP});
    return all;
}

class EveryReductionCombines : public testing::TestWithParam<const Algorithm*> {};

TEST_P(EveryReductionCombines, asLongAsItsBytesTakeAndCountsItAsBusy) {
    const Algorithm& algorithm = *GetParam();
    std::size_t judged = 0;
    for (const engine::Problem& problem : support::problemsFor(algorithm.collective, 5)) {
        if (algorithm.objects != nullptr && algorithm.objects(problem, engine::Options{"", algorithm.options, {}}))
            continue;
        const engine::Plan plan = engine::makePlan(algorithm, problem, {});
        const std::vector<Bytes> bytes = combinedBy(plan);
        const NetworkPtr full = makeNetwork("full", plan.schedule->facts().ranks);
        for (const Conditions& conditions : allClocks()) {
            const engine::Run run = emulate(plan, *full, conditions).run;
            std::vector<Picoseconds> combined(bytes.size());
            for (const engine::LocalWork& its : run.combining) combined[its.rank.index()] += its.end - its.begin;
            for (std::size_t rank = 0; rank < bytes.size(); ++rank) {
                ASSERT_EQ(combined[rank], conditions.model.gamma * bytes[rank]) << algorithm.id << " rank " << rank;
                judged += bytes[rank] > 0 ? 1 : 0;
            }
            ASSERT_TRUE(std::is_sorted(run.combining.begin(), run.combining.end()));
            ASSERT_EQ(run.perRank, support::slowRankTimes(run)) << algorithm.id << " on " << toText(problem);
            // Whoever is last was at work until the end.
            ASSERT_TRUE(
                std::any_of(run.perRank.begin(), run.perRank.end(),
                            [](const engine::RankTimes& times) { return times.finishedEarly == Picoseconds{}; }))
                << algorithm.id << " on " << toText(problem);
        }
    }
    EXPECT_GT(judged, 0U);
}

std::vector<const Algorithm*> reductions() {
    std::vector<const Algorithm*> all;
    for (const Algorithm* algorithm : engine::catalogue())
        if (engine::combinesVectors(algorithm->collective)) all.push_back(algorithm);
    return all;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryReductionCombines, testing::ValuesIn(reductions()),
                         [](const auto& each) { return support::testName(each.param); });

}  // namespace
}  // namespace emulation
