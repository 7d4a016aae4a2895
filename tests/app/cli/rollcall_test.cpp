// SPDX-License-Identifier: BSD-3-Clause
// The roll-call of a program that hangs, as the command line tells it.
#include "engine/live/records/collective_records.hpp"
#include "engine/live/records/rank_status.hpp"
#include "tests/app/cli/command.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>

namespace app::cli {
namespace {

using namespace engine::live;

TEST(RollCallVerb, namesWhoIsMissingAndWhereTheOthersStand) {
    const std::filesystem::path folder = std::filesystem::path{testing::TempDir()} / "verb.records";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    for (std::int32_t process = 0; process < 3; ++process) {
        std::ofstream{teamsFileOf(folder, process)} << teamLine(0, {.members = {0, 1, 2}, .name = "all"});
        const auto status = std::make_unique<RankStatus>();
        status->processes = 3;
        const bool odd = process == 1;
        const CallStatus stand{.begin = 1,
                               .end = odd ? 2 : 0,
                               .sequence = odd ? 4 : 5,
                               .count = 16,
                               .channel = {.team = 0, .kind = Channel::Kind::communicator},
                               .team = 0,
                               .peer = 2,
                               .called = odd ? Called::barrier : Called::reduce,
                               .kind = Kind::call,
                               .operation = static_cast<std::uint8_t>(odd ? 0 : 1)};
        status->threads[0].write(stand);
        status->enters(stand);
        std::ofstream{rankStatusFileOf(folder, process), std::ios::binary}.write(
            reinterpret_cast<const char*>(status.get()), sizeof(RankStatus));
    }
    EXPECT_EQ(command("rollcall " + folder.string()).out,
              "3 ranks\n\nall, 3 ranks\n"
              "  missing  rank 1     outside of MPI since MPI_Barrier, call 4, count 16\n"
              "  waiting  ranks 0,2  in MPI_Reduce, call 5, root 2, count 16, sum\n");
    const nlohmann::json json = jsonOf("rollcall " + folder.string() + " --format json");
    EXPECT_EQ(json["communicators"][0]["groups"][0]["missing"], true);
    EXPECT_EQ(json["communicators"][0]["groups"][1]["operation"], "sum");
    EXPECT_TRUE(json["communicators"][0]["groups"][1]["place"].is_null());
    std::filesystem::remove_all(folder);
    EXPECT_EQ(command("rollcall " + folder.string()).code, 2);
}

}  // namespace
}  // namespace app::cli
