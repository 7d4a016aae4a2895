// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/splitphase/split_clock.hpp"
#include "emulation/clocks/virtual_clock.hpp"
#include "emulation/networks/network.hpp"
#include "engine/base/error.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "tests/support/patterns.hpp"
#include "tests/support/reference/slow_split_phase.hpp"

#include <gtest/gtest.h>

#include <random>

namespace emulation {
namespace {

using namespace std::chrono_literals;
using engine::Picoseconds;
using engine::Plan;
using engine::splitphase::Nanoseconds;
using engine::splitphase::Settings;

constexpr Picoseconds us{1'000'000};

engine::Problem vectors(std::int32_t ranks, engine::Bytes bytes) {
    return {
        .collective = engine::Collective::allreduce, .groupA = ranks, .layout = engine::Layout::regular(ranks, bytes)};
}

Plan planOf(const std::string& id, std::int32_t ranks, engine::Bytes bytes,
            const std::map<std::string, std::string>& options = {}) {
    engine::Problem problem = vectors(ranks, bytes);
    if (id.starts_with("barrier/")) problem = {.collective = engine::Collective::barrier, .groupA = ranks};
    return engine::makePlan(engine::algorithmNamed(id), problem, options);
}

SplitEmulated split(const Plan& plan, const Settings& settings, const Conditions& conditions,
                    const std::string& network = "full") {
    return emulateSplit(plan, *makeNetwork(network, plan.schedule->facts().ranks), conditions, settings);
}

TEST(SplitClock, movesARoundWithEachLook) {
    const Plan plan = planOf("allreduce/bruck", 4, 4);  // two rounds of 1 us
    const Conditions conditions{.model = {.alpha = us, .beta = {}}};
    const auto first = [&](const Settings& settings) { return split(plan, settings, conditions).ranks[Rank{0}]; };

    const SplitPhaseTimes looking = first({.compute = 10us, .at = {4us}});
    EXPECT_EQ(looking, (SplitPhaseTimes{.computed = 10 * us, .done = 10 * us, .end = 10 * us, .calls = 3}));
    const SplitPhaseTimes blind = first({.compute = 10us, .tests = 0});
    EXPECT_EQ(blind, (SplitPhaseTimes{.computed = 10 * us, .done = 11 * us, .end = 11 * us, .calls = 2}));
    const SplitPhaseTimes often = first({.compute = 10us, .tests = 10});
    EXPECT_EQ(often, (SplitPhaseTimes{.computed = 10 * us, .done = 2 * us, .end = 10 * us, .calls = 3}));
    const SplitPhaseTimes alone = first({});
    EXPECT_EQ(alone, (SplitPhaseTimes{.done = 2 * us, .end = 2 * us, .calls = 2}));
}

TEST(SplitClock, waitsWithinALookForAsLongAsItMay) {
    const Plan plan = planOf("allreduce/bruck", 4, 4);
    const Conditions conditions{.model = {.alpha = us, .beta = {}}};
    const auto first = [&](Nanoseconds timeout, Nanoseconds cost) {
        return split(plan, {.compute = 10us, .at = {500ns}, .timeout = timeout, .looking = cost}, conditions)
            .ranks[Rank{0}];
    };
    EXPECT_EQ(first(400ns, 0ns).computed, Picoseconds{10'400'000}) << "nothing came";
    EXPECT_EQ(first(500ns, 0ns).end, Picoseconds{10'500'000}) << "the first round came at the last moment";
    EXPECT_EQ(first(5us, 0ns).end, Picoseconds{11'500'000}) << "all came";
    EXPECT_EQ(first(5us, 0ns).calls, 2);
    EXPECT_EQ(first(0ns, 600ns).done, Picoseconds{10'600'000 + 600'000}) << "1.1 us and 10.6 us, each with its cost";
}

TEST(SplitClock, movesMessagesInTheBackground) {
    const Plan plan = planOf("allreduce/bruck", 4, 1000);
    const Conditions conditions{.model = {.alpha = us, .beta = {}, .gamma = engine::Rate{1'000'000}}};
    const SplitEmulated result = split(plan, {.compute = 10us, .background = true}, conditions);
    // Two rounds of 1 us; the first one fills two partial results of 1000 bytes, the second one.
    EXPECT_EQ(result.ranks[Rank{2}],
              (SplitPhaseTimes{.computed = 10 * us, .done = 5 * us, .end = 10 * us, .calls = 2}));
    EXPECT_EQ(split(plan, {.compute = 10us, .tests = 10}, conditions).ranks[Rank{2}].end, 13 * us)
        << "a processor that looks combines, too";
}

TEST(SplitClock, takesAsLongAsOtherwiseWhereNobodyComputes) {
    const Conditions conditions{.model = {.gamma = engine::Rate{300'000}}};
    for (const char* id :
         {"allreduce/bruck", "allreduce/pairwise-exchange", "allreduce/ring", "allreduce/binomial-tree",
          "allreduce/adapted-dissemination", "barrier/dissemination", "barrier/tree"})
        for (const std::int32_t ranks : {1, 2, 7, 16, 33}) {
            // Where some are ahead, their messages pass ports before those that are waited for.
            const bool inStep = id != std::string{"allreduce/pairwise-exchange"} && !std::string{id}.ends_with("tree");
            if (!inStep && ranks % 2 != 0 && ranks > 1) continue;
            const Plan plan = planOf(id, ranks, 4096);
            const NetworkPtr full = makeNetwork("full", ranks);
            EXPECT_EQ(emulateSplit(plan, *full, conditions, {}).run.duration, makespan(plan, *full, conditions))
                << id << " on " << ranks;
        }
}

TEST(SplitClock, sharesLinksAndQueuesAtPorts) {
    const Plan plan = planOf("allreduce/bruck", 8, 4096, {{"n", "3"}});
    for (const int ports : {0, 1, 2}) {
        const Conditions conditions{.model = {}, .ports = ports};
        const NetworkPtr ring = makeNetwork("ring", 8);
        const SplitEmulated result = emulateSplit(plan, *ring, conditions, {});
        const Emulated usual = emulate(plan, *ring, conditions);
        EXPECT_EQ(result.congestion, usual.congestion);
        EXPECT_EQ(result.run.messageCount, usual.run.messageCount);
        EXPECT_EQ(result.run.duration, usual.run.duration) << ports;
        ASSERT_EQ(result.run.messages.size(), usual.run.messages.size());
        for (std::size_t i = 0; i < usual.run.messages.size(); ++i) {
            EXPECT_EQ(result.run.messages[i], usual.run.messages[i]);
            EXPECT_TRUE(std::ranges::equal(result.run.messages.what(i), usual.run.messages.what(i)));
        }
    }
}

/// One run of the clock and of its judge.
void compare(const Plan& plan, const support::TickMachine& machine, Settings settings, std::mt19937& random) {
    const std::int32_t ranks = plan.schedule->facts().ranks;
    Conditions conditions{.model = {.alpha = Picoseconds{machine.alpha * machine.tick},
                                    .beta = engine::Rate{machine.beta * machine.tick * 1000},
                                    .gamma = engine::Rate{machine.gamma * machine.tick * 1000}},
                          .ports = machine.ports,
                          .budget = 0};
    support::TickMachine own = machine;
    own.starts.assign(static_cast<std::size_t>(ranks), 0);
    own.factors.assign(static_cast<std::size_t>(ranks), 1);
    const auto one = static_cast<std::int32_t>(random() % static_cast<unsigned>(ranks));
    if (random() % 2 == 0) {
        const auto late = static_cast<std::int64_t>(random() % 200);
        conditions.perturbation.arrival = {
            .pattern = Arrival::Pattern::late, .most = Picoseconds{late * machine.tick}, .rank = Rank{one}};
        own.starts[static_cast<std::size_t>(one)] = late;
    }
    if (random() % 3 == 0) {
        own.factors[static_cast<std::size_t>(one)] = 3;
        conditions.perturbation.slowRanks = {{Rank{one}, Factor{3000}}};
    }
    const SplitEmulated result = emulateSplit(plan, *makeNetwork("full", ranks), conditions, settings);
    const auto judged = support::TickByTick{plan, own, settings}.run();
    for (const Rank rank : result.ranks.ids()) {
        const SplitPhaseTimes& is = result.ranks[rank];
        const auto ticks = [&](Picoseconds time) { return time.count() / machine.tick; };
        const support::SlowHalves told{ticks(is.begin), ticks(is.started), ticks(is.computed),
                                       ticks(is.done),  ticks(is.end),     is.calls};
        const support::SlowHalves& must = judged[rank.index()];
        ASSERT_EQ(told, must) << plan.algorithm->id << " on " << ranks << ", rank " << rank.value << ", compute "
                              << settings.compute.count() << " ns, " << looksOf(settings) << ": done " << told.done
                              << ", not " << must.done << "; end " << told.end << ", not " << must.end << "; calls "
                              << told.calls << ", not " << must.calls;
    }
}

Settings randomSettings(std::mt19937& random) {
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    Settings settings;
    settings.compute = Nanoseconds{below(4) == 0 ? 0 : below(120)};
    settings.tests = 0;
    for (const int tests : {1, 2, 3, 4, 5, 6})  // whole nanoseconds
        if (settings.compute.count() % tests == 0 && below(2) == 0) settings.tests = tests;
    if (below(3) == 0)
        for (Nanoseconds at{below(20)}; settings.at.size() < 4; at += Nanoseconds{1 + below(40)})
            settings.at.push_back(at);
    if (below(3) == 0) settings.timeout = Nanoseconds{below(30)};
    if (below(3) == 0) settings.looking = Nanoseconds{below(6)};
    settings.background = below(5) == 0;
    return settings;
}

TEST(SplitClock, agreesWithItsJudgeTickByTick) {
    std::mt19937 random{20261122};
    const std::vector<std::string> ids{
        "allreduce/bruck", "allreduce/adapted-dissemination", "allreduce/binomial-tree", "allreduce/pairwise-exchange",
        "allreduce/ring",  "allreduce/double-tree",           "barrier/dissemination",   "barrier/double-ring"};
    for (int trial = 0; trial < 600; ++trial) {
        const support::TickMachine machine{.alpha = 1 + static_cast<std::int64_t>(random() % 12),
                                           .beta = static_cast<std::int64_t>(random() % 3),
                                           .gamma = static_cast<std::int64_t>(random() % 2),
                                           .ports = 1 + static_cast<int>(random() % 3)};
        const Settings settings = randomSettings(random);
        const auto ranks = static_cast<std::int32_t>(1 + random() % 9);
        if (trial % 2 == 0) {
            compare(planOf(ids[random() % ids.size()], ranks, 4 * (1 + static_cast<engine::Bytes>(random() % 8))),
                    machine, settings, random);
        } else {
            const Plan plan = support::planOf(
                support::randomSchedule(random, ranks, 1 + static_cast<int>(random() % 5), machine.ports, 30));
            compare(plan, machine, settings, random);
        }
        if (HasFatalFailure()) return;
    }
}

std::string complaint(const Conditions& conditions) {
    try {
        (void)split(planOf("allreduce/bruck", 4, 4), {}, conditions);
    } catch (const engine::Error& error) {
        return error.what();
    }
    return "";
}

TEST(SplitClock, saysWhatItDoesNotKnow) {
    EXPECT_EQ(complaint({.model = {.logGP = engine::LogGP{}}}),
              "split-phase in virtual time does not support LogGP; it has alpha and beta");
    EXPECT_EQ(complaint({.model = {.eagerLimit = 10}}),
              "split-phase in virtual time does not support eager limit: messages have their place in the receiver's "
              "memory");
    EXPECT_EQ(complaint({.sharing = Sharing::fair}),
              "split-phase in virtual time does not support fair shares; choose sharing bottleneck or none");
    EXPECT_NE(complaint({.stepping = Stepping::lockstep}), "");
}

TEST(SplitClock, combiningCostsWhatTheOperationTakes) {
    Plan plan = planOf("allreduce/pairwise-exchange", 8, 1000);
    Conditions conditions{.model = {.gamma = engine::Rate{100'000}}};
    conditions.model.gammaOf = {{engine::Operation::max, engine::Rate{300'000}}};
    const NetworkPtr full = makeNetwork("full", 8);
    const Picoseconds sum = makespan(plan, *full, conditions);
    plan.problem.operation = engine::Operation::max;
    EXPECT_EQ(makespan(plan, *full, conditions) - sum, Picoseconds{3 * 1000 * 200}) << "three rounds";
    EXPECT_EQ(emulate(plan, *full, conditions).run.duration, makespan(plan, *full, conditions));
    EXPECT_EQ(emulateSplit(plan, *full, conditions, {}).run.duration, makespan(plan, *full, conditions));
}

}  // namespace
}  // namespace emulation
