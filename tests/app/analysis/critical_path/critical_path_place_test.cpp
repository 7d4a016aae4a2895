// SPDX-License-Identifier: BSD-3-Clause
// Where in the program the critical path is outside of calls.
#include "app/analysis/tables/table_definition.hpp"
#include "app/analysis/trace/trace_analysis.hpp"
#include "tests/app/analysis/calls/calling_program.hpp"
#include "tests/support/small_runs.hpp"

#include <gtest/gtest.h>

namespace app::analysis::calling {
namespace {

std::string tableOf(const Trace& trace, std::string_view name) {
    TraceAnalysis analysis{trace, {}};
    return samples::rowsOf(computeTable(tableNamed(name), analysis));
}

/// Rank 1 computes for 39 us, posts a send in 1 us, and computes for 2 us before the barrier at which rank 0 waits.
TEST(CriticalPath, isBeforeTheCallWithTheMostComputation) {
    Program program{2};
    for (const int rank : {0, 1}) program.call(rank, 0, 1, "MPI_Comm_rank");
    program.call(0, 5, 45, "MPI_Barrier").call(1, 40, 41, "MPI_Isend").call(1, 43, 45, "MPI_Barrier");
    program.collective(traces::Operation::barrier, {part(0, 5, 45), part(1, 43, 45)});
    const Trace trace = program.trace();
    const std::string path = tableOf(trace, "critical-path");
    EXPECT_EQ(path.substr(0, path.find('\n')), "local 1 - - - 0 43000000 before MPI_Isend -");
    const std::string profile = tableOf(trace, "critical-profile");
    EXPECT_TRUE(profile.starts_with("before MPI_Isend 39000000 ")) << profile;
}

}  // namespace
}  // namespace app::analysis::calling
