// SPDX-License-Identifier: BSD-3-Clause
// A small trace, a question, the rows expected.
#include "app/analysis/bounds/bound_gap.hpp"
#include "app/analysis/bounds/cost_model_fit.hpp"
#include "app/analysis/schedule/logical_rounds.hpp"
#include "app/analysis/schedule/message_signature.hpp"
#include "app/analysis/schedule/schedule_conformance.hpp"
#include "app/analysis/tables/table_helpers.hpp"
#include "app/analysis/wait_states/wait_state_sums.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "engine/cost/bounds.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/small_runs.hpp"
#include "tests/support/traced.hpp"

#include <gtest/gtest.h>

#include <stop_token>

namespace app::analysis {
namespace {

using engine::Block;
using engine::Picoseconds;
using engine::Rank;
using engine::Round;
using samples::answered;
using samples::moves;
using samples::rowsOf;
using samples::small;

TEST(Part, keepsWhatLiesInTheSpanAndAmongTheRanks) {
    const engine::Run run =
        small(3, moves(0, 1, 0, 10, 0, 100) + moves(1, 2, 1, 20, 100, 200) + moves(2, 0, 2, 30, 200, 300));
    EXPECT_EQ(partOf(run, {}), run);
    const engine::Run late = partOf(run, {.from = Picoseconds{150}});
    EXPECT_EQ(late.messageCount, 2);
    EXPECT_EQ(late.byteCount, 50);
    EXPECT_EQ(partOf(run, {.to = Picoseconds{100}}).messageCount, 1);
    const engine::Run pair = partOf(run, {.ranks = {Rank{1}, Rank{2}}});
    EXPECT_EQ(rowsOf(answered("rounds", pair)), "1 1 1 20 20 100 100 0.3333\n");
}

TEST(LogicalRounds, areTheLongestChainsOfMessages) {
    // 0 sends to 1 and then to 2; 1 hands on to 3 meanwhile; what 3 gets from 2 follows both.
    const std::string lines =
        moves(0, 1, 0, 8, 0, 10) + moves(0, 2, 0, 8, 10, 20) + moves(1, 3, 0, 8, 10, 20) + moves(2, 3, 0, 8, 20, 30);
    EXPECT_EQ(rowsOf(answered("rounds", inLogicalRounds(small(4, lines)))),
              "1 0 1 8 8 0 10 0.5\n"
              "1 1 2 16 8 10 10 0\n"
              "1 2 1 8 8 20 10 0.5\n");
}

TEST(LogicalRounds, areSharedBySendsAndReceivesSideBySide) {
    std::string ring;
    for (int round = 0; round < 3; ++round)
        for (int rank = 0; rank < 4; ++rank) ring += moves(rank, (rank + 1) % 4, 0, 5, 10 * round, 10 * round + 10);
    const engine::Run run = inLogicalRounds(small(4, ring));
    EXPECT_EQ(run.rounds, 3);
    EXPECT_EQ(rowsOf(answered("rounds", run)), "1 0 4 20 5 0 10 0\n1 1 4 20 5 10 10 0\n1 2 4 20 5 20 10 0\n");
    // Posted at once, done at once: one round, whatever the number.
    EXPECT_EQ(inLogicalRounds(small(3, moves(0, 1, 0, 5, 0, 9) + moves(0, 2, 0, 5, 0, 9))).rounds, 1);
}

/// A ring of three steps. Rank 1 enters late, when all that rank 0 sends is there: it receives each message before it
/// sends the one that follows from the message before.
TEST(LogicalRounds, ofOneAlgorithmFollowFromWhatAllRanksNeed) {
    const int sent[4][3] = {{0, 4, 8}, {100, 104, 107}, {0, 104, 110}, {0, 4, 108}};
    const int posted[4][3] = {{0, 2, 6}, {100, 102, 105}, {0, 2, 106}, {0, 2, 6}};
    const int received[4][3] = {{3, 7, 110}, {103, 103, 106}, {103, 107, 111}, {3, 106, 112}};
    std::string lines;
    for (int k = 0; k < 3; ++k)
        for (int from = 0; from < 4; ++from) {
            const int to = (from + 1) % 4;
            lines += engine::text(from, '>', to, " round ", k, " bytes 8 send ", sent[from][k], "..", sent[from][k] + 1,
                                  " receive ", posted[to][k], "..", received[to][k], '\n');
        }
    const engine::Run run = small(4, lines);
    EXPECT_GT(inLogicalRounds(run).rounds, 3);
    const InRounds placed = inRoundsOfOneAlgorithm(traces::endsOf(run.messages), 4);
    EXPECT_EQ(placed.count(), 3);
    for (std::size_t i = 0; i < run.messages.size(); ++i) EXPECT_EQ(placed.rounds[i], run.messages.round()[i]) << i;
    // What no rank sends before it has received stays in turn.
    const engine::Run chain =
        small(4, moves(0, 1, 0, 8, 0, 10) + moves(1, 2, 1, 8, 10, 20) + moves(2, 3, 2, 8, 20, 30));
    EXPECT_EQ(inRoundsOfOneAlgorithm(traces::endsOf(chain.messages), 4).count(), 3);
}

TEST(Rounds, leaveOutWhatMessagesThatWereNotKeptWouldSay) {
    engine::Run run = small(2, moves(0, 1, 0, 5, 0, 10) + moves(1, 0, 1, 5, 10, 20));
    run.perRound[1].messages = 2;
    run.messageCount = 3;
    run.droppedMessages = 1;
    EXPECT_EQ(rowsOf(answered("rounds", run)), "1 0 1 5 5 0 10 0\n1 1 2 5 5 10 10 -\n");
}

TEST(LogicalRounds, endEvenWhereClocksContradictEachOther) {
    // Each was received before it was sent: 0 and 1 answer each other in a circle.
    const engine::Run run = small(2,
                                  "0>1 round 0 bytes 1 send 100..101 receive 0..1\n"
                                  "1>0 round 0 bytes 1 send 100..101 receive 0..1\n");
    EXPECT_EQ(logicalRounds(run).size(), 2U);
}

TEST(CriticalPath, addsUpToTheDuration) {
    // 1 computes from 10 to 25, then hands on.
    const engine::Run run = small(3, moves(0, 1, 0, 8, 0, 10) + moves(1, 2, 1, 8, 25, 35));
    EXPECT_EQ(rowsOf(answered("critical-path", run)),
              "message 0 1 0 8 0 10 - -\n"
              "local 1 - - - 10 15 - -\n"
              "message 1 2 1 8 25 10 - -\n");
    EXPECT_TRUE(criticalPath(small(2, "")).empty());
}

TEST(CriticalPath, followsWhoeverCameLast) {
    // 2 is ready for the message of 1 only when it has received from 0: the path leads over 0 -> 2.
    const engine::Run run = small(3,
                                  "0>2 round 0 bytes 80 send 0..80 receive 0..80\n"
                                  "1>2 round 1 bytes 10 send 0..10 receive 80..90\n");
    EXPECT_EQ(rowsOf(answered("critical-path", run)), "message 0 2 0 80 0 80 - -\nmessage 1 2 1 10 80 10 - -\n");
}

TEST(Pairs, addUpWhatOneSentToTheOther) {
    // The second of 0 is received late: it moves from 30 on.
    const engine::Run run = small(
        3, moves(0, 1, 0, 8, 0, 10) + moves(1, 2, 1, 50, 12, 15) + "0>1 round 2 bytes 24 send 20..50 receive 30..50\n");
    EXPECT_EQ(rowsOf(answered("pairs", run)), "1 2 1 50 50 50 12 15 3\n0 1 2 32 8 24 0 50 15\n");
}

TEST(Sizes, areClassesUpToPowersOfTwo) {
    // 0; 1; 5 and 8 up to 8; 9 up to 16.
    const engine::Run run = small(2, moves(0, 1, 0, 0, 0, 1) + moves(0, 1, 1, 1, 1, 3) + moves(0, 1, 2, 5, 3, 6) +
                                         moves(0, 1, 3, 8, 6, 11) + moves(0, 1, 4, 9, 11, 12));
    EXPECT_EQ(rowsOf(answered("sizes", run)),
              "0 1 0.2 0 1 1 1\n"
              "1 1 0.2 1 2 2 2\n"
              "8 2 0.4 13 3 4 5\n"
              "16 1 0.2 9 1 1 1\n");
}

TEST(Waits, nameWhoWaitedAndForWhom) {
    // In calls: 1 asks at 0, 0 sends at 40. 2 sends at 50, 1 asks at 90 and 2 had to stay until then.
    engine::Run run = small(3,
                            "0>1 round 0 bytes 8 send 40..45 receive 0..50\n"
                            "2>1 round 0 bytes 8 send 50..100 receive 90..100\n");
    run.setting.on = "trace";
    EXPECT_EQ(rowsOf(answered("waits", run)), "late sender 1 1 40 40 0 - -\nlate receiver 2 1 40 40 1 - -\n");
}

TEST(Waits, areTracedToTheRankThatWasLateFirst) {
    // Down a chain: 0 begins 100 late, 1, 2 and 3 pass it on. Ports: each waits from time 0 on.
    const engine::Run run =
        small(4, moves(0, 1, 0, 8, 100, 110) + moves(1, 2, 1, 8, 110, 120) + moves(2, 3, 2, 8, 120, 130));
    EXPECT_EQ(rowsOf(answered("delays", run)), "0 3 100 200 -\n1 2 10 10 -\n2 1 10 0 -\n");
    EXPECT_EQ(rowsOf(answered("idle-waves", run)), "0 0 120 3 2 330\n");
}

TEST(Waits, thatNobodyPassedOnMakeNoWave) {
    const engine::Run run = small(3, moves(0, 1, 0, 8, 5, 10) + moves(0, 2, 1, 8, 10, 20));
    EXPECT_EQ(rowsOf(answered("delays", run)), "0 2 15 0 -\n");
    EXPECT_TRUE(idleWaves(waits(run), {}).empty());
}

TEST(Waits, addUpByRank) {
    engine::Run run = small(4,
                            "0>1 round 0 bytes 8 send 40..45 receive 0..50\n"
                            "2>1 round 0 bytes 8 send 50..100 receive 90..100\n"
                            "3>0 round 0 bytes 8 send 70..80 receive 60..80\n");
    for (const char* on : {"trace", "virtual"}) {
        run.setting.on = on;
        std::vector<Picoseconds> forSender(4), forReceiver(4), caused(4);
        for (const Wait& wait : waits(run)) {
            (wait.kind == WaitKind::lateReceiver ? forReceiver : forSender)[wait.rank.index()] += wait.time;
            caused[wait.late.index()] += wait.time;
        }
        const WaitSums sums = waitSums(run);
        EXPECT_EQ(sums.of(WaitGroup::senders), forSender);
        EXPECT_EQ(sums.of(WaitGroup::receivers), forReceiver);
        EXPECT_EQ(sums.caused, caused);
        // Times of calls say that 1 was there before 0; those of ports that 3 was ready before 0, which had to send
        // first.
        EXPECT_EQ(sums.of(WaitGroup::senders)[1].count() > 0, run.setting.on == "trace");
        EXPECT_EQ(sums.of(WaitGroup::receivers)[3].count() > 0, run.setting.on == "virtual");
    }
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW((void)waitSums(run, {}, {.report = {}, .stop = stop.get_token()}), engine::Cancelled);
}

/// A late root keeps everybody waiting; nobody keeps the root waiting.
TEST(Waits, blameTheRootThatCameLate) {
    const engine::Run run =
        small(4, moves(0, 1, 0, 8, 100, 110) + moves(0, 2, 1, 8, 110, 120) + moves(0, 3, 2, 8, 120, 130));
    const WaitSums sums = waitSums(run);
    const std::vector<Picoseconds> none(4);
    EXPECT_EQ(sums.of(WaitGroup::senders),
              (std::vector{Picoseconds{0}, Picoseconds{100}, Picoseconds{110}, Picoseconds{120}}));
    EXPECT_EQ(sums.of(WaitGroup::receivers), none);
    EXPECT_EQ(sums.caused, (std::vector{Picoseconds{330}, Picoseconds{0}, Picoseconds{0}, Picoseconds{0}}));
}

TEST(Fit, findsTheLineAmongStrayMessages) {
    std::vector<Transfer> transfers;
    for (int i = 1; i <= 400; ++i) {
        const engine::Bytes bytes = 1000 * (i % 7);
        transfers.push_back({bytes, Picoseconds{1'000'000 + 400 * bytes + (i % 5 == 0 ? 9'000'000 : i % 11)}});
    }
    std::string why;
    const auto fit = fitted(transfers, why);
    ASSERT_TRUE(fit) << why;
    EXPECT_NEAR(static_cast<double>(fit->model.alpha.count()), 1e6, 1e4);
    EXPECT_NEAR(static_cast<double>(fit->model.beta.femtosecondsPerByte), 4e5, 4e3);
    EXPECT_LE(fit->alphaLow, fit->model.alpha);
    EXPECT_GE(fit->alphaHigh, fit->model.alpha);
    EXPECT_LE(fit->betaLow, fit->model.beta);
    EXPECT_GE(fit->betaHigh, fit->model.beta);
    EXPECT_EQ(fit->sizes, 7);
}

/// Intervals with 0 in them or ends more than three times apart, and messages far from the line, give no times.
TEST(Fit, givesNoTimesWhereItIsUncertain) {
    const Fit good{.model = {.alpha = Picoseconds{1000}, .beta = engine::Rate{200}},
                   .alphaLow = Picoseconds{500},
                   .alphaHigh = Picoseconds{1500},
                   .betaLow = engine::Rate{100},
                   .betaHigh = engine::Rate{300},
                   .deviation = 0.49};
    EXPECT_EQ(whyTooUncertain(good, false, false), "");
    Fit wide = good;
    wide.alphaHigh = Picoseconds{1501};
    EXPECT_EQ(whyTooUncertain(wide, false, false), "the 95% interval of alpha is 500 ps to 1.5 ns, which is too wide");
    EXPECT_EQ(whyTooUncertain(wide, true, false), "") << "alpha is given";
    Fit zero = good;
    zero.betaLow = engine::Rate{0};
    EXPECT_NE(whyTooUncertain(zero, false, false).find("of beta is 0 ns/B to "), std::string::npos);
    EXPECT_EQ(whyTooUncertain(zero, false, true), "") << "beta is given";
    Fit stray = good;
    stray.deviation = 0.5;
    EXPECT_EQ(whyTooUncertain(stray, false, false),
              "the times of half of the messages differ by 50% or more from alpha + beta x bytes");
}

TEST(Fit, saysWhyThereIsNone) {
    std::string why;
    EXPECT_FALSE(fitted({}, why));
    EXPECT_EQ(why, "no message has a known transfer time");
    EXPECT_FALSE(fitted(std::vector<Transfer>(9, {1024, Picoseconds{5}}), why));
    EXPECT_EQ(why, "all point-to-point messages have 1 KiB, and two sizes are needed to distinguish alpha and beta");
}

TEST(Gap, addsUpToTheTimeAboveTheBound) {
    const engine::Run run = small(3, moves(0, 1, 0, 100, 0, 300) + moves(1, 2, 1, 100, 320, 640));
    const engine::Model model{.alpha = Picoseconds{100}, .beta = engine::Rate{2000}};
    const engine::Problem problem = support::bcast(3, 0, 100);
    const engine::Bounds bounds = engine::boundsOf(problem, engine::Wiring::any());
    const Gap gap = gapAlong(criticalPath(run), *engine::leastCost(bounds, engine::Blocks::anyMessages, model),
                             engine::timeBound(bounds, model), model);
    EXPECT_EQ(gap.sum(), run.duration - engine::timeBound(bounds, model));
    EXPECT_EQ(gap.congestion, Picoseconds{20});
    EXPECT_EQ(gap.waiting, Picoseconds{20});
}

TEST(Gap, hasNoStartupsAndBytesBelowTheBound) {
    // The last message to arrive at the root is a small one that waited for its port; the large one is beside the path.
    const engine::Run run = small(3, moves(1, 0, 0, 100, 0, 300) + moves(2, 0, 0, 10, 0, 350));
    const engine::Model model{.alpha = Picoseconds{100}, .beta = engine::Rate{1000}};
    const engine::Cost least{.startups = 2, .volume = 110};
    const Gap gap = gapAlong(criticalPath(run), least, least.under(model), model);
    EXPECT_EQ(gap.extraRounds, Picoseconds{});
    EXPECT_EQ(gap.extraBytes, Picoseconds{});
    EXPECT_EQ(gap.congestion, Picoseconds{350 - 310}) << "all of it, beyond the bound";
    EXPECT_EQ(gap.sum(), run.duration - least.under(model));
}

TEST(Gap, countsMessagesOfOneRoundAsOneStartup) {
    const engine::Run run = small(3, moves(0, 1, 0, 100, 0, 200) + moves(1, 2, 0, 60, 200, 360));
    const engine::Model model{.alpha = Picoseconds{100}, .beta = engine::Rate{1000}};
    const engine::Cost least{.startups = 1, .volume = 100};
    const Gap gap = gapAlong(criticalPath(run), least, least.under(model), model);
    EXPECT_EQ(gap.extraRounds, Picoseconds{});
    EXPECT_EQ(gap.extraBytes, Picoseconds{});
    EXPECT_EQ(gap.congestion, Picoseconds{160});
    EXPECT_EQ(gap.sum(), run.duration - least.under(model));
}

TEST(Gap, takesMessagesFasterThanTheModelFromTheWaiting) {
    // The message arrived before its receiver was ready: receiving it takes 50 of its 200.
    const engine::Run run = small(2, moves(0, 1, 0, 100, 400, 450));
    const engine::Model model{.alpha = Picoseconds{100}, .beta = engine::Rate{1000}};
    const engine::Cost least{.startups = 1, .volume = 100};
    const Gap gap = gapAlong(criticalPath(run), least, least.under(model), model);
    EXPECT_EQ(gap.congestion, Picoseconds{});
    EXPECT_EQ(gap.waiting, Picoseconds{250});
    EXPECT_EQ(gap.sum(), run.duration - least.under(model));
}

TEST(Rounds, areCountedWithOnePort) {
    const auto exchange = [](int ranks) {
        std::string all;
        for (int from = 0; from < ranks; ++from)
            for (int to = 0; to < ranks; ++to)
                if (from != to) all += moves(from, to, 0, 8, 0, 10);
        return roundsOfOnePort(small(ranks, all));
    };
    EXPECT_EQ(exchange(4), 3) << "all at once: each rank sends and receives three";
    EXPECT_GE(exchange(100), 99);
    EXPECT_LT(exchange(100), 2 * 99) << "first fit";
    // Two children at once, then two of each.
    EXPECT_EQ(roundsOfOnePort(small(5, moves(0, 1, 0, 8, 0, 10) + moves(0, 2, 0, 8, 0, 10) + moves(1, 3, 1, 8, 20, 30) +
                                           moves(1, 4, 1, 8, 20, 30))),
              3);
    EXPECT_EQ(roundsOfOnePort(small(2, moves(0, 1, 0, 8, 0, 10) + moves(1, 0, 0, 8, 0, 10))), 1);
    EXPECT_EQ(roundsOfOnePort(small(2, moves(0, 1, 0, 8, 0, 10) + moves(1, 0, 1, 8, 10, 20))), 2);
}

engine::Plan flat(int ranks) {
    return engine::makePlan(engine::algorithmNamed("bcast/flat"), support::bcast(ranks), {});
}

TEST(Differences, areMessagesMissingExtraAndLate) {
    // The flat tree sends 0>1, 0>2, 0>3. Here 0>2 is late, 0>3 is missing, and 1>3 is of nobody's plan.
    const engine::Run run =
        small(4, moves(0, 1, 0, 12, 0, 10) + moves(0, 2, 1, 12, 30, 40) + moves(1, 3, 1, 12, 10, 20));
    EXPECT_EQ(rowsOf(answered("differences", run, flat(4))),
              "1 missing 0 3 12 2 - -\n"
              "1 extra 1 3 12 - 1 -\n"
              "1 late 0 2 12 1 1 20\n");
    EXPECT_TRUE(differences(small(2, moves(0, 1, 0, 12, 0, 10)), *flat(2).schedule).empty());
}

TEST(Ports, areCountedOnBothSides) {
    const engine::Run run = small(3, moves(0, 1, 0, 5, 0, 9) + moves(0, 2, 0, 5, 4, 9) + moves(0, 1, 1, 5, 9, 12));
    const engine::Table table = answered("ports", run, flat(3));
    EXPECT_EQ(rowsOf(table), "1 0 sends 2 1 4\n");
    EXPECT_EQ(table.remarks, std::vector<std::string>{"instance 1: 1 port per rank, as the schedule has"});
    EXPECT_TRUE(portViolations(run, 2).empty());
}

TEST(Remarks, nameTheInstancesThatTheyApplyTo) {
    RemarksOnInstances remarks;
    for (const std::size_t index : {1, 2, 4, 5, 6, 8}) remarks.add("as many", index);
    remarks.add("few", 3);
    for (const std::size_t index : {0, 7}) remarks.add("some", index);
    engine::Table table;
    remarks.write(table);
    EXPECT_EQ(table.remarks, (std::vector<std::string>{"6 instances, the first of them 2: as many", "instance 4: few",
                                                       "instances 1 and 8: some"}));
}

TEST(Deliveries, areFoundTwiceAndNever) {
    const engine::Problem problem = support::allgatherv({10, 10, 10});
    std::vector<Sample> all;
    const auto carry = [&](int from, int to, int begin, engine::Range what) {
        all.push_back({{Rank{from}, Rank{to}, Round{0}, what.size(), Picoseconds{begin}, Picoseconds{begin + 1},
                        Picoseconds{begin}, Picoseconds{begin + 1}},
                       {what}});
    };
    carry(0, 1, 0, {0, 10});
    carry(2, 1, 1, {5, 30});
    carry(1, 0, 2, {10, 30});
    carry(1, 2, 3, {0, 20});
    const engine::Run run = assembled(3, all);
    const std::vector<DeliveryRow> once{{Rank{1}, Block{0}, 5, 0}, {Rank{1}, Block{1}, 10, 0}};
    const auto found = deliveries(run, problem);
    ASSERT_TRUE(found);
    EXPECT_FALSE(found->inferred);
    EXPECT_EQ(found->rows, once);
    all.pop_back();
    std::vector<DeliveryRow> less = once;
    less.insert(less.end(), {{Rank{2}, Block{0}, 0, 10}, {Rank{2}, Block{1}, 0, 10}});
    EXPECT_EQ(deliveries(assembled(3, all), problem)->rows, less);
}

TEST(Deliveries, takeUnrecordedContentsFromTheSchedule) {
    const engine::Plan plan = flat(3);
    const engine::Run run = small(3, moves(0, 1, 0, 12, 0, 10));
    EXPECT_FALSE(deliveries(run, plan.problem)) << "nothing is known without a schedule";
    const auto found = deliveries(run, plan.problem, plan.schedule.get());
    ASSERT_TRUE(found);
    EXPECT_TRUE(found->inferred);
    EXPECT_EQ(found->rows, (std::vector<DeliveryRow>{{Rank{2}, Block{0}, 0, 12}}));
}

TEST(Aligned, findsALongestCommonSubsequence) {
    const auto pairs = [](std::vector<Token> a, std::vector<Token> b) { return aligned(a, b).size(); };
    EXPECT_EQ(pairs({1, 2, 3}, {1, 2, 3}), 3U);
    EXPECT_EQ(pairs({1, 2, 3, 4}, {2, 4}), 2U);
    EXPECT_EQ(pairs({}, {1}), 0U);
    EXPECT_EQ(pairs({9, 1, 2, 9, 3}, {1, 7, 2, 3, 8}), 3U);
    EXPECT_EQ(pairs({1, 2, 3, 1, 2, 2, 1}, {3, 2, 1, 2, 1, 3}), 4U);
}

}  // namespace
}  // namespace app::analysis
