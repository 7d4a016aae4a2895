// SPDX-License-Identifier: BSD-3-Clause
// Homework: what holds of each file, also of one that never ends.
#include "tests/app/cli/command.hpp"
#include "tests/support/places.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <optional>

namespace app::cli {
namespace {

using nlohmann::json;

std::string resource(const std::string& path) { return (support::sourceFolder() / "resources" / path).string(); }

/// A file that is gone when this is.
class Written {
public:
    Written(const std::string& name, const std::string& content)
        : path_{(std::filesystem::path{testing::TempDir()} / name).string()} {
        std::ofstream{path_} << content;
    }
    Written(const Written&) = delete;
    Written& operator=(const Written&) = delete;
    ~Written() { std::filesystem::remove(path_); }

    [[nodiscard]] const std::string& path() const { return path_; }

private:
    std::string path_;
};

TEST(Grade, opensTheTaskInTheWindow) {
    const std::string task = resource("tasks/ring-allgather.task");
    std::optional<gui::TaskFile> opened;
    Surroundings around;
    around.window = [&](gui::Beginning beginning) {
        opened = std::get<gui::TaskFile>(beginning);
        return done;
    };
    EXPECT_EQ(command("view " + task, around).code, 0);
    EXPECT_EQ(opened->task, task);
    EXPECT_TRUE(opened->algorithm.empty());
    const std::string mine = resource("scripts/ring-allgather.lua");
    EXPECT_EQ(command("view " + task + " " + mine, around).code, 0);
    EXPECT_EQ(opened->algorithm, mine);
    for (const std::string& line :
         {"view " + task + " bcast/flat", "view " + task + " -n 4", std::string{"view out/belts mine.lua"},
          "view " + task + " nowhere/mine.lua", "view " + task + " " + task}) {
        const Answer answer = command(line, around);
        EXPECT_EQ(answer.code, 2) << line;
        EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 1) << answer.err;
    }
}

TEST(Grade, saysWhatHoldsOfEachFile) {
    const std::string line = "grade " + resource("tasks/ring-allgather.task") + " " +
                             resource("scripts/ring-allgather.lua") + " " +
                             resource("scripts/ring-allgather-wrong.lua");
    const Answer answer = command(line + " --format json");
    EXPECT_EQ(answer.code, 1) << answer.err;
    const json graded = json::parse(answer.out);
    ASSERT_EQ(graded.size(), 2);
    EXPECT_EQ(graded[0]["points"], 10);
    EXPECT_EQ(graded[0]["of"], 10);
    EXPECT_EQ(graded[1]["points"], 0);
    EXPECT_NE(graded[1]["checks"][0]["said"].get<std::string>().find(
                  "Rank 0 sends block 1 to rank 1 in round 2, but never gets it."),
              std::string::npos)
        << graded[1]["checks"][0]["said"];
    EXPECT_EQ(engine::split(command(line + " --format csv").out, '\n').size(), 1 + 8 + 1);
    EXPECT_NE(command(line).out.find("1 of 2  proved: -n 2..12"), std::string::npos) << command(line).out;
}

TEST(Grade, ofTheTreeHoldsItsTask) {
    const Answer answer =
        command("grade " + resource("tasks/tree-bcast.task") + " " + resource("scripts/tree-bcast.lua"));
    EXPECT_EQ(answer.code, 0) << answer.out << answer.err;
    const Answer other = command("grade " + resource("tasks/tree-bcast.task") + " " +
                                 resource("scripts/ring-allgather.lua") + " --format json");
    EXPECT_NE(other.out.find("solves allgatherv, not bcast"), std::string::npos) << other.out;
}

TEST(Grade, reportsWhatNeverEndsOrNeedsTooMuch) {
    // Each turn is short, but there are many; and a table for every rank.
    const Written slow{"collscope-slow.lua", R"(algorithm { collective = "bcast" }
function rounds() return 100000000 end
function turn(rank, round) for i = 1, 100000 do end end
)"};
    const Written large{"collscope-large.json", "{" + std::string(100'000'000, ' ') + "}"};
    const Written short_{"collscope-short.task",
                         "collective: bcast\ncheck: proved, 3 points: -n 4\ncheck: proved: -n 5\n"};
    const Answer answer = command("grade " + short_.path() + " " + slow.path() + " --seconds 1 --format json");
    EXPECT_EQ(answer.code, 1);
    const json checks = json::parse(answer.out)[0]["checks"];
    EXPECT_EQ(checks[0]["said"], "it takes more than 1 s");
    EXPECT_EQ(checks[1]["said"], "not reached: it takes more than 1 s");
    const Answer big = command("grade " + short_.path() + " " + large.path() + " --memory 64MiB --format json");
    EXPECT_NE(big.out.find("it needs more than 64 MiB of memory"), std::string::npos) << big.out;
}

TEST(Grade, givesTheTaskThePorts) {
    const Written flat{"collscope-flat.lua", R"(algorithm { collective = "bcast", ports = 1000 }
function rounds() return 1 end
function turn(rank, round)
  if rank == root then for i = 0, n - 1 do if i ~= root then send(i, all()) end end
  else receive(root, all()) end
end
)"};
    const Answer answer = command("grade " + resource("tasks/tree-bcast.task") + " " + flat.path() + " --format json");
    EXPECT_EQ(answer.code, 1);
    const json graded = json::parse(answer.out)[0];
    EXPECT_EQ(graded["points"], 0);
    EXPECT_NE(graded["checks"][0]["said"].get<std::string>().find("with 1 port"), std::string::npos) << answer.out;
    const Written wide{"collscope-wide.task", "collective: bcast\ncheck: proved, 3 points: -n 4 --ports 3\n"};
    EXPECT_EQ(command("grade " + wide.path() + " " + flat.path()).code, 0);
}

/// A file holds the schedule of one problem: it passes where that is the task's, whatever the task leaves to defaults.
TEST(Grade, letsNoFileDecideOnTheProblem) {
    const std::filesystem::path folder = std::filesystem::path{testing::TempDir()} / "collscope-conditions";
    std::filesystem::create_directories(folder);
    struct Conditions {
        const char *ranks, *size, *root;
        [[nodiscard]] std::string flags() const {
            return engine::text(" -n ", ranks, *size == '\0' ? "" : " --size ", size, *root == '\0' ? "" : " --root ",
                                root);
        }
        /// What a condition that is left out stands for.
        [[nodiscard]] std::string whole() const {
            return engine::text(ranks, ' ', *size == '\0' ? "64KiB" : size, ' ', *root == '\0' ? "0" : root);
        }
    };
    std::vector<Conditions> all;
    for (const char* ranks : {"2", "4"})
        for (const char* size : {"", "0"})
            for (const char* root : {"", "1"}) all.push_back({ranks, size, root});
    std::string files;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const std::string path = (folder / engine::text(i, ".json")).string();
        const Answer shown = command("show bcast/binomial-tree" + all[i].flags() + " --format json");
        ASSERT_EQ(shown.code, 0) << shown.err;
        std::ofstream{path} << shown.out;
        files += " " + path;
    }
    for (const Conditions& task : all)
        for (const char* demand : {"rounds at most 2", "bytes at most 1MiB each"}) {
            const Written written{"collscope-conditions.task",
                                  engine::text("collective: bcast\ncheck: ", demand, ", 1 point:", task.flags(), "\n")};
            const json graded = json::parse(command("grade " + written.path() + files + " --format json").out);
            for (std::size_t i = 0; i < all.size(); ++i)
                EXPECT_EQ(graded[i]["points"] == 1, all[i].whole() == task.whole())
                    << task.flags() << ", " << demand << ": a file for" << all[i].flags() << ": " << graded[i];
        }
    std::filesystem::remove_all(folder);
}

/// What a script says of itself changes nothing: it is held to the task as one that says nothing.
TEST(Grade, letsNoScriptDecideOnTheConditions) {
    const std::string turns = R"(
function rounds() return n - 1 end
function turn(rank, round)
  if rank == root then send((root + round + 1) % n, all()) end
  if rank == (root + round + 1) % n then receive(root, all()) end
end
)";
    const Written plain{"collscope-plain.lua", "algorithm { collective = \"bcast\" }" + turns};
    const Written telling{"collscope-telling.lua",
                          "algorithm { collective = \"bcast\", ports = 64, title = \"x\", idea = \"y\", "
                          "options = { size = { default = 0, low = 0 }, root = { default = 3, low = 0 } } }" +
                              turns};
    for (const char* check : {"proved: -n 2..6", "proved: -n 5 --root 4 --size 0", "rounds at most 3: -n 4 --ports 2",
                              "rounds at most bound + 0: -n 9", "neighbours on ring: -n 4",
                              "bytes at most 99 each: -n 3", "bytes at most 3KiB each: -n 4 --size 1KiB"}) {
        const Written task{"collscope-telling.task", engine::text("collective: bcast\ncheck: ", check, "\n")};
        const json graded = json::parse(
            command("grade " + task.path() + " " + plain.path() + " " + telling.path() + " --format json").out);
        EXPECT_EQ(graded[0]["checks"], graded[1]["checks"]) << check;
    }
}

/// A broadcast of rank 0 to five ranks by messages of a round, a sender and a receiver each.
Written broadcastOf(const std::string& name, const std::vector<std::array<int, 3>>& messages) {
    std::string words = R"({"collective": "bcast", "ranks": 5, "ports": 1, "root": 0,
            "contributions": [{"rank": 0, "bytes": 64}], "messages": [)";
    for (const auto& [round, from, to] : messages)
        words += engine::text(words.ends_with('[') ? "" : ", ", R"({"round": )", round, R"(, "from": )", from,
                              R"(, "to": )", to, R"(, "bytes": 64, "ranges": [[0, 64]]})");
    return Written{name, words + "]}"};
}

/// On a ring of 5 rank 0 reaches ranks 2 and 3 in two rounds, so that a broadcast through one port takes 3 rounds: rank
/// 0 sends both ways, one after the other. Whoever sends nothing in the first round has lost one.
TEST(Grade, tellsWhereTheOptimumWasLost) {
    const Written task{
        "collscope-moves.task",
        "collective: bcast\ncheck: rounds at most optimum + 0, 2 points: -n 5 --size 64 --topology ring\n"
        "check: rounds at most optimum + 1, 1 point: -n 5 --size 64 --topology ring\n"};
    const Written best = broadcastOf("best.json", {{0, 0, 1}, {1, 0, 4}, {1, 1, 2}, {2, 4, 3}});
    const Written late = broadcastOf("late.json", {{0, 0, 1}, {1, 1, 2}, {2, 0, 4}, {2, 2, 3}});
    const Written slow = broadcastOf("slow.json", {{0, 0, 1}, {1, 1, 2}, {2, 2, 3}, {3, 3, 4}});
    const Written far = broadcastOf("far.json", {{0, 0, 2}, {1, 0, 4}, {1, 2, 1}, {2, 4, 3}});
    const json graded = json::parse(command("grade " + task.path() + " " + best.path() + " " + late.path() + " " +
                                            slow.path() + " " + far.path() + " --format json")
                                        .out);
    EXPECT_EQ(graded[0]["points"], 3) << graded;
    EXPECT_EQ(graded[1]["points"], 3) << graded;
    EXPECT_EQ(graded[2]["points"], 1) << graded;
    const std::string why = graded[2].dump();
    EXPECT_NE(why.find("it takes 4 rounds; the optimum is 3"), std::string::npos) << why;
    EXPECT_NE(why.find("It is out of reach after round 3: then rank 4 cannot receive block 0 in time"),
              std::string::npos)
        << why;
    EXPECT_NE(graded[3].dump().find("rank 0 sends to rank 2 in round 1, but they are not neighbours"),
              std::string::npos)
        << graded[3];
}

/// Neighbours are those of the places on which the task puts the ranks.
TEST(Grade, comparesWithTheOptimumOfAPlacement) {
    const Written places{"collscope-places", "2\n0\n1\n3\n4\n"};
    const Written task{
        "collscope-placed.task",
        "collective: bcast\ncheck: rounds at most optimum + 0, 2 points: -n 5 --size 64 --topology mesh:5 "
        "--placement @" +
            places.path() + "\n"};
    const Written best = broadcastOf("placed.json", {{0, 0, 3}, {1, 0, 2}, {1, 3, 4}, {2, 2, 1}});
    const json graded = json::parse(command("grade " + task.path() + " " + best.path() + " --format json").out);
    EXPECT_EQ(graded[0]["points"], 2) << graded;
}

/// A check of the optimum that no file could keep to is a mistake of the task.
TEST(Grade, refusesOptimaThatAreNotKnown) {
    for (const auto& [collective, flags, why] :
         {std::array{"allreduce", "-n 4", "spread data"}, std::array{"bcast", "-n 65", "at most 64"},
          std::array{"bcast", "-n 4 --topology belt", "belt"}, std::array{"barrier", "-n 4", "barrier"}}) {
        const Written task{"collscope-odd.task", std::string{"collective: "} + collective +
                                                     "\n\ncheck: rounds at most optimum + 0, 2 points: " + flags +
                                                     "\n"};
        const Answer answer = command("grade " + task.path() + " " + resource("scripts/moves-bcast.lua"));
        EXPECT_EQ(answer.code, 2) << answer.out;
        EXPECT_NE(answer.err.find(".task:3: "), std::string::npos) << answer.err;
        EXPECT_NE(answer.err.find(why), std::string::npos) << answer.err;
    }
}

/// The moves that come with the program are those of the first two rounds: nothing is lost yet.
TEST(Grade, tellsAfterEachMoveWhetherTheOptimumCanBeReached) {
    const std::string task = resource("tasks/moves-bcast.task");
    const std::string begun = resource("scripts/moves-bcast.lua");
    const std::string first = command("grade " + task + " " + begun + " --format json").out;
    EXPECT_NE(first.find("Adding the right 2 rounds to these still reaches it"), std::string::npos) << first;
    std::ifstream in{begun};
    std::string words{std::istreambuf_iterator<char>{in}, {}};
    const std::string second = "{ 2, 0, 3 }, { 2, 1, 2 }";
    words.replace(words.find(second), second.size(), "{ 3, 0, 3 }");  // nobody moves in round 2
    const Written idle{"collscope-idle.lua", words};
    const std::string late = command("grade " + task + " " + idle.path() + " --format json").out;
    EXPECT_NE(late.find("It is out of reach after round 2: then rank 8 cannot receive block 0 in time"),
              std::string::npos)
        << late;
}

/// Whatever one file is or is called, the others are graded, and no name writes a line of its own.
TEST(Grade, isStoppedByNoFile) {
    const std::filesystem::path folder = std::filesystem::path{testing::TempDir()} / "collscope-graded";
    std::filesystem::create_directories(folder / "folder.lua");
    std::filesystem::create_symlink("nowhere", folder / "dangling.lua");
    std::ofstream{folder / "-n.lua"} << "algorithm {";
    std::ofstream{folder / "a.lua\nb.lua: 10 of 10 points\x1b[2J\u202e"} << "x";
    std::filesystem::copy_file(resource("scripts/tree-bcast.lua"), folder / "good.lua");
    std::vector<std::string> words{"grade", "--", resource("tasks/tree-bcast.task")};
    for (const auto& entry : std::filesystem::directory_iterator{folder}) words.push_back(entry.path().string());
    std::ostringstream out, err;
    EXPECT_EQ(run(words, out, err, {}), 1) << err.str();
    std::filesystem::remove_all(folder);
    std::size_t graded = 0, whole = 0;
    for (const std::string& line : engine::split(out.str(), '\n')) {
        if (!line.starts_with(' ')) graded += line.ends_with(" points") ? 1 : 0;
        if (line.ends_with("10 of 10 points")) whole += line.starts_with('b') ? 100 : 1;
    }
    EXPECT_EQ(graded, 5U) << out.str();
    EXPECT_EQ(whole, 1U) << out.str();
    EXPECT_EQ(out.str().find_first_of("\x1b"), std::string::npos);
    EXPECT_EQ(out.str().find("\u202e"), std::string::npos);
}

TEST(Grade, leavesWhatGradescopeReads) {
    const json results = jsonOf("grade " + resource("tasks/ring-allgather.task") + " " +
                                resource("scripts/ring-allgather.lua") + " --format gradescope");
    EXPECT_EQ(results["score"], 10);
    ASSERT_EQ(results["tests"].size(), 4);
    EXPECT_EQ(results["tests"][0]["max_score"], 4);
    EXPECT_EQ(results["tests"][0]["visibility"], "visible");
    EXPECT_EQ(results["tests"][1]["visibility"], "after_published");
}

TEST(Grade, refusesTasksThatSayNothing) {
    const struct {
        const char* task;
        const char* sentence;
    } wrong[] = {
        {"title: x\n", "the collective is missing"},
        {"collective: bcast\n", "a check is missing"},
        {"collective: bcost\n", ":1: unknown collective 'bcost'"},
        {"collective: bcast\n\ncheck: proofed: -n 2\n", ":3: 'proofed' cannot be checked"},
        {"collective: bcast\ncheck: proved, 3 coins: -n 2\n", ":2: '3 coins' is unknown here"},
        {"collective: bcast\ncheck: proved: --format json\n", ":2: '--format' names no problem"},
        {"collective: scan\n\ncheck: proved: -n 2..9 --set nonsense=yes\n",
         ":3: --set nonsense=yes: a check sets no option of an algorithm"},
        {"collective: bcast\ncheck: proved: -n 2 --set exclusive=yes\n", ":2: --set exclusive=yes: a check"},
        {"collective: scan\ncheck: proved: -n 2 --set exclusive=maybe\n", ":2: --set: exclusive cannot be 'maybe'"},
        {"collective: scan\ncheck: proved: -n 2..9 --root 2\n", ":2: scan takes no --root"},
        {"collective: bcast\ncheck: proved: -n 2..3 --root 3\n", ":2: --root: every root lies outside"},
        {"collective: bcast\ncheck: proved\n", ":2: a check needs its problems"},
        {"collective: bcast\ncheck: proved: -n 2\ncheck: proved: --size 1\n", ":3: a check needs --ranks"},
        {"collective: intergroup-bcast\ncheck: proved: -p 2\n", ":2: a check needs --group-b"}};
    for (const auto& one : wrong) {
        const Written task{"collscope-wrong.task", one.task};
        const Answer answer = command("grade " + task.path() + " x.lua");
        EXPECT_EQ(answer.code, 2) << one.task;
        EXPECT_NE(answer.err.find(one.sentence), std::string::npos) << answer.err;
    }
}

/// An exclusive scan is another problem than an inclusive one, of scripts and of files with one schedule alike.
TEST(Grade, distinguishesExclusiveScans) {
    const std::string turns = R"(
function rounds() return n - 1 end
function turn(rank, round)
  if rank == round then send(rank + 1, all()) end
  if rank == round + 1 then combine(rank - 1, all()WHERE) end
end
)";
    const auto script = [&](const std::string& head, const std::string& where) {
        std::string words = turns;
        return "algorithm { collective = \"scan\"" + head + " }" + words.replace(words.find("WHERE"), 5, where);
    };
    const Written inclusive{"collscope-inclusive.lua", script("", "")};
    const Written exclusive{"collscope-exclusive.lua", script(", slots = 2, result = 1", ", 0, 1")};
    const Written inclusiveFile{"collscope-inclusive.json", command("show scan/linear -n 4 --format json").out};
    const Written exclusiveFile{"collscope-exclusive.json",
                                command("show scan/linear -n 4 --set exclusive=yes --format json").out};
    for (const bool asked : {false, true}) {
        const Written task{"collscope-scan.task", engine::text("collective: scan\ncheck: proved, 1 point: -n 4",
                                                               asked ? " --set exclusive=yes\n" : "\n")};
        const json graded =
            json::parse(command("grade " + task.path() + " " + inclusive.path() + " " + exclusive.path() + " " +
                                inclusiveFile.path() + " " + exclusiveFile.path() + " --format json")
                            .out);
        for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(graded[i]["points"] == 1, asked == (i % 2 == 1)) << graded[i];
    }
    EXPECT_EQ(command("verify " + exclusive.path() + " -n 2..9 --set exclusive=yes").code, 0);
    EXPECT_EQ(command("verify " + inclusive.path() + " -n 2..9 --set exclusive=yes").code, 1);
}

/// Two ranks have no rank 2: no algorithm is to blame.
TEST(Grade, leavesOutWhatIsNoProblemAsVerifyDoes) {
    const Written task{"collscope-root.task", "collective: bcast\ncheck: proved, 4 points: -n 2..9 --root 2\n"};
    const std::string script = resource("scripts/tree-bcast.lua");
    const std::string sentence = "1 combination of the flags is no problem and is";
    EXPECT_EQ(jsonOf("grade " + task.path() + " " + script + " --format json")[0]["checks"][0]["left_out"],
              sentence + " left out: root 2 with 2 ranks.");
    const Answer graded = command("grade " + task.path() + " " + script);
    EXPECT_EQ(graded.code, 0) << graded.out;
    EXPECT_NE(graded.out.find(sentence), std::string::npos) << graded.out;
    const Answer proved = command("verify " + script + " -n 2..9 --root 2");
    EXPECT_EQ(proved.out.rfind("proved 7 of 7 schedules correct", 0), 0U) << proved.out;
    EXPECT_NE(proved.out.find(sentence), std::string::npos) << proved.out;
    EXPECT_EQ(proved.out.find("does not support"), std::string::npos) << proved.out;
}

TEST(Grade, refusesAFileThatIsNotThere) {
    const Answer answer = command("grade " + resource("tasks/tree-bcast.task") + " nowhere.lua");
    EXPECT_EQ(answer.code, 2);
    EXPECT_EQ(answer.err, "collscope: cannot read 'nowhere.lua': it does not exist\n");
    const Answer others =
        command("grade " + resource("tasks/tree-bcast.task") + " nowhere.lua " + resource("scripts/tree-bcast.lua"));
    EXPECT_EQ(others.code, 1) << others.err;
    EXPECT_NE(others.out.find("nowhere.lua: 0 of 10 points"), std::string::npos) << others.out;
    EXPECT_NE(others.out.find("does not exist"), std::string::npos) << others.out;
    EXPECT_NE(others.out.find("tree-bcast.lua: 10 of 10 points"), std::string::npos) << others.out;
    EXPECT_NE(command("describe " + resource("scripts/ring-allgather-wrong.lua")).out.find("file "), std::string::npos);
}

}  // namespace
}  // namespace app::cli
