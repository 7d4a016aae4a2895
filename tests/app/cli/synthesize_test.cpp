// SPDX-License-Identifier: BSD-3-Clause
// Schedules that the solver finds, from the command line: asked for, written, proved, run.
#include "tests/app/cli/command.hpp"
#include "tests/support/reference/drat.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>

namespace app::cli {
namespace {

class Synthesize : public testing::Test {
protected:
    Synthesize() { std::filesystem::create_directories(folder_); }
    ~Synthesize() override { std::filesystem::remove_all(folder_); }

    [[nodiscard]] std::string file(const std::string& name) const { return (folder_ / name).string(); }
    static std::string contentOf(const std::string& path) {
        std::ifstream in{path};
        return {std::istreambuf_iterator<char>{in}, {}};
    }

private:
    std::filesystem::path folder_{
        std::filesystem::path{testing::TempDir()} /
        engine::text("collscope-synthesize-", testing::UnitTest::GetInstance()->current_test_info()->name())};
};

/// The rows of the answer that are the best ones, as "chunks steps rounds".
std::vector<std::string> bestOf(const nlohmann::json& answer) {
    std::vector<std::string> all;
    for (const auto& row : answer["rows"])
        if (row["best"].get<bool>())
            all.push_back(
                engine::text(row["chunks"].get<int>(), ' ', row["steps"].get<int>(), ' ', row["rounds"].get<int>()));
    return all;
}

// On a ring of 4 two neighbours are a step away and the opposite rank two; 3 blocks enter over 2 links: 3/2 of a block,
// which takes 2 chunks and 3 rounds; two steps of schedules without split contributions take 2.
TEST_F(Synthesize, walksFromTheFewestStepsToTheLeastBytes) {
    const auto answer = jsonOf("synthesize allgatherv -n 4 --topology ring --format json");
    EXPECT_EQ(bestOf(answer), (std::vector<std::string>{"2 2 3"}));
    EXPECT_EQ(answer["fewest_steps"], 2);
    EXPECT_EQ(answer["neighbours_only"], true);
    EXPECT_EQ(answer["lower_bound"]["steps"], 1);  // with 3 ports, to all ranks at once
    EXPECT_EQ(answer["composed"], false);
    EXPECT_FALSE(answer["catalogue"]["algorithm"].get<std::string>().empty());
    for (const auto& row : answer["rows"]) {
        if (row["answer"] != "found") continue;
        // alpha 1 us, beta 0.4 ns/B, contributions of 64 KiB
        const double chunk = 65536.0 / row["chunks"].get<double>();
        EXPECT_NEAR(row["cost_s"].get<double>(),
                    row["steps"].get<double>() * 1e-6 + row["rounds"].get<double>() * chunk * 0.4e-9, 1e-12);
        EXPECT_GE(row["cost_s"].get<double>(), answer["lower_bound"]["time_s"].get<double>());
    }
}

// Bine's allgather attains both bounds of 16 ranks with one port: 4 steps and 15 blocks. On a ring of 4 the solver's
// allreduce has fewer bytes than all that the catalogue has in 4 steps.
TEST_F(Synthesize, claimsNothingThatTheCatalogueOrItsOwnRowsRefute) {
    std::ofstream{file("unequal.txt")} << "4\n4\n1000000\n";
    std::ofstream{file("slow.dot")} << "graph { a [rank=0]; b [rank=1]; c [rank=2]; a -- b [bandwidth=\"1.6GB/s\"]; "
                                       "b -- c [bandwidth=\"1GB/s\"]; }";
    std::ofstream{file("far.dot")} << "graph { 0 -- 1 [bandwidth=\"1GB/s\", latency=\"3us\"]; "
                                      "1 -- 2 [bandwidth=\"1.4GB/s\", latency=\"1us\"]; }";
    std::ofstream{file("round.dot")} << "digraph { 0 -> 1; 1 -> 2; 2 -> 0; }";
    const std::string unequal = " --sizes @" + file("unequal.txt");
    for (const std::string& line : std::vector<std::string>{
             "allgatherv -n 6 --sizes spike --topology ring", "allgatherv -n 3 --topology ring" + unequal,
             "allgatherv -n 3 --topology ring --chunks 8 --steps 5 --rounds 5" + unequal,
             "gatherv -n 3 --topology mesh:3" + unequal, "scatterv -n 3 --topology mesh:3" + unequal,
             "allgatherv -n 3 --topology mesh:3 --method trees" + unequal,
             "gatherv -n 3 --topology mesh:3 --method greedy" + unequal,
             "scatterv -n 3 --size 1MB --topology graph:" + file("slow.dot"),
             "gatherv -n 3 --size 1MB --topology graph:" + file("slow.dot"),
             "allgatherv -n 3 --size 1MB --topology graph:" + file("slow.dot"),
             "allgatherv -n 3 --topology graph:" + file("far.dot"),
             "allreduce -n 3 --topology graph:" + file("round.dot"), "allreduce -n 4 --topology ring",
             "allgatherv -n 8 --topology dgx1", "bcast -n 8 --topology torus:2x4 --ports 1",
             "reduce-scatter -n 5 --topology mesh:5", "allgatherv -n 6 --topology cluster:3",
             "intergroup-allgatherv -p 2 -q 3 --topology fat-tree:3x2,taper=3"}) {
        SCOPED_TRACE(line);
        const Answer text = command("synthesize " + line + " --limit 4s --format json");
        ASSERT_EQ(text.code, 0) << text.err;
        const auto answer = nlohmann::json::parse(text.out);
        const double bound = answer["lower_bound"]["time_s"].get<double>() * (1 - 1e-9);
        EXPECT_GT(bound, 0);
        EXPECT_GE(answer["catalogue"]["time_s"].get<double>(), bound);
        for (const auto& other : answer["algorithms"]) {
            EXPECT_GE(other["steps"], answer["lower_bound"]["steps"]) << other;
            EXPECT_GE(other["cost_s"].get<double>(), bound) << other;
        }
        for (const auto& row : answer["rows"]) {
            EXPECT_GE(row["steps"].get<int>(), row["answer"] == "found" ? answer["fewest_steps"].get<int>() : 0) << row;
            EXPECT_GE(row["bound_s"].get<double>(), bound) << row;
            if (row["answer"] != "found") continue;
            EXPECT_GE(row["cost_s"].get<double>(), row["bound_s"].get<double>() * (1 - 1e-9)) << row;
        }
    }
}

// Links of 1.6 and 1 GB/s are a lane each in the search, but not in the cost.
TEST_F(Synthesize, costsWhatTheRunTakes) {
    std::ofstream{file("slow.dot")} << "graph { a [rank=0]; b [rank=1]; c [rank=2]; a -- b [bandwidth=\"1.6GB/s\"]; "
                                       "b -- c [bandwidth=\"1GB/s\"]; }";
    for (const auto& [problem, network] :
         std::vector<std::pair<std::string, std::string>>{{"allgatherv -n 3 --size 1MB", "graph:" + file("slow.dot")},
                                                          {"allgatherv -n 4 --sizes spike", "ring"},
                                                          {"allreduce -n 4", "ring"}}) {
        const std::string found = file("found.json");
        const auto answer = jsonOf("synthesize " + problem + " --topology " + network +
                                   " --limit 5s --format json --force -o " + found);
        double least = 1;
        for (const auto& row : answer["rows"])
            if (row["answer"] == "found") least = std::min(least, row["cost_s"].get<double>());
        const auto run =
            jsonOf("run " + found + " --topology " + network + " --ports 3 --progress lockstep --format json");
        EXPECT_NEAR(run["time_s"].get<double>(), least, 1e-12) << problem;
    }
}

TEST_F(Synthesize, namesTheCatalogueBesideWhatIsImpossibleBetweenNeighbours) {
    const std::string text =
        command("synthesize allgatherv -n 5 --topology ring --ports 1 --chunks 1 --steps 3 --rounds 15").out;
    EXPECT_NE(text.find("no schedule between neighbours with these"), std::string::npos) << text;
    EXPECT_NE(text.find("allgatherv/sparbit, in which other ranks exchange messages, has 3 steps and a load of 5"),
              std::string::npos)
        << text;
}

TEST_F(Synthesize, takesSchedulesOfTheCatalogueAsFoundWhereTheyAreTheBest) {
    const auto rows =
        jsonOf("synthesize allgatherv -n 16 --topology fat-tree:4x4 --chunks 1 --ports 1 --format json")["rows"];
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0]["by"], "catalogue");
    EXPECT_EQ(rows[0]["steps"], 4);
    EXPECT_EQ(rows[0]["rounds"], 15);
    EXPECT_EQ(rows[0]["bound_s"], rows[0]["cost_s"]);
    for (const auto& row : jsonOf("synthesize allreduce -n 4 --topology ring --format json")["rows"])
        EXPECT_EQ(row["by"], "solver") << row;
}

TEST_F(Synthesize, writesSchedulesThatAreProvedAndRun) {
    for (const auto& [collective, problem] : std::vector<std::pair<std::string, std::string>>{
             {"allgatherv", "-n 5 --topology ring"},
             {"allgatherv", "-n 4 --topology ring --sizes spike"},
             {"bcast", "-n 4 --topology hypercube:2 --root 1"},
             {"gatherv", "-n 4 --topology mesh:4"},
             {"scatterv", "-n 4"},
             {"alltoallv", "-n 3 --ports 1"},
             {"reduce", "-n 4 --topology ring --root 2"},
             {"reduce-scatter", "-n 2 --topology kautz:1,1"},
             {"reduce-scatter", "-n 6 --topology kautz:2,2 --chunks 1 --steps 3"},
             {"allreduce", "-n 4 --topology ring"},
             {"allreduce", "-n 6 --topology kautz:2,2 --chunks 1 --steps 6"},
             {"allreduce", "-n 4 --topology fat-tree:2x2 --chunks 1 --steps 4"},
             {"halfduplex-allgather", "-p 2 -q 3 --ports 1 --chunks 2 --steps 4"},
             {"intergroup-allgatherv", "-p 2 -q 2 --topology ring --chunks 2"},
             {"intergroup-bcast", "-p 2 -q 2 --chunks 2"},
             {"intergroup-alltoallv", "-p 1 -q 2"}}) {
        const std::string line =
            engine::text("synthesize ", collective, ' ', problem, " --size 960 --limit 20s --force -o ");
        SCOPED_TRACE(line);
        const Answer answer = command(line + file("found.json"));
        ASSERT_EQ(answer.code, 0) << answer.err << answer.out;
        EXPECT_EQ(command("verify " + file("found.json")).code, 0) << command("verify " + file("found.json")).out;
        const Answer ran = command("run " + file("found.json") + " --on threads");
        EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
    }
}

// On a ring every rank can do the same, by a rotation; on a DGX-1, whose links differ, it cannot.
TEST_F(Synthesize, writesAScriptWhereAllRanksDoTheSame) {
    const Answer answer = command("synthesize allgatherv -n 6 --topology ring --size 960 -o " + file("ring.lua"));
    ASSERT_EQ(answer.code, 0) << answer.out << answer.err;
    EXPECT_EQ(command("verify " + file("ring.lua") + " -n 6 --ports 2 --size 960").code, 0);
    const auto run = jsonOf("run " + file("ring.lua") + " -n 6 --ports 2 --size 960 --topology ring --format json");
    EXPECT_EQ(run["rounds"], 3);
    EXPECT_TRUE(run["verified"]);
    const Answer other = command("verify " + file("ring.lua") + " -n 5 --ports 2");
    EXPECT_NE((other.out + other.err).find("is a schedule for 6 ranks"), std::string::npos) << other.out << other.err;
    const Answer irregular =
        command("synthesize allgatherv -n 8 --topology dgx1 --chunks 2 --steps 2 --rounds 3 -o " + file("dgx1.lua"));
    EXPECT_EQ(irregular.code, 2);
    EXPECT_NE(irregular.err.find("do not do the same"), std::string::npos) << irregular.err;
    EXPECT_NE(irregular.out.find("found"), std::string::npos) << "the answer comes first: " << irregular.out;
    EXPECT_FALSE(std::filesystem::exists(file("dgx1.lua")));
    for (const std::string problem : {"bcast -n 6", "allgatherv -n 6 --sizes spike"}) {
        const Answer never = command("synthesize " + problem + " --topology ring -o " + file("never.lua"));
        EXPECT_EQ(never.code, 2) << problem;
        EXPECT_EQ(never.out, "") << "nothing was searched";
        EXPECT_NE(never.err.find("a script needs an allgather of equal sizes"), std::string::npos) << never.err;
    }
}

TEST_F(Synthesize, writesTheOperation) {
    ASSERT_EQ(command("synthesize reduce -n 3 --topology ring --op max -o " + file("max.json")).code, 0);
    EXPECT_EQ(nlohmann::json::parse(contentOf(file("max.json")))["operation"], "max");
    EXPECT_NE(command("run " + file("max.json")).out.find("max of int32"), std::string::npos)
        << command("run " + file("max.json")).out;
    std::ofstream{file("odd.json")} << R"({"collective": "reduce", "operation": "most", "ranks": 2, "messages": []})";
    const Answer odd = command("verify " + file("odd.json"));
    EXPECT_EQ(odd.code, 2);
    EXPECT_NE(odd.err.find("most"), std::string::npos) << odd.err;
}

// A file that contradicts itself is not proved for one of its statements.
TEST_F(Synthesize, refusesMessagesBeyondTheStatedRounds) {
    const auto json = [](int rounds) {
        return engine::text(R"({"collective": "bcast", "ranks": 3, "rounds": )", rounds,
                            R"(, "contributions": [{"rank": 0, "bytes": 8}], "messages": [)"
                            R"({"round": 0, "from": 0, "to": 1, "ranges": [[0, 8]]}, )"
                            R"({"round": 1, "from": 1, "to": 2, "ranges": [[0, 8]]}]})");
    };
    std::ofstream{file("two.json")} << json(2);
    EXPECT_EQ(command("verify " + file("two.json")).code, 0) << command("verify " + file("two.json")).err;
    std::ofstream{file("one.json")} << json(1);
    const Answer refused = command("verify " + file("one.json"));
    EXPECT_EQ(refused.code, 2) << refused.out;
    EXPECT_EQ(std::count(refused.err.begin(), refused.err.end(), '\n'), 1) << refused.err;
    EXPECT_NE(refused.err.find("a message in round 1 of 1"), std::string::npos) << refused.err;
}

TEST_F(Synthesize, writesMscclXml) {
    const Answer answer = command(
        "synthesize allgatherv -n 8 --topology dgx1 --chunks 2 --steps 2 --rounds 3 --size 960 -o " + file("dgx1.xml"));
    ASSERT_EQ(answer.code, 0) << answer.err;
    EXPECT_EQ(command("verify " + file("dgx1.xml")).code, 0) << command("verify " + file("dgx1.xml")).out;
}

TEST_F(Synthesize, answersOneQuestion) {
    const auto row = [](const std::string& numbers) {
        const auto answer = jsonOf("synthesize allgatherv -n 8 --topology dgx1 --format json " + numbers);
        EXPECT_EQ(answer["rows"].size(), 1U);
        return answer["rows"][0];
    };
    EXPECT_EQ(row("--chunks 2 --steps 2 --rounds 3")["answer"], "found");
    EXPECT_EQ(row("--chunks 3 --steps 2 --rounds 4")["answer"], "impossible");
    EXPECT_EQ(row("--chunks 3 --steps 2 --rounds 4")["by"], "solver");
    EXPECT_EQ(row("--chunks 3 --steps 2 --rounds 3")["by"], "counting");
    EXPECT_EQ(row("--chunks 1 --steps 1 --rounds 9")["answer"], "impossible");
    EXPECT_EQ(row("--chunks 6 --steps 4 --rounds 7 --limit 1ms")["answer"], "undecided");
    // Nothing is written, and the exit code says so.
    EXPECT_EQ(
        command("synthesize allgatherv -n 8 --topology dgx1 --chunks 3 --steps 2 --rounds 4 -o " + file("none.json"))
            .code,
        1);
    EXPECT_FALSE(std::filesystem::exists(file("none.json")));
}

TEST_F(Synthesize, writesAProof) {
    const Answer answer = command(
        "synthesize reduce-scatter -n 8 --topology dgx1 --chunks 3 --steps 2 --rounds 4 --proof " + file("p.drat"));
    ASSERT_EQ(answer.code, 0) << answer.err;
    EXPECT_TRUE(support::DratChecker::accepts(contentOf(file("p.drat.cnf")), contentOf(file("p.drat"))));
}

// TACOS (MICRO 2024) prints 9,606 us for a mesh of 5 x 5 with 50 GB/s and 0.5 us, and 1 GB in all: 12 rounds of 40 MB.
TEST_F(Synthesize, meetsThePublishedTimeOfTacosGreedily) {
    const auto answer = jsonOf(
        "synthesize allgatherv -n 25 --topology mesh:5x5 --size 40MB --alpha 0.5us --bandwidth 50GB/s --method greedy "
        "--chunks 1 --format json");
    const auto& row = answer["rows"][0];
    EXPECT_EQ(row["by"], "greedy");
    EXPECT_EQ(row["rounds"], 12);
    EXPECT_NEAR(row["cost_s"].get<double>(), 9606e-6, 1e-9);
}

TEST_F(Synthesize, followsTreesThatMeetTheBound) {
    const std::string trees = file("trees.json");
    const Answer answer =
        command("synthesize allreduce -n 16 --topology torus:4x4 --size 1MiB --method trees -o " + trees);
    ASSERT_EQ(answer.code, 0) << answer.out << answer.err;
    EXPECT_EQ(command("verify " + trees).code, 0);
    EXPECT_TRUE(jsonOf("run " + trees + " --topology torus:4x4 --ports 4 --format json")["verified"]);
    // 15/16 of the vector through 4 links, there and back.
    const auto json =
        jsonOf("synthesize reduce-scatter -n 16 --topology torus:4x4 --size 1MiB --method trees --format json");
    for (const auto& row : json["rows"]) {
        EXPECT_EQ(row["by"], "trees");
        EXPECT_EQ(row["chunks"].get<int>() % 4, 0);
        EXPECT_LE(row["rounds"].get<double>(), row["chunks"].get<int>() * 15 / 4.0 + 10);
    }
    for (const std::string line : {"alltoallv -n 8 --method trees", "allgatherv -n 8 --method trees --steps 3",
                                   "allgatherv -n 8 --method best", "allgatherv -n 257 --method greedy"}) {
        const Answer refused = command("synthesize " + line);
        EXPECT_EQ(refused.code, 2) << line;
        EXPECT_EQ(std::count(refused.err.begin(), refused.err.end(), '\n'), 1) << refused.err;
    }
}

// Trees may not relay at places without a rank, which the network's routes cross only on their own ways.
TEST_F(Synthesize, followsTreesPastFreePlaces) {
    const std::string trees = file("free.json");
    const Answer answer = command("synthesize allgatherv -n 10 --topology torus:4x4 --method trees -o " + trees);
    ASSERT_EQ(answer.code, 0) << answer.out << answer.err;
    EXPECT_EQ(command("verify " + trees).code, 0);
    EXPECT_EQ(answer.out.find("Impossible:"), std::string::npos) << answer.out;
}

// A rank receives 7 contributions of 12 chunks, 3 chunks a round.
TEST_F(Synthesize, sendsToAsManyRanksAsItHasPorts) {
    const auto answer = jsonOf("synthesize allgatherv -n 8 --ports 3 --method trees --chunks 12 --format json");
    EXPECT_LE(answer["rows"][0]["rounds"], 7 * 12 / 3 + 4);
}

TEST_F(Synthesize, endsWithoutASearchAtTheLimit) {
    for (const std::string method : {"trees", "greedy"}) {
        const auto answer =
            jsonOf("synthesize allgatherv -n 64 --topology torus:8x8 --limit 1ms --format json --method " + method);
        ASSERT_EQ(answer["rows"].size(), 1U) << answer;
        EXPECT_EQ(answer["rows"][0]["answer"], "undecided");
        EXPECT_EQ(answer["rows"][0]["by"], method);
    }
}

// The comparison with 256 ranks' algorithms of the catalogue takes seconds by itself.
TEST_F(Synthesize, comparesWithinTheLimit) {
    const auto answer =
        jsonOf("synthesize allreduce -n 256 --topology torus:16x16 --method greedy --limit 2s --format json");
    EXPECT_TRUE(answer["compared_in_part"]);
    EXPECT_EQ(answer["rows"][0]["by"], "greedy");
}

// A chain of 4 ranks takes 3 rounds; each more piece takes one.
TEST_F(Synthesize, repeatsASchedulePieceByPiece) {
    const std::string chain = file("chain.json");
    std::ofstream{chain} << command("show bcast/chain -n 4 --size 64KiB --format json").out;
    const auto pieces = [&](int count) {
        return jsonOf(engine::text("run ", chain, " --pieces ", count, " --format json"));
    };
    EXPECT_EQ(pieces(1)["rounds"], 3);
    EXPECT_EQ(pieces(8)["rounds"], 10);
    EXPECT_EQ(pieces(8)["bytes"], pieces(1)["bytes"]);
    EXPECT_TRUE(pieces(8)["verified"]);
    EXPECT_LT(pieces(8)["time_s"].get<double>(), pieces(1)["time_s"].get<double>());
    EXPECT_EQ(command("verify " + chain + " --pieces 7").code, 0);
    // Reductions as well, though their messages carry the whole vector.
    std::ofstream{chain} << command("show allreduce/bruck -n 4 --size 64KiB --format json").out;
    EXPECT_EQ(command("verify " + chain + " --pieces 5").code, 0) << command("verify " + chain + " --pieces 5").out;
    EXPECT_EQ(pieces(5)["bytes"], pieces(1)["bytes"]);
    EXPECT_EQ(command("run " + chain + " --pieces 0").code, 2);
    EXPECT_EQ(command("run bcast/chain -n 4 --pieces 2").code, 2);
}

TEST_F(Synthesize, makesNoMorePiecesThanAChunkHasBytes) {
    const std::string chain = file("small.json");
    std::ofstream{chain} << command("show bcast/chain -n 4 --size 5 --format json").out;
    EXPECT_EQ(jsonOf("run " + chain + " --pieces 9 --format json")["rounds"], 7);
    const std::string proved = command("verify " + chain + " --pieces 9").out;
    EXPECT_NE(proved.find("repeated over 5 pieces"), std::string::npos) << proved;
    std::ofstream{chain} << command("show barrier/dissemination -n 4 --format json").out;
    const Answer refused = command("run " + chain + " --pieces 2");
    EXPECT_EQ(refused.code, 2);
    EXPECT_NE(refused.err.find("empty messages"), std::string::npos) << refused.err;
}

TEST_F(Synthesize, refusesInOneSentence) {
    const auto refusal = [](const std::string& line) {
        const Answer answer = command("synthesize " + line);
        EXPECT_EQ(answer.code, 2) << line;
        EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 1) << answer.err;
        return answer.err;
    };
    EXPECT_NE(refusal("allgathre -n 4").find("allgatherv"), std::string::npos);
    EXPECT_NE(refusal("scan -n 4").find("scan"), std::string::npos);
    EXPECT_NE(refusal("barrier -n 4").find("barrier"), std::string::npos);
    EXPECT_NE(refusal("allreduce -n 4 --op ordered").find("does not commute"), std::string::npos);
    EXPECT_NE(refusal("allgatherv").find("--ranks"), std::string::npos);
    EXPECT_NE(refusal("allgatherv -n 100").find("64"), std::string::npos);
    EXPECT_NE(refusal("allgatherv -n 7 --topology dgx1").find("8"), std::string::npos);
    EXPECT_NE(refusal("allgatherv -n 4 --chunks 0").find("--chunks"), std::string::npos);
    EXPECT_NE(refusal("allgatherv -n 4 --steps 4 --rounds 3").find("rounds"), std::string::npos);
    EXPECT_NE(refusal("allreduce -n 4 --steps 3").find("even"), std::string::npos);
    EXPECT_NE(refusal("allgatherv -n 4 --limit 0s").find("--limit"), std::string::npos);
    EXPECT_NE(refusal("allgatherv -n 4 --proof x").find("proof"), std::string::npos);
    EXPECT_NE(refusal("allgatherv -n 4 -o x.png").find(".json"), std::string::npos);
    EXPECT_NE(refusal("allgatherv -n 4 --size 2 --chunks 3").find("chunks"), std::string::npos);
    EXPECT_NE(refusal("allgatherv -n 4 --size 0").find("0 bytes"), std::string::npos);
    EXPECT_NE(refusal("allgatherv -n 64 --size 8KiB --chunks 15 --steps 8 --rounds 960").find("literals"),
              std::string::npos);
    EXPECT_NE(refusal("allgatherv -n 1").find("nothing"), std::string::npos);
}

// The bounds are for any number of ports unless a number was given; the header has to agree with them.
TEST_F(Synthesize, namesThePortsOfItsBounds) {
    const std::string question = "synthesize allgatherv -n 6 --topology ring --chunks 1 --steps 3 --rounds 3";
    const std::string any = joined(command(question).out);
    EXPECT_NE(any.find("6 ranks, 64 KiB each, ports limited by links only, "), std::string::npos) << any;
    EXPECT_NE(any.find("Lower bounds of all schedules with any number of ports, "), std::string::npos) << any;
    EXPECT_NE(any.find("algorithms under the same model with 2 ports, "), std::string::npos) << any;
    const std::string two = joined(command(question + " --ports 2").out);
    EXPECT_NE(two.find("6 ranks, 64 KiB each, 2 ports, "), std::string::npos) << two;
    EXPECT_NE(two.find("Lower bounds of all schedules, "), std::string::npos) << two;
}

}  // namespace
}  // namespace app::cli
