// SPDX-License-Identifier: BSD-3-Clause
// Who is missing in a program that hangs, by the files that its processes left.
#include "engine/live/hang_diagnosis/hang_diagnosis.hpp"
#include "engine/base/error.hpp"
#include "engine/live/records/collective_records.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <fstream>
#include <memory>

using namespace engine;
using namespace engine::live;

namespace {

/// A folder of records that is gone when this is.
class Records {
public:
    explicit Records(std::int32_t processes)
        : folder_{std::filesystem::path{testing::TempDir()} / ("rollcall-" + std::to_string(::getpid()) + ".records")},
          processes_{processes} {
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directories(folder_);
    }
    Records(const Records&) = delete;
    Records& operator=(const Records&) = delete;
    ~Records() { std::filesystem::remove_all(folder_); }

    /// Process `process` knows `teams` and made these calls, the last of each of its threads, and entered those.
    void add(std::int32_t process, const std::vector<Team>& teams, const std::vector<CallStatus>& stands,
             const std::vector<CallStatus>& entered = {}) const {
        std::ofstream words{teamsFileOf(folder_, process)};
        for (std::size_t i = 0; i < teams.size(); ++i) words << teamLine(static_cast<std::int32_t>(i), teams[i]);
        words << "site 1 16 solve /nowhere/program\n";
        const auto status = std::make_unique<live::RankStatus>();
        status->process = process;
        status->processes = processes_;
        for (std::size_t i = 0; i < stands.size(); ++i) {
            status->threads[i].write(stands[i]);
            if (stands[i].request < 0) status->enters(stands[i]);
        }
        for (const CallStatus& stand : entered) status->enters(stand);
        std::ofstream{rankStatusFileOf(folder_, process), std::ios::binary}.write(
            reinterpret_cast<const char*>(status.get()), sizeof(live::RankStatus));
    }
    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

private:
    std::filesystem::path folder_;
    std::int32_t processes_;
};

constexpr Channel ofWorld{.team = 0, .kind = Channel::Kind::communicator};

const Team world{.members = {0, 1, 2, 3}, .name = "MPI_COMM_WORLD"};

CallStatus bcast(std::int64_t sequence, std::int32_t root) {
    return {.begin = 10,
            .sequence = sequence,
            .count = 256,
            .channel = ofWorld,
            .team = 0,
            .peer = root,
            .called = Called::bcast,
            .site = 1,
            .kind = Kind::call};
}

CallStatus receive(std::int32_t peer, std::int32_t tag, std::int64_t end) {
    return {.begin = 5, .end = end, .team = 0, .peer = peer, .tag = tag, .what = Other::Recv};
}

TEST(HangDiagnosis, whoIsNotThereIsMissingAndComesFirst) {
    const Records records{4};
    for (const std::int32_t process : {0, 1, 3}) records.add(process, {world}, {bcast(3, 0)});
    records.add(2, {world}, {receive(1, 77, 0)});
    const HangDiagnosis roll = diagnoseHang(records.folder());
    EXPECT_EQ(roll.processes, 4);
    EXPECT_TRUE(roll.elsewhere.empty());
    ASSERT_EQ(roll.communicators.size(), 1U);
    EXPECT_EQ(roll.communicators[0].communicator, "MPI_COMM_WORLD");
    const std::vector<ProcessesInCall> expected{{.processes = {2},
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
    EXPECT_EQ(roll.communicators[0].processes, expected);
}

TEST(HangDiagnosis, whoNamesAnotherRootStandsAlone) {
    const Records records{4};
    for (const std::int32_t process : {0, 1, 3}) records.add(process, {world}, {bcast(3, 0)});
    records.add(2, {world}, {bcast(3, 1)});
    const CommunicatorInCall entry = diagnoseHang(records.folder()).communicators.at(0);
    ASSERT_EQ(entry.processes.size(), 2U);
    EXPECT_EQ(entry.processes[0].processes, std::vector<std::int32_t>{2});
    EXPECT_FALSE(entry.processes[0].missing);
    EXPECT_EQ(entry.processes[0].root, 1);
}

TEST(HangDiagnosis, whoIsBehindComesBeforeWhoIsAhead) {
    const Records records{4};
    for (const std::int32_t process : {0, 1, 3}) records.add(process, {world}, {bcast(3, 0)});
    records.add(2, {world}, {bcast(4, 0)});
    EXPECT_EQ(diagnoseHang(records.folder()).communicators.at(0).processes.at(0).processes,
              (std::vector<std::int32_t>{0, 1, 3}));
}

TEST(HangDiagnosis, oneOfSeveralThreadsIsThere) {
    const Records records{4};
    for (const std::int32_t process : {0, 1, 2, 3})
        records.add(process, {world}, {bcast(3, 0), receive(0, 1, process == 2 ? 0 : 8)});
    const CommunicatorInCall entry = diagnoseHang(records.folder()).communicators.at(0);
    ASSERT_EQ(entry.processes.size(), 1U);
    EXPECT_EQ(entry.processes[0].processes.size(), 4U);
}

TEST(HangDiagnosis, whoWaitsForNobodyTogetherIsElsewhere) {
    const Records records{3};
    records.add(0, {world}, {receive(1, 5, 0)});
    records.add(1, {world}, {receive(0, 6, 9)});
    const HangDiagnosis roll = diagnoseHang(records.folder());
    EXPECT_TRUE(roll.communicators.empty());
    ASSERT_EQ(roll.elsewhere.size(), 3U);
    EXPECT_TRUE(roll.elsewhere[0].within);
    EXPECT_FALSE(roll.elsewhere[1].within);
    EXPECT_EQ(roll.elsewhere[2].call, "");  // no call was recorded
}

/// Ranks 0 and 1 wait for an allreduce that they have begun, rank 2 has begun it and does something else, rank 3 has
/// not.
TEST(HangDiagnosis, whoHasNotBegunWhatOthersWaitForIsMissing) {
    const Records records{4};
    const CallStatus waits{.begin = 10,
                           .sequence = 4,
                           .count = 1,
                           .channel = ofWorld,
                           .team = 0,
                           .request = 0,
                           .what = Other::Wait,
                           .called = nonBlockingOf(Called::allreduce),
                           .site = 1};
    const CallStatus tests{.begin = 20, .end = 30, .what = Other::Test, .site = 1};
    const auto begun = [](std::int64_t sequence) {
        return std::vector<CallStatus>{
            {.sequence = sequence, .channel = ofWorld, .called = nonBlockingOf(Called::allreduce), .kind = Kind::call}};
    };
    records.add(0, {world}, {waits}, begun(4));
    records.add(1, {world}, {waits}, begun(4));
    records.add(2, {world}, {tests}, begun(4));
    records.add(3, {world}, {tests}, begun(3));
    const HangDiagnosis roll = diagnoseHang(records.folder());
    EXPECT_TRUE(roll.elsewhere.empty());
    ASSERT_EQ(roll.communicators.size(), 1U);
    const std::vector<ProcessesInCall>& all = roll.communicators[0].processes;
    ASSERT_EQ(all.size(), 3U);
    EXPECT_TRUE(all[0].missing);
    EXPECT_EQ(all[0].processes, (std::vector<std::int32_t>{3}));
    for (const std::size_t group : {1, 2}) EXPECT_FALSE(all[group].missing);
    const ProcessesInCall& waiting = all[1].within ? all[1] : all[2];
    EXPECT_EQ(waiting.processes, (std::vector<std::int32_t>{0, 1}));
    EXPECT_EQ(waiting.awaits, "MPI_Iallreduce");
    EXPECT_EQ(waiting.sequence, 4);
}

TEST(HangDiagnosis, whoDoesNotFinalizeIsMissing) {
    const Records records{3};
    const CallStatus finalizes{.begin = 10,
                               .sequence = 1,
                               .channel = {.team = 0, .kind = Channel::Kind::program},
                               .what = Other::Finalize,
                               .site = 1};
    records.add(0, {world}, {finalizes});
    records.add(1, {world}, {{.begin = 10, .end = 20, .what = Other::Test, .site = 1}});
    records.add(2, {world}, {finalizes});
    const HangDiagnosis roll = diagnoseHang(records.folder());
    ASSERT_EQ(roll.communicators.size(), 1U);
    const std::vector<ProcessesInCall>& groups = roll.communicators[0].processes;
    ASSERT_EQ(groups.size(), 2U);
    EXPECT_TRUE(groups[0].missing);
    EXPECT_EQ(groups[0].processes, (std::vector<std::int32_t>{1}));
    EXPECT_EQ(groups[0].call, "MPI_Test");
    EXPECT_FALSE(groups[1].missing);
}

/// Ranks 0, 1 and 3 are in a call of a file, rank 2 in a barrier: each waits for the others.
TEST(HangDiagnosis, ofAllThatWaitForEachOtherTheOddOneIsMissing) {
    const Records records{4};
    const CallStatus writes{.begin = 10,
                            .sequence = 2,
                            .channel = {.team = 0, .number = 1, .kind = Channel::Kind::file},
                            .team = 0,
                            .what = Other::File_write_at_all};
    const CallStatus barrier{
        .begin = 12, .sequence = 3, .channel = ofWorld, .team = 0, .called = Called::barrier, .kind = Kind::call};
    for (const std::int32_t process : {0, 1, 3}) records.add(process, {world}, {writes});
    records.add(2, {world}, {barrier});
    const HangDiagnosis roll = diagnoseHang(records.folder());
    EXPECT_TRUE(roll.elsewhere.empty() && roll.circles.empty());
    ASSERT_EQ(roll.communicators.size(), 1U);
    EXPECT_EQ(roll.communicators[0].of, "file ");
    const std::vector<ProcessesInCall>& groups = roll.communicators[0].processes;
    ASSERT_EQ(groups.size(), 2U);
    EXPECT_TRUE(groups[0].missing && groups[0].within);
    EXPECT_EQ(groups[0].processes, std::vector<std::int32_t>{2});
    EXPECT_EQ(groups[0].call, "MPI_Barrier");
    EXPECT_FALSE(groups[1].missing);
}

/// Rank 2 has not come because it waits for a message of rank 3, which computes.
TEST(HangDiagnosis, whoWaitsForTheMissingOneIsNotMissing) {
    const Records records{4};
    for (const std::int32_t process : {0, 1}) records.add(process, {world}, {bcast(3, 0)});
    records.add(2, {world}, {receive(3, 77, 0)});
    records.add(3, {world}, {receive(0, 1, 8)});
    const CommunicatorInCall entry = diagnoseHang(records.folder()).communicators.at(0);
    ASSERT_EQ(entry.processes.size(), 3U);
    for (const ProcessesInCall& group : entry.processes)
        EXPECT_EQ(group.missing, group.processes == std::vector<std::int32_t>{3});
}

/// Rank 0 waits for rank 3 in a call of file 1 that ranks 1 and 2 have left; these and rank 3 wait for it in a barrier.
TEST(HangDiagnosis, whoLeftOutTheEarlierCallIsMissing) {
    const Records records{4};
    const CallStatus writes{.begin = 10,
                            .sequence = 2,
                            .channel = {.team = 0, .number = 1, .kind = Channel::Kind::file},
                            .team = 0,
                            .what = Other::File_write_at_all};
    const CallStatus barrier{
        .begin = 12, .sequence = 3, .channel = ofWorld, .team = 0, .called = Called::barrier, .kind = Kind::call};
    records.add(0, {world}, {writes});
    for (const std::int32_t process : {1, 2}) records.add(process, {world}, {barrier}, {writes});
    records.add(3, {world}, {barrier});
    const HangDiagnosis roll = diagnoseHang(records.folder());
    EXPECT_TRUE(roll.circles.empty());
    for (const CommunicatorInCall& entry : roll.communicators)
        for (const ProcessesInCall& group : entry.processes)
            EXPECT_EQ(group.missing, entry.of == "file " && group.processes == std::vector<std::int32_t>{3});
    EXPECT_FALSE(roll.communicators.empty());
}

TEST(HangDiagnosis, equalNumbersThatWaitForEachOtherAreACircle) {
    const Records records{4};
    for (const std::int32_t process : {0, 1, 2, 3}) records.add(process, {world}, {receive((process + 1) % 4, 7, 0)});
    const HangDiagnosis roll = diagnoseHang(records.folder());
    EXPECT_EQ(roll.circles, (std::vector<std::vector<std::int32_t>>{{0, 1, 2, 3}}));
    EXPECT_TRUE(roll.communicators.empty());
}

TEST(HangDiagnosis, whoPollsWaitsForWhatItPollsFor) {
    const Records records{4};
    CallStatus polls = receive(3, 5, 9);
    polls.polls = 1000;
    polls.request = 0;
    polls.deed = CallEffect::postReceive;
    polls.what = Other::Test;
    for (const std::int32_t process : {0, 1}) records.add(process, {world}, {bcast(3, 0)});
    records.add(2, {world}, {polls});
    records.add(3, {world}, {receive(0, 1, 8)});
    const CommunicatorInCall entry = diagnoseHang(records.folder()).communicators.at(0);
    ASSERT_EQ(entry.processes.size(), 3U);
    for (const ProcessesInCall& group : entry.processes) {
        EXPECT_EQ(group.missing, group.processes == std::vector<std::int32_t>{3});
        EXPECT_EQ(group.polls, group.processes == std::vector<std::int32_t>{2});
    }
}

TEST(HangDiagnosis, whereAllHaveEnteredTheLibraryIsNamed) {
    const Records records{4};
    for (const std::int32_t process : {0, 1, 2, 3}) records.add(process, {world}, {bcast(3, 0)});
    const CommunicatorInCall entry = diagnoseHang(records.folder()).communicators.at(0);
    EXPECT_TRUE(entry.everyoneEntered);
    EXPECT_TRUE(entry.mistakes.empty());
}

/// Two have gone on to the next call already.
TEST(HangDiagnosis, saysWhichArgumentsDisagree) {
    const Records records{4};
    for (const std::int32_t process : {0, 1, 2})
        records.add(process, {world}, {bcast(process == 0 ? 3 : 4, 0)}, {bcast(3, 0)});
    records.add(3, {world}, {bcast(3, 2)});
    const CommunicatorInCall entry = diagnoseHang(records.folder()).communicators.at(0);
    EXPECT_FALSE(entry.everyoneEntered);
    EXPECT_EQ(entry.mistakes,
              std::vector<std::string>{"rank 3 passes root 2, ranks 0, 1, 2 pass root 0 (MPI_Bcast, call 3)"});
}

TEST(HangDiagnosis, listsEveryDisagreementOnceWhereItCameFirst) {
    const Records records{4};
    for (const std::int32_t process : {0, 1, 2, 3}) {
        const std::int32_t before = process == 2 ? 2 : 0;
        records.add(process, {world}, {bcast(5, process == 3 ? 1 : 0)}, {bcast(3, before), bcast(4, before)});
    }
    const std::vector<std::string> expected{"rank 2 passes root 2, ranks 0, 1, 3 pass root 0 (MPI_Bcast, call 3)",
                                            "rank 3 passes root 1, ranks 0, 1, 2 pass root 0 (MPI_Bcast, call 5)"};
    EXPECT_EQ(diagnoseHang(records.folder()).communicators.at(0).mistakes, expected);
}

/// Codes may be numbers of signals, or those that launchers return after signals.
TEST(HangDiagnosis, namesNoSignalForTheCodeOfAnAbort) {
    for (const int code : {9, 139, 256 + 7}) {
        const Records records{2};
        records.add(0, {world}, {receive(1, 7, 9)});
        records.add(1, {world}, {{.begin = 5, .team = 0, .tag = code, .what = Other::Abort}});
        std::ofstream{teamsFileOf(records.folder(), 0), std::ios::app} << "library 0 MPICH Version:\t4.0.2\n";
        for (const std::int32_t first : {0, 1}) {
            noteEndOf(records.folder(), "mpirun", code % 256, first);
            EXPECT_EQ(diagnoseHang(records.folder()).endings,
                      std::vector{"the command mpirun ended with exit code " + std::to_string(code % 256)});
        }
        noteEndOf(records.folder(), "mpirun", 11, 0);
        EXPECT_EQ(diagnoseHang(records.folder()).endings.front(), "rank 0 was killed by signal 11 (SIGSEGV)");
        noteEndOf(records.folder(), "mpirun", 11, 1);
        EXPECT_EQ(diagnoseHang(records.folder()).endings.size(), 1U);
    }
}

TEST(HangDiagnosis, statesHowProcessesEnded) {
    const Records records{4};
    const std::vector<std::string> endings{"ended 0 exit\n", "ended 15 MPI_Recv MPI_ERR_TRUNCATE\nended 15 _exit\n",
                                           "ended 0 exit\n", ""};
    for (std::int32_t process = 0; process < 4; ++process) {
        records.add(process, {world}, {receive(0, 7, 9)});
        std::ofstream{teamsFileOf(records.folder(), process), std::ios::app} << endings[asSize(process)];
    }
    noteEndOf(records.folder(), "mpirun", 139);
    const std::vector<std::string> expected{
        "MPI_Recv of rank 1 returned the error MPI_ERR_TRUNCATE, which ended the program",
        "ranks 0, 2 ended with exit(0) without MPI_Finalize",
        "the command mpirun ended with exit code 139, as after signal 11 (SIGSEGV)"};
    EXPECT_EQ(diagnoseHang(records.folder()).endings, expected);
    noteEndOf(records.folder(), "mpirun", 139, 3);
    EXPECT_EQ(diagnoseHang(records.folder()).endings.at(2), "rank 3 was killed by signal 11 (SIGSEGV)");
    EXPECT_EQ(diagnoseHang(records.folder()).endings.at(3), "the command mpirun ended with exit code 139");
    // Whoever asks a launcher to end does so by SIGTERM; rank 0 ended by itself; MPICH's launcher returns the signal.
    noteEndOf(records.folder(), "mpirun", 128 + SIGTERM, 3);
    EXPECT_EQ(diagnoseHang(records.folder()).endings.size(), 3U);
    noteEndOf(records.folder(), "mpirun", 139, 0);
    EXPECT_EQ(diagnoseHang(records.folder()).endings, expected);
    noteEndOf(records.folder(), "mpirun", 9, 3);
    EXPECT_EQ(diagnoseHang(records.folder()).endings.size(), 3U);
    std::ofstream{teamsFileOf(records.folder(), 3), std::ios::app} << "library 0 MPICH Version:\t4.0.2\n";
    EXPECT_EQ(diagnoseHang(records.folder()).endings.at(2), "rank 3 was killed by signal 9 (SIGKILL)");
    noteEndOf(records.folder(), "mpirun", 139);
    const std::vector<std::string> lines = linesOf(diagnoseHang(records.folder()));
    ASSERT_GT(lines.size(), 4U);
    EXPECT_EQ(lines[lines.size() - 4], endingsHeading);
    EXPECT_EQ(lines.back(), "  " + expected.back());
}

TEST(HangDiagnosis, whatIsDamagedIsTold) {
    EXPECT_THROW((void)diagnoseHang("/nowhere"), Error);
    const Records records{2};
    CallStatus strange = bcast(3, 0);
    strange.called = static_cast<Called>(200);
    records.add(0, {world}, {strange});
    EXPECT_EQ(diagnoseHang(records.folder()).elsewhere.at(0).call, "");
    std::ofstream{rankStatusFileOf(records.folder(), 0)} << "short";
    EXPECT_THROW((void)diagnoseHang(records.folder()), Error);
}

}  // namespace
