// SPDX-License-Identifier: BSD-3-Clause
#include "tests/app/cli/command.hpp"

#include "app/cli/sweep_chart.hpp"
#include "app/cli/sweep_live.hpp"

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
    EXPECT_NE(words.find("startups  at least"), std::string::npos) << words;
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
    EXPECT_NE(answer.err.find("its sweep was not stopped; leave --resume out"), std::string::npos) << answer.err;
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
    around.chart = [&](const Sheet& drawn, const fs::path&, const gui::Picture&) { chart = drawn.charts.at(0); };
    ASSERT_EQ(command(rings + "-o " + file("chart.png"), around).code, 0);
    EXPECT_EQ(chart.across.name, "group_a");
    ASSERT_EQ(chart.lines.size(), 2);
    EXPECT_EQ(chart.lines[0].name, "halfduplex-allgather/ring-belts");
    ASSERT_EQ(chart.lines[0].points.size(), 3);
    EXPECT_EQ(chart.lines[0].points[2].x, 6);
    ASSERT_EQ(chart.bounds.size(), 2) << "of all schedules, and of those that move whole blocks";
    EXPECT_EQ(chart.bounds[0].name, "lower bound");
    ASSERT_EQ(chart.bounds[0].points.size(), 3);
    EXPECT_LT(chart.bounds[0].points[2].y, chart.bounds[1].points[2].y);
    EXPECT_LE(chart.bounds[1].points[2].y, chart.lines[0].points[2].y);
    ASSERT_EQ(command("sweep bcast/pipelined-chain -n 8 --set segments=1..16*2 -o " + file("s.png"), around).code, 0);
    EXPECT_EQ(chart.across.name, "segments");
    EXPECT_EQ(command("sweep bcast/flat -n 8 -o " + file("one.png"), around).code, 2);
}

/// The chart that a sweep draws.
Chart chartOfCommand(const std::string& line) {
    Chart chart;
    Surroundings around;
    around.chart = [&](const Sheet& drawn, const fs::path&, const gui::Picture&) { chart = drawn.charts.at(0); };
    const Answer answer = command("sweep " + line + " -o nowhere.png", around);
    EXPECT_EQ(answer.code, 0) << answer.err;
    return chart;
}

TEST_F(Sweep, drawsWhatComputingHides) {
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
    around.chart = [](const Sheet&, const fs::path&, const gui::Picture&) {};
    const Answer answer = command("sweep " + line + " -o nowhere.png", around);
    EXPECT_EQ(answer.code, 2) << answer.out;
    return answer.err;
}

TEST_F(Sweep, keepsWhatWasMeasured) {
    SweepRow row{std::vector<std::string>(coordinateNames().size()), {}};
    row.coordinates[0] = "bcast/chain";
    row.result.time = engine::Picoseconds{2'000'000};
    row.result.lowest = row.result.highest = row.result.time;
    row.result.measured = {.median = engine::Picoseconds{2'100'000},
                           .lowest = engine::Picoseconds{1'900'001},
                           .highest = engine::Picoseconds{3'000'000}};
    SweepRow failed = row;
    failed.result.measured.reset();
    failed.result.unmeasured = "mpirun: 64 processes, but 16 hosts";
    SweepRow slow = row;
    slow.result.measured->median = engine::Picoseconds{3'000'000};
    for (const SweepRow& each : {row, failed}) EXPECT_EQ(sweepRowFromCsv(toCsv(each))->result, each.result);
    EXPECT_EQ(sweepJson({row})[0]["measured_s"], 2.1e-6);
    EXPECT_EQ(sweepJson({failed})[0]["not_measured"], failed.result.unmeasured);
    EXPECT_EQ(
        measuredWords({row, failed, slow}),
        "Measured over MPI: 1.05 to 1.5 times as long as in virtual time; 1 of 2 points within 10 %; 1 not measured.");
    EXPECT_EQ(measuredWords({}), "");
}

TEST_F(Sweep, measuresWithWhatProcessesKnow) {
    Arguments arguments;
    arguments.repeats = "5";
    arguments.asked.add("on", "mpi");
    arguments.asked.add("lab", "");
    arguments.asked.add("granted", "");
    arguments.asked.add("ranks", "4");
    arguments.asked.add("sharing", "fair");
    const auto live = takeLive(arguments);
    ASSERT_TRUE(live);
    EXPECT_EQ(live->words, "--on mpi --repeat 5 --granted --lab");
    EXPECT_FALSE(arguments.repeats || arguments.asked.has("lab") || arguments.asked.has("on"));
    const std::vector<Point> points = readPoints(arguments, {"bcast/chain:groups=2"});
    ASSERT_EQ(points.size(), 1U);
    const Specification run = liveRun(points[0], *live);
    EXPECT_EQ(lineOf(run), "bcast/chain -n 4 --size 64KiB --set groups=2 --on mpi --repeat 5 --granted --lab");
    EXPECT_EQ(points[0].wish.on, "virtual");
}

TEST_F(Sweep, measuresTheLibrarysOwnBesideOthers) {
    Arguments arguments;
    arguments.asked.add("on", "mpi");
    arguments.asked.add("ranks", "2,4");
    arguments.asked.add("sharing", "fair");
    const auto live = takeLive(arguments);
    ASSERT_TRUE(live);
    const std::vector<Point> points = readPoints(arguments, {"bcast/chain", "bcast/native"}, Native::taken);
    ASSERT_EQ(points.size(), 4U);
    EXPECT_EQ(lineOf(liveRun(points[3], *live)), "bcast/native -n 4 --size 64KiB --on mpi");
    // They differ in the algorithm alone, so that they are lines of one chart.
    EXPECT_EQ(std::vector(points[1].coordinates.begin() + 1, points[1].coordinates.end()),
              std::vector(points[3].coordinates.begin() + 1, points[3].coordinates.end()));
    std::vector<SweepRow> rows;
    for (const Point& point : points) {
        SweepRow row{point.coordinates, sweepPoint(point.specification())};
        row.result.measured = {.median = engine::Picoseconds{7'000'000}};
        EXPECT_EQ(sweepRowFromCsv(toCsv(row))->result.measured, row.result.measured);
        rows.push_back(std::move(row));
    }
    EXPECT_FALSE(rows[3].result.refusal.empty());
    const Chart chart = chartOf(rows, points);
    ASSERT_EQ(chart.lines.size(), 1U);
    ASSERT_EQ(chart.measured.size(), 2U);
    EXPECT_EQ(chart.measured[1].name, "bcast/native");
    EXPECT_EQ(chart.measured[1].points.size(), 2U);
    EXPECT_EQ(command("sweep bcast/native -n 4").code, 2);
}

TEST_F(Sweep, refusesWhatCannotBeMeasured) {
    for (const auto& [flags, words] : std::initializer_list<std::pair<const char*, const char*>>{
             {"--on threads", "run --on threads"},
             {"--on mip", "did you mean mpi?"},
             {"--lab", "add --on mpi"},
             {"--granted", "add --on mpi"},
             {"--on mpi --mpirun no-such-program", "no-such-program"},
             {"--on mpi --repeat 0", "--repeat"},
         }) {
        const Answer answer = command(std::string{"sweep bcast/chain -n 4 "} + flags);
        EXPECT_EQ(answer.code, 2) << flags;
        EXPECT_NE(answer.err.find(words), std::string::npos) << answer.err;
    }
    EXPECT_EQ(command("sweep allreduce/dissemination -n 4 --split-phase --on mpi").code, 2);
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
TEST_F(Sweep, drawsOneBoundOfOneProblem) {
    const Chart chart = chartOfCommand("allgatherv/pipelined-ring:block=64KiB -n 8 --size 16KiB..256KiB*2");
    ASSERT_EQ(chart.bounds.size(), 2);
    EXPECT_EQ(chart.bounds[0].name, "lower bound");
    ASSERT_EQ(chart.bounds[0].points.size(), 5) << "one at each size";
    for (std::size_t i = 1; i < 5; ++i) EXPECT_LT(chart.bounds[0].points[i - 1].y, chart.bounds[0].points[i].y);
    EXPECT_EQ(chart.bounds[1].name, "lower bound, whole blocks");
    EXPECT_EQ(chart.bounds[1].points.size(), 3) << "larger contributions are cut";
}

TEST_F(Sweep, drawsABoundForEachProblem) {
    const Chart chart =
        chartOfCommand("allgatherv/bruck allgatherv/linear-ring -n 6 --sizes linear,broadcast --size 1KiB..4KiB*2");
    std::vector<std::string> names;
    for (const Chart::Line& line : chart.bounds) names.push_back(line.name);
    EXPECT_EQ(names,
              (std::vector<std::string>{"lower bound, broadcast", "lower bound, linear",
                                        "lower bound, whole blocks, broadcast", "lower bound, whole blocks, linear"}));
}

/// Sizes and their largest contribution say the same of one rule, though not of two.
TEST_F(Sweep, drawsALineForEachRuleOverTheLargestContribution) {
    const Chart chart = chartOfCommand(
        "intergroup-allgatherv/balanced -p 4 -q 4 --sizes regular,rising --size 64KiB..512KiB*2 --x largest");
    ASSERT_EQ(chart.lines.size(), 2);
    EXPECT_NE(chart.lines[0].name.find("regular"), std::string::npos) << chart.lines[0].name;
    EXPECT_NE(chart.lines[1].name.find("rising"), std::string::npos) << chart.lines[1].name;
    EXPECT_EQ(chart.lines[0].points.size(), 4);
}

TEST_F(Sweep, holdsLinesToABaseline) {
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

TEST_F(Sweep, drawsWhatIsAskedFor) {
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

TEST_F(Sweep, givesMediansWithTheirRange) {
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
