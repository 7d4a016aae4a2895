// SPDX-License-Identifier: BSD-3-Clause
// Messages of a round that follow each other at a port do not share a link with each other.
#include "emulation/clocks/virtual_clock.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "tests/support/catalogue_grid.hpp"
#include "tests/support/patterns.hpp"

#include <gtest/gtest.h>

#include <random>

namespace emulation {
namespace {

using namespace engine;
using support::hops;
using support::planOf;

Model hockney() { return {.alpha = Picoseconds{100}, .beta = Rate{1000}}; }  // 100 ps + 1 ps/B

std::vector<Conditions> onePortEach() {
    Model strict = hockney();
    strict.eagerLimit = 6;
    Model logGP;
    logGP.logGP = LogGP{Picoseconds{500}, Picoseconds{20}, Picoseconds{70}, Rate{3000}, Rate{0}};
    std::vector<Conditions> all;
    for (const Model& model : {hockney(), strict, logGP}) {
        all.push_back({.model = model, .ports = 1});
        all.push_back({.model = model, .stepping = Stepping::lockstep, .ports = 1});
        all.push_back({.model = model, .ports = 1});
        all.back().perturbation.arrival = readArrival("random:300ps,7");
    }
    return all;
}

/// Networks in which each rank has a cable of its own each way, as fast as its port.
std::vector<NetworkPtr> oneUplinkEach(std::int32_t ranks) {
    return {makeNetwork("cluster:1", ranks), makeNetwork("fat-tree:" + std::to_string(ranks) + "x1", ranks)};
}

/// The links of a rank are as fast as its port, and take what that sends and receives: they change nothing.
void expectLikeFull(const Plan& plan, const std::string& what) {
    const std::int32_t ranks = plan.schedule->facts().ranks;
    const NetworkPtr full = makeNetwork("full", ranks);
    const std::vector<NetworkPtr> others = oneUplinkEach(ranks);
    for (const Conditions& conditions : onePortEach()) {
        const Run expected = emulate(plan, *full, conditions).run;
        for (const NetworkPtr& network : others) {
            const Run run = emulate(plan, *network, conditions).run;
            ASSERT_EQ(run.duration, expected.duration)
                << what << " on " << network->name() << ", " << run.setting.model;
            ASSERT_EQ(run.perRank, expected.perRank) << what << " on " << network->name() << ", " << run.setting.model;
        }
    }
}

TEST(MessagesInTurn, seeNoDifferenceBetweenAnUplinkForEachRankAndAFullNetwork) {
    for (const Algorithm* algorithm : catalogue())
        for (const Problem& problem : support::problemsFor(algorithm->collective, 5)) {
            if (algorithm->objects != nullptr && algorithm->objects(problem, Options{"", algorithm->options, {}}))
                continue;
            const Plan plan = makePlan(*algorithm, problem, {});
            if (plan.schedule->facts().ranks < 2) continue;
            expectLikeFull(plan, engine::text(algorithm->id, " on ", toText(problem)));
        }
    std::mt19937 random{20261127};
    for (int trial = 0; trial < 300; ++trial) {
        const int ranks = 2 + static_cast<int>(random() % 7);
        expectLikeFull(planOf(support::randomSchedule(random, ranks, 1 + trial % 4, 1 + trial % 5)),
                       engine::text("trial ", trial));
    }
}

/// Everyone sends 100 B to everyone else: 3 nodes of 2 ranks, one card each. Each of the 5 messages of a rank shares
/// the card with the one that the other rank of the node sends meanwhile.
TEST(MessagesInTurn, shareALinkWithThoseOfOtherRanksOnly) {
    std::vector<support::Hop> all;
    for (int shift = 1; shift < 6; ++shift)
        for (int r = 0; r < 6; ++r) all.push_back({r, (r + shift) % 6, 100});
    const Plan plan = planOf(hops(6, {all}));
    const Conditions conditions{.model = hockney(), .ports = 1};
    EXPECT_EQ(makespan(plan, *makeNetwork("full", 6), conditions), Picoseconds{5 * 200});
    EXPECT_EQ(makespan(plan, *makeNetwork("cluster:1", 6), conditions), Picoseconds{5 * 200});
    const Picoseconds shared = makespan(plan, *makeNetwork("cluster:2,nics=1", 6), conditions);
    EXPECT_GE(shared, Picoseconds{4 * 2 * 100}) << "each card moves 8 messages of 100 B";
    EXPECT_LE(shared, Picoseconds{5 * 300}) << "no message is slower than two on one card";
}

}  // namespace
}  // namespace emulation
