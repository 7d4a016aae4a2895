// SPDX-License-Identifier: BSD-3-Clause
// What a trace of ours is told to do instead takes as long as if it were run: under all that the trace was recorded
// under.
#include "app/session/run/scratch.hpp"
#include "tests/app/cli/command.hpp"

#include <gtest/gtest.h>

namespace app::cli {
namespace {

/// "alltoallv/bruck with radix=8" as `run` takes it.
std::string asAsked(std::string words) {
    const std::size_t with = words.find(" with ");
    if (with == std::string::npos) return words;
    std::string asked = words.substr(0, with);
    for (const std::string& option : engine::split(words.substr(with + 6), ','))
        asked += " --set " + option.substr(option.find_first_not_of(' '));
    return asked;
}

TEST(AlgorithmRanking, holdsToTheConditionsOfTheRecording) {
    const Scratch scratch;
    const std::vector<std::pair<std::string, std::string>> runs{
        {"alltoallv/ring", "-n 8 --size 64KiB --topology ring --sharing none"},
        {"alltoallv/ring", "-n 8 --size 4KiB --topology torus:2x4 --sharing fair --header 16B --detached 64KiB"},
        {"bcast/flat", "-n 8 --size 64KiB --topology full --slow-ranks 4:20"},
        {"allgatherv/linear-ring", "-n 6 --size 4KiB --topology ring --slow-links 2-3:8"},
        {"allgatherv/linear-ring", "-n 6 --size 4KiB --topology full --arrival late:3,1ms"},
        {"allreduce/ring", "-n 8 --size 64KiB --topology full --progress lockstep"},
        {"allreduce/ring", "-n 8 --size 64KiB --topology full --eager 1KiB"},
        {"bcast/flat", "-n 8 --size 4KiB --topology full --loggp L=5us,o=1us,g=2us,G=1ns/B"}};
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const auto& [id, flags] = runs[i];
        const std::string trace = (scratch.folder() / std::to_string(i)).string();
        ASSERT_EQ(command("run " + id + ' ' + flags + " --trace " + trace).code, 0) << id << ' ' << flags;
        const auto rows = jsonOf("open " + trace + " --tables what-if --format json")["tables"]["what-if"]["rows"];
        ASSERT_GT(rows.size(), 2U) << flags;
        bool own = false;
        for (std::size_t k = 0; k < rows.size(); ++k) {
            const auto& row = rows[k];
            own = own || !row["own"].is_null();
            if (!row["own"].is_null()) {
                EXPECT_NEAR(row["deviation_share"].get<double>(), 0, 1e-9) << flags;
            }
            if (k > 3) continue;
            const std::string variant = asAsked(row["algorithm"]);
            const auto alone = jsonOf("run " + variant + ' ' + flags + " --format json");
            EXPECT_NEAR(row["time_s"].get<double>(), alone["time_s"].get<double>(), 1e-12) << variant << ' ' << flags;
        }
        EXPECT_TRUE(own) << flags;
    }
}

TEST(AlgorithmRanking, mixesNoStartupIntoLogGP) {
    const Scratch scratch;
    const std::string trace = (scratch.folder() / "t").string();
    ASSERT_EQ(command("run bcast/flat -n 4 --loggp L=5us,o=1us,g=2us,G=1ns/B --trace " + trace).code, 0);
    EXPECT_NE(command("open " + trace + " --tables what-if").out.find("LogGP L 5 us"), std::string::npos);
    const Answer mixed = command("open " + trace + " --tables what-if --alpha 50us");
    EXPECT_EQ(mixed.code, 2);
    EXPECT_NE(mixed.err.find("recorded under LogGP"), std::string::npos) << mixed.err;
}

}  // namespace
}  // namespace app::cli
