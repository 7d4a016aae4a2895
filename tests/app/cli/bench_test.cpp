// SPDX-License-Identifier: BSD-3-Clause
#include "tests/app/cli/command.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace app::cli {
namespace {

TEST(Bench, tellsOfEveryCaseWhatItTookAndHowToRunIt) {
    const Answer answer = command("bench --quick --format json");
    ASSERT_EQ(answer.code, 0) << answer.err;
    const nlohmann::json json = nlohmann::json::parse(answer.out);
    EXPECT_EQ(json.at("quick"), true);
    ASSERT_GE(json.at("cases").size(), 8);
    for (const auto& each : json.at("cases")) {
        EXPECT_GT(each.at("messages"), 0) << each;
        EXPECT_GT(each.at("messages_per_s"), 0) << each;
        EXPECT_GT(each.at("time_s"), 0) << each;
        EXPECT_TRUE(each.at("command").get<std::string>().starts_with("run ")) << each;
        EXPECT_TRUE(each.contains("goal") && each.contains("reached") && each.contains("peak_mebibytes"));
        const auto& theirs = each.at("simgrid_time_s");
        const double ours = each.at("time_s");
        EXPECT_NEAR(theirs.is_null() ? ours : theirs.get<double>(), ours, 1e-9) << each;
    }
    const auto& cases = json.at("cases");
    const auto fair =
        std::find_if(cases.begin(), cases.end(), [](const auto& each) { return each.at("case") == "fair links"; });
    ASSERT_NE(fair, cases.end());
    const nlohmann::json run = jsonOf(fair->at("command").get<std::string>() + " --format json");
    EXPECT_EQ(run.at("messages"), fair->at("messages"));
    EXPECT_NEAR(run.at("time_s").get<double>(), fair->at("time_s").get<double>(), 1e-12);
}

TEST(Bench, stopsWhenAsked) {
    std::stop_source stop;
    stop.request_stop();
    Surroundings around;
    around.stop = stop.get_token();
    EXPECT_NE(command("bench --quick", around).code, 0);
}

TEST(Bench, takesNoWords) { EXPECT_EQ(command("bench everything").code, 2); }

}  // namespace
}  // namespace app::cli
