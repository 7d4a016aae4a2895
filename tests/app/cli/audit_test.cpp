// SPDX-License-Identifier: BSD-3-Clause
// Folders of schedules that others publish: proved, refuted with a counterexample, or not readable and why.
#include "tests/app/cli/command.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace app::cli {
namespace {

class Audit : public testing::Test {
protected:
    Audit() {
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directories(folder_);
    }
    ~Audit() override { std::filesystem::remove_all(folder_); }

    std::string write(const std::string& name, const std::string& content) const {
        std::filesystem::create_directories((folder_ / name).parent_path());
        std::ofstream{folder_ / name} << content;
        return (folder_ / name).string();
    }
    [[nodiscard]] std::string folder() const { return folder_.string(); }

private:
    std::filesystem::path folder_{
        std::filesystem::path{testing::TempDir()} /
        engine::text("collscope-audit-", testing::UnitTest::GetInstance()->current_test_info()->name())};
};

/// A result of TE-CCL: three GPUs 1, 2, 3 at switch 0, each of which sends its chunk to both others.
std::string teccl(const std::string& lastFlow) {
    std::string flows;
    std::string paths;
    for (int from = 1; from <= 3; ++from)
        for (int to = 1; to <= 3; ++to) {
            if (from == to) continue;
            if (from != 3 || to != 2)
                flows += engine::text("\"Chunk 0 from ", from, " traveled over ", from, "->", to, " in epoch ",
                                      (to - from + 3) % 3 - 1, " via switches 0\", ");
            paths += engine::text(paths.empty() ? "" : ", ", "\"Demand at ", to, " for chunk 0 from ", from,
                                  " met by epoch 2\": []");
        }
    return engine::text("{\"1-Epoch_Duration\": 1e-6, \"7-Flows\": [", flows, '"', lastFlow,
                        "\"], \"8-Chunk paths\": {", paths, "}}");
}

const std::string direct = "Chunk 0 from 3 traveled over 3->2 in epoch 1 via switches 0";

// Rank 0 of 3 is GPU 1: the switch is no rank.
TEST_F(Audit, provesAResultOfTeCcl) {
    const std::string file = write("good.json", teccl(direct));
    const Answer answer = command("verify " + file);
    EXPECT_EQ(answer.code, 0) << answer.out << answer.err;
    EXPECT_NE(answer.out.find("switches, not ranks: nodes 0; the other 3 nodes are ranks"), std::string::npos)
        << answer.out;
    const auto run = jsonOf("run " + file + " --format json");
    EXPECT_EQ(run["rounds"], 2);
    EXPECT_EQ(run["messages"], 6);
}

TEST_F(Audit, refutesAChunkThatIsSentBeforeItHasCome) {
    // GPU 1 has the chunk of GPU 3 from epoch 0 on; in epoch 0 it cannot send it.
    EXPECT_EQ(command("verify " + write("a.json", teccl("Chunk 0 from 3 traveled over 1->2 in epoch 1"))).code, 0);
    EXPECT_EQ(command("verify " + write("b.json", teccl("Chunk 0 from 3 traveled over 1->2 in epoch 0"))).code, 1);
}

/// An alltoall of two GPUs that TE-CCL's way numbers chunks: those of GPU 0 are 0 to 1, and of 1 likewise.
TEST_F(Audit, readsAlltoallsIfChunksTravelWhole) {
    const auto content = [](const std::string& volume) {
        std::string flows;
        std::string paths;
        for (int from = 0; from < 3; ++from)
            for (int to = 0; to < 3; ++to) {
                if (from == to) continue;
                flows += engine::text(flows.empty() ? "" : ", ", "\"Chunk ", to, " from ", from, " traveled over ",
                                      from, "->", to, " with volume ", volume, " in epoch ", (to - from + 3) % 3, '"');
                paths += engine::text(paths.empty() ? "" : ", ", "\"Demand at ", to, " for chunk ", to, " from ", from,
                                      " met by epoch 3\": []");
            }
        return engine::text("{\"6-Flows\": [", flows, "], \"7-chunk paths\": {", paths, "}}");
    };
    const std::string whole = write("whole.json", content("1.0"));
    EXPECT_EQ(command("verify " + whole).code, 0) << command("verify " + whole).out;
    EXPECT_EQ(jsonOf("run " + whole + " --format json")["rounds"], 2);
    EXPECT_EQ(command("verify " + write("near.json", content("0.9999999999999999"))).code, 0);
    const Answer part = command("verify " + write("part.json", content("0.5")));
    EXPECT_EQ(part.code, 2);
    EXPECT_NE(part.err.find("volume 0.5"), std::string::npos) << part.err;
    for (const std::string volume : {"nan", "1abc", "1,0", "", "-1", "inf"}) {
        const Answer odd = command("verify " + write("odd.json", content(volume)));
        EXPECT_EQ(odd.code, 2) << volume;
        EXPECT_NE(odd.err.find("has the volume " + volume), std::string::npos) << odd.err;
    }
}

// 46342 * 46342 contributions have no number of 32 bits.
TEST_F(Audit, refusesMoreContributionsThanCanBeNumbered) {
    const Answer answer =
        command("verify " + write("wide.json",
                                  R"({"7-Flows": ["Chunk 0 from 0 traveled over 0->46341 in epoch 0"], )"
                                  R"("8-Chunk paths": {"Demand at 46341 for chunk 0 from 0 met by epoch 1": []}})"));
    EXPECT_EQ(answer.code, 2) << answer.out;
    EXPECT_NE(answer.err.find("an alltoall of 46342 ranks"), std::string::npos) << answer.err;
}

/// Two trees of ForestColl for each of three nodes; the last one's second send is `last`.
std::string forest(const std::string& last) {
    return "<Algo nchunkspernode=\"2\">\n"
           "<tree root=\"(0, 2)\" index=\"0\" nchunks=\"2\" height=\"2\"><send src=\"(0, 2)\" dst=\"(0, 10)\" path=\"x\"/>"
           "<send src=\"(0, 10)\" dst=\"(1, 0)\" path=\"x\"/></tree>\n"
           "<tree root=\"(0, 10)\" index=\"0\" nchunks=\"1\" height=\"1\"><send src=\"(0, 10)\" dst=\"(0, 2)\"/>"
           "<send src=\"(0, 10)\" dst=\"(1, 0)\"/></tree>\n"
           "<tree root=\"(0, 10)\" index=\"1\" nchunks=\"1\" height=\"2\"><send src=\"(0, 10)\" dst=\"(0, 2)\"/>"
           "<send src=\"(0, 2)\" dst=\"(1, 0)\"/></tree>\n"
           "<tree root=\"(1, 0)\" index=\"0\" nchunks=\"2\" height=\"1\"><send src=\"(1, 0)\" dst=\"(0, 2)\"/>"
           "<send src=\"(1, 0)\" dst=\"" +
           last + "\"/></tree>\n</Algo>\n";
}

TEST_F(Audit, readsTreesOfForestColl) {
    const std::string file = write("trees.xml", forest("(0, 10)"));
    EXPECT_EQ(command("verify " + file).code, 0) << command("verify " + file).out << command("verify " + file).err;
    const auto run = jsonOf("run " + file + " --format json");
    EXPECT_EQ(run["rounds"], 2);
    // The second tree's and the third's first messages are different ones: 2 + 2 + 1 + 2 messages, of which those of
    // (0, 10) to (0, 2) in the first round are one.
    EXPECT_EQ(run["messages"], 7);
    EXPECT_EQ(command("verify " + write("lost.xml", forest("(0, 2)"))).code, 1) << "(0, 10) lacks the chunks of (1, 0)";
    std::string many = forest("(0, 10)");
    many.replace(many.find("nchunks=\"1\""), 11, "nchunks=\"2\"");
    const Answer refused = command("verify " + write("many.xml", many));
    EXPECT_EQ(refused.code, 2);
    EXPECT_NE(refused.err.find("carry more than its 2 chunks"), std::string::npos) << refused.err;
    std::string flows = R"(<Algo nchunkspernode="1048576"><tree root="a" nchunks="1048576">)";
    for (int i = 0; i < 17; ++i) flows += R"(<send src="a" dst="b"/>)";
    const Answer large = command("verify " + write("large.xml", flows + "</tree></Algo>"));
    EXPECT_EQ(large.code, 2) << large.out;
    EXPECT_NE(large.err.find("send more than 16777216 chunks"), std::string::npos) << large.err;
}

TEST_F(Audit, tellsOfEveryFileInAFolder) {
    write("a/good.json", teccl(direct));
    write("a/early.json", teccl("Chunk 0 from 3 traveled over 1->2 in epoch 0"));
    write("b/trees.xml", forest("(0, 10)"));
    write("b/odd.json", R"({"7-Flows": ["<b>"]})");
    write("b/broken.xml", "<Algo");
    write("b/notes.txt", "nothing");
    const auto answer = jsonOf("verify " + folder() + " --format json");
    EXPECT_EQ(answer["proved"], 2);
    EXPECT_EQ(answer["refuted"], 1);
    EXPECT_EQ(answer["not_readable"], 2);
    EXPECT_EQ(answer["other_files"], 1);
    std::vector<std::string> verdicts;
    for (const auto& one : answer["files"]) {
        verdicts.push_back(one["file"].get<std::string>() + " " + one["verdict"].get<std::string>());
        EXPECT_EQ(one["why"].is_null(), one["verdict"] == "proved");
    }
    EXPECT_EQ(verdicts,
              (std::vector<std::string>{"a/early.json refuted", "a/good.json proved", "b/broken.xml not readable",
                                        "b/odd.json not readable", "b/trees.xml proved"}));
    const std::string page = folder() + "/../audit.html";
    const Answer text = command("verify " + folder() + " --force -o " + page);
    EXPECT_EQ(text.code, 1);
    EXPECT_NE(text.out.find("proved 2 of 5 files; 1 refuted, 2 not readable; 1 other file skipped"), std::string::npos)
        << text.out;
    std::ifstream in{page};
    const std::string html{std::istreambuf_iterator<char>{in}, {}};
    EXPECT_NE(html.find("<td>a/early.json</td><td class=\"refuted\">refuted</td>"), std::string::npos);
    EXPECT_NE(html.find("&lt;b&gt;"), std::string::npos) << html;
    EXPECT_EQ(html.find("<b>"), std::string::npos) << html;
    std::filesystem::remove(page);
    const std::string csv = command("verify " + folder() + " --format csv").out;
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 6);
}

TEST_F(Audit, skipsALinkToItself) {
    write("good.json", teccl(direct));
    const std::filesystem::path link = std::filesystem::path{folder()} / "link.json";
    std::filesystem::create_symlink("link.json", link);
    const auto answer = jsonOf("verify " + folder() + " --format json");
    EXPECT_EQ(answer["proved"], 1);
    EXPECT_EQ(answer["files"].size(), 1);
}

TEST_F(Audit, saysThatPlansOfMscclPlusPlusAreNotRead) {
    const Answer answer = command(
        "verify " + write("plan.json", R"({"name": "x", "collective": "allreduce", "gpus": [{"threadblocks": []}]})"));
    EXPECT_EQ(answer.code, 2);
    EXPECT_NE(answer.err.find("an execution plan of MSCCL++"), std::string::npos) << answer.err;
}

TEST_F(Audit, refusesInOneSentence) {
    for (const std::string& line :
         {"verify " + folder() + " -n 4", "verify " + folder() + " --root 3", "verify " + folder() + " --size-b 3",
          "verify " + folder() + " --op sum", "verify " + folder() + " --type int32",
          "verify " + folder() + " --ports 2", "verify " + folder() + " --neighbours-only",
          "verify " + folder() + " -o x.png", std::string{"verify bcast/chain -n 4 -o x.html"}}) {
        const Answer answer = command(line);
        EXPECT_EQ(answer.code, 2) << line;
        EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 1) << answer.err;
    }
    for (const std::string& broken :
         {std::string{"{\"7-Flows\": []}"}, std::string{"{\"7-Flows\": [\"Chunk x\"]}"},
          std::string{"{\"7-Flows\": [\"Chunk 0 from 0 traveled over 1->1 in epoch 0\"]}"},
          std::string{"{\"7-Flows\": [\"Chunk 0 from 99999999999 traveled over 1->2 in epoch 0\"]}"},
          std::string{"{\"7-Flows\": [\"Chunk 0 from 0 traveled over 0->1 in epoch 0\"]}"}}) {
        const Answer answer = command("verify " + write("broken.json", broken));
        EXPECT_EQ(answer.code, 2) << broken;
        EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 1) << answer.err;
    }
}

}  // namespace
}  // namespace app::cli
