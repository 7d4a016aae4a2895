// SPDX-License-Identifier: BSD-3-Clause
// What stands beside each other is known of each.
#include "app/analysis/overview/run_diff.hpp"
#include "engine/run/rank_times.hpp"
#include "tests/support/programs/late_program.hpp"
#include "tests/support/traced.hpp"
#include "traces/recording/run_from_recording.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string_view>
#include <variant>
#include <vector>

namespace app::analysis::side_by_side {
namespace {

Trace programOf(traces::Recording recording) {
    auto kept = std::make_shared<const traces::Recording>(std::move(recording));
    return {.report = reportOn(std::make_shared<const engine::Run>(traces::runOf(*kept))), .recording = kept};
}

const engine::Cell& cellIn(const engine::Table& table, std::size_t row, std::string_view name) {
    const auto column =
        std::ranges::find_if(table.columns, [&](const engine::Column& one) { return one.name == name; });
    return table.rows.at(row).at(static_cast<std::size_t>(column - table.columns.begin()));
}

/// A program computes between its messages, or without any: they do not say when its ranks stand still.
TEST(SideBySide, tellsStillOfRunsAlone) {
    std::mt19937 random{91};
    const Trace run = samples::ran("bcast/chain", support::bcast(5, 0, 64));
    for (int trial = 0; trial < 20; ++trial) {
        const std::vector<Contestant> all{{"a", programOf(support::lateProgram(random))},
                                          {"b", run},
                                          {"c", programOf(support::lateProgram(random, {.messages = false}))}};
        const engine::Table table = compareRuns(all);
        for (std::size_t row = 0; row < all.size(); ++row) {
            const engine::Cell& still = cellIn(table, row, "idle_share");
            const bool isProgram = row != 1;
            EXPECT_EQ(std::holds_alternative<std::monostate>(still), isProgram) << row;
            if (!isProgram) {
                EXPECT_EQ(still, engine::Cell{engine::idleShare(*run.report.run)});
            }
            // Rounds and bounds likewise; what a trace does say is there.
            EXPECT_EQ(std::holds_alternative<std::monostate>(cellIn(table, row, "rounds")), isProgram) << row;
            EXPECT_EQ(cellIn(table, row, "time_s"), engine::Cell{all[row].trace.report.run->duration});
        }
    }
}

}  // namespace
}  // namespace app::analysis::side_by_side
