// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/collectives/overlap.hpp"
#include "app/analysis/tables/table_definition.hpp"
#include "app/analysis/trace/trace_analysis.hpp"
#include "app/analysis/wait_states/wait_states.hpp"
#include "tests/app/analysis/calls/calling_program.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include <random>

namespace app::analysis {
namespace {

using calling::part;
using calling::Program;
using engine::Picoseconds;

/// Two ranks start an allreduce together, work for `between`, and complete it in `completed` microseconds.
void iallreduce(Program& program, std::int64_t begin, std::int64_t started, std::int64_t between,
                std::int64_t completed) {
    const std::int64_t wait = begin + started + between, end = wait + completed;
    for (int rank = 0; rank < 2; ++rank)
        program.call(rank, begin, begin + started, "MPI_Iallreduce").call(rank, wait, end, "MPI_Wait");
    program.collective(traces::Operation::allreduce, {part(0, begin, end, true), part(1, begin, end, true)});
}

std::vector<Overlap> overlapsOf(Program& program) {
    const Trace trace = program.trace();
    TraceAnalysis analysis{trace, {}};
    return analysis::overlapsOf(*trace.recording, analysis.instances());
}

/// Alone it takes 20 us in MPI; of that each next call hides what its work is worth, until nothing is left.
TEST(Overlap, isWhatWorkHidesOfTheTimeAlone) {
    Program program{2};
    iallreduce(program, 0, 2, 0, 18);
    iallreduce(program, 100, 2, 400, 18);
    iallreduce(program, 1000, 2, 400, 8);
    iallreduce(program, 2000, 2, 400, 22);
    const std::vector<Overlap> overlaps = overlapsOf(program);
    ASSERT_EQ(overlaps.size(), 4U);
    EXPECT_TRUE(overlaps[0].isAlone());
    EXPECT_EQ(overlaps[0].share(), std::nullopt) << "nothing is done that it could hide behind";
    EXPECT_EQ(overlaps[0].alone, calling::us(20));
    EXPECT_EQ(overlaps[1].between, calling::us(400));
    EXPECT_EQ(overlaps[1].exposed(), calling::us(20));
    EXPECT_DOUBLE_EQ(overlaps[1].share().value(), 0);
    EXPECT_DOUBLE_EQ(overlaps[2].share().value(), 0.5);
    EXPECT_DOUBLE_EQ(overlaps[3].share().value(), 0) << "longer than alone hides nothing";
    const OverlapSum sum = sumOf(overlaps);
    EXPECT_EQ(sum.calls, 3);
    EXPECT_EQ(sum.alone, calling::us(60));
    EXPECT_EQ(sum.hidden, calling::us(6)) << "60 us alone, 54 us exposed";
}

TEST(Overlap, isAQuestion) {
    Program program{2};
    iallreduce(program, 0, 2, 0, 18);
    iallreduce(program, 100, 2, 400, 8);
    const Trace trace = program.trace();
    TraceAnalysis analysis{trace, {}};
    const engine::Table table = computeTable(tableNamed("overlap"), analysis);
    ASSERT_EQ(table.rows.size(), 2U);
    EXPECT_EQ(table.rows[0].size(), table.columns.size());
    EXPECT_DOUBLE_EQ(std::get<double>(table.rows[1][9]), 0.5);
    EXPECT_EQ(table.rows[1][10], engine::Cell{calling::us(10)}) << "2 us to start and 8 us to complete it";
    EXPECT_EQ(table.rows[1][11], engine::Cell{calling::us(0)}) << "nobody is late";
    ASSERT_FALSE(table.remarks.empty());
    EXPECT_EQ(table.remarks.back(), "work between start and completion hid 10 us of 20 us in 1 call");
}

/// Blocking calls tell the time alone, too; without any it is not known.
TEST(Overlap, isComparedWithBlockingCalls) {
    Program program{2};
    iallreduce(program, 100, 2, 400, 10);
    EXPECT_EQ(overlapsOf(program).at(0).alone, std::nullopt);
    Program same{2};
    iallreduce(same, 100, 2, 400, 10);
    const Trace trace = same.trace();
    TraceAnalysis analysis{trace, {}};
    const std::vector<std::string> remarks = computeTable(tableNamed("overlap"), analysis).remarks;
    EXPECT_TRUE(std::ranges::any_of(remarks, [](const std::string& remark) {
        return remark.starts_with("the hidden share is unknown");
    })) << remarks.size();
    Program with{2};
    for (int rank = 0; rank < 2; ++rank) with.call(rank, 0, 16, "MPI_Allreduce");
    with.collective(traces::Operation::allreduce, {part(0, 0, 16), part(1, 0, 16)});
    iallreduce(with, 100, 2, 400, 10);
    const std::vector<Overlap> overlaps = overlapsOf(with);
    ASSERT_EQ(overlaps.size(), 1U);
    EXPECT_EQ(overlaps[0].alone, calling::us(16));
    EXPECT_DOUBLE_EQ(overlaps[0].share().value(), 0.25);
}

/// A rank that waits for one that has not entered yet is late, not slow: that time belongs to neither. The collective
/// ends at once when rank 1 has entered MPI_Wait, so that rank 0 waits until then, and nothing of it is hidden.
TEST(Overlap, countsFromTheLastEntry) {
    Program program{2};
    for (int rank = 0; rank < 2; ++rank) program.call(rank, 0, 20, "MPI_Allreduce");
    program.collective(traces::Operation::allreduce, {part(0, 0, 20), part(1, 0, 20)});
    program.call(0, 100, 102, "MPI_Iallreduce").call(0, 150, 620, "MPI_Wait");
    program.call(1, 500, 502, "MPI_Iallreduce").call(1, 610, 620, "MPI_Wait");
    program.collective(traces::Operation::allreduce, {part(0, 100, 620, true), part(1, 500, 620, true)});
    const Trace trace = program.trace();
    TraceAnalysis analysis{trace, {}};
    const std::vector<Overlap> overlaps = analysis::overlapsOf(*trace.recording, analysis.instances());
    ASSERT_EQ(overlaps.size(), 1U);
    EXPECT_EQ(overlaps[0].started, calling::us(1)) << "2 us of rank 1, none of rank 0";
    EXPECT_EQ(overlaps[0].completed, calling::us(65)) << "from 500 on 120 us of rank 0, 10 us of rank 1";
    EXPECT_EQ(overlaps[0].between, calling::us((48 + 108) / 2));
    EXPECT_EQ(overlaps[0].inCalls, calling::us((2 + 470 + 2 + 10) / 2));
    EXPECT_EQ(overlaps[0].waiting, calling::us(460 / 2)) << "of rank 0 from 150 until 610";
    Picoseconds waits{};
    for (const Wait& wait : tracedWaits(*trace.recording, {}, analysis.instances()).all) waits += wait.time;
    EXPECT_EQ(waits, 2 * overlaps[0].waiting) << "as in table waits";
}

/// The share is between 0 and 1, and the parts are not longer than the call.
TEST(Overlap, staysWithinTheCall) {
    std::mt19937 random{7};
    for (int trial = 0; trial < 200; ++trial) {
        Program program{2};
        std::int64_t time = 0;
        for (int i = 0; i < 8; ++i) {
            const std::int64_t started = 1 + random() % 5, between = random() % 60, completed = random() % 40;
            iallreduce(program, time, started, between, completed);
            time += started + between + completed + 1;
        }
        const Trace trace = program.trace();
        TraceAnalysis analysis{trace, {}};
        for (const Overlap& one : analysis::overlapsOf(*trace.recording, analysis.instances())) {
            EXPECT_EQ(one.exposed() + one.between, analysis.instances()[one.instance].duration());
            EXPECT_GE(one.share().value_or(0), 0);
            EXPECT_LE(one.share().value_or(0), 1);
        }
    }
}

}  // namespace
}  // namespace app::analysis
