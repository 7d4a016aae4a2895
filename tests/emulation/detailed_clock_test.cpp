// SPDX-License-Identifier: BSD-3-Clause
// Models and conditions beyond alpha and beta: against a slow judge, and against closed forms.
#include "emulation/clocks/route_costs.hpp"
#include "emulation/clocks/virtual_clock.hpp"

#include "engine/base/error.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "engine/schedule/ring_shift.hpp"
#include "tests/support/catalogue_grid.hpp"
#include "tests/support/patterns.hpp"
#include "tests/support/reference/slow_books.hpp"
#include "tests/support/reference/slow_machine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace emulation {
namespace {

using namespace engine;
using support::hops;
using support::planOf;

const Model unit{.alpha = Picoseconds{100}, .beta = Rate{1000}};  // 100 ps + 1 ps/B

Model logGP(std::int64_t L, std::int64_t o, std::int64_t g, std::int64_t G, std::int64_t O = 0) {
    Model model;
    model.logGP = LogGP{Picoseconds{L}, Picoseconds{o}, Picoseconds{g}, Rate{1000 * G}, Rate{1000 * O}};
    return model;
}

Picoseconds timeOf(const Plan& plan, const Conditions& conditions, const std::string& topology = "full") {
    return makespan(plan, *makeNetwork(topology, plan.schedule->facts().ranks), conditions);
}
Picoseconds timeOf(const SchedulePtr& schedule, const Conditions& conditions, const std::string& topology = "full") {
    return timeOf(planOf(schedule), conditions, topology);
}

// Closed forms.

TEST(Rendezvous, makesTheSenderWait) {
    // 0 is late for round 2, because it waits for 2 in round 1; 1 sends to it in round 2.
    const SchedulePtr late = hops(4, {{{2, 0, 900}}, {{1, 0, 200}}, {{1, 3, 50}}});
    Model model = unit;
    EXPECT_EQ(timeOf(late, {.model = model}), Picoseconds{1000 + 300}) << "eager: 3 has its 50 bytes at 300 + 150";
    model.eagerLimit = 199;
    EXPECT_EQ(timeOf(late, {.model = model}), Picoseconds{1000 + 300 + 150})
        << "1 goes on when 0 has taken its message";
    model.eagerLimit = 200;
    EXPECT_EQ(timeOf(late, {.model = model}), Picoseconds{1000 + 300}) << "a message at the limit is eager";
    const Emulated met = emulate(planOf(late), *makeNetwork("full", 4), {.model = [] {
                                     Model strict = unit;
                                     strict.eagerLimit = 0;
                                     return strict;
                                 }()});
    EXPECT_EQ(met.run.perRank[1].noCommunication, Picoseconds{1000});
    EXPECT_EQ(met.run.messages[1].sendBegin, Picoseconds{1000});
}

TEST(Rendezvous, changesNothingInStep) {
    std::mt19937 random{5};
    for (int trial = 0; trial < 50; ++trial) {
        const Plan plan = planOf(support::randomSchedule(random, 6, 6, 2));
        Conditions conditions{.model = unit, .stepping = Stepping::lockstep};
        const Picoseconds eager = timeOf(plan, conditions);
        conditions.model.eagerLimit = 0;
        EXPECT_EQ(timeOf(plan, conditions), eager);
    }
}

/// Three to one and one to three, 200 ps each: one after the other where there is one port, the third after the first
/// where there are two.
TEST(Ports, letMessagesOfARoundGoOneAfterTheOther) {
    const SchedulePtr fan = hops(4, {{{0, 1, 100}, {0, 2, 100}, {0, 3, 100}}});
    const SchedulePtr funnel = hops(4, {{{1, 0, 100}, {2, 0, 100}, {3, 0, 100}}});
    Model strict = unit;
    strict.eagerLimit = 0;
    for (const SchedulePtr& schedule : {fan, funnel})
        for (const Model& model : {unit, strict})
            for (const Stepping stepping : {Stepping::free, Stepping::lockstep})
                for (const Sharing sharing : {Sharing::bottleneck, Sharing::fair}) {
                    if (isFair(sharing) && model.eagerLimit) continue;
                    Conditions conditions{.model = model, .stepping = stepping, .sharing = sharing};
                    for (const auto& [ports, time] : {std::pair{0, 200}, {1, 600}, {2, 400}, {3, 200}, {4, 200}}) {
                        conditions.ports = ports;
                        EXPECT_EQ(timeOf(schedule, conditions), Picoseconds{time}) << ports << " ports";
                    }
                }
    const Emulated told = emulate(planOf(fan), *makeNetwork("full", 4), {.model = unit, .ports = 1});
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(told.run.messages[i].sendBegin, Picoseconds{200} * static_cast<std::int64_t>(i));
        EXPECT_EQ(told.run.messages[i].receiveBegin, told.run.messages[i].sendBegin);
    }
    EXPECT_EQ(told.run.perRank[0].busy, Picoseconds{600});
}

/// As many ports as messages change nothing, though the queues at them are looked at.
TEST(Ports, thatSufficeChangeNothing) {
    std::mt19937 random{11};
    for (int trial = 0; trial < 60; ++trial) {
        const Plan plan = planOf(support::randomSchedule(random, 6, 6, 2));
        for (const Sharing sharing : {Sharing::bottleneck, Sharing::fair})
            for (const bool strict : {false, true}) {
                if (strict && isFair(sharing)) continue;
                Conditions conditions{.model = unit, .sharing = sharing};
                if (strict) conditions.model.eagerLimit = 50;
                const Picoseconds free = timeOf(plan, conditions);
                conditions.ports = 2;
                EXPECT_EQ(timeOf(plan, conditions), free);
                conditions.ports = 1;
                EXPECT_GE(timeOf(plan, conditions), free);
            }
    }
}

/// A message of m bytes takes 2 o + L + (m - 1) G; a sender begins its next after max(o, g + (m - 1) G).
TEST(LogGP, takesWhatItsAuthorsSay) {
    const Model model = logGP(500, 20, 70, 3);
    const Picoseconds one{2 * 20 + 500 + 99 * 3};
    EXPECT_EQ(timeOf(hops(2, {{{0, 1, 100}}}), {.model = model}), one);
    EXPECT_EQ(timeOf(hops(4, {{{0, 1, 100}}, {{1, 2, 100}}, {{2, 3, 100}}}), {.model = model}), one * 3) << "a chain";
    std::vector<std::vector<support::Hop>> flat;
    for (int to = 1; to < 9; ++to) flat.push_back({{0, to, 100}});
    const Picoseconds apart{std::max(20, 70 + 99 * 3)};
    EXPECT_EQ(timeOf(hops(9, flat), {.model = model}), apart * 7 + one) << "a flat tree, message by message";
    std::vector<support::Hop> together;
    for (int to = 1; to < 9; ++to) together.push_back({0, to, 100});
    EXPECT_EQ(timeOf(hops(9, {together}), {.model = model}), apart * 7 + one) << "ports send one after the other";
    EXPECT_EQ(timeOf(hops(2, {{{0, 1, 0}}}), {.model = model}), Picoseconds{540}) << "no byte is behind the first";
}

TEST(LogGP, letsMessagesQueueAtTheReceiver) {
    std::vector<support::Hop> all;
    for (int from = 1; from < 6; ++from) all.push_back({from, 0, 100});
    const Model model = logGP(500, 20, 70, 3);
    EXPECT_EQ(timeOf(hops(6, {all}), {.model = model}), Picoseconds{4 * (70 + 99 * 3) + 20 + 500 + 99 * 3 + 20});
}

TEST(LogGP, keepsTheProcessorForTheBytesThatItCopies) {
    EXPECT_EQ(timeOf(hops(2, {{{0, 1, 101}}}), {.model = logGP(500, 20, 0, 3, 7)}),
              Picoseconds{20 + 500 + 300 + 20 + 700});
    const SchedulePtr two = hops(3, {{{0, 1, 101}}, {{0, 2, 101}}});
    EXPECT_EQ(timeOf(two, {.model = logGP(500, 20, 0, 3, 7)}), Picoseconds{20 + 700 + 20 + 500 + 300 + 20 + 700});
}

/// (p - 1)(2 o + L + (m - 1) G) while g is small; LogGOPSim's 2,069,529 with L = 1000, G = 1.
TEST(LogGP, agreesWithLogGOPSimOnTheRing) {
    const Plan ring =
        makePlan(algorithmNamed("allgatherv/linear-ring"), support::allgatherv(std::vector<Bytes>(1024, 1024)), {});
    EXPECT_EQ(timeOf(ring, {.model = logGP(1000, 0, 0, 1)}), Picoseconds{2'069'529});
}

TEST(SlowRank, slowsItsOwnMessages) {
    const SchedulePtr chain = hops(4, {{{0, 1, 50}}, {{1, 2, 50}}, {{2, 3, 50}}});
    Conditions conditions{.model = unit, .perturbation = {.slowRanks = readSlowRanks("1:3")}};
    EXPECT_EQ(timeOf(chain, conditions), Picoseconds{150 * (3 + 3 + 1)});
    conditions.perturbation.slowRanks = readSlowRanks("1:3,2:5");
    EXPECT_EQ(timeOf(chain, conditions), Picoseconds{150 * (3 + 5 + 5)}) << "the slower end counts";
    conditions.model = logGP(500, 20, 0, 3);
    EXPECT_EQ(timeOf(chain, conditions),
              Picoseconds{(20 + 500 + 3 * 147 + 60) + (60 + 500 + 5 * 147 + 100) + (100 + 500 + 5 * 147 + 20)});
}

TEST(SlowRank, combinesSlowly) {
    const Plan plan = makePlan(algorithmNamed("allreduce/butterfly"), support::allreduce(2, 40), {});
    Conditions conditions{.model = unit};
    conditions.model.gamma = Rate{2000};
    EXPECT_EQ(timeOf(plan, conditions), Picoseconds{140 + 80});
    conditions.perturbation.slowRanks = readSlowRanks("1:2");
    EXPECT_EQ(timeOf(plan, conditions), Picoseconds{2 * (140 + 80)});
}

TEST(SlowLink, slowsTheBytesThatCrossIt) {
    const SchedulePtr chain = hops(4, {{{0, 1, 50}}, {{1, 2, 50}}, {{2, 3, 50}}});
    Conditions conditions{.model = unit, .perturbation = {.slowLinks = readSlowLinks("1-2:4")}};
    for (const char* topology : {"full", "ring"})
        EXPECT_EQ(timeOf(chain, conditions, topology), Picoseconds{3 * 150 + 3 * 50}) << topology;
    const SchedulePtr back = hops(4, {{{2, 1, 50}}});
    for (const char* topology : {"full", "ring"})
        EXPECT_EQ(timeOf(back, conditions, topology), Picoseconds{150}) << "one way only, " << topology;
    EXPECT_EQ(timeOf(hops(4, {{{0, 2, 50}}}), conditions, "ring"), Picoseconds{100 + 200}) << "on the way";
    conditions.perturbation.slowLinks = readSlowLinks("0-s0:4");
    EXPECT_EQ(timeOf(hops(4, {{{0, 2, 50}}}), conditions, "fat-tree:4x1"), Picoseconds{100 + 200}) << "to a switch";
}

TEST(SlowLink, isRefusedWhereThereIsNone) {
    const SchedulePtr one = hops(4, {{{0, 1, 50}}});
    const auto mistake = [&](const char* links, const char* topology) {
        try {
            timeOf(one, {.model = unit, .perturbation = {.slowLinks = readSlowLinks(links)}}, topology);
        } catch (const Error& error) {
            return std::string{error.what()};
        }
        return std::string{};
    };
    EXPECT_EQ(
        mistake("0-2:2", "ring"),
        "slow-links: ring has no link 0-2; name two neighbours: ranks by number, free places as p0, p1, ..., switches "
        "as s0, s1, ...");
    EXPECT_EQ(mistake("0-4:2", "full"),
              "slow-links: 0-4 are not two of the ranks 0..3; places and switches need a network with links");
    EXPECT_EQ(mistake("0-s1:2", "full"),
              "slow-links: 0-s1 are not two of the ranks 0..3; places and switches need a network with links");
}

TEST(Links, haveTheirOwnBandwidthAndLatency) {
    const SchedulePtr cross = hops(8, {{{0, 2, 40}, {1, 3, 60}}});
    EXPECT_EQ(timeOf(cross, {.model = unit}, "ring:link=7ps+2ps/B"), Picoseconds{100 + 2 * 7 + 2 * 100});
    EXPECT_EQ(timeOf(cross, {.model = unit, .sharing = Sharing::none}, "ring:link=7ps+2ps/B"),
              Picoseconds{100 + 2 * 7 + 2 * 60});
    EXPECT_EQ(timeOf(cross, {.model = logGP(50, 5, 0, 9)}, "ring:link=7ps+2ps/B"),
              Picoseconds{5 + 50 + 2 * 7 + 2 * 99 + 5});
}

TEST(Cluster, hasTwoPricesAndSharedCards) {
    const std::string cluster = "cluster:2,inside=10ps+1ps/B,between=300ps+2ps/B";
    EXPECT_EQ(timeOf(hops(4, {{{0, 1, 50}}}), {.model = unit}, cluster), Picoseconds{10 + 50});
    EXPECT_EQ(timeOf(hops(4, {{{0, 2, 50}}}), {.model = unit}, cluster), Picoseconds{300 + 100});
    EXPECT_EQ(timeOf(hops(4, {{{0, 2, 50}, {1, 3, 50}}}), {.model = unit}, cluster), Picoseconds{300 + 200});
    EXPECT_EQ(timeOf(hops(4, {{{0, 2, 50}, {1, 3, 50}}}), {.model = unit}, cluster + ",nics=2"),
              Picoseconds{300 + 100});
    EXPECT_EQ(timeOf(hops(4, {{{0, 2, 50}}, {{0, 1, 50}}}), {.model = unit}, "cluster:2,inside=10ps+1ps/B"),
              Picoseconds{150 + 60})
        << "between as the model says";
}

/// Träff et al. 2010, section 2.2: at any time at most one rank of a node sends, and one receives.
TEST(Cluster, takesMessagesThroughItsPortsOneByOne) {
    const SchedulePtr both = hops(4, {{{0, 2, 50}, {1, 3, 30}}});
    EXPECT_EQ(timeOf(both, {.model = unit}, "cluster:2,ports=1"), Picoseconds{150 + 130});
    EXPECT_EQ(timeOf(both, {.model = unit}, "cluster:2,ports=2"), Picoseconds{150});
    EXPECT_EQ(timeOf(both, {.model = unit}, "cluster:2"), Picoseconds{100 + 80}) << "shared: startups overlap";
    EXPECT_EQ(timeOf(both, {.model = unit, .sharing = Sharing::none}, "cluster:2,ports=1"), Picoseconds{150});
    const SchedulePtr ring = hops(4, {{{0, 1, 50}, {1, 2, 50}, {2, 3, 50}, {3, 0, 50}}});
    EXPECT_EQ(timeOf(ring, {.model = unit}, "cluster:2,ports=1"), Picoseconds{150}) << "a ring keeps the rule";
}

TEST(Arrival, delaysWhoDependsOnTheLate) {
    const SchedulePtr chain = hops(3, {{{0, 1, 50}}, {{1, 2, 50}}});
    const auto arriving = [](std::string_view words) {
        return Conditions{.model = unit, .perturbation = {.arrival = readArrival(words)}};
    };
    EXPECT_EQ(timeOf(chain, arriving("late:0,1ns")), Picoseconds{1000 + 300});
    EXPECT_EQ(timeOf(chain, arriving("late:2,200ps")), Picoseconds{300 + 50}) << "2 comes before its message does";
    EXPECT_EQ(timeOf(chain, arriving("late:2,5ns")), Picoseconds{5000 + 150});
    EXPECT_EQ(timeOf(hops(3, {}), arriving("late:2,5ns")), Picoseconds{5000}) << "a run lasts until all have come";
    Conditions inStep = arriving("ramp:1ns");
    inStep.stepping = Stepping::lockstep;
    EXPECT_EQ(timeOf(chain, inStep), Picoseconds{1000 + 300});
}

// The judge.

Conditions randomConditions(std::mt19937& random, int ranks) {
    const auto below = [&](std::int64_t n) {
        return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
    };
    Conditions conditions{.model = unit};
    if (below(2) == 0) conditions.model = logGP(below(300), below(50), below(200), below(4), below(3));
    if (below(2) == 0) conditions.model.eagerLimit = below(400);
    if (below(3) == 0) conditions.sharing = Sharing::none;
    Perturbation& uneven = conditions.perturbation;
    const std::array<const char*, 4> arrivals{"none", "random:1ns,3", "ramp:800ps", "late:0,2ns"};
    uneven.arrival = readArrival(arrivals[static_cast<std::size_t>(below(4))]);
    if (below(2) == 0)
        uneven.slowRanks.push_back({Rank{static_cast<std::int32_t>(below(ranks))}, Factor{1000 + below(3000)}});
    if (below(2) == 0 && ranks > 1)
        uneven.slowLinks.push_back({{.number = 0}, {.number = 1}, Factor{1000 + below(9000)}});
    return conditions;
}

TEST(DetailedClock, agreesWithTheSlowJudgeOnRandomSchedulesAndConditions) {
    std::mt19937 random{20261121};
    const std::array<const char*, 6> topologies{"full",
                                                "ring",
                                                "ring:link=9ps+2ps/B",
                                                "cluster:3,inside=20ps+1ps/B",
                                                "cluster:2",
                                                "cluster:3,ports=2,between=80ps+2ps/B"};
    for (int trial = 0; trial < 3000; ++trial) {
        const int ranks = 1 + static_cast<int>(random() % 8);
        const Plan plan =
            planOf(support::randomSchedule(random, ranks, 1 + static_cast<int>(random() % 6), 1 + trial % 3));
        const NetworkPtr network = makeNetwork(topologies[static_cast<std::size_t>(trial) % 6], ranks);
        Conditions conditions = randomConditions(random, ranks);
        if (network->links() > 0) conditions.perturbation.slowLinks.clear();
        const auto ends = support::finishTimes(plan, *network, conditions);
        const Emulated result = emulate(plan, *network, conditions);
        ASSERT_EQ(result.run.duration, *std::max_element(ends.begin(), ends.end()))
            << "trial " << trial << " on " << network->name() << ", " << result.run.setting.model << ", "
            << result.run.setting.perturbation;
        ASSERT_EQ(makespan(plan, *network, conditions), result.run.duration) << "trial " << trial;
        if (trial % 8 != 0) continue;  // these judges look at every picosecond
        ASSERT_EQ(result.run.perRank, support::slowRankTimes(result.run)) << "trial " << trial;
        ASSERT_EQ(result.run.perRound, support::slowRoundTimes(result.run)) << "trial " << trial;
    }
}

TEST(DetailedClock, agreesWithTheSlowJudgeOnTheCatalogue) {
    std::mt19937 random{11};
    for (const Algorithm* algorithm : catalogue())
        for (const Problem& problem : support::problemsFor(algorithm->collective, 5)) {
            if (algorithm->objects != nullptr && algorithm->objects(problem, Options{"", algorithm->options, {}}))
                continue;
            const Plan plan = makePlan(*algorithm, problem, {});
            if (plan.schedule->facts().uncoupled.count > 0) continue;  // strands_test.cpp
            const NetworkPtr full = makeNetwork("full", plan.schedule->facts().ranks);
            Conditions conditions = randomConditions(random, full->ranks());
            conditions.perturbation.slowRanks.clear();
            conditions.model.gamma = Rate{3000};
            const auto ends = support::finishTimes(plan, *full, conditions);
            ASSERT_EQ(makespan(plan, *full, conditions), *std::max_element(ends.begin(), ends.end()))
                << algorithm->id << " on " << toText(problem);
        }
}

/// A link that says what the model says, and a limit that no message reaches, take the detailed way.
TEST(DetailedClock, givesTheSameRunAsThePlainOneWhereNothingIsSpecial) {
    std::mt19937 random{12};
    for (int trial = 0; trial < 500; ++trial) {
        const int ranks = 1 + static_cast<int>(random() % 9);
        const Plan plan =
            planOf(support::randomSchedule(random, ranks, 1 + static_cast<int>(random() % 8), 1 + trial % 3));
        for (const Stepping stepping : {Stepping::free, Stepping::lockstep})
            for (const char* topology : {"full", "ring"}) {
                const NetworkPtr network = makeNetwork(topology, ranks);
                Conditions conditions{.model = unit, .stepping = stepping};
                if (trial % 2 == 0) conditions.perturbation.arrival = readArrival("random:700ps,5");
                Emulated plain = emulate(plan, *network, conditions);
                conditions.model.eagerLimit = 1'000'000;
                Emulated detailed = emulate(plan, *network, conditions);
                detailed.run.setting = plain.run.setting;
                ASSERT_EQ(detailed.run, plain.run) << "trial " << trial;
                ASSERT_EQ(detailed.congestion, plain.congestion) << "trial " << trial;
            }
    }
}

TEST(DetailedClock, refusesTimesThatOverflow) {
    const SchedulePtr one = hops(2, {{{0, 1, Bytes{1} << 40}}});
    for (Conditions conditions :
         {Conditions{.model = logGP(0, 0, 0, 1'000'000'000)},
          Conditions{.model = unit, .perturbation = {.slowRanks = readSlowRanks("0:1000000")}}}) {
        conditions.model.beta = Rate{1'000'000'000};
        EXPECT_THROW(timeOf(one, conditions), Error);
    }
}

TEST(Setting, saysEverythingThatMakesARunRepeatable) {
    Conditions conditions{.model = logGP(5, 4, 3, 2, 1)};
    conditions.model.name = "mine";
    conditions.model.eagerLimit = 77;
    conditions.perturbation.arrival = readArrival("ramp:9ps");
    const Emulated result = emulate(planOf(hops(2, {{{0, 1, 9}}})), *makeNetwork("full", 2), conditions);
    EXPECT_EQ(modelFromText(result.run.setting.model), conditions.model);
    EXPECT_EQ(perturbationFromText(result.run.setting.perturbation), conditions.perturbation);
}

}  // namespace
}  // namespace emulation
