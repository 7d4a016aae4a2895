// SPDX-License-Identifier: BSD-3-Clause
#include "tests/app/cli/command.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace app::cli {
namespace {

using nlohmann::json;

const std::string ring = "halfduplex-allgather/ring-streams -p 4 -q 6 --size 1000";

TEST(RunJson, hasEveryKeyOfTheContract) {
    const json run = jsonOf("run " + ring + " --format json");
    for (const char* key : {"algorithm", "problem", "on", "model", "topology", "rounds", "messages", "bytes", "time_s",
                            "lockstep_time_s", "per_rank", "links", "bounds", "gap", "verified", "dropped_events"})
        EXPECT_TRUE(run.contains(key)) << key;
    EXPECT_EQ(run["algorithm"], "halfduplex-allgather/ring-streams");
    EXPECT_EQ(run["on"], "virtual");
    EXPECT_EQ(run["topology"], "ring");
    EXPECT_EQ(run["rounds"], 7);
    EXPECT_EQ(run["messages"], 37);
    EXPECT_EQ(run["bytes"], 37000);
    EXPECT_DOUBLE_EQ(run["time_s"], 7 * (1e-6 + 0.4e-9 * 1000));
    EXPECT_EQ(run["time_s"], run["lockstep_time_s"]);
    EXPECT_EQ(run["time_s"], run["predicted_time_s"]);
    EXPECT_EQ(run["bounds"]["startups"], 5);
    EXPECT_EQ(run["bounds"]["volume_bytes"], 4000);
    EXPECT_EQ(run["bounds"]["unit_rounds"], 6);
    EXPECT_EQ(run["bounds"]["class"], "one-block messages");
    const json& whole = run["bounds"]["whole_blocks"];
    EXPECT_EQ(whole["rounds"], run["bounds"]["rounds"]);
    EXPECT_EQ(whole["time_s"], run["bounds"]["time_s"]);
    EXPECT_EQ(whole["bytes_in_a_row"], 6000);
    EXPECT_EQ(whole["attained"], "halfduplex-allgather/ring-belts");
    EXPECT_EQ(run["bounds"]["cut_at_will"]["rounds"], 5);
    EXPECT_TRUE(run["bounds"]["cut_at_will"]["attained"].is_null());
    EXPECT_EQ(run["links"]["busiest"], (json{{"name", "0 -> 9"}, {"bytes", 1000}, {"round", 0}}));
    EXPECT_EQ(run["verified"], true);
    EXPECT_EQ(run["dropped_events"], 0);
    double gap = 0;
    for (const auto& [cause, time] : run["gap"].items()) gap += time.get<double>();
    EXPECT_NEAR(gap, run["time_s"].get<double>() - run["bounds"]["time_s"].get<double>(), 1e-15);
    for (const char* part : {"absent_s", "busy_s", "no_communication_s", "finished_early_s"})
        EXPECT_EQ(run["per_rank"][part].size(), 10U);
}

TEST(RunJson, cutsTheTimeOfEachRankIntoThreeParts) {
    const nlohmann::json run = jsonOf("run scan/linear -n 4 --arrival ramp:30us --format json");
    const nlohmann::json& ranks = run["per_rank"];
    for (std::size_t rank = 0; rank < 4; ++rank) {
        const double sum = ranks["busy_s"][rank].get<double>() + ranks["no_communication_s"][rank].get<double>() +
                           ranks["finished_early_s"][rank].get<double>();
        EXPECT_NEAR(sum, run["time_s"].get<double>(), 1e-15) << rank;
        EXPECT_NEAR(ranks["absent_s"][rank].get<double>(), 10e-6 * static_cast<double>(rank), 1e-15);
    }
}

TEST(RunJson, namesTheCutThatDecidesTheBound) {
    const json run = jsonOf("run allgatherv/bruck -n 8 --topology cluster:4,between=1us+4ns/B --format json");
    const json& bounds = run["bounds"];
    const json& network = bounds["network"];
    EXPECT_EQ(network["kind"], "cut");
    EXPECT_EQ(network["bytes"], 4 * 65536.0);
    EXPECT_NEAR(network["bytes_per_s"].get<double>(), 0.25e9, 1);
    EXPECT_NEAR(network["time_s"].get<double>(), 4 * 65536 * 4e-9, 1e-9);
    EXPECT_EQ(network["sending_ranks"].size(), 4U);
    EXPECT_EQ(network["links"].size(), 1U);
    EXPECT_EQ(network["run_bytes"], 21 * 65536);
    EXPECT_EQ(network["beaten"], false);
    EXPECT_NEAR(bounds["time_s"].get<double>(),
                bounds["full_network_time_s"].get<double>() + bounds["network_forces_s"].get<double>(), 1e-12);
    const json none = jsonOf("run allgatherv/bruck -n 8 --sharing none --topology cluster:4 --format json");
    EXPECT_TRUE(none["bounds"]["network"].is_null());
}

TEST(RunJson, saysTheVersion) {
    const json run = jsonOf("run bcast/flat -n 4 --format json");
    EXPECT_EQ(command("--version").out, "collscope " + run["version"].get<std::string>() + "\n");
}

TEST(RunJson, leavesUnknownValuesNull) {
    const json run = jsonOf("run " + ring + " --on threads --format json");
    EXPECT_EQ(run["on"], "threads");
    EXPECT_TRUE(run["model"].is_null());
    EXPECT_TRUE(run["lockstep_time_s"].is_null());
    EXPECT_TRUE(run["bounds"]["time_s"].is_null());
    EXPECT_TRUE(run["gap"]["waiting_s"].is_null());
    EXPECT_EQ(run["bounds"]["startups"], 5);
    EXPECT_EQ(run["verified"], true);
    const json full = jsonOf("run bcast/flat -n 4 --format json");
    EXPECT_TRUE(full["links"]["busiest"].is_null());
}

TEST(RunSplitPhase, saysHowMuchWasHidden) {
    const std::string line =
        "run allreduce/pairwise-exchange -n 4 --size 1KiB --on threads --split-phase --compute 2ms "
        "--tests 8 --repeat 4";
    const json run = jsonOf(line + " --format json");
    EXPECT_EQ(run["on"], "threads");
    EXPECT_EQ(run["verified"], true);
    EXPECT_EQ(run["measurement"]["methods"].size(), 3U);
    const json& halves = run["split_phase"];
    EXPECT_EQ(halves["transport"], "one-sided");
    EXPECT_EQ(halves["compute_s"], 0.002);
    EXPECT_EQ(halves["tests"], 8);
    EXPECT_GE(halves["with_overlap_s"], 0.002);
    EXPECT_GE(halves["computation_alone_s"], 0.002);
    EXPECT_GT(halves["communication_alone_s"], 0);
    EXPECT_LE(halves["hidden_share"], 1);
    const Answer people = command(line);
    EXPECT_EQ(people.code, 0) << people.err;
    EXPECT_NE(people.out.find(" of the communication was hidden"), std::string::npos) << people.out;
    EXPECT_TRUE(
        jsonOf("run allreduce/bruck -n 3 --on threads --split-phase --format json")["split_phase"]["hidden_share"]
            .is_null());
}

TEST(RunSplitPhase, saysInVirtualTimeWhoHadToLookHowOften) {
    const std::string line =
        "run allreduce/bruck -n 16 --size 8 --alpha 1us --beta 0ns/B --split-phase --compute 10us --tests 2us,5us";
    const json halves = jsonOf(line + " --format json")["split_phase"];
    EXPECT_EQ(halves["communication_alone_s"], 4e-6);
    EXPECT_EQ(halves["computation_alone_s"], 10e-6);
    EXPECT_EQ(halves["with_overlap_s"], 11e-6);
    EXPECT_EQ(halves["hidden_share"], 0.75);
    EXPECT_EQ(halves["calls"]["most"], 4);
    EXPECT_EQ(halves["tests"], 2);
    EXPECT_EQ(halves["tests_at_s"][1], 5e-6);
    EXPECT_EQ(halves["background"], false);
    const Answer people = command(line);
    EXPECT_EQ(people.code, 0) << people.err;
    EXPECT_NE(people.out.find("split-phase, one-sided: 4 us of communication alone, 10 us of computation alone, 11 us"),
              std::string::npos)
        << people.out;
    EXPECT_NE(people.out.find("at most 4 calls until it had the result"), std::string::npos) << people.out;
    EXPECT_EQ(jsonOf("run allreduce/bruck -n 16 --size 8 --split-phase --compute 10us --background --format json")
                  ["split_phase"]["hidden_share"],
              1);
}

TEST(RunReduction, costsWhatItsOperationDoes) {
    const std::string line =
        "run allreduce/bruck -n 4 --size 1000 --alpha 1us --beta 0ns/B --gamma 1ns/B --gamma-of "
        "max=3ns/B,user=1us/B --format json --op ";
    EXPECT_EQ(jsonOf(line + "sum")["time_s"], 5e-6);
    EXPECT_EQ(jsonOf(line + "max")["time_s"], 11e-6);
    EXPECT_EQ(jsonOf(line + "user")["time_s"], 3002e-6);
    EXPECT_EQ(jsonOf(line + "max --type uint64")["model"]["gamma_of_s_per_byte"]["max"], 3e-9);
}

TEST(RunReduction, choosesHowManyMessagesARankSends) {
    const auto chosen = [](const std::string& words) {
        return jsonOf("run allreduce/adapted-dissemination --size 8 --format json " + words)["chosen"]["n"];
    };
    EXPECT_EQ(chosen("-n 41 --set n=smallest"), 3);
    EXPECT_EQ(chosen("-n 96 --set n=smallest --ports 8"), 1);
    EXPECT_EQ(chosen("-n 96 --set n=best --ports 8"), 4) << "three rounds; the least n of those";
    EXPECT_EQ(chosen("-n 96 --set n=best --ports 1"), 1) << "messages follow each other";
}

TEST(RunCsv, hasOneLineOfNumbers) {
    const auto lines = engine::split(command("run " + ring + " --format csv").out, '\n');
    ASSERT_EQ(lines.size(), 3U);  // and an empty one after the last line break
    EXPECT_EQ(lines[0],
              "algorithm,problem,on,topology,rounds,messages,bytes,time_s,lockstep_time_s,predicted_time_s,idle_share,"
              "bound_rounds,bound_volume_bytes,bound_time_s,verified,startups");
    EXPECT_EQ(
        lines[1].rfind("halfduplex-allgather/ring-streams,halfduplex-allgather p=4 q=6 sizes=4x1000,virtual,ring,7,"
                       "37,37000,9.8e-06,9.8e-06,9.8e-06,",
                       0),
        0U)
        << lines[1];
    const std::string queued = command("run allreduce/bruck -n 28 --ports 1 --set n=5 --format csv").out;
    EXPECT_NE(queued.find(",full,2,"), std::string::npos) << queued;
    EXPECT_TRUE(queued.ends_with(",true,9\n")) << queued;
    const auto irregular = command("run allgatherv/linear-ring -n 2 --sizes linear --size 8 --format csv").out;
    EXPECT_NE(irregular.find("\"allgatherv n=2 sizes=16,0\""), std::string::npos) << irregular;
}

TEST(RunText, saysTheResultFirst) {
    const Answer answer = command("run " + ring);
    EXPECT_EQ(answer.code, 0);
    EXPECT_EQ(answer.out.rfind(
                  "halfduplex-allgather/ring-streams: 7 rounds, 1 above the one-block lower bound of 6; 9.8 us\n", 0),
              0U)
        << answer.out;
    for (const char* words : {"schedule proved", "above the one-block lower bound, because of", "extra startups",
                              "extra bytes", "busiest link", "(p + q/2)(alpha + beta k)"})
        EXPECT_NE(answer.out.find(words), std::string::npos) << words;
    const std::string belts = command("run halfduplex-allgather/ring-belts -p 4 -q 6").out;
    EXPECT_NE(belts.find("6 rounds, as few as possible with one-block messages"), std::string::npos);
    EXPECT_NE(belts.find("\nas fast as the one-block lower bound; for any messages the lower bound is "),
              std::string::npos)
        << belts;
    // The sentence keeps within the width of text.
    EXPECT_NE(command("run bcast/binomial-tree -n 8").out.find("64.2% below the\none-block bound"), std::string::npos);
    // What one rank has through its ports is no more than there is, however long the chain.
    EXPECT_NE(command("run bcast/chain -n 64 --size 2MiB").out.find("busiest rank         2 MiB            2 MiB"),
              std::string::npos);
}

TEST(RunText, saysEveryNumberInItsPlace) {
    const std::string out = command("run halfduplex-allgather/ring-streams -p 4 -q 6").out;
    for (const char* line :
         {"messages      37, 2.31 MiB in total", "connections   10 pairs of ranks, at most 2 per rank",
          "idle          21.4% of total rank time: 11.4% waiting, 10% finished early",
          "busiest link  in one round: 0 -> 9, 64 KiB (round 1); in the whole run: 3 -> 4 and 1 other link,",
          "rounds                   7                6        5        7            7",
          "busiest rank       320 KiB          256 KiB  256 KiB        -      320 KiB", "extra startups     1 us",
          "extra bytes     26.2 us"})
        EXPECT_NE(out.find(line), std::string::npos) << line << "\n" << out;
}

TEST(CompareCsv, saysHowManyTimesTheFirstAndTheBound) {
    const auto lines =
        engine::split(command("compare bcast/flat bcast/chain bcast/binomial-tree -n 5 --format csv").out, '\n');
    const auto names = engine::split(lines.at(0), ',');
    const auto number = [&](std::size_t line, const char* name) {
        const auto column = std::find(names.begin(), names.end(), name) - names.begin();
        return std::stod(engine::split(lines.at(line), ',').at(static_cast<std::size_t>(column)));
    };
    for (std::size_t line = 1; line <= 3; ++line) {
        EXPECT_NEAR(number(line, "times_first"), number(line, "time_s") / number(1, "time_s"), 1e-6) << line;
        EXPECT_NEAR(number(line, "times_bound"), number(line, "time_s") / number(line, "bound_time_s"), 1e-6) << line;
    }
}

TEST(RunText, isColouredOnlyWhenAsked) {
    EXPECT_EQ(command("run " + ring).out.find('\033'), std::string::npos);
    EXPECT_NE(command("run " + ring, {.colour = true}).out.find("\033[1m"), std::string::npos);
}

class Folder : public ::testing::Test {
protected:
    Folder() { std::filesystem::create_directories(path_); }
    ~Folder() override { std::filesystem::remove_all(path_); }
    [[nodiscard]] std::string at(const std::string& name) const { return (path_ / name).string(); }
    [[nodiscard]] std::string contents(const std::string& name) const {
        std::ifstream file{path_ / name};
        return {std::istreambuf_iterator<char>{file}, {}};
    }
    std::filesystem::path path_ =
        std::filesystem::temp_directory_path() /
        (std::string{"collscope-cli-"} + ::testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(Folder, getsATraceThatOpensAsTheRun) {
    const Answer recorded = command("run " + ring + " --trace " + at("deep/trace"));
    ASSERT_EQ(recorded.code, 0) << recorded.err;
    EXPECT_NE(recorded.out.find("recorded in " + at("deep/trace")), std::string::npos);
    json opened = jsonOf("open " + at("deep/trace") + " --format json");
    ASSERT_GE(opened["says"].size(), 2U);
    ASSERT_EQ(opened["findings"].size(), opened["says"].size());
    for (std::size_t i = 0; i < opened["says"].size(); ++i) {
        const nlohmann::json& finding = opened["findings"][i];
        EXPECT_EQ(finding["says"], opened["says"][i]);
        EXPECT_FALSE(finding["kind"].get<std::string>().empty());
        EXPECT_FALSE(finding["severity"].get<std::string>().empty());
        EXPECT_TRUE(finding["values"].is_object());
    }
    opened.erase("says");
    opened.erase("findings");
    EXPECT_EQ(opened, jsonOf("run " + ring + " --format json"));
    EXPECT_EQ(command("run " + ring + " --trace " + at("deep/trace")).code, 2);
    EXPECT_EQ(command("run " + ring + " --force --trace " + at("deep/trace")).code, 0);
    const Answer page = command("open " + at("deep/trace"));
    EXPECT_EQ(page.code, 0);
    for (const char* words : {"7 rounds, 1 above", "algorithm is", "times its one-block lower bound, "})
        EXPECT_NE(page.out.find(words), std::string::npos) << words << '\n' << page.out;
}

TEST_F(Folder, getsTablesOfMessages) {
    ASSERT_EQ(command("export " + ring + " -o " + at("messages.csv")).code, 0);
    const auto lines = engine::split(contents("messages.csv"), '\n');
    ASSERT_EQ(lines.size(), 1U + 37U + 1U);
    EXPECT_EQ(lines[1], "0,0,9,1000,0,1.4e-06,0,1.4e-06,0-1000");
    EXPECT_FALSE(std::filesystem::exists(at("messages.csv.part")));
}

/// Who counts a contribution twice has not solved the problem, however fast.
TEST(RunText, holdsNothingWrongAgainstTheBound) {
    const std::string line = "run allreduce/butterfly -n 3 --set neutral=";
    const Answer wrong = command(line + "no");
    EXPECT_EQ(wrong.code, 1);
    for (const char* words : {"the lower bound", "because of", "for any messages", "as fast as"})
        EXPECT_EQ(wrong.out.find(words), std::string::npos) << words << '\n' << wrong.out;
    EXPECT_NE(wrong.out.find("butterfly: 2 rounds; "), std::string::npos) << wrong.out;
    EXPECT_NE(command(line + "yes").out.find("the lower bound"), std::string::npos);
}

TEST_F(Folder, getsEventsForPerfetto) {
    ASSERT_EQ(command("export allreduce/bruck -n 5 --ports 2 -o " + at("events.json")).code, 0);
    const json events = json::parse(contents("events.json"))["traceEvents"];
    const auto count = [&](const char* phase) {
        return std::count_if(events.begin(), events.end(), [&](const json& event) { return event["ph"] == phase; });
    };
    EXPECT_EQ(count("M"), 5);
    EXPECT_EQ(count("X"), 2 * 15);
    EXPECT_EQ(count("s"), 15);
    EXPECT_EQ(count("f"), 15);
}

TEST_F(Folder, getsPicturesFromTheWindowsRoom) {
    gui::Picture drawn;
    std::string file;
    Surroundings around;
    around.picture = [&](const Trace& trace, const std::filesystem::path& path, const gui::Picture& picture,
                         const engine::Progress&) {
        EXPECT_EQ(trace.report.run->rounds, 7);
        drawn = picture;
        file = path.string();
    };
    const Answer answer = command("export " + ring + " -o x.svg --view network --width 640 --time 3us --dark", around);
    EXPECT_EQ(answer.code, 0) << answer.err;
    EXPECT_EQ(file, "x.svg");
    EXPECT_EQ(drawn.view, "network");
    EXPECT_EQ(drawn.width, 640);
    EXPECT_EQ(drawn.time, engine::Picoseconds{3'000'000});
    EXPECT_TRUE(drawn.dark);
}

TEST(View, opensTheWindow) {
    Surroundings around;
    std::optional<std::int64_t> rounds;
    around.window = [&](const gui::Beginning& beginning) {
        const auto* trace = std::get_if<Trace>(&beginning);
        rounds = trace != nullptr ? trace->report.run->rounds : -1;
        return 7;
    };
    EXPECT_EQ(command("", around).code, 7);
    EXPECT_EQ(rounds, -1);
    EXPECT_EQ(command("view " + ring, around).code, 7);
    EXPECT_EQ(rounds, 7);
}

TEST_F(Folder, leavesTheReadingOfATraceToTheWindow) {
    const std::string archive = at("ring");
    ASSERT_EQ(command("run " + ring + " --trace " + archive).code, 0);
    // Of files of events nothing is known before they are read.
    std::filesystem::remove_all(at("ring/traces"));
    Surroundings around;
    std::vector<gui::Unread> opened;
    around.window = [&](const gui::Beginning& beginning) {
        opened.push_back(std::get<gui::Unread>(beginning));
        return 7;
    };
    EXPECT_EQ(command("view " + archive + " --index none --memory 1GiB", around).code, 7);
    ASSERT_EQ(opened.size(), 1U);
    EXPECT_EQ(opened[0].path, archive);
    EXPECT_EQ(opened[0].opening.keep, traces::Keep::nowhere);
    EXPECT_EQ(opened[0].opening.memory.bytes, std::uint64_t{1} << 30);
}

TEST_F(Folder, tellsSavedWindowsFromSchedules) {
    Surroundings around;
    std::optional<gui::Beginning> opened;
    around.window = [&](const gui::Beginning& beginning) {
        opened = beginning;
        return 7;
    };
    std::ofstream{at("saved.json")} << R"({"collscope_session": 1, "run": "bcast/chain -n 4"})";
    ASSERT_EQ(command("view " + at("saved.json"), around).code, 7);
    EXPECT_EQ(std::get<gui::SavedWindow>(*opened).file, at("saved.json"));
    EXPECT_EQ(command("view " + at("saved.json") + " -n 8", around).code, 2);
    std::ofstream{at("schedule.json")} << command("show bcast/chain -n 4 --format json").out;
    ASSERT_EQ(command("view " + at("schedule.json"), around).code, 7);
    EXPECT_TRUE(std::holds_alternative<Trace>(*opened));
}

TEST_F(Folder, opensTuningsInTheWindow) {
    Surroundings around;
    std::optional<gui::Beginning> opened;
    around.window = [&](const gui::Beginning& beginning) {
        opened = beginning;
        return 7;
    };
    const std::string measured = at("rules.conf.measured");
    std::ofstream{at("rules.conf")} << "1\n7\n";
    std::ofstream{measured}
        << "# measurements of collscope tune\nconditions\tOpen MPI 4.1.4\ncell\tbcast 8 1024 0 | 0 default "
           "0 0 0\n";
    for (const std::string& named : {measured, at("rules.conf")}) {
        opened.reset();
        ASSERT_EQ(command("view " + named, around).code, 7) << named;
        EXPECT_EQ(std::get<gui::TuningFile>(*opened).file, measured);
    }
    EXPECT_EQ(command("view " + measured + " -n 8", around).code, 2);
    const std::string head = "# measurements of collscope tune\nconditions\tOpen MPI 4.1.4\n";
    std::ofstream{measured} << head << "cell\tbcast 8 1024 0 | 0 default 0 0 0\n";
    for (const std::string& named : {measured, at("rules.conf")}) {
        opened.reset();
        ASSERT_EQ(command("view " + named, around).code, 7) << named;
        EXPECT_EQ(std::get<gui::TuningFile>(*opened).file, measured);
    }
    EXPECT_EQ(command("view " + measured + " -n 8", around).code, 2);
    std::ofstream{measured} << head;
    const Answer refused = command("view " + measured, around);
    EXPECT_EQ(refused.code, 2);
    EXPECT_NE(refused.err.find("no case to measure"), std::string::npos) << refused.err;
}

TEST_F(Folder, opensLessonsInTheWindow) {
    Surroundings around;
    std::optional<gui::LessonFile> opened;
    around.window = [&](const gui::Beginning& beginning) {
        opened = std::get<gui::LessonFile>(beginning);
        return 7;
    };
    const std::string lesson = at("mine.lesson");
    EXPECT_EQ(command("view " + lesson, around).code, 2) << "there is none yet";
    std::ofstream{lesson} << "title: T\n";
    EXPECT_EQ(command("view " + lesson, around).code, 7) << "what is wrong with it stands in the editor";
    EXPECT_EQ(opened->file, lesson);
    for (const char* more : {" -n 8", " mine.lua"}) EXPECT_EQ(command("view " + lesson + more, around).code, 2);
}

TEST_F(Folder, saysWhatIsNoTraceWithoutAWindow) {
    Surroundings around;
    around.window = [](const gui::Beginning&) {
        ADD_FAILURE() << "there is nothing to show";
        return 0;
    };
    const auto refused = [&](const std::string& words, const std::string& part) {
        const Answer answer = command("view " + words, around);
        EXPECT_EQ(answer.code, 2) << words;
        EXPECT_NE(answer.err.find(part), std::string::npos) << answer.err;
        EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 1) << answer.err;
    };
    refused(at("nowhere"), "is not a trace");
    refused(path_.string(), "contains no OTF2 archive");
    std::ofstream{at("words.otf2")} << "nothing of the kind";
    refused(at("words.otf2"), "words.otf2");
    ASSERT_EQ(command("run " + ring + " --trace " + at("ring")).code, 0);
    refused(at("ring") + " --size 4KiB", "--size");
    refused(at("ring") + " --index shelf", "--index");
    std::filesystem::remove(at("ring/traces.def"));
    refused(at("ring"), "traces.def");
}

TEST(Run, choosesForTheModelAndSaysWhat) {
    const std::string problem =
        "run allgatherv/pipelined-ring -n 33 --sizes half-full --size 64KiB --alpha 50us --beta 1ns/B --set "
        "empty=skipped --set placement=equidistant";
    const Answer answer = command(problem);
    EXPECT_NE(answer.out.find("\n  options      empty=skipped, placement=equidistant, block=63609 (chosen)\n"),
              std::string::npos)
        << answer.out;
    const nlohmann::json chosen = jsonOf(problem + " --format json");
    EXPECT_EQ(chosen["chosen"], (nlohmann::json{{"block", 63609}}));
    EXPECT_LE(chosen["time_s"].get<double>(), 3.92e-3);
    const nlohmann::json given = jsonOf(problem + " --set block=63609 --format json");
    EXPECT_EQ(given["time_s"], chosen["time_s"]);
    EXPECT_EQ(given["chosen"], nlohmann::json::object());
}

/// Without inside= and between= the links of a cluster have no values of their own.
TEST(Run, namesWhyTheFormulaHasNoTime) {
    const auto holds = [](const std::string& line, const std::string& words) {
        std::string out = command(line).out;
        std::replace(out.begin(), out.end(), '\n', ' ');
        for (std::size_t at; (at = out.find("  ")) != std::string::npos;) out.erase(at, 1);
        EXPECT_NE(out.find(words), std::string::npos) << line << '\n' << out;
    };
    const std::string run = "run bcast/binomial-tree -n 8 ";
    holds(run + "--topology cluster:4", "but the links between ranks and network cards take no time)");
    holds(run + "--topology cluster:4,ports=1", "but messages go through the ports of a node one after another)");
    holds(run + "--topology cluster:4,between=1us+4ns/B", "but links of the network have values of their own)");
    holds(run + "--slow-ranks 3:3", "(time not evaluated: the formula is for equal ranks that start together)");
}

}  // namespace
}  // namespace app::cli
