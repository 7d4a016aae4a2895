// SPDX-License-Identifier: BSD-3-Clause
// open and compare, as a shell calls them.
#include "app/analysis/tables/table_definition.hpp"
#include "tests/app/cli/command.hpp"
#include "tests/support/places.hpp"
#include "traces/export/copy.hpp"
#include "traces/recording/recording_builder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>

namespace app::cli {
namespace {

using nlohmann::json;

class Opened : public testing::Test {
protected:
    void SetUp() override {
        std::filesystem::remove_all(folder_);
        const Answer recorded =
            command("run allgatherv/linear-ring -n 6 --size 1MiB --sizes broadcast --trace " + trace());
        ASSERT_EQ(recorded.code, 0) << recorded.err;
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }
    [[nodiscard]] std::string trace() const { return (folder_ / "trace").string(); }
    [[nodiscard]] Answer open(const std::string& flags) const { return command("open " + trace() + flags); }

private:
    std::filesystem::path folder_ =
        std::filesystem::temp_directory_path() /
        (std::string{"collscope-open-"} + ::testing::UnitTest::GetInstance()->current_test_info()->name());
};

/// Messages by a statement and as an exported table: the same columns but for the contents, the same cells.
TEST_F(Opened, tellsMessagesTheSameWayTwice) {
    const std::string file = trace() + ".csv";
    ASSERT_EQ(command("export " + trace() + " -o " + file).code, 0);
    std::ifstream in{file};
    std::string expected;
    for (std::string row; std::getline(in, row);) expected += row.substr(0, row.rfind(',')) + '\n';
    EXPECT_EQ(open(" --sql select/**/*/**/from/**/messages --format csv").out, expected);
}

/// Every SQL statement quoted in the help and in the documents works.
TEST_F(Opened, answersTheStatementsThatWeShow) {
    std::string texts = command("open --help").out;
    for (const char* name :
         {"resources/docs/commands.md", "resources/docs/reading-traces.md", "resources/docs/questions.md"}) {
        std::ifstream file{support::sourceFolder() / name};
        texts += std::string{std::istreambuf_iterator<char>{file}, {}};
    }
    const std::regex quoted{R"(('|")(select[^`]*?)\1)"};
    int found = 0;
    for (std::sregex_iterator each{texts.begin(), texts.end(), quoted}, end; each != end; ++each, ++found) {
        const std::string statement = std::regex_replace((*each)[2].str(), std::regex{"\\s+"}, " ");
        std::ostringstream out;
        std::ostringstream err;
        EXPECT_EQ(run({"open", trace(), "--sql", statement}, out, err, {}), 0) << statement << '\n' << err.str();
    }
    EXPECT_GE(found, 4);
}

/// Of a part all forms have the numbers of the part, and sentences say that it is one.
TEST_F(Opened, tellsOfAPartTheSameInEveryForm) {
    for (const std::string part :
         {" --ranks 0..2", " --from 1ms", " --to 2ms", " --from 500us --to 3ms --ranks 1..4"}) {
        const json said = json::parse(open(part + " --format json").out);
        std::int64_t messages = 0, bytes = 0;
        const json pairs = json::parse(open(part + " --tables pairs,rounds --format json").out)["tables"];
        for (const json& row : pairs["pairs"]["rows"]) {
            messages += row["messages"].get<std::int64_t>();
            bytes += row["bytes"].get<std::int64_t>();
        }
        EXPECT_GT(messages, 0) << part;
        EXPECT_EQ(said["messages"], messages) << part;
        EXPECT_EQ(said["bytes"], bytes) << part;
        EXPECT_EQ(said["rounds"], pairs["rounds"]["rows"].size()) << part;
        EXPECT_TRUE(said.contains("part")) << part;
        EXPECT_TRUE(said["bounds"].is_null() || said["bounds"]["rounds"].is_null()) << part << said["bounds"];
        const std::string csv = open(part + " --format csv").out;
        EXPECT_NE(csv.find(',' + std::to_string(messages) + ',' + std::to_string(bytes) + ','), std::string::npos)
            << csv;
        const std::string page = open(part).out;
        EXPECT_NE(page.find("In this part: "), std::string::npos) << page;
        EXPECT_NE(page.find(std::to_string(messages) + " message"), std::string::npos) << page;
    }
    EXPECT_FALSE(json::parse(open(" --format json").out).contains("part"));
}

/// A network that does not fit is refused in every form before anything is written.
TEST_F(Opened, writesNothingWhereTheNetworkIsWrong) {
    for (const std::string network : {" --topology torus:2x2", " --topology ring --placement random:x"})
        for (const std::string form : {"", " --format csv", " --format json", " --tables links"}) {
            const Answer refused = open(network + form);
            EXPECT_EQ(refused.code, 2) << network << form;
            EXPECT_EQ(refused.out, "") << network << form;
        }
}

TEST_F(Opened, beginsWithSentences) {
    const Answer page = open("");
    EXPECT_EQ(page.code, 0) << page.err;
    std::string unwrapped = page.out;
    std::replace(unwrapped.begin(), unwrapped.end(), '\n', ' ');
    for (const char* words : {"5 rounds", "Allgatherv of 6 ranks took", "times its one-block lower bound",
                              "times as fast", "are the run's"})
        EXPECT_NE(unwrapped.find(words), std::string::npos) << words << '\n' << page.out;
}

TEST_F(Opened, hasEveryTableInEveryFormat) {
    const json all = json::parse(open(" --tables all --format json").out)["tables"];
    for (const analysis::TableDefinition& definition : analysis::tableDefinitions()) {
        const std::string name{definition.name};
        ASSERT_TRUE(all.contains(name));
        const Answer csv = open(" --tables " + name + " --format csv");
        ASSERT_EQ(csv.code, 0) << csv.err;
        const auto lines = engine::split(csv.out, '\n');
        const json& table = all[name];
        EXPECT_EQ(lines.size(), table["rows"].size() + 2) << name;
        std::string header;
        for (const json& column : table["columns"]) header += (header.empty() ? "" : ",") + column.get<std::string>();
        EXPECT_EQ(lines[0], header);
    }
    EXPECT_NE(open(" --tables all").out.find("critical-path"), std::string::npos);
}

TEST_F(Opened, answersAboutAPart) {
    const json part = json::parse(open(" --tables rounds,ranks --ranks 0..2 --format json").out)["tables"];
    std::int64_t messages = 0;
    for (const json& round : part["rounds"]["rows"]) messages += round["messages"].get<std::int64_t>();
    EXPECT_EQ(messages, 10) << "0>1 and 1>2 in five rounds";
    EXPECT_EQ(open(" --tables rounds --from 1s --format csv").out.find('\n'),
              open(" --tables rounds --from 1s --format csv").out.size() - 1);
    const std::string all = open(" --tables sizes --format csv").out;
    EXPECT_EQ(open(" --tables sizes --message-sizes 0..1GiB --format csv").out, all);
    EXPECT_EQ(open(" --tables sizes --message-sizes 1GiB.. --format csv").out, all.substr(0, all.find('\n') + 1));
}

TEST(OpenedPart, standsOnTheNetworkOfTheWhole) {
    const std::string archive =
        (std::filesystem::path{testing::TempDir()} / engine::text("collscope-part-", getpid())).string();
    // Between ranks of a full network five rounds would do.
    ASSERT_EQ(command("run halfduplex-allgather/ring-belts -p 4 -q 6 --trace " + archive).code, 0);
    for (const char* part : {"", " --from 0s", " --to 1s", " --message-sizes 0.."}) {
        std::string words = command("open " + archive + part).out;
        std::ranges::replace(words, '\n', ' ');
        EXPECT_NE(words.find("one-block lower bound, 163 us"), std::string::npos) << part << '\n' << words;
    }
    std::filesystem::remove_all(archive);
}

TEST_F(Opened, refusesPartsThatSayNothing) {
    for (const auto& [flags, words] : std::vector<std::pair<std::string, std::string>>{
             {" --message-sizes 4KiB..1KiB",
              "--message-sizes: the first number of 4KiB..1KiB must not exceed the second"},
             {" --message-sizes ..8", "--message-sizes: the range '..8' lacks a begin; write for example 0..8"},
             {" --tags -1", "--tags"},
             {" --tags 3", "--tags: a run of Collscope counts rounds in place of tags"}}) {
        const Answer refused = open(flags);
        EXPECT_EQ(refused.code, 2) << flags;
        EXPECT_NE(refused.err.find(words), std::string::npos) << refused.err;
        EXPECT_EQ(refused.out, "") << flags;
    }
}

TEST_F(Opened, saysBeforehandWhatALargeTraceTakes) {
    // Nothing but its size says how large it is.
    std::filesystem::resize_file(trace() + "/traces/0.evt", std::uintmax_t{64} << 30);
    const Answer large = open(" --index none");
    EXPECT_TRUE(std::regex_search(
        large.err, std::regex{"^collscope: reading [0-9,]+ events, 64 GiB: some [0-9.]+ s on all cores"}))
        << large.err;
}

TEST_F(Opened, refusesMistakesInASentence) {
    EXPECT_EQ(open(" --tables rouns").err, "collscope: --tables: unknown table 'rouns'; did you mean rounds?\n");
    EXPECT_EQ(open(" --tables rounds,waits --format csv").code, 2);
    EXPECT_EQ(open(" --ranks 6").err, "collscope: --ranks: no rank 6; the trace has ranks 0 to 5\n");
    EXPECT_EQ(open(" --comm elsewhere").code, 2);
    EXPECT_EQ(open(" --from 2ms --to 1ms").code, 2);
    const Answer after = open(" --from 5s");
    EXPECT_EQ(after.code, 2);
    EXPECT_EQ(after.err.find("collscope: --from: 5 s is after the end, at "), 0U) << after.err;
    EXPECT_EQ(open(" --placement snake").code, 2);
    EXPECT_EQ(open(" --tables links --topology torus:2x2").code, 2);
}

TEST(Compare, putsAlgorithmsSideBySide) {
    const json two = jsonOf(
        "compare allgatherv/linear-ring allgatherv/pipelined-ring:block=65536 -n 6 --size 1MiB "
        "--sizes broadcast --format json");
    ASSERT_EQ(two["runs"]["rows"].size(), 2U);
    EXPECT_EQ(two["runs"]["rows"][0]["rounds"], 5);
    EXPECT_EQ(two["runs"]["rows"][0]["times_first"], 1.0);
    EXPECT_LT(two["runs"]["rows"][1]["times_first"], 0.5);
    EXPECT_GT(two["messages"]["rows"].size(), 5U);
    const Answer csv = command("compare bcast/flat bcast/binomial-tree bcast/chain -n 5 --format csv");
    EXPECT_EQ(engine::split(csv.out, '\n').size(), 5U) << csv.err;
    EXPECT_NE(command("compare bcast/flat bcast/chain -n 5").out.find("only in the first"), std::string::npos);
}

/// Times of runs that solve different problems are not comparable.
TEST(Compare, refusesATraceOfAnotherCollective) {
    const std::string trace = (std::filesystem::path{testing::TempDir()} / "collscope-compared").string();
    ASSERT_EQ(command("run bcast/flat -n 5 --force --trace " + trace).code, 0);
    const Answer other = command("compare " + trace + " allreduce/ring -n 4");
    EXPECT_EQ(other.code, 2);
    EXPECT_EQ(other.err, "collscope: compare: " + trace +
                             " and allreduce/ring solve different problems (bcast on 5 "
                             "ranks, allreduce on 4 ranks); their times are not comparable\n");
    const std::string sizes = command("compare " + trace + " bcast/chain -n 4").out;
    EXPECT_TRUE(sizes.starts_with("The runs solve different problems (bcast n=5")) << sizes;
    EXPECT_EQ(command("compare " + trace + " bcast/chain -n 5").out.find("different problems"), std::string::npos);
    std::filesystem::remove_all(trace);
}

TEST(Compare, saysWhetherElementsAreBracketedAlike) {
    const json alike =
        jsonOf("compare allreduce/binomial-tree allreduce/binomial-tree:size=1MiB -n 5 --format json")["brackets"];
    EXPECT_TRUE(alike["rows"].empty());
    EXPECT_EQ(alike["remarks"][0],
              "all 16,384 elements are reduced in the same order: the same input gives the same "
              "bits");
    const json other = jsonOf("compare allreduce/ring allreduce/pairwise-exchange -n 4 --format json")["brackets"];
    EXPECT_EQ(other["rows"][0]["element"], 0);
    EXPECT_EQ(other["rows"][0]["rank"], 0);
    EXPECT_EQ(other["rows"][0]["differ_in"], "brackets");
    EXPECT_EQ(other["rows"][0]["first"], "(((1 2) 3) 0)");
    EXPECT_EQ(other["rows"][0]["second"], "((0 1) (2 3))");
    const std::string words = command("compare allreduce/ring allreduce/pairwise-exchange -n 4").out;
    for (const char* line :
         {"        0     0  brackets   (((1 2) 3) 0)  ((0 1) (2 3))\n",
          "  16,384 of 16,384 elements are reduced in different orders in the two runs: floating-point sums of\n"
          "  the same input may differ in their last bits; sums of integers do not\n",
          "  the two differ in the algorithm (allreduce/ring and allreduce/pairwise-exchange)\n"})
        EXPECT_NE(words.find(line), std::string::npos) << line << words;
    EXPECT_FALSE(jsonOf("compare bcast/flat bcast/chain -n 4 --format json").contains("brackets"));
    const json winner = jsonOf("compare bcast/flat bcast/binomial-tree -n 8 --format json")["winner"];
    EXPECT_EQ(winner["name"], "bcast/binomial-tree");
    EXPECT_FALSE(winner["because"].empty());
    EXPECT_EQ(command("compare bcast/flat bcast/binomial-tree -n 8").out.find("bcast/binomial-tree is "), 0U);
    EXPECT_FALSE(jsonOf("compare barrier/tree barrier/dissemination -n 4 --format json").contains("brackets"));
}

TEST(Compare, takesFieldsOfTheRunBehindAnId) {
    const json two = jsonOf("compare allreduce/ring:ranks=4 allreduce/ring:ranks=5:size=1MiB --format json");
    EXPECT_EQ(two["runs"]["rows"][0]["rounds"], 6);
    EXPECT_EQ(two["runs"]["rows"][1]["rounds"], 8);
    EXPECT_EQ(two["brackets"]["rows"][0]["differ_in"], "operands");
    EXPECT_EQ(two["brackets"]["remarks"][1],
              "the two differ in the number of ranks (4 and 5) and the size (64 KiB and 1 MiB)");
    const json placed =
        jsonOf("compare allreduce/ring allreduce/ring:topology=torus:2x4:placement=random:3 -n 8 --format json");
    EXPECT_TRUE(placed["brackets"]["rows"].empty()) << "it is ranks that are joined, wherever they stand";
    EXPECT_EQ(command("compare allreduce/ring allreduce/ring:rank=5 -n 4").err,
              "collscope: allreduce/ring has no option 'rank'; it has segments, groups, inside\n");
    EXPECT_EQ(command("compare allreduce/ring:ranks=4 allreduce/ring:ranks=none").code, 2);
}

TEST(Compare, refusesWhatItCannotCompare) {
    EXPECT_EQ(command("compare bcast/flat -n 5").code, 2);
    EXPECT_EQ(command("compare bcast/flat bcast/chian -n 5").code, 2);
    EXPECT_EQ(command("compare bcast/flat bcast/chain -n 5 --set blok=3").err,
              "collscope: --set: none of those compared has an option 'blok'\n");
    EXPECT_EQ(command("compare bcast/flat bcast/chain -n 5 --set fanout=2").code, 0);
}

TEST_F(Opened, comparesWithItself) {
    const json same = jsonOf("compare " + trace() + " " + trace() + " --format json");
    EXPECT_EQ(same["runs"]["rows"][1]["times_first"], 1.0);
    EXPECT_TRUE(same["messages"]["rows"].empty());
}

/// What would change nothing is said instead of taken.
TEST_F(Opened, refusesFlagsOfARunBesideTraces) {
    const std::string both = "compare " + trace() + " " + trace();
    EXPECT_EQ(command(both + " -n 8").err,
              "collscope: --ranks: compare looks at all ranks of a trace; leave the flag out, or name an algorithm\n");
    EXPECT_EQ(command(both + " --alpha 1us").code, 2);
    const Answer picture = command("export " + trace() + " -n 8 -o x.svg");
    EXPECT_EQ(picture.code, 2);
    EXPECT_EQ(picture.err.find("collscope: --ranks chooses ranks for .otf2, .pftrace, .json or .csv, not for x.svg; "),
              0U)
        << picture.err;
    for (const char* file : {"x.csv", "x.json", "x.otf2", "x.pftrace"}) {
        const Answer outside = command("export " + trace() + " -n 0..8 -o " + trace() + file);
        EXPECT_EQ(outside.code, 2) << file;
        EXPECT_EQ(outside.err, "collscope: --ranks: no rank 6; the trace has ranks 0 to 5\n") << file;
        EXPECT_FALSE(std::filesystem::exists(trace() + file));
        const Answer after = command("export " + trace() + " --from 5s -o " + trace() + file);
        EXPECT_EQ(after.code, 2) << file;
        EXPECT_EQ(after.err.find("collscope: --from: 5 s is after the end, at "), 0U) << after.err;
    }
}

TEST(Compare, failsWhereTheSecondTakesTooMuchLonger) {
    const std::string two = "compare bcast/binomial-tree bcast/flat -n 8 --no-worse-than ";
    const Answer slower = command(two + "5%");
    EXPECT_EQ(slower.code, checkFailed);
    EXPECT_NE(slower.err.find("collscope: bcast/flat took "), std::string::npos) << slower.err;
    EXPECT_NE(slower.err.find("--no-worse-than allows 5%"), std::string::npos) << slower.err;
    EXPECT_EQ(command(two + "500%").code, done);
    EXPECT_EQ(command("compare bcast/flat bcast/binomial-tree -n 8 --no-worse-than 0%").code, done);
    for (const char* const wrong : {"5", "-5%", "x%", "%", "nan%", "1e9%"})
        EXPECT_EQ(command(two + wrong).code, userMistake) << wrong;
    EXPECT_EQ(command("compare bcast/flat bcast/chain bcast/flat -n 4 --no-worse-than 5%").code, userMistake);
    std::ostringstream out, err;
    EXPECT_EQ(run({"compare", "bcast/flat", "bcast/binomial-tree", "-n", "8", "--no-worse-than", "5 %"}, out, err, {}),
              done);
}

/// Ranks that meet once in this call.
void writeProgram(const std::filesystem::path& folder, traces::Operation operation, const char* call, int ranks = 2) {
    traces::RecordingBuilder b{ranks};
    std::vector<traces::Participant> parts;
    for (int rank = 0; rank < ranks; ++rank) {
        const engine::Picoseconds begin{1'000'000}, end{2'000'000};
        b.enter(rank, engine::Picoseconds{0}, "main");
        b.enter(rank, begin, call);
        b.leave(rank, end);
        b.leave(rank, end + begin);
        parts.push_back({.rank = engine::Rank{rank}, .begin = begin, .end = end});
    }
    b.collective(operation, 0, traces::noRank, parts);
    traces::writeCopy(b.finish(), folder);
}

TEST(Compare, refusesToScaleDifferentProgramsAndToRateTheirTimes) {
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "collscope-compare-programs";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    writeProgram(folder / "sums", traces::Operation::allreduce, "MPI_Allreduce");
    writeProgram(folder / "barriers", traces::Operation::barrier, "MPI_Barrier");
    const auto compared = [&](const char* first, const char* second, const std::string& flag) {
        return command("compare " + (folder / first).string() + ' ' + (folder / second).string() + ' ' + flag);
    };
    for (const std::string flag : {"--scaling", "--no-worse-than"}) {
        const std::string asked = flag + (flag == "--scaling" ? " strong" : " 5%");
        EXPECT_EQ(compared("sums", "sums", asked).code, done) << asked;
        const Answer refused = compared("sums", "barriers", asked);
        EXPECT_EQ(refused.code, userMistake) << asked;
        EXPECT_EQ(refused.out, "") << asked;
        EXPECT_EQ(refused.err.find("collscope: compare " + flag + ": "), 0U) << refused.err;
        EXPECT_NE(refused.err.find("have no call path in common"), std::string::npos) << refused.err;
    }
    std::filesystem::remove_all(folder);
}

TEST(Open, requiresEfficienciesThatAreKnown) {
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "collscope-open-requirements";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    const std::string sums = (folder / "sums").string(), clocks = (folder / "clocks").string();
    writeProgram(sums, traces::Operation::allreduce, "MPI_Allreduce");
    const auto required = [](std::vector<std::string> words) {
        std::ostringstream out, err;
        words.insert(words.begin(), "open");
        const int code = run(words, out, err, {});
        return std::pair{code, err.str()};
    };
    EXPECT_EQ(required({sums, "--require", "load-balance >= 50 %"}).first, done);
    const auto [code, words] = required({sums, "--from", "1.1us", "--to", "1.9us", "--require", "load-balance>=0.5"});
    EXPECT_EQ(code, userMistake);
    EXPECT_NE(words.find("no rank computed outside of MPI"), std::string::npos) << words;
    // Each of two ranks has a message before the other one sends it.
    traces::RecordingBuilder b{2};
    const auto us = [](std::int64_t time) { return engine::Picoseconds{1'000'000 * time}; };
    for (const int rank : {0, 1}) {
        b.enter(rank, us(0), "MPI_Recv"), b.leave(rank, us(2));
        b.enter(rank, us(20), "MPI_Send"), b.leave(rank, us(21));
        b.message({.from = engine::Rank{rank},
                   .to = engine::Rank{1 - rank},
                   .bytes = 8,
                   .sendBegin = us(20),
                   .sendEnd = us(21),
                   .receiveBegin = us(0),
                   .receiveEnd = us(2)});
    }
    traces::writeCopy(b.finish(), clocks);
    EXPECT_TRUE(jsonOf("open " + clocks + " --format json").at("efficiency").is_null());
    EXPECT_TRUE(jsonOf("open " + sums + " --format json").at("efficiency").is_object());
    std::filesystem::remove_all(folder);
}

TEST(Compare, namesScalingForTracesWithOtherNumbersOfRanks) {
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "collscope-compare-ranks";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    writeProgram(folder / "two", traces::Operation::allreduce, "MPI_Allreduce");
    writeProgram(folder / "three", traces::Operation::allreduce, "MPI_Allreduce", 3);
    const auto compared = [&](const char* second) {
        return command("compare " + (folder / "two").string() + ' ' + (folder / second).string()).out;
    };
    const std::string words = "The traces have 2 and 3 ranks: --scaling strong or weak compares their efficiency.";
    EXPECT_NE(compared("three").find(words), std::string::npos) << compared("three");
    EXPECT_EQ(compared("two").find("--scaling"), std::string::npos) << compared("two");
    std::filesystem::remove_all(folder);
}

TEST(Compare, namesAFileThatIsNeitherTraceNorAlgorithm) {
    const std::string file = (std::filesystem::temp_directory_path() / "collscope-compare-source.c").string();
    std::ofstream{file} << "#include <mpi.h>\n";
    const std::string words = command("compare " + file + ' ' + file).err;
    EXPECT_EQ(words.find("collscope: '" + file + "' is neither a trace nor the file of an algorithm; "), 0U) << words;
    std::filesystem::remove(file);
}

TEST(Compare, refusesToScaleWhatIsNoProgram) {
    EXPECT_EQ(command("compare bcast/flat bcast/chain -n 4 --scaling strong").err,
              "collscope: compare --scaling: bcast/flat is not a trace of an MPI program\n");
    EXPECT_EQ(command("compare bcast/flat bcast/chain -n 4 --scaling both").err,
              "collscope: --scaling: 'both' is not strong or weak; write for example --scaling strong\n");
    EXPECT_EQ(command("compare bcast/flat bcast/chain -n 4 -o x.svg").err,
              "collscope: --output: draws the table of --scaling; add --scaling KIND\n");
    EXPECT_EQ(
        command("compare bcast/flat bcast/chain -n 4 --scaling strong -o x.csv").err,
        "collscope: --output x.csv: pictures of --scaling end in .png, .svg or .pdf; for the table write --format "
        "csv\n");
}

}  // namespace
}  // namespace app::cli
