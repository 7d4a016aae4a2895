// SPDX-License-Identifier: BSD-3-Clause
// Symmetries are those of the network, and a search that uses them decides as one without them. Moves of a game lose
// what they lose.
#include "engine/synthesis/symmetry.hpp"
#include "engine/synthesis/remaining_rounds.hpp"

#include <gtest/gtest.h>

#include <unistd.h>
#include <filesystem>
#include <map>
#include <set>

namespace engine::synthesis {
namespace {

Fabric network(std::int32_t ranks, const std::vector<std::pair<std::int32_t, std::int32_t>>& channels, int ports) {
    Fabric fabric{.ranks = ranks, .ports = ports};
    for (const auto& [from, to] : channels) {
        fabric.channels.push_back({from, to, {static_cast<std::int32_t>(fabric.lanes.size())}});
        fabric.lanes.push_back(1);
    }
    return fabric;
}

Fabric ring(std::int32_t ranks, bool oneWay, int ports = 0) {
    std::vector<std::pair<std::int32_t, std::int32_t>> channels;
    for (std::int32_t r = 0; r < ranks; ++r) {
        channels.emplace_back(r, (r + 1) % ranks);
        if (!oneWay) channels.emplace_back((r + 1) % ranks, r);
    }
    return network(ranks, channels, ports);
}

Fabric full(std::int32_t ranks) {
    std::vector<std::pair<std::int32_t, std::int32_t>> channels;
    for (std::int32_t a = 0; a < ranks; ++a)
        for (std::int32_t b = 0; b < ranks; ++b)
            if (a != b) channels.emplace_back(a, b);
    return network(ranks, channels, 1);
}

/// What ranks before `senders` have, all others (of an allgather everybody) need.
std::vector<Chunk> gathered(std::int32_t ranks, std::int32_t senders) {
    std::vector<Chunk> chunks;
    for (std::int32_t r = 0; r < senders; ++r) {
        Chunk chunk{.owner = r, .needed = std::vector<bool>(asSize(ranks), true), .block = r};
        for (std::int32_t other = 0; other < senders; ++other)
            if (senders < ranks) chunk.needed[asSize(other)] = false;
        chunks.push_back(chunk);
    }
    return chunks;
}

std::set<std::vector<std::int32_t>> ranksOf(const std::vector<Symmetry>& all) {
    std::set<std::vector<std::int32_t>> ranks;
    for (const Symmetry& one : all) ranks.insert(one.rank);
    return ranks;
}

TEST(Symmetry, isEveryRotationAndReflectionOfARing) {
    EXPECT_EQ(ranksOf(symmetriesOf(ring(5, false), gathered(5, 5))).size(), 9U) << "10, without the one that is none";
    const auto turned = ranksOf(symmetriesOf(ring(5, true), gathered(5, 5)));
    EXPECT_EQ(turned.size(), 4U);
    EXPECT_TRUE(turned.contains({1, 2, 3, 4, 0}));
}

TEST(Symmetry, leavesWhatRanksNeedAsItIs) {
    // Of two senders and three receivers: only those of one kind change places.
    const auto ofFull = symmetriesOf(full(5), gathered(5, 2));
    ASSERT_FALSE(ofFull.empty());
    for (const Symmetry& one : ofFull) {
        EXPECT_LT(one.rank[0], 2);
        EXPECT_LT(one.rank[1], 2);
        EXPECT_EQ(one.chunk[0], one.rank[0]);
    }
    Fabric fast = full(4);
    fast.lanes[0] = 2;  // from rank 0 to rank 1
    const auto ofFast = symmetriesOf(fast, gathered(4, 4));
    ASSERT_FALSE(ofFast.empty());
    for (const Symmetry& one : ofFast) {
        EXPECT_EQ(one.rank[0], 0);
        EXPECT_EQ(one.rank[1], 1);
    }
}

// With a proof, a search uses no symmetry.
TEST(Symmetry, changesNoAnswer) {
    const std::string proof =
        (std::filesystem::path{testing::TempDir()} / ("collscope-symmetry-" + std::to_string(::getpid()))).string();
    const Patience patience{.time = std::chrono::minutes{1}};
    int possible = 0;
    int impossible = 0;
    for (const Fabric& fabric : {ring(5, false), ring(5, true), ring(6, false, 1), full(4), full(5)})
        for (const std::int32_t senders : {1, 2, fabric.ranks})
            for (std::int32_t steps = 1; steps <= 4; ++steps)
                for (std::int32_t rounds = steps; rounds <= steps + 1; ++rounds) {
                    const std::vector<Chunk> chunks = gathered(fabric.ranks, senders);
                    const Truth truth = Search{fabric, chunks, steps, rounds}.decide(rounds, patience).truth;
                    EXPECT_EQ(truth, (Search{fabric, chunks, steps, rounds, proof}.decide(rounds, patience).truth));
                    (truth == Truth::satisfiable ? possible : impossible) += 1;
                }
    EXPECT_GT(possible, 10);
    EXPECT_GT(impossible, 10);
    std::filesystem::remove(proof);
}

// A broadcast on a ring of 5 through one port takes 3 rounds. After two rounds in one direction, ranks 3 and 4 are
// left, who can still be served by two ranks in one round; after rank 3 alone was served, rank 4 comes too late.
TEST(Play, tellsWhichMovesLoseARound) {
    Chunk chunk{.owner = 0, .needed = std::vector<bool>(5, true)};
    const auto remaining =
        remainingRoundsOf(ring(5, false, 1), {chunk}, {{0, 0, 1, 0}, {1, 1, 2, 0}, {2, 2, 3, 0}}, {});
    ASSERT_EQ(remaining.size(), 4U);
    EXPECT_EQ(remaining[0].left, 3);
    EXPECT_EQ(remaining[2].left, 1);
    EXPECT_EQ(remaining[2].lost, 0);
    EXPECT_EQ(remaining[3].left, 1);
    EXPECT_EQ(remaining[3].lost, 1);
    EXPECT_EQ(remaining[3].late, (std::vector<std::pair<std::int32_t, std::int32_t>>{{4, 0}}));
}

// On a line of 4, whoever first sends the chunk with the shorter way delays the other one, which is then too far away.
TEST(Play, namesWhatIsTooFarAway) {
    const Fabric line = network(4, {{0, 1}, {1, 2}, {2, 3}}, 1);
    Chunk chunk{.owner = 0, .needed = {false, false, false, true}};
    Chunk other = chunk;
    other.block = 1;
    other.needed = {false, true, false, false};
    const auto remaining = remainingRoundsOf(line, {chunk, other}, {{0, 0, 1, 1}}, {});
    EXPECT_EQ(remaining[0].left, 3) << "a message carries both";
    EXPECT_EQ(remaining[1].lost, 1);
    EXPECT_EQ(remaining[1].late, (std::vector<std::pair<std::int32_t, std::int32_t>>{{3, 0}}));
}

// 5 blocks of 2 chunks on a ring of 6 enter a rank over 2 links: 5 rounds. Every rotation leaves the schedule as it is.
TEST(Symmetries, areKeptByTidySchedules) {
    constexpr std::int32_t ranks = 6;
    const Fabric fabric = ring(ranks, false);
    std::vector<Chunk> chunks;
    for (const Chunk& one : gathered(ranks, ranks)) chunks.insert(chunks.end(), 2, one);
    const std::vector<Symmetry> symmetries = symmetriesOfBlocks(fabric, chunks);
    ASSERT_FALSE(symmetries.empty());
    const std::optional<Found> found = tidied(fabric, chunks, 3, 5, {.time = std::chrono::seconds{20}});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->rounds, 5);
    const std::set<Send> sends(found->sends.begin(), found->sends.end());
    std::set<Send> turned;
    for (const Send& one : sends)
        turned.insert({one.step, (one.from + 1) % ranks, (one.to + 1) % ranks, (one.chunk + 2) % (2 * ranks)});
    EXPECT_EQ(turned, sends);
}

}  // namespace
}  // namespace engine::synthesis
