// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/findings/collective_gap.hpp"
#include "app/session/session.hpp"
#include "engine/base/text.hpp"
#include "traces/recording/archive.hpp"

#include <gtest/gtest.h>

namespace app {
namespace {

using engine::Picoseconds;

RunWish wish(const std::string& algorithm, const ProblemWish& problem) {
    return {.algorithm = algorithm, .problem = problem};
}

Picoseconds sum(const analysis::Gap& gap) {
    return gap.extraRounds + gap.extraBytes + gap.combining + gap.congestion + gap.perturbation + gap.waiting;
}

/// 7 rounds of alpha + beta k; with one-block messages the bound takes 6. Who cuts needs 5 startups, from the farthest
/// sender to the farthest receiver, and 4 k.
TEST(Report, explainsTheGapOfTheRing) {
    const Report report = execute(wish("halfduplex-allgather/ring-streams", {.groupA = 4, .groupB = 6, .size = 1000}));
    const engine::Model model;
    EXPECT_EQ(report.run->rounds, 7);
    EXPECT_EQ(report.limits->held().rounds.value, 6);
    EXPECT_EQ(report.run->duration, model.message(1000) * 7);
    EXPECT_EQ(*report.lockstep, report.run->duration);
    EXPECT_EQ(report.limits->blocks, engine::Blocks::whole);
    EXPECT_EQ(*report.timeBound(), model.message(1000) * 6);
    EXPECT_EQ(report.gap->extraRounds, model.alpha);
    EXPECT_EQ(report.gap->extraBytes, model.beta * 1000);
    EXPECT_EQ(report.limits->anyMessages.rounds.value, 5);
    EXPECT_EQ(report.limits->anyMessages.serializedBytes, 4000);
    EXPECT_EQ(*report.limits->anyMessages.time, model.alpha * 5);
    EXPECT_DOUBLE_EQ(*report.limits->cuttingSaves(), 1 - 5.0 / 8.4);
    EXPECT_EQ(report.gap->congestion.count(), 0);
    EXPECT_EQ(report.gap->waiting.count(), 0);
    EXPECT_TRUE(report.verdict->proved);
    EXPECT_EQ(report.predicted->under(model), report.run->duration);
}

TEST(Report, gapsAddUpForEveryAlgorithm) {
    for (const engine::Algorithm* algorithm : engine::catalogue())
        for (const auto stepping : {emulation::Stepping::free, emulation::Stepping::lockstep}) {
            RunWish each = wish(algorithm->id, {});
            each.model.gamma = engine::Rate{50'000};
            each.stepping = stepping;
            if (isIntergroup(algorithm->collective)) each.problem.groupA = 8, each.problem.groupB = 8;
            else each.problem.ranks = 16;
            const bool torus = algorithm->id.find("torus") != std::string::npos;
            each.network.topology = torus ? "torus:4x4" : "";
            if (!torus && makePlan(each).schedule->facts().wiring.kind() == engine::Wiring::Kind::any)
                each.network.topology = "ring";
            const Report report = execute(each);
            ASSERT_TRUE(report.gap) << algorithm->id;
            EXPECT_EQ(sum(*report.gap), report.run->duration - *report.timeBound()) << algorithm->id;
            // Of an alltoall fewer startups than the bound's are had for more bytes, and where shared links bound it,
            // what its ring passes on is told as bytes.
            if (!report.limits->bounds.exchange) {
                EXPECT_GE(report.gap->congestion.count(), 0) << algorithm->id;
                EXPECT_GE(report.gap->extraRounds.count(), 0) << algorithm->id;
            }
            EXPECT_GE(report.run->duration, *report.timeBound()) << algorithm->id;
            EXPECT_TRUE(report.verdict->proved) << algorithm->id << ": " << report.fault;
            if (stepping == emulation::Stepping::lockstep) {
                EXPECT_EQ(*report.lockstep, report.run->duration) << algorithm->id;
                EXPECT_EQ(report.gap->waiting, Picoseconds{}) << algorithm->id;
            }
        }
}

TEST(Report, blamesSharedLinks) {
    RunWish on = wish("allgatherv/bruck", {.ranks = 8, .size = 1 << 20});
    on.network.topology = "ring";
    const Report shared = execute(on);
    on.sharing = emulation::Sharing::none;
    const Report unshared = execute(on);
    EXPECT_EQ(shared.gap->congestion, shared.run->duration - unshared.run->duration);
    EXPECT_GT(shared.gap->congestion.count(), 0);
    EXPECT_EQ(unshared.gap->congestion.count(), 0);
    EXPECT_TRUE(shared.peak());
}

TEST(Report, knowsNoTimeBoundOfThreads) {
    RunWish on = wish("allreduce/bruck", {.ranks = 5, .size = 4000});
    on.on = "threads";
    const Report report = execute(on);
    EXPECT_TRUE(report.correct) << report.fault;
    EXPECT_EQ(report.run->setting.on, "threads");
    EXPECT_FALSE(report.model);
    EXPECT_FALSE(report.timeBound());
    EXPECT_FALSE(report.lockstep);
    EXPECT_FALSE(report.gap);
    EXPECT_TRUE(report.limits);
}

TEST(Report, ofARunAloneIsThatOfItsExecution) {
    RunWish on = wish("halfduplex-allgather/ring-belts", {.groupA = 3, .groupB = 6, .size = 999});
    on.model.alpha = Picoseconds{123'456};
    on.model.beta = engine::Rate{1'234'567};
    const Report executed = execute(on);
    const Report again = analysis::reportOn(executed.run);
    EXPECT_EQ(again.gap, executed.gap);
    EXPECT_EQ(again.timeBound(), executed.timeBound());
    EXPECT_EQ(again.lockstep, executed.lockstep);
    EXPECT_EQ(again.congestion, executed.congestion);
    EXPECT_EQ(again.plan->problem, executed.plan->problem);
    EXPECT_EQ(again.network->name(), "ring");
}

/// Whatever the conditions: a report on the run alone says the same as the one made with it.
TEST(Report, isRepeatableUnderEveryCondition) {
    RunWish on = wish("allreduce/butterfly", {.ranks = 16, .size = 4096});
    on.network.topology = "torus:4x4,link=10ns+0.5ns/B";
    on.network.placement = "random:3";
    on.model.name = "mine";
    on.model.gamma = engine::Rate{20'000};
    on.model.eagerLimit = 1000;
    on.perturbation = emulation::perturbationFromText("arrival=random:3us,1 slow-ranks=3:2");
    for (const bool relayed : {false, true})
        for (const bool letters : {false, true}) {
            on.network.neighboursOnly = relayed;
            on.model.logGP.reset();
            if (letters) on.model.logGP = engine::readLogGP("L=1us,o=100ns,g=200ns,G=1ns/B", "test");
            const Report executed = execute(on);
            EXPECT_TRUE(executed.verdict->proved) << executed.fault;
            EXPECT_EQ(executed.run->setting.routing, relayed ? "neighbours-only" : "");
            const Report again = analysis::reportOn(executed.run);
            ASSERT_TRUE(again.plan);
            EXPECT_EQ(again.model, on.model);
            EXPECT_EQ(again.network->name(), executed.network->name());
            EXPECT_EQ(again.lockstep, executed.lockstep);
            EXPECT_EQ(again.predicted, executed.predicted);
            EXPECT_EQ(again.timeBound(), executed.timeBound());
            const emulation::Conditions conditions{
                .model = *again.model,
                .perturbation = emulation::perturbationFromText(again.run->setting.perturbation),
                .ports = again.plan->problem.ports};
            EXPECT_EQ(emulation::makespan(*again.plan, *again.network, conditions), executed.run->duration);
        }
}

TEST(Report, leavesOutWhatDoesNotHold) {
    RunWish on = wish("allgatherv/linear-ring", {.ranks = 8, .size = 1000});
    const Report plain = execute(on);
    EXPECT_EQ(*plain.predictedTime, engine::Model{}.message(1000) * 7);
    on.model.logGP = engine::readLogGP("L=1us,o=100ns,g=200ns,G=1ns/B", "test");
    const Report letters = execute(on);
    EXPECT_TRUE(letters.predicted) << "startups and bytes are still right";
    EXPECT_FALSE(letters.predictedTime);
    EXPECT_FALSE(letters.gap);
    EXPECT_EQ(*letters.timeBound(), Picoseconds{2'199'000 + 6 * 1'199'000}) << "2 o + L + 999 G, then 6 (g + 999 G)";
    EXPECT_EQ(*letters.limits->anyMessages.time, Picoseconds{200'000 + 1'000'000 + 6'999'000})
        << "2 o + L + (7000 - 1) G";
    EXPECT_EQ(*letters.lockstep, Picoseconds{(200'000 + 1'000'000 + 999'000) * 7});
    on.model.logGP->gap = {};
    EXPECT_EQ(*execute(on).limits->anyMessages.time, Picoseconds{600'000 + 1'200'000})
        << "bytes cut into single ones would cost no G; o passes between one telling and the next";
    on.model.logGP.reset();
    on.network.topology = "ring";
    on.network.neighboursOnly = true;
    on.algorithm = "allgatherv/bruck";
    EXPECT_FALSE(execute(on).predicted) << "a relayed schedule is another one";
}

/// Rounds of up to 4 and 5 messages each way, one after the other where there is one port: 9 startups, and 5 are
/// needed.
TEST(Report, ofMoreMessagesThanPortsCountsStartups) {
    RunWish on = wish("allreduce/bruck", {.ranks = 28, .size = 1000});
    on.options["n"] = "5";
    for (const auto sharing : {emulation::Sharing::bottleneck, emulation::Sharing::fair})
        for (const auto stepping : {emulation::Stepping::free, emulation::Stepping::lockstep}) {
            on.sharing = sharing;
            on.stepping = stepping;
            on.problem.ports = 1;
            const Report one = execute(on);
            EXPECT_EQ(one.run->rounds, 2);
            EXPECT_EQ(one.startups(), 9);
            EXPECT_EQ(one.serializedBytes(), 9000);
            EXPECT_EQ(one.limits->held().rounds.value, 5);
            EXPECT_EQ(one.run->duration, on.model.message(1000) * 9);
            EXPECT_EQ(*one.lockstep, one.run->duration);
            EXPECT_EQ(*one.predictedTime, one.run->duration);
            EXPECT_EQ(sum(*one.gap), one.run->duration - *one.timeBound());
            on.problem.ports = 3;
            EXPECT_EQ(execute(on).run->duration, on.model.message(1000) * 4);
            EXPECT_EQ(execute(on).startups(), 4);
            on.problem.ports = 5;
            EXPECT_EQ(execute(on).run->duration, on.model.message(1000) * 2);
            EXPECT_EQ(execute(on).limits->held().rounds.value, 2);
        }
}

/// Who sends without its ports has no startups to count; who receives has.
TEST(Report, ofDetachedMessagesIsAboveItsBound) {
    for (const char* algorithm : {"bcast/flat", "bcast/binomial-tree", "allgatherv/linear-ring", "allgatherv/bruck"}) {
        RunWish on = wish(algorithm, {.ranks = 8, .size = 1024});
        on.sharing = emulation::Sharing::fair;
        on.protocol.detached = 1 << 20;
        const Report report = execute(on);
        EXPECT_GE(report.run->duration, *report.timeBound()) << algorithm;
        EXPECT_GE(report.run->duration, *report.limits->anyMessages.time) << algorithm;
    }
    RunWish flat = wish("bcast/flat", {.ranks = 8, .size = 1024});
    flat.sharing = emulation::Sharing::fair;
    flat.protocol.detached = 1 << 20;
    EXPECT_EQ(execute(flat).run->duration, *execute(flat).timeBound()) << "everyone is served at once";
}

/// A run and what is read back of it name one bound, whatever links cost.
TEST(Report, ofARunReadBackHasItsBound) {
    for (const char* topology : {"full", "ring:link=3us+2ns/B", "cluster:4,inside=0.1us+0.1ns/B,between=2us+1ns/B"})
        for (const bool letters : {false, true}) {
            RunWish on = wish("allgatherv/linear-ring", {.ranks = 8, .size = 1000});
            on.network.topology = topology;
            if (letters) on.model.logGP = engine::readLogGP("L=1us,o=100ns,g=200ns,G=1ns/B", "test");
            const analysis::Trace trace{.report = execute(on)};
            ASSERT_TRUE(trace.report.timeBound()) << topology;
            EXPECT_GE(trace.report.run->duration, *trace.report.timeBound()) << topology;
            analysis::TraceAnalysis analysis{trace, {}};
            const auto gap = analysis::gapOf(analysis, 0);
            ASSERT_TRUE(gap) << topology;
            EXPECT_EQ(gap->bound, *trace.report.timeBound()) << topology;
        }
}

/// What a node needs of others comes through its cards: 4000 bytes here, or half of them where there are two.
TEST(Report, boundsWhatComesThroughTheCardsOfANode) {
    for (const char* algorithm : {"allgatherv/bruck", "allgatherv/linear-ring", "allgatherv/recursive-doubling"})
        for (const int cards : {1, 2})
            for (const bool fair : {true, false}) {
                RunWish on = wish(algorithm, {.ranks = 8, .size = 1000});
                on.network.topology = engine::text("cluster:4,inside=0.1us+0.1ns/B,between=1us+1ns/B,nics=", cards);
                if (fair) on.sharing = emulation::Sharing::fair;
                else on.stepping = emulation::Stepping::lockstep;
                const Report report = execute(on);
                EXPECT_GE(report.run->duration, *report.timeBound()) << algorithm << on.network.topology;
                const double least = 1'000'000 + 4'000'000 / cards;
                EXPECT_NEAR(static_cast<double>(report.limits->anyMessages.time->count()), least, 2);
                if (fair) continue;
                on.stepping = emulation::Stepping::free;
                const Report free = execute(on);
                EXPECT_GE(free.run->duration, *free.timeBound());
                EXPECT_NEAR(static_cast<double>(free.limits->anyMessages.time->count()), least, 2)
                    << "one bound, whatever clock ran the algorithm";
                on.sharing = emulation::Sharing::none;
                EXPECT_LT(*execute(on).limits->anyMessages.time, Picoseconds{1'500'000}) << "links are not shared";
            }
    // Two ports would take half of a message each, but one link leads to the switch below which a rank is alone.
    RunWish tree = wish("bcast/binomial-tree", {.ranks = 4, .size = 100'000, .ports = 2});
    tree.network.topology = "fat-tree:1x4";
    tree.sharing = emulation::Sharing::fair;
    const Report report = execute(tree);
    EXPECT_GE(report.run->duration, *report.timeBound());
    ASSERT_TRUE(report.gap);
    EXPECT_EQ(sum(*report.gap), report.run->duration - *report.timeBound());
}

/// Nobody needs contributions without bytes.
TEST(Report, ofContributionsWithoutBytesIsNotBelowItsBound) {
    for (const char* empty : {"skipped", "omitted"}) {
        RunWish on = wish("allgatherv/pipelined-ring", {.ranks = 6, .size = 0});
        on.options["empty"] = empty;
        const Report report = execute(on);
        EXPECT_EQ(report.limits->held().rounds.value, 0) << empty;
        EXPECT_EQ(*report.timeBound(), Picoseconds{}) << empty;
    }
    RunWish both = wish("intergroup-allgatherv/balanced", {.groupA = 2, .groupB = 2, .size = 0});
    EXPECT_EQ(execute(both).limits->held().rounds.value, 0);
}

TEST(Report, boundsFastLinksByTheirOwnSpeed) {
    RunWish on = wish("bcast/binomial-tree", {.ranks = 8, .size = 1000});
    on.network.topology = "cluster:4,inside=0.1us+0.1ns/B,between=2us+1ns/B";
    const Report report = execute(on);
    EXPECT_GE(report.run->duration, *report.timeBound());
    EXPECT_EQ(*report.limits->whole->fullNetworkTime, (Picoseconds{100'000} + Picoseconds{100'000}) * 3);
    EXPECT_EQ(*report.limits->anyMessages.fullNetworkTime, Picoseconds{100'000} * 3 + Picoseconds{100'000});
    EXPECT_EQ(*report.timeBound(), Picoseconds{2'999'999}) << "the message to the other node";
    EXPECT_FALSE(report.gap);
    EXPECT_FALSE(report.predictedTime);
}

TEST(Report, blamesPerturbation) {
    RunWish on = wish("allgatherv/linear-ring", {.ranks = 8, .size = 1000});
    on.perturbation = emulation::perturbationFromText("arrival=late:3,50us slow-ranks=1:3");
    const Report report = execute(on);
    const Report even = execute(wish("allgatherv/linear-ring", {.ranks = 8, .size = 1000}));
    EXPECT_EQ(report.gap->perturbation, report.run->duration - even.run->duration);
    EXPECT_EQ(sum(*report.gap), report.run->duration - *report.timeBound());
    EXPECT_FALSE(report.predictedTime);
}

/// The lockstep time is added up from the books where that is all it takes; it must be what a run in step takes.
TEST(Report, addsUpLockstepTimes) {
    for (const char* arrival : {"", "arrival=ramp:9us"})
        for (const engine::Algorithm* algorithm : engine::catalogue()) {
            RunWish each = wish(algorithm->id, {});
            if (isIntergroup(algorithm->collective)) each.problem.groupA = 8, each.problem.groupB = 8;
            else each.problem.ranks = 16;
            each.network.topology = "full";
            each.perturbation = emulation::perturbationFromText(arrival);
            const Report free = execute(each);
            each.stepping = emulation::Stepping::lockstep;
            EXPECT_EQ(*free.lockstep, execute(each).run->duration) << algorithm->id << arrival;
        }
}

TEST(Report, guessesNothingAboutAForeignRun) {
    auto run = std::make_shared<engine::Run>();
    run->ranks = 2;
    run->perRank.resize(2);
    run->setting.on = "trace";
    run->setting.algorithm = "bcast/of-another-program";
    run->setting.problem = "bcast n=2 sizes=8 root=0";
    run->setting.topology = "moebius";
    run->setting.model = "alpha=soon";
    const Report report = analysis::reportOn(run);
    EXPECT_FALSE(report.plan);
    EXPECT_FALSE(report.model);
    EXPECT_FALSE(report.network);
    EXPECT_FALSE(report.limits);
    EXPECT_FALSE(report.gap);
    EXPECT_FALSE(report.peak());
}

TEST(Report, dropsAPlanThatDidNotMakeTheRun) {
    Report executed = execute(wish("bcast/flat", {.ranks = 4}));
    auto other = std::make_shared<engine::Run>(*executed.run);
    other->rounds = 99;
    EXPECT_FALSE(analysis::reportOn(other).plan);
}

TEST(Execute, refusesPlacesItDoesNotKnow) {
    RunWish on = wish("bcast/flat", {.ranks = 4});
    on.on = "moon";
    EXPECT_THROW(execute(on), engine::Error);
}

TEST(Execute, stopsWhenAsked) {
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(execute(wish("bcast/flat", {.ranks = 4}), {.report = {}, .stop = stop.get_token()}),
                 engine::Cancelled);
}

/// A run and the archive of it give one answer where the time above the bound went.
TEST(Reports, andQuestionsNameTheSameCauses) {
    RunWish late = wish("bcast/flat", {.ranks = 4});
    late.perturbation.arrival = emulation::readArrival("late:0,1ms");
    late.network.topology = "ring";
    const analysis::Trace trace{.report = execute(late)};
    ASSERT_TRUE(trace.report.gap.has_value());
    EXPECT_GT(trace.report.gap->perturbation.count(), 0);
    analysis::TraceAnalysis analysis{trace, {}};
    const auto gap = analysis::gapOf(analysis, 0);
    ASSERT_TRUE(gap.has_value());
    EXPECT_EQ(gap->parts, *trace.report.gap);
}

}  // namespace
}  // namespace app
