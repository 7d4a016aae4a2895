// SPDX-License-Identifier: BSD-3-Clause
// Recorded runs again: to the picosecond where they are ours, and real traces with nothing left undone.
#include "app/analysis/trace/trace_analysis.hpp"
#include "app/analysis/wait_states/wait_state_sums.hpp"
#include "app/session/replay/replay_run.hpp"
#include "app/session/replay/replay_words.hpp"
#include "emulation/clocks/virtual_clock.hpp"
#include "engine/base/error.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "tests/app/session/replay_samples.hpp"
#include "tests/support/catalogue_grid.hpp"
#include "tests/support/places.hpp"
#include "traces/recording/recording_builder.hpp"
#include "traces/recording/run_from_recording.hpp"
#include "traces/recording/vocabulary.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <utility>

namespace app {
namespace {

using engine::Picoseconds;
using engine::Rank;
using samples::headToHead;
using samples::scratchOf;
using samples::traceOf;
using samples::uneven;
using samples::us;

class EveryRunReplayed : public testing::TestWithParam<const engine::Algorithm*> {};

/// Rows of the table in which what was recorded and what was replayed are not the same.
std::size_t rowsThatDiffer(const engine::Table& table) {
    const auto column = [&](const char* name) {
        return std::find_if(table.columns.begin(), table.columns.end(),
                            [&](const engine::Column& each) { return each.name == name; }) -
               table.columns.begin();
    };
    const auto recorded = column("recorded_s"), replayed = column("replayed_s");
    return static_cast<std::size_t>(std::count_if(table.rows.begin(), table.rows.end(), [&](const auto& row) {
        return row[static_cast<std::size_t>(recorded)] != row[static_cast<std::size_t>(replayed)];
    }));
}

TEST_P(EveryRunReplayed, takesWhatWasRecorded) {
    const engine::Algorithm& algorithm = *GetParam();
    for (const engine::Problem& problem : support::problemsFor(algorithm.collective, 4)) {
        if (algorithm.objects != nullptr && algorithm.objects(problem, engine::Options{"", algorithm.options, {}}))
            continue;
        const engine::Plan plan = engine::makePlan(algorithm, problem, {});
        const auto network = emulation::makeNetwork("full", plan.schedule->facts().ranks);
        emulation::Conditions conditions{.model = {.gamma = engine::Rate{100}}, .ports = problem.ports};
        for (const char* const words : {"", "late", "in step", "L=2us,o=300ns,g=500ns,G=1.3ns/B,O=0.2ns/B"}) {
            const std::string letters = *words == 'L' ? words : "";
            conditions.perturbation.arrival = emulation::readArrival(letters == words ? "none" : "ramp:3us");
            conditions.stepping =
                words == std::string{"in step"} ? emulation::Stepping::lockstep : emulation::Stepping::free;
            if (!letters.empty()) conditions.model.logGP = engine::readLogGP(letters, "test");
            const Trace trace{.report = analysis::reportOn(std::make_shared<const engine::Run>(
                                  emulation::emulate(plan, *network, conditions).run))};
            const Replaying again = replayed(trace, {});
            EXPECT_EQ(again.asRecorded.result.duration, trace.report.run->duration)
                << engine::toText(problem) << ' ' << words;
            EXPECT_EQ(again.asRecorded.result.messages, trace.report.run->messageCount);
            EXPECT_EQ(rowsThatDiffer(again.activities), 0U) << engine::toText(problem) << ' ' << words;
            EXPECT_EQ(rowsThatDiffer(again.perRank), 0U) << engine::toText(problem) << ' ' << words;
            EXPECT_EQ(again.error(), 0);
            EXPECT_FALSE(again.changed);
            if (HasFailure()) return;
        }
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
        for (const char* const letters : {"", "L=900ps,o=200ps,g=300ps,G=0.3ns/B"}) {
            wish.model.logGP.reset();
            if (*letters != 0) wish.model.logGP = engine::readLogGP(letters, "test");
            const Trace trace{.report = ranAs(wish)};
            const Replaying again = replayed(trace, {});
            EXPECT_EQ(again.asRecorded.result.duration, trace.report.run->duration) << letters;
            EXPECT_EQ(again.modelOrigin, "recorded");
        }
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
    const std::string letters = "L=3us,o=1us,g=2us,G=0.5ns/B";
    ReplayWish underLogGP;
    underLogGP.asked.add("loggp", letters);
    RunWish itsRun{.algorithm = "allreduce/ring", .problem = {.ranks = 8, .size = 4096}};
    itsRun.model.logGP = engine::readLogGP(letters, "test");
    EXPECT_EQ(replayed(trace, underLogGP).last().result.duration, execute(itsRun).run->duration);
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
                  "rank 0 waits forever in MPI_Send until rank 1 receives 4.88 KiB (recorded at 10 us)",
                  "rank 1 waits forever in MPI_Send until rank 0 receives 4.88 KiB (recorded at 10 us)"}));
}

Picoseconds meanOf(const engine::Table& activities, const char* activity, std::size_t column) {
    for (const auto& row : activities.rows)
        if (std::get<std::string>(row[0]) == activity) return std::get<Picoseconds>(row[column]);
    ADD_FAILURE() << "no row " << activity;
    return {};
}

/// Of a run of ours messages are known within: what ranks wait is what every other answer says of it.
TEST(Replaying, tellsWhatRanksWaitForWithinARunAsOtherAnswersDo) {
    const Report report = execute(RunWish{.algorithm = "halfduplex-allgather/ring-streams",
                                          .problem = {.groupA = 4, .groupB = 6, .size = 65536}});
    Picoseconds waited{};
    for (const Picoseconds time : analysis::waitSums(*report.run).all()) waited += time;
    ASSERT_GT(waited.count(), 0);
    const Replaying made = replayed(Trace{.report = report}, {});
    for (const std::size_t column : {1, 2}) {
        EXPECT_EQ(meanOf(made.activities, "waiting for messages", column), waited / 10);
        EXPECT_EQ(meanOf(made.activities, "message transfer", column),
                  report.run->duration - waited / 10 - meanOf(made.activities, "finished early", column));
        EXPECT_EQ(meanOf(made.activities, "other time in these calls", column).count(), 0);
    }
}

/// Rank 1 calls MPI from a second thread; with `inMain`, the main thread does instead.
Trace threaded(bool inMain) {
    traces::RecordingBuilder builder{2};
    const std::int32_t other = builder.thread(Rank{1}, "io");
    for (const std::int32_t location : {0, 1, other}) {
        const bool calls = location == (inMain ? 1 : other);
        builder.enter(location, us(1), location == 0 ? "MPI_Send" : calls ? "MPI_Recv (io, thr.c:7)" : "compute");
        builder.leave(location, us(4));
    }
    builder.message({.from = Rank{0},
                     .to = Rank{1},
                     .bytes = 4,
                     .sendBegin = us(1),
                     .sendEnd = us(4),
                     .receiveBegin = us(1),
                     .receiveEnd = us(4)});
    return traceOf(builder);
}

TEST(Replaying, refusesMpiCallsOfOtherThreads) {
    EXPECT_EQ(replayed(threaded(true), {}).asRecorded.result.messages, 1);
    try {
        replayed(threaded(false), {});
        ADD_FAILURE() << "the thread was replayed";
    } catch (const engine::Error& error) {
        EXPECT_STREQ(
            error.what(),
            "replay: 1 thread other than a main thread calls MPI (MPI_Recv); only main threads can be replayed");
    }
}

/// The summary of `open` names the same reason.
TEST(Replaying, namesTheReasonWhyCostsAreAssumedAsTheAnalysis) {
    for (const bool shares : {false, true}) {
        Trace trace = headToHead();
        if (shares) {
            auto recording = std::make_shared<traces::Recording>(*trace.recording);
            recording->properties.emplace(traces::own::sharing, "2 processors");
            trace.recording = recording;
        }
        analysis::TraceAnalysis analysis{trace, {}};
        ASSERT_NE(analysis.whyNoModel(), "");
        const std::string wanted = "alpha and beta are assumed: " + analysis.whyNoModel() + "; ";
        EXPECT_TRUE(std::ranges::any_of(replayed(trace, {}).remarks, [&](const std::string& one) {
            return one.starts_with(wanted);
        })) << wanted;
    }
}

/// Ranks 0 and 1 come to the barrier at 15 us, rank 2 at 45; all leave at 47.
TEST(Replaying, partsTimeInCollectivesByWhoCameLate) {
    const Replaying made = replayed(uneven(), {});
    for (const std::size_t column : {1, 2}) {
        EXPECT_EQ(meanOf(made.activities, "waiting in collectives and other synchronising calls", column), us(20));
        EXPECT_EQ(meanOf(made.activities, "other time in these calls", column), us(2));
    }
}

/// Rank 1 computes 20 us behind MPI_Init, 10 us longer than rank 0; the startup of its message takes 1 us longer.
TEST(Replaying, slowsRanksBehindMpiInit) {
    traces::RecordingBuilder builder{2};
    std::vector<traces::Participant> parts;
    for (const int rank : {0, 1}) {
        const std::int64_t came = rank == 0 ? 110 : 120;
        builder.enter(rank, us(0), "MPI_Init");
        builder.leave(rank, us(100));
        builder.enter(rank, us(came), "MPI_Barrier");
        builder.leave(rank, us(122));
        parts.push_back({.rank = Rank{rank}, .begin = us(came), .end = us(122)});
    }
    builder.collective(traces::Operation::barrier, 0, traces::noRank, std::move(parts));
    ReplayWish slower;
    slower.asked.add("slow-ranks", "1:2");
    const Replaying made = replayed(traceOf(builder), slower);
    ASSERT_TRUE(made.changed);
    EXPECT_EQ(made.changed->result.duration - made.asRecorded.result.duration, us(21));
    EXPECT_EQ(made.changed->setUp.last(), us(100));
}

/// Rank 1 receives 30 us late, for which rank 0 waits in its send.
TEST(Replaying, letsSendersWaitForReceiversAsRecorded) {
    traces::RecordingBuilder builder{2};
    builder.enter(0, us(0), "MPI_Send");
    builder.leave(0, us(32));
    builder.enter(1, us(0), "compute");
    builder.leave(1, us(30));
    builder.enter(1, us(30), "MPI_Recv");
    builder.leave(1, us(32));
    builder.message({.from = Rank{0},
                     .to = Rank{1},
                     .bytes = 9000,
                     .sendBegin = us(0),
                     .sendEnd = us(32),
                     .receiveBegin = us(30),
                     .receiveEnd = us(32)});
    const Trace trace = traceOf(builder);
    const Replaying made = replayed(trace, {});
    EXPECT_EQ(engine::modelFromText(made.asRecorded.model).eagerLimit, 8999);
    EXPECT_EQ(meanOf(made.activities, "waiting for messages", 2), us(15));
    ASSERT_FALSE(made.remarks.empty());
    EXPECT_EQ(std::ranges::count_if(made.remarks,
                                    [](const std::string& one) { return one.find("rendezvous") != std::string::npos; }),
              1);
    ReplayWish eager;
    eager.asked.add("eager", "all");
    const Replaying changed = replayed(trace, eager);
    ASSERT_TRUE(changed.changed);
    EXPECT_LT(changed.changed->result.ranks[Rank{0}].waiting, us(15));
}

TEST(ReplayWords, nameTheActivityWhoseErrorTheSumHides) {
    Replaying made;
    made.recorded = us(100);
    made.asRecorded.model = engine::toText(engine::Model{});
    made.asRecorded.network = "full";
    made.asRecorded.result.duration = us(98);
    made.errorBesideComputing = -0.04;
    made.differences = {{"message transfer", us(-7), -0.2}, {"waiting for messages", us(5), 0.14}};
    EXPECT_EQ(
        factsOf(made)[1].words,
        "time outside computation 4% less than recorded; per rank, message transfer 7 us less (20%) and waiting for "
        "messages 5 us more (14%)");
    made.differences.front().share = -0.6;
    EXPECT_EQ(factsOf(made)[1].what, "caution");
}

TEST(ReplayWords, tellTheErrorInAllOnceAndThenWhereRanksDoNotCompute) {
    Replaying made;
    made.recorded = us(100);
    made.asRecorded.model = engine::toText(engine::Model{});
    made.asRecorded.network = "full";
    made.asRecorded.result.duration = us(98);
    made.errorBesideComputing = -0.04;
    const std::vector<ReplayFact> facts = factsOf(made);
    EXPECT_EQ(facts[0].words, "98 us, 2% less than recorded");
    EXPECT_EQ(facts[1].words, "time outside computation 4% less than recorded");
}

/// Calls of each rank, one after the other: of computing, messages that block or do not, and collectives among all
/// ranks or the even ones. What took how long is drawn at random; computing takes no time, now and then. Without
/// `mayPost` all of them block.
Trace randomTrace(std::mt19937& random, const char* creator, bool mayPost = true) {
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    const int ranks = 2 + below(4);
    traces::RecordingBuilder builder{ranks};
    builder.rest().creator = creator;
    std::vector<Rank> evens;
    for (int rank = 0; rank < ranks; rank += 2) evens.emplace_back(rank);
    const std::int32_t even = builder.communicator("even", evens);
    std::vector<Picoseconds> now(engine::asSize(ranks));
    const auto call = [&](int rank, const char* region, int most) {
        Picoseconds& time = now[engine::asSize(rank)];
        builder.enter(rank, time, region);
        const Picoseconds begin = time;
        builder.leave(rank, time += us(region == std::string_view{"compute"} ? below(most + 1) : 1 + below(most)));
        return traces::TimeSpan{begin, time};
    };
    for (int rank = 0; rank < ranks; ++rank) builder.enter(rank, us(0), "main");
    for (int step = 4 + below(12); step > 0; --step) {
        for (int rank = 0; rank < ranks; ++rank)
            if (below(2) == 0) call(rank, "compute", 9);
        const int from = below(ranks);
        const int to = (from + 1 + below(ranks - 1)) % ranks;
        const int kind = below(4);
        if (kind < 2) {  // one message
            const bool postsSend = mayPost && below(2) == 0, postsReceive = mayPost && below(2) == 0;
            traces::Message message{.from = Rank{from}, .to = Rank{to}, .bytes = below(9000)};
            auto span = call(from, postsSend ? "MPI_Isend" : "MPI_Send", 3);
            message.sendBegin = span.begin;
            message.sendEnd = span.end;
            span = call(to, postsReceive ? "MPI_Irecv" : "MPI_Recv", 3);
            message.receiveBegin = span.begin;
            message.receiveEnd = span.end;
            if (below(2) == 0) call(from, "compute", 5), call(to, "compute", 5);
            if (postsSend)
                message.sendEnd = call(from, "MPI_Wait", 4).end, message.flags |= traces::flag::sendNonBlocking;
            if (postsReceive)
                message.receiveEnd = call(to, "MPI_Wait", 4).end, message.flags |= traces::flag::receiveNonBlocking;
            builder.message(message);
        } else {
            const bool all = kind == 2;
            std::vector<traces::Participant> parts;
            Picoseconds latest{};
            for (int rank = 0; rank < ranks; rank += all ? 1 : 2) latest = std::max(latest, now[engine::asSize(rank)]);
            for (int rank = 0; rank < ranks; rank += all ? 1 : 2) {
                Picoseconds& time = now[engine::asSize(rank)];
                const Picoseconds begin = std::exchange(time, latest + us(1 + below(4)));
                builder.enter(rank, begin, all ? "MPI_Allreduce" : "MPI_Barrier");
                builder.leave(rank, time);
                parts.push_back({Rank{rank}, begin, time, all ? 4096 : 0, all ? 4096 : 0});
            }
            builder.collective(all ? traces::Operation::allreduce : traces::Operation::barrier, all ? 0 : even,
                               traces::noRank, std::move(parts));
        }
    }
    for (int rank = 0; rank < ranks; ++rank) builder.leave(rank, now[engine::asSize(rank)] + us(below(2)));
    return traceOf(builder);
}

/// What is kept of a replay takes, replayed, what that took; so it does as an archive.
void expectTheSameAgain(const Trace& trace, ReplayWish wish, const std::filesystem::path& folder) {
    wish.kept = true;
    const Replaying once = replayed(trace, wish);
    ASSERT_NE(once.recording, nullptr);
    std::filesystem::remove_all(folder);
    writeReplayed(once, folder);
    EXPECT_THROW(writeReplayed(once, folder), engine::Error) << "it is there already";
    const Trace archive = analysis::openTrace(folder);
    const Trace inMemory{
        .report = analysis::reportOn(std::make_shared<const engine::Run>(traces::runOf(*once.recording))),
        .recording = once.recording};
    for (const Trace* const again : {&inMemory, &archive}) {
        SCOPED_TRACE(again == &archive ? "as an archive" : "in memory");
        EXPECT_EQ(again->recording->duration, once.last().result.duration);
        const Replaying twice = replayed(*again, {});
        EXPECT_EQ(twice.modelOrigin, "recorded");
        EXPECT_EQ(twice.error(), 0);
        EXPECT_EQ(twice.errorBesideComputing.value_or(0), 0);
        EXPECT_EQ(twice.asRecorded.result.duration, once.last().result.duration);
        EXPECT_EQ(twice.asRecorded.result.messages, once.last().result.messages);
        for (const Rank rank : once.last().result.ranks.ids())
            EXPECT_EQ(twice.asRecorded.result.ranks[rank].end, once.last().result.ranks[rank].end)
                << "rank " << rank.value;
    }
    std::filesystem::remove_all(folder);
}

TEST(Replaying, isRecordedAsItWillBeReplayed) {
    std::mt19937 random{19};
    for (int trial = 0; trial < 100; ++trial) {
        SCOPED_TRACE(testing::Message() << "trial " << trial);
        const Trace trace = randomTrace(random, trial % 5 == 0 ? "" : "Collscope");
        ReplayWish wish;
        if (trial % 2 == 0) wish.asked.add("alpha", "3us");
        const bool reduces = std::ranges::any_of(trace.recording->collectives.instances, [](const auto& instance) {
            return instance.operation == traces::Operation::allreduce;
        });
        if (trial % 3 == 0 && reduces) wish.with = {"allreduce=allreduce/ring"};
        if (trial % 7 == 0) wish.ownTime.compute = {"0.5"};
        if (trial % 4 == 1) wish.asked.add("slow-ranks", "1:2.345");
        if (trial % 5 == 0) wish.with.clear();  // its allreduces have no problem
        expectTheSameAgain(trace, wish, scratchOf("random"));
        if (HasFailure()) return;
    }
}

TEST(Replaying, isRecordedUnderLogGPAsItWillBeReplayedWhereCallsBlock) {
    std::mt19937 random{20};
    for (int trial = 0; trial < 60; ++trial) {
        SCOPED_TRACE(testing::Message() << "trial " << trial);
        const Trace trace = randomTrace(random, "Collscope", false);
        ReplayWish wish;
        wish.asked.add("loggp", "L=3us,o=400ns,g=900ns,G=1ns/B,O=0.1ns/B");
        if (trial % 2 == 0) wish.asked.add("eager", "3KiB");
        if (trial % 3 == 0) wish.asked.add("slow-ranks", "1:2.345");
        if (!replayed(trace, wish).last().stuck.empty()) continue;
        expectTheSameAgain(trace, wish, scratchOf("loggp"));
        if (HasFailure()) return;
    }
}

TEST(Replaying, keepsTheCallsOfTheProgram) {
    const auto assemble = [](const Replaying& replaying, int rank) {
        const traces::States& states = replaying.recording->states[engine::asSize(rank)];
        return traces::TimeSpan{states.begin[1], states.end[1]};
    };
    Replaying again = replayed(uneven(), {.kept = true});
    EXPECT_EQ(assemble(again, 2), (traces::TimeSpan{us(5), us(45)}));
    again = replayed(uneven(), {.ownTime = {.compute = {"assemble=0.5"}}, .kept = true});
    EXPECT_EQ(assemble(again, 0), (traces::TimeSpan{us(5), us(10)}));
    EXPECT_EQ(assemble(again, 2), (traces::TimeSpan{us(5), us(25)}));
    again = replayed(uneven(), {.ownTime = {.without = {"assemble"}}, .kept = true});
    EXPECT_EQ(assemble(again, 2), (traces::TimeSpan{us(5), us(5)}));
    EXPECT_EQ(again.recording->states[2].end[2], us(7)) << "the barrier";
    expectTheSameAgain(uneven(), {.ownTime = {.even = {"assemble"}}}, scratchOf("even"));
}

TEST(Replaying, runsCollectivesByWhatTheirRecorderNames) {
    std::mt19937 random{4};
    const Trace trace = randomTrace(random, "Collscope");
    for (const char* const named : {"allreduce/bruck:n=2", "allreduce/none", "nonsense"}) {
        traces::Recording recording = *trace.recording;
        std::vector<traces::Collective> instances{recording.collectives.instances.begin(),
                                                  recording.collectives.instances.end()};
        for (traces::Collective& instance : instances)
            if (instance.operation == traces::Operation::allreduce) instance.algorithm = 0;
        recording.collectives.instances = std::move(instances);
        recording.algorithms = {named};
        const Trace other{.report = trace.report,
                          .recording = std::make_shared<const traces::Recording>(std::move(recording))};
        const Replaying again = replayed(other, {});
        const bool known = std::string_view{named}.starts_with("allreduce/bruck");
        const bool isUsed = std::ranges::any_of(again.algorithms.rows, [&](const auto& row) {
            return row[4] == engine::Cell{std::string{"allreduce/bruck with n=2"}};
        });
        EXPECT_EQ(isUsed, known) << named;
        EXPECT_EQ(
            std::ranges::any_of(again.remarks, [&](const auto& words) { return words.find(named) != words.npos; }),
            !known);
    }
}

TEST(Replaying, tellsTheLeastTimeOnlyOfWhatNobodyNames) {
    traces::RecordingBuilder builder{4};
    builder.rest().creator = "Collscope";
    for (const std::int64_t now : {0, 10}) {
        std::vector<traces::Participant> parts;
        for (const int rank : {0, 1, 2, 3}) {
            builder.enter(rank, us(now), "MPI_Bcast");
            builder.leave(rank, us(now + 5));
            parts.push_back({Rank{rank}, us(now), us(now + 5), rank == 0 ? 4096 : 0, 1024});
        }
        builder.collective(traces::Operation::bcast, 0, Rank{0}, std::move(parts));
    }
    const Trace unnamed = traceOf(builder);
    const engine::Table both = replayed(unnamed, {}).algorithms;
    ASSERT_EQ(both.rows.size(), 1U);
    const Picoseconds least = std::get<Picoseconds>(both.rows[0][8]);
    // The fastest, named of one of them: what stands for both is the same then.
    std::string fastest = std::get<std::string>(both.rows[0][4]);
    if (const auto with = fastest.find(" with "); with != std::string::npos) fastest.replace(with, 6, ":");
    std::erase(fastest, ',');
    std::ranges::replace(fastest, ' ', ':');
    traces::Recording recording = *unnamed.recording;
    std::vector<traces::Collective> instances{recording.collectives.instances.begin(),
                                              recording.collectives.instances.end()};
    instances.front().algorithm = 0;
    recording.collectives.instances = std::move(instances);
    recording.algorithms = {fastest};
    const Trace named{.report = unnamed.report,
                      .recording = std::make_shared<const traces::Recording>(std::move(recording))};
    const engine::Table apart = replayed(named, {}).algorithms;
    ASSERT_EQ(apart.rows.size(), 2U);
    EXPECT_EQ(apart.rows[0][4], apart.rows[1][4]);
    EXPECT_EQ(apart.rows[0][8], engine::Cell{least / 2});
    EXPECT_EQ(apart.rows[1][8], engine::Cell{});
}

TEST(Replaying, saysWhereTheModelDoesNotHoldForACollective) {
    for (const std::int64_t lasts : {1, 50}) {
        traces::RecordingBuilder builder{4};
        builder.rest().creator = "Collscope";
        std::vector<traces::Participant> parts;
        for (const int rank : {0, 1, 2, 3}) parts.push_back({Rank{rank}, us(0), us(lasts), rank == 0 ? 4096 : 0, 1024});
        builder.collective(traces::Operation::bcast, 0, Rank{0}, std::move(parts));
        ReplayWish wish;
        wish.asked.add("alpha", "5us");  // two rounds, at least
        const std::vector<std::string> remarks = replayed(traceOf(builder), wish).algorithms.remarks;
        EXPECT_EQ(std::ranges::any_of(remarks,
                                      [](const auto& one) { return one.starts_with("if the recorded time is below"); }),
                  lasts == 1);
    }
}

TEST(Replaying, saysThatNonblockingCollectivesProgress) {
    for (const bool nonBlocking : {false, true}) {
        traces::RecordingBuilder builder{2};
        builder.rest().creator = "Collscope";
        std::vector<traces::Participant> parts;
        for (const int rank : {0, 1})
            parts.push_back({.rank = Rank{rank},
                             .begin = us(0),
                             .end = us(9),
                             .sent = 8,
                             .received = 8,
                             .nonBlocking = nonBlocking});
        builder.collective(traces::Operation::allreduce, 0, traces::noRank, std::move(parts));
        const std::vector<std::string> remarks = replayed(traceOf(builder), {}).algorithms.remarks;
        EXPECT_EQ(std::ranges::any_of(
                      remarks, [](const auto& one) { return one.starts_with("nonblocking collectives progress"); }),
                  nonBlocking);
    }
}

TEST(Replaying, opensNoFileThatATraceNames) {
    std::mt19937 random{4};
    traces::Recording recording = *randomTrace(random, "Collscope").recording;
    std::vector<traces::Collective> instances{recording.collectives.instances.begin(),
                                              recording.collectives.instances.end()};
    for (traces::Collective& instance : instances)
        if (instance.operation == traces::Operation::allreduce) instance.algorithm = 0;
    recording.collectives.instances = std::move(instances);
    recording.algorithms = {"/nowhere/its.lua"};
    const Trace trace{.report = analysis::reportOn(std::make_shared<const engine::Run>(traces::runOf(recording))),
                      .recording = std::make_shared<const traces::Recording>(recording)};
    const std::vector<std::string> remarks = replayed(trace, {}).remarks;
    EXPECT_NE(std::ranges::find(remarks,
                                "recorded to run by '/nowhere/its.lua': a file, which a trace does not open; name it "
                                "with --with"),
              remarks.end());
}

TEST(Replaying, keepsNothingOfWhatWaitsForever) {
    ReplayWish rendezvous{.kept = true};
    rendezvous.asked.add("eager", "4KiB");
    EXPECT_EQ(replayed(headToHead(), rendezvous).recording, nullptr);
}

class SharedReplayed : public testing::TestWithParam<const char*> {};

TEST_P(SharedReplayed, comesToItsEnd) {
    const std::filesystem::path folder = support::sharedTraces() / GetParam();
    if (!std::filesystem::exists(folder))
        GTEST_SKIP() << folder << " is not there; COLLSCOPE_SHARED_TRACES names its parent";
    const Trace trace = analysis::openTrace(folder);
    ReplayWish wish;
    wish.asked.add("topology", "ring");
    const Replaying again = replayed(trace, wish);
    EXPECT_TRUE(again.asRecorded.stuck.empty()) << again.asRecorded.stuck.front();
    EXPECT_TRUE(again.last().stuck.empty());
    EXPECT_GE(again.asRecorded.result.messages, trace.report.run->messageCount);
    EXPECT_NEAR(engine::seconds(again.asRecorded.result.duration), engine::seconds(again.recorded),
                0.02 * engine::seconds(again.recorded));
    EXPECT_GE(again.last().result.duration, again.asRecorded.result.duration);
    expectTheSameAgain(trace, {}, scratchOf(GetParam()));
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
