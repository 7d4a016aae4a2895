// SPDX-License-Identifier: BSD-3-Clause
// What a program repeats is told by the calls of its turns, not by how long some of them happen to take.
#include "app/analysis/overview/run_diff.hpp"
#include "app/analysis/tables/table_definition.hpp"
#include "tests/support/small_runs.hpp"
#include "traces/recording/recording_builder.hpp"
#include "traces/recording/run_from_recording.hpp"

#include <gtest/gtest.h>

namespace app::analysis::in_iterations {
namespace {

using engine::Picoseconds;
using engine::Rank;

constexpr Picoseconds us(std::int64_t time) { return Picoseconds{time * 1'000'000}; }

/// Two ranks sum up in every turn of 10 us; every third turn tells how far it is, which takes `telling`. With more
/// than one of `sums` in a turn every turn tells so first.
Trace turns(int count, std::int64_t telling, int sums = 1) {
    traces::RecordingBuilder b{2};
    for (int rank = 0; rank < 2; ++rank) b.enter(rank, us(0), "main");
    std::int64_t now = 0;
    const auto together = [&](traces::Operation operation, const char* name, std::int64_t time) {
        std::vector<traces::Participant> parts;
        for (int rank = 0; rank < 2; ++rank) {
            b.enter(rank, us(now), name);
            b.leave(rank, us(now + time));
            parts.push_back({.rank = Rank{rank}, .begin = us(now), .end = us(now + time), .sent = 8, .received = 8});
        }
        b.collective(operation, 0, operation == traces::Operation::bcast ? Rank{0} : traces::noRank, parts);
        now += time;
    };
    for (int turn = 0; turn < count; ++turn) {
        now += 8;
        if (sums > 1) together(traces::Operation::bcast, "MPI_Bcast", 1);
        for (int sum = 0; sum < sums; ++sum) together(traces::Operation::allreduce, "MPI_Allreduce", 2 + sum);
        if (sums == 1 && turn % 3 == 0) together(traces::Operation::bcast, "MPI_Bcast", telling);
    }
    for (int rank = 0; rank < 2; ++rank) b.leave(rank, us(now + 8));
    auto recording = std::make_shared<const traces::Recording>(b.finish());
    return {.report = reportOn(std::make_shared<const engine::Run>(traces::runOf(*recording))), .recording = recording};
}

std::size_t iterationsIn(const Trace& trace) {
    TraceAnalysis analysis{trace, {}};
    return answerTo(questionNamed("iterations"), analysis).rows.size();
}

TEST(Iterations, areTheTurnsThatNowAndThenDoMore) {
    for (const int count : {10, 12, 13, 30})
        for (const std::int64_t telling : {1, 10, 30, 100}) {
            const std::size_t found = iterationsIn(turns(count, telling));
            EXPECT_LE(std::max<std::size_t>(found, 1) - 1, static_cast<std::size_t>(count));
            EXPECT_GE(found + 1, static_cast<std::size_t>(count)) << telling << " us every third turn";
        }
}

TEST(Iterations, areSideBySideOnlyWhereTheSameTellsThem) {
    const Trace a = turns(10, 30), b = turns(12, 1), other = turns(12, 1, 2);
    const auto changesOf = [](const Trace& first, const Trace& second) {
        for (engine::Table& table : programChanges({"a", first}, {"b", second}))
            if (table.name == "iterations") return std::move(table);
        return engine::Table{};
    };
    EXPECT_GE(changesOf(a, b).rows.size(), 9U);
    const engine::Table apart = changesOf(a, other);
    EXPECT_TRUE(apart.rows.empty());
    ASSERT_EQ(apart.remarks.size(), 1U);
    EXPECT_NE(apart.remarks[0].find("MPI_Allreduce"), std::string::npos) << apart.remarks[0];
    EXPECT_NE(apart.remarks[0].find("MPI_Bcast"), std::string::npos) << apart.remarks[0];
}

}  // namespace
}  // namespace app::analysis::in_iterations
