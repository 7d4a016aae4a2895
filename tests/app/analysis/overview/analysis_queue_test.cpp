// SPDX-License-Identifier: BSD-3-Clause
// Several questions to one trace: where the rows of an answer are, and that a broken-off answer spoils no later one.
#include "app/analysis/overview/analysis_queue.hpp"

#include "engine/base/error.hpp"
#include "tests/support/traced.hpp"
#include "traces/recording/recording_builder.hpp"

#include <gtest/gtest.h>

namespace app::analysis {
namespace {

using engine::Picoseconds;
using engine::Rank;
using engine::Round;

constexpr Picoseconds us(std::int64_t time) { return Picoseconds{time * 1'000'000}; }

/// Ranks 2 and 3 of four have a communicator of their own; after a barrier of all, 3 sends to 2 there.
Trace program() {
    traces::RecordingBuilder builder{4};
    std::vector<traces::Participant> barrier;
    for (int rank = 0; rank < 4; ++rank) barrier.push_back({.rank = Rank{rank}, .begin = us(10), .end = us(12)});
    const std::int32_t pair = builder.communicator("pair", {Rank{2}, Rank{3}});
    builder.collective(traces::Operation::barrier, 0, traces::noRank, barrier);
    builder.message({.from = Rank{3},
                     .to = Rank{2},
                     .communicator = pair,
                     .bytes = 100,
                     .sendBegin = us(50),
                     .sendEnd = us(53),
                     .receiveBegin = us(50),
                     .receiveEnd = us(53)});
    auto recording = std::make_shared<const traces::Recording>(builder.finish());
    auto run = std::make_shared<const engine::Run>(selectedRun(*recording, {}));
    return {.report = reportOn(run), .recording = recording};
}

std::size_t columnOf(const engine::Table& table, std::string_view name) {
    for (std::size_t column = 0; column < table.columns.size(); ++column)
        if (table.columns[column].name == name) return column;
    throw std::runtime_error{"no such column"};
}

TEST(AnalysisQueue, knowsWhereTheRowsOfATraceAre) {
    AnalysisQueue queue{program()};
    const Answer instances = queue.ask(tableNamed("collectives"), {});
    ASSERT_EQ(instances.places.size(), 2U);
    EXPECT_EQ(instances.places[0].begin, us(10));
    EXPECT_EQ(instances.places[0].end, us(12));
    EXPECT_EQ(instances.places[1].begin, us(50));
    EXPECT_EQ(instances.places[1].end, us(53));
    const Answer rounds = queue.ask(tableNamed("rounds"), {});
    ASSERT_EQ(rounds.places.size(), 1U);
    EXPECT_EQ(rounds.table.rows[0][columnOf(rounds.table, "begin_s")], engine::Cell{us(0)}) << "within its instance";
    EXPECT_EQ(rounds.places[0].begin, us(50)) << "in the trace";
    EXPECT_EQ(rounds.places[0].round, std::nullopt) << "the trace recorded no rounds";
    const Answer path = queue.ask(tableNamed("critical-path"), {});
    ASSERT_FALSE(path.places.empty());
    EXPECT_EQ(path.places.back().begin, us(50));
    EXPECT_EQ(path.places.back().rank, Rank{3});
}

/// Times within an instance, all three ways to say them.
TEST(AnalysisQueue, leadsToTheTimeOfTheTraceFromThatOfAnInstance) {
    const TableDefinition early{.name = "early",
                                .meaning = {},
                                .title = {},
                                .columns = {{"instance", engine::Content::count, "", CellLocation::instance},
                                            {"begin_s", engine::Content::time, "", CellLocation::begin},
                                            {"end_s", engine::Content::time, "", CellLocation::end},
                                            {"rank", engine::Content::rank, "", CellLocation::rank}},
                                .answer = [](TraceAnalysis&, engine::Table& table) {
                                    table.rows = {{std::int64_t{2}, us(1), us(2), std::int64_t{1}},
                                                  {std::int64_t{2}, us(2), us(1), engine::Cell{}},
                                                  {std::int64_t{2}, engine::Cell{}, us(2), std::int64_t{9}}};
                                }};
    AnalysisQueue queue{program()};
    const std::vector<Place> places = queue.ask(early, {}).places;
    ASSERT_EQ(places.size(), 3U);
    EXPECT_EQ(places[0], (Place{.begin = us(51), .end = us(52), .rank = Rank{3}, .instance = 2}));
    EXPECT_EQ(places[1], (Place{.begin = us(52), .end = us(52), .instance = 2})) << "not before its begin";
    EXPECT_EQ(places[2], (Place{.begin = us(50), .end = us(53), .rank = Rank{9}, .instance = 2}))
        << "the instance itself";
}

TEST(AnalysisQueue, knowsTheRoundsOfARun) {
    AnalysisQueue queue{samples::ran("allgatherv/linear-ring", support::allgatherv({9, 9, 9, 9}))};
    const Answer rounds = queue.ask(tableNamed("rounds"), {});
    ASSERT_EQ(rounds.places.size(), 3U);
    EXPECT_EQ(rounds.places[2].round, Round{2});
    EXPECT_FALSE(queue.summary({}).empty());
}

TEST(AnalysisQueue, goesOnAfterACancelledQuestionAndAfterAMistake) {
    AnalysisQueue queue{program()};
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW((void)queue.ask(tableNamed("waits"), {}, {.stop = stop.get_token()}), engine::Cancelled);
    AnalysisOptions beyond;
    beyond.part.ranks = {Rank{9}};
    EXPECT_THROW((void)queue.summary(beyond), engine::Error);
    AnalysisOptions late;
    late.part.from = us(40);
    EXPECT_EQ(queue.ask(tableNamed("collectives"), late).places.size(), 1U);
    EXPECT_EQ(queue.ask(tableNamed("collectives"), {}).places.size(), 2U);
}

}  // namespace
}  // namespace app::analysis
