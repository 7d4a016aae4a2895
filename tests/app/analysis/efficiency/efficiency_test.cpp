// SPDX-License-Identifier: BSD-3-Clause
// Parallel efficiency and its factors: by hand, and against random programs whose time on an ideal network a second,
// simpler clock works out.
#include "app/analysis/efficiency/efficiency.hpp"
#include "app/analysis/calls/calls_by_size.hpp"
#include "app/analysis/calls/computation_times.hpp"
#include "app/analysis/efficiency/scaling.hpp"
#include "app/analysis/overview/run_diff.hpp"
#include "app/analysis/program/rank_activity.hpp"
#include "app/analysis/selection/program_time.hpp"
#include "app/analysis/tables/table_definition.hpp"
#include "app/analysis/trace/trace_analysis.hpp"
#include "tests/app/analysis/calls/calling_program.hpp"
#include "tests/support/first_page.hpp"
#include "tests/support/programs/thread_program.hpp"

#include <gtest/gtest.h>

#include <array>

namespace app::analysis::calling {
namespace {

using traces::Operation;
using traces::TimeSpan;

/// Ranks compute and communicate in one global order; every call takes `overhead` beside what it waits for, and what is
/// sent is there `latency` later. The same steps without either are the ideal network.
class RandomProgram {
public:
    explicit RandomProgram(std::uint32_t seed) : random_{seed}, ranks_{2 + below(5)}, program_{ranks_} {
        for (int rank = 0; rank < ranks_; ++rank) program_.call(rank, 0, start, "MPI_Init");
        now_.assign(static_cast<std::size_t>(ranks_), start);
        ideal_.assign(static_cast<std::size_t>(ranks_), 0);
        computed_.assign(static_cast<std::size_t>(ranks_), 0);
        for (int step = 0; step < 60; ++step) {
            const int what = below(4);
            if (what == 0) compute(below(ranks_), 1 + below(30));
            else if (what == 1) message(below(ranks_));
            else collective(below(6), below(ranks_));
            for (int rank = 0; rank < ranks_; ++rank)
                if (below(3) == 0) compute(rank, below(10));
        }
        for (int rank = 0; rank < ranks_; ++rank) {
            end_ = std::max(end_, at(now_, rank));
            program_.call(rank, at(now_, rank), at(now_, rank) + 3, "MPI_Finalize");
        }
    }

    Trace trace() { return program_.trace(); }
    [[nodiscard]] TimeSpan span() const { return {us(start), us(end_)}; }
    [[nodiscard]] Picoseconds ideal() const { return us(*std::max_element(ideal_.begin(), ideal_.end())); }
    [[nodiscard]] Picoseconds most() const { return us(*std::max_element(computed_.begin(), computed_.end())); }
    std::mt19937& random() { return random_; }

private:
    static constexpr std::int64_t start = 5, overhead = 1;

    int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
    static std::int64_t& at(std::vector<std::int64_t>& all, int rank) { return all[static_cast<std::size_t>(rank)]; }

    void compute(int rank, std::int64_t time) {
        at(now_, rank) += time;
        at(ideal_, rank) += time;
        at(computed_, rank) += time;
    }
    void message(int from) {
        const int to = (from + 1 + below(ranks_ - 1)) % ranks_;
        const std::int64_t latency = below(20);
        const std::int64_t sent = at(now_, from), entered = at(now_, to);
        const std::int64_t there = std::max(entered, sent + latency) + overhead;
        program_.call(from, sent, sent + overhead, "MPI_Send").call(to, entered, there, "MPI_Recv");
        program_.message(from, to, sent, sent + overhead, entered, there);
        at(now_, from) = sent + overhead;
        at(now_, to) = there;
        at(ideal_, to) = std::max(at(ideal_, to), at(ideal_, from));
    }
    void collective(int kind, int root) {
        constexpr std::array operations{Operation::barrier, Operation::allreduce, Operation::bcast,
                                        Operation::reduce,  Operation::gatherv,   Operation::scan};
        constexpr std::array names{"MPI_Barrier", "MPI_Allreduce", "MPI_Bcast",
                                   "MPI_Reduce",  "MPI_Gatherv",   "MPI_Scan"};
        const Operation operation = operations.at(static_cast<std::size_t>(kind));
        const auto needs = [&](int rank, int other) {
            if (operation == Operation::bcast) return other == root;
            if (operation == Operation::reduce || operation == Operation::gatherv) return rank == root;
            return operation != Operation::scan || other < rank;
        };
        const std::int64_t latency = below(20);
        const std::vector<std::int64_t> now = now_, ideal = ideal_;
        std::vector<traces::Participant> parts;
        for (int rank = 0; rank < ranks_; ++rank) {
            std::int64_t end = at(now_, rank);
            for (int other = 0; other < ranks_; ++other) {
                if (other == rank || !needs(rank, other)) continue;
                end = std::max(end, now[static_cast<std::size_t>(other)] + latency);
                at(ideal_, rank) = std::max(at(ideal_, rank), ideal[static_cast<std::size_t>(other)]);
            }
            program_.call(rank, at(now_, rank), end + overhead, names.at(static_cast<std::size_t>(kind)));
            parts.push_back(part(rank, at(now_, rank), end + overhead));
            at(now_, rank) = end + overhead;
        }
        const bool rooted = kind >= 2 && kind <= 4;
        program_.collective(operation, std::move(parts), rooted ? Rank{root} : traces::noRank);
    }

    std::mt19937 random_;
    int ranks_;
    Program program_;
    std::vector<std::int64_t> now_, ideal_, computed_;
    std::int64_t end_ = 0;
};

TEST(Efficiency, ofAnIdealNetworkIsWhatASimplerClockSays) {
    for (std::uint32_t seed = 1; seed <= 300; ++seed) {
        RandomProgram program{seed};
        const Trace trace = program.trace();
        Efficiencies efficiencies{*trace.recording};
        const Efficiency whole = efficiencies.of({Picoseconds{}, us(1'000'000)});
        ASSERT_EQ(whole.span, program.span()) << seed;
        ASSERT_EQ(whole.maxComputation, program.most()) << seed;
        ASSERT_EQ(whole.idealTime, program.ideal()) << seed;
        ASSERT_NEAR(whole.parallel(), whole.loadBalance() * whole.serialization() * whole.transfer(), 1e-9) << seed;
        ASSERT_FALSE(whole.contradictsItself()) << seed;
    }
}

TEST(GainWithoutDelay, areNoneWhereNothingIsLeftOut) {
    for (std::uint32_t seed = 1; seed <= 300; ++seed) {
        RandomProgram program{seed};
        const Trace trace = program.trace();
        const GainWithoutDelay gains{*trace.recording};
        ASSERT_EQ(gains.time(), program.span().end) << seed;
        ASSERT_TRUE(gains.isAsRecorded());
    }
}

/// Ranks 0, 1 and 2 compute 20, 25 and 30 us before each of ten sends, and wait for nobody: rank 2 is in its seventh
/// iteration when rank 0 ends its last one.
TEST(Efficiency, ofAnIterationCountsEachRanksOwnTime) {
    constexpr int ranks = 3, turns = 10;
    Program program{ranks};
    for (int rank = 0; rank < ranks; ++rank) {
        program.call(rank, 0, 1, "MPI_Init");
        std::int64_t now = 1;
        for (int turn = 0; turn < turns; ++turn) {
            now += 20 + 5 * rank;
            program.call(rank, now, now + 1, "MPI_Send");
            ++now;
        }
        program.call(rank, 320, 321, "MPI_Finalize");
    }
    const Trace trace = program.trace();
    Efficiencies efficiencies{*trace.recording};
    // The first iteration of rank 0, the second of rank 1 and the third of rank 2 take as long as any other of theirs.
    const Efficiency its = efficiencies.ofIteration(
        {Rank{0}, Rank{1}, Rank{2}}, {TimeSpan{us(1), us(22)}, TimeSpan{us(27), us(53)}, TimeSpan{us(63), us(94)}});
    EXPECT_EQ(its.time(), us(31));
    EXPECT_EQ(its.meanComputation, us(25));
    EXPECT_EQ(its.maxComputation, us(30));
    EXPECT_EQ(its.maxRank, Rank{2});
    EXPECT_EQ(its.idealTime, us(30));
}

/// Partners send to each other, before either receives; then all meet. Rank 2 computes 50 us longer each time.
TEST(GainWithoutDelay, areRightWhereSendsDoNotWait) {
    constexpr int ranks = 6, iterations = 10;
    constexpr std::int64_t late = 50;
    Program program{ranks};
    std::vector<std::int64_t> now(ranks, 0);
    const auto at = [&](int rank) -> std::int64_t& { return now[static_cast<std::size_t>(rank)]; };
    for (int i = 0; i < iterations; ++i) {
        std::vector<std::int64_t> sent(ranks);
        for (int rank = 0; rank < ranks; ++rank) {
            at(rank) += 100 + rank + (rank == 2 ? late : 0);
            sent[static_cast<std::size_t>(rank)] = at(rank);
            program.call(rank, at(rank), at(rank) + 1, "MPI_Send");
            ++at(rank);
        }
        const std::vector<std::int64_t> entered = now;
        for (int rank = 0; rank < ranks; ++rank) {
            const auto partner = static_cast<std::size_t>(rank ^ 1);
            const std::int64_t begin = at(rank), end = std::max(begin, sent[partner] + 2) + 1;
            program.call(rank, begin, end, "MPI_Recv");
            program.message(static_cast<int>(partner), rank, sent[partner], sent[partner] + 1, begin, end);
            at(rank) = end;
        }
        const std::int64_t last = *std::ranges::max_element(now);
        std::vector<traces::Participant> parts;
        for (int rank = 0; rank < ranks; ++rank) {
            program.call(rank, at(rank), last + 2, "MPI_Allreduce");
            parts.push_back(part(rank, at(rank), last + 2));
            at(rank) = last + 2;
        }
        program.collective(Operation::allreduce, std::move(parts));
    }
    const Trace trace = program.trace();
    TraceAnalysis analysis{trace, {}};
    const Cause& first = analysis.causes().front();
    ASSERT_EQ(first.rank, Rank{2});
    const std::optional<Picoseconds> gain = analysis.gainWithout(first);
    ASSERT_TRUE(gain);
    EXPECT_NEAR(static_cast<double>(gain->count()), static_cast<double>(us(iterations * (late - 3)).count()),
                0.1 * 5e8);
}

/// In a ring of six each sends to both neighbours, one after the other, and receives from both; only after the last
/// iteration all meet. Rank 2 computes 50 us longer each time: its neighbours wait until different times, and those
/// farther away for later delays.
TEST(GainWithoutDelay, countADelayOnceForWhoeverWaits) {
    constexpr int ranks = 6, iterations = 10;
    constexpr std::int64_t late = 50;
    Program program{ranks};
    std::vector<std::int64_t> now(ranks, 0);
    const auto at = [&](int rank) -> std::int64_t& { return now[static_cast<std::size_t>(rank)]; };
    for (int i = 0; i < iterations; ++i) {
        std::vector<std::array<std::int64_t, 2>> sent(ranks);
        for (int rank = 0; rank < ranks; ++rank) {
            at(rank) += 30 + (rank == 2 ? late : 0);
            for (std::int64_t& begin : sent[static_cast<std::size_t>(rank)]) {
                program.call(rank, at(rank), at(rank) + 1, "MPI_Send");
                begin = at(rank)++;
            }
        }
        for (int rank = 0; rank < ranks; ++rank) {
            for (const std::size_t way : {0U, 1U}) {
                const int from = (rank + (way == 0 ? ranks - 1 : 1)) % ranks;
                const std::int64_t begin = at(rank), began = sent[static_cast<std::size_t>(from)][way];
                const std::int64_t end = std::max(begin, began + 2) + 1;
                program.call(rank, begin, end, "MPI_Recv");
                program.message(from, rank, began, began + 1, begin, end);
                at(rank) = end;
            }
        }
    }
    const std::int64_t last = *std::ranges::max_element(now);
    std::vector<traces::Participant> parts;
    for (int rank = 0; rank < ranks; ++rank) {
        program.call(rank, at(rank), last + 2, "MPI_Allreduce");
        parts.push_back(part(rank, at(rank), last + 2));
    }
    program.collective(Operation::allreduce, std::move(parts));
    const Trace trace = program.trace();
    TraceAnalysis analysis{trace, {}};
    Cause all = analysis.causes().front();
    ASSERT_EQ(all.rank, Rank{2});
    for (const Cause& other : analysis.causes())
        if (&other != &analysis.causes().front() && isSamePlace(other, all)) all.add(other);
    EXPECT_EQ(all.delays, iterations);
    EXPECT_NEAR(static_cast<double>(all.longest.count()), static_cast<double>(us(late).count()), 0.1 * 5e7);
    const std::optional<Picoseconds> gain = analysis.gainWithout(analysis.causes().front());
    ASSERT_TRUE(gain);
    EXPECT_NEAR(static_cast<double>(gain->count()), static_cast<double>(us(iterations * late).count()), 0.05 * 5e8);
}

/// Each begins an allreduce, computes 8 us and completes it, ten times; rank 2 computes 10 us longer before it begins.
/// The library goes on in calls of MPI alone, so that the others wait until rank 2 comes to MPI_Wait.
TEST(GainWithoutDelay, ofCollectivesThatGoOnInCallsAlone) {
    constexpr int ranks = 3, iterations = 10;
    Program program{ranks};
    std::int64_t now = 0;
    for (int i = 0; i < iterations; ++i) {
        const std::int64_t end = now + 5 + 10 + 1 + 8 + 1;
        std::vector<traces::Participant> parts;
        for (int rank = 0; rank < ranks; ++rank) {
            const std::int64_t begins = now + 5 + (rank == 2 ? 10 : 0), completes = begins + 1 + 8;
            program.call(rank, begins, begins + 1, "MPI_Iallreduce").call(rank, completes, end, "MPI_Wait");
            parts.push_back(part(rank, begins, end, true));
        }
        program.collective(Operation::allreduce, std::move(parts));
        now = end;
    }
    const Trace trace = program.trace();
    TraceAnalysis analysis{trace, {}};
    Picoseconds waited{};
    for (const Wait& wait : analysis.waits())
        if (wait.kind == WaitKind::atNxN) waited += wait.time;
    EXPECT_EQ(waited, us(2 * iterations * 10));
    const Cause& first = analysis.causes().front();
    EXPECT_EQ(first.rank, Rank{2});
    EXPECT_EQ(first.delays, iterations);
    const std::optional<Picoseconds> gain = analysis.gainWithout(first);
    ASSERT_TRUE(gain);
    EXPECT_NEAR(static_cast<double>(gain->count()), static_cast<double>(us(iterations * 10).count()), 0.02 * 1e8);
}

/// Ranks 0 and 1 are equally late for their partners 2 and 3, which they send to; then all meet.
TEST(GainWithoutDelay, ofCausesThatHideEachOther) {
    constexpr int turns = 10;
    constexpr std::int64_t late = 50, end = turns * (10 + late + 2);
    Program program{4};
    for (const int from : {0, 1}) {
        for (std::int64_t now = 0; now < end; now += 10 + late + 2) {
            const std::int64_t came = now + 10, sends = came + late;
            program.call(from, sends, sends + 1, "MPI_Send").call(from + 2, came, sends + 2, "MPI_Recv");
            program.message(from, from + 2, sends, sends + 1, came, sends + 2);
        }
        for (const int rank : {from, from + 2}) program.call(rank, end, end + 2, "MPI_Barrier");
    }
    std::vector<traces::Participant> parts;
    for (int rank = 0; rank < 4; ++rank) parts.push_back(part(rank, end, end + 2));
    program.collective(Operation::barrier, std::move(parts));
    const Trace trace = program.trace();
    TraceAnalysis analysis{trace, {}};
    ASSERT_GE(analysis.causes().size(), 2U);
    const std::span<const Cause> both = std::span{analysis.causes()}.first(2);
    for (const Cause& one : both) EXPECT_EQ(analysis.gainWithout(one), us(0)) << one.rank.value;
    const std::optional<Picoseconds> gain = analysis.gainWithout(both);
    ASSERT_TRUE(gain);
    EXPECT_NEAR(static_cast<double>(gain->count()), static_cast<double>(us(turns * late).count()), 0.05 * 5e8);
    const std::vector<std::string> page = support::firstPageInWords(analysis);
    EXPECT_FALSE(support::sentenceWith(page, "Ranks 0 and 1 caused 50% of the waiting time each.").empty())
        << engine::joined(page, "\n");
    const std::string second = support::sentenceWith(page, "Rank 1 caused 50%");
    EXPECT_NE(second.find("Without these delays of ranks 0 and 1 together, the program would take about "),
              std::string::npos)
        << second;
}

/// The same, but the library goes on by itself: nobody waits for the one that completes it last.
TEST(GainWithoutDelay, ofCollectivesThatGoOnByThemselves) {
    Program program{2};
    std::vector<traces::Participant> parts;
    for (const int rank : {0, 1}) {
        program.call(rank, 5, 6, "MPI_Iallreduce").call(rank, rank == 0 ? 10 : 30, rank == 0 ? 12 : 31, "MPI_Wait");
        parts.push_back(part(rank, 5, rank == 0 ? 12 : 31, true));
    }
    program.collective(Operation::allreduce, std::move(parts));
    const Trace trace = program.trace();
    TraceAnalysis analysis{trace, {}};
    EXPECT_TRUE(analysis.causes().empty());
}

TEST(Efficiency, ofScansFollowsTheOrderOfTheCommunicator) {
    // In the communicator rank 1 comes first: rank 0 needs its data, not the other way round.
    traces::RecordingBuilder builder{2};
    for (const int rank : {0, 1}) {
        builder.enter(rank, us(0), "MPI_Init");
        builder.leave(rank, us(0));
    }
    const std::int32_t turned = builder.communicator("turned", {Rank{1}, Rank{0}});
    builder.enter(0, us(0), "MPI_Scan");
    builder.leave(0, us(11));
    builder.enter(1, us(10), "MPI_Scan");
    builder.leave(1, us(11));
    builder.collective(Operation::scan, turned, traces::noRank, {part(0, 0, 11), part(1, 10, 11)});
    for (const int rank : {0, 1}) {
        builder.enter(rank, us(rank == 0 ? 21 : 11), "MPI_Finalize");
        builder.leave(rank, us(22));
    }
    const traces::Recording recording = builder.finish();
    Efficiencies efficiencies{recording};
    const Efficiency its = efficiencies.of({us(0), us(22)});
    EXPECT_EQ(its.maxComputation, us(10));
    EXPECT_EQ(its.idealTime, us(20)) << "rank 0 computes when rank 1 has entered";
}

TEST(Efficiency, ofAnyWindowIsAtMostOne) {
    for (std::uint32_t seed = 1; seed <= 100; ++seed) {
        RandomProgram program{seed};
        const Trace trace = program.trace();
        Efficiencies efficiencies{*trace.recording};
        const auto length = static_cast<std::uint64_t>((program.span().end - program.span().begin).count());
        for (int i = 0; i < 20; ++i) {
            TimeSpan window{program.span().begin + Picoseconds{static_cast<std::int64_t>(program.random()() % length)},
                            program.span().begin + Picoseconds{static_cast<std::int64_t>(program.random()() % length)}};
            if (window.end < window.begin) std::swap(window.begin, window.end);
            const std::vector<Rank> ranks = i % 3 == 0 ? std::vector{Rank{0}, Rank{1}} : std::vector<Rank>{};
            const Efficiency its = efficiencies.of(window, ranks);
            ASSERT_LE(its.meanComputation, its.maxComputation) << seed;
            ASSERT_LE(its.maxComputation, *its.idealTime) << seed;
            ASSERT_LE(*its.idealTime, its.time()) << seed;
            Efficiency brief = efficiencyInBrief(*trace.recording, window, ranks);
            brief.idealTime = its.idealTime;
            ASSERT_EQ(brief, its) << seed;
        }
    }
}

TEST(Efficiency, namesWhatLimitsAProgram) {
    // Two ranks take turns: 10 us each, one after the other, twice.
    Program turns{2};
    turns.call(0, 0, 5, "MPI_Init").call(1, 0, 5, "MPI_Init");
    turns.call(0, 15, 16, "MPI_Send").call(1, 5, 17, "MPI_Recv").message(0, 1, 15, 16, 5, 17);
    turns.call(1, 27, 28, "MPI_Send").call(0, 16, 29, "MPI_Recv").message(1, 0, 27, 28, 16, 29);
    turns.call(0, 39, 40, "MPI_Finalize").call(1, 28, 40, "MPI_Finalize");
    const Trace trace = turns.trace();
    TraceAnalysis analysis{trace, {}};
    const Efficiency& its = analysis.efficiency().value();
    EXPECT_EQ(its.span, (TimeSpan{us(5), us(39)}));
    EXPECT_EQ(its.meanComputation, us(15));
    EXPECT_EQ(its.maxComputation, us(20));
    EXPECT_EQ(its.maxRank, Rank{0});
    EXPECT_EQ(its.idealTime, us(30));
    EXPECT_DOUBLE_EQ(its.loadBalance(), 15.0 / 20);
    EXPECT_DOUBLE_EQ(its.serialization(), 20.0 / 30);
    EXPECT_DOUBLE_EQ(its.transfer(), 30.0 / 34);
    EXPECT_DOUBLE_EQ(its.parallel(), 15.0 / 34);
}

TEST(Efficiency, countsFilesOfMpiAsMpi) {
    Program program{2};
    for (const int rank : {0, 1})
        program.call(rank, 0, 10, "MPI_Init")
            .call(rank, 40, 100, "MPI_File_write_all")
            .call(rank, 110, 120, "MPI_Finalize");
    const Trace trace = program.trace();
    TraceAnalysis analysis{trace, {}};
    const Efficiency& its = analysis.efficiency().value();
    EXPECT_EQ(its.maxComputation, us(40));
    EXPECT_DOUBLE_EQ(its.parallel(), 0.4);
    const std::vector<CallGroup> kinds = callGroups(*trace.recording, {});
    ASSERT_EQ(kinds.size(), 1U);
    EXPECT_EQ(kinds[0].operation, "MPI_File_write_all");
    EXPECT_EQ(kinds[0].time, us(120));
}

TEST(Efficiency, isNotKnownWhereClocksContradictEachOther) {
    // Rank 1 has the message before rank 0 sends it.
    Program program{2};
    program.call(0, 20, 21, "MPI_Send").call(1, 0, 2, "MPI_Recv").message(0, 1, 20, 21, 0, 2);
    program.call(0, 0, 1, "MPI_Init").call(1, 22, 23, "MPI_Finalize");
    const Trace trace = program.trace();
    TraceAnalysis analysis{trace, {}};
    EXPECT_TRUE(analysis.efficiency().value().contradictsItself());
    const engine::Table table = computeTable(tableNamed("efficiency"), analysis);
    ASSERT_FALSE(table.rows.empty());
    for (std::size_t column = 0; column < table.columns.size(); ++column)
        for (const std::vector<engine::Cell>& row : table.rows)
            if (table.columns[column].content == engine::Content::share) {
                EXPECT_EQ(row[column], engine::Cell{}) << table.columns[column].name;
            }
    EXPECT_NE(engine::joined(table.remarks, "; ").find("so efficiencies are unknown"), std::string::npos);
    const std::vector<engine::Table> changes = programChanges({"a", trace}, {"b", trace});
    const auto efficiency = std::ranges::find(changes, "efficiency", &engine::Table::name);
    ASSERT_NE(efficiency, changes.end());
    EXPECT_TRUE(efficiency->rows.empty());
    EXPECT_EQ(efficiency->remarks.size(), 2U);
    EXPECT_EQ(mainReason(changes), "");
}

TEST(Efficiency, isNoShareOfNothing) {
    Program program{2};
    for (const int rank : {0, 1})
        program.call(rank, 0, 10, "MPI_Init").call(rank, 10, 30, "MPI_Barrier").call(rank, 30, 40, "MPI_Finalize");
    const Trace trace = program.trace();
    TraceAnalysis analysis{trace, {}};
    const engine::Table table = computeTable(tableNamed("efficiency"), analysis);
    ASSERT_FALSE(table.rows.empty());
    for (const auto& [name, expected] : std::initializer_list<std::pair<const char*, engine::Cell>>{
             {"parallel_share", 0.0}, {"load_balance_share", engine::Cell{}}, {"communication_share", 0.0}}) {
        const auto column = std::ranges::find(table.columns, name, &engine::Column::name) - table.columns.begin();
        EXPECT_EQ(table.rows.front()[static_cast<std::size_t>(column)], expected) << name;
    }
}

/// By hand: 2 ranks compute 80 of 100, 4 ranks compute 30 and 40 (mean 37.5) of 50 on an ideal network of 45.
TEST(Efficiency, isComparedWithThatOfFewerRanks) {
    const auto efficiency = [](std::int64_t time, double mean, std::int64_t most, std::int64_t ideal) {
        return Efficiency{.span = {us(10), us(10 + time)},
                          .meanComputation = Picoseconds{static_cast<std::int64_t>(mean * 1e6)},
                          .maxComputation = us(most),
                          .idealTime = us(ideal)};
    };
    const std::vector<ScalingTrace> traces{{"four", 4, efficiency(50, 37.5, 40, 45)},
                                           {"two", 2, efficiency(100, 80, 80, 80)}};
    const auto number = [](const engine::Table& table, std::size_t row, std::string_view name) {
        for (std::size_t i = 0; i < table.columns.size(); ++i)
            if (table.columns[i].name == name) return std::get<double>(table.rows[row][i]);
        throw std::runtime_error{"no such column"};
    };
    const engine::Table strong = scalingTable(traces, ScalingKind::strong);
    ASSERT_EQ(strong.rows.size(), 2U);
    EXPECT_EQ(std::get<std::string>(strong.rows[0][0]), "two");
    EXPECT_DOUBLE_EQ(number(strong, 0, "speedup"), 1);
    EXPECT_DOUBLE_EQ(number(strong, 0, "global_efficiency_share"), 0.8);
    EXPECT_DOUBLE_EQ(number(strong, 1, "speedup"), 2);
    EXPECT_DOUBLE_EQ(number(strong, 1, "computation_scalability_share"), 160.0 / 150);
    EXPECT_DOUBLE_EQ(number(strong, 1, "parallel_efficiency_share"), 0.75);
    EXPECT_DOUBLE_EQ(number(strong, 1, "global_efficiency_share"),
                     0.8);  // as the speedup says: 2 times on twice the ranks
    EXPECT_DOUBLE_EQ(number(strong, 1, "load_balance_share"), 37.5 / 40);
    EXPECT_DOUBLE_EQ(number(strong, 1, "serialization_efficiency_share"), 40.0 / 45);
    EXPECT_DOUBLE_EQ(number(strong, 1, "transfer_efficiency_share"), 45.0 / 50);
    const std::string noCounters =
        "computation scalability is not split: not every trace has counters of instructions and cycles";
    EXPECT_EQ(strong.remarks, std::vector<std::string>{noCounters});
    const std::vector<ScalingTrace> grown{{"two", 2, efficiency(100, 80, 80, 80)},
                                          {"four", 4, efficiency(110, 75, 80, 90)}};
    EXPECT_EQ(scalingTable(grown, ScalingKind::strong).remarks,
              (std::vector<std::string>{noCounters,
                                        "a rank of four computes about as long as one of two, or longer: if the "
                                        "problem grows with the number of ranks, use --scaling weak"}));
    EXPECT_EQ(scalingTable(grown, ScalingKind::weak).remarks, std::vector<std::string>{noCounters});
    const std::vector<ScalingTrace> divided{{"two", 2, efficiency(100, 80, 80, 80)},
                                            {"four", 4, efficiency(60, 41, 45, 50)}};
    EXPECT_EQ(scalingTable(divided, ScalingKind::weak).remarks.back(),
              "the ranks of four compute about as long in total as those of two, or shorter: if the problem stays the "
              "same, use --scaling strong");
    EXPECT_EQ(scalingTable(divided, ScalingKind::strong).remarks, std::vector<std::string>{noCounters});
    EXPECT_EQ(scalingTable(divided, ScalingKind::strong).title,
              "efficiency by number of ranks, strong scaling; reference: two (2 ranks)");
    EXPECT_EQ(scalingTable({{grown.front(), grown.front()}}, ScalingKind::strong).remarks.back(),
              "all traces have 2 ranks: compare two of them without --scaling");
    const engine::Table weak = scalingTable(traces, ScalingKind::weak);
    EXPECT_EQ(weak.columns[3].heading, "scaled speed-up");
    EXPECT_EQ(strong.columns[3].heading, "speed-up");
    EXPECT_DOUBLE_EQ(number(weak, 1, "speedup"), 4);
    EXPECT_DOUBLE_EQ(number(weak, 1, "computation_scalability_share"), 80 / 37.5);
    // In both, global efficiency is speedup over growth in ranks, relative to the reference.
    for (const engine::Table& table : {strong, weak})
        EXPECT_DOUBLE_EQ(number(table, 1, "global_efficiency_share"),
                         number(table, 0, "global_efficiency_share") * number(table, 1, "speedup") / 2);
}

/// By hand: on 4 ranks 2.2 times as many instructions, 2 in place of 2.5 a cycle, and 2 in place of 2.5 cycles per
/// nanosecond.
TEST(Efficiency, ofComputationIsThatOfInstructionsCyclesAndFrequency) {
    const double cycles = 2 * 100'000 * 2.5;
    std::vector<ScalingTrace> traces{
        {"two",
         2,
         {.span = {us(0), us(200)}, .meanComputation = us(100), .maxComputation = us(100), .idealTime = us(100)},
         ComputationCounters{2.5 * cycles, cycles}}};
    const double more = 1.1 * 2.5 * cycles;  // a rank takes 171.875 us for a quarter of them
    traces.push_back({"four",
                      4,
                      {.span = {us(0), us(200)},
                       .meanComputation = Picoseconds{171'875'000},
                       .maxComputation = us(180),
                       .idealTime = us(180)},
                      ComputationCounters{2 * more, more}});
    const auto number = [](const engine::Table& table, std::string_view name) {
        for (std::size_t i = 0; i < table.columns.size(); ++i)
            if (table.columns[i].name == name) return std::get<double>(table.rows[1][i]);
        throw std::runtime_error{"no such column"};
    };
    for (const ScalingKind kind : {ScalingKind::strong, ScalingKind::weak}) {
        const engine::Table table = scalingTable(traces, kind);
        const double growth = kind == ScalingKind::weak ? 2 : 1;
        EXPECT_NEAR(number(table, "instruction_scalability_share"), growth / 2.2, 1e-9);
        EXPECT_NEAR(number(table, "ipc_scalability_share"), 2 / 2.5, 1e-9);
        EXPECT_NEAR(number(table, "frequency_scalability_share"), more / (4 * 171'875.0) / 2.5, 1e-9);
        EXPECT_NEAR(number(table, "computation_scalability_share"),
                    number(table, "instruction_scalability_share") * number(table, "ipc_scalability_share") *
                        number(table, "frequency_scalability_share"),
                    1e-9);
    }
    traces.front().counters.reset();
    for (const engine::Column& column : scalingTable(traces, ScalingKind::strong).columns)
        EXPECT_NE(column.name, "ipc_scalability_share") << "a trace has no counters";
}

/// Samples at 0, 40, 60 and 100 us of a rank that computes until 40 and from 60 on; waiting has cycles as well.
TEST(Counters, countWhatIsOutsideOfMpi) {
    Program program{1};
    program.call(0, 0, 0, "MPI_Init").call(0, 40, 60, "MPI_Barrier").call(0, 100, 101, "MPI_Finalize");
    const Trace trace = program.trace();
    traces::Recording recording = *trace.recording;
    const auto metric = [](const char* name) {
        return traces::Metric{.name = name,
                              .description = {},
                              .unit = "#",
                              .value = traces::MetricValue::accumulated,
                              .timing = traces::MetricTiming::start};
    };
    recording.metrics = {metric("PAPI_TOT_INS"), metric("PAPI_TOT_CYC")};
    recording.samples = {{.location = recording.locationOf(Rank{0}),
                          .rank = Rank{0},
                          .about = {},
                          .metrics = {0, 1},
                          .time = std::vector{us(0), us(40), us(60), us(100)},
                          .values = {std::vector{5.0, 805.0, 806.0, 1606.0}, std::vector{10.0, 410.0, 610.0, 1010.0}}}};
    const ComputationTimes computation{recording};
    EXPECT_EQ(computationCounters(recording, computation, {us(0), us(100)}), (ComputationCounters{1600, 800}));
    EXPECT_EQ(computationCounters(recording, computation, {us(20), us(60)}), (ComputationCounters{400, 200}));
    recording.metrics[1].name = "PAPI_L1_DCM";
    EXPECT_EQ(computationCounters(recording, computation, {us(0), us(100)}), std::nullopt);
}

/// By hand: "solve" calls itself on rank 0; "idle" never calls MPI; rank 2 is never in "solve".
TEST(Efficiency, ofARegionIsOverAllItsTimeOnEachRank) {
    Program program{3};
    for (int rank = 0; rank < 3; ++rank) program.call(rank, 0, 10, "MPI_Init");
    program.enter(0, 10, "solve").enter(0, 20, "solve").call(0, 40, 50, "MPI_Barrier").leave(0, 50).leave(0, 60);
    program.enter(1, 20, "solve").call(1, 30, 50, "MPI_Barrier").leave(1, 60).call(1, 60, 100, "idle");
    program.call(0, 90, 100, "solve");
    program.enter(2, 10, "read").call(2, 20, 100, "MPI_File_read").leave(2, 100);
    for (int rank = 0; rank < 3; ++rank) program.call(rank, 110, 111, "MPI_Finalize");
    const Trace trace = program.trace();
    const CallPaths paths{*trace.recording};
    const std::vector<RegionEfficiency> found = efficienciesOfRegions(paths, {us(0), us(1000)}, {}, 0.05);
    ASSERT_EQ(found.size(), 2U);
    const auto name = [&](const RegionEfficiency& one) {
        return trace.recording->regions[engine::asSize(one.region)].title();
    };
    EXPECT_EQ(name(found[0]), "read");
    EXPECT_EQ(found[0].efficiency.time(), us(90));
    EXPECT_EQ(found[0].efficiency.meanComputation, us(10) / 3) << "one of three ranks";
    EXPECT_EQ(name(found[1]), "solve");
    const Efficiency& solve = found[1].efficiency;
    EXPECT_EQ(solve.time(), us(60));
    EXPECT_EQ(solve.maxRank, Rank{0});
    EXPECT_EQ(solve.maxComputation, us(50));
    EXPECT_EQ(solve.meanComputation, us(70) / 3);
    EXPECT_DOUBLE_EQ(solve.parallel(), solve.loadBalance() * solve.communication());
    EXPECT_EQ(efficienciesOfRegions(paths, {us(0), us(1000)}, {Rank{1}}, 0.05).front().efficiency.time(), us(40));
    EXPECT_EQ(efficienciesOfRegions(paths, {us(0), us(1000)}, {}, 0.8).size(), 1U);
}

/// Two ranks of two threads, whose times follow from the calls below:
///
///                    computation   serial   in parallel regions        all threads
///   rank 0           50            20       (20 + 30) / 2 = 25         (40 + 30) / 2 = 35
///   rank 1           90            30       (60 + 40) / 2 = 50         (90 + 40) / 2 = 65
///   mean             70            25       37.5                       50
TEST(Efficiency, ofThreadsIsThatOfParallelRegionsAndOfWhatIsSerial) {
    traces::RecordingBuilder builder{2};
    const int workers[] = {builder.thread(Rank{0}, "OMP thread 1"), builder.thread(Rank{1}, "OMP thread 1")};
    const auto call = [&](int location, std::int64_t begin, std::int64_t end, const char* name) {
        builder.enter(location, us(begin), name);
        builder.leave(location, us(end));
    };
    const auto notice = [&](int location, std::int64_t time, traces::NoticeKind kind) {
        builder.notice(location, {.time = us(time), .kind = kind});
    };
    for (const int rank : {0, 1}) {
        call(rank, 0, 10, "MPI_Init");
        builder.enter(rank, us(10), "solve");
        const std::int64_t fork = rank == 0 ? 20 : 30, join = rank == 0 ? 50 : 90;
        notice(rank, fork, traces::NoticeKind::fork);
        for (const int location : {rank, workers[rank]}) {
            notice(location, fork, traces::NoticeKind::teamBegin);
            builder.enter(location, us(fork), "!$omp parallel");
        }
        const int worker = workers[rank];
        if (rank == 0) {
            call(0, 40, 50, "!$omp implicit barrier");
        } else {
            builder.enter(worker, us(60), "!$omp critical");
            call(worker, 70, 80, "!$omp critical sblock");
            builder.leave(worker, us(80));
            call(worker, 80, 90, "!$omp implicit barrier");
        }
        for (const int location : {rank, worker}) {
            builder.leave(location, us(join));
            notice(location, join, traces::NoticeKind::teamEnd);
        }
        notice(rank, join, traces::NoticeKind::join);
        call(rank, rank == 0 ? 60 : 100, 110, "MPI_Barrier");
        builder.leave(rank, us(110));
        call(rank, 110, 111, "MPI_Finalize");
    }
    traces::Recording recording = builder.finish();
    samples::giveRoles(recording);
    const Efficiency brief = efficiencyInBrief(recording, {us(0), us(1000)});
    ASSERT_TRUE(brief.threads);
    EXPECT_EQ(brief.threads->count, 4);
    EXPECT_EQ(brief.threads->mean.all, us(50));
    EXPECT_EQ(brief.threads->mean.inParallel, us(75) / 2);
    EXPECT_EQ(brief.threads->mean.serial, us(25));
    EXPECT_DOUBLE_EQ(brief.parallel(), 0.7);
    EXPECT_DOUBLE_EQ(brief.hybrid(), 0.5);
    EXPECT_DOUBLE_EQ(brief.thread(), 50.0 / 70);
    EXPECT_DOUBLE_EQ(brief.parallelRegion(), 62.5 / 70);
    EXPECT_DOUBLE_EQ(brief.serialRegion(), 0.8);
    EXPECT_EQ(brief.limitedBy(), "thread efficiency");
    EXPECT_EQ(Efficiencies{recording}.of({us(0), us(1000)}).threads, brief.threads);
    const Efficiency part = efficiencyInBrief(recording, {us(20), us(50)});
    EXPECT_DOUBLE_EQ(part.parallel(), 1);
    EXPECT_DOUBLE_EQ(part.thread(), 25.0 / 30);
    EXPECT_DOUBLE_EQ(efficiencyInBrief(recording, {us(0), us(1000)}, {Rank{0}}).thread(), 0.7);
    const CallPaths paths{recording};
    const std::vector<RegionEfficiency> regions = efficienciesOfRegions(paths, {us(0), us(1000)}, {}, 0.05);
    ASSERT_EQ(regions.size(), 1U);
    EXPECT_EQ(regions[0].efficiency.threads, brief.threads) << "solve is all of the program";
    const auto kept = std::make_shared<const traces::Recording>(recording);
    const Trace trace{.report = reportOn(std::make_shared<const engine::Run>(traces::runOf(recording))),
                      .recording = kept};
    std::string compared;
    const std::vector<engine::Table> changes = programChanges({"a", trace}, {"b", trace});
    for (const std::vector<engine::Cell>& row : changes.front().rows) compared += std::get<std::string>(row[0]) + '\n';
    EXPECT_EQ(compared,
              "hybrid efficiency\nparallel efficiency\nload balance\nserialization efficiency\ntransfer "
              "efficiency\nthread efficiency\nparallel region efficiency\nserial region efficiency\n");
    EXPECT_EQ(std::get<double>(changes.front().rows[0][1]), 0.5);
    EXPECT_NE(engine::joined(changes.front().remarks, "; ").find("mean of the threads: 50 us"), std::string::npos);
    Efficiency ofRanks = brief;
    ofRanks.threads.reset();
    const auto remarks = [](Efficiency its) {
        its.idealTime = us(100);
        const ScalingTrace one{"a", 2, its};
        return engine::joined(scalingTable({&one, 1}, ScalingKind::strong).remarks, "; ");
    };
    EXPECT_NE(remarks(brief).find("that of the main threads"), std::string::npos);
    EXPECT_EQ(remarks(ofRanks).find("that of the main threads"), std::string::npos);
    for (traces::Region& region : recording.regions)
        if (region.paradigm == "openmp") region.paradigm = "user";
    EXPECT_FALSE(efficiencyInBrief(recording, {us(0), us(1000)}).threads) << "nobody knows when they wait";
}

/// Rank 0 computes 60 us, 20 us of which in a pause of the recording that goes on in a call of MPI.
TEST(Computation, isNoneWhileTheRecordingPauses) {
    Program program{1};
    program.call(0, 0, 10, "MPI_Init").call(0, 70, 80, "MPI_Finalize");
    traces::Recording recording = *program.trace().recording;
    recording.absences.push_back({.what = traces::Absence::interval,
                                  .location = recording.locationOf(Rank{0}),
                                  .begin = us(50),
                                  .end = us(75),
                                  .words = {}});
    const ComputationTimes computation{recording};
    EXPECT_EQ(computation.of(Rank{0}, us(0), us(80)), us(40));
    EXPECT_EQ(computation.of(Rank{0}, us(40), us(60)), us(10));
    const std::vector<RankActivity> times = programTimes(recording, waitSums(recording, {}), {us(0), us(80)});
    EXPECT_EQ(times.front().computing, us(40));
    EXPECT_EQ(times.front().inMpi, us(20));
    EXPECT_EQ(times.front().nothing, us(20));
}

/// Ranks compute half of the time until 60 us, when their records are full; the program goes on until 200 us.
TEST(Efficiency, countsUntilRanksStopRecording) {
    for (const bool isFull : {false, true}) {
        Program program{2};
        for (int rank = 0; rank < 2; ++rank) {
            program.call(rank, 0, 10, "MPI_Init").call(rank, 20, 30, "MPI_Barrier").call(rank, 40, 60, "MPI_Barrier");
            program.call(rank, 200, 210, "MPI_Finalize");
        }
        traces::Recording recording = *program.trace().recording;
        for (int rank = 0; isFull && rank < 2; ++rank)
            recording.absences.push_back({.what = traces::Absence::interval,
                                          .location = recording.locationOf(Rank{rank}),
                                          .begin = us(60 + rank),
                                          .end = us(200),
                                          .words = {}});
        EXPECT_EQ(recordedUntil(recording), isFull ? std::optional{us(60)} : std::nullopt);
        EXPECT_EQ(timeOfProgram(recording), (traces::TimeSpan{us(10), us(isFull ? 60 : 200)}));
        EXPECT_EQ(analysedTime(recording, {}), (traces::TimeSpan{us(10), us(isFull ? 60 : 200)}));
        EXPECT_EQ(analysedTime(recording, {.to = us(100)}).end, us(100));
    }
}

TEST(Efficiency, isNotAskedOfARunOfOurs) {
    Program program{2};
    program.message(0, 1, 0, 1, 0, 1);  // no calls
    const Trace trace = program.trace();
    TraceAnalysis analysis{trace, {}};
    EXPECT_FALSE(analysis.efficiency());
}

}  // namespace
}  // namespace app::analysis::calling
