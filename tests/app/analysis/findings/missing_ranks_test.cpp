// SPDX-License-Identifier: BSD-3-Clause
// Ranks that were not recorded, and clocks that do not show who was first: neither counts as a zero.
#include "app/analysis/collectives/collective_instances.hpp"
#include "app/analysis/critical_path/critical_path_profile.hpp"
#include "app/analysis/program/call_path_profile.hpp"
#include "app/analysis/tables/table_definition.hpp"
#include "app/analysis/trace/trace_analysis.hpp"
#include "app/analysis/wait_states/wait_state_sums.hpp"
#include "tests/app/analysis/calls/calling_program.hpp"
#include "tests/support/traced.hpp"
#include "traces/clocks/clocks.hpp"

#include <gtest/gtest.h>

namespace app::analysis::calling {
namespace {

using traces::Operation;

/// Of ranks 0..3 ranks 2 and 3 were not recorded. The others compute for 40 and 60 us before a call.
traces::Recording halfOfARecording(std::int64_t late = 60) {
    traces::RecordingBuilder builder{4};
    for (const int rank : {0, 1}) {
        builder.enter(rank, us(0), "main");
        builder.enter(rank, us(rank == 0 ? 40 : late), "MPI_Allreduce");
        builder.leave(rank, us(100));
        builder.leave(rank, us(100));
    }
    builder.collective(Operation::allreduce, 0, traces::noRank, {part(0, 40, 100), part(1, late, 100)});
    return builder.finish();
}

using samples::traceOf;

/// The cells of a column in all rows.
std::vector<engine::Cell> columnOf(const engine::Table& table, std::string_view name) {
    std::vector<engine::Cell> cells;
    for (std::size_t place = 0; place < table.columns.size(); ++place)
        if (table.columns[place].name == name)
            for (const auto& row : table.rows) cells.push_back(row[place]);
    return cells;
}

TEST(MissingRanks, areThoseWithoutEvents) {
    EXPECT_EQ(traces::recordedRanks(halfOfARecording()), (std::vector<bool>{true, true, false, false}));
    traces::RecordingBuilder messages{2};
    messages.message({.from = Rank{0}, .to = Rank{1}, .bytes = 8});
    EXPECT_EQ(traces::recordedRanks(messages.finish()), (std::vector<bool>{true, true})) << "nothing says which";
}

TEST(MissingRanks, areNotInMinimaAndMeans) {
    const Trace trace = traceOf(halfOfARecording());
    TraceAnalysis analysis{trace, {}};
    const engine::Table profile = computeTable(tableNamed("profile"), analysis);
    ASSERT_EQ(profile.rows.size(), 2U);  // main: 40 and 60 us, the call: 60 and 40 us
    EXPECT_EQ(columnOf(profile, "least_s"), (std::vector<engine::Cell>{us(40), us(40)}));
    EXPECT_EQ(columnOf(profile, "mean_s"), (std::vector<engine::Cell>{us(50), us(50)}));
    EXPECT_EQ(columnOf(profile, "by_rank").front(), engine::cell(std::string{"69"}));
    const engine::Table ranks = computeTable(tableNamed("ranks"), analysis);
    EXPECT_EQ(columnOf(ranks, "computing_s"), (std::vector<engine::Cell>{us(40), us(60)}));
    ASSERT_FALSE(ranks.remarks.empty());
    EXPECT_EQ(ranks.remarks.front(), "2 ranks were not recorded and have no row");
    const engine::Table path = computeTable(tableNamed("critical-profile"), analysis);
    EXPECT_EQ(columnOf(path, "mean_s").front(), engine::Cell{us(50)}) << "of main";
    const Threads threads{*trace.recording};
    EXPECT_EQ(timeOfWaiters(waitTotals(*analysis.keptWaits()), threads, {}, {us(0), us(100)}), us(200));
}

TEST(MissingRanks, haveNoArrivalSkew) {
    traces::RecordingBuilder builder{2};
    builder.enter(0, us(0), "MPI_Barrier");
    builder.leave(0, us(9));
    builder.collective(Operation::barrier, 0, traces::noRank, {part(0, 0, 9)});
    const Trace trace = traceOf(builder.finish());
    TraceAnalysis analysis{trace, {}};
    EXPECT_EQ(columnOf(computeTable(tableNamed("collectives"), analysis), "arrival_spread_s"),
              std::vector<engine::Cell>{engine::Cell{}});
}

/// Clocks that are right within 5 us each.
TEST(FittedClocks, leaveTheOrderOfArrivalsUnknown) {
    for (const std::int64_t late : {50, 51}) {
        traces::Recording recording = halfOfARecording(late);
        recording.corrected = true;
        recording.fittedClocks.assign(4, {.slack = us(5), .tied = true});
        const Trace trace = traceOf(std::move(recording));
        TraceAnalysis analysis{trace, {}};
        const engine::Table table = computeTable(tableNamed("collectives"), analysis);
        const bool known = late > 50;
        EXPECT_EQ(columnOf(table, "arrival_spread_s").front(), known ? engine::Cell{us(11)} : engine::Cell{});
        EXPECT_EQ(columnOf(table, "last").front(), known ? engine::cell(Rank{1}) : engine::Cell{});
        EXPECT_EQ(columnOf(table, "waiting_s").front(), known ? engine::Cell{us(11)} : engine::Cell{});
        EXPECT_EQ(computeTable(tableNamed("waits"), analysis).rows.size(), known ? 1U : 0U);
        EXPECT_EQ(
            std::ranges::count(table.remarks,
                               "no arrival skew, or no last rank, where the clocks do not show in which order the "
                               "ranks entered"),
            known ? 0 : 1);
    }
}

}  // namespace
}  // namespace app::analysis::calling
