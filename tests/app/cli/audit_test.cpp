// SPDX-License-Identifier: BSD-3-Clause
// Folders of schedules that others publish: proved, refuted with a counterexample, or not readable and why.
#include "tests/app/cli/command.hpp"
#include "tests/support/places.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>

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
    EXPECT_NE(text.out.find("proved 2 of 5 files; 1 refuted, 0 left out, 2 not readable; 1 other file skipped"),
              std::string::npos)
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

/// A script was read, and is no schedule by itself: that is not a file that cannot be read.
TEST_F(Audit, leavesOutAlgorithmsForManyProblems) {
    write("good.json", teccl(direct));
    std::filesystem::copy_file(support::sourceFolder() / "resources/scripts/ring-allgather.lua",
                               std::filesystem::path{folder()} / "ring.lua");
    const Answer text = command("verify " + folder());
    EXPECT_EQ(text.code, 0);
    EXPECT_NE(text.out.find("proved 1 of 2 files; 0 refuted, 1 left out, 0 not readable"), std::string::npos)
        << text.out;
    const auto answer = jsonOf("verify " + folder() + " --format json");
    EXPECT_EQ(answer["not_proved"], 1);
    EXPECT_EQ(answer["not_readable"], 0);
    EXPECT_EQ(command("verify " + folder() + " -n 4").err.find("collscope: " + folder() + " is a folder"), 0U);
}

TEST_F(Audit, skipsALinkToItself) {
    write("good.json", teccl(direct));
    const std::filesystem::path link = std::filesystem::path{folder()} / "link.json";
    std::filesystem::create_symlink("link.json", link);
    const auto answer = jsonOf("verify " + folder() + " --format json");
    EXPECT_EQ(answer["proved"], 1);
    EXPECT_EQ(answer["files"].size(), 1);
}

/// Two GPUs with one thread block each, which put their chunk into the output of the other one. `first` and `last` are
/// operations of GPU 0 before and after its put.
std::string plan(const std::string& first, const std::string& last) {
    const auto gpu = [](int own, const std::string& operations) {
        return engine::text(R"({"id": )", own, R"(, "input_chunks": 1, "output_chunks": 2, "scratch_chunks": 0,
            "threadblocks": [{"id": 0, "ops": [)",
                            operations, R"(],
                "channels": [{"channel_type": "memory", "channel_ids": [0]}],
                "remote_buffer_refs": [{"access_channel_type": "memory", "remote_buffer_ids": [0]}]}],
            "channels": [{"channel_type": "memory", "connected_to": [)",
                            1 - own, R"(]}],
            "remote_buffers": [{"rank": )",
                            1 - own, R"(, "type": "o", "access_channel_types": ["memory"]}], "semaphores": []})");
    };
    const auto copy = [](int own) {
        return engine::text(R"({"name": "copy", "src_buff": [{"type": "i", "index": 0, "size": 1}],
            "dst_buff": [{"type": "o", "index": )",
                            own, R"(, "size": 1}]}, )");
    };
    const auto put = [](int own) {
        return engine::text(R"({"name": "put", "src_buff": [{"type": "i", "index": 0, "size": 1}],
            "dst_buff": [{"buffer_id": 0, "index": )",
                            own, R"(, "size": 1}], "channel_ids": [0], "channel_type": "memory"})");
    };
    return engine::text(R"({"name": "x", "collective": "allgather", "inplace": false, "protocol": "Simple", "gpus": [)",
                        gpu(0, first + copy(0) + put(0) + last), ", ", gpu(1, copy(1) + put(1) + last), "]}");
}

const std::string both = R"(, {"name": "signal", "channel_ids": [0], "channel_type": "memory"},
                              {"name": "wait", "channel_ids": [0], "channel_type": "memory"})";

TEST_F(Audit, provesPlansOfMscclPlusPlus) {
    const std::string file = write("plan.json", plan("", both));
    const Answer answer = command("verify " + file);
    EXPECT_EQ(answer.code, 0) << answer.out << answer.err;
    const auto run = jsonOf("run " + file + " --format json");
    EXPECT_EQ(run["rounds"], 1);
    EXPECT_EQ(run["messages"], 2);
}

TEST_F(Audit, refutesPlansWhoseBlocksWaitForEverOrNotAtAll) {
    const Answer never =
        command("verify " +
                write("never.json", plan(R"({"name": "wait", "channel_ids": [0], "channel_type": "memory"}, )", both)));
    EXPECT_EQ(never.code, 1);
    EXPECT_NE(never.out.find("gpu 0, thread block 0, operation 4 waits for a signal of gpu 1 that never comes"),
              std::string::npos)
        << never.out;
    // GPU 1 puts into chunk 1 of the output of GPU 0, which copies its own chunk there without waiting.
    const std::string copies = R"(, {"name": "copy", "src_buff": [{"type": "i", "index": 0, "size": 1}],
                                     "dst_buff": [{"type": "o", "index": 1, "size": 1}]})";
    const Answer race = command("verify " + write("race.json", plan("", copies + both)));
    EXPECT_EQ(race.code, 1);
    EXPECT_NE(race.out.find("chunk 1 of buffer o of gpu 0"), std::string::npos) << race.out;
    EXPECT_NE(race.out.find("neither waits for the other"), std::string::npos) << race.out;
}

TEST_F(Audit, refusesPlansOfACustomCollectiveThatIsNone) {
    std::string content = plan("", both);
    content.replace(content.find("allgather"), 9, "custom");
    for (int gpu = 0; gpu < 2; ++gpu) content.replace(content.find(R"({"name": "put")"), 14, R"({"name": "nop")");
    const Answer answer = command("verify " + write("custom.json", content));
    EXPECT_EQ(answer.code, 2) << answer.out;
    EXPECT_NE(answer.err.find("its collective is \"custom\""), std::string::npos) << answer.err;
}

// Packets tell their reader that they are there: no signal is needed.
TEST_F(Audit, followsPacketsOfMscclPlusPlus) {
    const std::string content =
        R"({"name": "x", "collective": "broadcast", "inplace": false, "protocol": "LL", "gpus": [
        {"id": 0, "input_chunks": 1, "output_chunks": 1, "scratch_chunks": 0, "semaphores": [],
         "channels": [{"channel_type": "memory", "connected_to": [1]}],
         "remote_buffers": [{"rank": 1, "type": "s", "access_channel_types": ["memory"]}],
         "threadblocks": [{"id": 0, "ops": [
            {"name": "copy", "src_buff": [{"type": "i", "index": 0, "size": 1}],
             "dst_buff": [{"type": "o", "index": 0, "size": 1}]},
            {"name": "KIND", "src_buff": [{"type": "i", "index": 0, "size": 1}],
             "dst_buff": [{"buffer_id": 0, "index": 0, "size": 1}], "channel_type": "memory"}],
            "channels": [{"channel_type": "memory", "channel_ids": [0]}],
            "remote_buffer_refs": [{"access_channel_type": "memory", "remote_buffer_ids": [0]}]}]},
        {"id": 1, "input_chunks": 0, "output_chunks": 1, "scratch_chunks": 1, "channels": [], "remote_buffers": [],
         "semaphores": [], "threadblocks": [{"id": 0, "channels": [], "ops": [
            {"name": "upkt", "src_buff": [{"type": "s", "index": 0, "size": 1}],
             "dst_buff": [{"type": "o", "index": 0, "size": 1}]}]}]}]})";
    const auto of = [&](const std::string& kind) {
        std::string one = content;
        return command("verify " + write(kind + ".json", one.replace(one.find("KIND"), 4, kind)));
    };
    EXPECT_EQ(of("ppkt").code, 0) << of("ppkt").out << of("ppkt").err;
    EXPECT_EQ(of("put").code, 1);
    EXPECT_NE(of("put").out.find("waits for packets in chunk 0 of buffer s of gpu 1 that never come"),
              std::string::npos)
        << of("put").out;
    EXPECT_EQ(of("jump").code, 2);
    EXPECT_NE(of("jump").err.find("unknown operation 'jump'"), std::string::npos) << of("jump").err;
}

/// A plan of two GPUs as it was written before 2025: channels belong to two buffers, and have others beside them.
std::string oldPlan(const std::string& head, const std::string& chunks, const std::string& target,
                    const std::function<std::string(int)>& operations) {
    const auto gpu = [&](int own) {
        return engine::text(R"({"id": )", own, ", ", chunks, R"(, "chunkGroups": 1, "channels": [
            {"srcbuff": "s", "dstbuff": "i", "type": "sm", "connectedTo": [)",
                            1 - own, R"(]}, {"srcbuff": "i", "dstbuff": ")", target,
                            R"(", "type": "sm", "connectedTo": [)", 1 - own, R"(]}],
            "threadblocks": [{"id": 0, "channels": [{"src": "s", "dst": "i", "ctype": "sm", "cids": [0]},
                {"src": "i", "dst": ")",
                            target, R"(", "ctype": "sm", "cids": [0]}], "ops": [)", operations(own), "]}]}");
    };
    return engine::text("{\"name\": \"x\", ", head, R"(, "protocol": "Simple", "gpus": [)", gpu(0), ", ", gpu(1), "]}");
}

TEST_F(Audit, provesPlansOfMscclPlusPlusBefore2025) {
    const auto gather = [](const std::string& channel) {
        return oldPlan(R"("collective": "allgather", "inplace": false)",
                       R"("inputChunks": 1, "outputChunks": 2, "scratchChunks": 1)", "o", [&](int own) {
                           return engine::text(R"({"name": "copy", "srcbuff": "i", "srcoff": 0, "dstbuff": "o",
            "dstoff": )",
                                               own, R"(, "ctype": "none", "cnt": 1},
            {"name": "put", "o_buff": {"src": "i", "dst": "o"}, "o_cids": [{"id": )",
                                               channel, R"(, "off": )", own, R"(}],
             "srcs": [{"buff": "i", "off": 0}], "ctype": "sm", "cnt": 1},
            {"name": "signal", "o_buff": {"src": "i", "dst": "o"}, "o_cids": [{"id": 0, "off": 0}], "ctype": "sm"},
            {"name": "wait", "i_buff": {"src": "i", "dst": "o"}, "i_cids": [{"id": 0, "off": 0}], "ctype": "sm"},
            {"name": "nop", "deps": [{"tb": 0, "step": 3}]})");
                       });
    };
    const std::string file = write("gather.json", gather("0"));
    EXPECT_EQ(command("verify " + file).code, 0) << command("verify " + file).out << command("verify " + file).err;
    const auto run = jsonOf("run " + file + " --format json");
    EXPECT_EQ(run["rounds"], 1);
    EXPECT_EQ(run["messages"], 2);
    const Answer odd = command("verify " + write("odd.json", gather("1")));
    EXPECT_EQ(odd.code, 2);
    EXPECT_NE(odd.err.find("gpu 0, thread block 0, operation 1: channel 1 between its buffers is not defined"),
              std::string::npos)
        << odd.err;
    // Each GPU reduces one chunk; cpkt of that time unpacks, which is called upkt now.
    const auto reduce = [](const std::string& last) {
        return oldPlan(R"("collective": "allreduce", "inplace": true)",
                       R"("inputChunks": 2, "outputChunks": 0, "scratchChunks": 4)", "s", [&](int own) {
                           return engine::text(R"({"name": "ppkt", "o_buff": {"src": "i", "dst": "s"},
             "o_cids": [{"id": 0, "off": 0}], "srcs": [{"buff": "i", "off": )",
                                               1 - own, R"(}], "ctype": "sm", "cnt": 1},
            {"name": "rspkt", "o_buff": {"src": "i", "dst": "s"}, "o_cids": [{"id": 0, "off": 2}],
             "srcs": [{"buff": "s", "off": 0}], "srcbuff": "i", "srcoff": )",
                                               own, R"(, "dstbuff": "i", "dstoff": )", own,
                                               R"(, "ctype": "sm", "cnt": 1},
            {"name": ")",
                                               last, R"(", "srcbuff": "s", "srcoff": 2, "dstbuff": "i", "dstoff": )",
                                               1 - own, R"(, "ctype": "none", "cnt": 1})");
                       });
    };
    const Answer packets = command("verify " + write("reduce.json", reduce("cpkt")));
    EXPECT_EQ(packets.code, 0) << packets.out << packets.err;
    EXPECT_EQ(jsonOf("run " + write("reduce.json", reduce("cpkt")) + " --format json")["rounds"], 2);
    EXPECT_EQ(command("verify " + write("early.json", reduce("copy"))).code, 1) << "a copy does not wait for packets";
}

TEST_F(Audit, refusesPlansBefore2025WithPartsThatDoNotFit) {
    const std::string plan = oldPlan(R"("collective": "allgather", "inplace": false)",
                                     R"("inputChunks": 1, "outputChunks": 2, "scratchChunks": 1)", "o", [](int) {
                                         return R"({"name": "copy", "srcbuff": "i", "srcoff": 0, "dstbuff": "o",
            "dstoff": 0, "ctype": "none", "cnt": 1})";
                                     });
    const auto refusal = [&](const std::string& part, const std::string& by) {
        std::string content = plan;
        content.replace(content.find(part), part.size(), by);
        const Answer answer = command("verify " + write("parts.json", content));
        EXPECT_EQ(answer.code, 2) << answer.out;
        return answer.err;
    };
    const std::string channels = R"("channels": [)";
    const std::string mixed = refusal(channels, channels + R"({"channel_type": "memory", "connected_to": [1]}, )");
    EXPECT_NE(mixed.find("gpu 0: it has parts of the format before 2025 and of the present one"), std::string::npos)
        << mixed;
    const std::string present = refusal(R"("inputChunks")", R"("input_chunks")");
    EXPECT_NE(present.find("gpu 0: it has parts of the format before 2025"), std::string::npos) << present;
    const std::string groups = refusal(R"("connectedTo": [1])", R"("rankGroups": [{"ranks": [1]}])");
    EXPECT_NE(groups.find("gpu 0, thread block 0: channel 0 of this kind is not defined"), std::string::npos) << groups;
    // Its parts of the old format belong to no operation.
    const std::string pipeline = refusal(R"("name": "copy")", R"("name": "pipeline")");
    EXPECT_NE(pipeline.find("the format before 2025 has no pipelines"), std::string::npos) << pipeline;
}

/// Behind its length.
std::string framed(const std::string& message) {
    std::string length;
    std::size_t left = message.size();
    for (; left >= 128; left >>= 7U) length += static_cast<char>((left & 127U) | 128U);
    return length + static_cast<char>(left) + message;
}

std::string attribute(const std::string& name, char value) {
    return "\x52" + framed("\x0a" + framed(name) + "\x38" + value);
}

/// A node that sends to (5), or receives from (6), a rank; it waits for the node before it.
std::string chakraNode(char id, char kind, char peer) {
    const std::string waits = id == 0 ? "" : std::string{"\x2a\x01"} + static_cast<char>(id - 1);
    return framed(std::string{"\x08"} + id + "\x18" + kind + waits + attribute("comm_size", 100) +
                  attribute(kind == 5 ? "comm_dst" : "comm_src", peer) + attribute("comm_tag", 0));
}

/// The rank of three that takes part in a ring allgather of 100 bytes each.
std::string chakraRing(int rank, char last) {
    const auto next = static_cast<char>((rank + 1) % 3);
    const auto before = static_cast<char>((rank + 2) % 3);
    return framed("\x12" + framed("\x0a" + framed("collective") + "\xea\x01" + framed("allgather"))) +
           chakraNode(0, 5, next) + chakraNode(1, 6, before) + chakraNode(2, 5, next) + chakraNode(3, last, before);
}

TEST_F(Audit, readsCustomCollectivesOfAstraSim) {
    for (int rank = 0; rank < 3; ++rank) write(engine::text("ring.", rank, ".et"), chakraRing(rank, 6));
    const auto audit = jsonOf("verify " + folder() + " --format json");
    ASSERT_EQ(audit["files"].size(), 1U) << audit.dump();
    EXPECT_EQ(audit["files"][0]["file"], "ring.0.et");
    EXPECT_EQ(audit["files"][0]["verdict"], "proved") << audit.dump();
    const auto run = jsonOf("run " + folder() + "/ring.1.et --format json");
    EXPECT_EQ(run["rounds"], 2);
    EXPECT_EQ(run["messages"], 6);
    EXPECT_EQ(run["bytes"], 600);
    write("ring.2.et", chakraRing(2, 7));
    const Answer program = command("verify " + folder() + "/ring.0.et");
    EXPECT_EQ(program.code, 2);
    EXPECT_NE(program.err.find("rank 2, node 3 is a collective"), std::string::npos) << program.err;
    write("ring.2.et", chakraRing(2, 6).substr(0, 60));
    EXPECT_NE(command("verify " + folder() + "/ring.0.et").err.find("not a Chakra execution trace, or cut off"),
              std::string::npos);
}

TEST_F(Audit, endsWithAnErrorWhereNothingIsReadable) {
    Answer answer = command("verify " + folder());
    EXPECT_EQ(answer.code, 2);
    EXPECT_NE(answer.err.find("no file ends in .json"), std::string::npos) << answer.err;
    write("broken.xml", "<Algo");
    answer = command("verify " + folder());
    EXPECT_EQ(answer.code, 2);
    EXPECT_NE(answer.err.find("none of its 1 file could be checked: broken.xml: "), std::string::npos) << answer.err;
    write("many.lua", "algorithm { collective = 'barrier' }\nfunction turn() end\n");
    answer = command("verify " + folder() + " --format json");
    EXPECT_EQ(answer.code, 2);
    EXPECT_EQ(answer.out, "");
    EXPECT_NE(answer.err.find("none of its 2 files could be checked: "), std::string::npos) << answer.err;
}

TEST_F(Audit, provesWhatOthersPublish) {
    const std::filesystem::path shared = support::sharedTraces().parent_path() / "cases" / "schedules";
    if (!std::filesystem::exists(shared)) GTEST_SKIP() << shared << " is not there";
    const auto audit = jsonOf("verify " + shared.string() + " --format json");
    std::map<std::string, std::string> verdicts;
    for (const auto& one : audit["files"]) verdicts[one["file"]] = one["verdict"];
    EXPECT_EQ(verdicts["chakra-ring-8/custom_allreduce.0.et"], "proved");
    EXPECT_EQ(verdicts["mscclpp-allreduce.json"], "proved");
    EXPECT_EQ(verdicts["mscclpp-allreduce_packet.json"], "proved");
    EXPECT_EQ(verdicts["mscclpp-reduce.json"], "proved");
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
