// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/bounds/network_bound.hpp"

#include "emulation/bounds/startups.hpp"
#include "emulation/clocks/virtual_clock.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "tests/emulation/ways.hpp"
#include "tests/support/catalogue_grid.hpp"
#include "tests/support/places.hpp"
#include "tests/support/random_networks.hpp"
#include "tests/support/reference/slow_cuts.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <random>

namespace emulation::bounds {
namespace {

using engine::Bytes;
using engine::Collective;
using engine::Picoseconds;
using engine::Problem;
using engine::Rate;

constexpr Bytes KiB = 1024;

double femtoseconds(const std::optional<NetworkBound>& bound) { return bound ? bound->bytes / bound->speed : 0; }

Problem regular(Collective collective, std::int32_t ranks, Bytes each) {
    const std::int32_t count = collective == Collective::alltoallv ? ranks * ranks
                               : collective == Collective::bcast   ? 1
                                                                   : ranks;
    return {.collective = collective, .groupA = ranks, .layout = engine::Layout::regular(count, each)};
}

/// In microseconds, with 0.4 ns a byte.
double microseconds(Collective collective, std::int32_t ranks, Bytes each, const std::string& topology) {
    const Problem problem = regular(collective, ranks, each);
    return femtoseconds(networkBound(problem, *makeNetwork(topology, ranks), Rate{400'000})) / 1e9;
}

TEST(NetworkBounds, areThoseThatAreKnown) {
    const double block = 64 * 1024 * 0.4e-3;  // us over one link
    EXPECT_NEAR(microseconds(Collective::alltoallv, 16, 64 * KiB, "ring"), 32 * block, 1e-6);
    EXPECT_NEAR(microseconds(Collective::alltoallv, 16, 64 * KiB, "fat-tree:4x4,taper=4"), 48 * block, 1e-6);
    EXPECT_NEAR(microseconds(Collective::alltoallv, 16, 64 * KiB, "mesh:4x4"), 16 * block, 1e-6);
    EXPECT_NEAR(microseconds(Collective::alltoallv, 12, 64 * KiB, "dragonfly:3,2,2"), 18 * block, 1e-6)
        << "36 blocks over two links";
    EXPECT_NEAR(microseconds(Collective::allgatherv, 16, 64 * KiB, "cluster:4,nics=1,between=1us+4ns/B"),
                12 * 64 * 1024 * 4e-3, 1e-6);
    EXPECT_NEAR(microseconds(Collective::allreduce, 16, 1024 * KiB, "cluster:4,nics=1,between=1us+4ns/B"),
                1.5 * 1024 * 1024 * 4e-3, 1e-6)
        << "2 (4 - 1) vectors over 4 cards";
    EXPECT_NEAR(microseconds(Collective::allgatherv, 256, 64 * KiB, "fat-tree:16x16,taper=16"), 6684.7, 0.05);
    EXPECT_EQ(microseconds(Collective::allgatherv, 16, 64 * KiB, "full"), 0);
    EXPECT_EQ(microseconds(Collective::barrier, 16, 0, "ring"), 0);
}

/// ForestColl (Zhao et al., arXiv 2402.06787), SCCL (Cai et al. 2021).
TEST(NetworkBounds, areThoseOfMachinesOfOthers) {
    const std::string folder = (support::sharedTraces().parent_path() / "cases" / "networks").string();
    if (!std::filesystem::exists(folder)) GTEST_SKIP() << folder << " is not there";
    const auto of = [&](const std::string& file, std::int32_t ranks, Bytes each) {
        const Problem problem = regular(Collective::allgatherv, ranks, each);
        return femtoseconds(networkBound(problem, *makeNetwork("graph:" + folder + "/" + file, ranks), Rate{400'000}));
    };
    constexpr double block = 64 * 1024;
    const double link = block / 25e9 * 1e15;
    EXPECT_NEAR(of("dgx1.dot", 8, 64 * KiB) / link, 7.0 / 6, 1e-9);
    EXPECT_NEAR(16 * block / of("a100-2x8.dot", 16, 64 * KiB) * 1e6, 346.67, 0.05);
    EXPECT_NEAR(of("dumbbell.dot", 8, 64 * KiB) / 1e9, 1048.576, 1e-6);
}

/// Each GPU of a DGX-1 has two links of 50 GB/s and two of 25 GB/s.
TEST(NetworkBounds, countNoMoreLinksThanPorts) {
    const auto network = makeNetwork("dgx1", 8);
    Problem problem = regular(Collective::allgatherv, 8, 64 * KiB);
    for (const auto& [ports, speed] : {std::pair{1, 50.0}, {2, 100.0}, {3, 125.0}}) {
        problem.ports = ports;
        EXPECT_NEAR(femtoseconds(portBound(problem, *network, Rate{400'000})), 7 * 65536 / speed * 1e6, 1) << ports;
    }
    problem.ports = 4;
    EXPECT_FALSE(portBound(problem, *network, Rate{400'000})) << "all links count";
}

TEST(NetworkBounds, tellTheCutThatBinds) {
    const Problem problem = regular(Collective::alltoallv, 16, 64 * KiB);
    const auto network = makeNetwork("fat-tree:4x4,taper=4", 16);
    const auto bound = networkBound(problem, *network, Rate{400'000});
    ASSERT_TRUE(bound);
    EXPECT_EQ(bound->kind, NetworkBound::Kind::cut);
    EXPECT_EQ(bound->bytes, 48 * 64 * 1024);
    ASSERT_EQ(bound->links.size(), 1U);
    std::int32_t inside = 0;
    for (std::size_t rank = 0; rank < 16; ++rank) inside += bound->side[rank];
    EXPECT_EQ(inside % 8, 4) << "the ranks of one switch, or all others";
}

class NetworkBoundsOfRandomNetworks : public testing::TestWithParam<Collective> {};

/// All sets of nodes, all groups of ranks and a flow that is nearly the best give the same.
TEST_P(NetworkBoundsOfRandomNetworks, areThoseOfLookingAtEverything) {
    std::mt19937 random{static_cast<unsigned>(GetParam())};
    const std::vector<Problem> problems = support::problemsFor(GetParam(), isIntergroup(GetParam()) ? 3 : 6);
    const bool personal = GetParam() == Collective::alltoallv || GetParam() == Collective::intergroupAlltoallv;
    for (int trial = 0; trial < (personal ? 25 : 80); ++trial) {
        const Problem& problem = problems[random() % problems.size()];
        const support::DrawnNetwork network = support::randomNetwork(random, problem.ranks(), 3);
        const double found = femtoseconds(networkBound(problem, network, Rate{400'000}));
        const support::SlowCuts slow{problem, network, network.nodes()};
        double expected = slow.overAllSets();
        const std::string where = engine::text("trial ", trial, ": ", toText(problem));
        if (personal) {
            ASSERT_GE(found, expected * (1 - 1e-9)) << where;
            const double flow = support::timeOfFlow(problem, network, network.nodes(), 0.02);
            ASSERT_LE(found, flow * (1 + 1e-9)) << where;
            ASSERT_GE(found, flow * (1 - 0.07)) << where;
            continue;
        }
        if (GetParam() == Collective::allreduce) expected = std::max(expected, slow.overAllGroups());
        ASSERT_NEAR(found, expected, expected * 1e-9) << where;
    }
}

INSTANTIATE_TEST_SUITE_P(All, NetworkBoundsOfRandomNetworks,
                         testing::ValuesIn(engine::collectives().begin(), engine::collectives().end()),
                         [](const auto& which) {
                             std::string word{name(which.param)};
                             std::erase(word, '-');
                             return word;
                         });

/// Every algorithm, on clocks whose links are shared by all that is on them at one time.
TEST(NetworkBounds, areNotBeatenByAnySchedule) {
    std::mt19937 random{20261127};
    const std::span<const engine::Algorithm* const> all = engine::catalogue();
    int runs = 0, bound = 0, met = 0;
    for (int trial = 0; trial < 1000; ++trial) {
        const engine::Algorithm& algorithm = *all[random() % all.size()];
        const std::vector<Problem> problems =
            support::problemsFor(algorithm.collective, isIntergroup(algorithm.collective) ? 4 : 8);
        Problem problem = problems[random() % problems.size()];
        if (algorithm.objects != nullptr && algorithm.objects(problem, engine::Options{"", algorithm.options, {}}))
            continue;
        const engine::Plan plan = makePlan(algorithm, problem, {});
        if (plan.schedule->facts().ranks != problem.ranks()) continue;
        const support::DrawnNetwork drawn = support::randomNetwork(random, problem.ranks(), 4);
        const NetworkPtr cluster = makeNetwork(
            engine::text("cluster:", 2 + random() % 3, ",nics=", 1 + random() % 2, ",inside=", random() % 200,
                         "ps+0.5ps/B,between=", random() % 500, "ps+", 1 + random() % 8, "ps/B"),
            problem.ranks());
        const Network& network = trial % 4 == 1 ? *cluster : static_cast<const Network&>(drawn);
        // A link that is slower than it says.
        std::vector<SlowLink> slow;
        if (trial % 4 == 2 && network.links() > 0) {
            const LinkEnds ends =
                network.ends(LinkId{static_cast<std::int32_t>(random() % engine::asSize(network.links()))});
            slow.push_back({nameOf(network, ends.from), nameOf(network, ends.to), {8000}});
        }
        const auto least = networkBound(problem, network, Rate{1000}, slow);
        const Picoseconds alpha{trial % 2 == 0 ? 0 : 100};
        for (const auto& [sharing, stepping] : {std::pair{Sharing::fair, Stepping::free},
                                                {Sharing::fair, Stepping::lockstep},
                                                {Sharing::bottleneck, Stepping::lockstep}}) {
            const Conditions conditions{.model = {.alpha = alpha, .beta = Rate{1000}},
                                        .stepping = stepping,
                                        .sharing = sharing,
                                        .perturbation = {.slowLinks = slow},
                                        .ports = problem.ports};
            const Picoseconds time = makespan(plan, network, conditions);
            ++runs;
            const auto way = farthest(problem, network, alpha);
            if (way) {
                ASSERT_GE(time, way->time) << algorithm.id << ' ' << toText(problem) << ", trial " << trial;
            }
            if (const auto ports = portBound(problem, network, Rate{1000}, slow)) {
                ASSERT_GE(time, startupAcross(*ports, network, alpha) + ports->time())
                    << algorithm.id << ' ' << toText(problem) << ", trial " << trial;
            }
            if (!least) continue;
            ++bound;
            const Picoseconds most = startupAcross(*least, network, alpha) + least->time();
            met += time <= most * 1.02 || (way && time <= way->time * 1.02) ? 1 : 0;
            ASSERT_GE(time, most) << algorithm.id << ' ' << toText(problem) << ", trial " << trial;
        }
    }
    EXPECT_GT(runs, 1500);
    EXPECT_GT(bound, runs / 2);
    EXPECT_GT(met, 20) << "a little larger, it would be false";
}

/// What is found without flows on networks that are large is what flows find on small ones.
TEST(NetworkBounds, ofLargeGridsTreesAndClustersNeedNoFlow) {
    const Rate beta{400'000};
    for (const char* topology : {"ring", "torus:4x4", "mesh:4x4", "hypercube:4", "fat-tree:4x4,taper=4", "cluster:4"})
        for (const Collective collective : {Collective::allgatherv, Collective::reduceScatter, Collective::allreduce,
                                            Collective::bcast, Collective::alltoallv}) {
            const Problem small = regular(collective, 16, 4096);
            const auto network = makeNetwork(topology, 16);
            const auto exact = networkBound(small, *network, beta);
            const auto plain = plainBound(small, *network, beta);
            EXPECT_NEAR(femtoseconds(plain), femtoseconds(exact), femtoseconds(exact) * 1e-9)
                << topology << ' ' << name(collective);
        }
    const std::int32_t many = 1 << 20;
    const Problem large = regular(Collective::allgatherv, many, 64);
    EXPECT_NEAR(femtoseconds(networkBound(large, *makeNetwork("ring", many), beta)), (many - 1) * 32 * 400'000.0, 1);
    EXPECT_NEAR(femtoseconds(networkBound(large, *makeNetwork("torus:1024x1024", many), beta)),
                (many - 1) * 16 * 400'000.0, 1);
}

}  // namespace
}  // namespace emulation::bounds
