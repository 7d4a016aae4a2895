// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/compare/single_collective.hpp"

#include "app/analysis/trace/rank_time_breakdown.hpp"
#include "app/analysis/trace/trace.hpp"
#include "engine/base/error.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "tests/support/native_calls.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/programs/stepping_program.hpp"
#include "tests/support/traced.hpp"
#include "traces/recording/run_from_recording.hpp"
#include "traces/recording/vocabulary.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace app {
namespace {

using analysis::TraceAnalysis;
using engine::Picoseconds;
using engine::Rank;

/// As a recorder that counts what arguments say, so that what was solved is known.
traces::Recording counted() {
    traces::Recording recording = support::steppingProgram(6, 3);
    recording.creator = traces::own::creator;
    return recording;
}

using analysis::samples::traceOf;

std::size_t first(TraceAnalysis& analysis, std::string_view operation) {
    const auto& all = analysis.instances();
    return static_cast<std::size_t>(std::ranges::find(all, operation, &analysis::Instance::operation) - all.begin());
}

/// Each of 6 ranks sends to its right neighbour at once: one round of 6 messages.
TEST(Opened, showsAStretchOfMessagesInRounds) {
    const analysis::Trace trace = traceOf(counted());
    TraceAnalysis analysis{trace, {}};
    const std::size_t halo = first(analysis, "messages");
    const Opened one = opened(analysis, halo);
    EXPECT_TRUE(one.recovered);
    EXPECT_EQ(one.report.run->rounds, 1);
    EXPECT_EQ(one.report.run->messageCount, 6);
    EXPECT_EQ(one.report.run->ranks, 6);
    EXPECT_EQ(one.span.begin, analysis.instances()[halo].begin);
    EXPECT_TRUE(one.how.starts_with("1 round, recovered from the order of messages")) << one.how;
    EXPECT_TRUE(one.name.starts_with("messages on ") && one.name.ends_with(", instance 1")) << one.name;
}

/// What a library sent inside of its MPI_Allreduce is not in the trace: it is not made up without a word.
TEST(Opened, runsACollectiveOfWhichNoMessagesWereRecorded) {
    const analysis::Trace trace = traceOf(counted());
    TraceAnalysis analysis{trace, {}};
    const Opened one = opened(analysis, first(analysis, "allreduce"));
    EXPECT_FALSE(one.recovered);
    EXPECT_GE(one.report.run->rounds, 3) << "6 ranks need 3 rounds";
    ASSERT_TRUE(one.report.plan);
    EXPECT_EQ(one.report.plan->problem.collective, engine::Collective::allreduce);
    EXPECT_EQ(one.report.plan->problem.ranks(), 6);
    EXPECT_TRUE(one.how.starts_with("its messages were not recorded; here it runs in virtual time by allreduce/"))
        << one.how;
    EXPECT_NE(one.how.find("as the one that ran was not recorded"), std::string::npos) << one.how;
    EXPECT_TRUE(one.report.fault.empty()) << one.report.fault;
}

TEST(Opened, saysWhyItCannotBeRun) {
    const analysis::Trace trace = traceOf(support::steppingProgram(6, 3));
    TraceAnalysis analysis{trace, {}};
    try {
        (void)opened(analysis, first(analysis, "allreduce"));
        FAIL() << "what its recorder counts is not known";
    } catch (const engine::Error& error) {
        EXPECT_TRUE(std::string{error.what()}.starts_with("its messages were not recorded, and what it solved"))
            << error.what();
    }
}

TEST(Opened, runsItByTheAlgorithmThatItsRecorderNames) {
    traces::Recording recording = counted();
    recording.algorithms = {"allreduce/ring"};
    std::vector<traces::Collective> named;
    for (traces::Collective instance : recording.collectives.instances) {
        instance.algorithm = 0;
        named.push_back(instance);
    }
    recording.collectives.instances = std::move(named);
    const analysis::Trace trace = traceOf(std::move(recording));
    TraceAnalysis analysis{trace, {}};
    const Opened one = opened(analysis, first(analysis, "allreduce"));
    ASSERT_TRUE(one.report.plan);
    EXPECT_EQ(one.report.plan->algorithm->id, "allreduce/ring");
    EXPECT_NE(one.how.find("allreduce/ring, which its recorder names"), std::string::npos) << one.how;
    EXPECT_EQ(one.report.run->rounds, 10) << "twice p - 1";
}

TEST(Opened, showsTheMessagesThatTheLibrarySent) {
    const engine::Plan plan =
        engine::makePlan(engine::algorithmNamed("allreduce/ring"), support::allreduce(6, 1 << 16), {});
    support::NativeProgram program{6};
    program.call(plan, "allreduce_intra_ring", "tuned");
    const analysis::Trace trace = program.finish();
    TraceAnalysis analysis{trace, {}};
    const Opened one = opened(analysis, 0);
    EXPECT_EQ(one.report.run->messages.size(), 6U * 10U);
    EXPECT_EQ(one.report.run->rounds, 10) << "twice p - 1";
    EXPECT_TRUE(
        one.how.starts_with("10 rounds, as its schedule has them; the library ran allreduce_intra_ring (component "
                            "tuned), whose messages are those of allreduce/ring"))
        << one.how;
    // The schedule that it followed is that of the run, with its bounds.
    ASSERT_TRUE(one.report.plan);
    EXPECT_EQ(one.report.plan->algorithm->id, "allreduce/ring");
    ASSERT_TRUE(one.report.limits);
    if (analysis.model()) {
        EXPECT_NE(one.how.find("; lower bound "), std::string::npos) << one.how;
    }
}

/// The root of a broadcast enters 5 ms late. Rank 1 is in its call all this time, but receives for 1 ms only.
TEST(Opened, countsTransfersAloneAndWhenRanksEntered) {
    const auto ms = [](std::int64_t time) { return Picoseconds{time * 1'000'000'000}; };
    support::NativeProgram program{2};
    traces::RecordingBuilder& builder = program.builder();
    const std::vector<Picoseconds> entries{ms(15), ms(10)};
    std::vector<traces::Participant> parts;
    for (const Rank rank : {Rank{0}, Rank{1}}) {
        builder.enter(rank.value, entries[rank.index()], "MPI_Bcast");
        builder.leave(rank.value, ms(16));
        const engine::Bytes sent = rank.value == 0 ? 1000 : 0;
        parts.push_back({.rank = rank, .begin = entries[rank.index()], .end = ms(16), .sent = sent, .received = 1000});
    }
    builder.collective(traces::Operation::bcast, 0, Rank{0}, std::move(parts));
    builder.inside({.from = Rank{0},
                    .to = Rank{1},
                    .bytes = 1000,
                    .sendBegin = ms(15),
                    .sendEnd = ms(16),
                    .receiveBegin = ms(10),
                    .receiveEnd = ms(16)});
    const analysis::Trace trace = program.finish();
    TraceAnalysis analysis{trace, {}};
    const Opened one = opened(analysis, 0);
    const engine::Run& run = *one.report.run;
    EXPECT_EQ(run.entered, (std::vector{ms(5), ms(0)}));
    ASSERT_EQ(run.perRank.size(), 2U);
    EXPECT_EQ(run.perRank[1].busy, ms(1));
    EXPECT_EQ(run.perRank[1].noCommunication, ms(5));
    ASSERT_EQ(run.perRound.size(), 1U);
    EXPECT_EQ(run.perRound[0].begin, ms(5));
    EXPECT_EQ(analysis::totalRankTimeBreakdown(run).notYetEntered, ms(5));
    EXPECT_NE(one.how.find("; late broadcast: 5 ms of waiting, summed over ranks"), std::string::npos) << one.how;
}

TEST(Opened, findsTheInstanceOfACollectiveAndOfAMoment) {
    const analysis::Trace trace = traceOf(counted());
    TraceAnalysis analysis{trace, {}};
    const traces::Collectives& collectives = trace.recording->collectives;
    for (std::size_t i = 0; i < collectives.instances.size(); ++i) {
        const auto found = instanceOfCollective(analysis, i);
        ASSERT_TRUE(found) << i;
        const analysis::Instance& instance = analysis.instances()[*found];
        EXPECT_TRUE(instance.isCollective());
        for (const traces::Participant& part : collectives.of(collectives.instances[i])) {
            EXPECT_GE(part.begin, instance.begin);
            EXPECT_LE(part.end, instance.end);
            EXPECT_EQ(instanceAt(analysis, part.rank, part.begin + (part.end - part.begin) / 2), found);
        }
    }
    EXPECT_FALSE(instanceOfCollective(analysis, collectives.instances.size()));
    EXPECT_FALSE(instanceAt(analysis, Rank{0}, Picoseconds{1})) << "before the first message";
    const std::size_t halo = first(analysis, "messages");
    EXPECT_EQ(instanceAt(analysis, Rank{2}, analysis.instances()[halo].begin), halo);
    EXPECT_THROW((void)opened(analysis, 10'000), engine::Error);
}

}  // namespace
}  // namespace app
