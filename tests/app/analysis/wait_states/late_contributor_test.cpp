// SPDX-License-Identifier: BSD-3-Clause
// The root of a reduce or gather waits for its last contributor, which Scalasca's early reduce does not tell.
#include "app/analysis/overview/first_page.hpp"
#include "app/analysis/tables/table_definition.hpp"
#include "tests/support/first_page.hpp"
#include "tests/support/small_runs.hpp"
#include "traces/recording/recording_builder.hpp"
#include "traces/recording/run_from_recording.hpp"

#include <gtest/gtest.h>

namespace app::analysis::in_late_contributors {
namespace {

using engine::Picoseconds;
using engine::Rank;
using samples::rowsOf;

constexpr Picoseconds ms(std::int64_t time) { return Picoseconds{time * 1'000'000'000}; }

/// Ten times four ranks assemble and gather at rank 0, which comes 5 ms before, or, where it writes first, 10 ms after
/// ranks 1 and 3; rank 2 assembles 20 ms longer than those.
Trace gathers(bool rootWrites) {
    traces::RecordingBuilder b{4};
    for (int rank = 0; rank < 4; ++rank) b.enter(rank, ms(0), "main");
    for (std::int64_t begin = 0; begin < 400; begin += 40) {
        std::vector<traces::Participant> parts;
        for (int rank = 0; rank < 4; ++rank) {
            const std::int64_t assembled = begin + (rank == 0 ? 5 : rank == 2 ? 30 : 10);
            const std::int64_t came = assembled + (rank == 0 && rootWrites ? 15 : 0);
            const std::int64_t left = rank == 0 || rank == 2 ? begin + 31 : begin + 11;
            b.enter(rank, ms(begin), "assemble");
            b.leave(rank, ms(assembled));
            if (came > assembled) {
                b.enter(rank, ms(assembled), "write");
                b.leave(rank, ms(came));
            }
            b.enter(rank, ms(came), "MPI_Gather");
            b.leave(rank, ms(left));
            parts.push_back({.rank = Rank{rank}, .begin = ms(came), .end = ms(left), .sent = 8, .received = 8});
        }
        b.collective(traces::Operation::gather, 0, Rank{0}, parts);
    }
    for (int rank = 0; rank < 4; ++rank) b.leave(rank, ms(400));
    auto recording = std::make_shared<const traces::Recording>(b.finish());
    return {.report = reportOn(std::make_shared<const engine::Run>(traces::runOf(*recording))), .recording = recording};
}

engine::Table asked(std::string_view definition, const Trace& trace) {
    TraceAnalysis analysis{trace, {}};
    return computeTable(tableNamed(definition), analysis);
}

TEST(LateContributor, isWaitedForOnceTheFirstRankHasCome) {
    const Trace trace = gathers(false);
    const engine::Table waits = asked("waits", trace);
    EXPECT_EQ(rowsOf(waits),
              "late contributor 0 10 200000000000 20000000000 2 - -\n"
              "early reduce 0 10 50000000000 5000000000 1 - -\n");
    EXPECT_EQ(
        waits.remarks.front(),
        "wait states without a name in Scalasca: late contributor (of the root, for the last rank after the first "
        "one)");
    // What is Scalasca's stays what it says.
    const engine::Table collectives = asked("collectives", trace);
    ASSERT_EQ(collectives.rows.size(), 10U);
    EXPECT_EQ(collectives.rows.front().back(), engine::Cell{ms(25)});
}

TEST(LateContributor, isWaitedForByARootThatCameAfterTheFirstRank) {
    EXPECT_EQ(rowsOf(asked("waits", gathers(true))), "late contributor 0 10 100000000000 10000000000 2 - -\n");
}

TEST(LateContributor, isTheCause) {
    EXPECT_EQ(rowsOf(asked("causes", gathers(true))),
              "late contributor 2 main/assemble 100000000000 1 10 10000000000 10000000000 20000000000 - -\n");
    const Trace trace = gathers(false);
    TraceAnalysis analysis{trace, {}};
    const std::string costliest = support::sentenceOnWaits(support::firstPageInWords(analysis));
    EXPECT_NE(costliest.find("Rank 2"), std::string::npos) << costliest;
    EXPECT_NE(costliest.find("main/assemble"), std::string::npos) << costliest;
}

/// Rank 2 holds the root up: the path leads through it, never through the ranks that came before it.
TEST(LateContributor, isOnTheCriticalPath) {
    const engine::Table path = asked("critical-path", gathers(false));
    bool met = false;
    for (const auto& row : path.rows)
        for (const engine::Cell& cell : row) met = met || cell == engine::cell(Rank{2});
    EXPECT_TRUE(met);
}

}  // namespace
}  // namespace app::analysis::in_late_contributors
