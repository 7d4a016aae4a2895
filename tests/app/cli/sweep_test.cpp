// SPDX-License-Identifier: BSD-3-Clause
#include "tests/app/cli/command.hpp"

#include "app/cli/sweep_chart.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

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
        EXPECT_EQ(row["bytes"], one["bytes"]);
        EXPECT_EQ(row["bound_time_s"], one["bounds"]["time_s"]);
    }
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

TEST_F(Sweep, doesNotGoOnWithAnotherSweep) {
    ASSERT_EQ(command(rings + "-o " + file("a.csv")).code, 0);
    fs::rename(file("a.csv"), file("b.csv.part"));
    const Answer answer = command("sweep bcast/flat -n 2..4 --resume -o " + file("b.csv"));
    EXPECT_EQ(answer.code, 2);
    EXPECT_NE(answer.err.find("--resume: the rows that are there are of another sweep"), std::string::npos);
    EXPECT_TRUE(fs::exists(file("b.csv.part")));
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
    EXPECT_EQ(command("sweep bcast/flat -n 2..4 -q 3").err, "collscope: --group-b says nothing about bcast/flat\n");
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
    around.chart = [&](const Chart& drawn, const fs::path&, const gui::Picture&) { chart = drawn; };
    ASSERT_EQ(command(rings + "-o " + file("chart.png"), around).code, 0);
    EXPECT_EQ(chart.across, "group_a");
    ASSERT_EQ(chart.lines.size(), 2);
    EXPECT_EQ(chart.lines[0].name, "halfduplex-allgather/ring-belts");
    ASSERT_EQ(chart.lines[0].points.size(), 3);
    EXPECT_EQ(chart.lines[0].points[2].first, 6);
    ASSERT_EQ(chart.bound.points.size(), 3);
    EXPECT_LE(chart.bound.points[2].second, chart.lines[0].points[2].second);
    ASSERT_EQ(command("sweep bcast/pipelined-chain -n 8 --set segments=1..16*2 -o " + file("s.png"), around).code, 0);
    EXPECT_EQ(chart.across, "segments");
    EXPECT_EQ(command("sweep bcast/flat -n 8 -o " + file("one.png"), around).code, 2);
}

}  // namespace
}  // namespace app::cli
