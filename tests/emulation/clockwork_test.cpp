// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/clocks/ring_shift_clock.hpp"
#include "emulation/clocks/virtual_clock.hpp"

#include "engine/base/error.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "engine/cost/bounds.hpp"
#include "engine/proof/verify.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/schedule/ring_shift.hpp"
#include "tests/support/catalogue_grid.hpp"
#include "tests/support/patterns.hpp"
#include "tests/support/reference/slow_books.hpp"
#include "tests/support/reference/slow_clock.hpp"
#include "tests/support/reference/slow_machine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace emulation {
namespace {

using namespace engine;

using support::hops;
using support::planOf;
using support::randomSchedule;

const Model unit{.alpha = Picoseconds{100}, .beta = Rate{1000}};  // 100 ps + 1 ps/B

Picoseconds timeOf(const SchedulePtr& schedule, const std::string& topology, Stepping stepping,
                   Sharing sharing = Sharing::bottleneck) {
    return makespan(planOf(schedule), *makeNetwork(topology, schedule->facts().ranks),
                    {.model = unit, .stepping = stepping, .sharing = sharing});
}

TEST(Clockwork, marchesInStepAsLongAsTheLongestMessageOfEachRound) {
    const SchedulePtr two = hops(4, {{{0, 1, 50}, {2, 3, 10}}, {{3, 2, 10}, {1, 0, 20}}});
    EXPECT_EQ(timeOf(two, "full", Stepping::lockstep), Picoseconds{150 + 120});
}

TEST(Clockwork, letsARankGoOnWhenItsOwnRoundIsDone) {
    const SchedulePtr two = hops(4, {{{0, 1, 50}, {2, 3, 10}}, {{3, 2, 30}, {1, 0, 5}}});
    EXPECT_EQ(timeOf(two, "full", Stepping::free), Picoseconds{150 + 105}) << "0 and 1: 255, 2 and 3: 110 + 130";
    EXPECT_EQ(timeOf(two, "full", Stepping::lockstep), Picoseconds{150 + 130});
}

TEST(Clockwork, aReceiverWaitsForALateSender) {
    const SchedulePtr late = hops(3, {{{0, 1, 900}}, {{1, 2, 10}}});
    const Emulated result = emulate(planOf(late), *makeNetwork("full", 3), {.model = unit});
    EXPECT_EQ(result.run.duration, Picoseconds{1000 + 110});
    EXPECT_EQ(result.run.perRank[2].noCommunication, Picoseconds{1000});
    EXPECT_EQ(result.run.perRank[0].finishedEarly, Picoseconds{110});
}

TEST(Clockwork, sharedLinksSlowTheirMessagesDown) {
    // On a ring of 8, 0 -> 2 and 1 -> 3 both cross the link 1 -> 2.
    const SchedulePtr cross = hops(8, {{{0, 2, 40}, {1, 3, 60}, {5, 6, 10}}});
    EXPECT_EQ(timeOf(cross, "ring", Stepping::lockstep), Picoseconds{100 + 100});
    EXPECT_EQ(timeOf(cross, "ring", Stepping::lockstep, Sharing::none), Picoseconds{160});
    EXPECT_EQ(timeOf(cross, "full", Stepping::lockstep), Picoseconds{160});
    const Emulated result = emulate(planOf(cross), *makeNetwork("ring", 8), {.model = unit});
    EXPECT_EQ(result.congestion.perRound[0].bytes, 100);
    EXPECT_EQ(makeNetwork("ring", 8)->linkName(result.congestion.perRound[0].link), "1 -> 2");
    EXPECT_EQ(result.congestion, congestion(result.run, *makeNetwork("ring", 8))) << "streamed = computed afterwards";
}

TEST(Clockwork, refusesNetworksThatDoNotFitAndTimesThatOverflow) {
    const SchedulePtr one = hops(4, {{{0, 1, 50}}});
    EXPECT_THROW(makespan(planOf(one), *makeNetwork("ring", 5), {}), Error);
    Model slow;
    slow.beta = Rate{std::int64_t{1} << 60};
    EXPECT_THROW(makespan(planOf(hops(4, {{{0, 1, 1 << 30}}})), *makeNetwork("full", 4), {.model = slow}), Error);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(makespan(planOf(one), *makeNetwork("ring", 4), {}, {.report = {}, .stop = stop.get_token()}),
                 Cancelled);
}

TEST(Clockwork, agreesWithTheSlowJudgeOnRandomSchedules) {
    std::mt19937 random{20261121};
    for (int trial = 0; trial < 2000; ++trial) {
        const int ranks = 1 + static_cast<int>(random() % 9);
        const Plan plan = planOf(randomSchedule(random, ranks, 1 + static_cast<int>(random() % 8), 1 + trial % 3));
        const auto ends = support::finishTimes(plan, unit);
        const Emulated result = emulate(plan, *makeNetwork("full", ranks), {.model = unit});
        ASSERT_EQ(result.run.duration, *std::max_element(ends.begin(), ends.end())) << "trial " << trial;
        for (const RankTimes& times : result.run.perRank)
            ASSERT_EQ(times.busy + times.noCommunication + times.finishedEarly, result.run.duration)
                << "trial " << trial;
        const Picoseconds lockstep =
            makespan(plan, *makeNetwork("full", ranks), {.model = unit, .stepping = Stepping::lockstep});
        ASSERT_LE(result.run.duration, lockstep) << "trial " << trial;
    }
}

/// Shifts, a different one each round: rows of messages that follow each other, broken by the end of the ranks, by
/// ranks that keep silent in a round, and by sizes that change.
Plan shifts(std::mt19937& random, std::int32_t ranks, std::int64_t rounds, std::int32_t silentEvery, Bytes sizes) {
    const auto by = static_cast<std::int32_t>(random() % 100'000);
    const auto sends = [=](std::int64_t k, std::int32_t r) {
        return silentEvery == 0 || (r + 7 * k) % silentEvery != 0;
    };
    const auto bytes = [=](std::int32_t r) { return Range{0, 50 + r / 90 % sizes}; };
    const auto shift = [=](std::int64_t k) { return static_cast<std::int32_t>((by + 31 * k) % ranks); };
    const Facts facts{.ranks = ranks, .rounds = rounds, .ports = 1};
    return planOf(engine::schedule(facts, [=](Rank rank, Round round, auto& out) {
        const std::int32_t r = rank.value;
        const std::int32_t to = (r + shift(round.value)) % ranks;
        const std::int32_t from = (r + ranks - shift(round.value)) % ranks;
        if (to == r) return;
        if (sends(round.value, r)) out.send(Rank{to}, bytes(r));
        if (sends(round.value, from)) out.receive(Rank{from}, bytes(from));
    }));
}

TEST(Clockwork, movesRowsOfMessagesAsTheSlowJudgeMovesEach) {
    std::mt19937 random{64};
    for (int trial = 0; trial < 300; ++trial) {
        const std::int32_t ranks =
            trial < 290 ? 1 + static_cast<std::int32_t>(random() % 600) : 4000 + 500 * (trial - 290);
        const Plan plan = shifts(random, ranks, 6, trial % 3 == 0 ? 0 : 3 + static_cast<std::int32_t>(random() % 200),
                                 trial % 4 == 0 ? 7 : 1);
        Conditions conditions{.model = unit};
        conditions.perturbation.arrival = {
            .pattern = Arrival::Pattern::random, .most = Picoseconds{2000}, .seed = static_cast<std::uint64_t>(trial)};
        const NetworkPtr full = makeNetwork("full", ranks);
        const auto ends = support::finishTimes(plan, *full, conditions);
        ASSERT_EQ(makespan(plan, *full, conditions), *std::max_element(ends.begin(), ends.end()))
            << "trial " << trial << ", " << ranks << " ranks";
    }
}

/// The same schedule, not known as a ring shift.
SchedulePtr disguised(const SchedulePtr& schedule) { return engine::schedule(schedule->facts(), Borrowed{schedule}); }

RingShift randomRingShift(std::mt19937& random, int places, bool oneBlockEach) {
    RingShift ringShift;
    Bytes offset = 0;
    std::vector<std::int64_t> blocksOf;
    for (int i = 0; i < places; ++i) {
        blocksOf.push_back(oneBlockEach || random() % 4 != 0 ? 1 : 1 + static_cast<std::int64_t>(random() % 4));
        for (std::int64_t k = 0; k < blocksOf.back(); ++k) {
            const auto size = static_cast<Bytes>(random() % 300);
            ringShift.blocks.push_back({offset, offset + size});
            offset += size;
        }
        ringShift.first.push_back(static_cast<std::int64_t>(ringShift.blocks.size()) - 1);
    }
    for (int i = 0; i < places; ++i)
        ringShift.rounds.push_back(static_cast<std::int64_t>(ringShift.blocks.size()) -
                                   blocksOf[static_cast<std::size_t>((i + 1) % places)]);
    if (random() % 2 == 0) {
        for (int i = 0; i < places; ++i) ringShift.rankAt.push_back(i);
        std::shuffle(ringShift.rankAt.begin(), ringShift.rankAt.end(), random);
    }
    return ringShift;
}

TEST(RingShiftClock, givesTheSameRunAsTheGeneralClock) {
    std::mt19937 random{42};
    for (int trial = 0; trial < 400; ++trial) {
        const int places = trial < 390 ? 1 + static_cast<int>(random() % 40) : 17'000 + 500 * (trial - 390);
        const bool large = places > 100;
        RingShift ringShift = randomRingShift(random, places, trial % 2 == 0);
        if (large)
            for (std::int64_t& rounds : ringShift.rounds) rounds = std::min<std::int64_t>(rounds, 40);
        const SchedulePtr belt = onRingShift({}, "belt", ringShift);
        const Conditions conditions{.model = unit,
                                    .stepping = trial % 5 == 0 ? Stepping::lockstep : Stepping::free,
                                    .perturbation = {.arrival = readArrival(trial % 4 == 0 ? "random:2ns,9" : "none")},
                                    .budget = large            ? 100
                                              : trial % 3 == 0 ? 20
                                                               : 1000};
        const NetworkPtr full = makeNetwork("full", places);
        const engine::Run fast = emulate(planOf(belt), *full, conditions).run;
        const engine::Run slow = emulate(planOf(disguised(belt)), *full, conditions).run;
        ASSERT_EQ(fast, slow) << "trial " << trial << ", " << places << " places";
        ASSERT_EQ(makespan(planOf(belt), *full, conditions), slow.duration) << "trial " << trial;
    }
}

TEST(RingShiftClock, givesTheSameAnswerHoweverTheWorkIsCut) {
    std::mt19937 random{43};
    for (int trial = 0; trial < 300; ++trial) {
        const int places = 16 + static_cast<int>(random() % 150);
        const RingShift ringShift = randomRingShift(random, places, trial % 2 == 0);
        // The second half of the trials takes so long that a double could not count the picoseconds.
        const std::int64_t unitCost = trial < 150 ? 1 : std::int64_t{1} << 46;
        std::vector<Picoseconds> costs;
        for (const Range block : ringShift.blocks) costs.emplace_back((10 + block.size()) * unitCost);
        std::vector<Picoseconds> starts;
        for (int i = 0; i < places; ++i) starts.emplace_back(static_cast<std::int64_t>(random() % 500) * unitCost);
        const RingShiftTimes whole = runRingShift(ringShift, costs, starts, {.width = 1000, .depth = 1}, {});
        const RingShiftTiles tiles{.width = 1 + static_cast<std::int64_t>(random() % 60),
                                   .depth = 1 + static_cast<std::int64_t>(random() % 60),
                                   .threads = 1 + trial % 3};
        const RingShiftTimes cut = runRingShift(ringShift, costs, starts, tiles, {});
        ASSERT_EQ(cut.last, whole.last) << "trial " << trial;
        ASSERT_EQ(cut.busy, whole.busy) << "trial " << trial;
        ASSERT_EQ(cut.perRound, whole.perRound) << "trial " << trial;
        ASSERT_EQ(makespanOf(ringShift, costs, starts, tiles, {}),
                  *std::max_element(whole.last.begin(), whole.last.end()))
            << "trial " << trial;
    }
}

TEST(RingShiftClock, stopsWhenAsked) {
    std::mt19937 random{44};
    const RingShift ringShift = randomRingShift(random, 300, true);
    std::stop_source stop;
    stop.request_stop();
    const std::vector<Picoseconds> costs(ringShift.blocks.size(), Picoseconds{5});
    const std::vector<Picoseconds> starts(300, Picoseconds{0});
    EXPECT_THROW(runRingShift(ringShift, costs, starts, {.width = 20, .depth = 10, .threads = 2},
                              {.report = {}, .stop = stop.get_token()}),
                 Cancelled);
}

/// The Run that RunBuilder makes when it is told the same messages.
engine::Run rebuilt(const engine::Run& run) {
    RunBuilder builder{run.ranks, run.rounds, run.stages};
    for (std::size_t i = 0; i < run.messages.size(); ++i) builder.message(run.messages[i], run.messages.what(i));
    return builder.finish();
}

TEST(RunRecorder, keepsTheBooksOfEveryPicosecond) {
    std::mt19937 random{7};
    for (int trial = 0; trial < 300; ++trial) {
        const int ranks = 1 + static_cast<int>(random() % 9);
        const Plan plan = planOf(randomSchedule(random, ranks, 1 + static_cast<int>(random() % 8), 1 + trial % 3));
        for (const Stepping stepping : {Stepping::free, Stepping::lockstep}) {
            const engine::Run run =
                emulate(plan, *makeNetwork("full", ranks), {.model = unit, .stepping = stepping}).run;
            ASSERT_EQ(run.messages, rebuilt(run).messages) << "trial " << trial;
            ASSERT_EQ(run.perRound, support::slowRoundTimes(run)) << "trial " << trial;
            ASSERT_EQ(run.perRank, support::slowRankTimes(run)) << "trial " << trial;
        }
    }
}

TEST(RunRecorder, countsTheSameWhetherMessagesAreKeptOrNot) {
    std::mt19937 random{8};
    const Plan plan = planOf(randomSchedule(random, 8, 9, 1));
    const engine::Run all = emulate(plan, *makeNetwork("full", 8), {.model = unit}).run;
    for (const std::int64_t budget : {0, 5, 17}) {
        const engine::Run few = emulate(plan, *makeNetwork("full", 8), {.model = unit, .budget = budget}).run;
        EXPECT_EQ(few.perRank, all.perRank);
        EXPECT_EQ(few.perRound, all.perRound);
        EXPECT_EQ(static_cast<std::int64_t>(few.messages.size()), budget);
        EXPECT_EQ(few.droppedMessages, all.messageCount - budget);
    }
}

class EveryAlgorithmEmulated : public testing::TestWithParam<const Algorithm*> {};

TEST_P(EveryAlgorithmEmulated, takesInLockstepWhatIsCountedFromTheScheduleAndNeverBeatsTheBound) {
    const Algorithm& algorithm = *GetParam();
    const Model model{.alpha = Picoseconds{1000}, .beta = Rate{70'000}, .gamma = Rate{3'000}};
    for (const Problem& problem : support::problemsFor(algorithm.collective, 7)) {
        if (algorithm.objects != nullptr && algorithm.objects(problem, Options{"", algorithm.options, {}})) continue;
        const Plan plan = makePlan(algorithm, problem, {});
        const Facts& facts = plan.schedule->facts();
        const NetworkPtr full = makeNetwork("full", facts.ranks);
        const Picoseconds lockstep = makespan(plan, *full, {.model = model, .stepping = Stepping::lockstep});
        const Picoseconds progress = makespan(plan, *full, {.model = model});
        const Verdict verdict = verify(*plan.schedule, problem);
        ASSERT_EQ(lockstep, verdict.lockstep.under(model)) << algorithm.id << " on " << toText(problem);
        Problem withPorts = problem;
        withPorts.ports = std::max(problem.ports, facts.ports);
        EXPECT_LE(timeBound(boundsOf(withPorts, facts.wiring), model), progress)
            << algorithm.id << " " << toText(problem);
        EXPECT_LE(progress, lockstep) << algorithm.id << " " << toText(problem);
        const auto ends = support::finishTimes(plan, model);
        EXPECT_EQ(progress, *std::max_element(ends.begin(), ends.end())) << algorithm.id << " " << toText(problem);
        if (HasFailure()) return;
    }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryAlgorithmEmulated, testing::ValuesIn(catalogue().begin(), catalogue().end()),
                         [](const auto& each) { return support::testName(each.param); });

}  // namespace
}  // namespace emulation
