// SPDX-License-Identifier: BSD-3-Clause
// Threads of a rank that wait for each other: at barriers, for locks, and idle; and what follows from that.
#include "app/analysis/critical_path/critical_path.hpp"
#include "app/analysis/overview/first_page.hpp"
#include "app/analysis/tables/table_definition.hpp"
#include "app/analysis/wait_states/wait_state_sums.hpp"
#include "tests/support/first_page.hpp"
#include "tests/support/programs/thread_program.hpp"
#include "tests/support/small_runs.hpp"
#include "tests/support/traced.hpp"
#include "traces/recording/run_from_recording.hpp"

#include <gtest/gtest.h>

namespace app::analysis::in_thread_waits {
namespace {

using engine::Picoseconds;
using engine::Rank;
using samples::rowsOf;
using traces::NoticeKind;

constexpr Picoseconds ms(std::int64_t time) { return Picoseconds{time * 1'000'000'000}; }

using samples::traceOf;

engine::Table asked(std::string_view definition, const Trace& trace, const AnalysisOptions& wish = {}) {
    TraceAnalysis analysis{trace, wish};
    return computeTable(tableNamed(definition), analysis);
}

std::string inWords(WaitKind kind, int thread, std::int64_t begin, std::int64_t end) {
    return std::string{name(kind)} + " of " + std::to_string(thread) + ' ' + std::to_string(begin) + ".." +
           std::to_string(end);
}

TEST(ThreadWaits, areThoseThatWerePlayed) {
    std::array<int, waitKinds> met{};
    for (unsigned seed = 0; seed < 400; ++seed) {
        const samples::Played played = samples::ThreadPlay{seed}.play();
        const Threads threads{played.recording};
        const ThreadCalls found = threadCalls(played.recording, threads, {});
        std::multimap<std::string, std::vector<int>> wanted;
        for (const samples::PlayedWait& wait : played.waits)
            wanted.emplace(inWords(wait.kind, wait.thread, wait.begin, wait.end), wait.late);
        std::size_t count = 0;
        for (const BlockingCall& call : found.calls) {
            if (!call.waited()) continue;
            ++count;
            ++met[static_cast<std::size_t>(call.kind)];
            const std::string words = inWords(call.kind, call.thread, call.begin.count(), call.until().count());
            const auto match = wanted.find(words);
            ASSERT_NE(match, wanted.end()) << "nobody waited so: " << words << ", seed " << seed;
            EXPECT_NE(std::find(match->second.begin(), match->second.end(), call.lateThread), match->second.end())
                << words << " not for thread " << call.lateThread << ", seed " << seed;
            wanted.erase(match);
        }
        EXPECT_TRUE(wanted.empty()) << "not found, seed " << seed << ": " << wanted.begin()->first;
        EXPECT_EQ(count, played.waits.size());
    }
    for (const WaitKind kind :
         {WaitKind::atTeamBarrier, WaitKind::atImplicitBarrier, WaitKind::criticalContention, WaitKind::idleThread})
        EXPECT_GT(met[static_cast<std::size_t>(kind)], 200) << name(kind);
}

TEST(ThreadWaits, withoutRecordsOfTeamsAreThoseAtBarriersOfAllThreads) {
    traces::RecordingBuilder b{1};
    const int other = b.thread(Rank{0}, "worker");
    for (const auto& [begin, late] : {std::pair{10, 4}, std::pair{30, -6}}) {
        b.enter(0, Picoseconds{begin}, "!$omp barrier");
        b.leave(0, Picoseconds{begin + 5});
        b.enter(other, Picoseconds{begin + late}, "!$omp barrier");
        b.leave(other, Picoseconds{begin + 5});
    }
    traces::Recording recording = b.finish();
    samples::giveRoles(recording);
    const std::vector<WaitRow> rows = waitsPerRank(tracedWaits(recording, {}, {}).all);
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0], (WaitRow{WaitKind::atTeamBarrier, Rank{0}, 1, Picoseconds{6}, Picoseconds{6}, Rank{0}, 1, 0}));
    EXPECT_EQ(rows[1], (WaitRow{WaitKind::atTeamBarrier, Rank{0}, 1, Picoseconds{4}, Picoseconds{4}, Rank{0}, 0, 1}));
}

/// A lock of OpenMP or POSIX taken in `function`, a call of its own of `paradigm`.
traces::Recording locked(const char* function, const char* paradigm) {
    traces::RecordingBuilder b{1};
    const int other = b.thread(Rank{0}, "worker");
    const auto take = [&](int location, int entered, int acquired, int released) {
        b.enter(location, Picoseconds{entered}, function);
        b.notice(location, {.time = Picoseconds{acquired}, .subject = 7, .kind = NoticeKind::acquireLock});
        b.leave(location, Picoseconds{acquired});
        b.notice(location, {.time = Picoseconds{released}, .subject = 7, .kind = NoticeKind::releaseLock});
    };
    take(0, 10, 10, 50);
    take(other, 20, 51, 60);
    traces::Recording recording = b.finish();
    for (traces::Region& region : recording.regions) region.paradigm = paradigm;
    return recording;
}

TEST(ThreadWaits, forLocksLieInTheCallThatAcquiresThem) {
    for (const auto& [function, paradigm] :
         {std::pair{"omp_set_lock", "openmp"}, std::pair{"pthread_mutex_lock", "pthread"}}) {
        const std::vector<Wait> waits = tracedWaits(locked(function, paradigm), {}, {}).all;
        ASSERT_EQ(waits.size(), 1U) << function;
        EXPECT_EQ(waits[0].kind, WaitKind::lockContention);
        EXPECT_EQ(waits[0].thread, 1);
        EXPECT_EQ(waits[0].lateThread, 0);
        EXPECT_EQ(waits[0].begin, Picoseconds{20});
        EXPECT_EQ(waits[0].time, Picoseconds{30}) << "until the holder let go";
    }
    EXPECT_TRUE(tracedWaits(locked("work", "user"), {}, {}).all.empty())
        << "nothing says when a function of the program began to wait";
}

/// Two ranks of two threads, an MPI_Barrier at the end. In rank 0 the second thread works 10 ms longer than all others;
/// its rank comes that late to the barrier. Idle is nobody but before the region.
traces::Recording lateThread() {
    traces::RecordingBuilder b{2};
    const std::array workers{b.thread(Rank{0}, "OMP thread 1"), b.thread(Rank{1}, "OMP thread 1")};
    std::vector<traces::Participant> parts;
    for (int rank = 0; rank < 2; ++rank) {
        const int worker = workers[static_cast<std::size_t>(rank)];
        const std::int64_t end = rank == 0 ? 30 : 20;
        b.enter(rank, ms(0), "main");
        b.notice(rank, {.time = ms(5), .number = 2, .kind = NoticeKind::fork});
        for (const int location : {rank, worker}) {
            b.notice(location, {.time = ms(5), .subject = 1, .kind = NoticeKind::teamBegin});
            b.enter(location, ms(5), "!$omp parallel");
            b.enter(location, ms(5), "work");
            b.leave(location, location == worker ? ms(end) : ms(20));
            b.enter(location, location == worker ? ms(end) : ms(20), "!$omp implicit barrier");
            b.leave(location, ms(end));
            b.leave(location, ms(end));
            b.notice(location, {.time = ms(end), .subject = 1, .kind = NoticeKind::teamEnd});
        }
        b.notice(rank, {.time = ms(end), .kind = NoticeKind::join});
        b.enter(rank, ms(end), "MPI_Barrier");
        b.leave(rank, ms(31));
        b.leave(rank, ms(31));
        parts.push_back({.rank = Rank{rank}, .begin = ms(end), .end = ms(31)});
    }
    b.collective(traces::Operation::barrier, 0, traces::noRank, parts);
    traces::Recording recording = b.finish();
    samples::giveRoles(recording);
    return recording;
}

TEST(ThreadWaits, passDelaysOnToOtherRanks) {
    const Trace trace = traceOf(lateThread());
    // Rank 0 waits 10 ms for its thread, rank 1 as long for rank 0, which passes that on. Before the region both
    // workers are idle for 5 ms, after it for 1 ms and 11 ms: rank 1 stands in MPI_Barrier, because of that thread
    // again.
    TraceAnalysis analysis{trace, {}};
    const std::vector<Wait>& waits = analysis.waits();
    const auto in = [&](WaitKind kind, int rank, int thread) {
        const auto found = std::find_if(waits.begin(), waits.end(), [&](const Wait& wait) {
            return wait.kind == kind && wait.rank == Rank{rank} && wait.thread == thread && wait.begin >= ms(20);
        });
        return found == waits.end() ? Wait{} : *found;
    };
    const Wait own = in(WaitKind::atImplicitBarrier, 0, 0);
    EXPECT_EQ(own.time, ms(10));
    EXPECT_EQ(own.lateThread, 1);
    EXPECT_EQ(own.originThread, 1);
    EXPECT_EQ(own.hops, 0);
    const Wait passed = in(WaitKind::atBarrier, 1, 0);
    EXPECT_EQ(passed.time, ms(10));
    EXPECT_EQ(passed.late, Rank{0});
    EXPECT_EQ(passed.lateThread, 0) << "who comes late to MPI is the rank itself";
    EXPECT_EQ(passed.origin, Rank{0});
    EXPECT_EQ(passed.originThread, 1);
    EXPECT_EQ(passed.hops, 1);
    const Wait idle = in(WaitKind::idleThread, 1, 1);
    EXPECT_EQ(idle.time, ms(11));
    EXPECT_EQ(idle.late, Rank{1});
    EXPECT_EQ(idle.origin, Rank{0});
    EXPECT_EQ(idle.originThread, 1);

    const std::string causes = rowsOf(asked("causes", trace));
    EXPECT_NE(causes.find("wait at barrier 0 !$omp parallel/work 10000000000"), std::string::npos) << causes;
    EXPECT_NE(causes.find("wait at implicit OpenMP barrier 0 !$omp parallel/work 10000000000"), std::string::npos)
        << causes;
    const std::string rows = rowsOf(asked("waits", trace));
    EXPECT_NE(rows.find("wait at implicit OpenMP barrier 0 1 10000000000 10000000000 0"), std::string::npos) << rows;
    EXPECT_NE(rows.find("OpenMP idle threads 1 2 16000000000 11000000000 1"), std::string::npos) << rows;
}

TEST(ThreadWaits, standFirstWhereTheyCostMost) {
    const Trace trace = traceOf(lateThread());
    TraceAnalysis analysis{trace, {}};
    const std::vector<std::string> page = support::firstPageInWords(analysis);
    ASSERT_FALSE(page.empty());
    // 10 ms twice, 5 ms twice, 1 ms and 11 ms: 42 ms of 4 threads times 31 ms.
    EXPECT_EQ(
        support::sentenceOnWaits(page),
        "Threads waited 33.9% of their time (42 ms in total: 10 ms in collectives and 32 ms of threads for each "
        "other). Rank 0 caused 85.7% of the waiting time (16 ms directly, 20 ms through ranks that it had delayed), mostly its OMP "
        "thread 1 in !$omp parallel/work: late once, by 10 ms (at 20 ms of the trace). Wait states: wait at barrier, wait at implicit OpenMP barrier and OpenMP "
        "idle threads. It is unknown how much less time the program "
        "would take without this delay: threads are not replayed.");
}

TEST(ThreadWaits, areTurnsOfTheCriticalPath) {
    const Trace trace = traceOf(lateThread());
    TraceAnalysis analysis{trace, {}};
    std::string steps;
    for (const PathStep& step :
         criticalPath(*trace.recording, analysis.blockingCalls(), {Picoseconds{}, trace.recording->duration}))
        steps += std::to_string(step.rank.value) + '.' + std::to_string(step.thread) + ' ' +
                 engine::showTime(step.end - step.begin) + '\n';
    // In main until the fork; then the thread that is late, to whose end all come; then the barrier of MPI.
    EXPECT_EQ(steps, "0.0 5 ms\n0.1 25 ms\n0.0 1 ms\n");
}

TEST(ThreadWaits, areAddedUpAsTheyAreTraced) {
    for (unsigned seed = 0; seed < 50; ++seed) {
        const samples::Played played = samples::ThreadPlay{seed}.play();
        const WaitTotals whole = waitTotals(tracedWaits(played.recording, {}, {}));
        const ShortWaits beside = waitsBesideMessages(played.recording, {}, {});
        EXPECT_EQ(waitTotals(played.recording, shortWaits(played.recording, {}, beside)), whole) << seed;
        EXPECT_EQ(whole.all(), whole.of(WaitGroup::threads));
    }
}

TEST(ThreadWaits, areNoneWhereMessagesOrCommunicatorsAreChosen) {
    const traces::Recording recording = samples::ThreadPlay{1}.play().recording;
    const Threads threads{recording};
    EXPECT_FALSE(threadCalls(recording, threads, {}).calls.empty());
    EXPECT_TRUE(threadCalls(recording, threads, {.part = {.tags = {{1, 2}}}, .communicators = {}}).calls.empty());
    EXPECT_TRUE(threadCalls(recording, threads, {.part = {}, .communicators = {0}}).calls.empty());
}

}  // namespace
}  // namespace app::analysis::in_thread_waits
