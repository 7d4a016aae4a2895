// SPDX-License-Identifier: BSD-3-Clause
// Files in the place of an id: what `show` writes is read back, and what is wrong with a file is said in a sentence.
#include "app/session/options/specification.hpp"
#include "engine/base/small_file.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "engine/live/replacement_rules.hpp"
#include "tests/app/cli/command.hpp"
#include "tests/support/places.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>

namespace app::cli {
namespace {

/// A file of its own in a folder of its own.
class ScheduleFiles : public testing::Test {
protected:
    ScheduleFiles() { std::filesystem::create_directories(folder_); }
    ~ScheduleFiles() override { std::filesystem::remove_all(folder_); }

    std::string write(const std::string& name, const std::string& content) const {
        std::ofstream{folder_ / name} << content;
        return (folder_ / name).string();
    }

private:
    std::filesystem::path folder_{
        std::filesystem::path{testing::TempDir()} /
        engine::text("collscope-files-", testing::UnitTest::GetInstance()->current_test_info()->name())};
};

/// Without the lines that say where it is from.
std::string body(const std::string& json) {
    std::string rest;
    for (const std::string& line : engine::split(json, '\n'))
        if (!line.starts_with("  \"algorithm\"") && !line.starts_with("  \"options\"")) rest += line + '\n';
    return rest;
}

std::string replaced(std::string words, const std::string& from, const std::string& to) {
    const auto at = words.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return words.replace(at, from.size(), to);
}

TEST_F(ScheduleFiles, areNotHeldAgainstOthersWhereTheyAreWrong) {
    const std::string wrong = write("wrong ring.lua", R"lua(
algorithm { collective = "allgatherv", title = "A ring", idea = "Counts from the wrong block.", wiring = "ring" }
function rounds() return n - 1 end
function turn(rank, round)
  send((rank + 1) % n, block((rank + round) % n))
  receive((rank - 1) % n, block((rank - 1 + round) % n))
end
)lua");
    const std::vector<std::string> pair{"compare", wrong, "allgatherv/linear-ring", "-n", "6"};
    std::ostringstream out;
    std::ostringstream err;
    EXPECT_EQ(run(pair, out, err), checkFailed);
    EXPECT_EQ(out.str(), "");
    EXPECT_NE(err.str().find("wrong ring.lua does not solve the problem: Rank "), std::string::npos) << err.str();
    out.str("");
    EXPECT_EQ(run({"sweep", wrong, "allgatherv/linear-ring", "-n", "4,6"}, out, err), done);
    EXPECT_NE(out.str().find("2 of 4 runs refused"), std::string::npos) << out.str();
    const std::string file = write("x.json", "");
    err.str("");
    EXPECT_EQ(run({"export", wrong, "-n", "4", "-o", file, "--force"}, out, err), done);
    EXPECT_NE(err.str().find("this file shows a counterexample: Rank "), std::string::npos) << err.str();
    // The line that repeats a run holds its name together.
    const Specification specification = specify(wrong, [] {
        Asked asked;
        asked.add("ranks", "4");
        return asked;
    }());
    EXPECT_EQ(specified(lineOf(specification)), specification);
}

TEST_F(ScheduleFiles, readBackTheWholeCatalogue) {
    int read = 0;
    for (const engine::Algorithm* algorithm : engine::catalogue()) {
        for (const char* ranks : {"5", "8"}) {
            const bool two = isIntergroup(algorithm->collective);
            const bool bytes = algorithm->collective != engine::Collective::barrier;
            const std::string problem = engine::text(
                two ? engine::text(" -p 3 -q ", ranks) : engine::text(" -n ", ranks), bytes ? " --size 84" : "");
            const Answer shown = command("show " + algorithm->id + problem + " --format json");
            if (shown.code != 0) continue;  // an algorithm that does not fit
            const std::string file = write("shown.json", shown.out);
            const Answer again = command("show " + file + " --format json");
            ASSERT_EQ(again.code, 0) << algorithm->id << problem << ": " << again.err;
            EXPECT_EQ(body(again.out), body(shown.out)) << algorithm->id << problem;
            const Answer proof = command("verify " + file);
            EXPECT_EQ(proof.code, 0) << algorithm->id << problem << ": " << proof.out << proof.err;
            ++read;
        }
    }
    EXPECT_GT(read, 100);
}

/// What a format cannot say is named: a schedule may send messages of no bytes.
TEST_F(ScheduleFiles, sayHowManyEmptyMessagesMscclLacks) {
    int some = 0;
    for (const engine::Algorithm* algorithm : engine::catalogue()) {
        if (isIntergroup(algorithm->collective) || algorithm->collective == engine::Collective::barrier) continue;
        const std::string problem = engine::text(algorithm->id, " -n 5 --size 8");
        const Answer shown = command("show " + problem + " --format msccl");
        if (shown.code != 0) continue;
        const Answer all = command("show " + problem + " --format json");
        int empty = 0;
        for (std::size_t at = 0; (at = all.out.find("\"bytes\":0,", at)) != std::string::npos; ++at) ++empty;
        const std::string carries =
            empty == 1 ? "1 message carries nothing" : engine::text(empty, " messages carry nothing");
        if (empty == 0) EXPECT_EQ(shown.err.find("nothing, which no step can"), std::string::npos) << problem;
        else EXPECT_NE(shown.err.find(carries), std::string::npos) << problem << ": " << shown.err;
        some += empty > 0 ? 1 : 0;
    }
    EXPECT_GT(some, 0);
}

TEST_F(ScheduleFiles, areReadBackFromMscclsXml) {
    int read = 0;
    std::set<engine::Collective> seen;
    for (const engine::Algorithm* algorithm : engine::catalogue()) {
        for (const char* ranks : {"1", "3", "5", "8"}) {
            if (isIntergroup(algorithm->collective) || algorithm->collective == engine::Collective::barrier ||
                algorithm->collective == engine::Collective::halfduplexAllgather)
                continue;
            const std::string problem = engine::text(algorithm->id, " -n ", ranks, " --size 480");
            const Answer shown = command("show " + problem + " --format msccl");
            if (shown.code != 0) {  // one that does not fit, or that the format cannot say
                EXPECT_EQ(shown.code, 2) << problem;
                EXPECT_EQ(std::count(shown.err.begin(), shown.err.end(), '\n'), 1) << shown.err;
                continue;
            }
            EXPECT_NE(shown.err.find("does not state the size of a chunk"), std::string::npos) << shown.err;
            const Answer proof = command("verify " + write("shown.xml", shown.out));
            EXPECT_EQ(proof.code, 0) << problem << ": " << proof.out << proof.err;
            EXPECT_EQ(proof.out.find("attributes are missing"), std::string::npos) << problem << ": " << proof.out;
            if (ranks != std::string_view{"1"}) {  // alone every collective is the same
                const engine::Algorithm& again = engine::algorithmNamed(write("shown.xml", shown.out));
                EXPECT_EQ(again.collective, algorithm->collective) << problem;
            }
            seen.insert(algorithm->collective);
            ++read;
        }
    }
    EXPECT_GT(read, 100);
    EXPECT_EQ(seen.size(), 9);
    for (const char* line : {"barrier/tree -n 4", "halfduplex-allgather/ring-belts -p 2 -q 3",
                             "scan/linear -n 4 --set exclusive=yes", "allgatherv/linear-ring -n 4 --sizes linear"}) {
        const Answer answer = command(engine::text("show ", line, " --format msccl"));
        EXPECT_EQ(answer.code, 2) << line;
        EXPECT_NE(answer.err.find("MSCCL"), std::string::npos) << answer.err;
    }
}

TEST_F(ScheduleFiles, areVerifiedWithTheMissingAttributesOfMscclFiles) {
    const std::string xml = command("show allgatherv/linear-ring -n 4 --format msccl").out;
    const std::string file = write("incomplete.xml", replaced(xml, " outofplace=\"1\"", ""));
    EXPECT_NE(command("verify " + file).out.find("attributes are missing: <algo>"), std::string::npos);
    const auto remarks = jsonOf("verify " + file + " --format json")["remarks"];
    EXPECT_EQ(remarks.at(0),
              "MSCCL executors cannot load this file, since attributes are missing: <algo> outofplace; "
              "Collscope assumes the usual values");
    EXPECT_TRUE(jsonOf("verify allgatherv/linear-ring -n 4 --format json")["remarks"].empty());
}
TEST_F(ScheduleFiles, areReadBackFromGoal) {
    int proved = 0;
    int run = 0;
    for (const engine::Algorithm* algorithm : engine::catalogue()) {
        for (const char* ranks : {"1", "4", "7"}) {
            const std::string shape =
                isIntergroup(algorithm->collective) ? engine::text("-p 3 -q ", ranks) : engine::text("-n ", ranks);
            const std::string problem = engine::text(
                algorithm->id, ' ', shape, algorithm->collective == engine::Collective::barrier ? "" : " --size 480");
            const Answer shown = command("show " + problem + " --format goal");
            if (shown.code != 0) continue;  // one that does not fit
            const std::string file = write("shown.goal", shown.out);
            const Answer proof = command("verify " + file);
            // Where contents do not follow from sizes, nothing is claimed.
            if (proof.code == 2)
                EXPECT_NE(proof.err.find("it does not specify"), std::string::npos) << problem << proof.err;
            else EXPECT_EQ(proof.code, 0) << problem << ": " << proof.out;
            proved += proof.code == 0 ? 1 : 0;
            const Answer once = command("show " + file + " --format goal");
            ASSERT_EQ(once.code, 0) << problem << once.err;
            const auto messages = [](const std::string& words) {
                std::vector<std::string> all;  // without labels and tags
                for (const std::string& line : engine::split(words, '\n'))
                    if (const auto at = line.find(": send "); at != std::string::npos)
                        all.push_back(line.substr(at, line.find(" tag ") - at));
                std::sort(all.begin(), all.end());
                return all;
            };
            EXPECT_EQ(messages(once.out), messages(shown.out)) << problem;
            EXPECT_EQ(command("run " + file).code, 0) << problem;
            ++run;
        }
    }
    EXPECT_GT(run, 150);
    EXPECT_GT(proved, run / 2);
}

TEST_F(ScheduleFiles, ofGoalAreRunWhereNothingCanBeProved) {
    const std::string file =
        write("mine.goal", "num_ranks 2\nrank 0 {\nsend 8b to 1\n}\nrank 1 {\nrecv 8b from 0\n}\n");
    const Answer run = command("run " + file);
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_NE(run.out.find("not checked: it is not known what the messages carry: GOAL names no blocks"),
              std::string::npos)
        << run.out;
    EXPECT_EQ(run.out.find("bound"), std::string::npos) << run.out;
    EXPECT_EQ(command("verify " + file).err,
              "collscope: " + file +
                  ": it cannot be proved: it does not specify what the messages carry: GOAL names no blocks, and no "
                  "line such as // problem: bcast n=8 sizes=1x1024 names the problem\n");
    const std::string deaf = write("deaf.goal", "num_ranks 2\nrank 0 {\nsend 8b to 1\n}\nrank 1 {\n}\n");
    const Answer refuted = command("verify " + deaf);
    EXPECT_EQ(refuted.code, 1);
    EXPECT_NE(refuted.out.find("rank 0 sends a message to rank 1 in line 3; rank 1 does not receive it"),
              std::string::npos)
        << refuted.out;
}

/// Whatever it was made of: the file says nothing but messages.
TEST_F(ScheduleFiles, ofGoalAreRecognisedByTheirMessages) {
    int tried = 0;
    for (const std::string problem :
         {"bcast/binomial-tree -n 8 --size 100000", "bcast/binomial-tree -n 13 --root 5 --size 1KiB",
          "allgatherv/bruck -n 7 --size 24", "allgatherv/linear-ring -n 6 --size 1KiB",
          "allreduce/ring -n 5 --size 4000", "allreduce/binomial-tree -n 9 --size 64",
          "reduce/binomial-tree -n 6 --size 64", "alltoallv/pairwise-exchange -n 6 --size 8"}) {
        SCOPED_TRACE(problem);
        std::string shown = command("show " + problem + " --format goal").out;
        const auto line = shown.find("// problem: ");
        ASSERT_NE(line, std::string::npos);
        shown.erase(line, shown.find('\n', line) - line);
        const nlohmann::json run = jsonOf("run " + write("nameless.goal", shown) + " --format json");
        const std::string id = problem.substr(0, problem.find(' '));
        bool isNamed = false;
        for (const auto& one : run["resembles"]) {
            EXPECT_EQ(one["same_share"], 1.0);
            isNamed = isNamed || one["algorithm"].get<std::string>().starts_with(id);
        }
        EXPECT_TRUE(isNamed) << run["resembles"];
        ++tried;
    }
    EXPECT_EQ(tried, 8);
    EXPECT_TRUE(jsonOf("run allgatherv/linear-ring -n 4 --format json")["resembles"].empty());
}

TEST_F(ScheduleFiles, ofMscclTakeAnySizeThatTheirChunksShare) {
    const std::string file =
        write("shown.xml", command("show allreduce/ring -n 3 --size 480 --format msccl").out);  // three chunks
    EXPECT_EQ(command("verify " + file + " --size 48KiB").code, 0);
    const nlohmann::json run = jsonOf("run " + file + " --size 48KiB --format json");
    EXPECT_EQ(run["bytes"], jsonOf("run allreduce/ring -n 3 --size 48KiB --format json")["bytes"]);
    EXPECT_EQ(command("run " + file + " --size 48KiB --on threads").code, 0);
    EXPECT_EQ(
        command("verify " + file + " --size 8").err,
        "collscope: " + file + ": cuts each contribution into 3 chunks of one size, and 8 bytes are not so many\n");
    EXPECT_EQ(command("verify " + file + " --size 12 --type double").code, 2);
    EXPECT_EQ(command("verify " + file + " --size 24 --type int64").code, 0);
}

TEST_F(ScheduleFiles, areDescribedByTheirOwnProblem) {
    const std::string shown = command("show bcast/binomial-tree -n 6 --root 2 --size 10 --format json").out;
    EXPECT_EQ(jsonOf("describe " + write("shown.json", shown) + " --format json")["needs"],
              nlohmann::json::array({"6 ranks alone, root = 2, with the sizes that it specifies"}));
    const std::string xml = command("show allgatherv/linear-ring -n 4 --format msccl").out;
    EXPECT_EQ(jsonOf("describe " + write("shown.xml", xml) + " --format json")["needs"],
              nlohmann::json::array({"4 ranks alone, and contributions that its chunks share evenly"}));
}

TEST_F(ScheduleFiles, keepEveryTurn) {
    for (const char* line : {"allreduce/ring -n 6 --size 48", "scan/binomial-tree -n 7 --size 40",
                             "allreduce/dissemination -n 9 --size 36 --set n=2"}) {
        const Answer shown = command(engine::text("show ", line, " --format json"));
        ASSERT_EQ(shown.code, 0) << line << shown.err;
        const engine::Algorithm& algorithm = engine::algorithmNamed(write("shown.json", shown.out));
        const Specification asked = specified(line);
        const engine::Plan plan = makePlan(asked.run);
        const engine::Plan read = makePlan(algorithm, asked.run.problem, {});
        const engine::Facts& facts = plan.schedule->facts();
        ASSERT_EQ(read.schedule->facts().rounds, facts.rounds);
        EXPECT_EQ(read.schedule->facts().slots, facts.slots);
        engine::Turn before;
        engine::Turn after;
        for (engine::Round round{0}; round.value < facts.rounds; ++round)
            for (engine::Rank rank{0}; rank.value < facts.ranks; ++rank) {
                plan.schedule->turn(rank, round, before);
                read.schedule->turn(rank, round, after);
                ASSERT_EQ(before.receives().size(), after.receives().size());
                for (std::size_t i = 0; i < before.receives().size(); ++i) {
                    EXPECT_EQ(before.receives()[i].peer, after.receives()[i].peer);
                    EXPECT_EQ(before.receives()[i].slots, after.receives()[i].slots);
                    EXPECT_EQ(before.receives()[i].action, after.receives()[i].action);
                }
            }
    }
}

TEST_F(ScheduleFiles, standWhereAnIdStands) {
    const std::string file =
        write("ring.json", command("show allgatherv/linear-ring -n 6 --size 100 --format json").out);
    EXPECT_NE(command("verify " + file).out.find("proved 1 of 1 schedule"), std::string::npos);
    EXPECT_EQ(command("run " + file).code, 0);
    EXPECT_EQ(command("run " + file + " --on threads").code, 0);
    EXPECT_EQ(command("describe " + file).code, 0);
    EXPECT_EQ(command("show " + file + " -n 6 --rounds 1").code, 0);
    const nlohmann::json swept = jsonOf("sweep " + file + " allgatherv/linear-ring -n 6 --size 100 --format json");
    ASSERT_EQ(swept.size(), 2);
    EXPECT_EQ(swept[0]["time_s"], swept[1]["time_s"]);
    EXPECT_EQ(command("compare " + file + " allgatherv/pipelined-ring -n 6 --size 100").code, 0);
}

/// A table: every verb that takes an id, with every kind of file.
TEST_F(ScheduleFiles, standInEveryVerbWhateverTheirKind) {
    const std::string problem = "-n 4 --size 1024";
    const std::string ring = "allgatherv/linear-ring " + problem;
    const std::string files[] = {
        write("ring.lua", engine::contentOf(support::sourceFolder() / "resources/scripts/ring-allgather.lua", 1 << 20,
                                            "no script")),
        write("ring.json", command("show " + ring + " --format json").out),
        write("ring.xml", command("show " + ring + " --format msccl").out),
        write("ring.goal", command("show " + ring + " --format goal").out),
    };
    std::string opened;
    Surroundings around;
    around.window = [&](gui::Beginning beginning) {
        opened = std::get<Trace>(beginning).report.run->setting.algorithm;
        return done;
    };
    around.picture = [&](const Trace& trace, const std::filesystem::path&, const gui::Picture&, const auto&) {
        opened = trace.report.run->setting.algorithm;
    };
    const nlohmann::json best = jsonOf("run " + ring + " --format json");
    for (const std::string& file : files) {
        const std::string asked = file + ' ' + problem;
        for (const std::string& line :
             {"describe " + file, "show " + asked, "show " + asked + " --format json",
              "show " + asked + " --format goal", "verify " + asked, "run " + asked, "run " + asked + " --on threads",
              "sweep " + asked + " allgatherv/pipelined-ring", "compare " + asked + " allgatherv/pipelined-ring",
              "export " + asked + " --force -o " + file + ".csv"}) {
            const Answer answer = command(line);
            EXPECT_EQ(answer.code, 0) << line << '\n' << answer.out << answer.err;
        }
        EXPECT_EQ(jsonOf("run " + asked + " --format json")["time_s"], best["time_s"]) << file;
        for (const std::string& line : {"view " + asked, "export " + asked + " -o " + file + ".svg"}) {
            opened.clear();
            EXPECT_EQ(command(line, around).code, 0) << line;
            EXPECT_EQ(opened, file) << line;
        }
        const auto rules = engine::live::rulesFromText("allgather intra 4 0..1MiB " + file + '\n', "rules");
        ASSERT_EQ(rules.size(), 1U) << file;
        EXPECT_EQ(rules.front().algorithm->id, file);
    }
}

TEST_F(ScheduleFiles, refuseFlagsThatContradictThem) {
    const std::string file = write("tree.json", command("show bcast/binomial-tree -n 5 --size 64 --format json").out);
    for (const char* flags : {"-n 6", "-n 2..7", "--size 65", "--root 1"}) {
        const Answer answer = command("verify " + file + " " + flags);
        EXPECT_EQ(answer.code, 2) << flags;
        EXPECT_NE(answer.err.find("contains the schedule for"), std::string::npos) << answer.err;
    }
    EXPECT_EQ(command("verify " + file + " -n 5 --size 64 --root 0").code, 0);
}

TEST_F(ScheduleFiles, sayWhatIsWrong) {
    const std::string right = command("show bcast/binomial-tree -n 5 --size 64 --format json").out;
    const struct {
        const char* from;
        const char* to;
        const char* sentence;
    } mistakes[] = {
        {"\"from\":0", "\"from\":9", ":13: 'from' is rank 9, but ranks are 0 to 4"},
        {"\"from\":0", "\"from\":0.5", ":13: 'from' must be a whole number"},
        {"[[0,64]]", "[[0,65]]", ":13: "},
        {"\"bytes\":64,\"ranges\"", "\"bytes\":63,\"ranges\"", ":13: 'bytes' is 63, but its ranges have 64"},
        {"\"bcast\"", "\"bcost\"", ":3: unknown collective 'bcost'; did you mean bcast?"},
        {"\"rounds\"", "rounds", ":6: a member's name must be a word in quotes"},
        {"\"messages\"", "\"massages\"", ":1: 'messages' is missing"},
        {"\"root\": 0", "\"root\": 7", "root 7 is outside 0..4"},
    };
    for (const auto& mistake : mistakes) {
        const std::string file = write("wrong.json", replaced(right, mistake.from, mistake.to));
        const Answer answer = command("verify " + file);
        EXPECT_EQ(answer.code, 2) << mistake.to;
        EXPECT_NE(answer.err.find("wrong.json:"), std::string::npos) << answer.err;
        EXPECT_NE(answer.err.find(mistake.sentence), std::string::npos) << answer.err;
    }
    EXPECT_EQ(command("verify ./no-such-file.json -n 4").code, 2);
}

TEST_F(ScheduleFiles, areRefutedWhenTheyAreWrong) {
    const std::string right = command("show bcast/binomial-tree -n 5 --size 64 --format json").out;
    const Answer answer = command("verify " + write("late.json", replaced(right, "\"round\":0", "\"round\":2")));
    EXPECT_EQ(answer.code, 1);
    EXPECT_NE(answer.out.find("refuted"), std::string::npos);
}

/// Else a script that fails for all but the smallest problems would count as proved.
TEST_F(ScheduleFiles, areNotProvedWhereTheyFail) {
    const std::string file = write("mine.lua", R"(algorithm { collective = "allgatherv" }
function rounds() return n - 1 end
function turn(rank, round)
  if n >= 4 then block(-1) end
  send((rank + 1) % n, block((rank - round) % n))
  receive((rank - 1) % n, block((rank - round - 1) % n))
end
)");
    EXPECT_EQ(command("verify " + file + " -n 2..3").code, 0);
    for (const char* verb : {"verify", "sweep"}) {
        const Answer answer = command(engine::text(verb, ' ', file, " -n 2..8"));
        EXPECT_EQ(answer.code, 2) << answer.out;
        EXPECT_NE(answer.err.find(file + ":4: block: block -1 does not exist"), std::string::npos) << answer.err;
        EXPECT_NE(answer.err.find(" -n "), std::string::npos) << answer.err;
    }
}

/// A file beside the reader has no slash in its name, as collectives have none.
TEST_F(ScheduleFiles, areRulesToo) {
    const std::string file = write(
        "mine.lua",
        engine::contentOf(support::sourceFolder() / "resources/scripts/ring-allgather.lua", 1 << 20, "no script"));
    EXPECT_NE(command("rules " + file + " -n 2..8").out.find("allgatherv intra 2..8 128KiB..512KiB " + file),
              std::string::npos);
    for (const char* word : {"no-such.lua", "no-such.lua:segments=2"})
        EXPECT_NE(command(engine::text("rules ", word, " -n 2..8")).err.find("cannot read 'no-such.lua'"),
                  std::string::npos)
            << command(engine::text("rules ", word, " -n 2..8")).err;
}

TEST_F(ScheduleFiles, tellTheFirstCounterExamplesAndCountTheRest) {
    const std::string file = write("mine.lua", R"(algorithm { collective = "allgatherv" }
function rounds() return 1 end
function turn(rank) send((rank + 1) % n, block(rank)) end
)");
    const Answer answer = command("verify " + file + " -n 2..40");
    EXPECT_EQ(answer.code, 1);
    EXPECT_EQ(std::count(answer.out.begin(), answer.out.end(), '\n'), 3 * 2 + 2) << answer.out;
    EXPECT_NE(answer.out.find("39 refuted; 36 of them not shown"), std::string::npos) << answer.out;
    const std::string all = command("verify " + file + " -n 2..40 --format json").out;
    std::size_t told = 0;
    for (std::size_t at = 0; (at = all.find("\"counter_example\":", at)) != std::string::npos; ++at) ++told;
    EXPECT_EQ(told, 39U);
}

/// A few bytes of it changed, taken away, doubled, or other numbers put in their place.
std::string mutated(std::string content, std::mt19937& chance) {
    const auto below = [&](std::size_t end) { return std::uniform_int_distribution<std::size_t>{0, end - 1}(chance); };
    constexpr std::string_view others = "0123456789-+*/%(){}[]\",:.=~ nrt\n";
    for (std::size_t times = 1 + below(3); times > 0 && !content.empty(); --times) {
        const std::size_t at = below(content.size());
        const std::size_t length = std::min(1 + below(12), content.size() - at);
        switch (below(5)) {
            case 0: content[at] = others[below(others.size())]; break;
            case 1: content.erase(at, length); break;
            case 2: content.insert(at, content.substr(below(content.size()), length)); break;
            case 3: content.insert(at, 1, others[below(others.size())]); break;
            default:
                if (const auto digit = content.find_first_of("0123456789", at); digit != std::string::npos)
                    content.replace(digit, 1, std::array{"9", "-1", "99999999999", "0.5", "0"}[below(5)]);
        }
    }
    return content;
}

TEST_F(ScheduleFiles, areASentenceWhenTheyAreSpoilt) {
    std::vector<std::pair<std::string, std::string>> seeds;  // name and content
    for (const char* name : {"ring-allgather", "ring-allgather-wrong", "tree-bcast", "ring-allreduce"})
        seeds.emplace_back(
            "s.lua", engine::contentOf(support::sourceFolder() / "resources/scripts" / (std::string{name} + ".lua"),
                                       1 << 20, "no script"));
    for (const char* line :
         {"allgatherv/linear-ring -n 4 --size 10", "allreduce/ring -n 3 --size 24", "barrier/tree -n 5",
          "allreduce/dissemination -n 5 --size 8", "alltoallv/ring -n 3 --size 5"})
        seeds.emplace_back("s.json", command(engine::text("show ", line, " --format json")).out);
    for (const char* line :
         {"allgatherv/linear-ring -n 4 --size 12", "allreduce/ring -n 3 --size 24", "bcast/binomial-tree -n 5 --size 8",
          "alltoallv/bruck -n 4 --size 4", "allreduce/dissemination -n 5 --size 8"})
        seeds.emplace_back("s.xml", command(engine::text("show ", line, " --format msccl")).out);
    for (const char* line : {"allgatherv/linear-ring -n 4 --size 12", "allreduce/binomial-tree -n 4 --size 8",
                             "bcast/pipelined-chain -n 4 --size 12 --set segments=3"})
        seeds.emplace_back("s.goal", command(engine::text("show ", line, " --format goal")).out);
    std::mt19937 chance{21};
    int refused = 0;
    for (int i = 0; i < 900; ++i) {
        const auto& [name, content] = seeds[static_cast<std::size_t>(i) % seeds.size()];
        const std::string spoilt = mutated(content, chance);
        const std::string file = write(name, spoilt);
        const Answer answer = command("verify " + file + (name == "s.lua" ? " -n 2..6" : ""));
        EXPECT_TRUE(answer.code >= 0 && answer.code <= 2) << answer.err << spoilt;
        EXPECT_EQ(answer.err.find("defect"), std::string::npos) << answer.err << spoilt;
        if (answer.code == 1) {  // what of it runs is shown
            const Answer run = command("run " + file + (name == "s.lua" ? " -n 5" : ""));
            EXPECT_TRUE(run.code >= 0 && run.code <= 2) << run.err << spoilt;
            EXPECT_EQ(run.err.find("defect"), std::string::npos) << run.err << spoilt;
        }
        if (answer.code != 2) continue;
        ++refused;
        EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 1) << answer.err << spoilt;
        EXPECT_NE(answer.err.find(name), std::string::npos) << answer.err << spoilt;
    }
    EXPECT_GT(refused, 60);
}

}  // namespace
}  // namespace app::cli
