// SPDX-License-Identifier: BSD-3-Clause
// Waits and all that is summed from them, against plain definitions on thousands of small runs.
#include "emulation/clocks/virtual_clock.hpp"
#include "emulation/networks/network.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "tests/support/patterns.hpp"
#include "tests/support/reference/slow_waits.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace app::analysis {

void PrintTo(const Wait& w, std::ostream* out) {
    *out << name(w.kind) << " rank " << w.rank.value << " for " << w.late.value << " message " << w.message << " at "
         << w.begin.count() << " for " << w.time.count() << " from " << w.origin.value << " over " << w.hops << " wave "
         << w.wave;
}

namespace {

/// Random patterns of messages in virtual time, in which some rank may come late.
engine::Run virtualRun(std::mt19937& random) {
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    const int ranks = 2 + below(6);
    const engine::Plan plan = support::planOf(support::randomSchedule(random, ranks, 1 + below(5), 1 + below(2), 40));
    emulation::Conditions conditions;
    conditions.model = {.alpha = engine::Picoseconds{below(4)}, .beta = engine::Rate{1000}};
    if (below(2) == 0)
        conditions.perturbation.arrival = {.pattern = emulation::Arrival::Pattern::late,
                                           .most = engine::Picoseconds{below(200)},
                                           .rank = engine::Rank{below(ranks)}};
    return emulation::emulate(plan, *emulation::makeNetwork(below(2) == 0 ? "full" : "ring", ranks), conditions).run;
}

void compare(const engine::Run& run, const std::string& what) {
    std::vector<WaitShare> shares;
    std::vector<EarlierPart> earlier;
    std::vector<Wait> expected = slow::waits(run, shares, earlier);
    TracedWaits traced = tracedWaits(run, {});
    std::vector<Wait>& found = traced.all;
    if (slow::isOpen(expected)) {
        for (Wait& wait : found) wait.origin = {}, wait.hops = 0, wait.wave = 0;
        ASSERT_EQ(found, expected) << what;
        return;
    }
    ASSERT_EQ(found, expected) << what;
    ASSERT_EQ(waitsPerRank(expected), slow::waitsPerRank(expected, run.ranks)) << what;
    ASSERT_TRUE(std::ranges::is_permutation(traced.shares, shares)) << what;
    ASSERT_TRUE(std::ranges::is_permutation(traced.earlier, earlier)) << what;
    ASSERT_EQ(delays(found, traced.shares), slow::delays(expected, shares, run.ranks)) << what;
    ASSERT_EQ(idleWaves(expected, earlier), slow::idleWaves(expected, earlier)) << what;
    const WaitSums sums = waitSums(run);
    for (engine::Rank rank{0}; rank.value < run.ranks; ++rank) {
        const auto sum = [&](auto use) { return slow::sumOf(slow::those(expected, use)); };
        ASSERT_EQ(sums.of(WaitGroup::senders)[rank.index()],
                  sum([&](const Wait& w) { return w.rank == rank && w.kind != WaitKind::lateReceiver; }));
        ASSERT_EQ(sums.of(WaitGroup::receivers)[rank.index()],
                  sum([&](const Wait& w) { return w.rank == rank && w.kind == WaitKind::lateReceiver; }));
        ASSERT_EQ(sums.caused[rank.index()], sum([&](const Wait& w) { return w.late == rank; }));
    }
}

TEST(WaitsJudged, inCallsAreThoseOfTheWords) {
    std::mt19937 random{1};
    std::size_t passed = 0;
    std::size_t late = 0;
    std::size_t wrong = 0;
    std::size_t several = 0;
    for (int trial = 0; trial < 3000; ++trial) {
        const engine::Run run = slow::randomRun(random, true);
        compare(run, "trial " + std::to_string(trial));
        if (HasFatalFailure()) return;
        several += tracedWaits(run, {}).earlier.size();
        for (const Wait& wait : slow::waits(run)) {
            passed += wait.hops > 0 ? 1 : 0;
            late += wait.kind == WaitKind::lateReceiver ? 1 : 0;
            wrong += wait.kind == WaitKind::wrongOrder ? 1 : 0;
        }
    }
    EXPECT_GT(passed, 1000U) << "the runs have what is judged";
    EXPECT_GT(late, 1000U);
    EXPECT_GT(wrong, 1000U);
    EXPECT_GT(several, 500U) << "waits follow from several delays of one rank";
}

TEST(WaitsJudged, atPortsAreThoseOfTheWords) {
    std::mt19937 random{2};
    std::size_t passed = 0;
    for (int trial = 0; trial < 3000; ++trial) {
        const engine::Run run = slow::randomRun(random, false);
        compare(run, "trial " + std::to_string(trial));
        if (HasFatalFailure()) return;
        for (const Wait& wait : slow::waits(run)) passed += wait.hops > 0 ? 1 : 0;
    }
    EXPECT_GT(passed, 1000U);
}

TEST(WaitsJudged, atPortsCombiningIsNoWait) {
    std::mt19937 random{5};
    std::size_t shorter = 0;
    for (int trial = 0; trial < 3000; ++trial) {
        engine::Run run = slow::randomRun(random, false);
        const engine::Picoseconds without = slow::sumOf(slow::waits(run));
        for (int i = 0; i < 4; ++i) {
            const engine::Rank rank{static_cast<int>(random() % static_cast<unsigned>(run.ranks))};
            const engine::Picoseconds begin{static_cast<int>(random() % 30)};
            run.combining.push_back({rank, begin, begin + engine::Picoseconds{1 + static_cast<int>(random() % 9)}});
        }
        std::sort(run.combining.begin(), run.combining.end());
        compare(run, "trial " + std::to_string(trial));
        if (HasFatalFailure()) return;
        shorter += slow::sumOf(slow::waits(run)) < without ? 1 : 0;
    }
    EXPECT_GT(shorter, 500U) << "the runs have what is judged";
}

TEST(WaitsJudged, atPortsComputingIsNoWait) {
    std::mt19937 random{6};
    std::size_t shorter = 0;
    for (int trial = 0; trial < 3000; ++trial) {
        engine::Run run = slow::randomRun(random, false);
        const engine::Picoseconds without = slow::sumOf(slow::waits(run));
        run.stages = {{"start", engine::Round{0}, 0}, {"compute", engine::Round{0}, 0}};
        for (engine::Rank rank{0}; rank.value < run.ranks; ++rank) {
            const engine::Picoseconds begin{static_cast<int>(random() % 10)};
            const engine::Picoseconds end = begin + engine::Picoseconds{static_cast<int>(random() % 20)};
            run.spans.push_back({rank, 0, {}, begin});
            run.spans.push_back({rank, 1, begin, end});
        }
        compare(run, "trial " + std::to_string(trial));
        if (HasFatalFailure()) return;
        for (const Wait& wait : waits(run))
            for (const engine::LocalWork& its : engine::computingOf(run))
                ASSERT_TRUE(its.rank != wait.rank || wait.begin >= its.end) << "trial " << trial;
        shorter += slow::sumOf(slow::waits(run)) < without ? 1 : 0;
    }
    EXPECT_GT(shorter, 500U) << "the runs have what is judged";
}

TEST(WaitsJudged, nobodyWaitsWhereAllCombineAlike) {
    const engine::Problem problem{
        .collective = engine::Collective::allreduce, .groupA = 8, .layout = engine::Layout::regular(8, 100)};
    const emulation::Conditions conditions{
        .model = {.alpha = engine::Picoseconds{1000}, .beta = engine::Rate{1'000'000}, .gamma = engine::Rate{100'000}}};
    const engine::Plan plan = engine::makePlan(engine::algorithmNamed("allreduce/butterfly"), problem, {});
    const engine::Run run = emulation::emulate(plan, *emulation::makeNetwork("full", 8), conditions).run;
    EXPECT_EQ(run.duration, engine::Picoseconds{3 * (1000 + 100'000 + 10'000)});
    EXPECT_TRUE(waits(run).empty());
    for (const engine::RankTimes& times : run.perRank)
        EXPECT_EQ(times, (engine::RankTimes{run.duration, engine::Picoseconds{}, engine::Picoseconds{}}));
}

TEST(WaitsJudged, inVirtualTimeAreThoseOfTheWords) {
    std::mt19937 random{3};
    for (int trial = 0; trial < 500; ++trial) {
        compare(virtualRun(random), "trial " + std::to_string(trial));
        if (HasFatalFailure()) return;
    }
}

TEST(WaitsJudged, imbalanceIsTheBusiestRankBesideTheMean) {
    std::mt19937 random{4};
    for (int trial = 0; trial < 200; ++trial) {
        const engine::Run run = slow::randomRun(random, false);
        engine::Picoseconds sum{};
        engine::Picoseconds most{};
        engine::Picoseconds least = run.duration;
        std::vector<engine::Picoseconds> busy;
        for (const engine::RankTimes& times : run.perRank) {
            sum += times.busy, most = std::max(most, times.busy), least = std::min(least, times.busy);
            busy.push_back(times.busy);
        }
        const Imbalance found = imbalanceOf(busy);
        EXPECT_EQ(found.least, least);
        EXPECT_EQ(found.mean, sum / run.ranks);
        EXPECT_EQ(found.most, most);
        EXPECT_EQ(run.perRank[found.who.index()].busy, most);
        for (std::size_t before = 0; before < found.who.index(); ++before) EXPECT_LT(run.perRank[before].busy, most);
    }
}

}  // namespace
}  // namespace app::analysis
