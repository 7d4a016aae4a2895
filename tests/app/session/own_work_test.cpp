// SPDX-License-Identifier: BSD-3-Clause
// Of our own runs, on threads and in virtual time: no call waits longer than it lasts, and who computes does not wait.
#include "app/analysis/tables/table_definition.hpp"
#include "app/session/session.hpp"
#include "emulation/networks/network.hpp"
#include "emulation/splitphase/split_clock.hpp"
#include "engine/base/text.hpp"
#include "tests/traces/samples.hpp"
#include "traces/recording/archive.hpp"

#include <gtest/gtest.h>

namespace app::of_own_work {
namespace {

using engine::Picoseconds;

/// Answers about an archive of a run.
class Recorded {
public:
    explicit Recorded(const engine::Run& run) {
        traces::write(run, scratch_.path(), traces::Overwrite::replace);
        trace_ = analysis::openTrace(scratch_.path());
    }

    [[nodiscard]] const std::optional<engine::Model>& model() const { return trace_.report.model; }
    [[nodiscard]] const engine::Run& run() const { return *trace_.report.run; }
    [[nodiscard]] engine::Table table(std::string_view question) const {
        analysis::TraceAnalysis analysis{trace_, {}};
        return analysis::computeTable(analysis::tableNamed(question), analysis);
    }

private:
    traces::samples::Scratch scratch_;
    analysis::Trace trace_;
};

Picoseconds timeAt(const engine::Table& table, std::size_t row, std::string_view column) {
    for (std::size_t k = 0; k < table.columns.size(); ++k)
        if (table.columns[k].name == column) return std::get<Picoseconds>(table.rows[row][k]);
    throw std::out_of_range{std::string{column}};
}

Picoseconds sumOf(const engine::Table& table, std::string_view column) {
    Picoseconds sum{};
    for (std::size_t row = 0; row < table.rows.size(); ++row) sum += timeAt(table, row, column);
    return sum;
}

void requireWaitsWithinCalls(const Recorded& recorded, const std::string& what) {
    const engine::Table calls = recorded.table("calltree");
    for (std::size_t row = 0; row < calls.rows.size(); ++row)
        ASSERT_LE(timeAt(calls, row, "waiting_s"), timeAt(calls, row, "time_s"))
            << what << ": " << std::get<std::string>(calls.rows[row][0]);
    const Picoseconds inAll = sumOf(recorded.table("waits"), "time_s");
    ASSERT_EQ(sumOf(calls, "waiting_s"), inAll) << what;
    const engine::Table ranks = recorded.table("ranks");
    for (std::size_t rank = 0; rank < ranks.rows.size(); ++rank)
        ASSERT_LE(timeAt(ranks, rank, "waiting_s"), timeAt(ranks, rank, "no_communication_s"))
            << what << ", rank " << rank;
}

TEST(OwnRuns, waitNoLongerThanTheirCallsLast) {
    int runs = 0;
    for (const engine::Algorithm* algorithm : engine::catalogue())
        for (const char* how : {"in virtual time", "on threads", "shared fairly", "on two ports", "one late"}) {
            RunWish wish{.algorithm = algorithm->id};
            if (how == std::string_view{"on threads"}) wish.on = "threads";
            if (how == std::string_view{"shared fairly"}) wish.sharing = emulation::Sharing::fair;
            if (how == std::string_view{"on two ports"}) wish.problem.ports = 2;
            if (how == std::string_view{"one late"})
                wish.perturbation.arrival = {.pattern = emulation::Arrival::Pattern::late,
                                             .most = Picoseconds{50'000'000'000},
                                             .rank = engine::Rank{0}};
            if (isIntergroup(algorithm->collective)) wish.problem.groupA = 3, wish.problem.groupB = 5;
            else wish.problem.ranks = 8;
            wish.problem.size = 512;
            Report report;
            try {
                report = execute(wish);
            } catch (const engine::Error&) {
                continue;  // not for these ranks, or only over MPI
            }
            ++runs;
            requireWaitsWithinCalls(Recorded{*report.run}, engine::text(algorithm->id, ' ', how));
            if (HasFatalFailure()) return;
        }
    EXPECT_GT(runs, 250);
}

TEST(SplitRuns, areWrittenWithTheirModelAndAddUpWhereRanksComeLate) {
    using namespace std::chrono_literals;
    const engine::Problem problem{
        .collective = engine::Collective::allreduce, .groupA = 12, .layout = engine::Layout::regular(12, 65536)};
    const engine::Plan plan = engine::makePlan(engine::algorithmNamed("allreduce/butterfly"), problem, {});
    const emulation::Conditions conditions{
        .model = {.alpha = Picoseconds{1'000'000}, .beta = engine::Rate{400'000}},
        .perturbation = {.arrival = {.pattern = emulation::Arrival::Pattern::ramp, .most = Picoseconds{80'000'000}}}};
    const engine::Run run =
        emulation::emulateSplit(plan, *emulation::makeNetwork("ring", 12), conditions, {.compute = 300us, .tests = 0})
            .run;
    const Recorded recorded{run};
    ASSERT_TRUE(recorded.model());
    EXPECT_EQ(engine::toText(*recorded.model()), engine::toText(conditions.model));
    const engine::Table ranks = recorded.table("ranks");
    for (std::size_t rank = 0; rank < ranks.rows.size(); ++rank) {
        const Picoseconds wait = timeAt(ranks, rank, "no_communication_s");
        EXPECT_EQ(timeAt(ranks, rank, "absent_s") + timeAt(ranks, rank, "busy_s") + wait +
                      timeAt(ranks, rank, "finished_early_s"),
                  run.duration);
        EXPECT_LE(timeAt(ranks, rank, "waiting_s"), wait) << rank;
    }
}

TEST(SplitRuns, computeAndDoNotWaitMeanwhile) {
    using namespace std::chrono_literals;
    const engine::Problem problem{
        .collective = engine::Collective::allreduce, .groupA = 4, .layout = engine::Layout::regular(4, 65536)};
    const engine::Plan plan = engine::makePlan(engine::algorithmNamed("allreduce/butterfly"), problem, {});
    const auto network = emulation::makeNetwork("full", 4);
    const emulation::Conditions conditions{.model = {.alpha = Picoseconds{1'000'000}, .beta = engine::Rate{400'000}}};
    // All messages while they compute; then one round behind that.
    for (const int tests : {16, 0}) {
        const engine::Run run =
            emulation::emulateSplit(plan, *network, conditions, {.compute = 2ms, .tests = tests}).run;
        const Recorded recorded{run};
        EXPECT_EQ(recorded.run(), run);
        requireWaitsWithinCalls(recorded, engine::text(tests, " tests"));
        for (const engine::RankTimes& times : run.perRank) {
            EXPECT_GE(times.busy, Picoseconds{2'000'000'000}) << tests;
            EXPECT_EQ(times.busy + times.noCommunication + times.finishedEarly, run.duration) << tests;
        }
        EXPECT_LT(engine::idleShare(run), 0.05) << tests;
        EXPECT_EQ(sumOf(recorded.table("waits"), "time_s"), Picoseconds{}) << tests;
        const engine::Table ranks = recorded.table("ranks");
        for (std::size_t rank = 0; rank < ranks.rows.size(); ++rank)
            EXPECT_EQ(timeAt(ranks, rank, "busy_s"), run.perRank[rank].busy);
    }
}

}  // namespace
}  // namespace app::of_own_work
