// SPDX-License-Identifier: BSD-3-Clause
// However large or small a number is: a true answer, or one sentence; never another number that it became on the way.
#include "tests/app/cli/command.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

namespace app::cli {
namespace {

using nlohmann::json;

/// No time, count or number of bytes is below nothing, and no bound above what it is a bound of.
void expectPossible(const json& run, const std::string& line) {
    for (const char* key : {"rounds", "messages", "bytes", "time_s", "lockstep_time_s", "predicted_time_s"})
        EXPECT_TRUE(run[key].is_null() || run[key].get<double>() >= 0) << line << ": " << key;
    const double time = run["time_s"];
    for (const char* key : {"busy_s", "no_communication_s", "finished_early_s"})
        for (const double spent : run["per_rank"][key]) {
            EXPECT_GE(spent, 0) << line << ": " << key;
            EXPECT_LE(spent, time * (1 + 1e-12)) << line << ": " << key;
        }
    for (const char* kind : {"whole_blocks", "cut_at_will"}) {
        const json& bound = run["bounds"].is_null() ? run["bounds"] : run["bounds"][kind];
        if (bound.is_null() || bound["time_s"].is_null()) continue;
        const double least = bound["time_s"];
        EXPECT_GE(least, 0) << line;
        EXPECT_TRUE(kind == std::string_view{"whole_blocks"} || least <= time * (1 + 1e-12)) << line;
    }
}

void expectAnswerOrSentence(const std::string& line) {
    const auto begin = std::chrono::steady_clock::now();
    const Answer answer = command(line + " --format json");
    if (answer.code == 0) {
        expectPossible(json::parse(answer.out), line);
    } else {
        EXPECT_EQ(answer.code, 2) << line << ": " << answer.err;
        EXPECT_EQ(answer.out, "") << line;
        EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 1) << line << ": " << answer.err;
    }
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds{20}) << line;
}

TEST(Extremes, areAnsweredOrRefused) {
    const std::pair<const char*, std::vector<const char*>> flags[]{
        {"--size",
         {"0", "8", "1048576TiB", "262144TiB", "65536TiB", "16384TiB", "4611686018427387904", "1e30", "1e-30"}},
        {"--alpha", {"0s", "1ps", "100000s", "2000000s", "4611686s", "1e30s", "1e-30s"}},
        {"--beta", {"0ns/B", "1fs/B", "1us/B", "1000000us/B", "1000000000us/B", "4611686018us/B", "1e30us/B"}},
        {"--gamma", {"0ns/B", "1fs/B", "1000000us/B", "1000000000us/B", "4611686018us/B"}},
        {"--bandwidth", {"1e-30GB/s", "1B/s", "2e6GB/s", "1e30GB/s"}},
        {"--loggp", {"L=4611686s,o=4611686s,g=4611686s", "o=2300000s", "G=4611686018us/B,O=4611686018us/B", "L=1ps"}},
        {"--slow-ranks", {"0:1000000", "1:1000000,2:999999.999"}},
        {"--arrival", {"late:1,2300000s", "random:2300000s,18446744073709551615", "ramp:1ps"}},
        {"--eager", {"0", "4611686018427387904"}},
        {"--sharing", {"fair", "none"}},
        {"--progress", {"lockstep"}},
    };
    std::vector<std::string> choices;
    for (const auto& [flag, values] : flags)
        for (const char* value : values) choices.push_back(engine::text(' ', flag, ' ', value));
    const auto flagOf = [](const std::string& choice) { return choice.substr(0, choice.find(' ', 1)); };
    int asked = 0;
    for (const char* run : {"run allreduce/ring -n 4", "run allgatherv/bruck -n 4", "run alltoallv/bruck -n 5",
                            "run bcast/pipelined-chain -n 3", "run reduce/binomial-tree -n 4"})
        for (std::size_t i = 0; i < choices.size(); ++i)
            for (std::size_t k = i; k < choices.size(); k += 1 + (i + k) % 5) {
                if (k > i && flagOf(choices[i]) == flagOf(choices[k])) continue;
                expectAnswerOrSentence(engine::text(run, choices[i], k > i ? choices[k] : ""));
                ++asked;
            }
    EXPECT_GT(asked, 1000);
}

/// These were answered, with other numbers.
TEST(Extremes, thatOverflowedAreRefused) {
    for (const char* line : {"run allgatherv/linear-ring -n 4 --size 1048576TiB --alpha 0s --beta 0ns/B",
                             "run allreduce/ring -n 4 --gamma 1000000000us/B",
                             "run allreduce/ring -n 4 --sharing fair-weighted --gamma 4000000000us/B",
                             "run reduce/binomial-tree -n 4 --gamma 1000000000us/B",
                             "show bcast/flat -n 4 --rounds 5..9223372036854775807"})
        EXPECT_EQ(command(line).code, 2) << line;
    const Answer all = command("show bcast/flat -n 4 --rounds 0..9223372036854775807 --format json");
    EXPECT_EQ(all.code, 0) << all.err;
    EXPECT_EQ(json::parse(all.out)["messages"].size(), 3);
}

}  // namespace
}  // namespace app::cli
