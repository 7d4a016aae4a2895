// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/schedule/logical_topology.hpp"

#include "emulation/clocks/virtual_clock.hpp"
#include "emulation/networks/network.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "tests/support/catalogue_grid.hpp"

#include <gtest/gtest.h>

#include <bit>

namespace app::analysis {
namespace {

using Kind = LogicalTopology::Kind;

LogicalTopology of(const char* algorithm, const engine::Problem& problem,
                   const std::map<std::string, std::string>& options = {}) {
    const engine::Plan plan = engine::makePlan(engine::algorithmNamed(algorithm), problem, options);
    return formationOf(emulation::emulate(plan, *emulation::makeNetwork("full", problem.ranks()), {}).run);
}

engine::Problem gathering(int ranks) {
    return support::allgatherv(std::vector<engine::Bytes>(static_cast<std::size_t>(ranks), 12));
}

std::vector<int> perLevel(const LogicalTopology& tree) {
    std::vector<int> counts(4);
    for (const std::int32_t level : tree.levels) ++counts.at(static_cast<std::size_t>(level));
    return counts;
}

/// The binomial tree of 8 from rank 0: in round k ranks below 2^k send to the one 2^k above, or the other way round.
TEST(LogicalTopology, putsATreeInTheRowsOfItsRounds) {
    const LogicalTopology found = of("bcast/binomial-tree", support::bcast(8));
    ASSERT_EQ(found.kind, Kind::tree);
    EXPECT_EQ(found.parents[0], -1);
    EXPECT_EQ(perLevel(found), (std::vector<int>{1, 1, 2, 4}));
}

TEST(LogicalTopology, findsTheTreeOfAGatherFromItsLeaves) {
    const LogicalTopology found =
        of("gatherv/binomial-tree",
           {.collective = engine::Collective::gatherv, .groupA = 8, .layout = engine::Layout::regular(8, 12)});
    ASSERT_EQ(found.kind, Kind::tree);
    EXPECT_EQ(perLevel(found), (std::vector<int>{1, 1, 2, 4}));
}

/// Up the tree and down again.
TEST(LogicalTopology, findsTheTreeOfAnAllreduce) {
    const LogicalTopology found = of("allreduce/binomial-tree", support::allreduce(8));
    ASSERT_EQ(found.kind, Kind::tree);
    EXPECT_EQ(found.parents[0], -1);
    EXPECT_EQ(perLevel(found), (std::vector<int>{1, 1, 2, 4}));
}

TEST(LogicalTopology, isACubeWhereAllNeighboursOfOneTalk) {
    EXPECT_EQ(of("allgatherv/recursive-doubling", gathering(16)).kind, Kind::cube);
    EXPECT_EQ(of("allgatherv/bruck", gathering(16)).kind, Kind::none);
}

TEST(LogicalTopology, findsGroupsAndWhoLeadsThem) {
    const LogicalTopology found = of("bcast/binomial-tree", support::bcast(12), {{"groups", "3"}});
    ASSERT_EQ(found.kind, Kind::groups);
    EXPECT_EQ(found.groups, (std::vector<std::int32_t>{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2}));
    EXPECT_EQ(found.leaders, (std::vector<std::int32_t>{0, 4, 8}));
}

TEST(LogicalTopology, leavesStarsChainsAndRingsAsTheyAre) {
    EXPECT_EQ(of("bcast/flat", support::bcast(8)).kind, Kind::none);
    EXPECT_EQ(of("bcast/chain", support::bcast(8)).kind, Kind::none);
    EXPECT_EQ(of("allgatherv/linear-ring", gathering(8)).kind, Kind::none);
}

TEST(LogicalTopology, saysNothingOfMessagesThatWereNotKept) {
    const engine::Problem problem = support::bcast(8);
    const engine::Plan plan = engine::makePlan(engine::algorithmNamed("bcast/binomial-tree"), problem, {});
    engine::Run run = emulation::emulate(plan, *emulation::makeNetwork("full", 8), {}).run;
    ++run.messageCount;
    EXPECT_EQ(formationOf(run).kind, Kind::none);
}

class Formed : public testing::TestWithParam<const engine::Algorithm*> {};

/// What is said holds of every message.
TEST_P(Formed, holdsOfEveryMessage) {
    for (const engine::Problem& problem : support::problemsFor(GetParam()->collective, 9)) {
        engine::Plan plan;
        try {
            plan = engine::makePlan(*GetParam(), problem, {});
        } catch (const engine::Error&) {
            continue;
        }
        const engine::Run run =
            emulation::emulate(plan, *emulation::makeNetwork("full", plan.schedule->facts().ranks), {}).run;
        const LogicalTopology found = formationOf(run);
        SCOPED_TRACE(engine::toText(problem));
        for (std::size_t i = 0; i < run.messages.size(); ++i) {
            const auto from = run.messages.from()[i].index();
            const auto to = run.messages.to()[i].index();
            if (from == to) continue;
            if (found.kind == Kind::tree) {
                const bool down = found.parents[to] == static_cast<std::int32_t>(from);
                ASSERT_TRUE(down || found.parents[from] == static_cast<std::int32_t>(to));
                ASSERT_EQ(down, found.levels[from] < found.levels[to]);
            } else if (found.kind == Kind::cube) {
                ASSERT_EQ(std::popcount(from ^ to), 1);
            }
        }
        if (found.kind == Kind::tree) {
            EXPECT_EQ(std::ranges::count(found.parents, -1), 1);
        } else if (found.kind == Kind::groups) {
            for (std::size_t group = 0; group < found.leaders.size(); ++group)
                EXPECT_EQ(found.groups[static_cast<std::size_t>(found.leaders[group])],
                          static_cast<std::int32_t>(group));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Formed, testing::ValuesIn(engine::catalogue().begin(), engine::catalogue().end()),
                         [](const auto& one) { return support::testName(one.param); });

}  // namespace
}  // namespace app::analysis
