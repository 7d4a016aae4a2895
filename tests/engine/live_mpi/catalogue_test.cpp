// SPDX-License-Identifier: BSD-3-Clause
// The whole catalogue over MPI: every process of an mpirun runs these tests, the first one judges.
#include "app/session/proofs/proofs.hpp"
#include "engine/live/records/record_merging.hpp"
#include "tests/engine/live_mpi/team.hpp"

#include <cstdint>
#include <limits>

#include <gtest/gtest.h>
#include <mpi.h>

namespace {

using namespace engine;
using support::Team;

mpi::Entry entryOf(Plan plan) {
    mpi::Entry entry{.problem = plan.problem};
    entry.plan = std::make_shared<const Plan>(std::move(plan));
    return entry;
}

mpi::Entry nativeOf(const Problem& problem) {
    mpi::Entry entry{.problem = problem};
    entry.native = live::nativeNamed(text(name(problem.collective), "/native"));
    entry.options = live::optionsFor(*entry.native, problem, {});
    return entry;
}

/// Carries out a job of some entries and compares what each process left with what the schedule says.
void judge(std::vector<mpi::Entry> entries, mpi::Leaves leaves = mpi::Leaves::atOnce) {
    const mpi::Job job{.entries = std::move(entries), .folder = Team::freshFolder(), .warmUps = 0, .leaves = leaves};
    Team::world().carryOut(job);
    if (!Team::isJudge()) return;
    const auto records = live::readRecords(job.folder);
    ASSERT_EQ(records.size(), static_cast<std::size_t>(Team::world().processes()));
    for (const live::Record& record : records) {
        const auto& entry = job.entries[static_cast<std::size_t>(record.faultEntry)];
        EXPECT_EQ(record.fault, "") << (entry.plan ? entry.plan->algorithm->id : "native") << " on "
                                    << toText(entry.problem);
        EXPECT_EQ(record.state, live::State::done);
    }
    for (std::size_t e = 0; e < job.entries.size(); ++e) {
        const mpi::Entry& entry = job.entries[e];
        const Execution execution = live::joined(records, static_cast<std::int32_t>(e), 0, entry.plan.get(), "native");
        EXPECT_TRUE(execution.correct) << execution.fault;
        EXPECT_EQ(live::samplesOf(records, static_cast<std::int32_t>(e)).size(), 1U);
        if (!entry.plan) continue;
        std::int64_t messages = 0;
        Batch batch;
        const Facts& facts = entry.plan->schedule->facts();
        for (Round round{0}; round.value < facts.rounds; ++round) {
            batch.reset(0);
            entry.plan->schedule->batch(round, Rank{0}, Rank{facts.ranks}, batch);
            messages += static_cast<std::int64_t>(batch.size());
        }
        EXPECT_EQ(execution.run.messageCount, messages) << entry.plan->algorithm->id << " " << toText(entry.problem);
    }
}

/// With messages that leave at once, and, where that takes no minutes, with granted ones.
void judgeBoth(const std::vector<mpi::Entry>& entries) {
    judge(entries);
    if (Team::world().processes() <= 8) judge(entries, mpi::Leaves::granted);
}

TEST(OverMpi, everyAlgorithmBringsTheRightData) {
    const std::int32_t processes = Team::world().processes();
    std::vector<mpi::Entry> entries;
    std::map<std::string, int> tried;
    for (const app::Conjecture& conjecture : app::wholeCatalogue()) {
        const std::int64_t ranks = conjecture.problem.ranks.value_or(conjecture.problem.groupA.value_or(0) +
                                                                     conjecture.problem.groupB.value_or(0));
        if (ranks > processes || (processes > 16 && !conjecture.options.empty())) continue;
        try {
            Plan plan =
                app::makePlan(*conjecture.algorithm, conjecture.problem, conjecture.options, conjecture.network);
            if (plan.schedule->facts().ranks != processes) continue;
            ++tried[plan.algorithm->id];
            entries.push_back(entryOf(std::move(plan)));
        } catch (const Error&) {
            continue;  // refused: not every algorithm takes every problem
        }
        if (entries.size() < live::mostEntries) continue;
        judgeBoth(entries);
        entries.clear();
        if (HasFailure()) return;
    }
    if (!entries.empty()) judgeBoth(entries);
    // Some need a power of two, a torus, or processes beyond their ranks; two groups have at most 24 ranks each.
    std::size_t expected = catalogue().size() - 10;
    if (processes > 48)
        for (const Algorithm* algorithm : catalogue()) expected -= isIntergroup(algorithm->collective) ? 1 : 0;
    EXPECT_GE(tried.size(), expected) << "too few algorithms were run";
}

TEST(OverMpi, theLibrarysOwnCollectivesKeepTheSamePromise) {
    std::vector<mpi::Entry> entries;
    const std::int32_t processes = Team::world().processes();
    for (const Collective collective : collectives()) {
        // With many more processes than processors each barrier takes milliseconds: fewer problems will do.
        std::size_t seen = 0;
        for (const Problem& problem : support::problemsFor(collective, processes)) {
            if (problem.ranks() != processes) continue;
            if (seen++ % (processes > 16 ? 16 : processes > 8 ? 4 : 1) != 0) continue;
            entries.push_back(nativeOf(problem));
            if (entries.size() < live::mostEntries) continue;
            judge(std::move(entries));
            entries.clear();
        }
    }
    if (!entries.empty()) judge(std::move(entries));
}

TEST(OverMpi, theLibrarysBroadcastRunsInAnyGroupsFromAnyRoot) {
    const std::int32_t processes = Team::world().processes();
    std::vector<mpi::Entry> entries;
    for (std::int32_t groups = 1; groups <= std::min(processes, 8); ++groups)
        for (const std::int32_t root : {0, processes - 1, processes / 2}) {
            const Problem problem = support::bcast(processes, root, 1000);
            entries.push_back(nativeOf(problem));
            entries.back().options = live::optionsFor(*entries.back().native, problem, {{"groups", text(groups)}});
            if (entries.size() < live::mostEntries) continue;
            judge(std::move(entries));
            entries.clear();
        }
    if (!entries.empty()) judge(std::move(entries));
    EXPECT_THROW((void)live::optionsFor(*live::nativeNamed("bcast/native"), support::bcast(processes),
                                        {{"groups", text(processes + 1)}}),
                 Error);
}

/// Whether the library under test compares large unsigned numbers rightly: MPICH 4.0.2 takes them for signed ones
/// (github.com/pmodels/mpich/issues/6083).
bool comparesUnsigned() {
    const std::uint32_t one = 1;
    std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
    MPI_Reduce_local(&one, &least, 1, MPI_UINT32_T, MPI_MIN);
    return least == 1;
}

TEST(OverMpi, combinesWithEveryOperationAndType) {
    const bool alsoUnsigned = comparesUnsigned();
    for (const Operation operation : {Operation::sum, Operation::min, Operation::max, Operation::user}) {
        std::vector<mpi::Entry> entries;
        for (const Element element :
             {Element::int32, Element::int64, Element::uint32, Element::uint64, Element::float32, Element::float64}) {
            const bool compared = operation == Operation::min || operation == Operation::max;
            if (compared && !alsoUnsigned && (element == Element::uint32 || element == Element::uint64)) continue;
            Problem problem = support::allreduce(Team::world().processes(), 80);
            problem.operation = operation;
            problem.element = element;
            entries.push_back(entryOf(makePlan(algorithmNamed("allreduce/binomial-tree"), problem, {})));
        }
        judge(std::move(entries));
    }
}

}  // namespace
