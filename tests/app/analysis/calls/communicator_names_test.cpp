// SPDX-License-Identifier: BSD-3-Clause
// Communicators are asked for by the names that tables give them.
#include "app/analysis/tables/table_definition.hpp"
#include "engine/base/error.hpp"
#include "tests/support/programs/late_program.hpp"
#include "tests/support/traced.hpp"
#include "traces/recording/run_from_recording.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace app::analysis::by_communicator_names {
namespace {

using samples::traceOf;

/// Rows of a table under the names in its column of communicators.
std::map<std::string, std::int64_t> rowsByName(const engine::Table& table) {
    std::map<std::string, std::int64_t> rows;
    const auto column =
        std::ranges::find_if(table.columns, [](const engine::Column& one) { return one.name == "communicator"; });
    for (const std::vector<engine::Cell>& row : table.rows)
        ++rows[std::get<std::string>(row.at(static_cast<std::size_t>(column - table.columns.begin())))];
    return rows;
}

/// Every question that names communicators: asked for one of these names, it has the rows of that name, and no others.
TEST(CommunicatorNames, areTakenAsTablesGiveThem) {
    std::mt19937 random{92};
    int unnamed = 0, tables = 0;
    for (int trial = 0; trial < 60; ++trial) {
        const Trace trace = traceOf(support::lateProgram(random, {.communicators = 6}));
        for (const TableDefinition& definition : tableDefinitions()) {
            if (std::ranges::none_of(definition.columns,
                                     [](const ColumnDefinition& one) { return one.name == "communicator"; }))
                continue;
            TraceAnalysis whole{trace, {}};
            const auto rows = rowsByName(computeTable(definition, whole));
            for (const auto& [name, count] : rows) {
                TraceAnalysis one{trace, {.communicators = {name}}};
                EXPECT_EQ(rowsByName(computeTable(definition, one)), (std::map{std::pair{name, count}}))
                    << definition.name << " of " << name;
                unnamed += name.starts_with("communicator ") ? 1 : 0;
            }
            tables += rows.empty() ? 0 : 1;
        }
    }
    EXPECT_GT(unnamed, 60);
    EXPECT_GT(tables, 60);
}

TEST(CommunicatorNames, thatNobodyHasAreRefused) {
    std::mt19937 random{93};
    for (int trial = 0; trial < 20; ++trial) {
        const Trace trace = traceOf(support::lateProgram(random, {.communicators = 3}));
        const std::size_t count = trace.recording->communicators.size();
        for (const std::string& name :
             {engine::text("communicator ", count), engine::text(count), std::string{"communicator"},
              std::string{"wrld"}, std::string{"communicator 01"}, std::string{"-1"}, std::string{}}) {
            try {
                const TraceAnalysis analysis{trace, {.communicators = {"0", name}}};
                ADD_FAILURE() << "took '" << name << "'";
            } catch (const engine::Error& error) {
                EXPECT_TRUE(error.words().starts_with(
                    engine::text(engine::field::communicators, ": the trace has no communicator '", name, "'")))
                    << error.words();
            }
        }
    }
}

}  // namespace
}  // namespace app::analysis::by_communicator_names
