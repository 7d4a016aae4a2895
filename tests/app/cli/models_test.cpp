// SPDX-License-Identifier: BSD-3-Clause
// Models, conditions, placements and relays on the command line; and the claims of the papers.
#include "app/cli/figures/claims.hpp"
#include "app/cli/figures/figure_result.hpp"
#include "tests/app/cli/command.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace app::cli {
namespace {

using nlohmann::json;

TEST(ModelFlag, takesANameAndChangesItsValues) {
    const json bgp = jsonOf("run bcast/flat -n 4 --model bgp --format json");
    EXPECT_EQ(bgp["model"]["name"], "bgp");
    EXPECT_DOUBLE_EQ(bgp["model"]["alpha_s"], 3.7e-6);
    EXPECT_DOUBLE_EQ(bgp["model"]["beta_s_per_byte"], 2.4915e-9);
    const json changed = jsonOf("run bcast/flat -n 4 --model bgp --alpha 1us --bandwidth 1GB/s --format json");
    EXPECT_EQ(changed["model"]["name"], "bgp-changed");
    EXPECT_DOUBLE_EQ(changed["model"]["alpha_s"], 1e-6);
    EXPECT_DOUBLE_EQ(changed["model"]["beta_s_per_byte"], 1e-9);
    const json letters = jsonOf("run allgatherv/linear-ring -n 1024 --size 1KiB --model loggopsim --format json");
    EXPECT_DOUBLE_EQ(letters["time_s"], 2'069'529e-9) << "as LogGOPSim says";
    EXPECT_TRUE(letters["predicted_time_s"].is_null());
    EXPECT_TRUE(letters["gap"]["waiting_s"].is_null());
    EXPECT_FALSE(letters["model"].contains("alpha_s"));
    EXPECT_DOUBLE_EQ(letters["model"]["L_s"], 1e-6);
}

TEST(ModelFlag, takesAFile) {
    const auto path = std::filesystem::temp_directory_path() / "collscope-my-machine.model";
    std::ofstream{path} << "alpha 2us\nbandwidth 1GB/s\neager 1KiB\n";
    const json mine = jsonOf("run bcast/flat -n 4 --model @" + path.string() + " --format json");
    EXPECT_EQ(mine["model"]["name"], "collscope-my-machine");
    EXPECT_DOUBLE_EQ(mine["model"]["alpha_s"], 2e-6);
    EXPECT_EQ(mine["model"]["eager_bytes"], 1024);
    std::filesystem::remove(path);
}

TEST(ModelFlag, namesMistakes) {
    const auto mistake = [](const std::string& flags) {
        const Answer answer = command("run bcast/flat -n 4 " + flags);
        EXPECT_EQ(answer.code, 2) << flags;
        EXPECT_TRUE(answer.out.empty()) << flags;
        return answer.err;
    };
    EXPECT_EQ(mistake("--model bpg"), "collscope: --model: unknown model 'bpg'; did you mean bgp?\n");
    EXPECT_EQ(mistake("--model loggopsim --alpha 1us"),
              "collscope: --alpha does not go with LogGP, which has L, o, g, G and O; set them with --loggp\n");
    EXPECT_EQ(mistake("--loggp L=1us,x=2us"), "collscope: --loggp: unknown letter 'x'; LogGP has L, o, g, G and O\n");
    EXPECT_EQ(mistake("--loggp 5us"),
              "collscope: --loggp: '5us' is not LETTER=VALUE; write for example L=5us,o=1us,g=2us,G=1ns/B\n");
    EXPECT_EQ(mistake("--eager often"),
              "collscope: --eager: 'often' is not a quantity; write for example 64KiB or 1000\n");
    EXPECT_EQ(mistake("--slow-ranks 4:2"), "collscope: --slow-ranks: rank 4 is outside 0..3\n");
    EXPECT_EQ(mistake("--slow-links 0-9:2"),
              "collscope: --slow-links: 0-9 are not two of the ranks 0..3; places and switches need a network with "
              "links\n");
    EXPECT_EQ(mistake("--arrival rampp"), "collscope: --arrival: unknown pattern 'rampp'; did you mean ramp?\n");
    EXPECT_EQ(mistake("--topology ring --placement snak"),
              "collscope: --placement: unknown placement 'snak'; did you mean snake?\n");
}

TEST(Models, areListedAndDescribed) {
    const Answer list = command("list models");
    for (const char* words : {"alpha-beta", "bgp", "alpha 3.7 us", "loggopsim", "L 1 us"})
        EXPECT_NE(list.out.find(words), std::string::npos) << words;
    const json all = jsonOf("list models --format json");
    for (const json& one : all) {
        EXPECT_FALSE(one["source"].get<std::string>().empty()) << one["name"];
        EXPECT_TRUE(one["parameters"].contains("gamma_s_per_byte")) << one["name"];
    }
    EXPECT_NE(command("describe bgp").out.find("1485 B"), std::string::npos);
    EXPECT_EQ(jsonOf("describe bgp --format json")["parameters"]["name"], "bgp");
    EXPECT_EQ(command("describe bgp --format markdown").out.rfind("## `bgp`", 0), 0U);
}

/// What holds for any messages holds for messages of one block, too.
TEST(Conditions, giveOneBlockMessagesNoLowerBoundThanAnyMessages) {
    int compared = 0;
    for (const char* id : {"scatterv/flat", "gatherv/flat", "alltoallv/flat", "allgatherv/linear-ring", "bcast/flat",
                           "bcast/binomial-tree", "allgatherv/bruck"})
        for (const char* conditions :
             {"", " --loggp L=5us,o=1us,g=2us,G=1ns/B", " --loggp L=1us,o=9us,g=1us,G=1ns/B,O=2ns/B", " --ports 2",
              " --topology ring", " --slow-links 0-1:3 --topology torus:5x1"}) {
            const std::string line = std::string{"run "} + id + " -n 5" + conditions;
            const Answer answer = command(line + " --format json");
            if (answer.code != 0) continue;
            const json bounds = json::parse(answer.out)["bounds"];
            if (!bounds.contains("whole_blocks") || !bounds.contains("cut_at_will")) continue;
            const json whole = bounds["whole_blocks"]["time_s"], any = bounds["cut_at_will"]["time_s"];
            if (!whole.is_number() || !any.is_number()) continue;
            EXPECT_GE(whole.get<double>(), any.get<double>()) << line;
            ++compared;
        }
    EXPECT_GT(compared, 20);
}

TEST(Conditions, areToldAndChangeTheTime) {
    const double even = jsonOf("run allgatherv/linear-ring -n 8 --format json")["time_s"];
    const json late = jsonOf("run allgatherv/linear-ring -n 8 --arrival late:3,1ms --format json");
    EXPECT_EQ(late["unevenness"], "arrival=late:3,1000000000ps");
    EXPECT_NEAR(late["time_s"].get<double>(), even + 1e-3, 1e-12);
    EXPECT_NEAR(late["gap"]["unevenness_s"].get<double>(), 1e-3, 1e-12);
    const json slow = jsonOf("run allgatherv/linear-ring -n 8 --slow-ranks 3:4 --slow-links 0-1:2 --format json");
    EXPECT_NEAR(slow["lockstep_time_s"].get<double>(), 4 * even, 1e-12);
    EXPECT_NE(
        joined(command("run allgatherv/linear-ring -n 8 --slow-ranks 3:4").out).find("rank 3 takes 4 times as long"),
        std::string::npos);
}

TEST(Relays, areProvedRunAndShown) {
    const std::string relayed = "allgatherv/bruck -n 16 --topology torus:4x4 --neighbours-only";
    const json run = jsonOf("run " + relayed + " --placement snake --format json");
    EXPECT_EQ(run["verified"], true);
    EXPECT_EQ(run["routing"], "neighbours-only");
    EXPECT_EQ(run["topology"], "torus:4x4 placement=snake");
    EXPECT_GT(run["rounds"], jsonOf("run allgatherv/bruck -n 16 --format json")["rounds"]);
    EXPECT_EQ(command("verify " + relayed).out.rfind("proved 1 of 1 schedule", 0), 0U);
    EXPECT_NE(command("verify allgatherv/bruck -n 2..9 --topology ring --neighbours-only").out.find("proved 8 of 8"),
              std::string::npos);
    const json shown = jsonOf("show " + relayed + " --format json");
    EXPECT_EQ(shown["rounds"], run["rounds"]);
    for (const json& message : shown["messages"]) {
        const int from = message["from"];
        const int to = message["to"];
        const int rows = std::abs(from / 4 - to / 4) % 2;
        const int columns = std::abs(from % 4 - to % 4) % 2;
        ASSERT_EQ(rows + columns, 1) << from << " -> " << to;
    }
    const json threads = jsonOf("run " + relayed + " --on threads --format json");
    EXPECT_EQ(threads["verified"], true);
    EXPECT_EQ(threads["rounds"], run["rounds"]);
    EXPECT_EQ(command("run allgatherv/bruck -n 8 --topology fat-tree:4x2 --neighbours-only").code, 2);
}

TEST(Placements, leavePlacesFree) {
    const std::string spread = "allgatherv/bruck -n 4 --topology torus:4x4 --placement spread";
    const json run = jsonOf("run " + spread + " --format json");
    EXPECT_EQ(run["verified"], true);
    EXPECT_EQ(run["topology"], "torus:4x4 placement=spread");
    EXPECT_EQ(run["places"], (json{{"count", 16}, {"of_ranks", {0, 4, 8, 12}}}));
    EXPECT_NE(command("run " + spread).out.find("(4 of 16 places)"), std::string::npos);
    EXPECT_EQ(jsonOf("run allgatherv/bruck -n 16 --topology torus:4x4 --placement block --format json")["places"],
              json{});
    // Between ranks on one column nothing is relayed but by other ranks: rounds as on a ring of four.
    EXPECT_EQ(jsonOf("run " + spread + " --neighbours-only --format json")["rounds"],
              jsonOf("run allgatherv/bruck -n 4 --topology ring --neighbours-only --format json")["rounds"]);
    EXPECT_EQ(command("verify allgatherv/bruck -n 2..9 --topology torus:3x4 --placement random:2 --neighbours-only")
                  .out.rfind("proved 8 of 8", 0),
              0U);
    const json found = jsonOf("synthesize allgatherv -n 3 --topology dgx1 --placement random:2 --format json");
    EXPECT_FALSE(found.empty());
    const Answer rows =
        command("sweep allgatherv/bruck -n 2..16*2 --topology fat-tree:4x4 --placement spread --format csv");
    EXPECT_EQ(rows.code, 0);
    EXPECT_EQ(std::count(rows.out.begin(), rows.out.end(), '\n'), 5);
    const Answer refused = command("run allgatherv/bruck -n 17 --topology torus:4x4 --placement spread");
    EXPECT_EQ(refused.code, 2);
    EXPECT_EQ(refused.err,
              "collscope: --topology torus:4x4 has 16 places, but there are 17 ranks; torus:17x1 would fit\n");
}

TEST(TorusAlgorithms, takeATorusWithOptions) {
    const json run =
        jsonOf("run halfduplex-allgather/torus-belts -p 8 -q 8 --topology torus:4x4,ties=simgrid --format json");
    EXPECT_EQ(run["verified"], true);
    EXPECT_EQ(run["topology"], "torus:4x4,ties=simgrid");
}

TEST(Claims, hold) {
    KnownRuns runs{1};
    for (const Claim& claim : claims()) {
        const MadeNumber made = make(*claim.number, claim.item->tolerance, runs);
        EXPECT_NE(stateOf(made), State::differs) << claim.paper << ", " << claim.number->what << ": " << made.value
                                                 << " where " << claim.number->expected << " is expected";
    }
}

/// The time that the printed command takes.
double timeOf(const std::string& printed) {
    constexpr std::string_view program = "collscope ";
    return jsonOf(printed.substr(printed.find(program) + program.size()) + " --format json")["time_s"];
}

TEST(Claims, areTheQuotientsOfTheirTwoCommands) {
    for (const char* paper : {"hasanov2014", "traff2010", "kang2019", "kang-half-duplex", "end2016"}) {
        const Answer answer = command(std::string{"claims "} + paper);
        EXPECT_EQ(answer.code, 0) << answer.out;
        std::istringstream lines{answer.out.substr(answer.out.find("\nThe runs"))};
        int rows = 0;
        for (std::string line, slow, fast; std::getline(lines, line);) {
            const auto colon = line.rfind(": ");
            if (line.starts_with("The runs") || line.starts_with(' ') || line.starts_with('(') ||
                colon == std::string::npos)
                continue;
            std::getline(lines, slow);
            std::getline(lines, fast);
            ++rows;
            const auto claim = std::find_if(claims().begin(), claims().end(), [&](const Claim& c) {
                return c.paper == paper && c.number->what == line.substr(0, colon);
            });
            ASSERT_NE(claim, claims().end()) << line;
            if (claim->number->large) continue;
            EXPECT_NEAR(timeOf(slow) / timeOf(fast), std::stod(line.substr(colon + 2)), 0.0051) << line;
        }
        EXPECT_EQ(rows,
                  std::count_if(claims().begin(), claims().end(), [&](const Claim& c) { return c.paper == paper; }));
    }
}

TEST(Claims, areWritten) {
    const Answer answer = command("claims traff2010");
    EXPECT_EQ(answer.code, 0) << answer.out;
    EXPECT_NE(answer.out.find("15.47"), std::string::npos) << answer.out;
    EXPECT_NE(answer.out.find("collscope run allgatherv/pipelined-ring"), std::string::npos);
    EXPECT_EQ(answer.out.find("hasanov2014"), std::string::npos);
    EXPECT_EQ(command("claims taff2010").err, "collscope: claims: unknown value 'taff2010'; did you mean traff2010?\n");
    const json one = jsonOf("claims end2016 --format json");
    EXPECT_EQ(one.size(), 7U);
    for (const json& claim : one) EXPECT_EQ(claim["holds"], true) << claim;
    // What a paper says and cannot be is told, and does not fail.
    const Answer told = command("claims hasanov2014");
    EXPECT_EQ(told.code, 0);
    EXPECT_NE(told.out.find("contradicted"), std::string::npos) << told.out;
    const std::string withoutPrint = "as expected    the paper prints no number";
    EXPECT_NE(told.out.find(withoutPrint), std::string::npos) << told.out;
    EXPECT_EQ(answer.out.find(withoutPrint), std::string::npos) << answer.out;
}

}  // namespace
}  // namespace app::cli
