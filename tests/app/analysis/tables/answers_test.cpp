// SPDX-License-Identifier: BSD-3-Clause
// A trace, a question, the rows expected: for our own runs and for recordings as other tools make them.
#include "app/analysis/tables/table_definition.hpp"

#include "app/analysis/findings/collective_gap.hpp"
#include "app/analysis/overview/first_page.hpp"
#include "app/analysis/overview/run_diff.hpp"
#include "emulation/clocks/virtual_clock.hpp"
#include "emulation/networks/network.hpp"
#include "engine/base/error.hpp"
#include "tests/support/first_page.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/small_runs.hpp"
#include "tests/support/traced.hpp"
#include "traces/recording/recording_builder.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace app::analysis {
namespace {

using engine::Picoseconds;
using engine::Rank;
using engine::Table;
using samples::ran;
using samples::rowsOf;

constexpr Picoseconds us(std::int64_t time) { return Picoseconds{time * 1'000'000}; }

Table ask(TraceAnalysis& analysis, std::string_view name) { return computeTable(tableNamed(name), analysis); }

/// The cells of one column, joined by blanks.
std::string columnOf(const Table& table, const std::string& name) {
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        if (table.columns[c].name != name) continue;
        Table one;
        for (const auto& row : table.rows) one.rows.push_back({row[c]});
        std::string words = rowsOf(one);
        std::replace(words.begin(), words.end(), '\n', ' ');
        return words;
    }
    return "no column " + name;
}

bool says(const std::vector<std::string>& page, const std::string& words) {
    return std::any_of(page.begin(), page.end(),
                       [&](const std::string& line) { return line.find(words) != std::string::npos; });
}

Trace foreign(traces::RecordingBuilder builder) {
    auto recording = std::make_shared<const traces::Recording>(builder.finish());
    auto run = std::make_shared<const engine::Run>(selectedRun(*recording, {}));
    return {.report = reportOn(run), .recording = recording};
}

/// Four ranks: a barrier that 3 is late for, a chain of three messages, an allgather counted as Score-P does.
traces::RecordingBuilder program() {
    traces::RecordingBuilder builder{4};
    builder.rest().creator = "Score-P 7.1";
    std::vector<traces::Participant> barrier;
    std::vector<traces::Participant> gather;
    for (int rank = 0; rank < 4; ++rank) {
        barrier.push_back({.rank = Rank{rank}, .begin = us(rank == 3 ? 30 : 10), .end = us(32)});
        gather.push_back({.rank = Rank{rank}, .begin = us(100), .end = us(110), .sent = 4000, .received = 4000});
    }
    builder.collective(traces::Operation::barrier, 0, traces::noRank, barrier);
    builder.collective(traces::Operation::allgather, 0, traces::noRank, gather);
    for (int rank = 0; rank < 3; ++rank)
        builder.message({.from = Rank{rank},
                         .to = Rank{rank + 1},
                         .bytes = 500,
                         .sendBegin = us(40 + 10 * rank),
                         .sendEnd = us(45 + 10 * rank),
                         .receiveBegin = us(40),
                         .receiveEnd = us(50 + 10 * rank)});
    return builder;
}

TEST(Answers, knowEveryQuestionByName) {
    for (const TableDefinition& definition : tableDefinitions()) {
        EXPECT_EQ(&tableNamed(definition.name), &definition);
        const Trace own = ran("bcast/binomial-tree", support::bcast(5, 0, 1000));
        TraceAnalysis analysis{own, {}};
        const Table table = computeTable(definition, analysis);
        EXPECT_EQ(table.name, definition.name);
        EXPECT_FALSE(table.title.empty());
        for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.columns.size()) << definition.name;
        const Trace other = foreign(program());
        TraceAnalysis about{other, {}};
        for (const auto& row : computeTable(definition, about).rows)
            EXPECT_EQ(row.size(), table.columns.size()) << definition.name;
    }
    EXPECT_THROW(tableNamed("round"), engine::Error);
}

TEST(Answers, nameCollectivesWithArrivalsAndWaits) {
    const Trace trace = foreign(program());
    TraceAnalysis analysis{trace, {}};
    const Table table = ask(analysis, "collectives");
    EXPECT_EQ(columnOf(table, "operation"), "barrier messages allgather ");
    EXPECT_EQ(columnOf(table, "arrival_spread_s"), "20000000 - 0 ");
    EXPECT_EQ(columnOf(table, "last"), "3 - - ");
    EXPECT_EQ(columnOf(table, "wait"), "wait at barrier - - ");
    EXPECT_EQ(columnOf(table, "waiting_s"), "60000000 - - ");
    EXPECT_EQ(columnOf(table, "messages"), "- 3 - ");
    EXPECT_EQ(columnOf(ask(analysis, "waits"), "mostly_for"), "2 3 3 3 1 ");
}

TEST(Answers, recogniseWhatWasWrittenInPointToPointCalls) {
    const Trace trace = foreign(program());
    TraceAnalysis analysis{trace, {}};
    const Table found = ask(analysis, "algorithms");
    EXPECT_NE(columnOf(found, "algorithm").find("bcast/chain"), std::string::npos) << rowsOf(found);
    EXPECT_EQ(columnOf(found, "problem").rfind("bcast n=4 sizes=500 root=0", 0), 0U) << rowsOf(found);
    EXPECT_EQ(columnOf(ask(analysis, "rounds"), "messages"), "1 1 1 ");
}

TEST(Answers, refuseTagsThatNoMessageHas) {
    const Trace trace = foreign(program());
    try {
        const TraceAnalysis analysis{trace, {.part = {.tags = {{99, 99}}}}};
        FAIL();
    } catch (const engine::Error& error) {
        EXPECT_STREQ(error.what(), "tags: no message has such a tag; the trace has tags 0");
    }
}

/// Without beta nothing could be made of it, and nobody would notice.
TEST(Answers, refuseAlphaAloneWhereBetaIsNotKnown) {
    const Trace trace = foreign(program());
    TraceAnalysis analysis{trace, {.alpha = us(1)}};
    ASSERT_FALSE(analysis.fit());
    EXPECT_THROW((void)analysis.model(), engine::Error);
}

TEST(Answers, addUpToTheGap) {
    const Trace trace = foreign(program());
    TraceAnalysis analysis{trace, {.alpha = us(1), .beta = engine::Rate{1'000'000}}};
    for (std::size_t i = 0; i < analysis.instances().size(); ++i) {
        const auto gap = gapOf(analysis, i);
        ASSERT_TRUE(gap) << i;
        EXPECT_EQ(gap->parts->sum(), analysis.instances()[i].duration() - gap->bound);
    }
    const Table bounds = ask(analysis, "bounds");
    EXPECT_EQ(columnOf(bounds, "bound_rounds"), "2 2 2 ");
    EXPECT_EQ(columnOf(bounds, "bound_rank_bytes"), "0 500 3000 ");
    EXPECT_EQ(columnOf(bounds, "rounds"), "- 3 - ") << "rounds inside library collectives are never guessed";
}

TEST(Answers, obeyTheSelection) {
    const Trace trace = foreign(program());
    TraceAnalysis late{trace, {.part = {.from = us(90)}}};
    EXPECT_EQ(columnOf(ask(late, "collectives"), "operation"), "allgather ");
    TraceAnalysis few{trace, {.part = {.ranks = {Rank{0}, Rank{1}}}}};
    EXPECT_EQ(few.run().messageCount, 1);
    TraceAnalysis world{trace, {.communicators = {"0"}}};
    EXPECT_EQ(world.instances().size(), 3U);
    EXPECT_THROW((TraceAnalysis{trace, {.communicators = {"nobody"}}}), engine::Error);
    EXPECT_THROW((TraceAnalysis{trace, {.part = {.ranks = {Rank{4}}}}}), engine::Error);
}

TEST(Answers, giveNoEfficiencyOfARegionOfOneRank) {
    traces::RecordingBuilder builder{3};
    for (int rank = 0; rank < 3; ++rank) {
        builder.enter(rank, us(0), "main");
        if (rank == 1) builder.enter(rank, us(10), "timer");
        builder.enter(rank, us(20), "MPI_Barrier");
        builder.leave(rank, us(30));
        if (rank == 1) builder.leave(rank, us(90));
        builder.leave(rank, us(100));
    }
    const Trace trace = foreign(std::move(builder));
    TraceAnalysis all{trace, {}};
    const Table table = ask(all, "efficiency");
    const std::string parts = columnOf(table, "part");
    EXPECT_NE(parts.find("region main"), std::string::npos) << parts;
    EXPECT_EQ(parts.find("region timer"), std::string::npos) << parts;
    ASSERT_FALSE(table.remarks.empty());
    EXPECT_EQ(table.remarks.front(), "1 region is left out because one rank alone enters it");
    TraceAnalysis one{trace, {.part = {.ranks = {Rank{1}}}}};
    EXPECT_NE(columnOf(ask(one, "efficiency"), "part").find("region timer"), std::string::npos) << "of this rank alone";
}

/// Four senders are late for their receivers, each in another call, so that the page shows three of them.
TEST(FirstPage, namesCausesThatItCountsAndDoesNotShow) {
    constexpr const char* calls[] = {"MPI_Send", "MPI_Ssend", "MPI_Bsend", "MPI_Rsend"};
    constexpr std::int64_t end = 1000;
    traces::RecordingBuilder builder{8};
    std::vector<traces::Participant> parts;
    for (int rank = 0; rank < 8; ++rank) {
        for (std::int64_t now = 0; now < end; now += 100) {
            builder.enter(rank, us(now + (rank < 4 ? 90 : 10)), rank < 4 ? calls[rank] : "MPI_Recv");
            builder.leave(rank, us(now + 92));
            if (rank < 4)
                builder.message({.from = Rank{rank},
                                 .to = Rank{rank + 4},
                                 .bytes = 8,
                                 .sendBegin = us(now + 90),
                                 .sendEnd = us(now + 92),
                                 .receiveBegin = us(now + 10),
                                 .receiveEnd = us(now + 92)});
        }
        builder.enter(rank, us(end), "MPI_Barrier");
        builder.leave(rank, us(end + 1));
        parts.push_back({.rank = Rank{rank}, .begin = us(end), .end = us(end + 1)});
    }
    builder.collective(traces::Operation::barrier, 0, traces::noRank, parts);
    const Trace trace = foreign(std::move(builder));
    TraceAnalysis analysis{trace, {}};
    const std::vector<std::string> page = support::firstPageInWords(analysis);
    const std::string joint = support::sentenceWith(page, " together, the program would take about ");
    for (const int rank : {0, 1, 2, 3})
        EXPECT_NE(joint.find(engine::text("rank ", rank, " before ", calls[rank])), std::string::npos)
            << rank << ": " << joint;
}

TEST(Answers, recommendThePipelinedRingForALinearOneWithBroadcastSizes) {
    const Trace trace =
        ran("allgatherv/linear-ring", {.collective = engine::Collective::allgatherv,
                                       .groupA = 12,
                                       .layout = engine::distributionNamed("broadcast").sizes(12, 4 << 20)});
    TraceAnalysis analysis{trace, {}};
    const Table table = ask(analysis, "what-if");
    ASSERT_FALSE(table.rows.empty());
    EXPECT_EQ(columnOf(table, "algorithm").rfind("allgatherv/pipelined-ring", 0), 0U) << rowsOf(table);
    const std::vector<std::string> page = support::firstPageInWords(analysis);
    EXPECT_TRUE(says(page, "allgatherv/pipelined-ring")) << page.front();
    EXPECT_TRUE(says(page, "times as fast")) << page.front();
    EXPECT_FALSE(says(page, "measured")) << "a run in virtual time was not: " << page.front();
    EXPECT_TRUE(says(page, "Alpha 1 us and beta 0.4 ns/B are the run's")) << page.back();
}

Trace ringStreams() {
    const engine::Plan plan = engine::makePlan(engine::algorithmNamed("halfduplex-allgather/ring-streams"),
                                               support::halfduplex(4, 6, 65536), {});
    const auto ring = emulation::makeNetwork("ring", plan.schedule->facts().ranks);
    return {.report = reportOn(std::make_shared<const engine::Run>(emulation::emulate(plan, *ring, {}).run))};
}

/// Of 70 turns ranks wait for 8, and are done early for 7.
TEST(Answers, sayWhatWaitingIsAPartOf) {
    const Trace trace = ringStreams();
    TraceAnalysis all{trace, {}};
    EXPECT_TRUE(says(
        support::firstPageInWords(all),
        "11.4% of their time (218 us in total). Ranks 4, 7 and 9 caused 25% of the waiting time each. In total ranks "
        "were idle for 21.4% of the total rank time: 11.4% waiting, 10% finished early."))
        << engine::joined(support::firstPageInWords(all), "\n");
    TraceAnalysis one{trace, {.part = {.ranks = {engine::Rank{5}}}}};
    EXPECT_FALSE(says(support::firstPageInWords(one), "were idle")) << "that is of all ranks";
}

/// An alternative that cuts blocks is held to no bound of whole ones.
TEST(Answers, sayWhyAdviceIsBelowTheBound) {
    const Trace trace = ringStreams();
    TraceAnalysis analysis{trace, {}};
    const std::vector<std::string> page = support::firstPageInWords(analysis);
    EXPECT_TRUE(says(page, "It took 1.17 times its one-block lower bound, 163 us")) << page.front();
    EXPECT_TRUE(says(page,
                     "would take about 136 us, 1.4 times as fast; that is less than its one-block lower "
                     "bound, because its messages are not one block each: for any messages the lower bound is 108 us"))
        << page.front();
}

TEST(Answers, nameAllThatAreEquallyFast) {
    const Trace trace = ran("allreduce/binomial-tree", support::allreduce(8, 65536));
    TraceAnalysis analysis{trace, {}};
    const std::vector<std::string> page = support::firstPageInWords(analysis);
    EXPECT_TRUE(says(page,
                     "allreduce/bine, allreduce/circulant, allreduce/reduce-scatter-allgather and allreduce/swing "
                     "would take about"))
        << page.front();
}

TEST(Answers, loadTheLinksOfAGivenNetwork) {
    const Trace trace = foreign(program());
    TraceAnalysis none{trace, {}};
    EXPECT_TRUE(ask(none, "links").rows.empty());
    EXPECT_FALSE(ask(none, "links").remarks.empty());
    TraceAnalysis ring{trace, {.topology = "ring"}};
    EXPECT_EQ(columnOf(ask(ring, "links"), "bytes"), "500 500 500 ");
    EXPECT_EQ(columnOf(ask(ring, "link-rounds"), "worst_bytes"), "500 500 500 ");
    TraceAnalysis turned{trace, {.topology = "ring", .placement = "random:3"}};
    EXPECT_FALSE(ask(turned, "links").rows.empty());
}

TEST(Comparing, putsRunsSideBySideAndTheirMessages) {
    const std::vector<Contestant> two{
        {"linear", ran("allgatherv/linear-ring", support::allgatherv(std::vector<engine::Bytes>(5, 1000)))},
        {"bruck", ran("allgatherv/bruck", support::allgatherv(std::vector<engine::Bytes>(5, 1000)))}};
    const Table table = compareRuns(two);
    EXPECT_EQ(columnOf(table, "rounds"), "4 3 ");
    const auto changed = messageChanges(two[0], two[1]);
    ASSERT_TRUE(changed);
    EXPECT_FALSE(changed->rows.empty());
    const auto same = messageChanges(two[0], two[0]);
    EXPECT_TRUE(same && same->rows.empty());
}

TEST(Comparing, alignsInstancesOfTwoTraces) {
    traces::RecordingBuilder slower = program();
    slower.message({.from = Rank{0},
                    .to = Rank{1},
                    .bytes = 500,
                    .sendBegin = us(80),
                    .sendEnd = us(85),
                    .receiveBegin = us(80),
                    .receiveEnd = us(95)});
    const Table table = instanceChanges({"a", foreign(program())}, {"b", foreign(std::move(slower))});
    EXPECT_EQ(columnOf(table, "operation"), "messages allgather barrier ");
    EXPECT_EQ(columnOf(table, "longer_s"), "25000000 0 0 ");
    EXPECT_EQ(columnOf(table, "second_messages"), "4 - - ");
}

/// Two ranks compute and meet, three times; of the second trace the second turn takes longer, in another region.
Trace turns(bool slow) {
    traces::RecordingBuilder b{2};
    for (int rank = 0; rank < 2; ++rank) b.enter(rank, us(0), "main");
    std::int64_t now = 0;
    for (int k = 0; k < 3; ++k) {
        const std::int64_t came = now + 10 + (slow && k == 1 ? 30 : 0);
        std::vector<traces::Participant> parts;
        for (int rank = 0; rank < 2; ++rank) {
            b.enter(rank, us(now), slow && k == 1 ? "write" : "solve");
            b.leave(rank, us(came));
            b.enter(rank, us(came), "MPI_Barrier");
            b.leave(rank, us(came + 2));
            parts.push_back({.rank = Rank{rank}, .begin = us(came), .end = us(came + 2)});
        }
        b.collective(traces::Operation::barrier, 0, traces::noRank, parts);
        now = came + 2;
    }
    for (int rank = 0; rank < 2; ++rank) b.leave(rank, us(now));
    return foreign(std::move(b));
}

TEST(Comparing, putsCallPathsAndIterationsSideBySide) {
    const std::vector<Table> changed = programChanges({"a", turns(false)}, {"b", turns(true)});
    ASSERT_EQ(changed.size(), 3U);
    EXPECT_EQ(changed[0].name, efficiencyTable);
    EXPECT_EQ(changed[1].name, "paths");
    EXPECT_EQ(columnOf(changed[1], "path"), "main/solve main main/MPI_Barrier ");
    EXPECT_EQ(columnOf(changed[1], "longer_s"), "-20000000 0 0 ");
    EXPECT_EQ(columnOf(changed[1], "first_visits"), "6 2 6 ");
    ASSERT_EQ(changed[1].remarks.size(), 1U);
    EXPECT_EQ(changed[1].remarks[0], "1 call path is only in b");
    EXPECT_EQ(changed[2].name, "iterations");
    EXPECT_EQ(columnOf(changed[2], "first_s"), "12000000 12000000 12000000 ");
    EXPECT_EQ(columnOf(changed[2], "longer_s"), "0 30000000 0 ");
}

/// The two ranks compute so many us in each of 8 turns.
Trace unevenTurns(std::int64_t ofRank1, std::int64_t ofRank0 = 10, const std::string& call = "MPI_Barrier") {
    traces::RecordingBuilder b{2};
    const std::int64_t turn = std::max(ofRank0, ofRank1) + 1;
    for (int k = 0; k < 8; ++k) {
        std::vector<traces::Participant> parts;
        for (int rank = 0; rank < 2; ++rank) {
            const std::int64_t came = k * turn + (rank == 0 ? ofRank0 : ofRank1), left = (k + 1) * turn;
            b.enter(rank, us(came), call), b.leave(rank, us(left));
            parts.push_back({.rank = Rank{rank}, .begin = us(came), .end = us(left)});
        }
        b.collective(traces::Operation::barrier, 0, traces::noRank, parts);
    }
    return foreign(std::move(b));
}

TEST(Comparing, namesTheFactorThatExplainsMost) {
    const auto reasonOf = [](const Trace& first, const Trace& second) {
        const std::vector<Table> changes = programChanges({"a", first}, {"b", second});
        EXPECT_EQ(columnOf(changes.front(), "metric"),
                  "parallel efficiency load balance serialization efficiency transfer efficiency ");
        return mainReason(changes);
    };
    // Twice the computation, and a load balance of 2/3: the times are 31 and 11 us for a turn.
    EXPECT_EQ(reasonOf(unevenTurns(30), unevenTurns(10)),
              "The main reason is computation: its mean over ranks is 50% less (70 us instead of 140 us in the "
              "slower trace), the time 67.2% less. Parallel efficiency is 89.7% instead of 58.8%.");
    // Half of the computation is another rank's: 15 us each, or 0 and 30 us.
    EXPECT_EQ(reasonOf(unevenTurns(30, 0), unevenTurns(15, 15)),
              "The main reason is load balance: 100% instead of 50% in the slower trace.");
    EXPECT_EQ(reasonOf(unevenTurns(15, 15), unevenTurns(30, 0)),
              "The main reason is load balance: 100% instead of 50% in the slower trace.")
        << "the faster one is named first, as in the sentence before";
    EXPECT_EQ(reasonOf(unevenTurns(15, 15), unevenTurns(30, 0, "MPI_Alltoall")), "") << "different programs";
    EXPECT_EQ(reasonOf(unevenTurns(10), unevenTurns(10)), "") << "nothing differs";
    EXPECT_EQ(mainReason({}), "");
}

/// Rank 1 enters MPI_Barrier 5 us later than rank 0, and MPI_Finalize 3 us later.
Trace finalized() {
    traces::RecordingBuilder b{2};
    std::vector<traces::Participant> parts;
    for (int rank = 0; rank < 2; ++rank) {
        b.enter(rank, us(0), "main");
        b.enter(rank, us(1), "MPI_Init");
        b.leave(rank, us(4));
        const std::int64_t came = 10 + 5 * rank, ends = 20 + 3 * rank;
        b.enter(rank, us(came), "MPI_Barrier");
        b.leave(rank, us(16));
        parts.push_back({.rank = Rank{rank}, .begin = us(came), .end = us(16)});
        b.enter(rank, us(ends), "MPI_Finalize");
        b.leave(rank, us(25));
        b.leave(rank, us(26));
    }
    b.collective(traces::Operation::barrier, 0, traces::noRank, parts);
    return foreign(std::move(b));
}

TEST(Comparing, putsExclusiveTimesSideBySideAndCountsAllCalls) {
    const Table paths = programChanges({"a", finalized()}, {"b", finalized()})[1];
    EXPECT_EQ(columnOf(paths, "path"), "main main/MPI_Barrier main/MPI_Finalize ");
    EXPECT_EQ(columnOf(paths, "first_visits"), "2 2 2 ");
    EXPECT_EQ(columnOf(paths, "first_waiting_s"), "0 5000000 3000000 ");
    EXPECT_TRUE(paths.remarks.empty());
}

/// Rank 0 has left MPI_Send before rank 1 leaves MPI_Init.
TEST(Comparing, countsTheCallsThatItLeavesOut) {
    traces::RecordingBuilder b{2};
    for (int rank = 0; rank < 2; ++rank) {
        b.enter(rank, us(0), "main");
        b.enter(rank, us(1), "MPI_Init");
        b.leave(rank, us(rank == 0 ? 2 : 6));
        b.enter(rank, us(rank == 0 ? 3 : 7), rank == 0 ? "MPI_Send" : "MPI_Recv");
        b.leave(rank, us(rank == 0 ? 4 : 8));
        b.enter(rank, us(9), "MPI_Finalize");
        b.leave(rank, us(10));
        b.leave(rank, us(10));
    }
    const Trace early = foreign(std::move(b));
    EXPECT_EQ(programChanges({"a", early}, {"b", finalized()})[1].remarks.back(),
              "a: without 1 MPI call before the last exit from MPI_Init or after the last entry into MPI_Finalize");
}

/// Rank 0 enters MPI_Allreduce while rank 1 is still in MPI_Init: what lies before that has ended counts nowhere.
TEST(Answers, tellHowMuchOfCollectivesLiesInTheAnalysedTime) {
    traces::RecordingBuilder b{2};
    std::vector<traces::Participant> parts;
    for (int rank = 0; rank < 2; ++rank) {
        const std::int64_t initialised = rank == 0 ? 10 : 40;
        b.enter(rank, us(0), "MPI_Init");
        b.leave(rank, us(initialised));
        b.enter(rank, us(initialised + 2), "MPI_Allreduce");
        b.leave(rank, us(50));
        parts.push_back({.rank = Rank{rank}, .begin = us(initialised + 2), .end = us(50), .sent = 8, .received = 8});
        b.enter(rank, us(60), "MPI_Finalize");
        b.leave(rank, us(61));
    }
    b.collective(traces::Operation::allreduce, 0, traces::noRank, parts);
    const Trace trace = foreign(std::move(b));
    TraceAnalysis whole{trace, {}};
    EXPECT_TRUE(says(support::firstPageInWords(whole),
                     "Allreduce of 2 ranks took 38 us (10 us of it between MPI_Init and MPI_Finalize)"));
    TraceAnalysis one{trace, {.part = {.ranks = {Rank{0}}}}};
    EXPECT_TRUE(says(support::firstPageInWords(one), "Allreduce of 2 ranks (1 selected) took 38 us"));
}

TEST(Answers, followEveryBlockToWhoGotItLast) {
    const Trace trace = ran("halfduplex-allgather/ring-streams", support::halfduplex(4, 6, 65536));
    TraceAnalysis analysis{trace, {}};
    const Table table = ask(analysis, "routes");
    EXPECT_EQ(columnOf(table, "block"), "block 0 block 1 block 2 block 3 ");
    EXPECT_EQ(columnOf(table, "hops"), "9 9 10 9 ");
    EXPECT_EQ(columnOf(table, "again"), "0 0 1 0 ");
    EXPECT_NE(columnOf(table, "chain").find("3 -> 4 in round 6, 4 -> 5 in round 7"), std::string::npos);
}

}  // namespace
}  // namespace app::analysis
