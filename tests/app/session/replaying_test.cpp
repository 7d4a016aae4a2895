// SPDX-License-Identifier: BSD-3-Clause
// Recorded runs again: to the picosecond where they are ours, and real traces with nothing left undone.
#include "app/session/replaying.hpp"
#include "emulation/clocks/clockwork.hpp"
#include "engine/catalogue.hpp"
#include "engine/error.hpp"
#include "tests/support/catalogue_grid.hpp"
#include "tests/support/places.hpp"
#include "traces/recording_builder.hpp"
#include "traces/run_of.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace app {
namespace {

using engine::Picoseconds;
using engine::Rank;

constexpr Picoseconds us(std::int64_t time) { return Picoseconds{time * 1'000'000}; }

class EveryRunReplayed : public testing::TestWithParam<const engine::Algorithm*> {};

TEST_P(EveryRunReplayed, takesWhatWasRecorded) {
    const engine::Algorithm& algorithm = *GetParam();
    for (const engine::Problem& problem : support::problemsFor(algorithm.collective, 4)) {
        if (algorithm.objects != nullptr && algorithm.objects(problem, engine::Options{"", algorithm.options, {}}))
            continue;
        const engine::Plan plan = engine::makePlan(algorithm, problem, {});
        const auto network = emulation::makeNetwork("full", plan.schedule->facts().ranks);
        const emulation::Conditions conditions{.model = {.gamma = engine::Rate{100}}, .ports = problem.ports};
        const Trace trace{.report = reportOn(
                              std::make_shared<const engine::Run>(emulation::emulate(plan, *network, conditions).run))};
        const Replaying again = replayed(trace, {});
        EXPECT_EQ(again.asRecorded.result.duration, trace.report.run->duration) << engine::toText(problem);
        EXPECT_EQ(again.asRecorded.result.messages, trace.report.run->messageCount);
        EXPECT_EQ(again.error(), 0);
        EXPECT_FALSE(again.changed);
        if (HasFailure()) return;
    }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryRunReplayed,
                         testing::ValuesIn(engine::catalogue().begin(), engine::catalogue().end()),
                         [](const auto& each) { return support::testName(each.param); });

Report ranAs(const RunWish& wish) { return execute(wish); }

TEST(Replaying, takesTheConditionsOfTheRecording) {
    RunWish wish{.algorithm = "allreduce/ring", .problem = {.ranks = 8, .size = 4096}};
    wish.network.topology = "torus:2x4";
    wish.network.placement = "snake";
    wish.model = {.alpha = Picoseconds{700}, .beta = engine::Rate{300}, .gamma = engine::Rate{100}};
    wish.perturbation.arrival = emulation::readArrival("ramp:3us");
    wish.perturbation.slowRanks = emulation::readSlowRanks("3:2.5");
    wish.perturbation.slowLinks = emulation::readSlowLinks("0-1:4");
    for (const bool neighboursOnly : {false, true}) {
        wish.network.neighboursOnly = neighboursOnly;
        const Trace trace{.report = ranAs(wish)};
        const Replaying again = replayed(trace, {});
        EXPECT_EQ(again.asRecorded.result.duration, trace.report.run->duration);
        EXPECT_EQ(again.modelOrigin, "recorded");
    }
}

TEST(Replaying, changesWhatItIsAskedFor) {
    RunWish wish{.algorithm = "allreduce/ring", .problem = {.ranks = 8, .size = 4096}};
    const Trace trace{.report = ranAs(wish)};
    ReplayWish other;
    other.asked.add("alpha", "5us");
    wish.model.alpha = us(5);
    EXPECT_EQ(replayed(trace, other).last().result.duration, execute(wish).run->duration);
    other.asked.add("topology", "torus:2x4");
    wish.network.topology = "torus:2x4";
    EXPECT_EQ(replayed(trace, other).last().result.duration, execute(wish).run->duration);
    other.with = {"allreduce=allreduce/bruck:n=2"};
    wish.algorithm = "allreduce/bruck";
    wish.options = {{"n", "2"}};
    const Replaying again = replayed(trace, other);
    EXPECT_EQ(again.last().result.duration, execute(wish).run->duration);
    EXPECT_EQ(again.asRecorded.result.duration, trace.report.run->duration);
}

TEST(Replaying, refusesAlgorithmsThatAreNone) {
    const Trace trace{.report = ranAs({.algorithm = "allreduce/ring", .problem = {.ranks = 8, .size = 4096}})};
    for (const char* const with : {"ring", "allreduce=nothing/there", "allreduec=allreduce/ring", "bcast=bcast/chain",
                                   "allreduce=bcast/chain", "allreduce=allreduce/ring:segments=x"})
        EXPECT_THROW(replayed(trace, {.with = {with}}), engine::Error) << with;
    EXPECT_THROW(replayed(trace, {.with = {"best", "best"}}), engine::Error);
}

Trace traceOf(traces::RecordingBuilder& builder) {
    auto recording = std::make_shared<const traces::Recording>(builder.finish());
    return {.report = reportOn(std::make_shared<const engine::Run>(traces::runOf(*recording))), .recording = recording};
}

/// Both send first.
Trace headToHead() {
    traces::RecordingBuilder builder{2};
    for (const int rank : {0, 1}) {
        builder.enter(rank, us(10), "MPI_Send");
        builder.leave(rank, us(13));
        builder.enter(rank, us(14), "MPI_Recv");
        builder.leave(rank, us(15));
        builder.message({.from = Rank{rank},
                         .to = Rank{1 - rank},
                         .bytes = 5000,
                         .sendBegin = us(10),
                         .sendEnd = us(13),
                         .receiveBegin = us(14),
                         .receiveEnd = us(15)});
    }
    return traceOf(builder);
}

TEST(Replaying, saysWhoWaitsForeverInWhichCall) {
    const Trace trace = headToHead();
    const Replaying plain = replayed(trace, {});
    EXPECT_EQ(plain.modelOrigin, "assumed");
    EXPECT_TRUE(plain.last().stuck.empty());
    // 10 us, 3 us to send, and 1 us and as much again to receive.
    EXPECT_EQ(plain.last().result.duration, us(10) + us(3) + us(1) + us(3));
    ReplayWish rendezvous;
    rendezvous.asked.add("eager", "4KiB");
    EXPECT_EQ(replayed(trace, rendezvous).last().stuck,
              (std::vector<std::string>{
                  "rank 0 waits forever in MPI_Send until rank 1 receives 4.883 KiB (recorded at 10 us)",
                  "rank 1 waits forever in MPI_Send until rank 0 receives 4.883 KiB (recorded at 10 us)"}));
}

/// Ranks compute in main, and in assemble for 10, 10, 40 us; then they meet.
Trace uneven() {
    traces::RecordingBuilder builder{3};
    std::vector<traces::Participant> parts;
    for (const int rank : {0, 1, 2}) {
        const std::int64_t end = rank == 2 ? 45 : 15;
        builder.enter(rank, us(0), "main");
        builder.enter(rank, us(5), "assemble");
        builder.leave(rank, us(end));
        builder.enter(rank, us(end), "MPI_Barrier");
        builder.leave(rank, us(47));
        builder.leave(rank, us(50));
        parts.push_back({.rank = Rank{rank}, .begin = us(end), .end = us(47)});
    }
    builder.collective(traces::Operation::barrier, 0, traces::noRank, std::move(parts));
    return traceOf(builder);
}

TEST(Replaying, changesWhatRanksCompute) {
    const Trace trace = uneven();
    // Two rounds of 1 us for the barrier, and 3 us behind it.
    const auto takes = [&](analysis::OwnTimeWish wish) {
        return replayed(trace, {.ownTime = std::move(wish)}).last().result.duration;
    };
    EXPECT_EQ(replayed(trace, {}).last().result.duration, us(50));
    EXPECT_EQ(takes({.compute = {"0.5"}}), us(26));  // (45 + 3 + 4) / 2
    EXPECT_EQ(takes({.compute = {"assemble=0.5"}}), us(30));
    EXPECT_EQ(takes({.compute = {"rank 2: main/assemble=0.25"}}), us(20));
    EXPECT_EQ(takes({.compute = {"rank 1: assemble=2"}}), us(50));
    EXPECT_EQ(takes({.without = {"rank 2: assemble"}}), us(20));
    EXPECT_EQ(takes({.without = {"assemble"}}), us(10));
    EXPECT_EQ(takes({.even = {"assemble"}}), us(30));  // 20 us each
    EXPECT_EQ(takes({.compute = {"assemble=0.5"}, .even = {"assemble"}}), us(20));
    const Replaying again = replayed(trace, {.ownTime = {.without = {"rank 2: assemble"}}});
    EXPECT_EQ(again.asRecorded.result.duration, us(50));
    for (const analysis::OwnTimeWish& wrong :
         {analysis::OwnTimeWish{.compute = {"fast"}}, analysis::OwnTimeWish{.compute = {"-1"}},
          analysis::OwnTimeWish{.compute = {"assembly=2"}}, analysis::OwnTimeWish{.without = {"rank 3: assemble"}},
          analysis::OwnTimeWish{.even = {"rank 1: assemble"}}})
        EXPECT_THROW(takes(wrong), engine::Error);
}

class SharedReplayed : public testing::TestWithParam<const char*> {};

TEST_P(SharedReplayed, comesToItsEnd) {
    const std::filesystem::path folder = support::sharedTraces() / GetParam();
    if (!std::filesystem::exists(folder))
        GTEST_SKIP() << folder << " is not there; COLLSCOPE_SHARED_TRACES names its parent";
    const Trace trace = openTrace(folder);
    ReplayWish wish;
    wish.asked.add("topology", "ring");
    const Replaying again = replayed(trace, wish);
    EXPECT_TRUE(again.asRecorded.stuck.empty()) << again.asRecorded.stuck.front();
    EXPECT_TRUE(again.last().stuck.empty());
    EXPECT_GE(again.asRecorded.result.messages, trace.report.run->messageCount);
    EXPECT_LT(std::abs(again.error()), 0.02);
    EXPECT_GE(again.last().result.duration, again.asRecorded.result.duration);
}

INSTANTIATE_TEST_SUITE_P(Traces, SharedReplayed,
                         testing::Values("pipit-ping-pong", "sstmacro-mpi-coverage-10", "tracer-stencil4d-32"),
                         [](const auto& each) {
                             std::string name = each.param;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

}  // namespace
}  // namespace app
