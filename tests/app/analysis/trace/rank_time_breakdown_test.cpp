// SPDX-License-Identifier: BSD-3-Clause
// Time before a rank has come is apart from what it waits; against sums over small steps of random runs.
#include "app/analysis/trace/rank_time_breakdown.hpp"

#include "app/analysis/selection/partial_runs.hpp"
#include "emulation/clocks/virtual_clock.hpp"
#include "emulation/networks/network.hpp"
#include "emulation/perturbation.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>

namespace app::analysis {
namespace {

using engine::Picoseconds;

engine::Run lateRun(const char* algorithm, const engine::Problem& problem, const char* arrival) {
    const engine::Plan plan = engine::makePlan(engine::algorithmNamed(algorithm), problem, {});
    emulation::Conditions conditions;
    conditions.model = {.alpha = Picoseconds{1'000'000}, .beta = engine::Rate{400'000}};
    conditions.perturbation.arrival = emulation::readArrival(arrival);
    return emulation::emulate(plan, *emulation::makeNetwork("full", 6), conditions).run;
}

TEST(RankTimeBreakdown, cutsTheRunOfEveryRankInFour) {
    for (const auto& [algorithm, problem] : {std::pair{"bcast/flat", support::bcast(6)},
                                             {"allreduce/ring", support::allreduce(6, 120)},
                                             {"barrier/dissemination", support::barrier(6)}})
        for (const char* arrival : {"none", "late:3,1ms", "ramp:100us", "random:1ms,7"}) {
            const engine::Run run = lateRun(algorithm, problem, arrival);
            const std::vector<RankTimeBreakdown> all = rankTimeBreakdownsOf(run);
            const std::vector<Picoseconds> arrived = arrivalTimes(run);
            ASSERT_EQ(all.size(), 6U);
            RankTimeBreakdown sum;
            for (std::size_t rank = 0; rank < all.size(); ++rank) {
                const RankTimeBreakdown& its = all[rank];
                EXPECT_EQ(its.notYetEntered, arrived[rank]) << algorithm << ' ' << arrival << ", rank " << rank;
                EXPECT_EQ(its.busy, run.perRank[rank].busy);
                EXPECT_EQ(its.finishedEarly, run.perRank[rank].finishedEarly);
                EXPECT_EQ(its.notYetEntered + its.busy + its.noCommunication + its.finishedEarly, run.duration);
                sum += its;
            }
            EXPECT_EQ(totalRankTimeBreakdown(run), sum);
        }
}

// Rank 2 of 3 is in no message and comes at 4 of 10.
TEST(RankTimeBreakdown, countsWhoHasNoPartAsDoneOnceItHasCome) {
    engine::Run run;
    run.ranks = 3;
    run.duration = Picoseconds{10};
    run.entered = {Picoseconds{}, Picoseconds{2}, Picoseconds{4}};
    run.perRank = {{Picoseconds{6}, Picoseconds{2}, Picoseconds{2}},
                   {Picoseconds{6}, Picoseconds{2}, Picoseconds{2}},
                   {Picoseconds{}, Picoseconds{}, Picoseconds{10}}};
    const std::vector<RankTimeBreakdown> all = rankTimeBreakdownsOf(run);
    EXPECT_EQ(all[0], (RankTimeBreakdown{Picoseconds{}, Picoseconds{6}, Picoseconds{2}, Picoseconds{2}}));
    EXPECT_EQ(all[1], (RankTimeBreakdown{Picoseconds{2}, Picoseconds{6}, Picoseconds{}, Picoseconds{2}}));
    EXPECT_EQ(all[2], (RankTimeBreakdown{Picoseconds{4}, Picoseconds{}, Picoseconds{}, Picoseconds{6}}));
}

}  // namespace
}  // namespace app::analysis
