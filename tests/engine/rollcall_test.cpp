// SPDX-License-Identifier: BSD-3-Clause
// Who is missing in a program that hangs, by the files that its processes left.
#include "engine/live/rollcall.hpp"
#include "engine/error.hpp"
#include "engine/live/calls.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <memory>

using namespace engine;
using namespace engine::live;

namespace {

/// A folder of records that is gone when this is.
class Records {
public:
    explicit Records(std::int32_t processes)
        : folder_{std::filesystem::path{testing::TempDir()} / "rollcall.records"}, processes_{processes} {
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directories(folder_);
    }
    Records(const Records&) = delete;
    Records& operator=(const Records&) = delete;
    ~Records() { std::filesystem::remove_all(folder_); }

    /// Process `process` knows `teams` and made these calls, the last of each of its threads, and so many that all of
    /// its first team make together.
    void add(std::int32_t process, const std::vector<Team>& teams, const std::vector<Stand>& stands,
             std::int64_t begun = 0) const {
        std::ofstream words{teamsFileOf(folder_, process)};
        for (std::size_t i = 0; i < teams.size(); ++i) words << teamLine(static_cast<std::int32_t>(i), teams[i]);
        words << "site 1 16 solve /nowhere/program\n";
        const auto standing = std::make_unique<live::Standing>();
        standing->process = process;
        standing->processes = processes_;
        for (std::size_t i = 0; i < stands.size(); ++i) standing->threads[i].write(stands[i]);
        standing->begins(0, begun);
        std::ofstream{standingFileOf(folder_, process), std::ios::binary}.write(
            reinterpret_cast<const char*>(standing.get()), sizeof(live::Standing));
    }
    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

private:
    std::filesystem::path folder_;
    std::int32_t processes_;
};

const Team world{.members = {0, 1, 2, 3}, .name = "MPI_COMM_WORLD"};

Stand bcast(std::int64_t sequence, std::int32_t root) {
    return {.begin = 10,
            .sequence = sequence,
            .count = 256,
            .team = 0,
            .peer = root,
            .kind = Kind::call,
            .site = 1,
            .what = static_cast<std::uint8_t>(Called::bcast)};
}

Stand receive(std::int32_t peer, std::int32_t tag, std::int64_t end) {
    return {
        .begin = 5, .end = end, .team = 0, .peer = peer, .tag = tag, .what = static_cast<std::uint8_t>(Other::Recv)};
}

TEST(RollCallTest, whoIsNotThereIsMissingAndComesFirst) {
    const Records records{4};
    for (const std::int32_t process : {0, 1, 3}) records.add(process, {world}, {bcast(3, 0)});
    records.add(2, {world}, {receive(1, 77, 0)});
    const RollCall roll = rollCall(records.folder());
    EXPECT_EQ(roll.processes, 4);
    EXPECT_TRUE(roll.elsewhere.empty());
    ASSERT_EQ(roll.meetings.size(), 1U);
    EXPECT_EQ(roll.meetings[0].communicator, "MPI_COMM_WORLD");
    const std::vector<Gathered> expected{{.processes = {2},
                                          .missing = true,
                                          .within = true,
                                          .call = "MPI_Recv",
                                          .communicator = "MPI_COMM_WORLD",
                                          .peer = 1,
                                          .tag = 77},
                                         {.processes = {0, 1, 3},
                                          .within = true,
                                          .call = "MPI_Bcast",
                                          .communicator = "MPI_COMM_WORLD",
                                          .sequence = 3,
                                          .root = 0,
                                          .count = 256,
                                          .place = "solve in program"}};
    EXPECT_EQ(roll.meetings[0].processes, expected);
}

TEST(RollCallTest, whoNamesAnotherRootStandsAlone) {
    const Records records{4};
    for (const std::int32_t process : {0, 1, 3}) records.add(process, {world}, {bcast(3, 0)});
    records.add(2, {world}, {bcast(3, 1)});
    const Meeting meeting = rollCall(records.folder()).meetings.at(0);
    ASSERT_EQ(meeting.processes.size(), 2U);
    EXPECT_EQ(meeting.processes[0].processes, std::vector<std::int32_t>{2});
    EXPECT_FALSE(meeting.processes[0].missing);
    EXPECT_EQ(meeting.processes[0].root, 1);
}

TEST(RollCallTest, whoIsBehindComesBeforeWhoIsAhead) {
    const Records records{4};
    for (const std::int32_t process : {0, 1, 3}) records.add(process, {world}, {bcast(3, 0)});
    records.add(2, {world}, {bcast(4, 0)});
    EXPECT_EQ(rollCall(records.folder()).meetings.at(0).processes.at(0).processes,
              (std::vector<std::int32_t>{0, 1, 3}));
}

TEST(RollCallTest, oneOfSeveralThreadsIsThere) {
    const Records records{4};
    for (const std::int32_t process : {0, 1, 2, 3})
        records.add(process, {world}, {bcast(3, 0), receive(0, 1, process == 2 ? 0 : 8)});
    const Meeting meeting = rollCall(records.folder()).meetings.at(0);
    ASSERT_EQ(meeting.processes.size(), 1U);
    EXPECT_EQ(meeting.processes[0].processes.size(), 4U);
}

TEST(RollCallTest, whoWaitsForNobodyTogetherIsElsewhere) {
    const Records records{3};
    records.add(0, {world}, {receive(1, 5, 0)});
    records.add(1, {world}, {receive(0, 6, 9)});
    const RollCall roll = rollCall(records.folder());
    EXPECT_TRUE(roll.meetings.empty());
    ASSERT_EQ(roll.elsewhere.size(), 3U);
    EXPECT_TRUE(roll.elsewhere[0].within);
    EXPECT_FALSE(roll.elsewhere[1].within);
    EXPECT_EQ(roll.elsewhere[2].call, "");  // left no word
}

/// Ranks 0 and 1 wait for an allreduce that they have begun, rank 2 has begun it and does something else, rank 3 has
/// not.
TEST(RollCallTest, whoHasNotBegunWhatOthersWaitForIsMissing) {
    const Records records{4};
    const Stand waits{.begin = 10,
                      .sequence = 4,
                      .count = 1,
                      .team = 0,
                      .request = 0,
                      .site = 1,
                      .what = static_cast<std::uint8_t>(Other::Wait),
                      .called = nonBlockingOf(Called::allreduce)};
    const Stand tests{.begin = 20, .end = 30, .site = 1, .what = static_cast<std::uint8_t>(Other::Test)};
    records.add(0, {world}, {waits}, 4);
    records.add(1, {world}, {waits}, 4);
    records.add(2, {world}, {tests}, 4);
    records.add(3, {world}, {tests}, 3);
    const RollCall roll = rollCall(records.folder());
    EXPECT_TRUE(roll.elsewhere.empty());
    ASSERT_EQ(roll.meetings.size(), 1U);
    const std::vector<Gathered>& all = roll.meetings[0].processes;
    ASSERT_EQ(all.size(), 3U);
    EXPECT_TRUE(all[0].missing);
    EXPECT_EQ(all[0].processes, (std::vector<std::int32_t>{3}));
    for (const std::size_t group : {1, 2}) EXPECT_FALSE(all[group].missing);
    const Gathered& waiting = all[1].within ? all[1] : all[2];
    EXPECT_EQ(waiting.processes, (std::vector<std::int32_t>{0, 1}));
    EXPECT_EQ(waiting.awaits, "MPI_Iallreduce");
    EXPECT_EQ(waiting.sequence, 4);
}

TEST(RollCallTest, whoDoesNotFinalizeIsMissing) {
    const Records records{3};
    const auto in = [](Other what, std::int64_t end) {
        return Stand{.begin = 10, .end = end, .site = 1, .what = static_cast<std::uint8_t>(what)};
    };
    records.add(0, {world}, {in(Other::Finalize, 0)});
    records.add(1, {world}, {in(Other::Test, 20)});
    records.add(2, {world}, {in(Other::Finalize, 0)});
    const RollCall roll = rollCall(records.folder());
    EXPECT_TRUE(roll.meetings.empty());
    ASSERT_EQ(roll.elsewhere.size(), 2U);
    EXPECT_TRUE(roll.elsewhere[0].missing);
    EXPECT_EQ(roll.elsewhere[0].processes, (std::vector<std::int32_t>{1}));
    EXPECT_EQ(roll.elsewhere[0].call, "MPI_Test");
    EXPECT_FALSE(roll.elsewhere[1].missing);
}

TEST(RollCallTest, whatIsDamagedIsTold) {
    EXPECT_THROW((void)rollCall("/nowhere"), Error);
    const Records records{2};
    Stand strange = bcast(3, 0);
    strange.what = 200;
    records.add(0, {world}, {strange});
    EXPECT_EQ(rollCall(records.folder()).elsewhere.at(0).call, "");
    std::ofstream{standingFileOf(records.folder(), 0)} << "short";
    EXPECT_THROW((void)rollCall(records.folder()), Error);
}

}  // namespace
