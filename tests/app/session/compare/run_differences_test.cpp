// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/compare/run_differences.hpp"

#include "app/analysis/overview/run_diff.hpp"
#include "engine/base/text.hpp"
#include "traces/recording/recording_builder.hpp"
#include "traces/recording/run_from_recording.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace app::differences {
namespace {

using engine::Picoseconds;
using engine::Rank;

constexpr Picoseconds us(std::int64_t time) { return Picoseconds{time * 1'000'000}; }

/// Rank 0 computes 10 us in each of 6 turns, rank 1 `ofRank1`; both wait for each other in MPI_Barrier.
analysis::Trace turns(std::int64_t ofRank1) {
    traces::RecordingBuilder b{2};
    const std::int64_t turn = std::max<std::int64_t>(10, ofRank1) + 1;
    for (int k = 0; k < 6; ++k) {
        std::vector<traces::Participant> parts;
        for (int rank = 0; rank < 2; ++rank) {
            const std::int64_t came = k * turn + (rank == 0 ? 10 : ofRank1), left = (k + 1) * turn;
            b.enter(rank, us(came), "MPI_Barrier"), b.leave(rank, us(left));
            parts.push_back({.rank = Rank{rank}, .begin = us(came), .end = us(left)});
        }
        b.collective(traces::Operation::barrier, 0, traces::noRank, parts);
    }
    auto recording = std::make_shared<const traces::Recording>(b.finish());
    return {.report = analysis::reportOn(std::make_shared<const engine::Run>(traces::runOf(*recording))),
            .recording = recording};
}

/// The table of efficiencies has other columns than those of paths and iterations.
TEST(RunDifferences, haveTheEfficienciesOfTwoPrograms) {
    const analysis::Trace first = turns(30), second = turns(10);
    const std::vector<engine::Table> changes = analysis::programChanges({"a", first}, {"b", second});
    ASSERT_NE(std::ranges::find(changes, analysis::efficiencyTable, &engine::Table::name), changes.end());
    const engine::Table differences = runDifferences(first.report, second.report, {"a", "b"}, false, changes);
    std::vector<std::string> names;
    for (const auto& row : differences.rows) {
        ASSERT_EQ(row.size(), differences.columns.size());
        names.push_back(std::get<std::string>(row.front()));
    }
    const auto balance = std::ranges::find(names, "Load balance");
    ASSERT_NE(balance, names.end()) << engine::joined(names, ", ");
    const auto& row = differences.rows[static_cast<std::size_t>(balance - names.begin())];
    EXPECT_EQ(row[2], engine::Cell{std::string{"100%"}});
    EXPECT_NE(std::ranges::find(names, "Iteration 1"), names.end()) << engine::joined(names, ", ");
}

}  // namespace
}  // namespace app::differences
