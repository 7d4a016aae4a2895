// SPDX-License-Identifier: BSD-3-Clause
// Whether a run can be beaten by another schedule without split contributions.
#include "engine/catalogue/catalogue.hpp"
#include "tests/app/cli/command.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

namespace app::cli {
namespace {

// 3 receivers of 3 blocks through one port: 3 rounds at least, and optima.py refutes 3 as well.
TEST(Better, provesThatRingBeltsAreOptimalOnASmallRing) {
    const auto search =
        jsonOf("run halfduplex-allgather/ring-belts -p 3 -q 3 --ports 1 --search 20s --format json")["search"];
    EXPECT_EQ(search["rounds"], 4);
    EXPECT_EQ(search["blocks"], 4);
    EXPECT_EQ(search["fewer_blocks"]["answer"], "impossible");
    EXPECT_EQ(search["fewer_rounds"]["answer"], "impossible");
    EXPECT_TRUE(search["fewer_rounds"]["command"].is_null());
    const std::string text = command("run halfduplex-allgather/ring-belts -p 3 -q 3 --search 20s").out;
    EXPECT_NE(text.find("halfduplex-allgather/ring-belts takes 4 rounds with 4 serialized blocks."), std::string::npos)
        << text;
    EXPECT_NE(
        joined(text).find(
            "No schedule without split contributions in which only neighbours exchange messages has at most 4 rounds "
            "and fewer than 4 serialized blocks (proved in"),
        std::string::npos)
        << text;
}

// Whatever the catalogue runs on the network, no run is called the best beside a better one.
TEST(Better, claimsNothingThatTheCatalogueRefutes) {
    for (const auto& [collective, problem] :
         std::vector<std::pair<std::string, std::string>>{{"allgatherv", "-n 5 --topology ring"},
                                                          {"allgatherv", "-n 4 --topology ring --sizes spike"},
                                                          {"allgatherv", "-n 4 --topology mesh:2x2 --size 7"},
                                                          {"bcast", "-n 8 --topology ring"},
                                                          {"scatterv", "-n 6 --topology fat-tree:3x2,taper=3"},
                                                          {"reduce-scatter", "-n 5 --topology ring"},
                                                          {"halfduplex-allgather", "-p 3 -q 3 --topology ring"},
                                                          {"intergroup-allgatherv", "-p 2 -q 3 --topology mesh:5"}}) {
        std::map<std::string, nlohmann::json> searches;
        for (const engine::Algorithm* algorithm : engine::algorithmsFor(engine::collectiveNamed(collective)))
            if (const Answer answer =
                    command(engine::text("run ", algorithm->id, ' ', problem, " --search 4s --format json"));
                answer.code == 0)
                searches[algorithm->id] = nlohmann::json::parse(answer.out)["search"];
        EXPECT_GT(searches.size(), 1U) << collective;
        const auto needsNoMore = [](const nlohmann::json& one, double rounds, double bytes) {
            return !one.is_null() && one["rounds"] <= rounds && one["serialized_bytes"] <= bytes;
        };
        for (const auto& [id, search] : searches)
            for (const auto& [other, found] : searches) {
                const double rounds = found["rounds"].get<double>();
                const double bytes = found["serialized_bytes"].get<double>();
                if (!needsNoMore(found, search["rounds"], search["serialized_bytes"]) ||
                    needsNoMore(search, rounds, bytes))
                    continue;
                SCOPED_TRACE(engine::text(id, " beside ", other, ' ', problem, '\n', search.dump(1)));
                bool isFound = false;
                for (const char* definition : {"fewer_blocks", "fewer_rounds"})
                    isFound = isFound || (!search[definition].is_null() && search[definition]["answer"] == "found");
                EXPECT_TRUE(isFound || !search["catalogue"].is_null());
                if (!search["catalogue"].is_null()) {
                    EXPECT_TRUE(needsNoMore(search["catalogue"], search["rounds"], search["serialized_bytes"]));
                }
                // Only of schedules between neighbours may it be called impossible.
                if (search["neighbours_only"] ||
                    bytes != found["blocks"].get<double>() * found["block_bytes"].get<double>())
                    continue;
                for (const char* definition : {"fewer_blocks", "fewer_rounds"})
                    if (!search[definition].is_null() && rounds <= search[definition]["rounds"] &&
                        found["blocks"] <= search[definition]["blocks"]) {
                        EXPECT_NE(search[definition]["answer"], "impossible");
                    }
            }
    }
}

// The root sends 7 blocks one after another; between neighbours 6 are enough, and a tree takes 3.
TEST(Better, namesTheCatalogueBesideASchedule) {
    const std::string text = joined(command("run bcast/flat -n 8 --topology ring --search 10s").out);
    EXPECT_NE(text.find("-tree takes 3 rounds with 3 serialized blocks ("), std::string::npos) << text;
    EXPECT_NE(text.find("ranks that are not neighbours exchange messages in it"), std::string::npos) << text;
}

// 4 B and 1 MB are not one block each.
TEST(Better, countsNoBlocksOfUnequalSizes) {
    const std::string file = std::filesystem::path{testing::TempDir()} / "collscope-unequal.txt";
    std::ofstream{file} << "4\n1000000\n4\n4\n";
    const std::string text =
        joined(command("run allgatherv/linear-ring -n 4 --topology ring --search 5s --sizes @" + file).out);
    EXPECT_EQ(text.find("(proved)"), std::string::npos) << text;
    EXPECT_NE(text.find("contributions differ in size"), std::string::npos) << text;
    EXPECT_NE(text.find(" of serialized bytes ("), std::string::npos) << text;
    std::filesystem::remove(file);
}

// Torus belts gather in B, then exchange: 4 rounds on 2 x 4, but 3 startups are the bound and are enough.
TEST(Better, writesAScheduleWithFewerRoundsThanTorusBelts) {
    const auto search = jsonOf(
        "run halfduplex-allgather/torus-belts -p 4 -q 4 --topology torus:2x4 --search 20s --format json")["search"];
    EXPECT_EQ(search["rounds"], 4);
    EXPECT_EQ(search["fewer_blocks"]["answer"], "impossible");
    ASSERT_EQ(search["fewer_rounds"]["answer"], "found");
    EXPECT_EQ(search["fewer_rounds"]["rounds"], 3);
    EXPECT_LE(search["fewer_rounds"]["blocks"], 4);
    const std::string file = std::filesystem::path{testing::TempDir()} / "collscope-better.json";
    std::string line = search["fewer_rounds"]["command"].get<std::string>();
    line.replace(line.find("FILE.json"), 9, file + " --force");
    const std::string program = "collscope ";
    ASSERT_TRUE(line.starts_with(program)) << line;
    const Answer written = command(line.substr(program.size()));
    EXPECT_EQ(written.code, 0) << line << written.err;
    EXPECT_EQ(command("verify " + file).code, 0);
    EXPECT_EQ(jsonOf("run " + file + " --format json")["rounds"], 3);
    std::filesystem::remove(file);
}

// 4 segments to one receiver: 4 rounds, but one message has it all.
TEST(Better, findsFewerRoundsThanSegments) {
    const std::string line = "run bcast/pipelined-chain -n 2 --size 64KiB --set segments=4 --search 20s";
    const auto search = jsonOf(line + " --format json")["search"];
    EXPECT_EQ(search["rounds"], 4);
    EXPECT_EQ(search["blocks"], 1);
    EXPECT_TRUE(search["fewer_blocks"].is_null());
    ASSERT_EQ(search["fewer_rounds"]["answer"], "found");
    EXPECT_EQ(search["fewer_rounds"]["rounds"], 1);
    EXPECT_EQ(search["fewer_rounds"]["blocks"], 1);
}

TEST(Better, claimsOnlyWhatIsKnown) {
    const std::string least = "No schedule has fewer of either.";
    EXPECT_NE(command("run bcast/chain -n 2 --search 1s").out.find(least), std::string::npos);
    const std::string halves = command("run allreduce/ring -n 2 --search 1s").out;  // 2 rounds of half a vector each
    EXPECT_EQ(halves.find(least), std::string::npos) << halves;
    EXPECT_NE(halves.find("No search was made for fewer of either."), std::string::npos) << halves;
}

// Describing an algorithm gives the answers of a run.
TEST(Better, isPartOfADescription) {
    const std::string line = "describe halfduplex-allgather/ring-belts -p 3 -q 3 --search 20s";
    const Answer answer = command(line);
    EXPECT_EQ(answer.code, 0) << answer.err;
    EXPECT_NE(
        joined(answer.out).find("exchange messages has at most 4 rounds and fewer than 4 serialized blocks (proved"),
        std::string::npos)
        << answer.out;
    EXPECT_EQ(jsonOf(line + " --format json")["search"]["fewer_rounds"]["answer"], "impossible");
    for (const auto& [odd, why] :
         {std::pair{"describe full -n 4", "is no algorithm"}, std::pair{"describe --search 1s", "name an algorithm"},
          std::pair{"describe bcast/chain --search 1s", "--ranks"}}) {
        const Answer refused = command(odd);
        EXPECT_EQ(refused.code, 2) << odd << refused.out;
        EXPECT_NE(refused.err.find(why), std::string::npos) << refused.err;
    }
}

TEST(Describe, hasTheBoundsOfTheProblemThatIsAskedFor) {
    const std::string example = joined(command("describe bcast/binomial-tree").out);
    EXPECT_NE(example.find("any bcast on this network needs at least 4 startups for 16 ranks"), std::string::npos)
        << example;
    EXPECT_NE(example.find("the bounds below are for 16 ranks"), std::string::npos) << example;
    const std::string asked = joined(command("describe bcast/binomial-tree -n 8 --size 1MiB").out);
    EXPECT_NE(asked.find("at least 3 startups for 8 ranks"), std::string::npos) << asked;
    EXPECT_NE(asked.find("m = 1 MiB"), std::string::npos) << asked;
    EXPECT_EQ(asked.find("example"), std::string::npos) << asked;
}

TEST(Better, refusesInOneSentence) {
    for (const std::string line : {"run scan/linear -n 4 --search 1s", "run bcast/chain -n 4 --on threads --search 1s",
                                   "run bcast/chain -n 4 --search 0s", "run bcast/chain -n 4 --search soon"}) {
        const Answer answer = command(line);
        EXPECT_EQ(answer.code, 2) << line << answer.out;
        EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 1) << answer.err;
    }
}

}  // namespace
}  // namespace app::cli
