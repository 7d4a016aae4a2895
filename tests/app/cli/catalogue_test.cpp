// SPDX-License-Identifier: BSD-3-Clause
// list, describe, help, manual and completion.
#include "tests/app/cli/command.hpp"

#include "emulation/networks/network.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "engine/catalogue/native_collectives.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace app::cli {
namespace {

TEST(List, namesEverything) {
    const std::string all = command("list").out;
    const auto json = jsonOf("list --format json");
    ASSERT_EQ(json.size(), engine::catalogue().size() + engine::live::natives().size());
    for (const engine::Algorithm* algorithm : engine::catalogue())
        EXPECT_NE(all.find(algorithm->id), std::string::npos) << algorithm->id;
    EXPECT_EQ(command("list").out, command("list algorithms").out);
    for (const char* name : {"full", "ring", "torus:AxBxC"})
        EXPECT_NE(command("list topologies").out.find(name), std::string::npos) << name;
    EXPECT_EQ(jsonOf("list sizes --format json")[6]["name"], "geometric");
    EXPECT_EQ(jsonOf("list models --format json")[0]["name"], "alpha-beta");
}

TEST(List, saysWhatRunsOnlyOverMpi) {
    const std::string all = command("list").out;
    for (const engine::live::Native& native : engine::live::natives()) {
        EXPECT_NE(all.find(native.about.id), std::string::npos);
        EXPECT_NE(command("describe " + native.about.id).out.find("runs only over MPI"), std::string::npos);
    }
    for (const auto& entry : jsonOf("list --format json"))
        EXPECT_EQ(entry["runs_on"].size(), entry["id"].get<std::string>().ends_with("/native") ? 1U : 3U) << entry;
    EXPECT_EQ(jsonOf("describe bcast/native --format json")["options"][0]["name"], "groups");
    EXPECT_EQ(command("show bcast/native -n 4").err.find("collscope: bcast/native is the MPI library's own MPI_Bcast"),
              0U);
}

TEST(List, writesCsv) {
    const std::string table = command("list --format csv").out;
    EXPECT_EQ(table.rfind("id,collective,title,formula,source,runs_on\n", 0), 0U) << table;
    EXPECT_EQ(std::count(table.begin(), table.end(), '\n'),
              1 + static_cast<std::ptrdiff_t>(engine::catalogue().size() + engine::live::natives().size()));
    EXPECT_NE(table.find("\nbcast/native,bcast,The MPI library's MPI_Bcast,,"), std::string::npos) << table;
    for (const char* topic : {"topologies", "models", "sizes"})
        EXPECT_EQ(command(std::string{"list "} + topic + " --format csv").out.rfind("name,meaning\n", 0), 0U) << topic;
}

TEST(Describe, explainsEveryAlgorithm) {
    for (const engine::Algorithm* algorithm : engine::catalogue()) {
        const Answer answer = command("describe " + algorithm->id);
        EXPECT_EQ(answer.code, 0) << answer.err;
        EXPECT_EQ(answer.out.rfind(algorithm->id + "\n" + algorithm->title + "\n", 0), 0U) << answer.out;
        const auto json = jsonOf("describe " + algorithm->id + " --format json");
        EXPECT_EQ(json["formula"], algorithm->formula);
        EXPECT_EQ(json["errata"].size(), algorithm->errata.size());
        EXPECT_FALSE(json["bounds"].empty()) << algorithm->id;
    }
}

TEST(Describe, explainsEveryKindOfNetwork) {
    for (const emulation::Topology& topology : emulation::topologies())
        EXPECT_EQ(jsonOf("describe " + topology.name + " --format json")["meaning"], topology.meaning);
    EXPECT_NE(command("describe torus").out.find("--topology torus:4x4, for 16 ranks"), std::string::npos);
}

TEST(Describe, writesATableOfAllInMarkdown) {
    const std::string table = command("describe --markdown").out;
    EXPECT_EQ(table, command("describe --format markdown").out);
    EXPECT_EQ(std::count(table.begin(), table.end(), '\n'),
              2 + static_cast<std::ptrdiff_t>(engine::catalogue().size()));
    EXPECT_EQ(command("describe bcast/flat --markdown").out.rfind("## `bcast/flat`\n", 0), 0U);
}

TEST(Help, hasAnExampleForEveryVerb) {
    const std::string all = command("--help").out;
    for (const char* verb : {"list", "describe", "show", "verify", "run", "sweep", "claims", "open", "compare",
                             "export", "view", "bench", "lab", "calibrate", "completion", "manual"}) {
        EXPECT_NE(all.find(std::string{"\n  "} + verb), std::string::npos) << verb;
        const Answer help = command(std::string{verb} + " --help");
        EXPECT_EQ(help.code, 0);
        EXPECT_NE(help.out.find("\nExample\n  "), std::string::npos) << verb;
        EXPECT_NE(help.out.find(std::string{"collscope "} + verb), std::string::npos) << help.out;
        EXPECT_EQ(help.err, "");
    }
    EXPECT_EQ(command("--version").out, "collscope 0.1.0\n");
}

TEST(Help, explainsFlagsOnce) {
    const std::string help = command("run --help").out;
    for (const char* flag : {"-n, --ranks N", "--topology NAME", "--alpha TIME", "--trace OUT", "--set KEY=VALUE",
                             "--format FORMAT", "-h, --help"}) {
        const auto first = help.find(flag);
        ASSERT_NE(first, std::string::npos) << flag << '\n' << help;
        EXPECT_EQ(help.find(flag, first + 1), std::string::npos) << flag;
    }
}

TEST(Help, offersNoFlagThatTheVerbRefuses) {
    EXPECT_NE(command("sweep --help").out.find("virtual (the default), or mpi: each point"), std::string::npos);
    const std::string compare = command("compare --help").out;
    EXPECT_NE(compare.find("  virtual (the default) or threads\n"), std::string::npos) << compare;
    EXPECT_EQ(command("compare bcast/flat bcast/chain -n 4 --on threads").code, 0);
    EXPECT_EQ(command("sweep bcast/flat -n 4 --on threads").code, 2);
}

TEST(Tuple, countsSolutionsThatCanBeUsed) {
    const Answer one = command("tuple -n 2 -P 6");
    EXPECT_EQ(one.out.rfind("2 adaptations for n = 2, P = 6; the best is (2, 0, 0, 0, 0); 2 more cannot be used\n", 0),
              0U)
        << one.out;
    EXPECT_EQ(jsonOf("tuple -n 2 -P 6 --format json")[0]["tuples"], 2);
    EXPECT_NE(command("tuple -n 2 -P 6 --format csv").out.find("\n2,6,yes,2,"), std::string::npos);
    EXPECT_EQ(command("tuple -n 2 -P 8").out.find("cannot be used"), std::string::npos);
}

TEST(Tuple, countsManyRanksAndListsFew) {
    const std::string all = command("tuple").out;
    EXPECT_LT(std::count(all.begin(), all.end(), '\n'), 20) << all;
    EXPECT_NE(all.find("1                  848  13, 21, 25, 26, 27, 29, 37, 41, ...\n"), std::string::npos) << all;
    const std::string few = command("tuple -n 1..2 -P 12..14").out;
    EXPECT_NE(few.find("; - where there is none\n"), std::string::npos) << few;
    EXPECT_NE(few.find("\n13  -  "), std::string::npos) << few;
}

TEST(Verify, takesRangesOfOptionsAsSweepsDo) {
    const nlohmann::json ranges = jsonOf("verify allreduce/bruck -n 2..5 --set n=1..3 --format json");
    EXPECT_EQ(ranges["problems"], 12);
    EXPECT_EQ(ranges["proved"], 12);
    EXPECT_EQ(
        jsonOf("verify halfduplex-allgather/fully-connected -p 2 -q 4,5 --set broadcast=binomial,scatter-allgather "
               "--format json")["problems"],
        4);
    EXPECT_EQ(command("verify allreduce/bruck -n 4 --set n=0..3").code, 2);
}

TEST(Manual, isTroff) {
    const std::string page = command("manual").out;
    EXPECT_EQ(page.rfind(".TH COLLSCOPE 1", 0), 0U);
    for (const char* words :
         {".SS \"collscope verify ID|FOLDER|LOG|all PROBLEM\"", "\\-\\-topology NAME", ".SH EXIT STATUS"})
        EXPECT_NE(page.find(words), std::string::npos) << words;
}

TEST(Completion, knowsVerbsFlagsAndNames) {
    const std::string script = command("completion bash").out;
    for (const char* words : {"list describe show run", "--topology", "halfduplex-allgather/ring-streams",
                              "complete -o filenames -F _collscope collscope"})
        EXPECT_NE(script.find(words), std::string::npos) << words;
}

TEST(Calibrate, refusesRangesThatGiveNoTwoSizes) {
    for (const char* range : {"64KiB", "64KiB..128KiB", "0..1MiB", "1MiB..", "1KiB..1TiB", "1KiB..4KiB,1MiB..4MiB"}) {
        const Answer ended = command(std::string{"calibrate --message-sizes "} + range);
        EXPECT_EQ(ended.code, 2) << range;
        EXPECT_NE(ended.err.find(std::string{"--message-sizes: '"} + range + "': write FIRST..LAST"), std::string::npos)
            << ended.err;
    }
}

TEST(Calibrate, takesOnePairAtLeast) {
    for (const char* pairs : {"0", "-1", "some", "513"}) {
        const Answer ended = command(std::string{"calibrate --pairs "} + pairs);
        EXPECT_EQ(ended.code, 2) << pairs;
        EXPECT_NE(ended.err.find("--pairs"), std::string::npos) << ended.err;
    }
}

}  // namespace
}  // namespace app::cli
