// SPDX-License-Identifier: BSD-3-Clause
// Programs whose collectives have their messages inside, and programs at windows: how the replay counts and runs them.
#include "app/session/replay/replay_run.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "tests/app/session/replay_samples.hpp"
#include "tests/support/native_calls.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/programs/window_program.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>

namespace app {
namespace {

using engine::Cell;
using engine::Collective;
using engine::Problem;

engine::Plan planOf(const std::string& id, const Problem& problem) {
    return engine::makePlan(engine::algorithmNamed(id), problem, {});
}

/// The cells of a column, by the name of the collective.
std::map<std::string, Cell> columnOf(const engine::Table& table, std::string_view name) {
    const auto at = std::ranges::find(table.columns, name, &engine::Column::name) - table.columns.begin();
    std::map<std::string, Cell> cells;
    for (const auto& row : table.rows) cells[std::get<std::string>(row.at(0))] = row.at(static_cast<std::size_t>(at));
    return cells;
}

bool hasRemark(const engine::Table& table, std::string_view start) {
    return std::ranges::any_of(table.remarks, [&](const std::string& remark) { return remark.starts_with(start); });
}

TEST(ReplayedLibrary, runsTheAlgorithmThatTheMessagesShow) {
    support::NativeProgram program{4};
    const Problem sum = support::allreduce(4, 64);
    const Problem reduce{.collective = Collective::reduce, .groupA = 4, .layout = sum.layout};
    program.call(sum, {planOf("reduce/flat", reduce), planOf("bcast/binomial-tree", support::bcast(4, 0, 64))}, "",
                 "libnbc");
    const Problem gather{
        .collective = Collective::gatherv, .groupA = 4, .layout = engine::Layout::irregular({1000, 50, 2000, 10})};
    program.call(planOf("gatherv/flat", gather), "basic_gatherv_intra", "basic");
    program.call(
        planOf("allgatherv/linear-ring",
               {.collective = Collective::allgatherv, .groupA = 4, .layout = engine::Layout::regular(4, 4096)}),
        "allgatherv_intra_ring", "tuned");
    const Replaying again = replayed(program.finish(), {});
    const auto algorithm = columnOf(again.algorithms, "algorithm"), source = columnOf(again.algorithms, "source");
    EXPECT_EQ(algorithm.at("gatherv"), Cell{"gatherv/flat"});
    EXPECT_EQ(source.at("gatherv"), Cell{"recognised"});
    EXPECT_EQ(algorithm.at("allreduce"), Cell{"reduce/flat, then bcast/binomial-tree"});
    EXPECT_EQ(source.at("allreduce"), Cell{"recognised"});
    EXPECT_EQ(source.at("allgatherv"), Cell{"recorded"});
    EXPECT_TRUE(hasRemark(again.algorithms, "recognised: "));
    EXPECT_FALSE(hasRemark(again.algorithms, "assumed: "));
    // Rank 0 receives 3 messages, one after the other at its port; the broadcast takes 2 rounds.
    const engine::Model model = engine::modelFromText(again.asRecorded.model);
    EXPECT_EQ(columnOf(again.algorithms, "replayed_s").at("allreduce"), Cell{5 * (model.alpha + model.beta * 64)});
    EXPECT_EQ(again.messages, 0);
}

TEST(ReplayedLibrary, assumesTheFastestAlgorithmWhereNothingIsKnown) {
    traces::RecordingBuilder builder{4};
    std::vector<traces::Participant> parts;
    for (const int rank : {0, 1, 2, 3}) {
        builder.enter(rank, samples::us(5), "MPI_Barrier");
        builder.leave(rank, samples::us(9));
        parts.push_back({.rank = engine::Rank{rank}, .begin = samples::us(5), .end = samples::us(9)});
    }
    builder.collective(traces::Operation::barrier, 0, traces::noRank, std::move(parts));
    const Replaying again = replayed(samples::traceOf(builder), {});
    EXPECT_EQ(columnOf(again.algorithms, "source").at("barrier"), Cell{"assumed"});
    EXPECT_TRUE(hasRemark(again.algorithms, "assumed: "));
    EXPECT_FALSE(hasRemark(again.algorithms, "recognised: "));
}

TEST(ReplayedWindows, countCallsOfTheProgramNotTheirWaits) {
    std::size_t compared = 0, fewer = 0;
    for (unsigned seed = 0; seed < 60; ++seed) {
        analysis::samples::WindowPlay play{seed};
        for (int steps = 80; steps > 0; --steps) play.step(play.below(play.ranks()));
        auto recording = std::make_shared<const traces::Recording>(play.finish());
        std::map<std::string, std::int64_t> calls;
        for (const traces::States& states : recording->states)
            for (const std::int32_t region : states.region)
                ++calls[recording->regions[static_cast<std::size_t>(region)].name];
        const Trace trace{.report = analysis::reportOn(std::make_shared<const engine::Run>(traces::runOf(*recording))),
                          .recording = recording};
        const analysis::RecordedProgram program = analysis::recordedProgram(*recording);
        std::map<std::string, std::int64_t> waits;
        for (const analysis::RecordedCollective& one : program.collectives)
            if (one.forOne) ++waits[one.operation];
        const auto times = columnOf(replayed(trace, {}).algorithms, "times");
        for (const auto& [name, number] : waits) {
            EXPECT_EQ(times.at(name), Cell{calls.at(name)}) << name << ", seed " << seed;
            ++compared;
            fewer += number != calls.at(name) ? 1 : 0;
        }
    }
    EXPECT_GT(compared, 60U);
    EXPECT_GT(fewer, 30U);
}

}  // namespace
}  // namespace app
