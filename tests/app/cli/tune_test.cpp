// SPDX-License-Identifier: BSD-3-Clause
// tune check, explain and convert as commands. What is found in the files: tests/app/session/tune_rules_test.cpp.
#include "app/cli/tune/tune_report.hpp"
#include "engine/base/text.hpp"
#include "tests/app/cli/command.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace app::cli {
namespace {

/// A file with rules of Collscope, which need no installed library.
class TuneFile {
public:
    explicit TuneFile(const std::string& content)
        : path_{(std::filesystem::path{testing::TempDir()} / "tune_test.rules").string()} {
        std::ofstream{path_} << content;
    }
    TuneFile(const TuneFile&) = delete;
    TuneFile& operator=(const TuneFile&) = delete;
    ~TuneFile() { std::filesystem::remove(path_); }

    [[nodiscard]] const std::string& path() const { return path_; }

private:
    std::string path_;
};

TEST(Tune, checkEndsWithOneWhereThereAreFaults) {
    const TuneFile good{"bcast intra * * bcast/flat\n"};
    EXPECT_EQ(command("tune check " + good.path()).code, 0);
    const TuneFile bad{"bcast intra * * bcast/flat\nbcast intra 8 * bcast/chain\n"};
    const Answer answer = command("tune check " + bad.path());
    EXPECT_EQ(answer.code, 1);
    EXPECT_NE(answer.out.find("line 2  unreachable"), std::string::npos) << answer.out;
    const auto json = jsonOf("tune check " + bad.path() + " --format json");
    EXPECT_EQ(json["faults"], 1);
    EXPECT_EQ(json["findings"][0]["line"], 2);
    EXPECT_EQ(json["findings"][0]["kind"], "unreachable");
}

TEST(Tune, explainNamesTheLine) {
    const TuneFile rules{"bcast intra ..7 * bcast/flat\nbcast intra * 1KiB.. bcast/chain\n"};
    const auto json = jsonOf("tune explain " + rules.path() + " bcast -n 8 --bytes 1KiB --format json");
    EXPECT_EQ(json["line"], 2);
    EXPECT_EQ(json["id"], "bcast/chain");
    EXPECT_EQ(json["reasons"].size(), 2U);
    EXPECT_TRUE(jsonOf("tune explain " + rules.path() + " bcast -n 8 --bytes 1023 --format json")["line"].is_null());
}

TEST(Tune, explainWithoutACollectiveNamesAllCallsWithARule) {
    const TuneFile rules{
        "bcast intra * * bcast/flat\nreduce intra 16.. * reduce/binomial-tree\nbarrier intra * * barrier/linear\n"};
    const auto json = jsonOf("tune explain " + rules.path() + " -n 8 --bytes 1KiB --format json");
    ASSERT_EQ(json["calls"].size(), 2U);
    EXPECT_EQ(json["calls"][0]["collective"], "barrier");
    EXPECT_EQ(json["calls"][1]["id"], "bcast/flat");
    const std::string out = command("tune explain " + rules.path() + " -n 8 --bytes 1KiB").out;
    EXPECT_NE(out.find("\nbcast on 8 ranks with 1 KiB: line 1"), std::string::npos) << out;
    const TuneFile other{"reduce intra 16.. * reduce/binomial-tree\n"};
    EXPECT_EQ(command("tune explain " + other.path() + " -n 8 --bytes 4").out,
              "no rule decides a call on 8 ranks with 4 B\n");
}

TEST(Tune, explainShowsSizesAsTheyAre) {
    const TuneFile rules{"bcast intra * ..16383 bcast/flat\n"};
    const std::string out = command("tune explain " + rules.path() + " bcast -n 8 --bytes 16383").out;
    EXPECT_EQ(out.find("bcast on 8 ranks with 16383 B: line 1, bcast/flat\n"), 0U) << out;
}

TEST(Tune, explainNamesNoLibraryThatChoosesWhereAProgramEnds) {
    const TuneFile rules{"{\"collective=barrier\":{\"algorithm=MPIR_Barrier_intra_dissemination\":{}}}\n"};
    const std::string out = command("tune explain " + rules.path() + " bcast -n 8 --bytes 16383").out;
    EXPECT_EQ(out.find("bcast on 8 ranks with 16383 B: no rule decides; the program ends with an assertion\n"), 0U)
        << out;
    EXPECT_EQ(jsonOf("tune explain " + rules.path() + " bcast -n 8 --bytes 4 --format json")["outcome"],
              "the program ends with an assertion");
}

TEST(Tune, checkFindsNoFaultInRulesOfWhichNoneWasWorthIt) {
    const TuneFile rules{"# measured, and nothing was faster\n"};
    const Answer answer = command("tune check " + rules.path());
    EXPECT_EQ(answer.code, 0) << answer.err;
    EXPECT_EQ(answer.out, rules.path() + " contains no rules\n");
    const TuneFile empty{""};
    EXPECT_EQ(command("tune check " + empty.path()).code, 2);
}

TEST(Tune, convertListsWhatIsLostInTheOrderOfTheFile) {
    const TuneFile rules{
        "bcast intra * * bcast/circulant\nallgather inter * * intergroup-allgatherv/balanced\n"
        "allreduce intra * * allreduce/swing\n"};
    std::vector<int> lines;
    for (const std::string& line : engine::split(command("tune convert " + rules.path() + " --to openmpi").err, '\n'))
        if (line.starts_with("line ")) lines.push_back(std::stoi(line.substr(5)));
    EXPECT_EQ(lines, (std::vector<int>{1, 2, 3}));
}

TEST(Tune, mistakesAreOneSentence) {
    const TuneFile rules{"bcast intra * * bcast/flat\n"};
    for (const std::string& line :
         {std::string{"tune check"}, std::string{"tune check nowhere"}, "tune explain " + rules.path() + " bcast",
          "tune explain " + rules.path() + " bcats -n 4 --bytes 4",
          "tune explain " + rules.path() + " bcast -n 0 --bytes 4", "tune convert " + rules.path(),
          "tune convert " + rules.path() + " --to ompi", std::string{"tune bcast -n 4 --sizes 3"},
          std::string{"tune bcast -n 4 --budget 1s"}, std::string{"tune bcast"}, "tune map " + rules.path(),
          "tune map " + rules.path() + " -o tune_test.png", std::string{"tune placement nowhere"},
          std::string{"tune placement nowhere --hosts nowhere"}, "tune placement nowhere --hosts " + rules.path(),
          std::string{"tune --for nowhere -n 4"}, std::string{"tune --for nowhere -o tune_test.svg"}}) {
        const Answer answer = command(line);
        EXPECT_EQ(answer.code, 2) << line << answer.out;
        EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 1) << line << ": " << answer.err;
    }
}

TEST(Tune, placementLooksAtItsNumbersBeforeItReadsTheTrace) {
    const TuneFile hosts{"node1 slots=2\n"};
    for (const std::string flag : {"--repeat", "--seconds"}) {
        const Answer answer = command("tune placement nowhere --hosts " + hosts.path() + ' ' + flag + " 0");
        EXPECT_EQ(answer.code, 2) << answer.out;
        EXPECT_NE(answer.err.find(flag), std::string::npos) << answer.err;
    }
}

TEST(Tune, cautionsWhereRanksShareProcessors) {
    const std::vector<tune::Cell> cells{{.ranks = 2}, {.ranks = 8}};
    EXPECT_NE(sharingCaution({}, cells, 4).find("8 ranks shared 4 processors"), std::string::npos);
    EXPECT_TRUE(sharingCaution({}, cells, 8).empty());
    // Where these start processes is not known here.
    EXPECT_TRUE(sharingCaution({.hostfile = "hosts"}, cells, 4).empty());
    EXPECT_TRUE(sharingCaution({.command = "srun --nodes=8"}, cells, 4).empty());
    EXPECT_TRUE(sharingCaution({.command = "mpirun --host a,b -n 8"}, cells, 4).empty());
    EXPECT_TRUE(sharingCaution({.command = "mpiexec.hydra -n 8 -f hosts"}, cells, 4).empty());
    EXPECT_FALSE(sharingCaution({.command = "/usr/bin/mpirun --oversubscribe -n 8"}, cells, 4).empty());
    EXPECT_TRUE(sharingCaution({.lab = true}, cells, 4).empty());
    const tune::TuneReport report;
    const TunePage page = tunePageOf(report, {.caution = "Caution: this."});
    ASSERT_GE(page.sections.front().paragraphs.size(), 2U);
    EXPECT_EQ(page.sections.front().paragraphs[1], "Caution: this.");
}

TEST(Tune, convertOverwritesNothing) {
    const TuneFile rules{"bcast intra * * bcast/flat\n"};
    const std::string out = (std::filesystem::path{testing::TempDir()} / "tune_test.out").string();
    std::filesystem::remove(out);
    EXPECT_EQ(command("tune convert " + rules.path() + " --to collscope -o " + out).code, 0);
    EXPECT_EQ(command("tune convert " + rules.path() + " --to collscope -o " + out).code, 2);
    EXPECT_EQ(command("tune convert " + rules.path() + " --to collscope --force -o " + out).code, 0);
    EXPECT_EQ(command("tune check " + out).code, 0);
    std::filesystem::remove(out);
}

}  // namespace
}  // namespace app::cli
