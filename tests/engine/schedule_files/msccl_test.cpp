// SPDX-License-Identifier: BSD-3-Clause
// MSCCL's XML: files as msccl-tools writes them are proved, and what is wrong with one is said by its step.
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/proof/verify.hpp"
#include "engine/schedule_files/msccl/msccl_schedule.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace engine {
namespace {

/// One step: "rrc i3 o3" is its type, source and target; "x2" chunks; "after 0.4": it waits for step 4 of thread block
/// 0; "silent": it tells nobody that it is done.
std::string stepLine(std::size_t number, const std::string& words) {
    const std::vector<std::string> all = split(words, ' ');
    std::string depid = "-1";
    std::string deps = "-1";
    std::string count = "1";
    std::string tells = "1";
    std::vector<std::string> places;
    for (std::size_t w = 1; w < all.size(); ++w) {
        if (all[w] == "after") {
            const std::vector<std::string> who = split(all[++w], '.');
            depid = who[0];
            deps = who[1];
        } else if (all[w][0] == 'x') {
            count = all[w].substr(1);
        } else if (all[w] == "silent") {
            tells = "0";
        } else {
            places.push_back(all[w]);
        }
    }
    if (places.empty()) places = {"i-1", "o-1"};
    if (places.size() == 1) places.push_back(places[0]);
    return text("<step s=\"", number, "\" type=\"", all[0], "\" srcbuf=\"", places[0][0], "\" srcoff=\"",
                places[0].substr(1), "\" dstbuf=\"", places[1][0], "\" dstoff=\"", places[1].substr(1), "\" cnt=\"",
                count, "\" depid=\"", depid, "\" deps=\"", deps, "\" hasdep=\"", tells, "\"/>");
}

struct OneBlock {
    int send = -1;
    int recv = -1;
    std::vector<std::string> steps{};
    int channel = 0;
};
struct OneGpu {
    int inputs = 0;
    int outputs = 0;
    int scratch = 0;
    std::vector<OneBlock> blocks{};
};

std::string mscclOf(const std::string& collective, int loop, bool inPlace, const std::vector<OneGpu>& gpus) {
    std::string xml = text("<algo name=\"mine\" proto=\"Simple\" nchannels=\"1\" nchunksperloop=\"", loop,
                           "\" ngpus=\"", gpus.size(), "\" coll=\"", collective, "\" inplace=\"", inPlace ? 1 : 0,
                           "\" outofplace=\"", inPlace ? 0 : 1, "\" minBytes=\"0\" maxBytes=\"0\">\n");
    for (std::size_t g = 0; g < gpus.size(); ++g) {
        xml += text("<gpu id=\"", g, "\" i_chunks=\"", gpus[g].inputs, "\" o_chunks=\"", gpus[g].outputs,
                    "\" s_chunks=\"", gpus[g].scratch, "\">\n");
        for (std::size_t b = 0; b < gpus[g].blocks.size(); ++b) {
            const OneBlock& block = gpus[g].blocks[b];
            xml += text("<tb id=\"", b, "\" send=\"", block.send, "\" recv=\"", block.recv, "\" chan=\"", block.channel,
                        "\">\n");
            for (std::size_t s = 0; s < block.steps.size(); ++s) xml += stepLine(s, block.steps[s]) + "\n";
            xml += "</tb>\n";
        }
        xml += "</gpu>\n";
    }
    return xml + "</algo>\n";
}

/// The counterexample, or what is wrong with the file; empty when it is proved.
std::string faultIn(const std::string& xml) {
    try {
        const schedules::Stored stored = schedules::msccl::storedFrom(xml, "mine.xml");
        const Verdict verdict = verify(*schedules::scheduleOf(stored), stored.problem);
        return verdict.counterExample;
    } catch (const Error& error) {
        return error.what();
    }
}
Problem mscclProblem(const std::string& xml) { return schedules::msccl::storedFrom(xml, "mine.xml").problem; }
std::int64_t mscclRounds(const std::string& xml) { return schedules::msccl::storedFrom(xml, "mine.xml").facts.rounds; }

/// Every chunk goes round once to be combined and once more to be known.
std::string ringAllreduce(int n) {
    std::vector<OneGpu> gpus;
    for (int r = 0; r < n; ++r) {
        const auto chunk = [&](int back) { return text('i', ((r - back) % n + n) % n); };
        OneBlock block{(r + 1) % n, (r + n - 1) % n, {"s " + chunk(0)}};
        for (int k = 1; k < n - 1; ++k) block.steps.push_back("rrs " + chunk(k));
        block.steps.push_back("rrcs " + chunk(n - 1));
        for (int k = 0; k < n - 2; ++k) block.steps.push_back("rcs " + chunk(k));
        block.steps.push_back("r " + chunk(n - 2));
        gpus.push_back({n, 0, 0, {block}});
    }
    return mscclOf("allreduce", n, true, gpus);
}

/// Everyone sends everything to everyone, and adds up when all of it is there: `lastWait` is how it waits for the last.
std::string allPairs(int n, const std::string& lastWait) {
    std::vector<OneGpu> gpus;
    for (int r = 0; r < n; ++r) {
        OneGpu gpu{2, 2, 2 * (n - 1), {}};
        OneBlock adding{-1, -1, {"cpy i0 o0 x2"}};
        for (int k = 1; k < n; ++k) {
            const int peer = (r + k) % n;
            gpu.blocks.push_back({peer, peer, {"s i0 s0 x2", text("r s", 2 * (k - 1), " x2")}});
            adding.steps.push_back(k == n - 1 ? lastWait : text("nop after ", k - 1, ".1"));
        }
        for (int k = 1; k < n; ++k) adding.steps.push_back(text("re s", 2 * (k - 1), " o0 x2"));
        gpu.blocks.push_back(adding);
        gpus.push_back(gpu);
    }
    return mscclOf("allreduce", 2, false, gpus);
}
std::string allPairs(int n) { return allPairs(n, text("nop after ", n - 2, ".1")); }

TEST(Msccl, provesReductions) {
    for (int n = 2; n <= 7; ++n) {
        EXPECT_EQ(faultIn(ringAllreduce(n)), "") << n;
        EXPECT_EQ(mscclRounds(ringAllreduce(n)), 2 * (n - 1)) << n;
        EXPECT_EQ(faultIn(allPairs(n)), "") << n;
        EXPECT_EQ(mscclRounds(allPairs(n)), 1) << n;
    }
}

TEST(Msccl, findsTheRoot) {
    const std::string reduce = mscclOf("reduce", 1, false,
                                       {{1, 0, 0, {{1, -1, {"s i0"}}}},
                                        {1, 0, 0, {{2, 0, {"rrs i0"}}}},
                                        {1, 1, 0, {{-1, 1, {"rrc i0", "cpy i0 o0"}}}}});
    EXPECT_EQ(faultIn(reduce), "");
    EXPECT_EQ(mscclProblem(reduce).root, Rank{2});
    const std::string bcast = mscclOf("broadcast", 2, false,
                                      {{0, 2, 0, {{-1, 1, {"r o0 x2"}}}},
                                       {2, 2, 0, {{0, -1, {"s i0 x2"}}, {2, -1, {"s i0 x2"}}}},
                                       {0, 2, 0, {{-1, 1, {"r o0 x2"}}}}});
    EXPECT_EQ(faultIn(bcast), "");
    EXPECT_EQ(mscclProblem(bcast).root, Rank{1});
    EXPECT_EQ(mscclProblem(bcast).layout.total(), 2048);
}

TEST(Msccl, knowsEveryCollective) {
    // Two GPUs exchange one chunk.
    const auto exchange = [](const std::string& collective, int loop, bool inPlace, int inputs, int outputs,
                             const std::function<std::vector<std::string>(int)>& steps) {
        std::vector<OneGpu> gpus;
        for (int r = 0; r < 2; ++r) gpus.push_back({inputs, outputs, 1, {{1 - r, 1 - r, steps(r)}}});
        return mscclOf(collective, loop, inPlace, gpus);
    };
    using Steps = std::vector<std::string>;
    const auto check = [&](Collective collective, const std::string& xml) {
        EXPECT_EQ(faultIn(xml), "") << name(collective);
        EXPECT_EQ(mscclProblem(xml).collective, collective);
    };
    check(Collective::allgatherv, exchange("allgather", 2, true, 1, 2, [](int r) {
              return Steps{text("s o", r), text("r o", 1 - r)};
          }));
    check(Collective::allgatherv, exchange("allgather", 2, false, 1, 2, [](int r) {
              return Steps{"s i0", text("cpy i0 o", r), text("r o", 1 - r)};
          }));
    check(Collective::alltoallv, exchange("alltoall", 2, false, 2, 2, [](int r) {
              return Steps{text("s i", 1 - r), text("cpy i", r, " o", r), text("r o", 1 - r)};
          }));
    check(Collective::reduceScatter, exchange("reduce_scatter", 2, true, 2, 0, [](int r) {
              return Steps{text("s i", 1 - r), text("rrc i", r)};
          }));
    check(Collective::allreduce, exchange("allreduce", 1, true, 1, 0, [](int) { return Steps{"s i0", "rrc i0"}; }));
    check(Collective::scan,
          mscclOf("custom", 1, false,
                  {{1, 1, 0, {{1, -1, {"s i0", "cpy i0 o0"}}}}, {1, 1, 0, {{-1, 0, {"cpy i0 o0", "rrc o0"}}}}}));
    check(Collective::gatherv,
          mscclOf("custom", 2, false, {{1, 0, 0, {{1, -1, {"s i0"}}}}, {1, 2, 0, {{-1, 0, {"cpy i0 o1", "r o0"}}}}}));
}

TEST(Msccl, keepsAPartialResultThatIsStillSent) {
    // GPU 0 combines what comes with its own, and sends on its own and what came, each alone, later.
    const std::string xml = mscclOf("allreduce", 1, false,
                                    {{1, 1, 1, {{1, 1, {"cpy i0 o0", "r s0", "s s0", "re s0 o0", "s i0", "rrc o0"}}}},
                                     {1, 1, 2, {{0, 0, {"s i0", "r s0", "r s1", "s s1"}}}}});
    EXPECT_EQ(faultIn(xml), "gpu 0, thread block 0, step 5 counts chunk 0 of the input of gpu 0 twice");
    const std::string right = mscclOf("allreduce", 1, false,
                                      {{1, 1, 1, {{1, 1, {"cpy i0 o0", "r s0", "s s0", "re s0 o0", "s i0"}}}},
                                       {1, 1, 2, {{0, 0, {"s i0", "r s0", "r s1", "cpy s1 o0", "re s0 o0"}}}}});
    EXPECT_EQ(faultIn(right), "");
    EXPECT_EQ(schedules::msccl::storedFrom(right, "mine.xml").facts.slots, 3);
}

TEST(Msccl, saysWhatIsWrongByItsStep) {
    const auto two = [](const OneBlock& first, const OneBlock& second) {
        return mscclOf("allgather", 2, true, {{1, 2, 0, {first}}, {1, 2, 0, {second}}});
    };
    EXPECT_EQ(faultIn(two({1, 1, {"s o0", "r o1"}}, {0, 0, {"s o1", "r o0"}})), "");
    EXPECT_EQ(
        faultIn(two({1, 1, {"r o1", "s o0"}}, {0, 0, {"r o0", "s o1"}})),
        "gpu 0, thread block 0, step 0 waits for a message from gpu 1 on channel 0, and gpu 1, thread block 0, step 0 "
        "for a message from gpu 0 on channel 0: a deadlock");
    EXPECT_EQ(faultIn(two({1, 1, {"s o0", "r o1"}}, {0, 0, {"r o0"}})),
              "gpu 0, thread block 0, step 1 waits for a message from gpu 1 on channel 0, which no rank sends");
    EXPECT_EQ(faultIn(two({1, 1, {"s o0", "s o0", "r o1"}}, {0, 0, {"s o1", "r o0"}})),
              "gpu 0, thread block 0, step 1 sends what gpu 1 never receives");
    EXPECT_EQ(faultIn(two({1, 1, {"s o1", "r o1"}}, {0, 0, {"s o1", "r o0"}})),
              "gpu 0, thread block 0, step 0 reads chunk 1 of buffer o before anything is there");
    EXPECT_EQ(
        faultIn(two({1, 1, {"s o0", "r o0"}}, {0, 0, {"s o1", "r o0"}})),
        "in the end chunk 0 of the output of gpu 0 lacks chunk 0 of the input of gpu 0, as step 1 of thread block 0 "
        "leaves it");
    EXPECT_EQ(faultIn(two({1, 1, {"s o0 x2", "r o1"}}, {0, 0, {"s o1", "r o0"}})),
              "gpu 0, thread block 0, step 0 reads chunk 1 of buffer o before anything is there");
    EXPECT_EQ(faultIn(two({1, 1, {"s o0", "r o1"}}, {0, 0, {"s o1", "r o0 x2"}})),
              "gpu 1, thread block 0, step 1 receives 2 chunks, but gpu 0, thread block 0, step 0 sends 1");
    // Everything until then is there.
    const schedules::Stored stood =
        schedules::msccl::storedFrom(two({1, 1, {"s o0", "r o1"}}, {0, 0, {"r o0"}}), "mine.xml");
    EXPECT_EQ(stood.messages.size(), 1);
}

TEST(Msccl, namesThePlaceOfWhatIsWrong) {
    const auto placeIn = [](const std::string& xml) {
        return schedules::msccl::storedFrom(xml, "mine.xml").facts.wrong.place;
    };
    const auto two = [](const OneBlock& first, const OneBlock& second) {
        return mscclOf("allgather", 2, true, {{1, 2, 0, {first}}, {1, 2, 0, {second}}});
    };
    const Place deadlock = placeIn(two({1, 1, {"r o1", "s o0"}}, {0, 0, {"r o0", "s o1"}}));
    EXPECT_EQ(deadlock.circle,
              (std::vector<Waiter>{{Rank{0}, Rank{1}, "thread block 0, step 0", "a message from gpu 1 on channel 0"},
                                   {Rank{1}, Rank{0}, "thread block 0, step 0", "a message from gpu 0 on channel 0"}}));
    const Place unsent = placeIn(two({1, 1, {"s o0", "r o1"}}, {0, 0, {"r o0"}}));
    EXPECT_EQ(unsent, (Place{.rank = Rank{0}, .from = Rank{1}, .to = Rank{0}}));
    const Place unread = placeIn(two({1, 1, {"s o0", "s o0", "r o1"}}, {0, 0, {"s o1", "r o0"}}));
    EXPECT_EQ(unread, (Place{.rank = Rank{0}, .from = Rank{0}, .to = Rank{1}}));
    const Place lacking = placeIn(two({1, 1, {"s o0", "r o0"}}, {0, 0, {"s o1", "r o0"}}));
    EXPECT_EQ(lacking, (Place{.rank = Rank{0}, .byte = 0}));
    // Three in a circle: all are in it, two in the sentence.
    const std::string three = mscclOf("allgather", 3, true,
                                      {{1, 3, 0, {{1, 2, {"r o2", "s o0"}}}},
                                       {1, 3, 0, {{2, 0, {"r o0", "s o1"}}}},
                                       {1, 3, 0, {{0, 1, {"r o1", "s o2"}}}}});
    EXPECT_EQ(placeIn(three).circle.size(), 3);
    EXPECT_TRUE(faultIn(three).ends_with(", and so on round 1 more: a deadlock")) << faultIn(three);
}

TEST(Msccl, seesThatNobodyWaits) {
    EXPECT_EQ(faultIn(allPairs(3)), "");
    EXPECT_EQ(
        faultIn(allPairs(3, "nop")),
        "gpu 0, thread block 2, step 4 uses chunk 2 of buffer s, as does step 1 of thread block 1, and neither waits "
        "for the other");
    EXPECT_EQ(
        faultIn(allPairs(3, "nop after 1.0")),
        "gpu 0, thread block 2, step 4 uses chunk 2 of buffer s, as does step 1 of thread block 1, and neither waits "
        "for the other");
    const std::string silent =
        mscclOf("allgather", 1, true, {{1, 1, 0, {{-1, -1, {"nop silent"}}, {-1, -1, {"nop after 0.0"}}}}});
    EXPECT_EQ(
        faultIn(silent),
        "gpu 0, thread block 1, step 0 waits for step 0 of thread block 0, which tells nobody that it is done: no step "
        "of it from there on has hasdep=\"1\"");
    const std::string round =
        mscclOf("allgather", 1, true, {{1, 1, 0, {{-1, -1, {"nop after 1.0"}}, {-1, -1, {"nop after 0.0"}}}}});
    EXPECT_EQ(
        faultIn(round),
        "gpu 0, thread block 0, step 0 waits for step 0 of thread block 1, and gpu 0, thread block 1, step 0 for step 0 "
        "of thread block 0: a deadlock");
}

TEST(Msccl, refusesWhatIsNoSuchFile) {
    const std::string right = ringAllreduce(3);
    const auto with = [&](const std::string& from, const std::string& to) {
        std::string words = right;
        const auto at = words.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        return faultIn(words.replace(at, from.size(), to));
    };
    EXPECT_EQ(with("coll=\"allreduce\"", "coll=\"allredcue\""),
              "mine.xml: its coll is \"allredcue\", which is not known; custom, allgather, alltoall, allreduce, "
              "reduce_scatter, broadcast, gather, scatter, scan and reduce are; did you mean allreduce?");
    EXPECT_EQ(
        with("type=\"rrs\"", "type=\"rss\""),
        "mine.xml: gpu 0, thread block 0, step 1: type \"rss\" means nothing; steps are s, r, rcs, rrc, rrs, rrcs, re, "
        "cpy and nop");
    EXPECT_EQ(with("<gpu id=\"1\"", "<gpu id=\"0\""), "mine.xml: gpu 0: there is another one of this id");
    EXPECT_EQ(with("ngpus=\"3\"", "ngpus=\"4\""), "mine.xml: ngpus is 4, but there are 3 elements <gpu>");
    EXPECT_EQ(with("srcoff=\"0\"", "srcoff=\"3\""),
              "mine.xml: gpu 0, thread block 0, step 0: it uses chunks 3 to 3 of buffer i, which has 3");
    EXPECT_EQ(with("depid=\"-1\" deps=\"-1\"", "depid=\"7\" deps=\"0\""),
              "mine.xml: gpu 0, thread block 0, step 0: it waits for thread block 7, which gpu 0 does not have");
    EXPECT_EQ(with("</algo>", ""),
              "mine.xml:30: the file ends within an element; it is cut off, or </algo> is missing");
    EXPECT_EQ(with("ngpus=\"3\"", "ngpus"),
              "mine.xml:1: = and a value in quotes are missing after the name of an attribute");
    EXPECT_EQ(with("ngpus=\"3\"", "ngpus=3"), "mine.xml:1: the value of an attribute must be in quotes");
    EXPECT_EQ(with("<gpu id=\"0\"", "< id=\"0\""),
              "mine.xml:2: the name of an element, such as gpu, tb or step, is missing after <");
    EXPECT_EQ(faultIn("<algo coll=\"custom\"/>"), "mine.xml: has no <gpu>; each rank needs one");
    EXPECT_EQ(faultIn(""), "mine.xml: no <algo>, with which files of MSCCL begin");
    EXPECT_EQ(faultIn("<a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a>"),
              "mine.xml has elements in each other, more than 16 levels");
    EXPECT_EQ(faultIn(std::string(std::size_t{17} << 20, ' ')),
              "mine.xml has 17825792 bytes; at most 16777216 of XML are read");
}

/// The remark on missing attributes of this file; "" where there is none.
std::string missingIn(const std::string& words) {
    for (const std::string& remark : schedules::msccl::storedFrom(words, "mine.xml").facts.remarks)
        if (remark.find("attributes are missing") != std::string::npos) return remark;
    return "";
}

TEST(Msccl, namesEveryMissingAttributeThatExecutorsRequire) {
    const std::string whole = ringAllreduce(2);
    EXPECT_EQ(missingIn(whole), "");
    const auto without = [&](std::string words, const std::string& attribute, const std::string& after) {
        const std::size_t begin = words.find(" " + attribute + "=\"", words.find(after));
        const std::size_t end = words.find('"', words.find('"', begin) + 1) + 1;
        return words.erase(begin, end - begin);
    };
    // A file without peers, buffers or offsets is refused, and one without coll may be of no known collective.
    for (const char* attribute :
         {"nchunksperloop", "nchannels", "ngpus", "proto", "minBytes", "maxBytes", "inplace", "outofplace"})
        EXPECT_EQ(missingIn(without(whole, attribute, "<algo")),
                  text("MSCCL executors cannot load this file, since attributes are missing: <algo> ", attribute,
                       "; Collscope assumes the usual values"));
    for (const char* attribute : {"i_chunks", "o_chunks", "s_chunks"})
        EXPECT_EQ(missingIn(without(whole, attribute, "<gpu id=\"1\"")),
                  text("MSCCL executors cannot load this file, since attributes are missing: <gpu> ", attribute,
                       " (first in gpu 1); Collscope assumes the usual values"));
    EXPECT_EQ(missingIn(without(without(whole, "chan", "<tb"), "maxBytes", "<algo")),
              "MSCCL executors cannot load this file, since attributes are missing: <algo> maxBytes; <tb> chan (first "
              "in gpu 0, thread block 0); Collscope assumes the usual values");
    for (const char* attribute : {"s", "cnt", "depid", "deps", "hasdep"})
        EXPECT_EQ(missingIn(without(whole, attribute, "<step")),
                  text("MSCCL executors cannot load this file, since attributes are missing: <step> ", attribute,
                       " (first in gpu 0, thread block 0, step 0); Collscope assumes the usual values"));
    EXPECT_EQ(faultIn(without(whole, "nchunksperloop", "<algo")), "");
}

}  // namespace
}  // namespace engine
