// SPDX-License-Identifier: BSD-3-Clause
// The processes of an mpirun share a list of jobs.
#include "engine/base/processors.hpp"
#include "engine/live/mpi/mpi_worker_processes.hpp"
#include "tests/engine/live_mpi/team.hpp"

#include <atomic>
#include <thread>

#include <gtest/gtest.h>
#include <mpi.h>
#include <sched.h>

namespace {

using namespace engine;
using support::Team;

/// Pieces of growing and shrinking lengths, all letters of which say the job.
std::vector<std::string> piecesOf(std::size_t job) {
    const char letter = static_cast<char>('a' + job % 26);
    return {std::string(3, letter), std::string(2'500'000, letter), "", std::string(1 + job, letter)};
}

TEST(MpiWorkerProcesses, hearsEveryPieceOfEveryJob) {
    mpi::MpiWorkerProcesses crew{Team::world()};
    constexpr std::size_t jobs = 40;
    if (crew.leads()) {
        std::vector<std::string> heard(jobs);
        std::vector<int> ends(jobs);
        std::vector<std::atomic<bool>> own(jobs);
        std::atomic<std::size_t> others{0};
        crew.lead(
            0, jobs,
            [&](std::size_t job) {
                own[job] = true;
                while (crew.members() > 1 && others < jobs / 2) std::this_thread::yield();
            },
            [&](std::size_t job, std::string_view piece) {
                heard[job] += piece;
                ends[job] += piece.empty() ? 1 : 0;
                others += piece.empty() ? 1U : 0U;
            });
        for (std::size_t job = 0; job < jobs; ++job) {
            std::string expected;
            if (!own[job])
                for (const std::string& piece : piecesOf(job)) expected += piece;
            EXPECT_TRUE(heard[job] == expected) << job;
            EXPECT_EQ(ends[job], own[job] ? 0 : 1) << job;
        }
    } else {
        crew.serve([](std::size_t job, const live::Tell& tell) {
            for (const std::string& piece : piecesOf(job)) tell(piece);
        });
    }
    crew.part();
}

/// Launchers bind each process to some processors; while the others wait, the first one has theirs, too.
TEST(MpiWorkerProcesses, leavesItsProcessorsToTheFirst) {
    cpu_set_t before;
    CPU_ZERO(&before);
    ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
    const int all = processors();
    std::vector<std::size_t> there;
    for (std::size_t k = 0; k < CPU_SETSIZE; ++k)
        if (CPU_ISSET(k, &before)) there.push_back(k);
    const auto process = asSize(Team::world().process());
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(there[process % there.size()], &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    EXPECT_EQ(processors(), 1);

    MPI_Comm others = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, process == 0 ? MPI_UNDEFINED : 0, 0, &others);
    mpi::MpiWorkerProcesses crew{Team::world()};
    if (crew.leads()) {
        // Nobody is left out: all others have a job each before this process is through with its own.
        std::atomic<int> done{0};
        crew.lead(
            0, asSize(crew.members()),
            [&](std::size_t) {
                while (done + 1 < crew.members()) std::this_thread::yield();
            },
            [&](std::size_t, std::string_view piece) { done += piece.empty() ? 1 : 0; });
        EXPECT_EQ(processors(), std::min(all, crew.members()));
        std::jthread{[&] { EXPECT_EQ(processors(), std::min(all, crew.members())); }};
    } else {
        crew.serve([&](std::size_t, const live::Tell&) { MPI_Barrier(others); });
    }
    crew.part();
    if (others != MPI_COMM_NULL) MPI_Comm_free(&others);
    ASSERT_EQ(sched_setaffinity(0, sizeof before, &before), 0);
}

}  // namespace
