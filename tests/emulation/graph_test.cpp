// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/networks/network.hpp"
#include "tests/emulation/ways.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace emulation {
namespace {

std::string fileWith(const std::string& ending, const std::string& words) {
    const auto path = std::filesystem::temp_directory_path() /
                      (std::string{testing::UnitTest::GetInstance()->current_test_info()->name()} + ending);
    std::ofstream{path} << words;
    return "graph:" + path.string();
}

/// A triangle of ranks 2 - 0 - 1 with a switch between 1 and 2.
const std::string triangle = R"(<?xml version="1.0"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="r" for="node" attr.name="rank" attr.type="int"/>
  <key id="c" for="edge" attr.name="capacity" attr.type="string"/>
  <key id="l" for="edge" attr.name="latency" attr.type="double"/>
  <key id="x" for="edge" attr.name="colour" attr.type="string"/>
  <graph id="g" edgedefault="undirected">
    <node id="s"/>
    <node id="a"><data key="r">2</data></node>
    <node id="b"><data key="r">0</data></node>
    <node id="c"><data key="r">1</data></node>
    <edge source="a" target="b"><data key="c">1GB/s</data><data key="l">5e-6</data></edge>
    <edge source="b" target="c"><data key="c">1GB/s</data><data key="l">1e-6</data><data key="x">red</data></edge>
    <edge source="c" target="s"><data key="c">10GB/s</data><data key="l">1e-6</data></edge>
    <edge source="s" target="a"><data key="c">10GB/s</data><data key="l">1e-6</data></edge>
  </graph>
</graphml>)";

TEST(Graph, readsGraphmlAndTakesTheWayOfLeastLatency) {
    const std::string name = fileWith(".graphml", triangle);
    const NetworkPtr graph = makeNetwork(name, 3);
    EXPECT_EQ(graph->name(), name);
    EXPECT_EQ(graph->links(), 8);
    EXPECT_EQ(path(*graph, 0, 1), "0 -> 1; ");
    EXPECT_EQ(path(*graph, 1, 2), "1 -> switch 0; switch 0 -> 2; ");
    EXPECT_EQ(path(*graph, 0, 2), "0 -> 1; 1 -> switch 0; switch 0 -> 2; ");  // 3 us; the link of their own takes 5 us
    EXPECT_TRUE(graph->wiring().adjacent(Rank{0}, Rank{2}));
    EXPECT_FALSE(graph->wiring().adjacent(Rank{1}, Rank{2}));
    EXPECT_EQ(graph->quality(LinkId{4}), (LinkQuality{std::chrono::microseconds{1}, engine::Rate{100'000}}));
}

TEST(Graph, readsDotInTheOrderOfNames) {
    const NetworkPtr graph = makeNetwork(
        fileWith(".dot", "graph { n10 -- n9 [latency=\"2us\", bandwidth=\"1GB/s\"]; n9 -- n2; n2 -- n10; n1 -- n10 }"),
        4);
    EXPECT_EQ(path(*graph, 0, 1), "0 -> 3; 3 -> 1; ");  // n1 -> n10 -> n2
    EXPECT_EQ(path(*graph, 2, 3), "2 -> 1; 1 -> 3; ");  // no latency is less than 2 us
    EXPECT_EQ(graph->quality(LinkId{2}), std::nullopt);
}

TEST(Graph, takesTheLeastLinkOfEquallyGoodWays) {
    const NetworkPtr graph = makeNetwork(fileWith(".gv", "graph { 0--2; 0--1; 1--3; 2--3 }"), 4);
    EXPECT_EQ(path(*graph, 0, 3), "0 -> 1; 1 -> 3; ");
    EXPECT_EQ(path(*graph, 3, 0), "3 -> 2; 2 -> 0; ");
}

TEST(Graph, keepsDirectedEdgesOneWay) {
    const NetworkPtr graph = makeNetwork(fileWith(".dot", "digraph { 0 -> 1 -> 2 -> 0; 2 -> 2 }"), 3);
    EXPECT_EQ(graph->links(), 3);
    EXPECT_EQ(path(*graph, 1, 0), "1 -> 2; 2 -> 0; ");
    EXPECT_TRUE(graph->wiring().adjacent(Rank{2}, Rank{0}));
    EXPECT_FALSE(graph->wiring().adjacent(Rank{0}, Rank{2}));
    EXPECT_FALSE(graph->wiring().adjacent(Rank{2}, Rank{2}));
    const NetworkPtr same =
        makeNetwork(fileWith(".xml", R"(<graphml><graph edgedefault="directed"><node id="a"/><node id="b"/>
            <edge source="a" target="b"/><edge source="b" target="a"/></graph></graphml>)"),
                    2);
    EXPECT_EQ(same->links(), 2);
    EXPECT_EQ(path(*same, 1, 0), "1 -> 0; ");
}

TEST(Graph, refusesInSentences) {
    EXPECT_EQ(refusal("graph", 3), "topology graph needs a file, for example topology graph:machine.graphml");
    EXPECT_EQ(refusal("graph:none.dot", 3), "topology graph:none.dot: cannot read the file: it does not exist");
    EXPECT_EQ(refusal("graph:a.txt", 3),
              "topology graph:a.txt: the file's name must end in .graphml, .xml, .dot or .gv");
    const std::string ml = fileWith(".graphml", triangle);
    EXPECT_EQ(refusal(ml, 4), "topology " + ml + " has 3 nodes with a rank, but there are 4 ranks");
    const auto dot = [&](const std::string& words, int ranks, const std::string& expected) {
        const std::string name = fileWith(".dot", words);
        EXPECT_EQ(refusal(name, ranks), "topology " + name + expected);
    };
    dot("graph { 0--1 }", 3,
        " has 2 nodes, but there are 3 ranks; where some nodes are switches, give the others an "
        "attribute rank");
    dot("graph { 0--1; 2--3 }", 4, " is not connected: no way leads from rank 0 to rank 2");
    dot("digraph { 0->1; 2->0; 1->0 }", 3, " is not connected: no way leads from rank 0 to rank 2");
    dot("digraph { 0->1; 0->2; 2->0 }", 3, " is not connected: no way leads from rank 1 to rank 0");
    dot("graph { a [rank=0]; b [rank=0]; a--b }", 2, ", rank of node b: another node is rank 0 already");
    dot("graph { a [rank=0]; b [rank=2]; a--b }", 2, ", rank of node b: 2 is too large; the largest value is 1");
    dot("graph { 0--1 [latency=\"1us\"] }", 2,
        ", edge from node 0 to node 1: it has a latency but no bandwidth; give it both");
    dot("graph { 0--1 [bandwidth=\"fast\"] }", 2,
        ", edge from node 0 to node 1, bandwidth: 'fast' is not a quantity; write for example 2.5GB/s or "
        "100Mbit/s");
    EXPECT_TRUE(refusal(fileWith(".dot", "graph { 0--"), 2).find(" is no DOT graph: ") != std::string::npos);
    EXPECT_TRUE(refusal(fileWith(".xml", "<graphml>"), 2).find(" is no GraphML graph: ") != std::string::npos);
}

std::string repeated(const std::string& words, int times) {
    std::string all;
    for (int i = 0; i < times; ++i) all += words;
    return all;
}

TEST(Graph, refusesWhatItsReadersCannotHold) {
    const auto dot = [](int levels, const std::string& inside) {
        return "graph { 0--1; " + repeated("subgraph { ", levels - 1) + inside + repeated("}", levels);
    };
    EXPECT_NO_THROW(makeNetwork(fileWith(".dot", dot(500, "0")), 2));
    // What looks like an end may be none.
    const std::string ends = repeated("}", 9900);
    for (const std::string& words :
         {dot(501, "0"), dot(10'000, "0"), dot(10'000, "0 [label=\"" + ends + "\"]"),
          dot(10'000, "0 [label=<" + ends + ">]"), dot(10'000, "0 /*" + ends + "*/ //" + ends + "\n"),
          dot(10'000, "\n#" + ends + "\n")}) {
        const std::string name = fileWith(".dot", words);
        EXPECT_EQ(refusal(name, 2), "topology " + name +
                                        " has subgraphs in each other, more than 500 levels; that is the most that is "
                                        "read");
    }
    const auto ml = [](int levels, const std::string& inside) {
        return R"(<?xml version="1.0"?><graphml><graph edgedefault="undirected"><node id="0"/><node id="1"/>)"
               R"(<edge source="0" target="1"/><node id="2">)" +
               repeated("<a>", levels - 3) + inside + repeated("</a>", levels - 3) +
               R"(</node><edge source="1" target="2"/></graph></graphml>)";
    };
    EXPECT_NO_THROW(makeNetwork(fileWith(".graphml", ml(500, "")), 3));
    const std::string tags = repeated("</a>", 39'900);
    for (const std::string& words : {ml(501, ""), ml(40'000, ""), ml(40'000, "<!--" + tags + "-->"),
                                     ml(40'000, "<![CDATA[" + tags + "]]>"), ml(40'000, "<b c=\"" + tags + "\"/>")}) {
        const std::string name = fileWith(".graphml", words);
        EXPECT_EQ(refusal(name, 3), "topology " + name +
                                        " has elements in each other, more than 500 levels; that is the most that is "
                                        "read");
    }
    const std::string large = fileWith(".dot", "");
    std::filesystem::resize_file(large.substr(std::string{"graph:"}.size()), (std::uintmax_t{16} << 20) + 1);
    EXPECT_EQ(refusal(large, 2),
              "topology " + large + ": cannot read the file: it is larger than 16 MiB, the most that is read");
}

}  // namespace
}  // namespace emulation
