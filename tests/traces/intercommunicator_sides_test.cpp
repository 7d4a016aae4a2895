// SPDX-License-Identifier: BSD-3-Clause
// Intercommunicators whose sides were recorded apart: joined where everything fits, and only there.
#include "traces/reading/matching/intercommunicator_sides.hpp"

#include "traces/reading/matching/collective_assembly.hpp"

#include <gtest/gtest.h>

namespace {

using traces::Rank;
using traces::reading::CollectivePart;
using traces::reading::Sides;
using traces::reading::World;

constexpr std::uint8_t barrier = 0, allgather = 6;

/// Six ranks as EZTrace writes them: the world, two halves of it from a split, and one communicator more for each half.
World sixRanks() {
    traces::reading::Definitions definitions;
    definitions.ticksPerSecond = 1;
    traces::reading::GroupDefinition all{.id = 0,
                                         .type = traces::reading::otf2::groupCommLocations,
                                         .paradigm = traces::reading::otf2::paradigmMpi,
                                         .members = {}};
    for (std::uint64_t id = 0; id < 6; ++id) {
        definitions.locations.push_back({.id = id});
        all.members.push_back(id);
    }
    definitions.groups.push_back(all);
    const auto add = [&](std::uint32_t id, std::vector<std::uint64_t> members) {
        definitions.groups.push_back({.id = id,
                                      .type = traces::reading::otf2::groupCommLocations + 1,
                                      .paradigm = traces::reading::otf2::paradigmMpi,
                                      .members = std::move(members)});
        definitions.comms.push_back({.id = id, .group = id});
    };
    add(10, {0, 1, 2, 3, 4, 5});
    add(11, {0, 1, 2, 3});
    add(12, {4, 5});
    add(13, {0, 1, 2, 3});
    add(14, {4, 5});
    return World{definitions, traces::reading::Names::merged};
}

/// Collective calls of all members, one a time step; sides made at time 10.
struct Calls {
    World world = sixRanks();
    traces::reading::PartsOfRanks parts = traces::reading::PartsOfRanks(6);
    std::vector<std::optional<std::int64_t>> created{10, 10, 10, 10, 10, 10};

    void call(std::int32_t communicator, std::uint8_t operation, std::int64_t time) {
        for (const Rank member : world.communicators[static_cast<std::size_t>(communicator)].members)
            parts[member.index()].push_back(
                {.begin = time, .end = time + 5, .communicator = communicator, .operation = operation});
    }
    [[nodiscard]] std::vector<Sides> found() const { return findSides(world, parts, created); }
};

TEST(IntercommunicatorSides, areJoinedWhereAllFits) {
    Calls calls;
    calls.call(1, barrier, 3);
    calls.call(3, allgather, 20);
    calls.call(4, allgather, 21);
    const std::vector<Sides> sides = calls.found();
    ASSERT_EQ(sides.size(), 1U);
    EXPECT_EQ(sides[0].local, 3);
    EXPECT_EQ(sides[0].remote, 4);
    calls.world.join(3, 4);
    EXPECT_EQ(calls.world.communicators[3].kind, traces::CommunicatorKind::inter);
    EXPECT_EQ(calls.world.rankOf(3, 1, Rank{0}), Rank{5}) << "peers are those of the other side";
    EXPECT_EQ(calls.world.rankOf(3, 1, Rank{4}), Rank{1});
    for (auto& its : calls.parts)
        for (CollectivePart& part : its)
            if (part.communicator == 4) part.communicator = 3;
    const traces::Collectives joined =
        traces::reading::collect(calls.parts, std::vector<std::int64_t>(6, traces::reading::noGap), calls.world)
            .collectives;
    ASSERT_EQ(joined.instances.size(), 2U);
    EXPECT_EQ(joined.instances[1].count, 6U);
    EXPECT_TRUE(joined.instances[1].complete);
}

TEST(IntercommunicatorSides, needTheCallThatMakesThem) {
    Calls calls;
    calls.call(3, allgather, 20);
    calls.call(4, allgather, 21);
    calls.created[5].reset();
    EXPECT_TRUE(calls.found().empty());
    calls.created[5] = 22;
    EXPECT_TRUE(calls.found().empty()) << "it was used before";
}

TEST(IntercommunicatorSides, callTheSame) {
    Calls calls;
    calls.call(3, allgather, 20);
    calls.call(4, barrier, 21);
    EXPECT_TRUE(calls.found().empty());
}

TEST(IntercommunicatorSides, haveTheMembersOfAnEarlierCommunicator) {
    Calls calls;
    calls.call(1, allgather, 20);
    calls.call(2, allgather, 21);
    EXPECT_TRUE(calls.found().empty()) << "the split itself";
}

TEST(IntercommunicatorSides, areNotGuessed) {
    Calls calls;
    calls.call(3, allgather, 20);
    calls.call(4, allgather, 21);
    // Another communicator of the same ranks fits as well.
    calls.world.communicators.push_back(calls.world.communicators[4]);
    calls.call(5, allgather, 30);
    EXPECT_TRUE(calls.found().empty());
}

TEST(IntercommunicatorSides, areKnownByTheCallsName) {
    EXPECT_TRUE(traces::reading::makesIntercommunicators("MPI_Intercomm_create"));
    EXPECT_TRUE(traces::reading::makesIntercommunicators("mpi_intercomm_create_"));
    EXPECT_FALSE(traces::reading::makesIntercommunicators("MPI_Intercomm_merge"));
}

/// Rank 2 stops recording behind the second of four barriers: these two are joined, the parts behind them are not.
/// Where all ranks have as many parts, they stopped alike.
TEST(Collectives, areJoinedAsFarAsAllRanksRecorded) {
    for (const bool alike : {false, true}) {
        Calls calls;
        for (const std::int64_t time : {20, 40, 60, 80}) calls.call(0, barrier, time);
        std::vector<std::int64_t> firstGaps(6, traces::reading::noGap);
        firstGaps[2] = 50;
        if (!alike) {
            traces::reading::Growing<CollectivePart> kept;
            for (std::size_t i = 0; i < 2; ++i) kept.push_back(calls.parts[2][i]);
            kept.push_back(calls.parts[2][3]);
            calls.parts[2] = std::move(kept);
        }
        const traces::Collectives joined = traces::reading::collect(calls.parts, firstGaps, calls.world).collectives;
        std::size_t whole = 0;
        for (std::size_t i = 0; i < joined.instances.size(); ++i)
            if (joined.instances[i].ordered && joined.instances[i].count == 6) ++whole;
        EXPECT_EQ(whole, alike ? 4U : 2U);
        EXPECT_EQ(joined.instances.size(), alike ? 4U : 2U + 5U * 2U + 1U);
    }
}

}  // namespace
