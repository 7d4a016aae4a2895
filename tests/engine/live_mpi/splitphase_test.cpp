// SPDX-License-Identifier: BSD-3-Clause
// Split-phase allreduces over MPI, by both transports.
#include "engine/live/mpi/transports.hpp"
#include "engine/live/records/record_merging.hpp"
#include "engine/live/splitphase/allreduce.hpp"
#include "tests/engine/live_mpi/team.hpp"
#include "tests/support/programs/calls.hpp"

#include <gtest/gtest.h>

#include <random>
#include <thread>

namespace {

using namespace engine;
using namespace std::chrono_literals;
using support::bytesOf;
using support::numbersIn;
using support::numbersOf;
using support::sumOf;
using support::Team;

constexpr std::size_t count = 6;

Plan planOf(const std::string& id) {
    Problem problem = support::allreduce(Team::world().processes(), count * sizeof(std::int64_t));
    problem.element = Element::int64;
    return makePlan(algorithmNamed(id), problem, {});
}

class ByBoth : public testing::TestWithParam<splitphase::By> {
protected:
    std::unique_ptr<splitphase::Transport> transport(const splitphase::Route& route) {
        return GetParam() == splitphase::By::oneSided ? mpi::oneSided(MPI_COMM_WORLD, route)
                                                      : mpi::twoSided(MPI_COMM_WORLD, route);
    }
};

INSTANTIATE_TEST_SUITE_P(Transports, ByBoth, testing::Values(splitphase::By::oneSided, splitphase::By::twoSided),
                         [](const auto& each) {
                             return each.param == splitphase::By::oneSided ? "oneSided" : "twoSided";
                         });

TEST_P(ByBoth, everyAllreduceBringsTheRightData) {
    std::vector<mpi::Entry> entries;
    for (const Algorithm* algorithm : algorithmsFor(Collective::allreduce)) {
        const Problem problem = support::allreduce(Team::world().processes(), 96);
        if (algorithm->objects != nullptr && algorithm->objects(problem, Options{"", algorithm->options, {}})) continue;
        Plan plan = makePlan(*algorithm, problem, {});
        if (plan.schedule->facts().ranks > Team::world().processes()) continue;
        mpi::Entry entry{.problem = problem};
        entry.split = splitphase::Settings{.by = GetParam(), .compute = 50us, .tests = 4};
        entry.plan = std::make_shared<const Plan>(std::move(plan));
        entries.push_back(std::move(entry));
    }
    ASSERT_GE(entries.size(), 3U);
    const mpi::Job job{.entries = std::move(entries), .folder = Team::freshFolder(), .repeats = 3, .warmUps = 1};
    Team::world().carryOut(job);
    if (!Team::isJudge()) return;
    const auto records = live::readRecords(job.folder);
    for (const live::Record& record : records) {
        EXPECT_EQ(record.fault, "") << job.entries[static_cast<std::size_t>(record.faultEntry)].plan->algorithm->id;
        EXPECT_EQ(record.state, live::State::done);
        EXPECT_EQ(record.dropped, 0);
    }
    for (std::size_t e = 0; e < job.entries.size(); ++e) {
        const auto entry = static_cast<std::int32_t>(e);
        EXPECT_EQ(live::samplesOf(records, entry).size(), 3U);
        const engine::Run run = live::joined(records, entry, 2, job.entries[e].plan.get(), "").run;
        EXPECT_EQ(run.stages.size(), 3U);
        EXPECT_EQ(run.spans.size(), 3 * static_cast<std::size_t>(run.ranks));
    }
}

TEST_P(ByBoth, keepsItsPromiseOverAThousandCallsAtAnyPace) {
    const int all = Team::world().processes();
    const int self = Team::world().process();
    const int calls = all > 16 ? 50 : 1000;
    const Plan plan = planOf("allreduce/bruck");
    const splitphase::Route route{plan, Rank{self}};
    const auto both = transport(route);
    splitphase::Allreduce call{plan, Rank{self}, *both};
    std::mt19937 chance{static_cast<unsigned>(self)};
    int wrong = 0;
    for (int k = 0; k < calls; ++k) {
        if (chance() % 8 == 0) std::this_thread::sleep_for(std::chrono::microseconds{chance() % 100});
        call.start(bytesOf(numbersOf(self, k, count)));
        if (chance() % 2 == 0) call.test();
        call.wait();
        if (numbersIn(call.result()) != sumOf(all, k, count)) ++wrong;
    }
    EXPECT_EQ(wrong, 0) << "on rank " << self;
    MPI_Barrier(MPI_COMM_WORLD);
}

TEST_P(ByBoth, aDeadlinePassesAndTheCallGoesOn) {
    const int all = Team::world().processes();
    const int self = Team::world().process();
    const Plan plan = planOf("allreduce/pairwise-exchange");
    const splitphase::Route route{plan, Rank{self}};
    const auto both = transport(route);
    splitphase::Allreduce call{plan, Rank{self}, *both};
    if (self != 0) {
        call.start(bytesOf(numbersOf(self, 0, count)));
        EXPECT_FALSE(call.wait(2ms));
        try {
            call.start(bytesOf(numbersOf(self, 1, count)));
            ADD_FAILURE() << "two calls at a time were accepted";
        } catch (const Error& error) {
            EXPECT_EQ(error.what(), text("rank ", self,
                                         ": an allreduce is in progress and only one can be; wait for it "
                                         "before the next start"));
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (self == 0) call.start(bytesOf(numbersOf(self, 0, count)));
    EXPECT_TRUE(call.wait());
    EXPECT_EQ(numbersIn(call.result()), sumOf(all, 0, count));
    MPI_Barrier(MPI_COMM_WORLD);
}

TEST_P(ByBoth, takesAnOperationOfTheUser) {
    const int all = Team::world().processes();
    const int self = Team::world().process();
    const Plan plan = planOf("allreduce/adapted-dissemination");
    const splitphase::Route route{plan, Rank{self}};
    const auto both = transport(route);
    splitphase::Allreduce call{plan, Rank{self}, *both};
    call.combineWith(support::largerInto, Operands::mayChangePlaces);
    call.start(bytesOf(numbersOf(self, 3, count)));
    EXPECT_TRUE(call.wait());
    EXPECT_EQ(numbersIn(call.result()), numbersOf(all - 1, 3, count));
    MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace
