// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/options/specification.hpp"
#include "app/session/session.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

namespace app {
namespace {

using engine::Collective;

std::string mistakeOf(Collective collective, const ProblemWish& wish) {
    try {
        makeProblem(collective, wish);
    } catch (const engine::Error& error) {
        return error.what();
    }
    return "none";
}

TEST(Wishes, nameTheMissingFlag) {
    EXPECT_EQ(mistakeOf(Collective::bcast, {}), "bcast needs ranks (-n), such as -n 8");
    EXPECT_EQ(mistakeOf(Collective::halfduplexAllgather, {.groupB = 3}),
              "halfduplex-allgather needs group-a (-p), such as -p 8");
    EXPECT_EQ(mistakeOf(Collective::intergroupAllgatherv, {.groupA = 3}),
              "intergroup-allgatherv needs group-b (-q), such as -q 8");
}

TEST(Wishes, refuseFlagsOfOtherCollectives) {
    EXPECT_EQ(mistakeOf(Collective::bcast, {.ranks = 4, .groupA = 4}),
              "bcast takes no group-a: it has one group of ranks, given by ranks");
    EXPECT_EQ(mistakeOf(Collective::halfduplexAllgather, {.ranks = 4, .groupA = 2, .groupB = 2}),
              "halfduplex-allgather takes no ranks: it has two groups, given by group-a and group-b");
    EXPECT_EQ(mistakeOf(Collective::allreduce, {.ranks = 4, .root = 1}), "allreduce takes no root: it has no root");
    EXPECT_EQ(mistakeOf(Collective::bcast, {.ranks = 4, .operation = engine::Operation::max}),
              "bcast takes no op: it combines nothing");
    EXPECT_EQ(
        mistakeOf(Collective::halfduplexAllgather, {.groupA = 4, .groupB = 4, .sizeB = 1}),
        "halfduplex-allgather takes no size-b: only intergroup-allgatherv and intergroup-alltoallv have contributions of two groups");
    EXPECT_EQ(mistakeOf(Collective::bcast, {.ranks = 4, .sizes = "spike"}),
              "bcast takes no sizes: its contributions are all of one size");
}

TEST(Wishes, refuseNumbersOutOfRange) {
    EXPECT_EQ(mistakeOf(Collective::bcast, {.ranks = 0}), "ranks: 0 is too small; it must be at least 1");
    EXPECT_EQ(mistakeOf(Collective::bcast, {.ranks = 4, .root = 4}), "root: 4 is outside 0..3");
    EXPECT_EQ(mistakeOf(Collective::halfduplexAllgather, {.groupA = 2'000'000'000, .groupB = 2'000'000'000}),
              "group-a and group-b: more than 2147483639 ranks in total");
    EXPECT_EQ(mistakeOf(Collective::allgatherv, {.ranks = 8, .size = engine::Bytes{1} << 60}),
              "size: 8 contributions of 1048576 TiB are more than 2^62 bytes in total");
    EXPECT_EQ(mistakeOf(Collective::bcast, {.ranks = 4, .size = engine::Bytes{1} << 62}),
              "size: 4 copies of 4194304 TiB are more than 2^62 bytes in total");
    EXPECT_EQ(mistakeOf(Collective::allreduce, {.ranks = 4, .size = engine::Bytes{1} << 62}),
              "size: 4 vectors of 4194304 TiB are more than 2^62 bytes in total");
    EXPECT_EQ(mistakeOf(Collective::halfduplexAllgather, {.groupA = 2, .groupB = 9, .size = engine::Bytes{1} << 62}),
              "size: 2 contributions of 4194304 TiB are more than 2^62 bytes in total");
    // What every rank takes in must be a number that can be added up.
    EXPECT_EQ(mistakeOf(Collective::allgatherv, {.ranks = 4, .size = engine::Bytes{1} << 60}),
              "what all ranks take in together is more than 2^58 bytes, for 4 contributions of up to 1048576 TiB; "
              "choose a smaller one or fewer ranks");
    EXPECT_EQ(mistakeOf(Collective::allgatherv, {.ranks = 8, .sizes = "spikes"}),
              "sizes: unknown distribution 'spikes'; did you mean spike?");
}

TEST(Wishes, giveEachGroupItsSizes) {
    const auto both = makeProblem(Collective::intergroupAllgatherv,
                                  {.groupA = 2, .groupB = 3, .size = 6, .sizeB = 10, .sizes = "linear"});
    EXPECT_EQ(toText(both), "intergroup-allgatherv p=2 q=3 sizes=12,0,20,10,0");
    const auto half = makeProblem(Collective::halfduplexAllgather, {.groupA = 2, .groupB = 3, .size = 6});
    EXPECT_EQ(toText(half), "halfduplex-allgather p=2 q=3 sizes=2x6");
    EXPECT_EQ(makeProblem(Collective::barrier, {.ranks = 3}).layout.count(), 0);
    EXPECT_EQ(makeProblem(Collective::bcast, {.ranks = 3, .size = 9}).layout.total(), 9);
}

class SizesFile : public ::testing::Test {
protected:
    void write(const std::string& words) { std::ofstream{path_} << words; }
    ~SizesFile() override { std::filesystem::remove(path_); }
    std::filesystem::path path_ =
        std::filesystem::temp_directory_path() /
        ("collscope-sizes-" + std::to_string(::testing::UnitTest::GetInstance()->random_seed()) +
         ::testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(SizesFile, isReadLineByLine) {
    write("# three ranks\n1KiB\n\n  0\n7 B\n");
    const auto problem = makeProblem(Collective::allgatherv, {.ranks = 3, .sizes = "@" + path_.string()});
    EXPECT_EQ(toText(problem), "allgatherv n=3 sizes=1024,0,7");
}

TEST_F(SizesFile, isRefusedWithTheLine) {
    write("1\nmany\n");
    EXPECT_EQ(mistakeOf(Collective::allgatherv, {.ranks = 2, .sizes = "@" + path_.string()}),
              "sizes: " + path_.string() + ":2: size: 'many' is not a quantity; write for example 64KiB or 1000");
    write("1\n2\n");
    EXPECT_EQ(mistakeOf(Collective::allgatherv, {.ranks = 3, .sizes = "@" + path_.string()}),
              "sizes: " + path_.string() + " has 2 sizes for 3 contributions");
    EXPECT_EQ(mistakeOf(Collective::allgatherv, {.ranks = 3, .sizes = "@/no/such/file"}),
              "sizes: cannot read '/no/such/file': it does not exist");
}

TEST(Plans, takeATorusOnlyWhereTheyNeedIt) {
    const auto& belts = engine::algorithmNamed("halfduplex-allgather/torus-belts");
    EXPECT_EQ(makePlan(belts, ProblemWish{.groupA = 8, .groupB = 8}, {}, {.topology = "torus:4x4"}).problem.torus,
              (std::vector<int>{4, 4}));
    EXPECT_EQ(makePlan(belts, ProblemWish{.groupA = 8, .groupB = 8}, {}, {.topology = "torus:8x2"})
                  .schedule->facts()
                  .wiring.name(),
              "torus:8x2");
    const auto& ring = engine::algorithmNamed("halfduplex-allgather/ring-intragroup");
    EXPECT_TRUE(
        makePlan(ring, ProblemWish{.groupA = 8, .groupB = 8}, {}, {.topology = "torus:4x4"}).problem.torus.empty());
}

/// The sizes of a torus end where its options or a placement begin.
TEST(Plans, readTheSizesOfATorusAlone) {
    const auto& belts = engine::algorithmNamed("halfduplex-allgather/torus-belts");
    const ProblemWish wish{.groupA = 8, .groupB = 8};
    for (const char* topology : {"torus:4x4,ties=simgrid", "torus:4x4,link=1us+1ns/B", "torus:4x4 placement=snake"}) {
        const auto plan = makePlan(belts, wish, {}, {.topology = topology});
        EXPECT_EQ(plan.problem.torus, (std::vector<int>{4, 4})) << topology;
        EXPECT_EQ(networkFor(plan, {.topology = topology})->name(), topology);
    }
}

TEST(Plans, relayMessagesBetweenNeighbours) {
    const NetworkWish ring{.topology = "ring", .neighboursOnly = true};
    for (const char* id : {"bcast/binomial-tree", "allgatherv/bruck", "allreduce/dissemination"}) {
        const auto plan = makePlan(engine::algorithmNamed(id), ProblemWish{.ranks = 8}, {}, ring);
        EXPECT_TRUE(plan.schedule->facts().wiring.adjacent(engine::Rank{0}, engine::Rank{7}));
        EXPECT_FALSE(plan.schedule->facts().wiring.adjacent(engine::Rank{0}, engine::Rank{2}));
        const engine::Verdict verdict = engine::verify(*plan.schedule, plan.problem);
        EXPECT_TRUE(verdict.proved) << id << ": " << verdict.counterExample;
    }
    EXPECT_THROW(makePlan(engine::algorithmNamed("bcast/flat"), ProblemWish{.ranks = 8}, {},
                          {.topology = "fat-tree:4x2", .neighboursOnly = true}),
                 engine::Error);
}

TEST(Networks, havePlacements) {
    const auto plan = makePlan(engine::algorithmNamed("bcast/flat"), ProblemWish{.ranks = 8}, {});
    EXPECT_EQ(networkFor(plan, {.topology = "ring", .placement = "random:3"})->name(), "ring placement=random:3");
    EXPECT_EQ(networkFor(plan, {.topology = "ring", .placement = "block"})->name(), "ring");
    EXPECT_THROW(networkFor(plan, {.topology = "ring", .placement = "snail"}), engine::Error);
}

TEST(Networks, haveRoomForDummies) {
    const auto& streams = engine::algorithmNamed("halfduplex-allgather/ring-streams");
    const auto plan = makePlan(streams, ProblemWish{.groupA = 3, .groupB = 5}, {});
    ASSERT_GT(plan.schedule->facts().ranks, plan.problem.ranks());
    EXPECT_EQ(networkFor(plan)->ranks(), plan.schedule->facts().ranks);
    EXPECT_EQ(networkFor(plan)->name(), "ring");
    EXPECT_EQ(networkFor(plan, {.topology = "full"})->name(), "full");
}

TEST(Networks, thatFitAllButDummiesAreToldOfThem) {
    const auto& streams = engine::algorithmNamed("halfduplex-allgather/ring-streams");
    const auto plan = makePlan(streams, ProblemWish{.groupA = 3, .groupB = 5}, {});
    const auto refusal = [&](const char* topology) {
        try {
            (void)networkFor(plan, {.topology = topology});
        } catch (const engine::Error& error) {
            return engine::worded(
                error.words(), [](const std::string& key) { return key; }, [](const std::string& key) { return key; });
        }
        return std::string{"none"};
    };
    const std::string places = "topology torus:2x4 has 8 places, but there are 10 ranks; torus:5x2 would fit";
    EXPECT_EQ(refusal("torus:2x4"), places + "; 2 of the ranks are dummies that the algorithm adds");
    EXPECT_EQ(refusal("torus:2x3"), "topology torus:2x3 has 6 places, but there are 8 ranks; torus:4x2 would fit");
    EXPECT_EQ(refusal("torus:5x2"), "none");
}

TEST(BoundsForANetwork, bindOnlyThoseWhoKeepToNeighbours) {
    const ProblemWish wish{.groupA = 4, .groupB = 16};
    const auto ring = makePlan(engine::algorithmNamed("halfduplex-allgather/ring-belts"), wish, {});
    const auto rows = makePlan(engine::algorithmNamed("halfduplex-allgather/fully-connected"), wish, {});
    const auto rounds = [](const engine::Plan& plan, const NetworkWish& on) {
        const emulation::NetworkPtr network = networkFor(plan, on);
        const analysis::Machine machine{.model = {}, .network = network.get()};
        return analysis::limitsOf(plan, std::nullopt, machine).bounds.unitRounds->value;
    };
    EXPECT_EQ(rounds(ring, {}), 4 - 1 + 8);
    EXPECT_LT(rounds(rows, {.topology = "ring"}), 11);
    EXPECT_LT(rounds(ring, {.topology = "full"}), 11);
}

/// Ranks whose neighbour on the ring of the run stands on another node of four.
std::int32_t crossings(const std::string& line, const std::vector<std::int32_t>& nodes) {
    const engine::Plan plan = makePlan(specified(line).run);
    std::set<std::pair<std::int32_t, std::int32_t>> links;
    engine::Turn turn;
    for (engine::Round round{0}; round.value < plan.schedule->facts().rounds; ++round)
        for (engine::Rank rank{0}; rank.value < plan.schedule->facts().ranks; ++rank) {
            plan.schedule->turn(rank, round, turn);
            for (const engine::Message& message : turn.sends())
                if (nodes[rank.index()] != nodes[message.peer.index()]) links.emplace(rank.value, message.peer.value);
        }
    return static_cast<std::int32_t>(links.size());
}

TEST(Wishes, ofNodesAreThoseOfTheNetworkAndItsPlacement) {
    const std::string ring =
        "allgatherv/pipelined-ring -n 16 --sizes half-full --size 1KiB --set placement=within-nodes";
    std::vector<std::int32_t> inOrder;
    std::vector<std::int32_t> inTurn;
    for (std::int32_t rank = 0; rank < 16; ++rank) inOrder.push_back(rank / 4), inTurn.push_back(rank % 4);
    EXPECT_EQ(crossings(ring + " --topology cluster:4", inOrder), 4);
    EXPECT_EQ(crossings(ring + " --topology cluster:4 --placement round-robin", inTurn), 4);
    EXPECT_EQ(crossings(ring + " --topology cluster:4 --set nodes=4 --placement round-robin", inTurn), 16);
    const auto chosen = [&](const std::string& more) {
        return toText(engine::choicesOf(makePlan(specified(ring + " --set block=1KiB" + more).run)));
    };
    EXPECT_EQ(chosen(" --topology cluster:4"), "nodes=4");
    EXPECT_EQ(chosen(" --topology cluster:4 --placement round-robin"), "nodes as ranks are placed=4");
    EXPECT_EQ(chosen(""), "nodes=1");
    const Report placed = execute(specified(ring + " --topology cluster:4 --placement round-robin").run);
    EXPECT_EQ(analysis::reportOn(placed.run).run->rounds, placed.run->rounds);
    ASSERT_TRUE(analysis::reportOn(placed.run).plan.has_value());
    EXPECT_TRUE(analysis::reportOn(placed.run).verdict->proved);
}

}  // namespace
}  // namespace app
