// SPDX-License-Identifier: BSD-3-Clause
// A part of a trace is one span of time for every table.
#include "app/analysis/format/cell_format.hpp"
#include "app/analysis/program/call_path_profile.hpp"
#include "app/analysis/tables/table_definition.hpp"
#include "app/analysis/trace/trace_analysis.hpp"
#include "app/analysis/wait_states/wait_states.hpp"
#include "emulation/clocks/virtual_clock.hpp"
#include "emulation/perturbation.hpp"
#include "tests/support/catalogue_grid.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/traced.hpp"
#include "traces/recording/recording_builder.hpp"
#include "traces/recording/run_from_recording.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <utility>

namespace app::analysis {
namespace {

using engine::Picoseconds;
using engine::Rank;

using samples::traceOf;

Picoseconds sumOf(const std::vector<Wait>& waits) {
    Picoseconds sum{};
    for (const Wait& wait : waits) sum += wait.time;
    return sum;
}

void expectWithin(const std::vector<Wait>& waits, const Part& part) {
    for (const Wait& wait : waits) {
        EXPECT_GE(wait.begin, *part.from);
        EXPECT_LE(wait.end(), *part.to);
    }
}

/// Of times within `duration`, in order.
Part randomPart(std::mt19937& random, Picoseconds duration) {
    const auto most = static_cast<std::uint64_t>(duration.count());
    const auto a = static_cast<std::int64_t>(random() % most), b = static_cast<std::int64_t>(random() % most);
    return {.from = Picoseconds{std::min(a, b)}, .to = Picoseconds{std::max(a, b) + 1}};
}

/// Calls of ranks that compute, send to one another and meet at barriers, and come late to all of it.
traces::Recording waitingProgram(std::mt19937& random, int ranks) {
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    traces::RecordingBuilder builder{ranks};
    std::vector<Picoseconds> now(static_cast<std::size_t>(ranks));
    for (int rank = 0; rank < ranks; ++rank) builder.enter(rank, {}, "main");
    // Returns when the call began.
    const auto call = [&](int rank, const char* name, Picoseconds end) {
        Picoseconds& at = now[static_cast<std::size_t>(rank)];
        builder.enter(rank, at, name);
        builder.leave(rank, end);
        return std::exchange(at, end);
    };
    for (int step = 0; step < 20; ++step) {
        for (Picoseconds& at : now) at += Picoseconds{below(20)};
        if (below(4) == 0) {
            const Picoseconds end = *std::max_element(now.begin(), now.end()) + Picoseconds{1};
            std::vector<traces::Participant> parts;
            for (int rank = 0; rank < ranks; ++rank)
                parts.push_back({.rank = Rank{rank}, .begin = call(rank, "MPI_Barrier", end), .end = end});
            builder.collective(traces::Operation::barrier, 0, traces::noRank, parts);
            continue;
        }
        const int from = below(ranks), to = (from + 1 + below(ranks - 1)) % ranks;
        const Picoseconds sent = now[static_cast<std::size_t>(from)] + Picoseconds{2};
        const Picoseconds received = std::max(sent, now[static_cast<std::size_t>(to)]) + Picoseconds{3};
        const Picoseconds sends = call(from, "MPI_Send", sent), receives = call(to, "MPI_Recv", received);
        builder.message({.from = Rank{from},
                         .to = Rank{to},
                         .bytes = 8,
                         .sendBegin = sends,
                         .sendEnd = sent,
                         .receiveBegin = receives,
                         .receiveEnd = received});
    }
    for (int rank = 0; rank < ranks; ++rank) builder.leave(rank, now[static_cast<std::size_t>(rank)]);
    return builder.finish();
}

/// Waits of programs are those of their calls.
TEST(Parts, haveAsMuchWaitingAsTheirCalls) {
    std::mt19937 random{31};
    int clipped = 0;
    for (int trial = 0; trial < 300; ++trial) {
        const Trace trace = traceOf(waitingProgram(random, 2 + trial % 3));
        const Part part = randomPart(random, trace.recording->duration);
        TraceAnalysis all{trace, {}};
        TraceAnalysis some{trace, {.part = part}};
        expectWithin(some.waits(), part);
        EXPECT_LE(sumOf(some.waits()), sumOf(all.waits()));
        for (const Wait& wait : all.waits())
            if (wait.begin < *part.from && wait.end() > *part.from) ++clipped;
        if (some.callPaths() == nullptr) continue;
        const CallProfile profile{*some.callPaths(), some.selection(), some.waits()};
        Picoseconds waiting{};
        for (PathId path = 0; path < some.callPaths()->size(); ++path)
            if (path == outsideOfCalls || (*some.callPaths())[path].parent == outsideOfCalls)
                waiting += profile.paths()[path].waiting;
        EXPECT_EQ(waiting, sumOf(some.waits())) << "trial " << trial;
        for (const engine::RankTimes& times : some.rankTimes())
            EXPECT_EQ(times.busy + times.noCommunication + times.finishedEarly, *part.to - *part.from)
                << "trial " << trial;
    }
    EXPECT_GT(clipped, 20);
}

/// Cut anywhere, both pieces of a run have together what it has, whoever is asked about.
TEST(Parts, ofARunAddUp) {
    const Trace trace =
        samples::ran("allgatherv/linear-ring", support::allgatherv({90'000, 0, 70'000, 10'000, 1, 40'000}));
    const Picoseconds duration = trace.report.run->duration;
    std::mt19937 random{5};
    for (const std::vector<Rank>& ranks : {std::vector<Rank>{}, std::vector<Rank>{Rank{1}, Rank{2}}}) {
        TraceAnalysis all{trace, {.part = {.ranks = ranks}}};
        for (int trial = 0; trial < 40; ++trial) {
            const Picoseconds cut{1 +
                                  static_cast<std::int64_t>(random() % static_cast<unsigned>(duration.count() - 1))};
            TraceAnalysis before{trace, {.part = {.to = cut, .ranks = ranks}}};
            TraceAnalysis after{trace, {.part = {.from = cut, .ranks = ranks}}};
            EXPECT_EQ(sumOf(before.waits()) + sumOf(after.waits()), sumOf(all.waits())) << cut.count();
            for (std::size_t rank = 0; rank < 6; ++rank) {
                const engine::RankTimes a = before.rankTimes()[rank], b = after.rankTimes()[rank];
                EXPECT_EQ(a.busy + b.busy, all.rankTimes()[rank].busy);
                EXPECT_EQ(a.busy + a.noCommunication + a.finishedEarly, cut);
                EXPECT_EQ(b.busy + b.noCommunication + b.finishedEarly, duration - cut);
            }
        }
    }
    // Who was busy with others did not wait.
    TraceAnalysis pair{trace, {.part = {.ranks = {Rank{1}, Rank{2}}}}};
    TraceAnalysis whole{trace, {}};
    Picoseconds between{};
    for (const Wait& wait : whole.waits())
        if (wait.rank == Rank{2} && wait.late == Rank{1}) between += wait.time;
    EXPECT_EQ(sumOf(pair.waits()), between);
}

/// Every algorithm on problems of up to four ranks, or as many in each group, that come together or one after the
/// other.
template <class Each>
void eachRun(Each each) {
    for (const engine::Algorithm* algorithm : engine::catalogue())
        for (const engine::Problem& problem : support::problemsFor(algorithm->collective, 4)) {
            if (algorithm->objects != nullptr &&
                algorithm->objects(problem, engine::Options{"", algorithm->options, {}}))
                continue;
            const engine::Plan plan = engine::makePlan(*algorithm, problem, {});
            const auto network = emulation::makeNetwork("full", plan.schedule->facts().ranks);
            for (const char* arrival : {"none", "ramp:3us"}) {
                emulation::Conditions conditions{.ports = problem.ports};
                conditions.perturbation.arrival = emulation::readArrival(arrival);
                each({.report = reportOn(
                          std::make_shared<const engine::Run>(emulation::emulate(plan, *network, conditions).run))},
                     *algorithm);
            }
        }
}

RankTimeBreakdown operator+(RankTimeBreakdown a, const RankTimeBreakdown& b) { return a += b; }

/// Cut anywhere, and whichever ranks and messages are chosen: how a rank spent a time is one and the same.
void expectOneTruth(const Trace& trace, std::mt19937& random, bool hasTags) {
    const Picoseconds duration = trace.recording ? trace.recording->duration : trace.report.run->duration;
    const std::vector<RankTimeBreakdown> all = TraceAnalysis{trace, {}}.rankTimeBreakdowns();
    for (int trial = 0; trial < 2; ++trial) {
        const Picoseconds cut{1 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(duration.count()))};
        const std::vector<RankTimeBreakdown> before = TraceAnalysis{trace, {.part = {.to = cut}}}.rankTimeBreakdowns();
        const std::vector<RankTimeBreakdown> after = TraceAnalysis{trace, {.part = {.from = cut}}}.rankTimeBreakdowns();
        ASSERT_EQ(before.size(), all.size());
        for (std::size_t rank = 0; rank < all.size(); ++rank)
            ASSERT_EQ(before[rank] + after[rank], all[rank]) << "rank " << rank << ", cut at " << cut.count();
        const Rank last{static_cast<std::int32_t>(all.size()) - 1};
        std::vector<Part> chosen{{.to = cut, .ranks = {last}},
                                 {.to = cut, .bytes = {{0, 7}}},
                                 {.to = cut, .ranks = {Rank{0}, last}, .bytes = {{8, 100}}}};
        if (hasTags) chosen.push_back({.to = cut, .tags = {{0, 0}}});
        for (const Part& part : chosen) {
            TraceAnalysis some{trace, {.part = part}};
            ASSERT_EQ(some.rankTimeBreakdowns(), before);
            TraceAnalysis any{trace, {.part = {.to = cut}}};
            const engine::Table expected = computeTable(tableNamed("ranks"), any);
            for (const auto& row : computeTable(tableNamed("ranks"), some).rows) {
                const auto& same = expected.rows[static_cast<std::size_t>(std::get<std::int64_t>(row[0]))];
                for (std::size_t column = 0; column < row.size(); ++column)
                    if (const std::string& name = expected.columns[column].name; name != "waiting_s") {
                        ASSERT_EQ(row[column], same[column]) << name;
                    }
            }
        }
    }
}

TEST(Parts, saysHowRanksSpentTheirTimeAsTheWholeDoes) {
    std::mt19937 random{77};
    for (int trial = 0; trial < 30; ++trial)
        expectOneTruth(traceOf(waitingProgram(random, 2 + trial % 3)), random, true);
    eachRun([&](const Trace& trace, const engine::Algorithm& algorithm) {
        SCOPED_TRACE(algorithm.id);
        if (trace.report.run->duration.count() > 0 && !testing::Test::HasFatalFailure())
            expectOneTruth(trace, random, false);
    });
}

/// What people see of a table of times by rank, added up, is the time that was asked about.
void expectWhole(TraceAnalysis& analysis, const std::string& where) {
    const engine::Table table = computeTable(tableNamed("ranks"), analysis);
    const Picoseconds whole = analysis.span().end - analysis.span().begin;
    for (const auto& row : table.rows) {
        Picoseconds sum{};
        for (std::size_t column = 1; column < row.size(); ++column)
            if (says(table, column)) sum += std::get<Picoseconds>(row[column]);
        EXPECT_EQ(sum, whole) << where << ", rank " << std::get<std::int64_t>(row[0]);
    }
    std::set<std::string> headings;
    for (const engine::Column& column : table.columns) {
        const bool isNew = !column.isShown || headings.insert(heading(column)).second;
        EXPECT_TRUE(isNew) << heading(column);
    }
}

TEST(Ranks, areToldInPartsThatAddUp) {
    eachRun([](const Trace& trace, const engine::Algorithm& algorithm) {
        TraceAnalysis analysis{trace, {}};
        expectWhole(analysis, algorithm.id);
    });
    std::mt19937 random{5};
    for (int trial = 0; trial < 60; ++trial) {
        const Trace trace = traceOf(waitingProgram(random, 2 + trial % 5));
        TraceAnalysis whole{trace, {}};
        expectWhole(whole, "a program");
        TraceAnalysis part{trace, {.part = randomPart(random, trace.recording->duration)}};
        expectWhole(part, "a part of a program");
    }
}

}  // namespace
}  // namespace app::analysis
