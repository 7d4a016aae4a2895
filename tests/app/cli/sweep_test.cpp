// SPDX-License-Identifier: BSD-3-Clause
#include "tests/app/cli/command.hpp"

#include "app/cli/sweep/sweep_chart.hpp"
#include "app/cli/sweep/sweep_live.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace app::cli {
namespace {

namespace fs = std::filesystem;

class Sweep : public ::testing::Test {
protected:
    Sweep() { fs::create_directories(folder_); }
    ~Sweep() override { fs::remove_all(folder_); }

    [[nodiscard]] std::string file(const std::string& name) const { return (folder_ / name).string(); }
    [[nodiscard]] std::string contents(const std::string& name) const {
        std::ifstream in{file(name)};
        return {std::istreambuf_iterator<char>{in}, {}};
    }
    void put(const std::string& name, const std::string& words) const { std::ofstream{file(name)} << words; }

private:
    fs::path folder_ = fs::temp_directory_path() / ("sweep-" + std::to_string(getpid()));
};

const std::string rings = "sweep halfduplex-allgather/ring-belts halfduplex-allgather/ring-streams -p 2..6/2 -q 4 ";

TEST_F(Sweep, runsEveryCombination) {
    const auto rows = jsonOf(rings + "--size 1KiB,2KiB --format json");
    ASSERT_EQ(rows.size(), 12);
    EXPECT_EQ(rows[0]["algorithm"], "halfduplex-allgather/ring-belts");
    EXPECT_EQ(rows[0]["group_a"], 2);
    EXPECT_EQ(rows[0]["size"], 1024);
    EXPECT_EQ(rows[1]["size"], 2048);
    EXPECT_EQ(rows[2]["group_a"], 4);
    for (const auto& row : rows) {
        const int p = row["group_a"];
        EXPECT_EQ(row["rounds"], row["algorithm"] == "halfduplex-allgather/ring-belts" ? p + 1 : p + 2);
        EXPECT_EQ(row["bound_rounds"], p + 1);
        EXPECT_LE(row["bound_time_s"], row["time_s"]);
        EXPECT_TRUE(row["refusal"].is_null());
    }
}

TEST_F(Sweep, isTheSameAsSingleRuns) {
    const auto rows = jsonOf("sweep bcast/pipelined-chain -n 3..9/3 --set segments=1,4 --alpha 1us,2us --format json");
    ASSERT_EQ(rows.size(), 12);
    for (const auto& row : rows) {
        const bool slow = row["model"].get<std::string>().find("alpha=2us") != std::string::npos ||
                          row["model"].get<std::string>().find("alpha=2000000ps") != std::string::npos;
        const auto one = jsonOf("run bcast/pipelined-chain -n " + row["ranks"].dump() + " --set " +
                                row["options"].get<std::string>() + (slow ? " --alpha 2us" : "") + " --format json");
        EXPECT_EQ(row["time_s"], one["time_s"]);
        EXPECT_EQ(row["rounds"], one["rounds"]);
        EXPECT_EQ(row["startups"], one["startups"]);
        EXPECT_EQ(row["bytes"], one["bytes"]);
        EXPECT_EQ(row["bound_time_s"], one["bounds"]["time_s"]);
    }
}

/// Runs in two halves, too; what they hid is a number like others.
TEST_F(Sweep, isTheSameAsSingleRunsInTwoHalves) {
    const auto rows = jsonOf(
        "sweep allreduce/bruck allreduce/binomial-tree barrier/dissemination -n 5,8 --split-phase --compute 20us,100us "
        "--tests 0,4 --format json");
    ASSERT_EQ(rows.size(), 24);
    std::set<double> shares;
    for (const auto& row : rows) {
        const auto one = jsonOf("run " + row["algorithm"].get<std::string>() + " -n " + row["ranks"].dump() + " " +
                                row["conditions"].get<std::string>() + " --format json");
        const auto& halves = one["split_phase"];
        EXPECT_EQ(row["time_s"], halves["with_overlap_s"]) << row["conditions"];
        EXPECT_EQ(row["alone_s"], halves["communication_alone_s"]) << row["conditions"];
        EXPECT_EQ(row["hidden_share"], halves["hidden_share"]) << row["conditions"];
        EXPECT_EQ(row["calls"], halves["calls"]["mean"]) << row["conditions"];
        EXPECT_EQ(row["rounds"], one["rounds"]);
        EXPECT_TRUE(row["bound_time_s"].is_null()) << "bounds know nothing of computing";
        shares.insert(row["hidden_share"].get<double>());
    }
    EXPECT_GT(shares.size(), 6) << "the conditions change nothing";
    EXPECT_TRUE(jsonOf("sweep allreduce/bruck -n 5 --format json")[0]["hidden_share"].is_null());
}

TEST_F(Sweep, goesOnWithRunsInTwoHalves) {
    const std::string line = "sweep allreduce/bruck -n 4,5 --split-phase --compute 20us,100us -o " + file("halves.csv");
    ASSERT_EQ(command(line).code, 0);
    std::ifstream before{file("halves.csv")};
    std::stringstream whole;
    whole << before.rdbuf();
    std::string rows = whole.str();
    // The header and two rows.
    std::size_t end = 0;
    for (int i = 0; i < 3; ++i) end = rows.find('\n', end) + 1;
    fs::remove(file("halves.csv"));
    std::ofstream{file("halves.csv.part")} << rows.substr(0, end);
    ASSERT_EQ(command(line + " --resume").code, 0);
    std::stringstream again;
    again << std::ifstream{file("halves.csv")}.rdbuf();
    EXPECT_EQ(again.str(), rows);
}

TEST_F(Sweep, tellsStartupsWhereMessagesWaitForEachOther) {
    const auto row = jsonOf("sweep allreduce/bruck -n 28 --ports 1 --set n=5 --format json").at(0);
    EXPECT_EQ(row["rounds"], 2);
    EXPECT_EQ(row["startups"], 9);
    EXPECT_EQ(row["bound_rounds"], 5);
    const std::string csv = command("sweep allreduce/bruck -n 28 --ports 1 --set n=5 --format csv").out;
    EXPECT_NE(csv.find(",refusal,startups,"), std::string::npos) << csv;
    EXPECT_NE(csv.find(",,9,"), std::string::npos) << csv;
    const std::string words = command("sweep allreduce/bruck -n 28 --ports 1 --set n=5").out;
    EXPECT_NE(words.find("startups  bound startups"), std::string::npos) << words;
}

/// Where none is named algorithms run each on a network of its own.
TEST_F(Sweep, namesTheNetworksWhereTheyDiffer) {
    const std::string line =
        "sweep halfduplex-allgather/ring-streams halfduplex-allgather/torus-belts -p 4 -q 6 --size 1KiB";
    const std::string apart = command(line).out;
    for (const char* words : {"  network\n", "  ring\n", "  torus:5x2\n"})
        EXPECT_NE(apart.find(words), std::string::npos) << words << apart;
    EXPECT_EQ(command(line + " --topology ring").out.find("network"), std::string::npos);
    const auto rows = jsonOf(line + " --format json");
    EXPECT_EQ(rows[0]["network"], "ring");
    EXPECT_EQ(rows[1]["network"], "torus:5x2");
    const auto halves = jsonOf("sweep allreduce/bruck -n 5 --split-phase --compute 20us --format json");
    EXPECT_EQ(halves[0]["network"], "full");
}

TEST_F(Sweep, doesNotDependOnThreads) {
    const std::string line = "sweep allgatherv/bruck allgatherv/linear-ring -n 2..40 --format csv --threads ";
    EXPECT_EQ(command(line + "1").out, command(line + "3").out);
}

TEST_F(Sweep, keepsRefusalsApart) {
    const std::string line = "sweep allreduce/adapted-dissemination --set fallback=no --format json -n ";
    const auto rows = jsonOf(line + "12..14");
    ASSERT_EQ(rows.size(), 3);
    EXPECT_TRUE(rows[0]["refusal"].is_null());
    EXPECT_TRUE(rows[1]["refusal"].is_string());
    EXPECT_TRUE(rows[1]["time_s"].is_null());
    EXPECT_EQ(command(line + "13").code, 2);
}

TEST_F(Sweep, goesOnWhereItWasStopped) {
    ASSERT_EQ(command(rings + "-o " + file("whole.csv")).code, 0);
    const std::string whole = contents("whole.csv");
    // Stopped in the middle of the fourth row.
    std::size_t end = 0;
    for (int line = 0; line < 4; ++line) end = whole.find('\n', end) + 1;
    put("again.csv.part", whole.substr(0, end + 20));
    EXPECT_EQ(command(rings + "-o " + file("again.csv")).code, 2);
    ASSERT_EQ(command(rings + "--resume -o " + file("again.csv")).code, 0);
    EXPECT_EQ(contents("again.csv"), whole);
    EXPECT_FALSE(fs::exists(file("again.csv.part")));
}

TEST_F(Sweep, saysThatAWholeTableHasNothingToGoOnWith) {
    ASSERT_EQ(command(rings + "-o " + file("whole.csv")).code, 0);
    const std::string whole = contents("whole.csv");
    const Answer answer = command(rings + "--resume -o " + file("whole.csv"));
    EXPECT_EQ(answer.code, 2);
    EXPECT_NE(
        answer.err.find(
            "whole.csv is complete: there was no sweep that was stopped; to sweep again, replace --resume by --force"),
        std::string::npos)
        << answer.err;
    EXPECT_EQ(contents("whole.csv"), whole);
    EXPECT_EQ(command(rings + "--resume --force -o " + file("whole.csv")).code, 0);
}

TEST_F(Sweep, doesNotGoOnWithAnotherSweep) {
    ASSERT_EQ(command(rings + "-o " + file("a.csv")).code, 0);
    fs::rename(file("a.csv"), file("b.csv.part"));
    const Answer answer = command("sweep bcast/flat -n 2..4 --resume -o " + file("b.csv"));
    EXPECT_EQ(answer.code, 2);
    EXPECT_NE(answer.err.find("--resume: the rows that are there are of another sweep"), std::string::npos);
    EXPECT_TRUE(fs::exists(file("b.csv.part")));
}

/// What is asked of all rows alike is a coordinate too.
TEST_F(Sweep, doesNotGoOnUnderOtherConditions) {
    const std::string sums = "sweep allreduce/ring -n 2..4 ";
    ASSERT_EQ(command(sums + "--arrival random:1ms,7 -o " + file("a.csv")).code, 0);
    const std::string rows = contents("a.csv");
    EXPECT_NE(rows.find(",\"--arrival random:1ms,7\","), std::string::npos) << rows;
    int number = 0;
    for (const char* other : {"", "--arrival random:5ms,9 ", "--arrival random:1ms,7 --repeat 9 ",
                              "--arrival random:1ms,7 --op max ", "--arrival random:1ms,7 --type int64 "}) {
        const std::string name = "b" + std::to_string(number++) + ".csv";
        put(name + ".part", rows.substr(0, rows.rfind('\n', rows.size() - 2) + 1));
        EXPECT_EQ(command(sums + other + "--resume -o " + file(name)).code, 2) << other;
    }
    put("c.csv.part", rows.substr(0, rows.rfind('\n', rows.size() - 2) + 1));
    EXPECT_EQ(command(sums + "--arrival random:1ms,7 --resume -o " + file("c.csv")).code, 0);
    EXPECT_EQ(contents("c.csv"), rows);
}

/// The formula, and the letter gamma, combine as the operation does.
TEST_F(Sweep, tellsFormulasOfTheOperation) {
    const std::string line = " --size 1MiB --op max --gamma-of max=5ns/B --gamma 0ns/B --format json";
    const auto rows = nlohmann::json::parse(command("sweep allreduce/ring -n 4,8" + line).out);
    ASSERT_EQ(rows.size(), 2U);
    for (const auto& row : rows) EXPECT_NEAR(row["formula_time_s"], row["time_s"], 1e-9) << row;
}

TEST_F(Sweep, replacesNoFileUnasked) {
    put("there.csv", "mine");
    EXPECT_EQ(command(rings + "-o " + file("there.csv")).code, 2);
    EXPECT_EQ(contents("there.csv"), "mine");
    EXPECT_EQ(command(rings + "--force -o " + file("there.csv")).code, 0);
    EXPECT_NE(contents("there.csv"), "mine");
}

TEST_F(Sweep, touchesNoPartOfSomethingElse) {
    put("a.csv.part", "mine");
    put("target", "mine");
    fs::create_symlink("target", file("b.csv.part"));
    fs::create_symlink("nowhere", file("c.csv.part"));
    for (const char* name : {"a.csv", "b.csv", "c.csv"})
        for (const char* how : {"", "--force ", "--resume "}) {
            const Answer answer = command(rings + how + "-o " + file(name));
            EXPECT_EQ(answer.code, 2) << name << ' ' << how << answer.out;
            EXPECT_FALSE(fs::exists(file(name)));
        }
    EXPECT_EQ(contents("a.csv.part"), "mine");
    EXPECT_EQ(contents("target"), "mine");
    EXPECT_FALSE(fs::exists(file("nowhere")));
    // One that was stopped may begin anew.
    ASSERT_EQ(command(rings + "-o " + file("whole.csv")).code, 0);
    put("d.csv.part", contents("whole.csv").substr(0, 400));
    EXPECT_EQ(command(rings + "-o " + file("d.csv")).code, 2);
    EXPECT_EQ(command(rings + "--force -o " + file("d.csv")).code, 0);
    EXPECT_EQ(contents("d.csv"), contents("whole.csv"));
}

TEST_F(Sweep, leavesNoPartWithoutRows) {
    EXPECT_EQ(command("sweep allreduce/adapted-dissemination --set fallback=no -n 13 -o " + file("a.csv")).code, 2);
    EXPECT_EQ(command("sweep bcast/flat -n 2..4 --set wings=2 -o " + file("b.csv")).code, 2);
    EXPECT_FALSE(fs::exists(file("b.csv.part")));
}

TEST_F(Sweep, refusesWhatNoAlgorithmUses) {
    EXPECT_EQ(command("sweep bcast/flat -n 2..4 -q 3").err, "collscope: --group-b does not apply to bcast/flat\n");
    EXPECT_EQ(command("sweep bcast/flat -n 2..4 --set wings=2").err,
              "collscope: --set: no algorithm of this sweep has an option 'wings'\n");
    EXPECT_EQ(command("sweep bcast/flat:wings=2 -n 2..4").code, 2);
    EXPECT_EQ(command("sweep bcast/flat -n 2..4 --resume").code, 2);
}

TEST_F(Sweep, stopsWhenAsked) {
    std::stop_source stop;
    stop.request_stop();
    Surroundings around;
    around.stop = stop.get_token();
    EXPECT_EQ(command(rings + "--format csv", around).code, interrupted);
}

TEST_F(Sweep, drawsWhatVaries) {
    Chart chart;
    Surroundings around;
    around.chart = [&](const Sheet& drawn, const fs::path&, const gui::Picture&) { chart = drawn.charts.at(0); };
    ASSERT_EQ(command(rings + "-o " + file("chart.png"), around).code, 0);
    EXPECT_EQ(chart.across.name, "group_a");
    ASSERT_EQ(chart.lines.size(), 2);
    EXPECT_EQ(chart.lines[0].name, "halfduplex-allgather/ring-belts");
    ASSERT_EQ(chart.lines[0].points.size(), 3);
    EXPECT_EQ(chart.lines[0].points[2].x, 6);
    ASSERT_EQ(chart.bounds.size(), 2) << "of all schedules, and of those with one-block messages";
    EXPECT_EQ(chart.bounds[0].name, "lower bound");
    ASSERT_EQ(chart.bounds[0].points.size(), 3);
    EXPECT_LT(chart.bounds[0].points[2].y, chart.bounds[1].points[2].y);
    EXPECT_LE(chart.bounds[1].points[2].y, chart.lines[0].points[2].y);
    ASSERT_EQ(command("sweep bcast/pipelined-chain -n 8 --set segments=1..16*2 -o " + file("s.png"), around).code, 0);
    EXPECT_EQ(chart.across.name, "segments");
    EXPECT_EQ(command("sweep bcast/flat -n 8 -o " + file("one.png"), around).code, 2);
}

TEST_F(Sweep, letsRangesGoInStep) {
    const std::string line = "sweep intergroup-allgatherv/balanced -p 4,6,8 -q 4,3,2 --size 1KiB,4KiB --format json ";
    EXPECT_EQ(jsonOf(line + "--threads 1").size(), 18);
    const auto rows = jsonOf(line + "--together p,q");
    ASSERT_EQ(rows.size(), 6);
    EXPECT_EQ(rows[2]["group_a"], 6);
    EXPECT_EQ(rows[2]["group_b"], 3);
    EXPECT_EQ(rows[3]["size"], 4096);
    const auto options = jsonOf(
        "sweep bcast/chain bcast/flat:groups=1 -n 8..32*2 --set groups=2,4,8 --together ranks,groups --format json");
    ASSERT_EQ(options.size(), 6);
    EXPECT_EQ(options[1]["ranks"], 16);
    EXPECT_EQ(options[1]["options"], "groups=4");
    EXPECT_EQ(command(line + "--together p,size").err,
              "collscope: --together: p has 3 values, size has 2; ranges that go in step are of one length\n");
    EXPECT_EQ(command(line + "--together p,root").code, 2);
    EXPECT_NE(command(line + "--together p,siez").err.find("mean size?"), std::string::npos);
}

TEST_F(Sweep, listsRulesOfSizes) {
    const auto rows = jsonOf("sweep allgatherv/linear-ring -n 6 --sizes linear,rising,regular --format json");
    ASSERT_EQ(rows.size(), 3);
    EXPECT_EQ(rows[0]["sizes"], "linear");
    EXPECT_EQ(rows[0]["time_s"], rows[1]["time_s"]);
    EXPECT_LT(rows[2]["time_s"], rows[1]["time_s"]);
    EXPECT_EQ(command("sweep allgatherv/linear-ring -n 6 --sizes linear,linaer").code, 2);
}

/// Of any schedule, whichever classes the runs at a size belong to.
}  // namespace
}  // namespace app::cli
