// SPDX-License-Identifier: BSD-3-Clause
// Charts of sweeps: what lies across and up, lines, bounds and baselines.
#include "tests/app/cli/command.hpp"

#include "app/cli/sweep/sweep_chart.hpp"

#include <gtest/gtest.h>

namespace app::cli {
namespace {

/// The chart that a sweep draws.
Chart chartOfCommand(const std::string& line) {
    Chart chart;
    Surroundings around;
    around.chart = [&](const Sheet& drawn, const std::filesystem::path&, const gui::Picture&) {
        chart = drawn.charts.at(0);
    };
    const Answer answer = command("sweep " + line + " -o nowhere.png", around);
    EXPECT_EQ(answer.code, 0) << answer.err;
    return chart;
}

TEST(SweepChart, drawsWhatComputingHides) {
    const Chart chart = chartOfCommand(
        "allreduce/bruck allreduce/binomial-tree -n 8 --split-phase --compute 20us,100us --x compute --y hidden");
    EXPECT_EQ(chart.across.unit, Unit::seconds);
    EXPECT_EQ(chart.up.unit, Unit::share);
    ASSERT_EQ(chart.lines.size(), 2) << "one for each algorithm";
    ASSERT_EQ(chart.lines[0].points.size(), 2);
    EXPECT_DOUBLE_EQ(chart.lines[0].points[0].x, 20e-6);
    EXPECT_TRUE(chart.bounds.empty());
    const Chart calls = chartOfCommand("allreduce/bruck -n 4..16*2 --split-phase --compute 1ms --y calls");
    EXPECT_EQ(calls.across.name, "ranks");
    EXPECT_LT(calls.lines[0].points[0].y, calls.lines[0].points[2].y);
}

/// What a sweep says of a mistake.
std::string mistakeOf(const std::string& line) {
    Surroundings around;
    around.chart = [](const Sheet&, const std::filesystem::path&, const gui::Picture&) {};
    const Answer answer = command("sweep " + line + " -o nowhere.png", around);
    EXPECT_EQ(answer.code, 2) << answer.out;
    return answer.err;
}

TEST(SweepChart, drawsOneBoundOfOneProblem) {
    const Chart chart = chartOfCommand("allgatherv/pipelined-ring:block=64KiB -n 8 --size 16KiB..256KiB*2");
    ASSERT_EQ(chart.bounds.size(), 2);
    EXPECT_EQ(chart.bounds[0].name, "lower bound");
    ASSERT_EQ(chart.bounds[0].points.size(), 5) << "one at each size";
    for (std::size_t i = 1; i < 5; ++i) EXPECT_LT(chart.bounds[0].points[i - 1].y, chart.bounds[0].points[i].y);
    EXPECT_EQ(chart.bounds[1].name, "lower bound, one-block messages");
    EXPECT_EQ(chart.bounds[1].points.size(), 3) << "larger contributions are cut";
}

TEST(SweepChart, drawsABoundForEachProblem) {
    const Chart chart =
        chartOfCommand("allgatherv/bruck allgatherv/linear-ring -n 6 --sizes linear,broadcast --size 1KiB..4KiB*2");
    std::vector<std::string> names;
    for (const Chart::Line& line : chart.bounds) names.push_back(line.name);
    EXPECT_EQ(names, (std::vector<std::string>{"lower bound, broadcast", "lower bound, linear",
                                               "lower bound, one-block messages, broadcast",
                                               "lower bound, one-block messages, linear"}));
}

/// Sizes and their largest contribution say the same of one rule, though not of two.
TEST(SweepChart, drawsALineForEachRuleOverTheLargestContribution) {
    const Chart chart = chartOfCommand(
        "intergroup-allgatherv/balanced -p 4 -q 4 --sizes regular,rising --size 64KiB..512KiB*2 --x largest");
    ASSERT_EQ(chart.lines.size(), 2);
    EXPECT_NE(chart.lines[0].name.find("regular"), std::string::npos) << chart.lines[0].name;
    EXPECT_NE(chart.lines[1].name.find("rising"), std::string::npos) << chart.lines[1].name;
    EXPECT_EQ(chart.lines[0].points.size(), 4);
}

TEST(SweepChart, holdsLinesToABaseline) {
    const std::string line = "bcast/chain -n 64 --size 1MiB --set groups=1,4,8,16 ";
    Chart chart = chartOfCommand(line + "--baseline groups=1");
    EXPECT_EQ(chart.across.name, "groups");
    ASSERT_EQ(chart.formulas.size(), 1);
    EXPECT_EQ(chart.formulas[0].name, "groups=1");
    ASSERT_EQ(chart.formulas[0].points.size(), 2);
    EXPECT_EQ(chart.formulas[0].points[0].y, chart.lines[0].points[0].y);
    EXPECT_EQ(chart.formulas[0].points[1].x, 16);
    const double alone = chart.lines[0].points[0].y;
    const double grouped = chart.lines[0].points[2].y;
    chart = chartOfCommand(line + "--baseline groups=1 --y ratio");
    ASSERT_EQ(chart.lines[0].points.size(), 3);
    EXPECT_EQ(chart.lines[0].points[1].x, 8);
    EXPECT_DOUBLE_EQ(chart.lines[0].points[1].y, alone / grouped);
    EXPECT_DOUBLE_EQ(chart.lines[0].points[1].y, 63.0 / 14);
    chart = chartOfCommand("bcast/flat bcast/chain -n 8,16 --baseline bcast/flat --y ratio --formula");
    ASSERT_EQ(chart.lines.size(), 1);
    EXPECT_EQ(chart.lines[0].points[0].y, 1);
    EXPECT_EQ(chart.formulas.at(0).points, chart.lines[0].points);
    EXPECT_NE(mistakeOf(line + "--y ratio").find("--baseline"), std::string::npos);
    EXPECT_NE(mistakeOf(line + "--baseline gruops=1").find("mean groups?"), std::string::npos);
    EXPECT_NE(mistakeOf(line + "--baseline groups=3").find("no run"), std::string::npos);
}

TEST(SweepChart, drawsWhatIsAskedFor) {
    const std::string line = "bcast/pipelined-chain -n 4,8 --size 1KiB..4KiB*2 --set segments=1,2 ";
    Chart chart = chartOfCommand(line + "--x size --title One --linear x");
    EXPECT_EQ(chart.across.name, "size");
    EXPECT_EQ(chart.across.unit, Unit::bytes);
    EXPECT_TRUE(chart.across.linear);
    EXPECT_FALSE(chart.up.linear);
    EXPECT_EQ(chart.title, "One");
    ASSERT_EQ(chart.lines.size(), 4);
    EXPECT_EQ(chart.lines[1].name, "ranks 4, segments 2");
    chart = chartOfCommand(line + "--x p*size --y rounds --series segments");
    EXPECT_EQ(chart.across.unit, Unit::bytes);
    EXPECT_EQ(chart.lines.size(), 2);
    EXPECT_EQ(chart.lines[0].points.back().x, 8 * 4096);
    EXPECT_EQ(chart.lines[0].points.back().y, 7);
    chart = chartOfCommand(
        "bcast/pipelined-chain -n 4 --size 1KiB..4KiB*2 --set segments=1,2 --x size "
        "--line hand=(p+segments-2)*(alpha+beta*size/segments)");
    ASSERT_EQ(chart.lines.size(), 2);
    ASSERT_EQ(chart.formulas.size(), 2);
    for (std::size_t i = 0; i < 2; ++i)
        for (std::size_t j = 0; j < 3; ++j)
            EXPECT_NEAR(chart.formulas[i].points.at(j).y, chart.lines[i].points.at(j).y, 1e-12);
    EXPECT_NE(mistakeOf(line + "--x sise").find("mean size?"), std::string::npos);
    EXPECT_NE(mistakeOf(line + "--y tiem").find("mean time?"), std::string::npos);
    EXPECT_NE(mistakeOf(line + "--line p").find("NAME=FORMULA"), std::string::npos);
    EXPECT_NE(mistakeOf(line + "--linear z").find("--linear"), std::string::npos);
    EXPECT_NE(mistakeOf(line + "--series wings").find("wings"), std::string::npos);
}

TEST(SweepChart, givesMediansWithTheirRange) {
    const std::string line = "bcast/binomial-tree -n 16 --size 1KiB,2KiB --arrival random:10us,1 ";
    const auto rows = jsonOf("sweep " + line + "--repeat 7 --format json");
    ASSERT_EQ(rows.size(), 2);
    std::vector<double> times;
    for (int seed = 1; seed <= 7; ++seed)
        times.push_back(jsonOf("run bcast/binomial-tree -n 16 --size 1KiB --format json --arrival random:10us," +
                               std::to_string(seed))["time_s"]);
    std::sort(times.begin(), times.end());
    EXPECT_EQ(rows[0]["lowest_time_s"], times.front());
    EXPECT_EQ(rows[0]["time_s"], times[3]);
    EXPECT_EQ(rows[0]["highest_time_s"], times.back());
    const Chart chart = chartOfCommand(line + "--repeat 7");
    EXPECT_LT(chart.lines[0].points[0].low, chart.lines[0].points[0].y);
    EXPECT_LT(chart.lines[0].points[0].y, chart.lines[0].points[0].high);
    EXPECT_NE(command("sweep bcast/flat -n 2,3 --repeat 3").err.find("--arrival random"), std::string::npos);
}

}  // namespace
}  // namespace app::cli
