// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/fair/fair_clock.hpp"

#include "engine/base/error.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "tests/emulation/ways.hpp"
#include "tests/support/catalogue_grid.hpp"
#include "tests/support/patterns.hpp"
#include "tests/support/reference/slow_books.hpp"
#include "tests/support/reference/slow_fair.hpp"

#include <gtest/gtest.h>

namespace emulation {
namespace {

using namespace engine;
using support::hops;
using support::planOf;

const Model unit{.alpha = Picoseconds{100}, .beta = Rate{1000}};  // 100 ps + 1 ps/B

Conditions fair(Protocol protocol = {}) { return {.model = unit, .sharing = Sharing::fair, .protocol = protocol}; }

engine::Run run(const SchedulePtr& schedule, const std::string& network, const Conditions& conditions = fair()) {
    return emulate(planOf(schedule), *makeNetwork(network, schedule->facts().ranks), conditions).run;
}

/// When each message ends, in the order of the run.
std::vector<std::int64_t> ends(const engine::Run& run) {
    std::vector<std::int64_t> all;
    for (const Picoseconds end : run.messages.receiveEnd()) all.push_back(end.count());
    return all;
}

using Ends = std::vector<std::int64_t>;

TEST(Fair, messagesThatMeetShareTheirLink) {
    // Both cross 1 -> 2: half speed until the shorter one has ended, then the longer one is alone.
    EXPECT_EQ(ends(run(hops(8, {{{0, 2, 400}, {1, 3, 600}, {5, 6, 500}}}), "ring")),
              (Ends{100 + 800, 100 + 1000, 100 + 500}));
}

TEST(Fair, messagesThatMissEachOtherDoNotMeet) {
    // 0 -> 2 has left link 1 -> 2 when 1 -> 3 comes there in the next round.
    EXPECT_EQ(ends(run(hops(8, {{{0, 2, 100}, {2, 1, 300}}, {{1, 3, 300}}}), "ring")), (Ends{200, 400, 800}));
}

TEST(Fair, messagesOfDifferentRoundsMeet) {
    // 1 -> 3 begins at 150 and has its first byte at 250, when 0 -> 2 has 850 bytes left. Both go at half speed until
    // 1 -> 3 has ended at 850.
    EXPECT_EQ(ends(run(hops(8, {{{0, 2, 1000}, {2, 1, 50}}, {{1, 3, 300}}}), "ring")), (Ends{850 + 550, 150, 850}));
}

TEST(Fair, aMessageWaitsForBothEnds) {
    const engine::Run late = run(hops(3, {{{0, 1, 900}}, {{2, 1, 10}}}), "full");
    EXPECT_EQ(ends(late), (Ends{1000, 1110}));
    EXPECT_EQ(late.messages[1].sendBegin, Picoseconds{1000});
    EXPECT_EQ(late.perRank[2].noCommunication, Picoseconds{1000});
    EXPECT_EQ(late.perRank[0].finishedEarly, Picoseconds{110});
}

TEST(Fair, nobodyWaitsForADetachedMessageToLeave) {
    const SchedulePtr two = hops(4, {{{0, 1, 50}}, {{0, 2, 60}}, {{3, 1, 500}}});
    EXPECT_EQ(ends(run(two, "full")), (Ends{150, 310, 750}));
    const engine::Run detached = run(two, "full", fair({.detached = 60}));
    EXPECT_EQ(ends(detached), (Ends{150, 160, 750})) << "50 bytes are detached, 60 are not";
    EXPECT_EQ(detached.messages[0].sendEnd, Picoseconds{0});
    EXPECT_EQ(detached.perRank[0].busy, Picoseconds{160});
}

TEST(Fair, remembersWhenADetachedMessageWasSent) {
    const engine::Run late = run(hops(3, {{{2, 1, 900}}, {{0, 1, 50}}}), "full", fair({.detached = 60}));
    EXPECT_EQ(late.messages[1].sendBegin, Picoseconds{0});
    EXPECT_EQ(late.messages[1].receiveBegin, Picoseconds{1000});
    EXPECT_EQ(late.messages[1].receiveEnd, Picoseconds{1150});
}

TEST(Fair, everyMessageHasItsHeader) {
    EXPECT_EQ(ends(run(hops(2, {{{0, 1, 50}, {1, 0, 0}}}), "ring", fair({.header = 16}))), (Ends{166, 116}));
}

TEST(Fair, latencyIsPaidBeforeTheFirstByteAndTakesNoLink) {
    // 1 -> 2 has its first byte 2 ns before 0 -> 3; alone for 2 bytes, it has half for the other 98.
    EXPECT_EQ(ends(run(hops(8, {{{0, 3, 1000}, {1, 2, 100}}}), "ring:link=1ns+1ns/B")),
              (Ends{3100 + 2 * 98'000 + 902'000, 3100 + 2 * 98'000}));
}

TEST(Fair, startupsOfANetworkStandInPlaceOfTheModels) {
    const SchedulePtr two = hops(4, {{{0, 1, 100}, {2, 0, 100}}});
    EXPECT_EQ(ends(run(two, "cluster:2,inside=50ps+1ps/B,between=200ps+1ps/B")), (Ends{150, 300}));
}

TEST(Fair, sharesInProportionToOneOverLatency) {
    Conditions weighted = fair();
    weighted.sharing = Sharing::fairWeighted;
    weighted.model.alpha = Picoseconds{0};
    // Shares 1/4 and 3/4 while both flow.
    EXPECT_EQ(ends(run(hops(8, {{{0, 3, 3000}, {1, 2, 3002}}}), "ring:link=1ns+1ns/B", weighted)),
              (Ends{3000 + 4'000'000 + 2'000'000, 1000 + 2000 + 4'000'000}));
}

TEST(Fair, marchesInStep) {
    Conditions step = fair();
    step.stepping = Stepping::lockstep;
    EXPECT_EQ(ends(run(hops(6, {{{0, 1, 900}, {2, 3, 10}}, {{2, 3, 10}, {4, 5, 100}}}), "full", step)),
              (Ends{1000, 110, 1110, 1200}));
}

TEST(Fair, refusesWhatItCannotDo) {
    const SchedulePtr one = hops(4, {{{0, 1, 1 << 30}}});
    const auto refusal = [&](const Conditions& conditions, const std::string& network = "ring") -> std::string {
        try {
            (void)run(one, network, conditions);
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    };
    EXPECT_NE(refusal({.model = unit, .protocol = {.header = 16}}).find("header"), std::string::npos);
    Conditions slow = fair();
    slow.model.beta = Rate{std::int64_t{1} << 60};
    EXPECT_NE(refusal(slow).find("53 days"), std::string::npos);
    EXPECT_NE(refusal(fair(), "cluster:2,inside=1us+0.000001ns/B,between=1us+10000000ns/B").find("10^9"),
              std::string::npos);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(makespan(planOf(one), *makeNetwork("ring", 4), fair(), {.report = {}, .stop = stop.get_token()}),
                 Cancelled);
}

const char* const networks[] = {"full",       "ring",         "torus:3x3",      "mesh:3x3",
                                "fat-tree:9", "fat-tree:3x3", "dragonfly:3,3,1"};

/// One of its links, or two ranks where it has none.
SlowLink anyLink(const Network& network, std::mt19937& random, Factor factor) {
    if (network.links() == 0) return {{.number = 1}, {.number = 2}, factor};
    const LinkEnds ends =
        network.ends(LinkId{static_cast<std::int32_t>(random() % static_cast<unsigned>(network.links()))});
    return {nameOf(network, ends.from), nameOf(network, ends.to), factor};
}

TEST(Fair, letsLateRanksAndSlowLinksTakeTheirTime) {
    Conditions late = fair();
    late.perturbation.arrival = {.pattern = Arrival::Pattern::late, .most = Picoseconds{500}, .rank = Rank{1}};
    EXPECT_EQ(ends(run(hops(6, {{{0, 1, 900}, {2, 3, 10}}}), "full", late)), (Ends{1500, 110}));
    late.stepping = Stepping::lockstep;
    EXPECT_EQ(ends(run(hops(6, {{{0, 1, 900}, {2, 3, 10}}}), "full", late)), (Ends{1500, 610}));
    Conditions slow = fair();
    slow.perturbation.slowLinks = readSlowLinks("0-1:3");
    EXPECT_EQ(ends(run(hops(6, {{{0, 1, 100}, {2, 3, 100}}}), "full", slow)), (Ends{400, 200}));
    EXPECT_EQ(ends(run(hops(6, {{{0, 1, 100}, {0, 2, 100}}}), "ring", slow)), (Ends{700, 700})) << "both share 0 -> 1";
    slow.perturbation.slowLinks = readSlowLinks("0-3:3");
    EXPECT_THROW(run(hops(6, {{{0, 1, 100}}}), "ring", slow), Error);
}

TEST(Fair, agreesWithTheSlowJudgeOnRandomSchedules) {
    std::mt19937 random{20261121};
    for (int trial = 0; trial < 2000; ++trial) {
        const Plan plan = planOf(support::randomSchedule(random, 9, 1 + static_cast<int>(random() % 6), 1 + trial % 3));
        Conditions conditions = fair({.header = trial % 4 == 0 ? 16 : 0, .detached = trial % 5 == 0 ? 250 : 0});
        if (trial % 2 == 1) conditions.sharing = Sharing::fairWeighted;
        if (trial % 7 == 0) conditions.model.alpha = Picoseconds{0};
        const std::string base = networks[static_cast<std::size_t>(trial) % std::size(networks)];
        const bool links = base != "full" && trial % 3 == 0;
        const std::string link = base == "ring" ? ":link=30ps+1ps/B" : ",link=30ps+1ps/B";
        const NetworkPtr network = makeNetwork(links ? base + link : base, 9);
        if (trial % 11 < 4)
            conditions.perturbation.arrival = {
                .pattern = Arrival::Pattern::random, .most = Picoseconds{900}, .seed = random()};
        conditions.ports = trial % 4;  // 0: as many as the schedule asks for
        if (trial % 13 < 4)
            conditions.perturbation.slowLinks = {anyLink(*network, random, Factor{1000 + 250 * (trial % 9)})};
        const engine::Run run = emulate(plan, *network, conditions).run;
        const std::vector<double> judged = support::fairFinishTimes(plan, *network, conditions, links ? 30 : 0);
        ASSERT_NEAR(static_cast<double>(run.duration.count()), *std::max_element(judged.begin(), judged.end()), 8)
            << "trial " << trial << " on " << network->name();
        ASSERT_EQ(makespan(plan, *network, conditions), run.duration);
        ASSERT_EQ(run.messageCount, static_cast<std::int64_t>(run.messages.size()));
        ASSERT_EQ(run.perRank, support::slowRankTimes(run)) << "trial " << trial;
        ASSERT_EQ(run.perRound, support::slowRoundTimes(run)) << "trial " << trial;
    }
}

TEST(Fair, neverBeatsARunWithoutSharing) {
    std::mt19937 random{5};
    for (int trial = 0; trial < 500; ++trial) {
        const Plan plan = planOf(support::randomSchedule(random, 9, 1 + static_cast<int>(random() % 6), 1 + trial % 2));
        const NetworkPtr network = makeNetwork(networks[static_cast<std::size_t>(trial) % std::size(networks)], 9);
        const Picoseconds alone = makespan(plan, *network, {.model = unit, .sharing = Sharing::none});
        ASSERT_GE(makespan(plan, *network, fair()), alone) << "trial " << trial << " on " << network->name();
        Conditions step = fair();
        step.stepping = Stepping::lockstep;
        Conditions unshared = step;
        unshared.sharing = Sharing::none;
        ASSERT_GE(makespan(plan, *network, step), makespan(plan, *network, unshared)) << "trial " << trial;
    }
}

/// The same messages, written down in another order.
TEST(Fair, doesNotDependOnTheOrderOfMessages) {
    std::mt19937 random{6};
    for (int trial = 0; trial < 200; ++trial) {
        std::vector<std::vector<support::Hop>> rounds;
        for (int t = 0; t < 4; ++t) {
            rounds.emplace_back();
            for (int k = 0; k < 8; ++k) {
                const int from = static_cast<int>(random() % 9);
                const int to = (from + 1 + static_cast<int>(random() % 8)) % 9;
                rounds.back().push_back({from, to, 1 + static_cast<int>(random() % 500)});
            }
        }
        const NetworkPtr network = makeNetwork(networks[static_cast<std::size_t>(trial) % std::size(networks)], 9);
        const Emulated one = emulate(planOf(hops(9, rounds)), *network, fair());
        for (auto& round : rounds) {
            // Messages of one pair keep their order: the first one sent is the first one received.
            std::stable_sort(round.begin(), round.end(), [](const auto& a, const auto& b) {
                return std::pair{a.to * 7 % 9, a.from * 5 % 9} < std::pair{b.to * 7 % 9, b.from * 5 % 9};
            });
        }
        const Emulated other = emulate(planOf(hops(9, rounds)), *network, fair());
        ASSERT_EQ(one.run.perRank, other.run.perRank) << "trial " << trial;
        ASSERT_EQ(one.run.perRound, other.run.perRound) << "trial " << trial;
        ASSERT_EQ(one.congestion, other.congestion) << "trial " << trial;
    }
}

TEST(Fair, tellsTheSameWhetherMessagesAreKeptOrNot) {
    std::mt19937 random{8};
    const Plan plan = planOf(support::randomSchedule(random, 9, 9, 1));
    const NetworkPtr ring = makeNetwork("ring", 9);
    const Emulated all = emulate(plan, *ring, fair());
    EXPECT_EQ(all.congestion, congestion(all.run, *ring)) << "streamed = computed afterwards";
    for (const std::int64_t budget : {0, 5, 17}) {
        Conditions few = fair();
        few.budget = budget;
        const engine::Run run = emulate(plan, *ring, few).run;
        EXPECT_EQ(run.perRank, all.run.perRank);
        EXPECT_EQ(run.perRound, all.run.perRound);
        ASSERT_EQ(static_cast<std::int64_t>(run.messages.size()), budget);
        EXPECT_EQ(run.droppedMessages, all.run.messageCount - budget);
        for (std::size_t i = 0; i < run.messages.size(); ++i) EXPECT_EQ(run.messages[i], all.run.messages[i]);
    }
}

TEST(Fair, aRebuiltRunHasTheSameBooks) {
    std::mt19937 random{9};
    for (int trial = 0; trial < 50; ++trial) {
        const engine::Run all = run(support::randomSchedule(random, 9, 5, 1 + trial % 3), "ring");
        RunBuilder builder{all.ranks, all.rounds, all.stages};
        for (std::size_t i = 0; i < all.messages.size(); ++i) builder.message(all.messages[i], all.messages.what(i));
        const engine::Run again = builder.finish();
        ASSERT_EQ(all.perRank, again.perRank) << "trial " << trial;
        ASSERT_EQ(all.perRound, again.perRound) << "trial " << trial;
        ASSERT_EQ(all.messages, again.messages) << "trial " << trial;
    }
}

class EveryAlgorithmShared : public testing::TestWithParam<const Algorithm*> {};

/// On a network whose links nobody shares, in step, fair sharing is the papers' sum.
TEST_P(EveryAlgorithmShared, takesInLockstepOnItsOwnLinksWhatTheClockSays) {
    const Algorithm& algorithm = *GetParam();
    const Model model{.alpha = Picoseconds{1000}, .beta = Rate{70'000}, .gamma = Rate{3'000}};
    for (const Problem& problem : support::problemsFor(algorithm.collective, 5)) {
        if (algorithm.objects != nullptr && algorithm.objects(problem, Options{"", algorithm.options, {}})) continue;
        const Plan plan = makePlan(algorithm, problem, {});
        const NetworkPtr full = makeNetwork("full", plan.schedule->facts().ranks);
        Conditions conditions{.model = model, .stepping = Stepping::lockstep, .sharing = Sharing::fair};
        const engine::Run shared = emulate(plan, *full, conditions).run;
        conditions.sharing = Sharing::none;
        const engine::Run alone = emulate(plan, *full, conditions).run;
        ASSERT_EQ(shared.duration, alone.duration) << algorithm.id << " on " << toText(problem);
        ASSERT_EQ(shared.perRound, alone.perRound) << algorithm.id << " on " << toText(problem);
        ASSERT_EQ(shared.messages.size(), alone.messages.size());
        for (std::size_t i = 0; i < shared.messages.size(); ++i)
            ASSERT_TRUE(std::ranges::equal(shared.messages.what(i), alone.messages.what(i)));
        conditions = {.model = model, .sharing = Sharing::fair};
        EXPECT_GE(makespan(plan, *full, conditions), makespan(plan, *full, {.model = model, .sharing = Sharing::none}));
    }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryAlgorithmShared, testing::ValuesIn(catalogue().begin(), catalogue().end()),
                         [](const auto& each) { return support::testName(each.param); });

}  // namespace
}  // namespace emulation
